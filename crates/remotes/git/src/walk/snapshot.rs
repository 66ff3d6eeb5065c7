//! Looks up paths in the tree of a commit.
//!
//! A [walk](super) visits all entries. A snapshot reads only the directories on requested paths,
//! and checks them by the same rules. Links are returned as links, and the caller resolves them.
//! All methods block.

use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Component, Path};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OwnedRwLockReadGuard;

use super::tree::{self, RawEntry};
use super::{Kind, Objects, OpenSubmodules, TreePath, name};
use crate::error::{Error, Result, printable};
use crate::id::ObjectId;
use crate::limits::Limits;

/// The tree of a commit and of its fetched submodules.
pub struct Snapshot {
    inner: Mutex<Inner>,
    /// Prevents the removal of packs.
    _pack_guard: Vec<OwnedRwLockReadGuard<()>>,
}

struct Inner {
    objects: Objects,
    modules: OpenSubmodules,
    commit: ObjectId,
    root: ObjectId,
    limits: Limits,
    /// Loaded directories.
    directories: HashMap<ObjectId, Arc<[RawEntry]>>,
}

/// The target of a path.
struct TreeNode {
    kind: Kind,
    id: ObjectId,
    /// The path of the submodule that contains it.
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
        modules: OpenSubmodules,
        (commit, root): (ObjectId, ObjectId),
        limits: Limits,
        pack_guards: Vec<OwnedRwLockReadGuard<()>>,
    ) -> Self {
        let inner = Inner {
            objects,
            modules,
            commit,
            root,
            limits,
            directories: HashMap::new(),
        };
        Self {
            inner: Mutex::new(inner),
            _pack_guard: pack_guards,
        }
    }

    /// Returns the kind of the entry at a path, or `None`. A fetched submodule is a directory,
    /// others are [`Kind::Submodule`].
    pub fn kind(&self, path: &Path) -> Result<Option<Kind>> {
        Ok(self.inner().find(path)?.map(|found| found.kind))
    }

    /// Lists a directory, sorted by name. Returns `None` if it does not exist.
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

    /// Reads a file or the target of a link, of at most `limit` bytes. Returns `None` if neither
    /// exists.
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
        // Directories are inserted whole, so a poisoned lock is harmless.
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

    fn find(&mut self, path: &Path) -> Result<Option<TreeNode>> {
        let mut found = TreeNode {
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
                reason: "its mode is unknown",
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

    /// Loads a directory, and checks its names.
    fn directory(&mut self, found: &TreeNode, path: &[u8]) -> Result<Arc<[RawEntry]>> {
        if let Some(directories) = self.directories.get(&found.id) {
            return Ok(Arc::clone(directories));
        }
        let place = TreePath {
            commit: self.commit,
            path,
            limits: &self.limits,
        };
        let objects = self.objects_of(found.module.as_deref());
        let entries = objects.tree(found.id, &place)?;
        for entry in &entries {
            name::check(&entry.name).map_err(|reason| place.unsafe_path(&entry.name, reason))?;
        }
        let entries: Arc<[RawEntry]> = entries.into();
        self.directories.insert(found.id, Arc::clone(&entries));
        Ok(entries)
    }
}

/// The path from the root, without a leading slash.
fn bytes_of(path: &Path) -> Vec<u8> {
    let path = path.strip_prefix("/").unwrap_or(path);
    path.as_os_str().as_bytes().to_vec()
}
