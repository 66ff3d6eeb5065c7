//! The objects that wait for a dependency, for the watches that wake them.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sluice_engine::ObjectKey;

/// The objects with unmet dependencies. A watch only wakes them: their expressions are evaluated by a
/// run, because a watch serves all tenants.
///
/// An object is added before its dependencies are read. A dependency that becomes ready in between
/// then still wakes it.
#[derive(Debug, Clone, Default)]
pub struct WaitingObjects(Arc<Mutex<HashSet<ObjectKey>>>);

impl WaitingObjects {
    /// Adds an object, before its dependencies are read.
    pub fn insert(&self, key: &ObjectKey) {
        self.lock().insert(key.clone());
    }

    /// Removes an object.
    pub fn remove(&self, key: &ObjectKey) {
        self.lock().remove(key);
    }

    /// Whether an object waits.
    pub fn contains(&self, key: &ObjectKey) -> bool {
        self.lock().contains(key)
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<ObjectKey>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
