//! All stores of a process: one for every remote and identity, below one directory, and together
//! no larger than they may be.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::{Inner, OBJECTS, Permits, Store, blocking, is_unfinished, packs};
use crate::disk;
use crate::error::Result;
use crate::limits::Limits;
use crate::remote::Remote;

/// What the names of partial stores end with.
const PARTIAL: &str = "-partial";

/// The stores of a process, one for every remote and identity, or two.
#[derive(Clone)]
pub struct Stores {
    shared: Arc<Shared>,
}

struct Shared {
    root: PathBuf,
    limits: Limits,
    max_bytes: u64,
    permits: Permits,
    open: Mutex<HashMap<String, Weak<Inner>>>,
}

impl Stores {
    /// Stores below a directory. When together they hold more than `max_bytes`,
    /// those that nobody uses go, the longest untouched first; zero keeps none
    /// longer than it is used.
    pub fn new(root: impl Into<PathBuf>, max_bytes: u64, limits: Limits) -> Self {
        Self {
            shared: Arc::new(Shared {
                root: root.into(),
                limits,
                max_bytes,
                permits: Permits::new(),
                open: Mutex::default(),
            }),
        }
    }

    /// The store of a remote as seen by its identity; see [`Remote::key`].
    pub fn of(&self, remote: &Remote) -> Store {
        self.under(remote.key(), false)
    }

    /// The one beside it that takes files only when they are wanted.
    pub(super) fn partial_of(&self, remote: &Remote) -> Store {
        self.under(remote.key() + PARTIAL, true)
    }

    fn under(&self, key: String, partial: bool) -> Store {
        let mut open = self
            .shared
            .open
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(inner) = open.get(&key).and_then(Weak::upgrade) {
            return Store { inner };
        }
        let store = Store::with(
            self.shared.root.join(&key),
            partial,
            self.shared.limits,
            self.shared.permits.clone(),
        );
        open.retain(|_, inner| inner.strong_count() > 0);
        open.insert(key, Arc::downgrade(&store.inner));
        store
    }

    /// Removes what killed processes were writing, and gives how many files that were. Only for
    /// whoever has the directory for himself, before anything is fetched.
    pub async fn sweep(&self) -> Result<usize> {
        let shared = Arc::clone(&self.shared);
        blocking(&self.shared.permits.work, move || shared.sweep()).await
    }

    /// Removes stores until they fit, sparing those in use. Call it after fetches;
    /// it gives the bytes that remain.
    pub async fn trim(&self) -> Result<u64> {
        let shared = Arc::clone(&self.shared);
        blocking(&self.shared.permits.work, move || shared.trim()).await
    }
}

impl fmt::Debug for Stores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stores")
            .field("root", &self.shared.root)
            .finish_non_exhaustive()
    }
}

impl Shared {
    fn sweep(&self) -> Result<usize> {
        let mut removed = 0;
        for store in disk::list(&self.root)? {
            let mut files = disk::list(&store.path)?;
            files.extend(disk::list(&packs(&store.path.join(OBJECTS)))?);
            for file in files {
                let name = file.path.file_name().unwrap_or_default();
                if is_unfinished(&name.to_string_lossy()) {
                    disk::remove_file(&file.path)?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }

    fn trim(&self) -> Result<u64> {
        let mut stores = Vec::new();
        let mut total = 0;
        for item in disk::list(&self.root)? {
            let packs = disk::list(&packs(&item.path.join(OBJECTS)))?;
            let bytes: u64 = packs.iter().map(|pack| pack.bytes).sum();
            let touched = disk::list(&item.path)?
                .iter()
                .map(|inner| inner.modified)
                .max();
            total += bytes;
            stores.push((touched.unwrap_or(item.modified), bytes, item.path));
        }
        stores.sort();
        for (_, bytes, path) in stores {
            if total <= self.max_bytes {
                break;
            }
            // Held while the directory goes, so that nobody opens it meanwhile.
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            let key = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            if open.get(key).is_none_or(|inner| inner.strong_count() == 0) {
                disk::remove_directory(&path)?;
                total -= bytes;
            }
        }
        Ok(total)
    }
}
