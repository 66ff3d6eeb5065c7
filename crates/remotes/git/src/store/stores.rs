//! All stores of a process, below one directory with a maximum size. Each remote and identity has
//! its own store.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use sluice_golang::error::chain;

use super::{GroupPermits, Inner, OBJECTS, Permits, Store, is_unfinished, packs};
use crate::disk;
use crate::error::Result;
use crate::limits::Limits;
use crate::remote::Remote;

/// The suffix of partial stores.
const PARTIAL: &str = "-partial";
/// How often stores are trimmed. Fetches add little at a time, and measuring reads every directory.
const TRIM_INTERVAL: Duration = Duration::from_mins(5);

/// The stores of a process: one or two for each remote and identity.
#[derive(Clone)]
pub struct Stores {
    shared: Arc<Shared>,
    group: Arc<str>,
}

struct Shared {
    root: PathBuf,
    limits: Limits,
    max_bytes: u64,
    permits: Permits,
    open: Mutex<HashMap<String, Weak<Inner>>>,
}

impl Stores {
    /// Creates the stores below a directory. Above `max_bytes`, [`Stores::trim`] removes unused
    /// stores, the least recently used first. With zero, unused stores are always removed.
    pub fn new(root: impl Into<PathBuf>, max_bytes: u64, limits: Limits) -> Self {
        Self {
            shared: Arc::new(Shared {
                root: root.into(),
                limits,
                max_bytes,
                permits: Permits::new(),
                open: Mutex::default(),
            }),
            group: Arc::default(),
        }
    }

    /// The same stores for work of a group, such as a tenant. Groups share permits fairly.
    #[must_use]
    pub fn for_group(&self, group: &str) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            group: group.into(),
        }
    }

    fn permits(&self) -> GroupPermits {
        self.shared.permits.of(&self.group)
    }

    /// The complete store of a remote and identity. See [`Remote::key`].
    pub fn of(&self, remote: &Remote) -> Store {
        self.under(remote.key(), false)
    }

    /// The partial store of a remote.
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
            return Store {
                inner,
                permits: self.permits(),
            };
        }
        let store = Store::with(
            self.shared.root.join(&key),
            partial,
            self.shared.limits,
            self.permits(),
        );
        open.retain(|_, inner| inner.strong_count() > 0);
        open.insert(key, Arc::downgrade(&store.inner));
        store
    }

    /// Removes unfinished files of killed processes, and returns their number. Call it before the
    /// first fetch, and only if no other process uses the directory.
    pub async fn remove_unfinished_files(&self) -> Result<usize> {
        let shared = Arc::clone(&self.shared);
        self.permits()
            .work(move || shared.remove_unfinished_files())
            .await
    }

    /// Removes unused stores until the maximum size is met. Returns the remaining bytes. Call it
    /// after fetches.
    pub async fn trim(&self) -> Result<u64> {
        let shared = Arc::clone(&self.shared);
        self.permits().work(move || shared.trim()).await
    }

    /// Trims at intervals, for as long as it is polled.
    pub async fn keep_trimmed(&self) -> Infallible {
        loop {
            tokio::time::sleep(TRIM_INTERVAL).await;
            match self.trim().await {
                Ok(bytes) => tracing::debug!(bytes, "Git store trimmed"),
                Err(error) => tracing::warn!(error = %chain(&error), "Git store was not trimmed"),
            }
        }
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
    fn remove_unfinished_files(&self) -> Result<usize> {
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
        for entry in disk::list(&self.root)? {
            let packs = disk::list(&packs(&entry.path.join(OBJECTS)))?;
            let bytes: u64 = packs.iter().map(|pack| pack.bytes).sum();
            let touched = disk::list(&entry.path)?
                .iter()
                .map(|inner| inner.modified)
                .max();
            total += bytes;
            stores.push((touched.unwrap_or(entry.modified), bytes, entry.path));
        }
        stores.sort();
        for (_, bytes, path) in stores {
            if total <= self.max_bytes {
                break;
            }
            // The lock prevents that the store is opened during the removal.
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
