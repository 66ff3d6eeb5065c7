//! The metric families of the process, with the names and labels of Flux and controller-runtime.

use prometheus::{
    GaugeVec, HistogramOpts, HistogramVec, IntCounterVec, IntGaugeVec, Opts, Registry,
};

use super::durations::Durations;

/// Upper bounds of `controller_runtime_reconcile_time_seconds`.
const RECONCILE_TIMES: [f64; 40] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9,
    1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 15.0, 20.0,
    25.0, 30.0, 40.0, 50.0, 60.0,
];

/// `count` bounds from `start`, each `factor` times the previous one.
fn exponential(start: f64, factor: f64, count: usize) -> Vec<f64> {
    std::iter::successors(Some(start), |bound| Some(bound * factor))
        .take(count)
        .collect()
}

/// Upper bounds of the times of the queue.
fn queue_times() -> Vec<f64> {
    exponential(1e-8, 10.0, 12)
}

macro_rules! options {
    ($name:literal, $help:literal) => {
        Opts::new($name, $help)
    };
    ($name:literal, $help:literal, $buckets:expr) => {
        HistogramOpts::new($name, $help).buckets($buckets)
    };
}

/// Declares the families. A row has field, type, name, labels and help. The type of a histogram has
/// its upper bounds.
macro_rules! families {
    ($($field:ident: $type:ident $(($buckets:expr))? $name:literal $labels:tt $help:literal;)+) => {
        pub(super) struct Families {
            pub(super) durations: Durations,
            $(pub(super) $field: $type,)+
        }

        impl Families {
            pub(super) fn register(registry: &Registry) -> Self {
                Self {
                    durations: family!(registry, Durations::new()),
                    $($field: family!(
                        registry,
                        $type::new(options!($name, $help $(, $buckets)?), &$labels)
                    ),)+
                }
            }
        }
    };
}

families! {
    reconciles: IntCounterVec "controller_runtime_reconcile_total" ["controller", "result"]
        "Reconciliations by result";
    errors: IntCounterVec "controller_runtime_reconcile_errors_total" ["controller"]
        "Reconciliations that failed";
    terminal_errors: IntCounterVec "controller_runtime_terminal_reconcile_errors_total" ["controller"]
        "Reconciliations that failed and are not retried";
    panics: IntCounterVec "controller_runtime_reconcile_panics_total" ["controller"]
        "Reconciliations that panicked";
    time: HistogramVec(RECONCILE_TIMES.to_vec()) "controller_runtime_reconcile_time_seconds" ["controller"]
        "How long reconciliations took";
    working: IntGaugeVec "controller_runtime_active_workers" ["controller"]
        "Objects that work, without those that wait";
    limit: IntGaugeVec "controller_runtime_max_concurrent_reconciles" ["controller"]
        "Objects that may work at once";
    waiting: IntGaugeVec "sluice_health_waits_active" ["controller"]
        "Objects that wait without a worker";
    depth: IntGaugeVec "workqueue_depth" ["name", "controller", "priority"]
        "Objects in the queue";
    adds: IntCounterVec "workqueue_adds_total" ["name", "controller"]
        "Times an object was enqueued";
    queued: HistogramVec(queue_times()) "workqueue_queue_duration_seconds" ["name", "controller"]
        "Time of objects in the queue";
    worked: HistogramVec(queue_times()) "workqueue_work_duration_seconds" ["name", "controller"]
        "How long runs took, waits included";
    unfinished: GaugeVec "workqueue_unfinished_work_seconds" ["name", "controller"]
        "Total age of all runs in progress";
    longest: GaugeVec "workqueue_longest_running_processor_seconds" ["name", "controller"]
        "Age of the longest run in progress";
    retries: IntCounterVec "workqueue_retries_total" ["name", "controller"]
        "Times another run was planned";
    requests: IntCounterVec "rest_client_requests_total" ["code", "host", "method"]
        "Requests to API servers by response";
    leading: IntGaugeVec "leader_election_master_status" ["name"]
        "Whether this process holds the lease: 1 or 0";
    events_dropped: IntCounterVec "sluice_events_dropped_total" ["sink"]
        "Events dropped because their receiver rejected them or was too slow";
}
