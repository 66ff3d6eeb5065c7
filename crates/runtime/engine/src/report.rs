//! The only writer of statuses, finalizers, events and metrics.
//!
//! One session per run writes status and finalizers, under the field manager of the controller. It
//! sends the smallest merge patch and keeps the conditions of other writers. Notices become
//! Kubernetes events, Flux events and log lines. The end of a run becomes metrics. An object that a
//! run publishes gets its status from [`apply_status`].

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::Api;
use kube::core::PartialObjectMeta;
use serde_json::{Map, Value};
use sluice_api::meta::status_manager;
use sluice_client::Cluster;
use sluice_system::Clock;
use tokio::sync::{Semaphore, SemaphorePermit};
use tracing::Span;

use crate::key::ObjectKey;
use crate::kind::Kind;
use crate::metrics::{KindMetrics, Metrics};
use crate::outcome::{Audience, Notice, Requeue, Severity};
use crate::queue::Next;
use crate::watch::Store;
use crate::watch::decode::strip_metadata;
use crate::watch::informer::Informer;

mod correlate;
pub mod events;
mod patch;
mod published;
mod session;
mod stalled;

pub use published::apply_status;
pub(crate) use session::Session;

use events::Events;

/// Concurrent progress writes of one kind. More of them would delay the more important writes.
const MAX_PROGRESS_WRITES: usize = 8;

/// Why a write failed.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The object is gone, or a new one has its name.
    #[error("the object is gone")]
    Gone,
    /// Other writers kept changing the object.
    #[error("the object was modified by others again and again")]
    Conflict,
    /// Any other failure.
    #[error(transparent)]
    Api(#[from] sluice_client::Error),
}

/// Logs a notice with its metadata as fields.
macro_rules! log_notice {
    ($level:ident, $notice:expr) => {
        tracing::$level!(spread = %log_fields(&$notice.metadata), "{}", $notice.message)
    };
}

/// The targets of reports. Cheap to clone.
#[derive(Clone)]
pub struct ReportSinks {
    /// The cluster of the reconciled objects.
    pub cluster: Cluster,
    /// Kubernetes events and Flux events.
    pub events: Arc<Events>,
    /// The metrics of the process.
    pub metrics: Metrics,
    /// The clock of conditions and events.
    pub clock: Arc<dyn Clock>,
}

impl ReportSinks {
    /// Emits a notice about an object outside of a run. [`crate::Run::notify`] is for runs.
    pub fn notify<K: Kind>(&self, object: &K, notice: Notice) {
        self.events.emit(object, notice, self.clock.now());
    }
}

/// The facts of a kind for its reports.
pub(crate) struct ReportedKind {
    /// The name of its controller.
    pub(crate) controller: String,
    pub(crate) finalizer: &'static str,
    /// The types of conditions that the controller owns.
    pub(crate) owned: Vec<&'static str>,
    pub(crate) metrics: KindMetrics,
}

/// Reports for one reconciled kind.
pub(crate) struct Reporter<K: Kind> {
    sinks: ReportSinks,
    controller: String,
    manager: String,
    finalizer: &'static str,
    owned: Vec<&'static str>,
    metrics: KindMetrics,
    informer: Arc<Informer<K>>,
    progress: Semaphore,
}

impl<K: Kind> Reporter<K> {
    pub(crate) fn new(
        component: &str,
        sinks: ReportSinks,
        informer: Arc<Informer<K>>,
        kind: ReportedKind,
    ) -> Self {
        let ReportedKind {
            controller,
            finalizer,
            owned,
            metrics,
        } = kind;
        Self {
            sinks,
            controller,
            manager: status_manager(component),
            finalizer,
            owned,
            metrics,
            informer,
            progress: Semaphore::new(MAX_PROGRESS_WRITES),
        }
    }

