//! File operations of the store, beyond [`sluice_system::fs`].

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sluice_system::fs;

use crate::error::Result;

/// Reads a file. Returns `None` if it does not exist.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Removes a file, if it exists.
pub(crate) fn remove_file(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if !error.is_not_found() => Err(error.into()),
        _ => Ok(()),
    }
}

/// Removes a directory and its content, if it exists.
pub(crate) fn remove_directory(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if !error.is_not_found() => Err(error.into()),
        _ => Ok(()),
    }
}

/// An entry of a directory.
#[derive(Debug, Clone)]
pub(crate) struct DirEntry {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    pub(crate) modified: SystemTime,
}

/// Lists a directory in any order. A missing directory is empty, and entries that disappear
/// meanwhile are skipped.
pub(crate) fn list(path: &Path) -> Result<Vec<DirEntry>> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.is_not_found() => return Ok(Vec::new()),
        other => other?,
    };
    let mut listed = Vec::with_capacity(entries.len());
    for entry in entries {
        let metadata = match fs::symlink_metadata(&entry.path) {
            Err(error) if error.is_not_found() => continue,
            other => other?,
        };
        let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        listed.push(DirEntry {
            path: entry.path,
            bytes: metadata.len(),
            modified,
        });
    }
    Ok(listed)
}
