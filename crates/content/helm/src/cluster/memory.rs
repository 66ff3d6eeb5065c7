//! A cluster in memory, which records the requests.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use sluice_object::Object;

use super::{Cluster, ClusterError, Goal, Propagation, WaitStrategy};
use crate::log::LogLine;

/// Kinds without a namespace.
const CLUSTER_KINDS: [&str; 6] = [
    "Namespace",
    "CustomResourceDefinition",
    "ClusterRole",
    "ClusterRoleBinding",
    "PriorityClass",
    "StorageClass",
];

#[derive(Debug, Default)]
struct State {
    objects: BTreeMap<String, Object>,
    requests: Vec<String>,
    log: Vec<String>,
    failures: HashMap<String, ClusterError>,
}

/// A cluster in memory. Each object is ready as soon as it exists.
#[derive(Debug, Default)]
pub struct MemoryCluster {
    state: Mutex<State>,
}

impl MemoryCluster {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an object that others have made.
    pub fn insert(&self, object: Object) {
        self.state().objects.insert(key(&object), object);
    }

    /// Lets a request fail, such as `wait Ready` or `apply ConfigMap/apps/web`.
    pub fn fail(&self, request: &str, error: ClusterError) {
        self.state().failures.insert(request.to_owned(), error);
    }

    /// Lets all requests succeed again.
    pub fn clear_failures(&self) {
        self.state().failures.clear();
    }

    /// The requests since the last call, without reads.
    pub fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut self.state().requests)
    }

    /// The lines since the last call that Helm logs.
    pub fn take_log(&self) -> Vec<String> {
        std::mem::take(&mut self.state().log)
    }

    /// The names of all objects.
    pub fn names(&self) -> Vec<String> {
        self.state().objects.keys().cloned().collect()
    }

    fn begin(&self, request: String) -> Result<MutexGuard<'_, State>, ClusterError> {
        let mut state = self.state();
        let failure = state.failures.get(&request).cloned();
        state.requests.push(request);
        failure.map_or(Ok(state), Err)
    }
}

fn key(object: &Object) -> String {
    let (kind, namespace, name) = (object.kind(), object.namespace(), object.name());
    format!("{kind}/{namespace}/{name}")
}

fn not_found(object: &Object) -> ClusterError {
    let kind = object.kind().to_lowercase();
    ClusterError::NotFound(format!("{kind}s {:?} not found", object.name()))
}

#[async_trait]
impl Cluster for MemoryCluster {
    async fn reach(&self) -> Result<(), ClusterError> {
        let state = self.state();
        state.failures.get("reach").cloned().map_or(Ok(()), Err)
    }

    async fn is_namespaced(&self, object: &Object) -> Result<bool, ClusterError> {
        Ok(!CLUSTER_KINDS.contains(&object.kind()))
    }

    async fn validate(&self, objects: &[Object]) -> Result<(), ClusterError> {
        let state = self.state();
        let mut names = objects
            .iter()
            .map(|object| format!("validate {}", key(object)));
        let failure = names.find_map(|name| state.failures.get(&name).cloned());
        failure.map_or(Ok(()), Err)
    }

    async fn get(&self, object: &Object) -> Result<Option<Object>, ClusterError> {
        Ok(self.state().objects.get(&key(object)).cloned())
    }

    async fn create(&self, object: &Object) -> Result<(), ClusterError> {
        let key = key(object);
        let mut state = self.begin(format!("create {key}"))?;
        if state.objects.contains_key(&key) {
            let kind = object.kind().to_lowercase();
            let text = format!("{kind}s {:?} already exists", object.name());
            return Err(ClusterError::Exists(text));
        }
        state.objects.insert(key, object.clone());
        Ok(())
    }

    async fn apply(&self, object: &Object, force: bool) -> Result<(), ClusterError> {
        let key = key(object);
        let forced = if force { " forced" } else { "" };
        let mut state = self.begin(format!("apply {key}{forced}"))?;
        state.objects.insert(key, object.clone());
        Ok(())
    }

    async fn migrate(&self, object: &Object) -> Result<bool, ClusterError> {
        self.begin(format!("migrate {}", key(object)))
            .map(|_| false)
    }

    async fn replace(&self, object: &Object) -> Result<(), ClusterError> {
        let key = key(object);
        let mut state = self.begin(format!("replace {key}"))?;
        state.objects.insert(key, object.clone());
        Ok(())
    }

    async fn patch(
        &self,
        _original: &Object,
        target: &Object,
        three_way: bool,
    ) -> Result<(), ClusterError> {
        let key = key(target);
        let ways = if three_way { " three ways" } else { "" };
        let mut state = self.begin(format!("patch {key}{ways}"))?;
        state.objects.insert(key, target.clone());
        Ok(())
    }

    async fn delete(&self, object: &Object, propagation: Propagation) -> Result<(), ClusterError> {
        let key = key(object);
        let how = match propagation {
            Propagation::Background => "",
            Propagation::Foreground => " foreground",
            Propagation::Orphan => " orphan",
        };
        let mut state = self.begin(format!("delete {key}{how}"))?;
        let removed = state.objects.remove(&key);
        removed.map(|_| ()).ok_or_else(|| not_found(object))
    }

    async fn wait(
        &self,
        _objects: &[Object],
        goal: Goal,
        _strategy: WaitStrategy,
        _timeout: Duration,
    ) -> Result<(), ClusterError> {
        let result = self.begin(format!("wait {goal:?}")).map(|_| ());
        if result == Err(ClusterError::Cancelled) {
            // A wait without an end, which only a cancellation stops.
            std::future::pending::<()>().await;
        }
        result
    }

    async fn logs(&self, namespace: &str, kind: &str, name: &str) -> Result<(), ClusterError> {
        let request = format!("logs {kind}/{namespace}/{name}");
        self.begin(request).map(|_| ())
    }

    async fn forget_kinds(&self) {}

    fn log(&self, line: LogLine) {
        self.state().log.push(line.to_string());
    }
}
