//! Metrics of releases, besides those of all controllers.

use std::time::Duration;

use async_trait::async_trait;
use prometheus::{
    Histogram, HistogramOpts, HistogramTimer, HistogramVec, IntCounterVec, Opts, Registry,
};
use sluice_engine::ObjectKey;
use sluice_engine::metrics::ObjectGauge;
use sluice_helm::record::Labels;
use sluice_helm::store::{Driver, DriverError, Head, Record};

/// Upper bounds of the duration of actions, in seconds. An action may wait for minutes.
const ACTION_BUCKETS: [f64; 9] = [0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0];
/// Upper bounds of the duration of renders, in seconds.
const RENDER_BUCKETS: [f64; 8] = [0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// The metrics of releases. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct ReleaseMetrics {
    actions: HistogramVec,
    renders: Histogram,
    drifted: ObjectGauge,
    storage: IntCounterVec,
    downloads: IntCounterVec,
}

impl ReleaseMetrics {
    /// Registers the metrics. A controller that restarts in its process registers them again.
    pub(crate) fn register(registry: &Registry) -> Self {
        let actions = HistogramOpts::new(
            "sluice_helm_action_duration_seconds",
            "Duration of actions on releases, with their waits",
        );
        let renders = HistogramOpts::new(
            "sluice_helm_render_seconds",
            "Time to render and post-render a chart",
        );
        let counter = |name: &str, help: &str, label: &str| {
            IntCounterVec::new(Opts::new(name, help), &[label]).expect("the options are constant")
        };
        let metrics = Self {
            actions: HistogramVec::new(
                actions.buckets(ACTION_BUCKETS.to_vec()),
                &["action", "result"],
            )
            .expect("the options are constant"),
            renders: Histogram::with_opts(renders.buckets(RENDER_BUCKETS.to_vec()))
                .expect("the options are constant"),
            drifted: ObjectGauge::register(
                registry,
                "sluice_helm_drifted_objects",
                "Objects of a release that differed from its record in the last comparison",
            ),
            storage: counter(
                "sluice_helm_storage_bytes_total",
                "Bytes of records of releases that were read and written",
                "operation",
            ),
            downloads: counter(
                "sluice_helm_cache_requests_total",
                "Requests for charts to the cache of downloads",
                "result",
            ),
        };
        let collectors: [Box<dyn prometheus::core::Collector>; 4] = [
            Box::new(metrics.actions.clone()),
            Box::new(metrics.renders.clone()),
            Box::new(metrics.storage.clone()),
            Box::new(metrics.downloads.clone()),
        ];
        for collector in collectors {
            // Fails only for a name that is registered: by this controller, before a restart.
            drop(registry.register(collector));
        }
        metrics
    }

    /// Counts an action that has ended.
    pub(crate) fn action(&self, action: &str, is_success: bool, elapsed: Duration) {
        let result = if is_success { "success" } else { "failure" };
        let actions = self.actions.with_label_values(&[action, result]);
        actions.observe(elapsed.as_secs_f64());
    }

    /// Starts to measure a render.
    pub(crate) fn start_render(&self) -> HistogramTimer {
        self.renders.start_timer()
    }

    /// Sets the number of drifted objects of a release.
    pub(crate) fn set_drifted(&self, key: &ObjectKey, count: usize) {
        self.drifted.set(key, count);
    }

    /// Sets the counts of the cache of downloads since the start.
    pub(crate) fn set_downloads(&self, hits: u64, misses: u64) {
        for (result, count) in [("hit", hits), ("miss", misses)] {
            let counter = self.downloads.with_label_values(&[result]);
            counter.inc_by(count.saturating_sub(counter.get()));
        }
    }

    /// Removes the metrics of a deleted object.
    pub(crate) fn forget(&self, key: &ObjectKey) {
        self.drifted.forget(key);
    }

    fn count_bytes(&self, operation: &str, record: &Record) {
        let bytes = u64::try_from(record.data.len()).unwrap_or(u64::MAX);
        let counter = self.storage.with_label_values(&[operation]);
        counter.inc_by(bytes);
    }
}

/// Counts the bytes of records.
#[derive(Debug)]
pub(crate) struct MeasuredDriver<D> {
    pub(crate) driver: D,
    pub(crate) metrics: ReleaseMetrics,
}

#[async_trait]
impl<D: Driver> Driver for MeasuredDriver<D> {
    async fn get(&self, name: &str) -> Result<Record, DriverError> {
        let record = self.driver.get(name).await?;
        self.metrics.count_bytes("read", &record);
        Ok(record)
    }

    async fn heads(&self, selector: &Labels) -> Result<Vec<Head>, DriverError> {
        self.driver.heads(selector).await
    }

    async fn list(&self, selector: &Labels) -> Result<Vec<Record>, DriverError> {
        let records = self.driver.list(selector).await?;
        for record in &records {
            self.metrics.count_bytes("read", record);
        }
        Ok(records)
    }

    async fn create(&self, record: Record) -> Result<(), DriverError> {
        self.metrics.count_bytes("write", &record);
        self.driver.create(record).await
    }

    async fn replace(&self, record: Record) -> Result<(), DriverError> {
        self.metrics.count_bytes("write", &record);
        self.driver.replace(record).await
    }

    async fn delete(&self, name: &str) -> Result<(), DriverError> {
        self.driver.delete(name).await
    }
}

#[cfg(test)]
mod tests {
    use sluice_helm::store::MemoryDriver;

    use super::*;

    fn text(registry: &Registry) -> String {
        let encoder = prometheus::TextEncoder::new();
        encoder.encode_to_string(&registry.gather()).unwrap()
    }

    #[tokio::test]
    async fn metrics_count_actions_drift_records_and_downloads() {
        let registry = Registry::new();
        let metrics = ReleaseMetrics::register(&registry);
        metrics.action("upgrade", false, Duration::from_secs(2));
        metrics.start_render().observe_duration();
        metrics.set_downloads(1, 2);
        metrics.set_downloads(3, 2);
        let key = ObjectKey::new("apps", "web");
        metrics.set_drifted(&key, 4);
        let driver = MeasuredDriver {
            driver: MemoryDriver::default(),
            metrics: metrics.clone(),
        };
        let record = Record {
            name: "sh.helm.release.v1.web.v1".to_owned(),
            labels: Labels::default(),
            data: "12345".to_owned(),
        };
        driver.create(record.clone()).await.unwrap();
        driver.replace(record.clone()).await.unwrap();
        driver.get(&record.name).await.unwrap();
        let found = text(&registry);
        for line in [
            "sluice_helm_action_duration_seconds_count{action=\"upgrade\",result=\"failure\"} 1",
            "sluice_helm_render_seconds_count 1",
            "sluice_helm_drifted_objects{name=\"web\",namespace=\"apps\"} 4",
            "sluice_helm_storage_bytes_total{operation=\"read\"} 5",
            "sluice_helm_storage_bytes_total{operation=\"write\"} 10",
            "sluice_helm_cache_requests_total{result=\"hit\"} 3",
            "sluice_helm_cache_requests_total{result=\"miss\"} 2",
        ] {
            assert!(found.contains(line), "{line}\n{found}");
        }
        metrics.forget(&key);
        assert!(!text(&registry).contains("sluice_helm_drifted_objects"));
    }
}
