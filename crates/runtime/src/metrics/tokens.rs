//! The metrics of the cache of tokens that controllers get for their objects, under Flux's
//! names.
//!
//! They are registered whether or not a token is ever asked for, as in Flux: a dashboard
//! shows a cache that is empty, and not one that is missing.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use prometheus::{IntCounter, IntCounterVec, IntGauge, Opts, Registry};

use crate::key::ObjectKey;

/// What a look into the cache came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenEvent {
    /// A token was there.
    Hit,
    /// One had to be asked for.
    Miss,
}

/// The metrics of the cache. Cheap to clone.
#[derive(Clone)]
pub struct TokenCache {
    events: IntCounterVec,
    items: IntGauge,
    requests: IntCounterVec,
    evictions: IntCounter,
    /// The operations that were counted of each object, so that its series can go with it.
    counted: Arc<Mutex<Counted>>,
}

/// Operations by kind and object.
type Counted = HashMap<(String, ObjectKey), Vec<&'static str>>;

impl TokenCache {
    pub(super) fn register(registry: &Registry) -> Self {
        Self {
            events: family!(
                registry,
                IntCounterVec::new(
                    Opts::new(
                        "gotk_token_cache_events_total",
                        "Looks into the cache of tokens for an object",
                    ),
                    &["event_type", "kind", "name", "namespace", "operation"],
                )
            ),
            items: family!(
                registry,
                IntGauge::new("gotk_token_cached_items", "Tokens that are kept")
            ),
            requests: family!(
                registry,
                IntCounterVec::new(
                    Opts::new(
                        "gotk_token_cache_requests_total",
                        "Requests to the cache of tokens by outcome",
                    ),
                    &["status"],
                )
            ),
            evictions: family!(
                registry,
                IntCounter::new(
                    "gotk_token_cache_evictions_total",
                    "Tokens that made room for others",
                )
            ),
            counted: Arc::default(),
        }
    }

    /// Counts a look into the cache: for which object, and to do what (`fetch_kubeconfig`).
    pub fn looked(&self, event: TokenEvent, kind: &str, key: &ObjectKey, operation: &'static str) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        match counted.entry((kind.to_owned(), key.clone())) {
            Entry::Occupied(entry) if entry.get().contains(&operation) => {}
            entry => entry.or_default().push(operation),
        }
        self.events
            .with_label_values(&[label(event), kind, key.name(), key.namespace(), operation])
            .inc();
    }

    /// Counts a request to the cache.
    pub fn requested(&self, succeeded: bool) {
        let status = if succeeded { "success" } else { "failure" };
        self.requests.with_label_values(&[status]).inc();
    }

    /// Says how many tokens are kept.
    pub fn keeps(&self, tokens: usize) {
        self.items.set(i64::try_from(tokens).unwrap_or(i64::MAX));
    }

    /// Counts tokens that made room for others.
    pub fn evicted(&self, tokens: u64) {
        self.evictions.inc_by(tokens);
    }

    /// Drops the series of an object that is gone.
    pub(super) fn forget(&self, kind: &str, key: &ObjectKey) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        for operation in counted
            .remove(&(kind.to_owned(), key.clone()))
            .unwrap_or_default()
        {
            for event in [TokenEvent::Hit, TokenEvent::Miss] {
                let labels = [label(event), kind, key.name(), key.namespace(), operation];
                // One of both may never have happened.
                let _absent = self.events.remove_label_values(&labels);
            }
        }
    }
}

fn label(event: TokenEvent) -> &'static str {
    match event {
        TokenEvent::Hit => "cache_hit",
        TokenEvent::Miss => "cache_miss",
    }
}
