//! The metrics of the cache of tokens that controllers get for their objects, under Flux's
//! names.
//!
//! They are registered whether or not a token is ever asked for, as in Flux: a dashboard
//! shows a cache that is empty, and not one that is missing.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use prometheus::{IntCounter, IntCounterVec, IntGauge, Opts, Registry};

use sluice_dial::Lookup;

use crate::key::ObjectKey;

/// Who looks into the cache.
#[derive(Debug, Clone, Copy)]
pub struct Looker<'a> {
    /// The kind of the object that the token is for.
    pub kind: &'a str,
    /// Its namespace and name.
    pub key: &'a ObjectKey,
    /// What it is for: `fetch_kubeconfig`.
    pub operation: &'static str,
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

    /// Counts a look into a cache: who looked, and what it came to, if a token could be had. One
    /// that keeps none is not counted, as in Flux.
    pub fn looked<K: Eq + Hash + Clone, T: Clone>(
        &self,
        cache: &sluice_dial::TokenCache<K, T>,
        looker: Looker<'_>,
        lookup: Option<Lookup>,
    ) {
        if cache.is_off() {
            return;
        }
        let status = if lookup.is_some() {
            "success"
        } else {
            "failure"
        };
        self.requests.with_label_values(&[status]).inc();
        self.items
            .set(i64::try_from(cache.len()).unwrap_or(i64::MAX));
        self.evictions.inc_by(cache.take_evictions());
        if let Some(lookup) = lookup {
            self.count(looker, lookup);
        }
    }

    fn count(&self, looker: Looker<'_>, lookup: Lookup) {
        let Looker {
            kind,
            key,
            operation,
        } = looker;
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        match counted.entry((kind.to_owned(), key.clone())) {
            Entry::Occupied(entry) if entry.get().contains(&operation) => {}
            entry => entry.or_default().push(operation),
        }
        self.events
            .with_label_values(&[label(lookup), kind, key.name(), key.namespace(), operation])
            .inc();
    }

    /// Drops the series of an object that is gone.
    pub(super) fn forget(&self, kind: &str, key: &ObjectKey) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        for operation in counted
            .remove(&(kind.to_owned(), key.clone()))
            .unwrap_or_default()
        {
            for lookup in [Lookup::Hit, Lookup::Miss] {
                let labels = [label(lookup), kind, key.name(), key.namespace(), operation];
                // One of both may never have happened.
                let _absent = self.events.remove_label_values(&labels);
            }
        }
    }
}

fn label(lookup: Lookup) -> &'static str {
    match lookup {
        Lookup::Hit => "cache_hit",
        Lookup::Miss => "cache_miss",
    }
}
