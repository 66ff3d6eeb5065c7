//! Plans a run from the object and the observed state, without side effects.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sluice_api::artifact::Artifact;
use sluice_api::kustomize::{self, DeletionPolicy, Kustomization, KustomizationSpec};
use sluice_api::meta::condition::{HEALTHY, READY};
use sluice_api::meta::{FINALIZER, reason};
use sluice_apply::{Inventory, Owner};
use sluice_consumer::source::origin_revision;
use sluice_consumer::{SourceLookup, UnmetDependency, source_key};
use sluice_engine::{Decision, Failure, Retry};
use sluice_golang::path::confined;
use sluice_kustomize::flux;
use sluice_object::{GroupVersionKind, ObjectId};

use super::fault::{FailureEvent, Fault, Pending, ReportedFailure};
use super::model::{
    ApplyResult, Facts, HealthChecks, InitialState, Observation, Plan, Removal, Stage, Start, Step,
    Work, union,
};
use super::policy::Policy;
use super::source;
use super::spec::{self, Spec};
use super::timing::{Timing, text};

#[cfg(test)]
#[path = "tests/plan.rs"]
pub(super) mod tests;

/// The next step of a run.
pub(super) fn plan(object: &Kustomization, facts: &Facts) -> Decision<Step, Fault> {
    if facts.is_removed {
        return Decision::Settled;
    }
    match (&facts.work, &facts.observed) {
        (Some(work), _) => next_step(work).map_or(Decision::Settled, Decision::Work),
        (None, Some(observed)) => match start(object, &facts.policy, observed) {
            Start::Remove(removal) => Decision::Work(Step::Remove(removal)),
            Start::Refuse(failure) => Decision::Stop(Fault::Refused(failure)),
            Start::Wait(pending) => Decision::Stop(Fault::Waiting(pending)),
            Start::Work(plan) => Decision::Work(Step::Fetch(plan.into())),
        },
        (None, None) => Decision::Settled,
    }
}

/// The next step of a run that works.
pub(super) fn next_step(work: &Work) -> Option<Step> {
    match &work.stage {
        Stage::Empty => None,
        Stage::Fetched(_) => Some(Step::Build),
        Stage::Built(built) => {
            let known = &work.plan.known;
            // An apply with an unreadable rule creates nothing.
            let is_new = work.plan.ignore.is_ok() && !known.covers(&built.intended);
            let recorded = is_new.then(|| union([known, &built.intended]));
            Some(Step::Apply { recorded })
        }
        Stage::Applied(applied) => step_after_apply(work, applied),
    }
}

fn step_after_apply(work: &Work, applied: &ApplyResult) -> Option<Step> {
    let plan = &work.plan;
    if applied.pruned.is_none() {
        let stale = stale_objects(plan, &applied.inventory);
        if !stale.is_empty() {
            return Some(Step::Prune(stale));
        }
    }
    let own = own_id(&plan.owner);
    let has_targets = match &plan.health {
        HealthChecks::None => false,
        HealthChecks::Applied => applied.targets.iter().any(|target| target.id != own),
        HealthChecks::Listed(listed) => listed.iter().any(|(id, _)| *id != own),
    };
    let has_changed = applied.has_changes || applied.pruned.is_some_and(|pruned| pruned > 0);
    // The status must list the objects in the cluster before the wait. It may already do so from
    // before the apply; a slow wait then reports its phase.
    let is_recorded = (has_changed || !plan.is_recheck) && !work.report.is_recorded();
    has_targets.then_some(Step::CheckHealth { is_recorded })
}

/// The objects to delete after an apply.
pub(super) fn stale_objects(plan: &Plan, applied: &Inventory) -> Inventory {
    if plan.prune {
        plan.known.stale(applied)
    } else {
        Inventory::default()
    }
}

/// The Kustomization as an object, which never waits for itself.
pub(super) fn own_id(owner: &Owner) -> ObjectId {
    ObjectId {
        namespace: owner.namespace.clone(),
        name: owner.name.clone(),
        group: kustomize::GROUP.to_owned(),
        kind: "Kustomization".to_owned(),
    }
}

