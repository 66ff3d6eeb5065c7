//! Metrics of the token cache, with Flux's names, and of the requests for tokens.
//!
//! They are registered without tokens too, as in Flux: dashboards show an empty cache instead of a
//! missing one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prometheus::{
    HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, Registry,
};

use sluice_identity::{IdentityStep, Lookup, Provider};

use crate::key::ObjectKey;

/// The object and the operation that need a token.
#[derive(Debug, Clone, Copy)]
pub struct TokenUser<'a> {
    /// The kind of the object.
    pub kind: &'a str,
    /// Its namespace and name.
    pub key: &'a ObjectKey,
    /// The operation: `fetch_kubeconfig`.
    pub operation: &'static str,
}

/// The metrics of the token cache. Cheap to clone.
#[derive(Clone)]
pub struct TokenCache {
    events: IntCounterVec,
    items: IntGauge,
    /// Tokens by the address of their cache, as several controllers of a process have one each.
    sizes: Arc<Mutex<HashMap<usize, usize>>>,
    requests: IntCounterVec,
    evictions: IntCounter,
    durations: HistogramVec,
    /// The counted operations of each object, to remove its series.
    counted: Arc<Mutex<OperationsByObject>>,
}

/// Operations by kind and object.
type OperationsByObject = HashMap<(String, ObjectKey), Vec<&'static str>>;

impl TokenCache {
    pub(super) fn register(registry: &Registry) -> Self {
        Self {
            events: family!(
                registry,
                IntCounterVec::new(
                    Opts::new(
                        "gotk_token_cache_events_total",
                        "Lookups in the token cache for an object",
                    ),
                    &["event_type", "kind", "name", "namespace", "operation"],
                )
            ),
            items: family!(
                registry,
                IntGauge::new("gotk_token_cached_items", "Cached tokens")
            ),
            sizes: Arc::default(),
            requests: family!(
                registry,
                IntCounterVec::new(
                    Opts::new(
                        "gotk_token_cache_requests_total",
                        "Requests to the token cache by outcome",
                    ),
                    &["status"],
                )
            ),
            evictions: family!(
                registry,
                IntCounter::new(
                    "gotk_token_cache_evictions_total",
                    "Tokens evicted from the cache",
                )
            ),
            durations: family!(
                registry,
                HistogramVec::new(
                    HistogramOpts::new(
                        "sluice_identity_request_duration_seconds",
                        "How long requests for credentials took by provider and step",
                    ),
                    &["provider", "step"],
                )
            ),
            counted: Arc::default(),
        }
    }

    /// Counts a lookup; `lookup` is `None` after a failure. A disabled cache is not counted, as in
    /// Flux.
    pub fn count_lookup<K: Eq + Hash + Clone, T: Clone>(
        &self,
        cache: &sluice_identity::TokenCache<K, T>,
        user: TokenUser<'_>,
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
        let size = {
            let mut sizes = self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
            sizes.insert(std::ptr::from_ref(cache).addr(), cache.len());
            sizes.values().sum::<usize>()
        };
        self.items.set(i64::try_from(size).unwrap_or(i64::MAX));
        self.evictions.inc_by(cache.take_evictions());
        if let Some(lookup) = lookup {
            self.count(user, lookup);
        }
    }

    /// Observes how long the requests of a step to a credential took.
    pub fn observe_request(&self, provider: Provider, step: IdentityStep, lasted: Duration) {
        self.durations
            .with_label_values(&[provider.name(), step.name()])
            .observe(lasted.as_secs_f64());
    }

    fn count(&self, user: TokenUser<'_>, lookup: Lookup) {
        let TokenUser {
            kind,
            key,
            operation,
        } = user;
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        match counted.entry((kind.to_owned(), key.clone())) {
            Entry::Occupied(entry) if entry.get().contains(&operation) => {}
            entry => entry.or_default().push(operation),
        }
        self.events
            .with_label_values(&[label(lookup), kind, key.name(), key.namespace(), operation])
            .inc();
    }

    /// Drops the series of a deleted object.
    pub(super) fn forget(&self, kind: &str, key: &ObjectKey) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        for operation in counted
            .remove(&(kind.to_owned(), key.clone()))
            .unwrap_or_default()
        {
            for lookup in [Lookup::Hit, Lookup::Miss] {
                let labels = [label(lookup), kind, key.name(), key.namespace(), operation];
                // One of both may not exist.
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
