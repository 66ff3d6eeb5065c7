//! The requests of actions, as Helm's client sends them.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sluice_apply::migrate;
use sluice_client::{
    Cluster as Client, DeleteOptions, Error, FieldValidation, GroupVersionKind, ListOptions,
    PatchOptions, PropagationPolicy, typed,
};
use sluice_helm::cluster::{Cluster, ClusterError, Goal, Propagation, WaitStrategy};
use sluice_object::strategic::three_way;
use sluice_object::{Object, merge};
use sluice_system::Clock;

use crate::capabilities::version;
use crate::error::{apply_error, display_object, mapping_error, namespace, request_error};
use crate::patch::merge_three_ways;
use crate::wait;

/// How often a request is sent that conflicts with another writer.
const MAX_ATTEMPTS: u32 = 5;
/// The pause before a request is sent again.
const RETRY_PAUSE: Duration = Duration::from_millis(10);

/// Receives the logs of hooks: namespace, pod, container, text.
pub type LogSink = Arc<dyn Fn(&str, &str, &str, &str) + Send + Sync>;

/// A cluster, on which actions act as one identity and one field manager.
#[derive(Clone)]
pub struct ReleaseCluster {
    client: Client,
    manager: String,
    clock: Arc<dyn Clock>,
    logs: Option<LogSink>,
}

impl fmt::Debug for ReleaseCluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReleaseCluster")
            .field("client", &self.client)
            .field("manager", &self.manager)
            .finish_non_exhaustive()
    }
}

impl ReleaseCluster {
    /// Acts on a cluster as a field manager.
    pub fn new(client: Client, manager: impl Into<String>, clock: Arc<dyn Clock>) -> Self {
        Self {
            client,
            manager: manager.into(),
            clock,
            logs: None,
        }
    }

    /// Hands the logs of hooks to a sink.
    #[must_use]
    pub fn with_logs(self, sink: LogSink) -> Self {
        Self {
            logs: Some(sink),
            ..self
        }
    }

    fn options(&self) -> PatchOptions<'_> {
        PatchOptions {
            field_manager: Some(&self.manager),
            ..PatchOptions::default()
        }
    }

    async fn live(&self, object: &Object) -> Result<Option<Object>, Error> {
        let found = self
            .client
            .get(&object.gvk(), namespace(object), object.name())
            .await?;
        Ok(found.and_then(|value| Object::try_from(value).ok()))
    }

    /// The live object of a request that needs one.
    async fn require_live(&self, object: &Object) -> Result<Object, ClusterError> {
        let live = self.live(object).await;
        let live = live.map_err(|error| request_error(&error))?;
        live.ok_or_else(|| not_found(object))
    }
}

fn not_found(object: &Object) -> ClusterError {
    let (kind, name) = (object.kind().to_lowercase(), object.name());
    ClusterError::NotFound(format!("{kind}s {name:?} not found"))
}

/// Sends a request again that conflicts with another writer.
async fn retry<T, F: Future<Output = Result<T, Error>>>(
    mut request: impl FnMut() -> F,
    is_retried: impl Fn(&Error) -> bool,
) -> Result<T, Error> {
    let mut attempt = 1;
    loop {
        match request().await {
            Err(error) if attempt < MAX_ATTEMPTS && is_retried(&error) => {
                attempt += 1;
                tokio::time::sleep(RETRY_PAUSE).await;
            }
            done => return done,
        }
    }
}

/// Whether a quota changed during the admission of an object.
fn is_quota_conflict(error: &Error) -> bool {
    let text = error.message();
    error.is_conflict()
        && text.contains("Operation cannot be fulfilled on resourcequotas")
        && text.contains("the object has been modified")
}

#[async_trait]
impl Cluster for ReleaseCluster {
    async fn reach(&self) -> Result<(), ClusterError> {
        let reached = version(&self.client).await;
        reached.map(drop).map_err(|error| {
            let text = error.message();
            ClusterError::Failed(format!("kubernetes cluster unreachable: {text}"))
        })
    }