fn start(object: &Kustomization, policy: &Policy, observed: &InitialState) -> Start {
    match observed {
        InitialState::Spec(start) => start.clone(),
        InitialState::Cluster(spec, observation) => decide(object, policy, spec, observation),
    }
}

/// Decides without the cluster if possible; otherwise returns the parsed spec for [`decide`].
#[expect(
    clippy::result_large_err,
    reason = "callers destructure both variants at once"
)]
pub(super) fn decide_from_spec(object: &Kustomization, policy: &Policy) -> Result<Spec, Start> {
    if object.metadata.deletion_timestamp.is_some() {
        return Err(match removal(object, policy) {
            Ok(removal) => Start::Remove(Box::new(removal)),
            Err(failure) => Start::Refuse(failure.into()),
        });
    }
    Spec::parse(object, policy).map_err(|failure| Start::Refuse(failure.into()))
}

/// Decides from the observed state.
pub(super) fn decide(
    object: &Kustomization,
    policy: &Policy,
    spec: &Spec,
    observed: &Observation,
) -> Start {
    let artifact = match &observed.source {
        SourceLookup::Artifact(artifact) => artifact,
        SourceLookup::Failed(why) => {
            let message = format!("unable to get source '{}': {why}", source_key(object));
            return Start::Refuse(ReportedFailure {
                failure: Failure::message(reason::ARTIFACT_FAILED, Retry::Backoff, message),
                event: FailureEvent::None,
            });
        }
        SourceLookup::Missing => {
            return Start::Wait(Pending {
                reason: reason::ARTIFACT_FAILED,
                message: source::not_found(object),
                after: spec.timing.retry_interval,
                notice: None,
                revision: None,
                origin_revision: None,
                log: Some(format!("Source '{}' not found", source::as_written(object))),
                is_expected: false,
            });
        }
        SourceLookup::NoArtifact => {
            let after = policy.requeue_dependency;
            return Start::Wait(Pending {
                reason: reason::ARTIFACT_FAILED,
                message: format!("Source artifact not found, retrying in {}", text(after)),
                after,
                notice: None,
                revision: None,
                origin_revision: None,
                log: None,
                // Expected when object and source are created together.
                is_expected: true,
            });
        }
    };
    if let Err(failure) = &spec.expressions {
        return Start::Refuse(ReportedFailure {
            failure: failure.clone(),
            event: FailureEvent::About {
                revision: artifact.revision.clone(),
                origin_revision: origin_revision(artifact),
            },
        });
    }
    if let Some(pending) = unmet(policy, observed, artifact) {
        return Start::Wait(pending);
    }
    match work(object, policy, artifact, spec) {
        Ok(plan) => Start::Work(Box::new(plan)),
        Err(failure) => Start::Refuse(failure.into()),
    }
}

/// The first unmet dependency.
fn unmet(policy: &Policy, observed: &Observation, artifact: &Artifact) -> Option<Pending> {
    let revision = &artifact.revision;
    let UnmetDependency { mut message, cycle } = observed.unmet.clone()?;
    let cycle = cycle.map(|cycle| {
        let names: Vec<String> = cycle.iter().map(ToString::to_string).collect();
        format!("circular dependency detected: {}", names.join(" -> "))
    });
    if let Some(cycle) = &cycle {
        message = format!("{message}: {cycle}");
    }
    let after = policy.requeue_dependency;
    Some(Pending {
        reason: reason::DEPENDENCY_NOT_READY,
        message,
        after,
        notice: Some(format!(
            "Dependencies do not meet ready condition, retrying in {}",
            text(after)
        )),
        revision: Some(revision.clone()),
        origin_revision: origin_revision(artifact),
        log: cycle,
        is_expected: false,
    })
}

