//! Adds or replaces a few files of another tree without changing it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{EntryKind, Fs};
use crate::error::Error;

/// A tree with some files replaced or added. The folders of added files must exist.
pub struct OverlayFs<'a> {
    base: &'a dyn Fs,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl<'a> OverlayFs<'a> {
    /// Creates an overlay without files.
    pub fn new(base: &'a dyn Fs) -> Self {
        Self {
            base,
            files: BTreeMap::new(),
        }
    }

    /// Adds or replaces a file.
    #[must_use]
    pub fn with(mut self, path: PathBuf, contents: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path, contents.into());
        self
    }
}

impl Fs for OverlayFs<'_> {
    fn kind(&self, path: &Path) -> Result<Option<EntryKind>, Error> {
        if self.files.contains_key(path) {
            return Ok(Some(EntryKind::File));
        }
        self.base.kind(path)
    }

    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
        match self.files.get(path) {
            Some(contents) => Ok(contents.clone()),
            None => self.base.read(path, limit),
        }
    }

    fn read_dir(&self, path: &Path) -> Result<Vec<OsString>, Error> {
        let mut names = self.base.read_dir(path)?;
        let added = self.files.keys().filter(|file| file.parent() == Some(path));
        let added = added.filter_map(|file| file.file_name());
        names.extend(added.map(ToOwned::to_owned));
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    fn is_link(&self, path: &Path) -> Result<bool, Error> {
        if self.files.contains_key(path) {
            return Ok(false);
        }
        self.base.is_link(path)
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, Error> {
        if self.files.contains_key(path) {
            return Ok(path.to_path_buf());
        }
        self.base.resolve(path)
    }

    fn display(&self, path: &Path) -> String {
        self.base.display(path)
    }
}