    /// Waits for the permit to write progress.
    async fn progress_permit(&self) -> Option<SemaphorePermit<'_>> {
        // It is never closed.
        self.progress.acquire().await.ok()
    }

    pub(crate) fn store(&self) -> &Store<K> {
        self.informer.store()
    }

    /// Stores a written object for later runs.
    pub(crate) fn update_store(&self, object: Arc<K>) {
        self.informer.update(object);
    }

    pub(crate) fn finalizer(&self) -> &'static str {
        self.finalizer
    }

    pub(crate) fn owned(&self) -> &[&'static str] {
        &self.owned
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.sinks.clock.now()
    }

    /// The log span of one run, with the fields of controller-runtime.
    pub(crate) fn span(&self, key: &ObjectKey, id: &str) -> Span {
        tracing::info_span!(
            "reconcile",
            controller = self.controller,
            controllerGroup = %K::group(&()),
            controllerKind = %K::kind(&()),
            namespace = key.namespace(),
            name = key.name(),
            reconcileID = id,
        )
    }

    /// Reports a notice about `object`.
    pub(crate) fn notify(&self, object: &K, notice: Notice) {
        let log_only = notice.audience == Audience::Log;
        match notice.severity {
            Severity::Error => log_notice!(error, notice),
            Severity::Info if notice.audience == Audience::Cluster => log_notice!(debug, notice),
            Severity::Info => log_notice!(info, notice),
        }
        if !log_only {
            self.sinks.events.emit(object, notice, self.now());
        }
    }

    /// Counts and logs the end of a run.
    pub(crate) fn ended(&self, key: &ObjectKey, requeue: &Requeue, lasted: Duration) {
        self.metrics.reconciled(requeue, lasted);
        self.metrics.observe_duration(key, lasted);
        if !self.store().contains(key) {
            // The object was deleted during the run, so its series must go.
            self.metrics.forget(key);
        }
        match requeue {
            Requeue::Backoff(failure)
            | Requeue::Stalled(failure)
            | Requeue::StalledInterval(failure, _) => {
                tracing::error!(error = %failure.message, "Reconciler error");
            }
            Requeue::Never | Requeue::Now | Requeue::After(_) | Requeue::Interval(_) => {}
        }
    }

    /// Counts and logs a run that panicked. The message goes to the log only, because it may quote
    /// anything.
    pub(crate) fn panicked(&self, key: &ObjectKey, message: &str) {
        self.metrics.panicked();
        tracing::error!(
            controller = self.controller,
            controllerKind = %K::kind(&()),
            namespace = key.namespace(),
            name = key.name(),
            error = %format!("panic: {message} [recovered]"),
            "Reconciler error"
        );
    }

    /// Drops the series of an object.
    pub(crate) fn forget(&self, key: &ObjectKey) {
        self.metrics.forget(key);
    }

    /// Reports on the object itself that it cannot be decoded. It is retried after an edit.
    pub(crate) async fn undecodable(&self, key: &ObjectKey, error: &str) -> Next {
        let message = format!("the object is not a valid {}: {error}", K::kind(&()));
        self.stalled(key, stalled::INVALID_OBJECT, message).await
    }

    /// Reports that the object does not run because it killed the process.
    pub(crate) async fn quarantined(&self, key: &ObjectKey, deaths: u32) -> Next {
        let message = format!(
            "the controller died {deaths} times while it reconciled this object; change the \
             object or request a reconciliation to try again"
        );
        self.stalled(key, stalled::QUARANTINED, message).await
    }

    /// Stalls an object that no reconciler sees.
    async fn stalled(&self, key: &ObjectKey, reason: &'static str, message: String) -> Next {
        match self.stall(key, reason, message).await {
            Ok(()) | Err(ReportError::Gone) => Next::Never,
            Err(failed) => {
                tracing::error!(object = %key, error = %sluice_golang::error::chain(&failed), "failed to report a stalled object");
                Next::Backoff
            }
        }
    }

    async fn stall(
        &self,
        key: &ObjectKey,
        reason: &'static str,
        message: String,
    ) -> Result<(), ReportError> {
        let request = kube::core::Request::new(K::url_path(&(), Some(key.namespace())));
        let request = request
            .get(key.name(), &kube::api::GetParams::default())
            .map_err(kube::Error::BuildRequest);
        let live: Value = match request {
            Ok(request) => self.sinks.cluster.client().request(request).await,
            Err(error) => Err(error),
        }
        .map_err(|error| self.failed("get", key, error))?;
        let Some(body) = stalled::patch(&live, reason, &message, self.now()) else {
            return Ok(());
        };
        tracing::error!(
            controller = self.controller,
            namespace = key.namespace(),
            name = key.name(),
            error = %message,
            "Reconciliation failed terminally"
        );
        let notice = Notice::error(reason, message);
        self.sinks
            .events
            .emit_about(stalled::involved(&live), notice, self.now());
        match self.patch(key, Some("status"), &body).await {
            // Its schema rejects every write, status included. The event and the log remain.
            Err(ReportError::Api(refused)) if refused.is_invalid() => Ok(()),
            written => written.map(drop),
        }
    }

    /// Sends a merge patch and returns the metadata of the object.
    async fn patch(
        &self,
        key: &ObjectKey,
        subresource: Option<&str>,
        body: &Value,
    ) -> Result<ObjectMeta, ReportError> {
        let action = if subresource.is_some() {
            "patch the status of"
        } else {
            "patch"
        };
        let params = kube::api::PatchParams {
            field_manager: Some(self.manager.clone()),
            ..Default::default()
        };
        let request = kube::core::Request::new(K::url_path(&(), Some(key.namespace())));
        let patch = kube::api::Patch::Merge(body);
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the one writer of statuses"
        )]
        let request = match subresource {
            Some(subresource) => {
                request.patch_subresource(subresource, key.name(), &params, &patch)
            }
            None => request.patch(key.name(), &params, &patch),
        };
        let mut request =
            request.map_err(|error| self.failed(action, key, kube::Error::BuildRequest(error)))?;
        request.headers_mut().insert(
            http::header::ACCEPT,
            http::HeaderValue::from_static(
                "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
            ),
        );
        let answer: Result<PartialObjectMeta<K>, _> =
            self.sinks.cluster.client().request(request).await;
        answer
            .map(|answer| answer.metadata)
            .map_err(|error| self.failed(action, key, error))
    }

    async fn get(&self, key: &ObjectKey) -> Result<K, ReportError> {
        let api: Api<K> = Api::namespaced(self.sinks.cluster.client().clone(), key.namespace());
        let found = api.get(key.name()).await;
        let mut object = found.map_err(|error| self.failed("get", key, error))?;
        strip_metadata(object.meta_mut());
        Ok(object)
    }

    fn failed(&self, action: &str, key: &ObjectKey, error: kube::Error) -> ReportError {
        if let kube::Error::Api(status) = &error {
            match status.code {
                404 => return ReportError::Gone,
                409 => return ReportError::Conflict,
                _ => {}
            }
        }
        ReportError::Api(
            self.sinks
                .cluster
                .error(format!("{action} {} {key}", K::kind(&())), error),
        )
    }
}

/// The metadata of a notice as log fields: keys without their group prefix.
fn log_fields(metadata: &BTreeMap<String, String>) -> String {
    let fields: Map<String, Value> = metadata
        .iter()
        .map(|(key, value)| {
            let name = key.rsplit_once('/').map_or(key.as_str(), |(_, name)| name);
            (name.to_owned(), Value::from(value.as_str()))
        })
        .collect();
    Value::Object(fields).to_string()
}