fn work(
    object: &Kustomization,
    policy: &Policy,
    artifact: &Artifact,
    spec: &Spec,
) -> Result<Plan, Failure> {
    let fields = &object.spec;
    let status = object.status.as_ref();
    let is_true = |type_| status.is_some_and(|status| status.conditions.is_true(type_));
    let last_applied = status.and_then(|status| status.last_applied_revision.as_deref());
    let is_new_revision = last_applied != Some(artifact.revision.as_str());
    let is_observed =
        status.and_then(|status| status.observed_generation) == object.metadata.generation;
    Ok(Plan {
        origin_revision: origin_revision(artifact),
        path: confined(fields.path.as_deref().unwrap_or_default()),
        overlay: overlay(fields),
        decryption: fields.decryption.clone(),
        post_build: fields.post_build.clone(),
        owner: owner(object),
        remote: fields.kube_config.clone(),
        account: spec.account.clone(),
        known: inventory(object)?,
        common: fields.common_metadata.clone().unwrap_or_default(),
        prune: fields.prune,
        force: fields.force,
        ignore: spec.ignore.clone(),
        health: health_checks(object),
        evaluators: Arc::clone(&spec.evaluators),
        was_healthy: is_true(HEALTHY),
        is_new_revision,
        is_recheck: !is_new_revision && is_observed && is_true(READY),
        timing: spec.timing,
        requeue_dependency: policy.requeue_dependency,
        // The build needs the artifact's metadata only for the upstream revision.
        artifact: Artifact {
            metadata: BTreeMap::new(),
            ..artifact.clone()
        },
    })
}

/// The fields of the kustomization file, as named in the API.
fn overlay(spec: &KustomizationSpec) -> flux::Spec {
    let spec = serde_json::to_value(spec).expect("a parsed spec serializes");
    flux::Spec::from_value(&spec)
}

fn health_checks(object: &Kustomization) -> HealthChecks {
    let spec = &object.spec;
    if spec.wait {
        return HealthChecks::Applied;
    }
    if spec.health_checks.is_empty() {
        return HealthChecks::None;
    }
    let listed = spec.health_checks.iter().map(|check| {
        let api_version = check.api_version.as_deref().unwrap_or("apps/v1");
        let kind = GroupVersionKind::new(api_version, &check.kind);
        let id = ObjectId {
            namespace: check.namespace.clone().unwrap_or_default(),
            name: check.name.clone(),
            group: kind.group.clone(),
            kind: kind.kind.clone(),
        };
        (id, kind.version)
    });
    HealthChecks::Listed(listed.collect())
}

fn removal(object: &Kustomization, policy: &Policy) -> Result<Removal, Failure> {
    let deletion = object.spec.deletion_policy.clone().unwrap_or_default();
    let deletes = match deletion {
        DeletionPolicy::MirrorPrune => object.spec.prune,
        DeletionPolicy::Delete | DeletionPolicy::WaitForTermination => true,
        // An unknown policy must not delete anything.
        DeletionPolicy::Orphan | DeletionPolicy::Other(_) => false,
    };
    // Without our finalizer nothing was applied, since it is added before the first effect.
    let is_held = object
        .metadata
        .finalizers
        .iter()
        .flatten()
        .any(|finalizer| finalizer == FINALIZER);
    if !deletes || !is_held || object.spec.suspend {
        return Ok(Removal {
            inventory: Inventory::default(),
            owner: owner(object),
            remote: None,
            account: None,
            await_termination: None,
        });
    }
    let inventory = inventory(object)?;
    // An invalid timeout must not block the removal forever.
    let timeout = Timing::of(&object.spec).map_or(Duration::from_mins(5), |timing| timing.timeout);
    Ok(Removal {
        inventory,
        owner: owner(object),
        remote: object.spec.kube_config.clone(),
        account: spec::account(object, policy)?,
        await_termination: (deletion == DeletionPolicy::WaitForTermination).then_some(timeout),
    })
}

fn owner(object: &Kustomization) -> Owner {
    let metadata = &object.metadata;
    Owner {
        name: metadata.name.clone().unwrap_or_default(),
        namespace: metadata.namespace.clone().unwrap_or_default(),
    }
}

/// Parses the inventory in the status. An unreadable entry stops the run, since its object would be
/// lost. A repaired status does not wake the object, so it is retried.
fn inventory(object: &Kustomization) -> Result<Inventory, Failure> {
    let stored = object
        .status
        .as_ref()
        .and_then(|status| status.inventory.as_ref());
    let entries = stored.iter().flat_map(|inventory| &inventory.entries);
    Inventory::parse(entries.map(|entry| (entry.id.as_str(), entry.version.as_str()))).map_err(
        |error| {
            let message = format!("status.inventory: {error}");
            Failure::message(reason::RECONCILIATION_FAILED, Retry::Backoff, message)
        },
    )
}
