//! The format of the directory, and its wipe.
//!
//! A marker makes the wipe safe against a kill: it exists before the version changes, and the next
//! start wipes again as long as it exists. The reference uses the same two files.

use std::path::Path;

use sluice_system::fs;

use super::{KIND, StoreError, is_missing, remove_dir_all, remove_file};

const VERSION_FILE: &str = ".storage-version";
const WIPE_MARKER: &str = ".storage-wipe-in-progress";
const VERSION: &str = "2";

/// Makes sure that the directory exists in our format.
pub(super) fn ensure(root: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(root).map_err(StoreError::file("create storage path"))?;
    let marker = root.join(WIPE_MARKER);
    if !is_current(root)? {
        let file = fs::create(&marker).map_err(StoreError::file("create wipe marker"))?;
        file.sync_all()
            .map_err(StoreError::file("sync wipe marker"))?;
        fs::sync_directory(root).map_err(StoreError::file("sync storage path"))?;
        fs::write_atomically(root.join(VERSION_FILE), format!("{VERSION}\n"))
            .map_err(StoreError::file("write storage version"))?;
    }
    if !fs::exists(&marker).map_err(StoreError::file("inspect wipe marker"))? {
        return Ok(());
    }
    wipe(root)?;
    fs::sync_directory(root).map_err(StoreError::file("sync storage path"))?;
    remove_file(&marker).map_err(StoreError::file("remove wipe marker"))?;
    fs::sync_directory(root).map_err(StoreError::file("sync storage path"))
}

fn is_current(root: &Path) -> Result<bool, StoreError> {
    match fs::read(root.join(VERSION_FILE)) {
        Ok(version) => Ok(version.trim_ascii() == VERSION.as_bytes()),
        Err(error) if is_missing(&error) => Ok(false),
        Err(error) => Err(StoreError::file("read storage version")(error)),
    }
}

/// Names of the files of a Badger database, besides those of [`BADGER_ENDINGS`].
const BADGER_FILES: [&str; 5] = [
    "DISCARD",
    "KEYREGISTRY",
    "LOCK",
    "MANIFEST",
    "MANIFEST-REWRITE",
];
/// Endings of the numbered files of a Badger database.
const BADGER_ENDINGS: [&str; 3] = [".mem", ".sst", ".vlog"];

/// Reports whether a file belongs to a tag store of any format.
///
/// Other files stay: a wrong `--storage-path` must not remove the data of another program.
fn is_of_store(name: &str) -> bool {
    name == KIND
        || BADGER_FILES.contains(&name)
        || BADGER_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Removes the files of all formats, but not the two files of the protocol.
fn wipe(root: &Path) -> Result<(), StoreError> {
    for entry in fs::read_dir(root).map_err(StoreError::file("read storage path"))? {
        let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
        if !is_of_store(&name) {
            continue;
        }
        let removed = if entry.file_type.is_dir() {
            remove_dir_all(&entry.path)
        } else {
            remove_file(&entry.path)
        };
        removed.map_err(StoreError::file("remove storage entry"))?;
    }
    Ok(())
}
