//! The data of a run of a Kustomization: how it begins, its plan, its steps and their results.

use std::sync::Arc;
use std::time::Duration;

use sluice_api::artifact::Artifact;
use sluice_api::kustomize::{Decryption, PostBuild};
use sluice_api::meta::{CommonMetadata, KubeConfigReference};
use sluice_apply::{
    Applier, HealthEvaluators, IgnoreRules, InvalidIgnoreRule, Inventory, Owner, WaitTarget,
};
use sluice_artifact::fetch::Download;
use sluice_consumer::{ImpersonatedAccount, SourceLookup, UnmetDependency};
use sluice_kustomize::flux;
use sluice_object::{Object, ObjectId};

use super::fault::{Pending, ReportedFailure};
use super::policy::Policy;
use super::spec::Spec;
use super::timing::{Timing, text};

/// The state of a run.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(super) policy: Arc<Policy>,
    /// The state before the first step; `None` once work has begun, which frees it.
    pub(super) observed: Option<Box<InitialState>>,
    /// Whether the objects of a deleted Kustomization were removed.
    pub(super) is_removed: bool,
    /// The work, once it has begun.
    pub(super) work: Option<Work>,
}

/// The state before the first step.
#[derive(Debug)]
pub(super) enum InitialState {
    /// The spec decides alone.
    Spec(Start),
    /// The parsed spec and the state of the cluster.
    Cluster(Spec, Observation),
}

/// The work of a run.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) plan: Arc<Plan>,
    /// The results so far.
    pub(super) report: RunReport,
    pub(super) stage: Stage,
}

/// The result of the last step, for the next one.
#[derive(Debug)]
pub(super) enum Stage {
    /// Nothing: a step is being performed, or was the last one.
    Empty,
    Fetched(Arc<Download>),
    Built(BuildResult),
    Applied(ApplyResult),
}

/// The objects to apply, with the applier of their cluster.
#[derive(Debug)]
pub(super) struct BuildResult {
    pub(super) applier: Applier,
    pub(super) objects: Vec<Object>,
    /// The objects as an inventory.
    pub(super) intended: Inventory,
}

/// The applied objects, with the applier for the next steps.
#[derive(Debug)]
pub(super) struct ApplyResult {
    pub(super) applier: Applier,
    /// The applied objects.
    pub(super) inventory: Inventory,
    pub(super) has_changes: bool,
    /// The objects to wait for.
    pub(super) targets: Vec<WaitTarget>,
    /// Number of deleted objects, once pruned.
    pub(super) pruned: Option<usize>,
}

/// One step of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// Delete the objects of a deleted Kustomization.
    Remove(Box<Removal>),
    /// Download the artifact.
    Fetch(Arc<Plan>),
    /// Build the objects.
    Build,
    /// Apply the objects.
    Apply {
        /// The inventory to record before. A killed process leaves no object that the next one
        /// cannot find. An entry for an object that was never created costs one request.
        recorded: Option<Inventory>,
    },
    /// Delete objects that left the manifests.
    Prune(Inventory),
    /// Wait until the objects are healthy.
    CheckHealth {
        /// Whether the status must show the check and list the objects in the cluster before.
        is_recorded: bool,
    },
}

impl Step {
    /// The phase that the status shows during the step.
    pub(super) fn phase(&self) -> Option<Phase> {
        match self {
            Self::Remove(_) => None,
            Self::Fetch(_) => Some(Phase::Fetching),
            Self::Build => Some(Phase::Building),
            Self::Apply { .. } | Self::Prune(_) => Some(Phase::Detecting),
            Self::CheckHealth { .. } => Some(Phase::CheckingHealth),
        }
    }
}

/// How a run begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Start {
    /// Delete its objects and remove the finalizer.
    Remove(Box<Removal>),
    /// Fail until an edit or a retry.
    Refuse(ReportedFailure),
    /// Wait for the source or a dependency.
    Wait(Pending),
    /// Apply its artifact.
    Work(Box<Plan>),
}

/// The removal of an object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Removal {
    /// The objects to delete; may be empty.
    pub(super) inventory: Inventory,
    pub(super) owner: Owner,
    /// The remote cluster; `None` for the controller's own.
    pub(super) remote: Option<KubeConfigReference>,
    pub(super) account: Option<ImpersonatedAccount>,
    /// Maximum wait for the deletion; `None` to not wait.
    pub(super) await_termination: Option<Duration>,
}

/// The objects to check after an apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HealthChecks {
    /// Health is not checked.
    None,
    /// All applied objects.
    Applied,
    /// The listed objects, each with its version.
    Listed(Vec<(ObjectId, String)>),
}

