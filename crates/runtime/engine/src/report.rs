//! The one reporter: everything that leaves a run.
//!
//! Status and finalizers are written by one session per run, under the field manager
//! `gotk-<controller>`, as the smallest merge patch and never over somebody else's
//! conditions. Notices become Kubernetes events, Flux events and log lines; the end
//! of a run becomes metrics. No other module of any controller writes any of these,
//! so the order in which users see things is decided here, once.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::Api;
use kube::core::PartialObjectMeta;
use serde_json::Value;
use sluice_api::meta::STATUS_MANAGER_PREFIX;
use tokio::sync::{Semaphore, SemaphorePermit};
use tracing::Span;

use crate::component::Component;
use crate::key::ObjectKey;
use crate::kind::Kind;
use crate::metrics::KindMetrics;
use crate::queue::Next;
use crate::reconcile::{Audience, Notice, Requeue, Severity};
use crate::watch::Store;
use crate::watch::decode::strip_metadata;
use crate::watch::informer::Informer;

mod correlate;
pub(crate) mod events;
mod patch;
mod session;
mod undecodable;

pub(crate) use session::Session;

/// Objects of one kind whose progress is written at once. Where a thousand runs have something to
/// show in one moment, each write of it slows down those that matter.
const SHOWN_AT_ONCE: usize = 8;

/// Why something could not be reported.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The object does not exist any more, or another one has its name.
    #[error("the object is gone")]
    Gone,
    /// Somebody else kept writing.
    #[error("the object was modified by others again and again")]
    Conflict,
    /// Anything else.
    #[error(transparent)]
    Api(#[from] sluice_client::Error),
}

/// Logs a notice with its metadata as fields; levels are part of the macro's name.
macro_rules! log_notice {
    ($level:ident, $notice:expr) => {
        tracing::$level!(spread = %crate::log::facts(&$notice.metadata), "{}", $notice.message)
    };
}

/// Reports for one reconciled kind.
pub(crate) struct Reporter<K: Kind> {
    component: Component,
    controller: String,
    manager: String,
    owned: &'static [&'static str],
    metrics: KindMetrics,
    informer: Arc<Informer<K>>,
    showing: Semaphore,
}

impl<K: Kind> Reporter<K> {
    pub(crate) fn new(
        component: &Component,
        controller: String,
        owned: &'static [&'static str],
        metrics: KindMetrics,
        informer: Arc<Informer<K>>,
    ) -> Self {
        Self {
            component: component.clone(),
            controller,
            manager: format!("{STATUS_MANAGER_PREFIX}{}", component.name()),
            owned,
            metrics,
            informer,
            showing: Semaphore::new(SHOWN_AT_ONCE),
        }
    }

    /// Waits until fewer others show their progress.
    async fn turn_to_show(&self) -> Option<SemaphorePermit<'_>> {
        // It is never closed.
        self.showing.acquire().await.ok()
    }

    pub(crate) fn store(&self) -> &Store<K> {
        self.informer.store()
    }

    /// Lets later runs see what was written.
    pub(crate) fn wrote(&self, object: Arc<K>) {
        self.informer.update(object);
    }

    pub(crate) fn owned(&self) -> &'static [&'static str] {
        self.owned
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.component.clock().now()
    }

    /// The log span of one run: its fields are on every line of the run, in the shape
    /// controller-runtime gives them.
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
            self.component.events().emit(object, notice, self.now());
        }
    }

    /// Counts and logs the end of a run.
    pub(crate) fn ended(&self, key: &ObjectKey, requeue: &Requeue, lasted: Duration) {
        self.metrics.reconciled(requeue, lasted);
        self.metrics.observe_duration(key, lasted);
        if !self.store().contains(key) {
            // It went while it ran: its series would stay for ever.
            self.metrics.forget(key);
        }
        match requeue {
            Requeue::Backoff(failure) | Requeue::Stalled(failure) => {
                tracing::error!(error = %failure.message, "Reconciler error");
            }
            Requeue::Never | Requeue::Now | Requeue::After(_) | Requeue::Interval(_) => {}
        }
    }

    /// Counts and logs a run that panicked. The text goes to the log only: it may
    /// quote anything.
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

    /// Drops what is kept per object.
    pub(crate) fn forget(&self, key: &ObjectKey) {
        self.metrics.forget(key);
    }

    /// Tells on the object itself that it cannot be read: nothing retries it until it
    /// is edited, and the others of its kind go on.
    pub(crate) async fn undecodable(&self, key: &ObjectKey, error: &str) -> Next {
        match self.stall(key, error).await {
            Ok(()) | Err(ReportError::Gone) => Next::Never,
            Err(failed) => {
                tracing::error!(object = %key, error = %sluice_golang::error::chain(&failed), "undecodable object could not be reported");
                Next::Backoff
            }
        }
    }

    async fn stall(&self, key: &ObjectKey, error: &str) -> Result<(), ReportError> {
        let request = kube::core::Request::new(K::url_path(&(), Some(key.namespace())));
        let request = request
            .get(key.name(), &kube::api::GetParams::default())
            .map_err(kube::Error::BuildRequest);
        let live: Value = match request {
            Ok(request) => self.component.cluster().client().request(request).await,
            Err(error) => Err(error),
        }
        .map_err(|error| self.failed("get", key, error))?;
        let message = format!("the object is not a valid {}: {error}", K::kind(&()));
        let Some(body) = undecodable::stalled(&live, &message, self.now()) else {
            return Ok(());
        };
        tracing::error!(
            controller = self.controller,
            namespace = key.namespace(),
            name = key.name(),
            error = %message,
            "Reconciliation failed terminally"
        );
        let notice = Notice::error(undecodable::REASON, message);
        self.component
            .events()
            .emit_about(undecodable::involved(&live), notice, self.now());
        match self.patch(key, Some("status"), &body).await {
            // So malformed that its schema refuses any write to it, status included:
            // the event and the log have to do.
            Err(ReportError::Api(refused)) if refused.is_invalid() => Ok(()),
            written => written.map(drop),
        }
    }

    /// Sends a merge patch and answers with metadata only: the rest is what we sent.
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
            self.component.cluster().client().request(request).await;
        answer
            .map(|answer| answer.metadata)
            .map_err(|error| self.failed(action, key, error))
    }

    async fn get(&self, key: &ObjectKey) -> Result<K, ReportError> {
        let api: Api<K> =
            Api::namespaced(self.component.cluster().client().clone(), key.namespace());
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
            self.component
                .cluster()
                .error(format!("{action} {} {key}", K::kind(&())), error),
        )
    }
}