    async fn is_namespaced(&self, object: &Object) -> Result<bool, ClusterError> {
        let found = self.client.resolve(&object.gvk()).await;
        let found = found.map_err(|error| mapping_error(object, &error))?;
        Ok(found.namespaced)
    }

    /// Nothing to do: every supported API server validates the fields of each request, and Helm's
    /// client leaves it to such a server.
    async fn validate(&self, _objects: &[Object]) -> Result<(), ClusterError> {
        Ok(())
    }

    async fn get(&self, object: &Object) -> Result<Option<Object>, ClusterError> {
        let live = self.live(object).await;
        live.map_err(|error| request_error(&error))
    }

    async fn create(&self, object: &Object) -> Result<(), ClusterError> {
        let (gvk, body) = (object.gvk(), object.to_value());
        let request = || {
            let options = self.options();
            self.client.create(&gvk, namespace(object), &body, options)
        };
        let created = retry(request, Error::is_conflict).await;
        created.map(drop).map_err(|error| request_error(&error))
    }

    async fn apply(&self, object: &Object, force: bool) -> Result<(), ClusterError> {
        let (gvk, body) = (object.gvk(), object.to_value());
        let request = || {
            let options = PatchOptions {
                force,
                field_validation: Some(FieldValidation::Strict),
                ..self.options()
            };
            let name = object.name();
            self.client
                .apply(&gvk, namespace(object), name, &body, options)
        };
        let applied = retry(request, is_quota_conflict).await;
        applied
            .map(drop)
            .map_err(|error| apply_error(object, &error))
    }

    async fn migrate(&self, object: &Object) -> Result<bool, ClusterError> {
        let shown = display_object(object);
        let mut attempt = 1;
        loop {
            let live = self.require_live(object).await.map_err(|error| {
                ClusterError::Failed(format!("failed to get object {shown}: {error}"))
            })?;
            let Some(patch) = migrate::client_side_patch(&live, &self.manager) else {
                return Ok(false);
            };
            let options = PatchOptions {
                field_validation: Some(FieldValidation::Strict),
                ..self.options()
            };
            let (gvk, name) = (object.gvk(), object.name());
            let patched = self
                .client
                .json_patch(&gvk, namespace(object), name, &patch, options)
                .await;
            match patched {
                Ok(_) => return Ok(true),
                Err(error) if error.is_conflict() && attempt < MAX_ATTEMPTS => attempt += 1,
                Err(error) if error.is_conflict() => return Err(request_error(&error)),
                Err(error) => {
                    let text = error.message();
                    return Err(ClusterError::Failed(format!(
                        "failed to patch object to upgrade CSA field manager {shown}: {text}"
                    )));
                }
            }
            tokio::time::sleep(RETRY_PAUSE).await;
        }
    }

    async fn replace(&self, object: &Object) -> Result<(), ClusterError> {
        let live = self.require_live(object).await?;
        let mut object = object.clone();
        if let Some(version) = live.resource_version() {
            let metadata = object.metadata_mut();
            metadata.insert("resourceVersion".into(), version.into());
        }
        let options = PatchOptions {
            field_validation: Some(FieldValidation::Strict),
            ..self.options()
        };
        let (gvk, body) = (object.gvk(), object.to_value());
        let replaced = self
            .client
            .replace(&gvk, namespace(&object), object.name(), &body, options)
            .await;
        replaced.map(drop).map_err(|error| request_error(&error))
    }

