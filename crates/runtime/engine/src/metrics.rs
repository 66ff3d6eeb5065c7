//! Metrics with the names, labels and buckets of Flux and controller-runtime, so that dashboards and
//! alerts keep working.
//!
//! One [`Metrics`] serves the whole process; labels distinguish the controllers. The series of an
//! object are removed with the object. Ages and process figures are computed at each scrape.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prometheus::{
    GaugeVec, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts,
    Registry, TextEncoder,
};

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
mod process;
mod tokens;

pub use tokens::{TokenCache, TokenUser};

/// Upper bounds of `controller_runtime_reconcile_time_seconds`.
const RECONCILE_TIME: [f64; 40] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9,
    1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 15.0, 20.0,
    25.0, 30.0, 40.0, 50.0, 60.0,
];

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

struct Families {
    durations: durations::Durations,
    reconciles: IntCounterVec,
    errors: IntCounterVec,
    terminal_errors: IntCounterVec,
    panics: IntCounterVec,
    time: HistogramVec,
    working: IntGaugeVec,
    limit: IntGaugeVec,
    waiting: IntGaugeVec,
    depth: IntGaugeVec,
    adds: IntCounterVec,
    queued: HistogramVec,
    worked: HistogramVec,
    unfinished: GaugeVec,
    longest: GaugeVec,
    retries: IntCounterVec,
    requests: IntCounterVec,
    leading: IntGaugeVec,
    events_dropped: IntCounterVec,
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
            Requeue::Backoff(_) | Requeue::Stalled(_) => "error",
        };
        families
            .reconciles
            .with_label_values(&[&*self.controller, result])
            .inc();
        if result == "error" {
            families.errors.with_label_values(&[&self.controller]).inc();
        }
        if matches!(requeue, Requeue::Stalled(_)) {
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

impl Families {
    fn register(registry: &Registry) -> Self {
        let counter = |name: &str, help: &str, labels: &[&str]| {
            IntCounterVec::new(Opts::new(name, help), labels)
        };
        let gauge = |name: &str, help: &str, labels: &[&str]| {
            IntGaugeVec::new(Opts::new(name, help), labels)
        };
        let seconds =
            |name: &str, help: &str, labels: &[&str]| GaugeVec::new(Opts::new(name, help), labels);
        let histogram = |name: &str, help: &str, labels: &[&str], buckets: Vec<f64>| {
            HistogramVec::new(HistogramOpts::new(name, help).buckets(buckets), labels)
        };
        let queue = ["name", "controller"];
        Self {
            durations: family!(registry, durations::Durations::new()),
            reconciles: family!(
                registry,
                counter(
                    "controller_runtime_reconcile_total",
                    "Reconciliations by result",
                    &["controller", "result"],
                )
            ),
            errors: family!(
                registry,
                counter(
                    "controller_runtime_reconcile_errors_total",
                    "Reconciliations that failed",
                    &["controller"],
                )
            ),
            terminal_errors: family!(
                registry,
                counter(
                    "controller_runtime_terminal_reconcile_errors_total",
                    "Reconciliations that failed and are not retried",
                    &["controller"],
                )
            ),
            panics: family!(
                registry,
                counter(
                    "controller_runtime_reconcile_panics_total",
                    "Reconciliations that panicked",
                    &["controller"],
                )
            ),
            time: family!(
                registry,
                histogram(
                    "controller_runtime_reconcile_time_seconds",
                    "How long reconciliations took",
                    &["controller"],
                    RECONCILE_TIME.to_vec(),
                )
            ),
            working: family!(
                registry,
                gauge(
                    "controller_runtime_active_workers",
                    "Objects that work, without those that wait",
                    &["controller"],
                )
            ),
            limit: family!(
                registry,
                gauge(
                    "controller_runtime_max_concurrent_reconciles",
                    "Objects that may work at once",
                    &["controller"],
                )
            ),
            waiting: family!(
                registry,
                gauge(
                    "sluice_health_waits_active",
                    "Objects that wait without a worker",
                    &["controller"],
                )
            ),
            depth: family!(
                registry,
                gauge(
                    "workqueue_depth",
                    "Objects in the queue",
                    &["name", "controller", "priority"],
                )
            ),
            adds: family!(
                registry,
                counter(
                    "workqueue_adds_total",
                    "Times an object was enqueued",
                    &queue,
                )
            ),
            queued: family!(
                registry,
                histogram(
                    "workqueue_queue_duration_seconds",
                    "Time of objects in the queue",
                    &queue,
                    exponential(1e-8, 10.0, 12),
                )
            ),
            worked: family!(
                registry,
                histogram(
                    "workqueue_work_duration_seconds",
                    "How long runs took, waits included",
                    &queue,
                    exponential(1e-8, 10.0, 12),
                )
            ),
            unfinished: family!(
                registry,
                seconds(
                    "workqueue_unfinished_work_seconds",
                    "Total age of all runs in progress",
                    &queue,
                )
            ),
            longest: family!(
                registry,
                seconds(
                    "workqueue_longest_running_processor_seconds",
                    "Age of the longest run in progress",
                    &queue,
                )
            ),
            retries: family!(
                registry,
                counter(
                    "workqueue_retries_total",
                    "Times another run was planned",
                    &queue,
                )
            ),
            requests: family!(
                registry,
                counter(
                    "rest_client_requests_total",
                    "Requests to API servers by response",
                    &["code", "host", "method"],
                )
            ),
            leading: family!(
                registry,
                gauge(
                    "leader_election_master_status",
                    "Whether this process holds the lease: 1 or 0",
                    &["name"],
                )
            ),
            events_dropped: family!(
                registry,
                counter(
                    "sluice_events_dropped_total",
                    "Events dropped because their receiver rejected them or was too slow",
                    &["sink"],
                )
            ),
        }
    }
}

/// `count` bounds from `start`, each `factor` times the previous one.
fn exponential(start: f64, factor: f64, count: usize) -> Vec<f64> {
    std::iter::successors(Some(start), |bound| Some(bound * factor))
        .take(count)
        .collect()
}

#[cfg(test)]
mod tests;
