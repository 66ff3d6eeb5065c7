//! A commit as a tree of files, with links followed as in a checkout.
//!
//! Files are read from Git's objects, without a checkout. A link may lead anywhere within
//! the repository. An absolute link, or a link out of the repository, is rejected.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use sluice_git::{Kind, Snapshot};
use sluice_golang::error::chain;
use sluice_kustomize::fs::{self, EntryKind};
use sluice_kustomize::{Code, Error, Fs};
use tempfile::TempDir;

/// The maximum number of links on a path, as on Linux.
const MAX_LINKS: usize = 40;
/// The maximum length of the target of a link.
const MAX_LINK_BYTES: u64 = 4096;

/// A commit as a tree of files.
#[derive(Debug)]
pub struct GitFs {
    snapshot: Snapshot,
    /// The URL of the repository, for errors.
    shown: String,
    /// The directory with the objects, if they were fetched.
    _directory: Option<Arc<TempDir>>,
}

impl GitFs {
    /// Creates the tree of a commit. Errors show paths below `shown`.
    pub fn new(snapshot: Snapshot, shown: String) -> Self {
        Self::with_directory(snapshot, shown, None)
    }

    pub(crate) fn with_directory(
        snapshot: Snapshot,
        shown: String,
        directory: Option<Arc<TempDir>>,
    ) -> Self {
        Self {
            snapshot,
            shown,
            _directory: directory,
        }
    }

    fn refused(&self, operation: &str, path: &Path, error: &sluice_git::Error) -> Error {
        let code = match error {
            sluice_git::Error::UnsafePath { .. } => Code::SecurityViolation,
            sluice_git::Error::Limit { .. } => Code::Limit,
            _ => Code::Io,
        };
        let shown = self.display(path);
        Error::new(code, format!("{operation} {shown}: {}", chain(error)))
    }

    /// Follows all links of a path; `None` if it does not exist.
    fn follow(&self, operation: &str, path: &Path) -> Result<Option<(PathBuf, Kind)>, Error> {
        let outside = || fs::security_violation(operation, &self.display(path));
        let refused = |error| self.refused(operation, path, &error);
        let mut ahead = reversed(path);
        let mut at = PathBuf::from("/");
        let mut kind = Kind::Directory;
        let mut links = 0;
        while let Some(name) = ahead.pop() {
            if !matches!(kind, Kind::Directory) {
                return Ok(None);
            }
            if name == ".." {
                if !at.pop() {
                    return Err(outside());
                }
                continue;
            }
            let next = at.join(&name);
            kind = match self.snapshot.kind(&next).map_err(refused)? {
                None => return Ok(None),
                Some(Kind::Symlink) => {
                    links += 1;
                    if links > MAX_LINKS {
                        let shown = self.display(path);
                        let message =
                            format!("{operation} {shown}: too many levels of symbolic links");
                        return Err(Error::new(Code::Io, message));
                    }
                    let target = self.snapshot.read(&next, MAX_LINK_BYTES).map_err(refused)?;
                    let target = PathBuf::from(OsString::from_vec(target.unwrap_or_default()));
                    if target.is_absolute() {
                        return Err(outside());
                    }
                    ahead.extend(reversed(&target));
                    // A link is in a directory, and its target is relative to that.
                    Kind::Directory
                }
                Some(found) => {
                    at = next;
                    found
                }
            };
        }
        Ok(Some((at, kind)))
    }
}

/// The parts of a path in reverse order.
fn reversed(path: &Path) -> Vec<OsString> {
    let mut parts: Vec<_> = path
        .components()
        .filter_map(|component| match component {
            Component::Normal(name) => Some(name.to_owned()),
            Component::ParentDir => Some("..".into()),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
        })
        .collect();
    parts.reverse();
    parts
}

impl Fs for GitFs {
    fn kind(&self, path: &Path) -> Result<Option<EntryKind>, Error> {
        let found = self.follow("stat", path)?;
        Ok(found.map(|(_, kind)| match kind {
            Kind::File { .. } => EntryKind::File,
            Kind::Directory | Kind::Submodule => EntryKind::Directory,
            Kind::Symlink => EntryKind::Other,
        }))
    }

    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
        let shown = self.display(path);
        match self.follow("open", path)? {
            None => Err(fs::not_found("open", &shown)),
            Some((place, Kind::File { .. })) => match self.snapshot.read(&place, limit) {
                Ok(contents) => contents.ok_or_else(|| fs::not_found("open", &shown)),
                Err(sluice_git::Error::Limit { .. }) => Err(fs::too_large(&shown, limit)),
                Err(error) => Err(self.refused("read", path, &error)),
            },
            Some(_) => Err(fs::is_a_directory(&shown)),
        }
    }

    fn read_dir(&self, path: &Path) -> Result<Vec<OsString>, Error> {
        let shown = self.display(path);
        let Some((place, _)) = self.follow("open", path)? else {
            return Err(fs::not_found("open", &shown));
        };
        let names = self.snapshot.list(&place);
        let names = names.map_err(|error| self.refused("open", path, &error))?;
        let Some(names) = names else {
            let message = format!("'{shown}' is not a directory");
            return Err(Error::new(Code::NotADirectory, message));
        };
        Ok(names.iter().map(Into::into).collect())
    }

    fn is_link(&self, path: &Path) -> Result<bool, Error> {
        let shown = self.display(path);
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Ok(false);
        };
        let place = self.follow("lstat", parent)?;
        let place = place.map(|(parent, _)| parent.join(name));
        let kind = match place {
            None => None,
            Some(place) => self
                .snapshot
                .kind(&place)
                .map_err(|error| self.refused("lstat", path, &error))?,
        };
        match kind {
            None => Err(fs::not_found("lstat", &shown)),
            Some(kind) => Ok(kind == Kind::Symlink),
        }
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, Error> {
        match self.follow("lstat", path)? {
            Some((place, _)) => Ok(place),
            None => Err(fs::not_found("lstat", &self.display(path))),
        }
    }

    fn display(&self, path: &Path) -> String {
        let within = path.strip_prefix("/").unwrap_or(path);
        if within.as_os_str().is_empty() {
            return self.shown.clone();
        }
        format!("{}//{}", self.shown, within.display())
    }
}
