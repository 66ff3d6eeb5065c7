//! Confines a build to a directory of the machine.
//!
//! Every access opens its path *beneath* the root. The kernel follows links and fails when
//! one leads out. Check and open are one step, so swapping a link in between is not possible.
//! On kernels without `openat2`, the resolved path is checked instead.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Dir, Mode, OFlags, ResolveFlags, openat2};
use rustix::io::Errno;
use sluice_system::fs;

use super::disk::{failure, kind_of};
use super::{EntryKind, Fs, is_a_directory, not_a_file, not_found, security_violation, too_large};
use crate::error::{Code, Error};

/// A directory as a confined tree.
#[derive(Debug)]
pub struct SecureFs {
    /// Resolved, for comparison with other resolved paths.
    root: PathBuf,
    directory: OwnedFd,
}

impl SecureFs {
    /// Confines a build to a directory.
    pub fn new(root: impl AsRef<Path>) -> Result<Self, fs::Error> {
        let root = fs::canonicalize(root)?;
        let directory = fs::open(&root)?.into_std().into();
        Ok(Self { root, directory })
    }

    fn open(&self, operation: &str, path: &Path, flags: OFlags) -> Result<OwnedFd, Error> {
        let mut flags = flags | OFlags::CLOEXEC;
        if !flags.contains(OFlags::PATH) {
            // Opening a named pipe must not block forever.
            flags |= OFlags::NONBLOCK | OFlags::NOCTTY;
        }
        let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        let relative = path.strip_prefix("/").unwrap_or(path);
        let relative = if relative.as_os_str().is_empty() {
            Path::new(".")
        } else {
            relative
        };
        let opened = loop {
            match openat2(&self.directory, relative, flags, Mode::empty(), beneath) {
                // The tree changed during the walk.
                Err(Errno::AGAIN | Errno::INTR) => {}
                opened => break opened,
            }
        };
        opened.or_else(|errno| match errno {
            Errno::NOSYS | Errno::PERM => self.open_resolved(operation, path, flags),
            Errno::XDEV => Err(security_violation(operation, &self.display(path))),
            _ => Err(self.refused(operation, path, errno)),
        })
    }

    fn open_resolved(&self, operation: &str, path: &Path, flags: OFlags) -> Result<OwnedFd, Error> {
        let resolved = self.resolve(path)?;
        let relative = resolved.strip_prefix("/").unwrap_or(&resolved);
        rustix::fs::open(
            self.root.join(relative),
            flags | OFlags::NOFOLLOW,
            Mode::empty(),
        )
        .map_err(|errno| self.refused(operation, path, errno))
    }

    fn refused(&self, operation: &str, path: &Path, errno: Errno) -> Error {
        let shown = self.display(path);
        match errno {
            Errno::NOENT => not_found(operation, &shown),
            Errno::NOTDIR => {
                let message = format!("{operation} {shown}: not a directory");
                Error::new(Code::NotADirectory, message)
            }
            _ => {
                let cause = std::io::Error::from(errno);
                Error::new(Code::Io, format!("{operation} {shown}: {cause}"))
            }
        }
    }

    fn metadata(&self, path: &Path, file: &File) -> Result<fs::Metadata, Error> {
        file.metadata().map_err(|error| {
            let message = format!("stat {}: {error}", self.display(path));
            Error::new(Code::Io, message)
        })
    }
}

impl Fs for SecureFs {
    fn kind(&self, path: &Path) -> Result<Option<EntryKind>, Error> {
        match self.open("stat", path, OFlags::PATH) {
            Ok(opened) => {
                let metadata = self.metadata(path, &File::from(opened))?;
                Ok(Some(kind_of(&metadata)))
            }
            Err(error) if matches!(error.code(), Code::PathNotFound | Code::NotADirectory) => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
        let shown = self.display(path);
        let file = File::from(self.open("open", path, OFlags::RDONLY)?);
        match kind_of(&self.metadata(path, &file)?) {
            EntryKind::File => {}
            EntryKind::Directory => return Err(is_a_directory(&shown)),
            EntryKind::Other => return Err(not_a_file(&shown)),
        }
        let mut contents = Vec::new();
        file.take(limit.saturating_add(1))
            .read_to_end(&mut contents)
            .map_err(|error| Error::new(Code::Io, format!("read {shown}: {error}")))?;
        if contents.len() as u64 > limit {
            return Err(too_large(&shown, limit));
        }
        Ok(contents)
    }

    fn read_dir(&self, path: &Path) -> Result<Vec<OsString>, Error> {
        let directory = self.open("open", path, OFlags::RDONLY | OFlags::DIRECTORY)?;
        let refused = |errno| self.refused("open", path, errno);
        let mut names = Dir::new(directory)
            .map_err(refused)?
            .map(|entry| {
                let entry = entry.map_err(refused)?;
                Ok(OsStr::from_bytes(entry.file_name().to_bytes()).to_owned())
            })
            .collect::<Result<Vec<_>, Error>>()?;
        names.retain(|name| name != "." && name != "..");
        names.sort_unstable();
        Ok(names)
    }

    fn is_link(&self, path: &Path) -> Result<bool, Error> {
        let opened = self.open("lstat", path, OFlags::PATH | OFlags::NOFOLLOW)?;
        Ok(self.metadata(path, &File::from(opened))?.is_symlink())
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, Error> {
        let shown = self.display(path);
        let relative = path.strip_prefix("/").unwrap_or(path);
        let resolved = fs::canonicalize(self.root.join(relative))
            .map_err(|error| failure("lstat", &shown, &error))?;
        let relative = resolved
            .strip_prefix(&self.root)
            .map_err(|_| security_violation("resolve", &shown))?;
        Ok(Path::new("/").join(relative))
    }
}
