//! The objects that wait for a dependency, for the watches that wake them.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::join_all;
use sluice_client::typed::{HasStatus, NamespaceResourceScope, Resource};
use sluice_engine::{Kind, ObjectKey, Run};
use sluice_host::Component;
use sluice_system::blocking;

use crate::dependency::{self, Dependent, Expressions};
use crate::read::{ReadError, read};

/// The reason why an object waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmetDependency {
    /// The message of the first dependency that is not met.
    pub message: String,
    /// A dependency cycle through the object.
    pub cycle: Option<Vec<ObjectKey>>,
}

/// The objects with unmet dependencies. A watch only wakes them: their expressions are evaluated by
/// a run, because a watch serves all tenants.
///
/// An object is added before its dependencies are read. A dependency that becomes ready in between
/// then still wakes it.
#[derive(Debug, Clone, Default)]
pub struct WaitingObjects(Arc<Mutex<HashSet<ObjectKey>>>);

impl WaitingObjects {
    /// Adds an object and reads its dependencies. Returns the first that is not met.
    ///
    /// `revision` is the one that the object is about to apply.
    pub async fn find_unmet<D>(
        &self,
        component: &Component,
        run: &Run<D>,
        expressions: &Arc<Expressions>,
        revision: &str,
        is_additive: bool,
    ) -> Option<UnmetDependency>
    where
        D: Dependent + Kind + HasStatus + Resource<Scope = NamespaceResourceScope>,
    {
        let keys = dependency::of(run.object().as_ref());
        if keys.is_empty() {
            return None;
        }
        // Subscribes before the read: a dependency that becomes ready from here on wakes the
        // object.
        self.insert(run.key());
        // The watch may still show an edited dependency as ready, so the API server is read.
        let cluster = component.cluster();
        let found = join_all(keys.iter().map(|key| read::<D>(cluster, key))).await;
        let found = found.into_iter().map(|found| match found {
            Ok(found) => Ok(found.map(Arc::new)),
            Err(error) => Err(ReadError::new(&error)),
        });
        let found: Vec<_> = keys.into_iter().zip(found).collect();
        let (object, expressions) = (run.object(), Arc::clone(expressions));
        let revision = revision.to_owned();
        // Expressions compute for long, so they leave the threads of the runtime.
        let unmet = blocking(move || {
            let object = object.as_ref();
            dependency::all_unmet(object, &expressions, &found, &revision, is_additive).next()
        });
        let message = unmet.await?;
        let store = component.store::<D>();
        let of = |key: &ObjectKey| {
            let found = store.get(key);
            found.map_or_else(Vec::new, |found| dependency::of(found.as_ref()))
        };
        let cycle = dependency::cycle(run.key(), of);
        Some(UnmetDependency { message, cycle })
    }

    /// Adds an object, before its dependencies are read.
    fn insert(&self, key: &ObjectKey) {
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
