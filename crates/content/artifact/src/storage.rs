//! Where artifacts lie: layout, atomic writing, verification, retention, deletion.
//!
//! Owns the tree `<root>/<kind>/<namespace>/<name>/<file>` that Flux laid out and consumers
//! know, and the promise that a file under its final name is whole. Refuses paths that leave
//! the root and writing a file that another process is writing. It takes kinds, namespaces and
//! names as strings and knows no Kubernetes object; all of it blocks, so callers on an async
//! runtime hand it to their blocking pool. Start at [`Storage::open`] and [`Storage::write`].

mod claim;
mod location;
mod owner;
pub mod retention;
mod sweep;
mod verify;
mod write;

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use jiff::Timestamp;
use rustix::fs::FileType;

use crate::confined::{self, Directory};
use crate::digest::Algorithm;

pub use claim::{Claim, ClaimError};
pub(crate) use location::split;
pub use location::{Location, LocationError, advertised_address};
pub use retention::Retention;
pub use verify::Fault;
pub use write::{Pending, StoreError, Stored, WriteError};

/// Directories are for this process only; the file server is the way in for others.
const DIRECTORY_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;
/// What is ours alone: not served, and of no meaning to Flux after a hand-back.
pub(crate) const PRIVATE: &str = ".sluice";
pub(crate) const LOCK_SUFFIX: &str = ".lock";
pub(crate) const TEMPORARY_SUFFIX: &str = ".tmp";
/// How many files a collection looks at, so that a directory somebody filled cannot hold it up.
const COLLECTED_AT_MOST: usize = 1000;

/// How a storage is set up.
#[derive(Debug, Clone)]
pub struct Options {
    /// The directory that holds everything; it must exist.
    pub root: PathBuf,
    /// The address that consumers reach the file server by, with or without a scheme.
    pub address: String,
    /// The algorithm of new digests; stored ones are checked by their own.
    pub algorithm: Algorithm,
    /// What a collection keeps.
    pub retention: Retention,
}

/// A directory of artifacts.
#[derive(Debug)]
pub struct Storage {
    path: PathBuf,
    /// Opened anew when it turns out to be another one.
    root: RwLock<Arc<Directory>>,
    address: String,
    algorithm: Algorithm,
    retention: Retention,
    verified: Mutex<HashMap<String, verify::Memo>>,
    /// Objects that a collection left with nothing but their current artifact: until the next
    /// write there is nothing to collect, and a poll need not look.
    settled: Mutex<HashSet<Location>>,
}

impl Storage {
    /// Opens the root, which must exist and be a directory.
    pub fn open(options: Options) -> Result<Self, confined::Error> {
        Ok(Self {
            root: RwLock::new(Arc::new(Directory::root(&options.root)?)),
            path: options.root,
            address: options.address,
            algorithm: options.algorithm,
            retention: options.retention,
            verified: Mutex::default(),
            settled: Mutex::default(),
        })
    }

    /// The path the root was opened by.
    pub fn root(&self) -> &Path {
        &self.path
    }

    /// The directory for what is ours alone, made on first use; the persistent Git store lives
    /// in it.
    pub fn private(&self, name: &str) -> Result<PathBuf, confined::Error> {
        let directory = self
            .directory()
            .descend_or_create([PRIVATE.as_bytes(), name.as_bytes()], DIRECTORY_MODE)?;
        Ok(directory.path().to_owned())
    }

    /// A file for bytes on their way. It has no name, and is gone with whoever holds it, also
    /// when the process is killed.
    pub fn scratch(&self) -> Result<File, confined::Error> {
        let directory = self
            .directory()
            .descend_or_create([PRIVATE.as_bytes(), b"scratch"], DIRECTORY_MODE)?;
        let name = format!("{:016x}{TEMPORARY_SUFFIX}", fastrand::u64(..));
        let file = directory.create_new(name.as_bytes(), FILE_MODE)?;
        directory.remove(name.as_bytes())?;
        Ok(file)
    }

