//! Detects duplicates in bounded memory: one event per key and interval passes.
//!
//! A window starts with the event that passes. In the reference, windows start at multiples of the
//! interval after the first event.
//!
//! A repetition passes only for Alerts whose notification was given up. So one broken Provider does
//! not repeat messages to the others.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use sluice_engine::ObjectKey;

use super::Key;

/// Maximum number of remembered keys. The oldest one is evicted.
pub const MAX_ENTRIES: usize = 100_000;
/// Maximum number of Alerts to remember per event. With more, a repetition passes for all.
const MAX_UNDELIVERED: usize = 100;

/// Recent events.
#[derive(Debug)]
pub struct Duplicates {
    interval: Duration,
    max_entries: usize,
    windows: HashMap<Key, Window>,
    /// Keys from the oldest to the newest window. Forgotten keys may still be listed.
    order: VecDeque<(Timestamp, Key)>,
}

/// The time of one event in which equal ones are duplicates.
#[derive(Debug)]
struct Window {
    start: Timestamp,
    /// Alerts whose notification was given up.
    undelivered: Vec<ObjectKey>,
}

/// The Alerts that may get an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipients {
    /// All Alerts: the event is the first of its window.
    All,
    /// The Alerts whose notification was given up. Others got the event.
    Only(Vec<ObjectKey>),
}

impl Recipients {
    /// Whether an Alert may get the event.
    pub fn include(&self, alert: &ObjectKey) -> bool {
        match self {
            Self::All => true,
            Self::Only(alerts) => alerts.contains(alert),
        }
    }
}

/// Decision about an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    /// The Alerts that may get the event, or `None` for a duplicate.
    pub recipients: Option<Recipients>,
    /// Start of the window, which identifies it.
    pub start: Timestamp,
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
        if self.recipients.is_none() {
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
        if let Some(window) = self.windows.get_mut(key) {
            let undelivered = std::mem::take(&mut window.undelivered);
            return Admission {
                recipients: (!undelivered.is_empty()).then_some(Recipients::Only(undelivered)),
                start: window.start,
                reset: end(window.start, self.interval),
            };
        }
        while self.windows.len() >= self.max_entries || self.order.len() >= 2 * self.max_entries {
            self.drop_oldest();
        }
        let window = Window {
            start: now,
            undelivered: Vec::new(),
        };
        self.windows.insert(key.clone(), window);
        self.order.push_back((now, key.clone()));
        Admission {
            recipients: Some(Recipients::All),
            start: now,
            reset: end(now, self.interval),
        }
    }

    /// Lets the next equal event pass for an Alert whose notification was given up.
    ///
    /// `start` is that of the event's window. Deliveries may take longer than a window: the event
    /// of a later one has a notification of its own.
    pub fn give_up(&mut self, key: &Key, start: Timestamp, alert: &ObjectKey) {
        let window = self.windows.get_mut(key);
        let Some(window) = window.filter(|window| window.start == start) else {
            return;
        };
        if window.undelivered.len() >= MAX_UNDELIVERED {
            self.windows.remove(key);
        } else if !window.undelivered.contains(alert) {
            window.undelivered.push(alert.clone());
        }
    }

    /// Takes back the admission of an event that reached no queue. An equal event passes then.
    pub fn withdraw(&mut self, key: &Key, start: Timestamp, recipients: &Recipients) {
        match recipients {
            Recipients::All => {
                if self.windows.get(key).map(|window| window.start) == Some(start) {
                    self.windows.remove(key);
                }
            }
            Recipients::Only(alerts) => {
                for alert in alerts {
                    self.give_up(key, start, alert);
                }
            }
        }
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
            && self.windows.get(&key).map(|window| window.start) == Some(start)
        {
            self.windows.remove(&key);
        }
    }
}

fn end(start: Timestamp, interval: Duration) -> Timestamp {
    start.checked_add(interval).unwrap_or(Timestamp::MAX)
}
