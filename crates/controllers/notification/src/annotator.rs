//! Annotates the objects of a webhook, which requests their reconciliation.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use sluice_client::{Cluster, GroupVersionKind, ListOptions, PatchOptions};
use sluice_system::{Clock, blocking};

use crate::args::NAME;
use crate::metadata::metadata;
use crate::receiver::{Effect, FilterError, Filters, Selection, Storms, Target, patch};

/// Window in which further calls for an object are merged. One request follows at its end.
const STORM_WINDOW: Duration = Duration::from_secs(1);

/// Error of annotating the objects of a target.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AnnotateError {
    /// The object does not exist.
    #[error("unable to read {kind} '{name}': not found")]
    NotFound { kind: String, name: String },
    /// The API server refuses a request.
    #[error("unable to annotate {kind} '{name}'")]
    Request {
        kind: String,
        /// Namespace, and the name of a single object.
        name: String,
        source: sluice_client::Error,
    },
    /// A filter failed.
    #[error(transparent)]
    Filter(#[from] FilterError),
}

/// An object to reconcile.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Resource {
    gvk: GroupVersionKind,
    namespace: String,
    name: String,
}

pub(crate) struct Annotator {
    cluster: Cluster,
    clock: Arc<dyn Clock>,
    storms: Mutex<Storms<Resource>>,
}

impl Annotator {
    pub(crate) fn new(cluster: Cluster, clock: Arc<dyn Clock>) -> Self {
        Self {
            cluster,
            clock,
            storms: Mutex::new(Storms::new(STORM_WINDOW)),
        }
    }

    /// Requests the reconciliation of a target's objects. `index` is the entry with the filters
    /// that they must pass.
    pub(crate) async fn request(
        self: &Arc<Self>,
        target: &Target,
        filters: &Arc<Filters>,
        index: usize,
    ) -> Result<(), AnnotateError> {
        let gvk = GroupVersionKind::gvk(&target.group, &target.version, &target.kind);
        let resource = |name: &str| Resource {
            gvk: gvk.clone(),
            namespace: target.namespace.clone(),
            name: name.to_owned(),
        };
        let namespace = Some(target.namespace.as_str());
        match &target.selection {
            Selection::Name(name) => {
                let resource = resource(name);
                if !filters.is_empty(index) {
                    let read = metadata(&self.cluster, &gvk, namespace, name);
                    let found = read.await.map_err(|error| resource.failed(error))?;
                    let object = found.ok_or_else(|| resource.not_found())?;
                    let filters = Arc::clone(filters);
                    if !blocking(move || filters.accepts(index, &object)).await? {
                        return Ok(());
                    }
                }
                self.annotate(resource).await
            }
            Selection::Labels(labels) => {
                let pairs = labels.iter().map(|(key, value)| format!("{key}={value}"));
                let options = ListOptions {
                    labels: Some(pairs.collect::<Vec<_>>().join(",")),
                    metadata_only: true,
                    ..ListOptions::default()
                };
                let list = self.cluster.list(&gvk, namespace, &options).await;
                let list = list.map_err(|error| resource("*").failed(error))?;
                if list.items.is_empty() {
                    tracing::error!(
                        kind = target.kind,
                        namespace = target.namespace,
                        ?labels,
                        "no resources found with matching labels"
                    );
                }
                let filters = Arc::clone(filters);
                let (names, end) = blocking(move || filters.select(index, &list.items)).await;
                for name in names {
                    self.annotate(resource(&name)).await?;
                }
                Ok(end?)
            }
        }
    }

    /// Annotates an object now, or at the end of its window.
    async fn annotate(self: &Arc<Self>, resource: Resource) -> Result<(), AnnotateError> {
        let now = self.clock.now();
        let effect = self.storms().call(resource.clone(), now);
        match effect {
            Effect::Patch => {
                let patched = self.patch(&resource).await;
                if patched.is_err() {
                    self.storms().forget(&resource);
                }
                patched
            }
            Effect::Joined => Ok(()),
            Effect::Wait(time) => {
                let wait = Duration::try_from(time.duration_since(now)).unwrap_or_default();
                let annotator = Arc::clone(self);
                drop(sluice_system::spawn(async move {
                    tokio::time::sleep(wait).await;
                    let now = annotator.clock.now();
                    annotator.storms().finish(resource.clone(), now);
                    if let Err(error) = annotator.patch(&resource).await {
                        let error = sluice_golang::error::chain(&error);
                        tracing::error!(error, "unable to request reconciliation");
                    }
                }));
                Ok(())
            }
        }
    }

    async fn patch(&self, resource: &Resource) -> Result<(), AnnotateError> {
        let patch: Value = patch(self.clock.now());
        let namespace = Some(resource.namespace.as_str());
        let options = PatchOptions {
            field_manager: Some(NAME),
            ..PatchOptions::default()
        };
        let (gvk, name) = (&resource.gvk, &resource.name);
        let merged = self
            .cluster
            .merge(gvk, namespace, name, &patch, options)
            .await;
        match merged {
            Ok(_) => {
                let Resource { gvk, namespace, .. } = resource;
                tracing::info!("resource '{}/{name}.{namespace}' annotated", gvk.kind);
                Ok(())
            }
            Err(error) if error.is_not_found() => Err(resource.not_found()),
            Err(error) => Err(resource.failed(error)),
        }
    }

    fn storms(&self) -> MutexGuard<'_, Storms<Resource>> {
        self.storms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Resource {
    fn path(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }

    fn not_found(&self) -> AnnotateError {
        AnnotateError::NotFound {
            kind: self.gvk.kind.clone(),
            name: self.path(),
        }
    }

    fn failed(&self, source: sluice_client::Error) -> AnnotateError {
        AnnotateError::Request {
            kind: self.gvk.kind.clone(),
            name: self.path(),
            source,
        }
    }
}
