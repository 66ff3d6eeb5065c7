//! What the store needs of the disk beyond [`sluice_system::fs`].

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sluice_system::fs;

use crate::error::Result;

/// Reads a file; `None` when there is none.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Removes a file that may be gone already.
pub(crate) fn remove_file(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if !error.is_not_found() => Err(error.into()),
        _ => Ok(()),
    }
}

/// Removes a directory, with all it holds, that may be gone already.
pub(crate) fn remove_directory(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if !error.is_not_found() => Err(error.into()),
        _ => Ok(()),
    }
}

/// Something in a directory.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    pub(crate) modified: SystemTime,
}

/// Lists a directory, in no order; one that is not there is empty, and so is what
/// disappears meanwhile.
pub(crate) fn list(path: &Path) -> Result<Vec<Item>> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.is_not_found() => return Ok(Vec::new()),
        other => other?,
    };
    let mut items = Vec::with_capacity(entries.len());
    for entry in entries {
        let metadata = match fs::symlink_metadata(&entry.path) {
            Err(error) if error.is_not_found() => continue,
            other => other?,
        };
        let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        items.push(Item {
            path: entry.path,
            bytes: metadata.len(),
            modified,
        });
    }
    Ok(items)
}
