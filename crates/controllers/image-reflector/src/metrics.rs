//! Metrics of scans, besides those of all controllers.

use prometheus::{Histogram, HistogramOpts, HistogramTimer, IntCounter, IntGauge, Registry};
use sluice_engine::ObjectKey;
use sluice_engine::metrics::ObjectGauge;
use sluice_oci::{Error, RequestError};

/// Upper bounds of the duration of scans, in seconds.
const BUCKETS: [f64; 8] = [0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 15.0, 60.0];
/// HTTP status of a registry that limits requests.
const TOO_MANY_REQUESTS: u16 = 429;

/// The metrics of scans. Cheap to clone.
#[derive(Clone)]
pub(crate) struct ScanMetrics {
    durations: Histogram,
    tags: ObjectGauge,
    throttled: IntCounter,
    store: IntGauge,
}

impl ScanMetrics {
    /// Registers the metrics. A controller that restarts in its process registers them again.
    pub(crate) fn register(registry: &Registry) -> Self {
        let durations = HistogramOpts::new(
            "sluice_image_scan_duration_seconds",
            "Time to list the tags of a repository",
        );
        let metrics = Self {
            durations: Histogram::with_opts(durations.buckets(BUCKETS.to_vec()))
                .expect("the options are constant"),
            tags: ObjectGauge::register(
                registry,
                "sluice_image_tags",
                "Stored tags of an image repository",
            ),
            throttled: IntCounter::new(
                "sluice_image_scans_throttled_total",
                "Scans that a registry refused with status 429",
            )
            .expect("the options are constant"),
            store: IntGauge::new("sluice_image_store_bytes", "Bytes of all stored tags")
                .expect("the options are constant"),
        };
        let collectors: [Box<dyn prometheus::core::Collector>; 3] = [
            Box::new(metrics.durations.clone()),
            Box::new(metrics.throttled.clone()),
            Box::new(metrics.store.clone()),
        ];
        for collector in collectors {
            // Fails only for a name that is registered: by this controller, before a restart.
            drop(registry.register(collector));
        }
        metrics
    }

    /// Starts to measure a listing.
    pub(crate) fn start_scan(&self) -> HistogramTimer {
        self.durations.start_timer()
    }

    /// Counts a failed listing.
    pub(crate) fn count_failure(&self, error: &RequestError) {
        if let RequestError::Refused(Error::Status { status, .. }) = error
            && status.as_u16() == TOO_MANY_REQUESTS
        {
            self.throttled.inc();
        }
    }

    /// Sets the number of tags of an object.
    pub(crate) fn set_tags(&self, key: &ObjectKey, count: usize) {
        self.tags.set(key, count);
    }

    /// Sets the size of the store.
    pub(crate) fn set_store_bytes(&self, bytes: u64) {
        self.store.set(i64::try_from(bytes).unwrap_or(i64::MAX));
    }

    /// Removes the metrics of a deleted object.
    pub(crate) fn forget(&self, key: &ObjectKey) {
        self.tags.forget(key);
    }
}
