//! Removes temporary files of killed processes.

use rustix::fs::FileType;

use super::{Storage, TEMPORARY_SUFFIX};
use crate::confined::{self, DirEntry, Directory};

impl Storage {
    /// Removes temporary files below the given kinds, and returns their number.
    ///
    /// Only the leader may call this, before its first write. At this point each temporary file is
    /// stale.
    pub fn remove_temporary_files(&self, kinds: &[&str]) -> Result<usize, confined::Error> {
        let mut removed = 0;
        for kind in kinds {
            match self.directory().open(kind.to_lowercase().as_bytes()) {
                Ok(directory) => removed += sweep(&directory, 2)?,
                Err(error) if error.is_missing() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(removed)
    }
}

/// Temporary files are exactly this deep, below kind, namespace and name.
fn sweep(directory: &Directory, depth: usize) -> Result<usize, confined::Error> {
    let mut removed = 0;
    for entry in directory.list(usize::MAX)? {
        if depth > 0 {
            if entry.is(FileType::Directory) {
                match directory.open(&entry.name) {
                    Ok(below) => removed += sweep(&below, depth - 1)?,
                    Err(error) if error.is_missing() => {}
                    Err(error) => return Err(error),
                }
            }
        } else if is_temporary(&entry) && directory.remove_if_present(&entry.name)? {
            removed += 1;
        }
    }
    Ok(removed)
}

/// An unfinished file, or an unfinished link.
fn is_temporary(entry: &DirEntry) -> bool {
    let has_suffix = entry.name.ends_with(TEMPORARY_SUFFIX.as_bytes());
    let is_hidden_file = entry.is(FileType::RegularFile) && entry.name.starts_with(b".");
    has_suffix && (is_hidden_file || entry.is(FileType::Symlink))
}
