//! The file system of the machine, without confinement, for the command line.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use sluice_system::fs;

use super::{EntryKind, Fs, is_a_directory, not_a_file, not_found, too_large};
use crate::error::{Code, Error};

/// The file system of the machine; paths are absolute paths of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskFs;

/// Formats an I/O error as Go's `os` package does.
pub(super) fn failure(operation: &str, shown: &str, error: &fs::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => not_found(operation, shown),
        io::ErrorKind::NotADirectory => {
            let message = format!("{operation} {shown}: not a directory");
            Error::new(Code::NotADirectory, message)
        }
        _ => {
            let message = format!("{operation} {shown}: {}", error.io());
            Error::new(Code::Io, message)
        }
    }
}

pub(super) fn kind_of(metadata: &fs::Metadata) -> EntryKind {
    if metadata.is_file() {
        EntryKind::File
    } else if metadata.is_dir() {
        EntryKind::Directory
    } else {
        EntryKind::Other
    }
}

impl Fs for DiskFs {
    fn kind(&self, path: &Path) -> Result<Option<EntryKind>, Error> {
        match fs::metadata(path) {
            Ok(metadata) => Ok(Some(kind_of(&metadata))),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(None),
                _ => Err(failure("stat", &self.display(path), &error)),
            },
        }
    }

    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
        let shown = self.display(path);
        match self.kind(path)? {
            Some(EntryKind::Directory) => return Err(is_a_directory(&shown)),
            // Reading a pipe could block forever.
            Some(EntryKind::Other) => return Err(not_a_file(&shown)),
            None => return Err(not_found("open", &shown)),
            Some(EntryKind::File) => {}
        }
        fs::read_limited(path, limit).map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => too_large(&shown, limit),
            _ => failure("open", &shown, &error),
        })
    }

    fn read_dir(&self, path: &Path) -> Result<Vec<OsString>, Error> {
        let entries = fs::read_dir(path);
        let entries = entries.map_err(|error| failure("open", &self.display(path), &error))?;
        let names = entries
            .iter()
            .filter_map(|entry| entry.path.file_name())
            .map(ToOwned::to_owned);
        Ok(names.collect())
    }

    fn is_link(&self, path: &Path) -> Result<bool, Error> {
        fs::symlink_metadata(path)
            .map(|metadata| metadata.is_symlink())
            .map_err(|error| failure("lstat", &self.display(path), &error))
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, Error> {
        fs::canonicalize(path).map_err(|error| failure("lstat", &self.display(path), &error))
    }

    fn absolute(&self, path: &str) -> Result<PathBuf, Error> {
        Ok(PathBuf::from(path))
    }

    fn display(&self, path: &Path) -> String {
        path.display().to_string()
    }
}
