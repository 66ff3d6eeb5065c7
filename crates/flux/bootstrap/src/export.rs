//! A directory of this machine as a file tree.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sluice_kustomize::fs::{DiskFs, EntryKind};
use sluice_kustomize::{Error, Fs};

/// A tree whose root is a directory of this machine.
pub(crate) struct DirectoryFs(pub(crate) PathBuf);

impl DirectoryFs {
    fn at(&self, path: &Path) -> PathBuf {
        self.0.join(path.strip_prefix("/").unwrap_or(path))
    }
}

impl Fs for DirectoryFs {
    fn kind(&self, path: &Path) -> Result<Option<EntryKind>, Error> {
        DiskFs.kind(&self.at(path))
    }

    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
        DiskFs.read(&self.at(path), limit)
    }

    fn read_dir(&self, path: &Path) -> Result<Vec<OsString>, Error> {
        DiskFs.read_dir(&self.at(path))
    }

    fn is_link(&self, path: &Path) -> Result<bool, Error> {
        DiskFs.is_link(&self.at(path))
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, Error> {
        DiskFs.resolve(&self.at(path))
    }
}
