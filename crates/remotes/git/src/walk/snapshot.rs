//! The tree of a commit as something to look things up in, by path and on demand.
//!
//! Where a [walk](super) meets everything, whoever needs three files of a large
//! repository asks a snapshot: a directory is read when something in it is asked
//! for, and judged then by the rules of a walk. Links are entries like any other;
//! where they lead is the caller's business. Everything here blocks.

use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Component, Path};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OwnedRwLockReadGuard;

use super::tree::{self, RawEntry};
use super::{Kind, Modules, Objects, Place, name};
use crate::error::{Error, Result, printable};
use crate::id::ObjectId;
use crate::limits::Limits;

/// The tree of a commit, and of the submodules that were fetched with it.
pub struct Snapshot {
    inner: Mutex<Inner>,
    /// While these are held, nobody removes a pack.
    _packs_stay: Vec<OwnedRwLockReadGuard<()>>,
}

struct Inner {
    objects: Objects,
    modules: Modules,
    commit: ObjectId,
    root: ObjectId,
    limits: Limits,
    /// Directories that were read.
    known: HashMap<ObjectId, Arc<[RawEntry]>>,
}

/// What a path leads to.
struct Found {
    kind: Kind,
    id: ObjectId,
    /// The submodule that it is in, by path.
    module: Option<Vec<u8>>,
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").finish_non_exhaustive()
    }
}

impl Snapshot {
    pub(crate) fn new(
        objects: Objects,
        modules: Modules,
        (commit, root): (ObjectId, ObjectId),
        limits: Limits,
        packs_stay: Vec<OwnedRwLockReadGuard<()>>,
    ) -> Self {
        let inner = Inner {
            objects,
            modules,
            commit,
            root,
            limits,
            known: HashMap::new(),
        };
        Self {
            inner: Mutex::new(inner),
            _packs_stay: packs_stay,
        }
    }

    /// Tells what is at a path; `None` if nothing is. A submodule that was fetched
    /// is a directory, any other is a [`Kind::Submodule`].
    pub fn kind(&self, path: &Path) -> Result<Option<Kind>> {
        Ok(self.inner().find(path)?.map(|found| found.kind))
    }

    /// Lists what a directory holds, sorted by the bytes of names; `None` if there
    /// is no directory at the path.
    pub fn list(&self, path: &Path) -> Result<Option<Vec<OsString>>> {
        let mut inner = self.inner();
        let Some(found) = inner.find(path)? else {
            return Ok(None);
        };
        match found.kind {
            Kind::Directory => {}
            Kind::Submodule => return Ok(Some(Vec::new())),
            _ => return Ok(None),
        }
        let entries = inner.directory(&found, &bytes_of(path))?;
        let names = entries
            .iter()
            .map(|entry| OsString::from_vec(entry.name.clone()));
        Ok(Some(names.collect()))
    }

    /// Reads a file, or where a link leads to, of at most `limit` bytes; `None` if
    /// there is neither at the path.
    pub fn read(&self, path: &Path, limit: u64) -> Result<Option<Vec<u8>>> {
        let mut inner = self.inner();
        let Some(found) = inner.find(path)? else {
            return Ok(None);
        };
        if !matches!(found.kind, Kind::File { .. } | Kind::Symlink) {
            return Ok(None);
        }
        let path = bytes_of(path);
        let entry = super::Entry {
            path: &path,
            kind: found.kind,
            id: found.id,
            objects: inner.objects_of(found.module.as_deref()),
        };
        entry.read(limit).map(Some)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // What is known is put in whole: a poisoned lock guards nothing broken.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn objects_of(&self, module: Option<&[u8]>) -> &Objects {
        match module.and_then(|path| self.modules.get(path)) {
            Some(module) => &module.objects,
            None => &self.objects,
        }
    }

    fn find(&mut self, path: &Path) -> Result<Option<Found>> {
        let mut found = Found {
            kind: Kind::Directory,
            id: self.root,
            module: None,
        };
        let mut at = Vec::new();
        for component in path.components() {
            let wanted = match component {
                Component::Normal(name) => name.as_bytes(),
                Component::RootDir | Component::CurDir => continue,
                Component::ParentDir | Component::Prefix(_) => return Ok(None),
            };
            if found.kind != Kind::Directory {
                return Ok(None);
            }
            let entries = self.directory(&found, &at)?;
            let Ok(index) = entries.binary_search_by(|entry| entry.name.as_slice().cmp(wanted))
            else {
                return Ok(None);
            };
            let entry = &entries[index];
            if !at.is_empty() {
                at.push(b'/');
            }
            at.extend_from_slice(wanted);
            let kind = tree::kind(entry.mode).ok_or_else(|| Error::UnsafePath {
                commit: self.commit.to_string(),
                path: printable(&at),
                reason: "it is of no kind that Git has",
            })?;
            (found.kind, found.id) = match self.modules.get(&at) {
                Some(module) if kind == Kind::Submodule => {
                    found.module = Some(at.clone());
                    (Kind::Directory, module.tree)
                }
                _ => (kind, entry.id),
            };
        }
        Ok(Some(found))
    }

    /// What a directory holds, each name judged.
    fn directory(&mut self, found: &Found, path: &[u8]) -> Result<Arc<[RawEntry]>> {
        if let Some(known) = self.known.get(&found.id) {
            return Ok(Arc::clone(known));
        }
        let place = Place {
            commit: self.commit,
            path,
            limits: &self.limits,
        };
        let objects = self.objects_of(found.module.as_deref());
        let entries = objects.tree(found.id, &place)?;
        for entry in &entries {
            name::check(&entry.name).map_err(|reason| place.refuse(&entry.name, reason))?;
        }
        let entries: Arc<[RawEntry]> = entries.into();
        self.known.insert(found.id, Arc::clone(&entries));
        Ok(entries)
    }
}

/// A path as errors and submodules have it: from the root, without a slash before it.
fn bytes_of(path: &Path) -> Vec<u8> {
    let path = path.strip_prefix("/").unwrap_or(path);
    path.as_os_str().as_bytes().to_vec()
}
