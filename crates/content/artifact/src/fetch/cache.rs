//! One download for many consumers: those that come while it runs, and those that come later.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OnceCell;

use super::{Error, Fetched};
use crate::digest::Digest;
use crate::kept::{Bounds, Kept};

type Key = (String, Digest);
type Cell = Arc<OnceCell<Arc<Fetched>>>;

/// Downloads that are kept, by URL and digest; several fetchers may share them. By default none
/// is.
///
/// By digest alone, whoever knows a digest could have bytes from a server that would refuse them.
#[derive(Debug)]
pub struct Downloads {
    memory: Mutex<Kept<Key, Arc<Fetched>>>,
    files: Mutex<Kept<Key, Arc<Fetched>>>,
}

impl Default for Downloads {
    fn default() -> Self {
        Self::within(Bounds::default(), Bounds::default())
    }
}

impl Downloads {
    /// Keeps the small ones, which lie in memory, and the large ones, which lie in files, each
    /// within bounds of their own.
    pub fn within(memory: Bounds, files: Bounds) -> Self {
        Self {
            memory: Mutex::new(Kept::within(memory)),
            files: Mutex::new(Kept::within(files)),
        }
    }

    fn get(&self, key: &Key) -> Option<Arc<Fetched>> {
        let mut places = [&self.memory, &self.files].into_iter();
        places.find_map(|kept| locked(kept).get(key).cloned())
    }

    fn put(&self, key: Key, fetched: &Arc<Fetched>) {
        let kept = if fetched.is_in_memory() {
            &self.memory
        } else {
            &self.files
        };
        locked(kept).put(key, Arc::clone(fetched), fetched.size());
    }
}

/// The downloads of one fetcher that are under way.
#[derive(Debug)]
pub(super) struct Cache {
    under_way: Mutex<HashMap<Key, Cell>>,
    kept: Arc<Downloads>,
}

impl Cache {
    pub(super) fn new(kept: Arc<Downloads>) -> Self {
        Self {
            under_way: Mutex::default(),
            kept,
        }
    }

    /// Gives a download that is there or under way, or starts one. When it fails, or its
    /// consumer goes away, the next one that waited for it takes over.
    pub(super) async fn get<Download>(
        &self,
        key: Key,
        download: impl FnOnce() -> Download,
    ) -> Result<Arc<Fetched>, Error>
    where
        Download: Future<Output = Result<Fetched, Error>>,
    {
        let seat = self.seat(key);
        let downloaded = seat.cell.get_or_try_init(|| async {
            if let Some(fetched) = self.kept.get(&seat.key) {
                return Ok(fetched);
            }
            let fetched = Arc::new(download().await?);
            self.kept.put(seat.key.clone(), &fetched);
            Ok(fetched)
        });
        downloaded.await.cloned()
    }

    fn seat(&self, key: Key) -> Seat<'_> {
        let mut under_way = locked(&self.under_way);
        let cell = under_way.entry(key.clone()).or_default();
        Seat {
            cache: self,
            cell: Arc::clone(cell),
            key,
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A consumer's place; leaving it, also by cancellation, tidies up.
struct Seat<'a> {
    cache: &'a Cache,
    cell: Cell,
    key: Key,
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let mut under_way = locked(&self.cache.under_way);
        // Two: the map's and ours. What nobody waits for has failed, or was given up.
        let is_over = self.cell.initialized() || Arc::strong_count(&self.cell) == 2;
        let is_ours = |cell: &Cell| Arc::ptr_eq(cell, &self.cell);
        if is_over && under_way.get(&self.key).is_some_and(is_ours) {
            under_way.remove(&self.key);
        }
    }
}