    async fn patch(
        &self,
        original: &Object,
        target: &Object,
        is_three_way: bool,
    ) -> Result<(), ClusterError> {
        let live = self
            .require_live(target)
            .await
            .map_err(|error| ClusterError::Failed(format!("failed to create patch: {error}")))?;
        let (original, wanted) = (original.to_value(), target.to_value());
        let (gvk, name, options) = (target.gvk(), target.name(), self.options());
        if three_way::is_builtin(target.api_version(), target.kind()) {
            let patch = three_way::three_way(&original, &wanted, &live.to_value());
            let patch = patch.map_err(|error| {
                ClusterError::Failed(format!("failed to create patch: {error}"))
            })?;
            let Some(patch) = patch else { return Ok(()) };
            let patched = self
                .client
                .strategic_merge(&gvk, namespace(target), name, &patch, options)
                .await;
            return patched.map(drop).map_err(|error| request_error(&error));
        }
        let patch = if is_three_way {
            merge_three_ways(&original, &wanted, &live.to_value())
        } else {
            merge::diff(&original, &wanted)
        };
        let Some(patch) = patch else { return Ok(()) };
        let patched = self
            .client
            .merge(&gvk, namespace(target), name, &patch, options)
            .await;
        patched.map(drop).map_err(|error| request_error(&error))
    }

    async fn delete(&self, object: &Object, propagation: Propagation) -> Result<(), ClusterError> {
        let propagation = match propagation {
            Propagation::Background => PropagationPolicy::Background,
            Propagation::Foreground => PropagationPolicy::Foreground,
            Propagation::Orphan => PropagationPolicy::Orphan,
        };
        let options = DeleteOptions {
            propagation: Some(propagation),
            ..DeleteOptions::default()
        };
        let gvk = object.gvk();
        let request = || {
            self.client
                .delete(&gvk, namespace(object), object.name(), &options)
        };
        match retry(request, Error::is_conflict).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(not_found(object)),
            Err(error) => Err(request_error(&error)),
        }
    }

    async fn wait(
        &self,
        objects: &[Object],
        goal: Goal,
        strategy: WaitStrategy,
        timeout: Duration,
    ) -> Result<(), ClusterError> {
        match (strategy, goal) {
            (WaitStrategy::HookOnly, Goal::Ready | Goal::ReadyWithJobs | Goal::Deleted) => Ok(()),
            (WaitStrategy::Legacy, _) => wait::legacy(&self.client, objects, goal, timeout).await,
            (WaitStrategy::Watcher | WaitStrategy::HookOnly, _) => {
                wait::watch(&self.client, &*self.clock, objects, goal, timeout).await
            }
        }
    }

    async fn logs(&self, namespace: &str, kind: &str, name: &str) -> Result<(), ClusterError> {
        let Some(sink) = &self.logs else {
            return Ok(());
        };
        let mut options = ListOptions::default();
        match kind {
            "Job" => options.labels = Some(format!("job-name={name}")),
            _ => options.fields = Some(format!("metadata.name={name}")),
        }
        let pods = GroupVersionKind::gvk("", "v1", "Pod");
        let pods = self.client.list(&pods, Some(namespace), &options).await;
        let pods = pods.map_err(|error| {
            let text = error.message();
            ClusterError::Failed(format!("failed to get pod list with options: {text}"))
        })?;
        for pod in pods.items {
            let pod_name = pod["metadata"]["name"].as_str().unwrap_or_default();
            let containers = pod["spec"]["containers"].as_array().into_iter().flatten();
            for container in containers.filter_map(|container| container["name"].as_str()) {
                let text = self.log(namespace, pod_name, container).await?;
                sink(namespace, pod_name, container, &text);
            }
        }
        Ok(())
    }

    async fn forget_kinds(&self) {
        self.client.invalidate_discovery();
    }
}

impl ReleaseCluster {
    async fn log(
        &self,
        namespace: &str,
        pod: &str,
        container: &str,
    ) -> Result<String, ClusterError> {
        let failed = |text: String| {
            ClusterError::Failed(format!(
                "failed to get logs of container {container} of pod {pod}: {text}"
            ))
        };
        let client = self.client.client().clone();
        let text = match typed::namespaced(client, namespace) {
            Ok(pods) => typed::get_log(&pods, pod, container).await,
            Err(error) => Err(error),
        };
        text.map_err(|error| {
            let error = self.client.error(format!("read the logs of {pod}"), error);
            failed(error.message())
        })
    }
}
