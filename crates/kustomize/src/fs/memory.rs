//! A tree in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{EntryKind, Fs, join, not_a_file, not_found, too_large};
use crate::error::{Code, Error};

/// A tree in memory, without links.
#[derive(Debug, Clone, Default)]
pub struct MemFs {
    files: BTreeMap<PathBuf, Vec<u8>>,
    directories: BTreeSet<PathBuf>,
}

impl MemFs {
    /// Starts with nothing but the root.
    pub fn new() -> Self {
        let mut tree = Self::default();
        tree.directories.insert(PathBuf::from("/"));
        tree
    }

    /// Puts a file, and the folders that lead to it.
    ///
    /// # Panics
    ///
    /// If the path climbs out of the tree: these paths are written by programmers.
    #[must_use]
    pub fn with(mut self, path: &str, contents: impl Into<Vec<u8>>) -> Self {
        self.insert(path, contents);
        self
    }

    /// Puts a file, and the folders that lead to it.
    ///
    /// # Panics
    ///
    /// If the path climbs out of the tree: these paths are written by programmers.
    pub fn insert(&mut self, path: &str, contents: impl Into<Vec<u8>>) {
        let path = join(Path::new("/"), path).expect("the path is within the tree");
        for ancestor in path.ancestors().skip(1) {
            self.directories.insert(ancestor.to_path_buf());
        }
        self.files.insert(path, contents.into());
    }

    /// Puts a folder, and those that lead to it.
    ///
    /// # Panics
    ///
    /// If the path climbs out of the tree: these paths are written by programmers.
    pub fn insert_dir(&mut self, path: &str) {
        let path = join(Path::new("/"), path).expect("the path is within the tree");
        let ancestors = path.ancestors().map(Path::to_path_buf);
        self.directories.extend(ancestors);
    }
}

impl Fs for MemFs {
    fn kind(&self, path: &Path) -> Result<Option<EntryKind>, Error> {
        Ok(if self.files.contains_key(path) {
            Some(EntryKind::File)
        } else if self.directories.contains(path) {
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
            None if self.directories.contains(path) => Err(not_a_file(&shown)),
            None => Err(not_found("open", &shown)),
        }
    }

    fn read_dir(&self, path: &Path) -> Result<Vec<String>, Error> {
        if !self.directories.contains(path) {
            let shown = self.display(path);
            let message = format!("'{shown}' is not a directory");
            return Err(Error::new(Code::NotADirectory, message));
        }
        let entries = self.files.keys().chain(&self.directories);
        let names = entries
            .filter(|entry| entry.parent() == Some(path))
            .filter_map(|entry| entry.file_name())
            .map(|name| name.to_string_lossy().into_owned());
        let names: BTreeSet<_> = names.collect();
        Ok(names.into_iter().collect())
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
