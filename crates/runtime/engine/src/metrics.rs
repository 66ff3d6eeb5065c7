//! Metrics with the names, labels and buckets of Flux and controller-runtime, so that dashboards
//! and alerts keep working.
//!
//! One [`Metrics`] serves the whole process; labels distinguish the controllers. The series of an
//! object are removed with the object. Ages and process figures are computed at each scrape.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prometheus::{IntCounter, IntGauge, Registry, TextEncoder};

use crate::key::ObjectKey;
use crate::outcome::Requeue;
use crate::workers::{Observer, Workers};

/// Registers a collector. A duplicate name is a bug.
macro_rules! family {
    ($registry:expr, $collector:expr) => {{
        let collector = $collector.expect("metric names, labels and buckets are constants");
        $registry
            .register(Box::new(collector.clone()))
            .expect("each metric is registered once");
        collector
    }};
}

mod durations;
mod families;
mod object_gauge;
mod process;
mod tokens;

use families::Families;
pub use object_gauge::ObjectGauge;
pub use tokens::{TokenCache, TokenUser};

type Refresh = Box<dyn Fn() + Send + Sync>;

/// The metrics of the process. Cheap to clone.
#[derive(Clone)]
pub struct Metrics {
    shared: Arc<Shared>,
}

struct Shared {
    registry: Registry,
    refresh: Mutex<Vec<(u64, Refresh)>>,
    families: Families,
    process: process::Process,
    tokens: TokenCache,
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Metrics {
    /// Makes the metrics of a process.
    pub fn new() -> Self {
        let registry = Registry::new();
        let families = Families::register(&registry);
        let process = process::Process::register(&registry);
        let tokens = TokenCache::register(&registry);
        let shared = Shared {
            registry,
            refresh: Mutex::default(),
            families,
            process,
            tokens,
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// The metrics of the token cache.
    pub fn tokens(&self) -> &TokenCache {
        &self.shared.tokens
    }

    /// The registry, for metrics of a single controller.
    pub fn registry(&self) -> &Registry {
        &self.shared.registry
    }

    /// All metrics in the text exposition format.
    pub fn text(&self) -> String {
        self.shared.process.refresh();
        for (_, refresh) in self
            .shared
            .refresh
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
        {
            refresh();
        }
        TextEncoder::new()
            .encode_to_string(&self.shared.registry.gather())
            .expect("the library made the metric families")
    }

    /// Counts one request to an API server.
    pub fn request(&self, method: &str, code: &str, host: &str) {
        self.shared
            .families
            .requests
            .with_label_values(&[code, host, method])
            .inc();
    }

    /// Records whether this process holds a lease.
    pub fn set_leading(&self, lease: &str, leading: bool) {
        self.shared
            .families
            .leading
            .with_label_values(&[lease])
            .set(i64::from(leading));
    }

    /// Counts a dropped event.
    pub(crate) fn event_dropped(&self, sink: &str) {
        self.shared
            .families
            .events_dropped
            .with_label_values(&[sink])
            .inc();
    }

    /// The metrics of one reconciled kind.
    pub(crate) fn kind(&self, controller: &str, kind: &str, concurrent: usize) -> KindMetrics {
        let families = &self.shared.families;
        let one = &[controller];
        // controller-runtime exports every result from the start, so that rates exist.
        for result in ["error", "requeue_after", "requeue", "success"] {
            families
                .reconciles
                .with_label_values(&[controller, result])
                .inc_by(0);
        }
        for family in [
            &families.errors,
            &families.terminal_errors,
            &families.panics,
        ] {
            family.with_label_values(one).inc_by(0);
        }
        families
            .limit
            .with_label_values(one)
            .set(i64::try_from(concurrent).unwrap_or(i64::MAX));
        KindMetrics {
            metrics: self.clone(),
            controller: Arc::from(controller),
            kind: Arc::from(kind),
            time: families.time.with_label_values(one),
            working: families.working.with_label_values(one),
            waiting: families.waiting.with_label_values(one),
            depth: families
                .depth
                .with_label_values(&[controller, controller, ""]),
            adds: families.adds.with_label_values(&[controller, controller]),
            queued: families.queued.with_label_values(&[controller, controller]),
            worked: families.worked.with_label_values(&[controller, controller]),
            retries: families
                .retries
                .with_label_values(&[controller, controller]),
        }
    }
}

/// The metrics of one reconciled kind.
#[derive(Clone)]
pub(crate) struct KindMetrics {
    metrics: Metrics,
    controller: Arc<str>,
    kind: Arc<str>,
    time: prometheus::Histogram,
    working: IntGauge,
    waiting: IntGauge,
    depth: IntGauge,
    adds: IntCounter,
    queued: prometheus::Histogram,
    worked: prometheus::Histogram,
    retries: IntCounter,
}

impl KindMetrics {
    /// Counts the end of a run.
    pub(crate) fn reconciled(&self, requeue: &Requeue, lasted: Duration) {
        let families = &self.metrics.shared.families;
        let result = match requeue {
            Requeue::Never => "success",
            Requeue::Now => "requeue",
            Requeue::After(_) | Requeue::Interval(_) => "requeue_after",
            Requeue::Backoff(_) | Requeue::Stalled(_) | Requeue::StalledInterval(..) => "error",
        };
        families
            .reconciles
            .with_label_values(&[&*self.controller, result])
            .inc();
        if result == "error" {
            families.errors.with_label_values(&[&self.controller]).inc();
        }
        if matches!(requeue, Requeue::Stalled(_) | Requeue::StalledInterval(..)) {
            families
                .terminal_errors
                .with_label_values(&[&self.controller])
                .inc();
        }
        self.time.observe(lasted.as_secs_f64());
    }

    /// Counts a run that panicked, also as an error.
    pub(crate) fn panicked(&self) {
        let families = &self.metrics.shared.families;
        families.panics.with_label_values(&[&self.controller]).inc();
        families.errors.with_label_values(&[&self.controller]).inc();
        families
            .reconciles
            .with_label_values(&[&*self.controller, "error"])
            .inc();
    }

    /// Records the duration of a run.
    pub(crate) fn observe_duration(&self, key: &ObjectKey, lasted: Duration) {
        let durations = &self.metrics.shared.families.durations;
        durations.observe(&self.kind, key, lasted);
    }

    /// Drops the series of a deleted object.
    pub(crate) fn forget(&self, key: &ObjectKey) {
        let durations = &self.metrics.shared.families.durations;
        durations.forget(&self.kind, key);
        self.metrics.shared.tokens.forget(&self.kind, key);
    }

    /// Computes the ages of running work at each scrape, until dropped.
    pub(crate) fn refresh_unfinished(&self, workers: Workers) -> ScrapeHook {
        let families = &self.metrics.shared.families;
        let labels = [&*self.controller, &*self.controller];
        let unfinished = families.unfinished.with_label_values(&labels);
        let longest = families.longest.with_label_values(&labels);
        self.metrics.on_scrape(Box::new(move || {
            let (sum, oldest) = workers.unfinished();
            unfinished.set(sum.as_secs_f64());
            longest.set(oldest.as_secs_f64());
        }))
    }
}

impl Metrics {
    fn on_scrape(&self, refresh: Refresh) -> ScrapeHook {
        let mut all = self
            .shared
            .refresh
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let number = all.last().map_or(0, |(last, _)| last + 1);
        all.push((number, refresh));
        ScrapeHook {
            metrics: self.clone(),
            number,
        }
    }
}

/// A computation at each scrape; ends when dropped.
pub(crate) struct ScrapeHook {
    metrics: Metrics,
    number: u64,
}

impl Drop for ScrapeHook {
    fn drop(&mut self) {
        let mut all = self
            .metrics
            .shared
            .refresh
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        all.retain(|(number, _)| *number != self.number);
    }
}

impl Observer for KindMetrics {
    fn added(&self) {
        self.adds.inc();
    }

    fn started(&self, waited: Duration) {
        self.queued.observe(waited.as_secs_f64());
    }

    fn ended(&self, lasted: Duration) {
        self.worked.observe(lasted.as_secs_f64());
    }

    fn retried(&self) {
        self.retries.inc();
    }

    fn levels(&self, depth: usize, working: usize, waiting: usize) {
        let level = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        self.depth.set(level(depth));
        self.working.set(level(working));
        self.waiting.set(level(waiting));
    }
}

#[cfg(test)]
mod tests;
