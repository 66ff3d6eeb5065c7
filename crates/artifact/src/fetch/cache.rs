//! One download for many consumers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OnceCell;

use super::{Error, Fetched};
use crate::digest::Digest;

type Key = (String, Digest);
type Cell = Arc<OnceCell<Arc<Fetched>>>;

/// Downloads by URL and digest, the least recently used dropped first.
#[derive(Debug)]
pub(super) struct Cache {
    slots: Mutex<Slots>,
    limit: u64,
}

#[derive(Debug, Default)]
struct Slots {
    by_key: HashMap<Key, Slot>,
    uses: u64,
}

#[derive(Debug)]
struct Slot {
    cell: Cell,
    used: u64,
}

impl Cache {
    pub(super) fn new(limit: u64) -> Self {
        Self {
            slots: Mutex::default(),
            limit,
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
        seat.cell
            .get_or_try_init(|| async { download().await.map(Arc::new) })
            .await
            .cloned()
    }

    fn seat(&self, key: Key) -> Seat<'_> {
        let mut slots = self.slots();
        slots.uses += 1;
        let used = slots.uses;
        let slot = slots.by_key.entry(key.clone()).or_insert_with(|| Slot {
            cell: Cell::default(),
            used,
        });
        slot.used = used;
        Seat {
            cache: self,
            cell: Arc::clone(&slot.cell),
            key,
        }
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slots {
    /// Drops what nobody waits for and what exceeds the limit.
    fn trim(&mut self, limit: u64) {
        let size = |slot: &Slot| slot.cell.get().map_or(0, |fetched| fetched.size());
        let mut total: u64 = self.by_key.values().map(size).sum();
        while total > limit {
            let oldest = self
                .by_key
                .iter()
                .filter(|(_, slot)| size(slot) > 0)
                .min_by_key(|(_, slot)| slot.used)
                .map(|(key, slot)| (key.clone(), size(slot)));
            let Some((key, size)) = oldest else { break };
            self.by_key.remove(&key);
            total -= size;
        }
    }
}

/// A consumer's place; leaving it, also by cancellation, tidies up.
struct Seat<'a> {
    cache: &'a Cache,
    cell: Cell,
    key: Key,
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let mut slots = self.cache.slots();
        // Two: the slot's and ours. An empty cell that nobody else holds is a failed download.
        let abandoned = self.cell.get().is_none() && Arc::strong_count(&self.cell) == 2;
        if abandoned
            && slots
                .by_key
                .get(&self.key)
                .is_some_and(|slot| Arc::ptr_eq(&slot.cell, &self.cell))
        {
            slots.by_key.remove(&self.key);
        }
        slots.trim(self.cache.limit);
    }
}
