//! `gotk_reconcile_duration_seconds`: the duration of the reconciliations of each object.
//!
//! This family has a series per object. The histogram of the library takes 1.3 KiB per series, for
//! its description, its labels and two sets of buckets. Here each object stores its counts only,
//! and the rest is made at each scrape.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prometheus::core::{Collector, Desc};
use prometheus::proto::{Bucket, Histogram, LabelPair, Metric, MetricFamily, MetricType};

use crate::key::ObjectKey;

const NAME: &str = "gotk_reconcile_duration_seconds";
const HELP: &str = "How long reconciliations of an object took";
const LABELS: [&str; 3] = ["kind", "name", "namespace"];
/// Upper bounds: powers of one factor, from ten milliseconds to half an hour.
const BUCKETS: usize = 10;
const LAST: f64 = 9.0;
const LOWEST: f64 = 0.01;
const HIGHEST: f64 = 1800.0;

/// Durations by kind and object. Cheap to clone.
#[derive(Clone)]
pub(super) struct Durations {
    shared: Arc<Shared>,
}

struct Shared {
    desc: Desc,
    bounds: [f64; BUCKETS],
    objects: Mutex<BTreeMap<(Arc<str>, ObjectKey), Counts>>,
}

/// The observations of one object per bucket, and above the last bucket.
#[derive(Clone, Copy, Default)]
struct Counts {
    buckets: [u64; BUCKETS],
    above: u64,
    sum: f64,
}

impl Durations {
    pub(super) fn new() -> Result<Self, prometheus::Error> {
        let labels = LABELS.map(str::to_owned).to_vec();
        let desc = Desc::new(NAME.to_owned(), HELP.to_owned(), labels, HashMap::default())?;
        let shared = Shared {
            desc,
            bounds: bounds(),
            objects: Mutex::default(),
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    pub(super) fn observe(&self, kind: &Arc<str>, key: &ObjectKey, lasted: Duration) {
        let seconds = lasted.as_secs_f64();
        let bucket = self.shared.bounds.partition_point(|bound| *bound < seconds);
        let mut objects = self.shared.lock();
        let counts = objects.entry((Arc::clone(kind), key.clone())).or_default();
        *counts.buckets.get_mut(bucket).unwrap_or(&mut counts.above) += 1;
        counts.sum += seconds;
    }

    /// Drops the series of an object.
    pub(super) fn forget(&self, kind: &Arc<str>, key: &ObjectKey) {
        let series = (Arc::clone(kind), key.clone());
        self.shared.lock().remove(&series);
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<(Arc<str>, ObjectKey), Counts>> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn histogram(&self, counts: &Counts) -> Histogram {
        let mut below = 0;
        let buckets = self
            .bounds
            .iter()
            .zip(counts.buckets)
            .map(|(bound, count)| {
                below += count;
                let mut bucket = Bucket::default();
                bucket.set_upper_bound(*bound);
                bucket.set_cumulative_count(below);
                bucket
            });
        let mut histogram = Histogram::default();
        histogram.set_bucket(buckets.collect());
        histogram.set_sample_count(below + counts.above);
        histogram.set_sample_sum(counts.sum);
        histogram
    }
}

impl Collector for Durations {
    fn desc(&self) -> Vec<&Desc> {
        vec![&self.shared.desc]
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let objects = self.shared.lock();
        if objects.is_empty() {
            return Vec::new();
        }
        let metrics = objects.iter().map(|((kind, key), counts)| {
            let values = [kind, key.name(), key.namespace()];
            let labels = LABELS.iter().zip(values).map(|(name, value)| {
                let mut label = LabelPair::default();
                label.set_name((*name).to_owned());
                label.set_value(value.to_owned());
                label
            });
            let mut metric = Metric::from_label(labels.collect());
            metric.set_histogram(self.shared.histogram(counts));
            metric
        });
        let mut family = MetricFamily::default();
        family.set_name(NAME.to_owned());
        family.set_help(HELP.to_owned());
        family.set_field_type(MetricType::HISTOGRAM);
        family.set_metric(metrics.collect());
        vec![family]
    }
}

fn bounds() -> [f64; BUCKETS] {
    let mut steps = 0;
    [(); BUCKETS].map(|()| {
        let bound = LOWEST * (HIGHEST / LOWEST).powf(f64::from(steps) / LAST);
        steps += 1;
        bound
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_range_from_10_ms_to_30_min() {
        let bounds = bounds();
        assert!((bounds[0] - 0.01).abs() < 1e-9);
        assert!((bounds[9] - 1800.0).abs() < 1e-6);
        assert!((bounds[1] - 0.038_366).abs() < 1e-5, "{bounds:?}");
    }

    #[test]
    fn bounds_are_inclusive_and_overflow_is_counted() {
        let durations = Durations::new().unwrap();
        let (kind, key) = (Arc::from("Kustomization"), ObjectKey::new("apps", "web"));
        for seconds in [0.01, 0.02, 3600.0] {
            durations.observe(&kind, &key, Duration::from_secs_f64(seconds));
        }
        let families = durations.collect();
        let histogram = families[0].get_metric()[0].get_histogram();
        let below: Vec<u64> = histogram
            .get_bucket()
            .iter()
            .map(Bucket::cumulative_count)
            .collect();
        assert_eq!(below, [1, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
        assert_eq!(histogram.get_sample_count(), 3);
        assert!((histogram.get_sample_sum() - 3600.03).abs() < 1e-9);
    }
}
