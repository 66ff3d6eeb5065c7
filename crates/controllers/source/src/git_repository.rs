//! `GitRepository`: packs one commit of a Git repository as an artifact.
//!
//! A run resolves the reference at the remote. It fetches a new commit into
//! a bare store and packs its tree straight from the objects, without a checkout on disk.
//!
//! ```text
//! spec      the parsed spec                                             pure
//! model     the steps, and the facts that they find                     data
//! plan      tidy, connect, read inputs, resolve, fetch, verify, pack    pure
//! observe   Secrets, includes and the remote                            reads only
//! perform   one step
//! conclude  status, notices and requeue from the facts                  pure
//! ```
//!
//! `checkout`, `sparse` and `overlay` define the content of an artifact. `verify` checks
//! signatures, and `retry_after` limits the delays that a remote asks for.
//!
//! A poll without changes sends one request to the remote and none to the API server, and writes
//! no file.

mod checkout;
mod conclude;
mod identity;
mod model;
mod observe;
mod overlay;
mod pack;
mod perform;
mod plan;
mod retry_after;
mod sparse;
mod spec;
mod verify;

use std::sync::Arc;
use std::time::Duration;

use kube::ResourceExt;
use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, INCLUDE_UNAVAILABLE, SOURCE_VERIFIED,
    STORAGE_OPERATION_FAILED,
};
use sluice_api::source::{GitRepository, GitRepositoryStatus};
use sluice_client::Cluster;
use sluice_dial::HttpClients;
use sluice_engine::metrics::Metrics;
use sluice_engine::{Decision, End, ObjectKey, Outcome, Progress, Reconciler, Run, Times, Watch};
use sluice_host::Secrets;

use crate::draft::Rules;
use crate::source_storage::{Fault, SourceStorage};
pub(crate) use identity::{AwsIdentities, Tokens};
use model::{Facts, Step};
use observe::{ReferenceCache, Verdicts};
use retry_after::RetryAfterLimit;
use sluice_engine::conditions::Polarity;

/// The conditions that this controller owns.
pub(crate) const OWNED: &[&str] = &[
    STORAGE_OPERATION_FAILED,
    FETCH_FAILED,
    INCLUDE_UNAVAILABLE,
    ARTIFACT_OUTDATED,
    ARTIFACT_IN_STORAGE,
    SOURCE_VERIFIED,
    "Ready",
    "Reconciling",
    "Stalled",
];

/// How conditions make up `Ready`.
static RULES: Rules = Rules {
    summary: &[
        (STORAGE_OPERATION_FAILED, Polarity::Bad),
        (FETCH_FAILED, Polarity::Bad),
        (INCLUDE_UNAVAILABLE, Polarity::Bad),
        (ARTIFACT_OUTDATED, Polarity::Bad),
        (ARTIFACT_IN_STORAGE, Polarity::Good),
        (SOURCE_VERIFIED, Polarity::Verdict),
    ],
    failures: &[FETCH_FAILED, INCLUDE_UNAVAILABLE, STORAGE_OPERATION_FAILED],
};

/// Reconciles objects again when an included artifact changes.
pub(crate) fn includes() -> Watch<GitRepository, GitRepository> {
    let artifact = |object: Option<&GitRepository>| {
        let status = object.and_then(|object| object.status.as_ref());
        let artifact = status.and_then(|status| status.artifact.as_ref());
        artifact.map(|artifact| (artifact.revision.clone(), artifact.digest.clone()))
    };
    Watch::on(|object: &GitRepository| {
        let namespace = object.namespace().unwrap_or_default();
        let included = object.spec.include.iter();
        included
            .map(|include| ObjectKey::new(&namespace, &include.repository.name))
            .collect()
    })
    .when(move |old, new| artifact(old) != artifact(new))
}

/// Dependencies of the reconciler.
pub(crate) struct Context {
    pub(crate) source_storage: Arc<SourceStorage>,
    pub(crate) secrets: Secrets,
    pub(crate) cluster: Cluster,
    pub(crate) http: Arc<HttpClients>,
    pub(crate) git: sluice_git::Client,
    pub(crate) stores: sluice_git::Stores,
    pub(crate) tokens: Tokens,
    pub(crate) aws: AwsIdentities,
    pub(crate) metrics: Metrics,
    /// The requeue delay of an object that waits for another one.
    pub(crate) requeue_dependency: Duration,
    /// The minimum and maximum back-off after a failure.
    pub(crate) retry_delays: (Duration, Duration),
}

/// Reconciles `GitRepository` objects.
pub(crate) struct GitRepositoryReconciler {
    context: Context,
    references: ReferenceCache,
    verdicts: Verdicts,
    retry_after: RetryAfterLimit,
}

impl GitRepositoryReconciler {
    pub(crate) fn new(context: Context) -> Self {
        let (least, most) = context.retry_delays;
        Self {
            context,
            retry_after: RetryAfterLimit::new(least, most),
            references: ReferenceCache::default(),
            verdicts: Verdicts::default(),
        }
    }

    fn url(&self) -> impl Fn(&str) -> String {
        |path| self.context.source_storage.url(path)
    }
}

impl Reconciler for GitRepositoryReconciler {
    type Object = GitRepository;
    type Observed = Facts;
    type Plan = Step;
    type Failure = Fault;

    async fn observe(&self, object: &Arc<GitRepository>, run: &Run<GitRepository>) -> Facts {
        Facts::new(spec::parse(&object.spec), run.cause().is_prompt())
    }

    fn plan(&self, object: &GitRepository, facts: &Facts) -> Decision<Step, Fault> {
        plan::plan(object, facts)
    }

    fn progress(
        &self,
        object: &Arc<GitRepository>,
        facts: &Facts,
        step: &Step,
        times: Times,
    ) -> Progress<GitRepositoryStatus> {
        conclude::progress(object, facts, *step, times.started, self.url())
    }

    async fn perform(
        &self,
        step: Step,
        object: &Arc<GitRepository>,
        facts: &mut Facts,
        run: &Run<GitRepository>,
    ) -> Result<(), Fault> {
        perform::perform(self, step, object, facts, run).await
    }

    fn conclude(
        &self,
        object: &GitRepository,
        end: End<Facts, Fault>,
        times: Times,
    ) -> Outcome<GitRepositoryStatus> {
        let key = ObjectKey::of(object);
        self.context.source_storage.first_round.mark_checked(&key);
        let end = match end {
            End::Stopped(facts, fault) => {
                End::Stopped(facts, self.retry_after.bound_delay(&key, fault))
            }
            end => {
                self.retry_after.forget(&key);
                end
            }
        };
        conclude::conclude(object, end, times.started, self.url())
    }

    fn forget(&self, key: &ObjectKey) {
        self.context.source_storage.first_round.mark_checked(key);
        self.verdicts.note(key, None);
        self.retry_after.forget(key);
    }
}

#[cfg(test)]
mod tests;
