//! The artifact storage: layout, atomic writes, verification, retention and deletion.
//!
//! Artifacts are stored as `<root>/<kind>/<namespace>/<name>/<file>`, like in Flux. A file under
//! its final name is always complete. Paths cannot leave the root, and two processes cannot write
//! one file at once. Kinds, namespaces and names are strings. All methods block. Start at
//! [`Storage::open`] and [`Storage::write`].

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
use sluice_digest::Algorithm;

pub use claim::{Claim, ClaimError};
pub(crate) use location::split;
pub use location::{Location, LocationError, advertised_address};
pub use retention::Retention;
pub use verify::VerifyError;
pub use write::{PendingArtifact, StoreError, StoredArtifact, WriteError};

/// Only this process reads the directories. Others use the file server.
const DIRECTORY_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;
/// Holds files that Flux does not have. It is not served, and Flux ignores it after a migration
/// back.
pub(crate) const PRIVATE: &str = ".sluice";
pub(crate) const LOCK_SUFFIX: &str = ".lock";
pub(crate) const TEMPORARY_SUFFIX: &str = ".tmp";
/// Limits the files that one collection examines, so that a directory with foreign files cannot
/// block it.
const MAX_COLLECTED_FILES: usize = 1000;

/// Options of a storage.
#[derive(Debug, Clone)]
pub struct Options {
    /// The root directory, which must exist.
    pub root: PathBuf,
    /// The address of the file server, with or without a scheme.
    pub address: String,
    /// The algorithm of new digests. Existing digests are verified with their own algorithm.
    pub algorithm: Algorithm,
    /// The retention policy.
    pub retention: Retention,
}

/// The artifact storage below a root directory.
#[derive(Debug)]
pub struct Storage {
    path: PathBuf,
    /// Reopened when the directory was replaced.
    root: RwLock<Arc<Directory>>,
    address: String,
    algorithm: Algorithm,
    retention: Retention,
    verified: Mutex<HashMap<String, verify::VerifiedFile>>,
    /// Objects with no files but the current artifact. A collection skips them until the next
    /// write.
    collected: Mutex<HashSet<Location>>,
}

impl Storage {
    /// Opens the root, which must be an existing directory.
    pub fn open(options: Options) -> Result<Self, confined::Error> {
        Ok(Self {
            root: RwLock::new(Arc::new(Directory::root(&options.root)?)),
            path: options.root,
            address: options.address,
            algorithm: options.algorithm,
            retention: options.retention,
            verified: Mutex::default(),
            collected: Mutex::default(),
        })
    }

    /// The path of the root.
    pub fn root(&self) -> &Path {
        &self.path
    }

    /// Returns a private directory, and creates it if needed. The Git store is in one.
    pub fn private(&self, name: &str) -> Result<PathBuf, confined::Error> {
        let directory = self
            .directory()
            .descend_or_create([PRIVATE.as_bytes(), name.as_bytes()], DIRECTORY_MODE)?;
        Ok(directory.path().to_owned())
    }

    /// Creates an unnamed temporary file. It disappears when it is closed, even if the process is
    /// killed.
    pub fn scratch(&self) -> Result<File, confined::Error> {
        let directory = self
            .directory()
            .descend_or_create([PRIVATE.as_bytes(), b"scratch"], DIRECTORY_MODE)?;
        let name = format!("{:016x}{TEMPORARY_SUFFIX}", fastrand::u64(..));
        let file = directory.create_new(name.as_bytes(), FILE_MODE)?;
        directory.remove(name.as_bytes())?;
        Ok(file)
    }

    /// The URL of a path on the file server.
    pub fn url(&self, path: &str) -> String {
        let path = path.trim_start_matches('/');
        if self.address.starts_with("http://") || self.address.starts_with("https://") {
            format!("{}/{path}", self.address)
        } else {
            format!("http://{}/{path}", self.address)
        }
    }

    /// Removes the files of an object that retention does not keep, and returns their names.
    /// `current` is never removed.
    pub fn collect(
        &self,
        location: &Location,
        current: Option<&str>,
        now: Timestamp,
    ) -> Result<Vec<String>, confined::Error> {
        if self.collected().contains(location) {
            return Ok(Vec::new());
        }
        let directory = match self.directory().descend(location.components()) {
            Ok(directory) => directory,
            Err(error) if error.is_missing() => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let candidates: Vec<_> = directory
            .list(MAX_COLLECTED_FILES)?
            .iter()
            .filter(|listed| listed.is(FileType::RegularFile))
            .filter_map(retention::Candidate::of)
            .collect();
        let total = candidates.len();
        let current = current.and_then(|path| path.rsplit('/').next());
        let mut removed = Vec::new();
        for name in self.retention.plan(candidates, current, now) {
            // The lock goes first: a lock without its file would never be found.
            directory.remove_if_present(format!("{name}{LOCK_SUFFIX}").as_bytes())?;
            directory.remove_if_present(name.as_bytes())?;
            self.forget(&location.path(&name));
            removed.push(name);
        }
        if total - removed.len() <= 1 {
            self.collected().insert(location.clone());
        }
        Ok(removed)
    }

    /// Removes all files of an object, and returns whether there were any.
    pub fn delete(&self, location: &Location) -> Result<bool, confined::Error> {
        let [kind, namespace, name] = location.components();
        let prefix = location.path("");
        self.mark_uncollected(location);
        self.verified().retain(|path, _| !path.starts_with(&prefix));
        let removed = match self.directory().descend([kind, namespace]) {
            Ok(parent) => parent.remove_tree(name)?,
            Err(error) if error.is_missing() => false,
            Err(error) => return Err(error),
        };
        self.remove_owner(location)?;
        Ok(removed)
    }

    /// Removes one file. A missing file is not an error.
    pub fn remove(&self, path: &str) -> Result<(), confined::Error> {
        self.forget(path);
        let Some((directories, file)) = location::split(path) else {
            return Ok(());
        };
        match self.directory().descend(directories) {
            Ok(directory) => directory.remove_if_present(file).map(drop),
            Err(error) if error.is_missing() => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Creates a link to an artifact in its directory. The target is relative, so it survives
    /// another mount path.
    pub fn link(&self, location: &Location, file: &str, link: &str) -> Result<(), confined::Error> {
        self.directory()
            .descend(location.components())?
            .link(file.as_bytes(), link.as_bytes())
    }

    /// Removes an entry of an object's directory if it is a link, and returns whether it was.
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
            Err(error) if error.is_missing() => Ok(false),
            removed => removed,
        }
    }

    pub(crate) fn directory(&self) -> Arc<Directory> {
        let root = self.root.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&root)
    }

    /// Reopens the root by its path. The open handle is useless after the directory was removed or
    /// another volume was mounted over it.
    pub(crate) fn reopen(&self) -> Result<Arc<Directory>, confined::Error> {
        let root = Arc::new(Directory::root(&self.path)?);
        *self.root.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&root);
        Ok(root)
    }

    /// A panic while the lock is held can only lose entries.
    fn verified(&self) -> MutexGuard<'_, HashMap<String, verify::VerifiedFile>> {
        self.verified.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn collected(&self) -> MutexGuard<'_, HashSet<Location>> {
        self.collected
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn mark_uncollected(&self, location: &Location) {
        self.collected().remove(location);
    }

    fn forget(&self, path: &str) {
        self.verified().remove(path);
    }
}
