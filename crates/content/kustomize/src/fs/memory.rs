//! A tree in memory.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{EntryKind, Fs, is_a_directory, join, not_found, too_large};
use crate::error::{Code, Error};

/// A tree in memory, without links.
#[derive(Debug, Clone, Default)]
pub struct MemFs {
    files: HashMap<PathBuf, Vec<u8>>,
    /// Each folder with the names in it.
    directories: HashMap<PathBuf, BTreeSet<OsString>>,
}

impl MemFs {
    /// Creates a tree with an empty root.
    pub fn new() -> Self {
        let mut tree = Self::default();
        tree.directories.insert(PathBuf::from("/"), BTreeSet::new());
        tree
    }

    /// Adds a file and its parent folders.
    ///
    /// # Panics
    ///
    /// If the path leaves the tree.
    #[must_use]
    pub fn with(mut self, path: &str, contents: impl Into<Vec<u8>>) -> Self {
        self.insert(path, contents);
        self
    }

    /// Adds a file and its parent folders.
    ///
    /// # Panics
    ///
    /// If the path leaves the tree.
    pub fn insert(&mut self, path: &str, contents: impl Into<Vec<u8>>) {
        let path = join(Path::new("/"), path).expect("the path is within the tree");
        self.list(&path);
        self.files.insert(path, contents.into());
    }

    /// Adds a folder and its parents.
    ///
    /// # Panics
    ///
    /// If the path leaves the tree.
    pub fn insert_dir(&mut self, path: &str) {
        let path = join(Path::new("/"), path).expect("the path is within the tree");
        self.list(&path);
        self.directories.entry(path).or_default();
    }

    /// Adds the name of an entry to its folder, and each folder to its parent.
    fn list(&mut self, path: &Path) {
        for entry in path.ancestors() {
            let (Some(folder), Some(name)) = (entry.parent(), entry.file_name()) else {
                break;
            };
            let names = self.directories.entry(folder.to_path_buf()).or_default();
            if !names.insert(name.to_owned()) {
                break;
            }
        }
    }
}

impl Fs for MemFs {
    fn kind(&self, path: &Path) -> Result<Option<EntryKind>, Error> {
        Ok(if self.files.contains_key(path) {
            Some(EntryKind::File)
        } else if self.directories.contains_key(path) {
            Some(EntryKind::Directory)
        } else {
            None
        })
    }

    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
        let shown = self.display(path);
        match self.files.get(path) {
            Some(contents) if contents.len() as u64 > limit => Err(too_large(&shown, limit)),
            Some(contents) => Ok(contents.clone()),
            None if self.directories.contains_key(path) => Err(is_a_directory(&shown)),
            None => Err(not_found("open", &shown)),
        }
    }

    fn read_dir(&self, path: &Path) -> Result<Vec<OsString>, Error> {
        let Some(names) = self.directories.get(path) else {
            let shown = self.display(path);
            let message = format!("'{shown}' is not a directory");
            return Err(Error::new(Code::NotADirectory, message));
        };
        Ok(names.iter().cloned().collect())
    }

    fn is_link(&self, _path: &Path) -> Result<bool, Error> {
        Ok(false)
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, Error> {
        match self.kind(path)? {
            Some(_) => Ok(path.to_path_buf()),
            None => Err(not_found("lstat", &self.display(path))),
        }
    }
}
