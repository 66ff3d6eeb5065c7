//! Values that are kept within bounds: so many bytes, so long unused.
//!
//! Owns what is dropped when: the least recently used first, and whatever nobody has asked for
//! within its age, once anything is put or asked for. Refuses to keep what does not fit by
//! itself. What a value is, and where its bytes lie, is its keeper's affair.

use std::hash::Hash;
use std::time::Duration;

use lru::LruCache;
use tokio::time::Instant;

/// How much is kept, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    /// Bytes of all values.
    pub bytes: u64,
    /// How long a value is kept that nobody asks for.
    pub age: Duration,
}

/// Values by key.
#[derive(Debug)]
pub struct Kept<K: Hash + Eq, V> {
    bounds: Bounds,
    /// The least recently used one is the first that goes.
    entries: LruCache<K, Entry<V>>,
    bytes: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    bytes: u64,
    used: Instant,
}

impl<K: Hash + Eq, V> Kept<K, V> {
    /// Keeps nothing yet.
    pub fn within(bounds: Bounds) -> Self {
        Self {
            bounds,
            entries: LruCache::unbounded(),
            bytes: 0,
        }
    }

    /// A value that is kept; asking makes it the most recently used one.
    pub fn get(&mut self, key: &K) -> Option<&V> {
        let now = Instant::now();
        self.trim(now);
        let entry = self.entries.get_mut(key)?;
        entry.used = now;
        Some(&entry.value)
    }

    /// Keeps a value of so many bytes, in the place of one that has its key.
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

    /// Drops what is too much and what is too old.
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

    fn kept(bytes: u64) -> Kept<&'static str, u64> {
        Kept::within(Bounds { bytes, age: AGE })
    }

    #[tokio::test(start_paused = true)]
    async fn the_least_recently_used_make_room() {
        let mut kept = kept(10);
        kept.put("a", 1, 4);
        kept.put("b", 2, 4);
        assert_eq!(kept.get(&"a"), Some(&1));
        kept.put("c", 3, 4);
        assert_eq!(kept.get(&"b"), None);
        assert_eq!(kept.get(&"a"), Some(&1));
        assert_eq!(kept.get(&"c"), Some(&3));
    }

    #[tokio::test(start_paused = true)]
    async fn a_value_in_the_place_of_another_frees_what_that_held() {
        let mut kept = kept(10);
        for value in 0..5 {
            kept.put("a", value, 6);
        }
        kept.put("b", 9, 4);
        assert_eq!(kept.get(&"a"), Some(&4));
        assert_eq!(kept.get(&"b"), Some(&9));
    }

    #[tokio::test(start_paused = true)]
    async fn what_does_not_fit_drives_nothing_out() {
        let mut kept = kept(10);
        kept.put("a", 1, 4);
        kept.put("b", 2, 11);
        assert_eq!(kept.get(&"a"), Some(&1));
        assert_eq!(kept.get(&"b"), None);
    }

    #[tokio::test(start_paused = true)]
    async fn what_nobody_asks_for_goes_with_its_age() {
        let mut kept = kept(10);
        kept.put("a", 1, 4);
        kept.put("b", 2, 4);
        tokio::time::advance(AGE).await;
        assert_eq!(kept.get(&"b"), Some(&2));
        tokio::time::advance(AGE / 2).await;
        assert_eq!(kept.get(&"b"), Some(&2));
        assert_eq!(kept.entries.len(), 1);
        assert_eq!(kept.bytes, 4);
    }
}
