//! `ImageUpdateAutomation`: commits the images of policies to a Git repository.
//!
//! A run compares the policies and the remote with its last run. If one changed, it fetches the
//! commit, edits the marked values and pushes a commit. A push that another writer overtook is
//! repeated on the new commit.
//!
//! ```text
//! spec      the parsed spec                                  pure
//! model     the steps, and the facts that they find          data
//! observe   the policies and the repository                  reads only
//! plan      connect, resolve, fetch, edit, push              pure
//! perform   one step
//! conclude  status, notices and requeue from the facts       pure
//! ```
//!
//! Parity: image-automation-controller:
//! `internal/controller/imageupdateautomation_controller.go`.

mod conclude;
mod model;
mod observe;
mod perform;
mod plan;
mod spec;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use sluice_api::image::{ImagePolicy, ImageUpdateAutomation, ImageUpdateAutomationStatus};
use sluice_api::source::GitRepository;
use sluice_dial::RemotePermits;
use sluice_engine::ready::Fault;
use sluice_engine::{
    Decision, End, ObjectKey, Outcome, Progress, Reconciler, Run, Store, Times, Watch,
};

use crate::args::GitGates;
use crate::metrics::PushMetrics;
use crate::repository::Repositories;
use model::{Facts, Step};

/// Reconciles image update automations.
pub(crate) struct ImageUpdateAutomationReconciler {
    pub(crate) repositories: Repositories,
    pub(crate) policies: Store<ImagePolicy>,
    pub(crate) sources: Store<GitRepository>,
    pub(crate) gates: GitGates,
    pub(crate) no_cross_namespace_refs: bool,
    /// One permit for each branch, because automations may push to the same one.
    pub(crate) permits: RemotePermits,
    pub(crate) metrics: PushMetrics,
    /// The findings of the last run of each object.
    pub(crate) findings: Mutex<HashMap<ObjectKey, String>>,
}

/// The watch of the repositories of automations. Only edits count.
pub(crate) fn repositories() -> Watch<ImageUpdateAutomation, GitRepository> {
    let references = |automation: &ImageUpdateAutomation| vec![spec::source_key(automation)];
    Watch::on(references).when(|old: Option<&GitRepository>, new: Option<&GitRepository>| {
        match (old, new) {
            (Some(old), Some(new)) => old.metadata.generation != new.metadata.generation,
            _ => false,
        }
    })
}

/// The watch of all policies in the namespace of an automation. Only a new image counts.
pub(crate) fn policies() -> Watch<ImageUpdateAutomation, ImagePolicy> {
    let namespace = |namespace: &str| ObjectKey::new(namespace, "");
    Watch::on(move |automation: &ImageUpdateAutomation| {
        let own = automation.metadata.namespace.as_deref();
        vec![namespace(own.unwrap_or_default())]
    })
    .indexed_by(move |policy| namespace(policy.namespace()))
    .when(|old: Option<&ImagePolicy>, new: Option<&ImagePolicy>| {
        let latest = |policy: &ImagePolicy| policy.status.as_ref()?.latest_ref.clone();
        match (old, new) {
            (Some(old), Some(new)) => {
                latest(new).is_some_and(|new| latest(old).as_ref() != Some(&new))
            }
            _ => false,
        }
    })
}

impl Reconciler for ImageUpdateAutomationReconciler {
    type Object = ImageUpdateAutomation;
    type Facts = Facts;
    type Step = Step;
    type Fault = Fault;

    async fn observe(
        &self,
        automation: &Arc<ImageUpdateAutomation>,
        run: &Run<ImageUpdateAutomation>,
    ) -> Facts {
        observe::observe(self, automation, run)
    }

    fn plan(&self, automation: &ImageUpdateAutomation, facts: &Facts) -> Decision<Step, Fault> {
        plan::plan(automation, facts)
    }

    fn progress(
        &self,
        automation: &Arc<ImageUpdateAutomation>,
        _: &Facts,
        step: &Step,
        times: Times,
    ) -> Progress<ImageUpdateAutomationStatus> {
        conclude::progress(automation, *step, times)
    }

    async fn perform(
        &self,
        step: Step,
        automation: &Arc<ImageUpdateAutomation>,
        facts: &mut Facts,
        run: &Run<ImageUpdateAutomation>,
    ) -> Result<(), Fault> {
        perform::perform(self, step, automation, facts, run).await
    }

    fn ended(&self, key: &ObjectKey, end: &End<Facts, Fault>) {
        if let End::Settled(facts) | End::Stopped(facts, _) = end
            && let Some(findings) = &facts.findings
        {
            let mut known = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(key.clone(), findings.clone());
        }
    }

    fn conclude(
        &self,
        automation: &ImageUpdateAutomation,
        end: End<Facts, Fault>,
        times: Times,
    ) -> Outcome<ImageUpdateAutomationStatus> {
        conclude::conclude(automation, end, times)
    }

    fn forget(&self, key: &ObjectKey) {
        let mut known = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        known.remove(key);
    }
}

#[cfg(test)]
mod tests;
