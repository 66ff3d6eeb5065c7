//! Detects duplicates in bounded memory: one event per key and interval passes.
//!
//! A window starts with the event that passes. In the reference, windows start at multiples of the
//! interval after the first event.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Key;

/// Maximum number of remembered keys. The oldest one is evicted.
pub const MAX_ENTRIES: usize = 100_000;

/// Recent events.
#[derive(Debug)]
pub struct Duplicates {
    interval: Duration,
    max_entries: usize,
    windows: HashMap<Key, Timestamp>,
    /// Keys from the oldest to the newest window. Forgotten keys may still be listed.
    order: VecDeque<(Timestamp, Key)>,
}

/// Decision about an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admission {
    /// Whether the event is the first of its window.
    pub is_new: bool,
    /// End of the window.
    pub reset: Timestamp,
}

impl Admission {
    /// Returns the response headers of the reference.
    pub fn headers(&self) -> Vec<(&'static str, String)> {
        let reset = self.reset.to_zoned(TimeZone::UTC);
        let reset = reset.strftime("%a, %d %b %Y %H:%M:%S UTC").to_string();
        let mut headers = vec![
            ("X-RateLimit-Limit", "1".to_owned()),
            ("X-RateLimit-Remaining", "0".to_owned()),
            ("X-RateLimit-Reset", reset.clone()),
        ];
        if !self.is_new {
            headers.push(("Retry-After", reset));
        }
        headers
    }
}

impl Duplicates {
    /// Creates an empty cache. With a zero interval, every event passes.
    pub fn new(interval: Duration) -> Self {
        Self::with_capacity(interval, MAX_ENTRIES)
    }

    /// Creates an empty cache for a number of keys.
    pub fn with_capacity(interval: Duration, max_entries: usize) -> Self {
        Self {
            interval,
            max_entries: max_entries.max(1),
            windows: HashMap::new(),
            order: VecDeque::new(),
        }
    }

    /// Decides about an event and records it.
    pub fn admit(&mut self, key: &Key, now: Timestamp) -> Admission {
        self.purge(now);
        if let Some(start) = self.windows.get(key) {
            return Admission {
                is_new: false,
                reset: end(*start, self.interval),
            };
        }
        while self.windows.len() >= self.max_entries || self.order.len() >= 2 * self.max_entries {
            self.drop_oldest();
        }
        self.windows.insert(key.clone(), now);
        self.order.push_back((now, key.clone()));
        Admission {
            is_new: true,
            reset: end(now, self.interval),
        }
    }

    /// Forgets an undelivered event, so that the next one passes.
    pub fn forget(&mut self, key: &Key) {
        self.windows.remove(key);
    }

    /// Returns the number of remembered events.
    pub fn len(&self) -> usize {
        self.windows.len()
    }

    /// Whether no event is remembered.
    pub fn is_empty(&self) -> bool {
        self.windows.is_empty()
    }

    fn purge(&mut self, now: Timestamp) {
        while let Some((start, _)) = self.order.front()
            && end(*start, self.interval) <= now
        {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        if let Some((start, key)) = self.order.pop_front()
            && self.windows.get(&key) == Some(&start)
        {
            self.windows.remove(&key);
        }
    }
}

fn end(start: Timestamp, interval: Duration) -> Timestamp {
    start.checked_add(interval).unwrap_or(Timestamp::MAX)
}
