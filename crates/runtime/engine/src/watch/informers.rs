//! All watches of the process: one per kind, namespace and selector.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sluice_client::Cluster;
use tokio_util::sync::CancellationToken;

use super::informer::Informer;
use super::store::Store;
use super::supervise::{WatchHealth, supervise};
use crate::kind::Watchable;

/// All watches of the process. Cheap to clone.
#[derive(Clone)]
pub struct Informers {
    inner: Arc<Inner>,
}

struct Inner {
    cluster: Cluster,
    stop: CancellationToken,
    by_scope: Mutex<HashMap<Scope, Arc<dyn Any + Send + Sync>>>,
    /// The started watches, each with its kind.
    started: Mutex<Vec<(String, Arc<WatchHealth>)>>,
}

/// Identifies a watch.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Scope {
    kind: TypeId,
    namespace: Option<String>,
    selector: Option<String>,
}

impl Informers {
    /// Watches a cluster until `stop` is cancelled.
    pub fn new(cluster: Cluster, stop: CancellationToken) -> Self {
        Self {
            inner: Arc::new(Inner {
                cluster,
                stop,
                by_scope: Mutex::default(),
                started: Mutex::default(),
            }),
        }
    }

    /// The store of a started watch that has its first snapshot; starts the watch if needed.
    pub fn synced_store<S: Watchable>(&self, namespace: Option<&str>) -> Option<Store<S>> {
        let informer = self.get::<S>(namespace, None);
        self.start(&informer, namespace, None);
        informer.is_synced().then(|| informer.store().clone())
    }

    /// Starts a watch if needed, and resolves when its first snapshot is in the store.
    pub async fn synced<S: Watchable>(&self, namespace: Option<&str>) {
        let informer = self.get::<S>(namespace, None);
        self.start(&informer, namespace, None);
        informer.synced().await;
    }

    /// The kinds whose watch panicked and has not caught up. The process is not ready while there
    /// are any.
    pub fn broken_kinds(&self) -> Vec<String> {
        let started = self.started();
        let broken = started.iter().filter(|(_, health)| health.is_broken());
        broken.map(|(kind, _)| kind.clone()).collect()
    }

    pub(crate) fn get<S: Watchable>(
        &self,
        namespace: Option<&str>,
        selector: Option<String>,
    ) -> Arc<Informer<S>> {
        let scope = Scope {
            kind: TypeId::of::<S>(),
            namespace: namespace.map(str::to_owned),
            selector,
        };
        let mut by_scope = self
            .inner
            .by_scope
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let informer = by_scope
            .entry(scope)
            .or_insert_with(|| Informer::<S>::new());
        Arc::clone(informer)
            .downcast()
            .expect("an informer is stored under the type of its objects")
    }

    pub(crate) fn start<S: Watchable>(
        &self,
        informer: &Arc<Informer<S>>,
        namespace: Option<&str>,
        selector: Option<String>,
    ) {
        if !informer.claim() {
            return;
        }
        let (cluster, namespace) = (self.inner.cluster.clone(), namespace.map(str::to_owned));
        let (informer, stop) = (Arc::clone(informer), self.inner.stop.clone());
        let (kind, health) = (S::kind(&()).into_owned(), Arc::clone(informer.health()));
        self.started().push((kind.clone(), Arc::clone(&health)));
        drop(sluice_system::spawn(async move {
            let watch = || {
                let (cluster, namespace) = (cluster.clone(), namespace.clone());
                Arc::clone(&informer).run(cluster, namespace, selector.clone(), stop.clone())
            };
            tokio::select! {
                () = supervise(&kind, &health, watch) => {}
                () = stop.cancelled() => {}
            }
        }));
    }

    fn started(&self) -> MutexGuard<'_, Vec<(String, Arc<WatchHealth>)>> {
        self.inner
            .started
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
