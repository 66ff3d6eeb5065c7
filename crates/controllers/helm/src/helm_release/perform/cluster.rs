//! The cluster of an action: its waits hold no worker, and end when the run is superseded or the
//! process stops.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use sluice_api::helm::HelmRelease;
use sluice_apply::{WaitError, WaitOptions, WaitTarget};
use sluice_engine::Run;
use sluice_helm::cluster::{Cluster, ClusterError, Goal, Propagation, WaitStrategy};
use sluice_helm::{LogLine, wait};
use sluice_object::Object;

use super::log::LogBuffer;
use crate::helm_release::session::Session;

/// The cluster of an action.
pub(super) struct ActionCluster<'a> {
    session: &'a Session,
    run: &'a Run<HelmRelease>,
    /// Whether a new request ends a wait.
    cancels_waits: bool,
    superseded_by: Mutex<Option<String>>,
    is_stopped: AtomicBool,
    log: LogBuffer,
}

impl<'a> ActionCluster<'a> {
    pub(super) fn new(
        session: &'a Session,
        run: &'a Run<HelmRelease>,
        cancels_waits: bool,
    ) -> Self {
        Self {
            session,
            run,
            cancels_waits,
            superseded_by: Mutex::default(),
            is_stopped: AtomicBool::new(false),
            log: LogBuffer::new(Arc::clone(session.clock())),
        }
    }

    /// The last lines that Helm has logged.
    pub(super) fn log_text(&self) -> String {
        self.log.text()
    }

    /// The object whose request has ended a wait.
    pub(super) fn superseded_by(&self) -> Option<String> {
        let superseded = self.superseded_by.lock();
        superseded.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether the end of the process has ended a wait.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Waits by watches until objects are ready or gone, with the texts of Flux.
    async fn watch(
        &self,
        objects: &[Object],
        goal: Goal,
        timeout: Duration,
    ) -> Result<(), ClusterError> {
        let is_awaited = |object: &&Object| match goal {
            Goal::Deleted => true,
            // Without a wait for completion, a job counts as ready.
            Goal::Ready => wait::is_awaited(object) && !object.is("batch", "Job"),
            _ => wait::is_awaited(object),
        };
        let targets = objects.iter().filter(is_awaited).map(|object| {
            let mut target = WaitTarget::new(object.id(), object.version());
            let ttl = object.at(&["spec", "ttlSecondsAfterFinished"]);
            target.expires = object.is("batch", "Job") && ttl.is_some();
            target
        });
        let targets: Vec<WaitTarget> = targets.collect();
        if targets.is_empty() {
            return Ok(());
        }
        let applier = &self.session.applier;
        let options = WaitOptions {
            timeout,
            fail_fast: goal != Goal::Deleted,
        };
        let waited = if goal == Goal::Deleted {
            applier.wait_gone(targets, options).await
        } else {
            let never = std::future::pending();
            applier.wait(targets, options, never).await
        };
        waited.map_err(|error| match error {
            WaitError::Cancelled => ClusterError::Cancelled,
            error => ClusterError::Failed(error.to_string()),
        })
    }
}

#[async_trait]
impl Cluster for ActionCluster<'_> {
    async fn reach(&self) -> Result<(), ClusterError> {
        self.session.cluster.reach().await
    }

    async fn is_namespaced(&self, object: &Object) -> Result<bool, ClusterError> {
        self.session.cluster.is_namespaced(object).await
    }

    async fn validate(&self, objects: &[Object]) -> Result<(), ClusterError> {
        self.session.cluster.validate(objects).await
    }

    async fn get(&self, object: &Object) -> Result<Option<Object>, ClusterError> {
        self.session.cluster.get(object).await
    }

    async fn create(&self, object: &Object) -> Result<(), ClusterError> {
        self.session.cluster.create(object).await
    }

    async fn apply(&self, object: &Object, force: bool) -> Result<(), ClusterError> {
        self.session.cluster.apply(object, force).await
    }

    async fn migrate(&self, object: &Object) -> Result<bool, ClusterError> {
        self.session.cluster.migrate(object).await
    }

    async fn replace(&self, object: &Object) -> Result<(), ClusterError> {
        self.session.cluster.replace(object).await
    }

    async fn patch(
        &self,
        original: &Object,
        target: &Object,
        three_way: bool,
    ) -> Result<(), ClusterError> {
        self.session
            .cluster
            .patch(original, target, three_way)
            .await
    }

    async fn delete(&self, object: &Object, propagation: Propagation) -> Result<(), ClusterError> {
        self.session.cluster.delete(object, propagation).await
    }

    async fn wait(
        &self,
        objects: &[Object],
        goal: Goal,
        strategy: WaitStrategy,
        timeout: Duration,
    ) -> Result<(), ClusterError> {
        if strategy == WaitStrategy::HookOnly && goal != Goal::HookDone {
            return Ok(());
        }
        let wait = async {
            match (strategy, goal) {
                (WaitStrategy::Legacy, _) | (_, Goal::HookDone) => {
                    let cluster = &self.session.cluster;
                    cluster.wait(objects, goal, strategy, timeout).await
                }
                _ => self.watch(objects, goal, timeout).await,
            }
        };
        // A stopped wait fails the action, so that no record stays pending.
        let wait = async {
            let waited = self.run.release_until_drain(wait).await;
            waited.unwrap_or_else(|| {
                self.is_stopped.store(true, Ordering::Relaxed);
                Err(ClusterError::Cancelled)
            })
        };
        // Hooks may be migrations of data, which are not interrupted.
        let is_cancelled = self.cancels_waits && matches!(goal, Goal::Ready | Goal::ReadyWithJobs);
        tokio::select! {
            waited = wait => waited,
            origin = self.run.superseded(), if is_cancelled => {
                let mut superseded = self.superseded_by.lock();
                let superseded = superseded.as_deref_mut().ok();
                if let Some(superseded) = superseded {
                    *superseded = Some(origin.to_string());
                }
                Err(ClusterError::Cancelled)
            }
        }
    }

    async fn logs(&self, namespace: &str, kind: &str, name: &str) -> Result<(), ClusterError> {
        self.session.cluster.logs(namespace, kind, name).await
    }

    async fn forget_kinds(&self) {
        self.session.cluster.forget_kinds().await;
    }

    fn log(&self, line: LogLine) {
        tracing::debug!("{line}");
        self.log.add(line.to_string());
    }
}