/// The work of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plan {
    pub(super) artifact: Artifact,
    pub(super) origin_revision: Option<String>,
    /// Directory in the artifact, without `.` or `..`; empty for the root.
    pub(super) path: String,
    /// The fields of the kustomization file.
    pub(super) overlay: flux::Spec,
    /// Decryption settings, if any.
    pub(super) decryption: Option<Decryption>,
    /// Variables, if any.
    pub(super) post_build: Option<PostBuild>,
    pub(super) owner: Owner,
    /// The remote cluster; `None` for the controller's own.
    pub(super) remote: Option<KubeConfigReference>,
    pub(super) account: Option<ImpersonatedAccount>,
    /// The objects in the cluster according to the status.
    pub(super) known: Inventory,
    pub(super) common: CommonMetadata,
    pub(super) prune: bool,
    pub(super) force: bool,
    /// Fields that other managers own. A rule that cannot be read fails the apply.
    pub(super) ignore: Result<Arc<IgnoreRules>, InvalidIgnoreRule>,
    pub(super) health: HealthChecks,
    /// Health expressions for custom kinds.
    pub(super) evaluators: Arc<HealthEvaluators>,
    pub(super) was_healthy: bool,
    /// Whether the revision differs from the last applied one.
    pub(super) is_new_revision: bool,
    /// Whether the object was ready at this revision. Such a run shows progress only if it is slow
    /// or finds changes.
    pub(super) is_recheck: bool,
    pub(super) timing: Timing,
    /// Requeue interval for a missing artifact.
    pub(super) requeue_dependency: Duration,
}

impl Plan {
    /// The revision to apply.
    pub(super) fn revision(&self) -> &str {
        &self.artifact.revision
    }
}

/// Results of a run, up to the step that it reached.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct RunReport {
    /// Whether the build was attempted, so that the revision counts as attempted.
    pub(super) is_attempted: bool,
    /// Digest of the manifests, from just before the apply.
    pub(super) digest: Option<String>,
    /// The objects in the cluster; `None` if unchanged.
    pub(super) inventory: Option<Inventory>,
    /// The inventory that this run wrote last, together with its progress.
    pub(super) recorded: Option<Inventory>,
    /// Result of the health check.
    pub(super) health: Health,
    /// The last step.
    pub(super) phase: Option<Phase>,
    /// Why the run ended early.
    pub(super) failure: Option<ReportedFailure>,
}

impl RunReport {
    /// Lists objects that are about to be deleted. They stay in the inventory until the deletion is
    /// confirmed.
    pub(super) fn record_deleting(&mut self, applied: &Inventory, stale: &Inventory) {
        self.inventory = Some(union([applied, stale]));
    }

    /// Whether the stored status shows that the run is in progress, with all objects.
    pub(super) fn is_recorded(&self) -> bool {
        let Some(recorded) = &self.recorded else {
            return false;
        };
        let held = self.inventory.as_ref();
        held.is_none_or(|held| recorded.covers(held))
    }

    /// Removes deleted objects from the inventory, except for the survivors.
    pub(super) fn record_deleted(&mut self, applied: &Inventory, survivors: &Inventory) {
        self.inventory = Some(union([applied, survivors]));
    }
}

/// Result of a health check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Health {
    /// The run ended before the check.
    #[default]
    NotReached,
    /// The run has no objects to check.
    Unchecked,
    /// All objects became healthy within this time.
    Passed(Duration),
    /// Some objects are not healthy.
    Failed(String),
    /// The check was cancelled.
    Cancelled,
}

/// The steps of a run that the status shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Fetching,
    Building,
    Detecting,
    CheckingHealth,
}

impl Phase {
    pub(super) fn message(self, plan: &Plan) -> String {
        let revision = plan.revision();
        let timeout = text(plan.timing.timeout);
        match self {
            Self::Fetching => {
                format!("Fetching manifests for revision {revision} with a timeout of {timeout}")
            }
            Self::Building => {
                format!("Building manifests for revision {revision} with a timeout of {timeout}")
            }
            Self::Detecting => {
                format!("Detecting drift for revision {revision} with a timeout of {timeout}")
            }
            Self::CheckingHealth => {
                format!("Running health checks for revision {revision} with a timeout of {timeout}")
            }
        }
    }
}

/// The state that a plan depends on, besides the object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Observation {
    /// The lookup of the source.
    pub(super) source: SourceLookup,
    /// The first unmet dependency.
    pub(super) unmet: Option<UnmetDependency>,
}

/// Merges inventories. The first one that has an object gives its version.
pub(super) fn union<const N: usize>(parts: [&Inventory; N]) -> Inventory {
    let mut whole = Inventory::default();
    for part in parts {
        whole.merge(part);
    }
    whole
}
