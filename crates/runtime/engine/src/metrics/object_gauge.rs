//! A gauge with one series for each object. The series is removed with the object.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use prometheus::{IntGaugeVec, Opts, Registry};

use crate::key::ObjectKey;

/// A gauge of a controller's objects. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ObjectGauge {
    values: IntGaugeVec,
    known: Arc<Mutex<HashSet<ObjectKey>>>,
}

impl ObjectGauge {
    /// Registers a gauge. A controller that restarts in its process registers it again.
    ///
    /// # Panics
    ///
    /// If the name is not one of Prometheus.
    #[must_use]
    pub fn register(registry: &Registry, name: &str, help: &str) -> Self {
        let values = IntGaugeVec::new(Opts::new(name, help), &["namespace", "name"])
            .expect("the options are constant");
        // Fails only for a name that is registered: by this controller, before a restart.
        drop(registry.register(Box::new(values.clone())));
        Self {
            values,
            known: Arc::default(),
        }
    }

    /// Sets the value of an object.
    pub fn set(&self, key: &ObjectKey, value: usize) {
        let labels = [key.namespace(), key.name()];
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        self.values.with_label_values(&labels).set(value);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(key.clone());
    }

    /// Removes the series of a deleted object.
    pub fn forget(&self, key: &ObjectKey) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.remove(key) {
            let labels = [key.namespace(), key.name()];
            drop(self.values.remove_label_values(&labels));
        }
    }
}
