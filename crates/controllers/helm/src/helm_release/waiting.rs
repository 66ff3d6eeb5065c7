//! The releases that wait for a dependency, for the watches that wake them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sluice_consumer::Expressions;
use sluice_engine::ObjectKey;

/// The releases with unmet dependencies, each with its compiled `readyExpr` expressions.
/// They are compiled once per wait, not for each change of a dependency.
///
/// An object is added before its dependencies are read. A dependency that becomes ready in between
/// then still wakes it.
#[derive(Debug, Clone, Default)]
pub(super) struct WaitingObjects(Arc<Mutex<HashMap<ObjectKey, Arc<Expressions>>>>);

impl WaitingObjects {
    pub(super) fn insert(&self, key: &ObjectKey, expressions: &Arc<Expressions>) {
        self.lock().insert(key.clone(), Arc::clone(expressions));
    }

    pub(super) fn remove(&self, key: &ObjectKey) {
        self.lock().remove(key);
    }

    pub(super) fn contains(&self, key: &ObjectKey) -> bool {
        self.lock().contains_key(key)
    }

    pub(super) fn expressions(&self, key: &ObjectKey) -> Option<Arc<Expressions>> {
        self.lock().get(key).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ObjectKey, Arc<Expressions>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