    /// The URL under which the file server offers a path.
    pub fn url(&self, path: &str) -> String {
        let path = path.trim_start_matches('/');
        if self.address.starts_with("http://") || self.address.starts_with("https://") {
            format!("{}/{path}", self.address)
        } else {
            format!("http://{}/{path}", self.address)
        }
    }

    /// Removes what retention no longer keeps of an object's files, never `current`, and
    /// returns the names removed.
    pub fn collect(
        &self,
        location: &Location,
        current: Option<&str>,
        now: Timestamp,
    ) -> Result<Vec<String>, confined::Error> {
        if self.settled().contains(location) {
            return Ok(Vec::new());
        }
        let directory = match self.directory().descend(location.components()) {
            Ok(directory) => directory,
            Err(error) if error.missing() => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let candidates: Vec<_> = directory
            .list(COLLECTED_AT_MOST)?
            .iter()
            .filter(|listed| listed.is(FileType::RegularFile))
            .filter_map(retention::Candidate::of)
            .collect();
        let total = candidates.len();
        let current = current.and_then(|path| path.rsplit('/').next());
        let mut removed = Vec::new();
        for name in self.retention.plan(candidates, current, now) {
            // In this order: a lock without its file would never be looked for.
            directory.remove_if_present(format!("{name}{LOCK_SUFFIX}").as_bytes())?;
            directory.remove_if_present(name.as_bytes())?;
            self.forget(&location.path(&name));
            removed.push(name);
        }
        if total - removed.len() <= 1 {
            self.settled().insert(location.clone());
        }
        Ok(removed)
    }

    /// Removes everything of an object and tells whether there was anything.
    pub fn delete(&self, location: &Location) -> Result<bool, confined::Error> {
        let [kind, namespace, name] = location.components();
        let prefix = location.path("");
        self.unsettle(location);
        self.memos().retain(|path, _| !path.starts_with(&prefix));
        let removed = match self.directory().descend([kind, namespace]) {
            Ok(parent) => parent.remove_tree(name)?,
            Err(error) if error.missing() => false,
            Err(error) => return Err(error),
        };
        self.unmark(location)?;
        Ok(removed)
    }

    /// Removes one file; a file that is not there is removed already.
    pub fn remove(&self, path: &str) -> Result<(), confined::Error> {
        self.forget(path);
        let Some((directories, file)) = location::split(path) else {
            return Ok(());
        };
        match self.directory().descend(directories) {
            Ok(directory) => directory.remove_if_present(file).map(drop),
            Err(error) if error.missing() => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Points a link beside an artifact at it. The target is relative, so that it still holds
    /// when the volume is mounted elsewhere.
    pub fn link(&self, location: &Location, file: &str, link: &str) -> Result<(), confined::Error> {
        self.directory()
            .descend(location.components())?
            .link(file.as_bytes(), link.as_bytes())
    }

    /// Removes a name of an object's directory if, and only if, it is a link.
    pub fn unlink(&self, location: &Location, link: &str) -> Result<bool, confined::Error> {
        let removed = self
            .directory()
            .descend(location.components())
            .and_then(|directory| {
                let stat = directory.stat(link.as_bytes())?;
                if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink {
                    directory.remove_if_present(link.as_bytes())
                } else {
                    Ok(false)
                }
            });
        match removed {
            Err(error) if error.missing() => Ok(false),
            removed => removed,
        }
    }

    pub(crate) fn directory(&self) -> Arc<Directory> {
        let root = self.root.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&root)
    }

    /// Opens the root by its path again: somebody removed it, or mounted something else over it,
    /// and what is open leads nowhere any more.
    pub(crate) fn reopen(&self) -> Result<Arc<Directory>, confined::Error> {
        let root = Arc::new(Directory::root(&self.path)?);
        *self.root.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&root);
        Ok(root)
    }

    /// A panic elsewhere cannot leave the memos wrong, only fewer.
    fn memos(&self) -> MutexGuard<'_, HashMap<String, verify::Memo>> {
        self.verified.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settled(&self) -> MutexGuard<'_, HashSet<Location>> {
        self.settled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unsettle(&self, location: &Location) {
        self.settled().remove(location);
    }

    fn forget(&self, path: &str) {
        self.memos().remove(path);
    }
}
