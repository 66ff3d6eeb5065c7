//! `ImagePolicy`: selects the latest tag of an image by a rule.
//!
//! A run looks up the repository and checks whether the policy may read it. It selects a tag from
//! the store, and asks the registry for the digest if the policy wants it.
//!
//! ```text
//! spec      the parsed spec                                  pure
//! model     the steps, and the facts that they find          data
//! observe   the repository and the labels of a namespace     reads only
//! plan      select, wait for tags, fetch a digest            pure
//! perform   one step
//! conclude  status, notices and requeue from the facts       pure
//! ```
//!
//! Parity: image-reflector-controller: `internal/controller/imagepolicy_controller.go`.

mod conclude;
mod model;
mod observe;
mod perform;
mod plan;
mod spec;

use std::sync::Arc;
use std::time::Duration;

use sluice_api::image::{ImagePolicy, ImagePolicyStatus, ImageRepository};
use sluice_client::Cluster;
use sluice_engine::ready::Fault;
use sluice_engine::{
    Decision, End, ObjectKey, Outcome, Progress, Reconciler, Run, Store, Times, Watch,
};

use crate::registry::Registries;
use crate::store::TagStore;
use model::{Facts, Step};

/// Reconciles image policies.
pub(crate) struct ImagePolicyReconciler {
    pub(crate) registries: Arc<Registries>,
    pub(crate) store: TagStore,
    pub(crate) repositories: Store<ImageRepository>,
    pub(crate) cluster: Cluster,
    pub(crate) has_workload_identity: bool,
    pub(crate) no_cross_namespace_refs: bool,
    pub(crate) requeue_dependency: Duration,
}

/// The watch of the repositories of policies. An update counts only with a new revision, or with
/// other exclusions: a kept tag may be excluded.
pub(crate) fn repositories(selector: &str) -> Watch<ImagePolicy, ImageRepository> {
    Watch::on(|policy| vec![repository_key(policy)])
        .when(|old, new| match (old, new) {
            (Some(old), Some(new)) => last_scan(new).is_some_and(|new| last_scan(old) != Some(new)),
            _ => true,
        })
        .selected(selector)
}

/// The revision and the exclusions of the last scan.
fn last_scan(repository: &ImageRepository) -> Option<(&str, &[String])> {
    let status = repository.status.as_ref()?;
    let result = status.last_scan_result.as_ref()?;
    let revision = result.revision.as_deref().unwrap_or_default();
    Some((revision, &status.observed_exclusion_list))
}

/// The repository of a policy.
pub(crate) fn repository_key(policy: &ImagePolicy) -> ObjectKey {
    let reference = &policy.spec.image_repository_ref;
    let own = policy.metadata.namespace.as_deref().unwrap_or_default();
    let namespace = reference.namespace.as_deref().filter(|it| !it.is_empty());
    ObjectKey::new(namespace.unwrap_or(own), &reference.name)
}

impl Reconciler for ImagePolicyReconciler {
    type Object = ImagePolicy;
    type Facts = Facts;
    type Step = Step;
    type Fault = Fault;

    async fn observe(&self, policy: &Arc<ImagePolicy>, run: &Run<ImagePolicy>) -> Facts {
        observe::observe(self, policy, run).await
    }

    fn plan(&self, policy: &ImagePolicy, facts: &Facts) -> Decision<Step, Fault> {
        plan::plan(policy, facts)
    }

    fn progress(
        &self,
        policy: &Arc<ImagePolicy>,
        facts: &Facts,
        _: &Step,
        times: Times,
    ) -> Progress<ImagePolicyStatus> {
        conclude::progress(policy, facts, times)
    }

    async fn perform(
        &self,
        step: Step,
        policy: &Arc<ImagePolicy>,
        facts: &mut Facts,
        run: &Run<ImagePolicy>,
    ) -> Result<(), Fault> {
        perform::perform(self, step, policy, facts, run).await
    }

    fn conclude(
        &self,
        policy: &ImagePolicy,
        end: End<Facts, Fault>,
        times: Times,
    ) -> Outcome<ImagePolicyStatus> {
        conclude::conclude(policy, end, times)
    }
}

#[cfg(test)]
mod tests;
