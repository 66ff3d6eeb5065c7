//! An LRU cache with limits on size and age.
//!
//! Entries expire when they were not used for the maximum age. A lookup or an insertion removes
//! expired entries and, if the cache is too large, the least recently used ones.

use std::hash::Hash;
use std::time::Duration;

use lru::LruCache;
use tokio::time::Instant;

/// Limits of a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheBounds {
    /// Maximum size of all values in bytes.
    pub bytes: u64,
    /// Maximum time since the last use.
    pub age: Duration,
}

/// A cache with limits on size and age.
#[derive(Debug)]
pub struct BoundedCache<K: Hash + Eq, V> {
    bounds: CacheBounds,
    /// Sorted by last use.
    entries: LruCache<K, Entry<V>>,
    bytes: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    bytes: u64,
    used: Instant,
}

impl<K: Hash + Eq, V> BoundedCache<K, V> {
    /// Creates an empty cache.
    pub fn new(bounds: CacheBounds) -> Self {
        Self {
            bounds,
            entries: LruCache::unbounded(),
            bytes: 0,
        }
    }

    /// Returns a value and marks it as the most recently used one.
    pub fn get(&mut self, key: &K) -> Option<&V> {
        let now = Instant::now();
        self.trim(now);
        let entry = self.entries.get_mut(key)?;
        entry.used = now;
        Some(&entry.value)
    }

    /// Inserts or replaces a value. A value larger than the cache is not inserted.
    pub fn put(&mut self, key: K, value: V, bytes: u64) {
        if bytes > self.bounds.bytes {
            return;
        }
        let used = Instant::now();
        let entry = Entry { value, bytes, used };
        self.bytes += bytes;
        if let Some(before) = self.entries.put(key, entry) {
            self.bytes -= before.bytes;
        }
        self.trim(used);
    }

    /// Removes expired entries, and the least recently used ones above the size limit.
    fn trim(&mut self, now: Instant) {
        while let Some((_, oldest)) = self.entries.peek_lru() {
            let is_old = now.duration_since(oldest.used) > self.bounds.age;
            if !is_old && self.bytes <= self.bounds.bytes {
                return;
            }
            self.bytes -= oldest.bytes;
            self.entries.pop_lru();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGE: Duration = Duration::from_mins(1);

    fn cache(bytes: u64) -> BoundedCache<&'static str, u64> {
        BoundedCache::new(CacheBounds { bytes, age: AGE })
    }

    #[tokio::test(start_paused = true)]
    async fn full_cache_drops_least_recently_used_entry() {
        let mut cache = cache(10);
        cache.put("a", 1, 4);
        cache.put("b", 2, 4);
        assert_eq!(cache.get(&"a"), Some(&1));
        cache.put("c", 3, 4);
        assert_eq!(cache.get(&"b"), None);
        assert_eq!(cache.get(&"a"), Some(&1));
        assert_eq!(cache.get(&"c"), Some(&3));
    }

    #[tokio::test(start_paused = true)]
    async fn replaced_entry_frees_its_size() {
        let mut cache = cache(10);
        for value in 0..5 {
            cache.put("a", value, 6);
        }
        cache.put("b", 9, 4);
        assert_eq!(cache.get(&"a"), Some(&4));
        assert_eq!(cache.get(&"b"), Some(&9));
    }

    #[tokio::test(start_paused = true)]
    async fn oversized_value_is_not_inserted() {
        let mut cache = cache(10);
        cache.put("a", 1, 4);
        cache.put("b", 2, 11);
        assert_eq!(cache.get(&"a"), Some(&1));
        assert_eq!(cache.get(&"b"), None);
    }

    #[tokio::test(start_paused = true)]
    async fn unused_entry_expires() {
        let mut cache = cache(10);
        cache.put("a", 1, 4);
        cache.put("b", 2, 4);
        tokio::time::advance(AGE).await;
        assert_eq!(cache.get(&"b"), Some(&2));
        tokio::time::advance(AGE / 2).await;
        assert_eq!(cache.get(&"b"), Some(&2));
        assert_eq!(cache.entries.len(), 1);
        assert_eq!(cache.bytes, 4);
    }
}
