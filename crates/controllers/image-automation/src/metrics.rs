//! Metrics of pushes, besides those of all controllers.

use prometheus::core::Collector;
use prometheus::{IntCounter, Registry};

/// The metrics of pushes. Cheap to clone.
#[derive(Clone)]
pub(crate) struct PushMetrics {
    pushes: IntCounter,
    files: IntCounter,
    retries: IntCounter,
}

impl PushMetrics {
    /// Registers the metrics. A controller that restarts in its process registers them again.
    pub(crate) fn register(registry: &Registry) -> Self {
        let counter = |name: &str, help: &str| {
            let counter = IntCounter::new(name, help).expect("the name is constant");
            let collector: Box<dyn Collector> = Box::new(counter.clone());
            // Fails only for a name that is registered: by this controller, before a restart.
            drop(registry.register(collector));
            counter
        };
        Self {
            pushes: counter("sluice_image_update_pushes_total", "Pushed commits"),
            files: counter(
                "sluice_image_update_files_total",
                "Files that pushed commits changed",
            ),
            retries: counter(
                "sluice_image_update_push_retries_total",
                "Pushes that another writer overtook",
            ),
        }
    }

    /// Counts a pushed commit.
    pub(crate) fn count_push(&self, files: usize) {
        self.pushes.inc();
        self.files.inc_by(u64::try_from(files).unwrap_or(u64::MAX));
    }

    /// Counts a push that another writer overtook.
    pub(crate) fn count_retry(&self) {
        self.retries.inc();
    }
}
