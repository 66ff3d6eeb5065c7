//! Clearing away what a killed process left behind.

use rustix::fs::FileType;

use super::{Storage, TEMPORARY_SUFFIX};
use crate::confined::{self, Directory, Listed};

impl Storage {
    /// Removes temporary files of earlier processes below the given kinds and returns how many.
    ///
    /// Only the leader may do this, before it writes: to it every temporary file is stale.
    pub fn sweep(&self, kinds: &[&str]) -> Result<usize, confined::Error> {
        let mut removed = 0;
        for kind in kinds {
            match self.directory().open(kind.to_lowercase().as_bytes()) {
                Ok(directory) => removed += sweep(&directory, 2)?,
                Err(error) if error.missing() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(removed)
    }
}

/// Temporary files lie exactly this deep: below namespace and name.
fn sweep(directory: &Directory, depth: usize) -> Result<usize, confined::Error> {
    let mut removed = 0;
    for entry in directory.list(usize::MAX)? {
        if depth > 0 {
            if entry.is(FileType::Directory) {
                match directory.open(&entry.name) {
                    Ok(below) => removed += sweep(&below, depth - 1)?,
                    Err(error) if error.missing() => {}
                    Err(error) => return Err(error),
                }
            }
        } else if is_temporary(&entry) && directory.remove_if_present(&entry.name)? {
            removed += 1;
        }
    }
    Ok(removed)
}

/// A file that was being written, or a link that was to replace another.
fn is_temporary(entry: &Listed) -> bool {
    let named = entry.name.ends_with(TEMPORARY_SUFFIX.as_bytes());
    let file = entry.is(FileType::RegularFile) && entry.name.starts_with(b".");
    named && (file || entry.is(FileType::Symlink))
}
