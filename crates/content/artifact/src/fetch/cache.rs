//! Shares one download between consumers that need it at the same time or later.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OnceCell;

use super::{Download, Error};
use crate::cache::{BoundedCache, CacheBounds};
use sluice_digest::Digest;

type Key = (String, Digest);
type Cell = Arc<OnceCell<Arc<Download>>>;

/// Finished downloads by URL and digest. Several fetchers may share one cache. The default cache
/// holds nothing.
///
/// The URL is part of the key. With the digest alone, a consumer could read an artifact from a
/// server that denies it access.
#[derive(Debug)]
pub struct DownloadCache {
    memory: Mutex<BoundedCache<Key, Arc<Download>>>,
    files: Mutex<BoundedCache<Key, Arc<Download>>>,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Default for DownloadCache {
    fn default() -> Self {
        Self::new(CacheBounds::default(), CacheBounds::default())
    }
}

impl DownloadCache {
    /// Creates a cache with separate limits for downloads in memory and downloads in files.
    pub fn new(memory: CacheBounds, files: CacheBounds) -> Self {
        Self {
            memory: Mutex::new(BoundedCache::new(memory)),
            files: Mutex::new(BoundedCache::new(files)),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }
    }

    /// The number of downloads that the cache had.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// The number of downloads that the cache did not have.
    pub fn misses(&self) -> u64 {
        self.misses.load(Ordering::Relaxed)
    }

    fn get(&self, key: &Key) -> Option<Arc<Download>> {
        let mut caches = [&self.memory, &self.files].into_iter();
        let found = caches.find_map(|cache| lock(cache).get(key).cloned());
        let counter = if found.is_some() {
            &self.hits
        } else {
            &self.misses
        };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    fn put(&self, key: Key, download: &Arc<Download>) {
        let cache = if download.is_in_memory() {
            &self.memory
        } else {
            &self.files
        };
        lock(cache).put(key, Arc::clone(download), download.size());
    }
}

/// The running downloads of one fetcher.
#[derive(Debug)]
pub(super) struct RunningDownloads {
    running: Mutex<HashMap<Key, Cell>>,
    cache: Arc<DownloadCache>,
}

impl RunningDownloads {
    pub(super) fn new(cache: Arc<DownloadCache>) -> Self {
        Self {
            running: Mutex::default(),
            cache,
        }
    }

    /// Returns a cached download, joins a running one, or starts one. When a download fails or is
    /// cancelled, the next waiting consumer starts it again.
    pub(super) async fn get<Running>(
        &self,
        key: Key,
        start: impl FnOnce() -> Running,
    ) -> Result<Arc<Download>, Error>
    where
        Running: Future<Output = Result<Download, Error>>,
    {
        let consumer = self.join(key);
        let finished = consumer.cell.get_or_try_init(|| async {
            if let Some(download) = self.cache.get(&consumer.key) {
                return Ok(download);
            }
            let download = Arc::new(start().await?);
            self.cache.put(consumer.key.clone(), &download);
            Ok(download)
        });
        finished.await.cloned()
    }

    fn join(&self, key: Key) -> Consumer<'_> {
        let mut running = lock(&self.running);
        let cell = running.entry(key.clone()).or_default();
        Consumer {
            downloads: self,
            cell: Arc::clone(cell),
            key,
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A consumer of a running download. Dropping the last one removes the download from the map.
struct Consumer<'a> {
    downloads: &'a RunningDownloads,
    cell: Cell,
    key: Key,
}

impl Drop for Consumer<'_> {
    fn drop(&mut self) {
        let mut running = lock(&self.downloads.running);
        // Two references: the map's and this one. Without other consumers, the download failed or
        // was cancelled.
        let is_over = self.cell.initialized() || Arc::strong_count(&self.cell) == 2;
        let is_ours = |cell: &Cell| Arc::ptr_eq(cell, &self.cell);
        if is_over && running.get(&self.key).is_some_and(is_ours) {
            running.remove(&self.key);
        }
    }
}
