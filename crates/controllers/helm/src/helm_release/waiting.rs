//! The releases that wait for a dependency, for the watches that wake them.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sluice_engine::ObjectKey;

/// The releases with unmet dependencies. A watch only wakes them: their expressions are
/// evaluated by a run, because a watch serves all tenants.
///
/// An object is added before its dependencies are read. A dependency that becomes ready in between
/// then still wakes it.
#[derive(Debug, Clone, Default)]
pub(super) struct WaitingObjects(Arc<Mutex<HashSet<ObjectKey>>>);

impl WaitingObjects {
    pub(super) fn insert(&self, key: &ObjectKey) {
        self.lock().insert(key.clone());
    }

    pub(super) fn remove(&self, key: &ObjectKey) {
        self.lock().remove(key);
    }

    pub(super) fn contains(&self, key: &ObjectKey) -> bool {
        self.lock().contains(key)
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<ObjectKey>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
