//! Plans a run from the object and the observed state, without side effects.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sluice_api::artifact::Artifact;
use sluice_api::kustomize::{self, DeletionPolicy, Kustomization, KustomizationSpec, SourceKind};
use sluice_api::meta::condition::{HEALTHY, READY};
use sluice_api::meta::{FINALIZER, reason};
use sluice_apply::{HealthCheck, HealthEvaluators, IgnoreRule, IgnoreRules, Inventory, Owner};
use sluice_client::Identity;
use sluice_consumer::source::origin_revision;
use sluice_consumer::{Expressions, SourceLookup, dependency, source_key};
use sluice_engine::acl::References;
use sluice_engine::{Decision, Retry};
use sluice_host::FeatureGates;
use sluice_kustomize::flux;
use sluice_object::{GroupVersionKind, ObjectId};

use super::model::{
    Account, ApplyResult, CheckedSpec, Facts, HealthChecks, Observation, Observed, Pending, Plan,
    Refusal, Removal, RunFailure, Stage, Start, Step, Work, union,
};
use super::source;
use super::timing::{Timing, text};
use crate::args::{self, Args};

#[cfg(test)]
#[path = "tests/plan.rs"]
pub(super) mod tests;

/// The controller's settings for all Kustomizations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Policy {
    /// Service account for objects that do not name one.
    pub(super) default_service_account: Option<String>,
    /// Whether cross-namespace references are allowed.
    pub(super) references: References,
    /// Whether an `ExternalArtifact` can be a source.
    pub(super) external_artifacts: bool,
    /// Whether objects may choose a service account for decryption.
    pub(super) object_level_identity: bool,
    /// Whether `readyExpr` adds to the usual readiness check.
    pub(super) additive_expressions: bool,
    /// Requeue interval for missing artifacts and unmet dependencies.
    pub(super) requeue_dependency: Duration,
}

impl Policy {
    pub(super) fn of(args: &Args, gates: &FeatureGates) -> Self {
        Self {
            default_service_account: (!args.default_service_account.is_empty())
                .then(|| args.default_service_account.clone()),
            references: References {
                no_cross_namespace: args.no_cross_namespace_refs,
            },
            external_artifacts: gates.enabled(args::EXTERNAL_ARTIFACT),
            object_level_identity: gates.enabled(args::OBJECT_LEVEL_WORKLOAD_IDENTITY),
            additive_expressions: gates.enabled(args::ADDITIVE_EXPRESSIONS),
            requeue_dependency: args.requeue_dependency,
        }
    }
}

/// The next step of a run.
pub(super) fn plan(
    object: &Kustomization,
    policy: &Policy,
    facts: &Facts,
) -> Decision<Step, RunFailure> {
    if facts.is_removed {
        return Decision::Settled;
    }
    match (&facts.work, &facts.observed) {
        (Some(work), _) => next_step(work).map_or(Decision::Settled, Decision::Work),
        (None, Some(observed)) => match start(object, policy, observed) {
            Start::Remove(removal) => Decision::Work(Step::Remove(removal)),
            Start::Refuse(refusal) => Decision::Stop(RunFailure::Refused(refusal)),
            Start::Wait(pending) => Decision::Stop(RunFailure::Waiting(pending)),
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
            let recorded =
                (!known.covers(&built.intended)).then(|| union([known, &built.intended]));
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

fn start(object: &Kustomization, policy: &Policy, observed: &Observed) -> Start {
    match observed {
        Observed::Spec(start) => start.clone(),
        Observed::Cluster(checked, observation) => decide(object, policy, checked, observation),
    }
}

/// Decides without the cluster if possible; otherwise returns the validated spec for [`decide`].
#[expect(
    clippy::result_large_err,
    reason = "callers destructure both variants at once"
)]
pub(super) fn decide_from_spec(
    object: &Kustomization,
    policy: &Policy,
) -> Result<CheckedSpec, Start> {
    if object.metadata.deletion_timestamp.is_some() {
        return Err(match removal(object, policy) {
            Ok(removal) => Start::Remove(Box::new(removal)),
            Err(refusal) => Start::Refuse(refusal),
        });
    }
    check(object, policy).map_err(Start::Refuse)
}

/// Decides from the observed state.
pub(super) fn decide(
    object: &Kustomization,
    policy: &Policy,
    checked: &CheckedSpec,
    observed: &Observation,
) -> Start {
    let artifact = match &observed.source {
        SourceLookup::Artifact(artifact) => artifact,
        SourceLookup::Failed(why) => {
            return Start::Refuse(Refusal {
                reason: reason::ARTIFACT_FAILED,
                message: format!("unable to get source '{}': {why}", source_key(object)),
                retry: Retry::Backoff,
                has_event: false,
            });
        }
        SourceLookup::Missing => {
            return Start::Wait(Pending {
                reason: reason::ARTIFACT_FAILED,
                message: format!("Source '{}' not found", source::as_written(object)),
                after: checked.timing.retry_interval,
                notice: None,
                revision: None,
                origin_revision: None,
                log: None,
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
    if let Some(pending) = unmet(object, policy, &checked.expressions, observed, artifact) {
        return Start::Wait(pending);
    }
    match work(object, policy, artifact, checked) {
        Ok(plan) => Start::Work(Box::new(plan)),
        Err(refusal) => Start::Refuse(refusal),
    }
}

/// Validates the spec without the cluster.
fn check(object: &Kustomization, policy: &Policy) -> Result<CheckedSpec, Refusal> {
    let refuse = |reason, message: String| Err(Refusal::stalled(reason, message));
    let evaluators = evaluators(object)?;
    let decryption = object.spec.decryption.as_ref();
    let account = decryption.and_then(|wanted| wanted.service_account_name.as_deref());
    if account.is_some_and(|name| !name.is_empty()) && !policy.object_level_identity {
        return refuse(
            reason::FEATURE_GATE_DISABLED,
            format!(
                "to use spec.decryption.serviceAccountName for decryption authentication please enable the {} \
                 feature gate in the controller",
                args::OBJECT_LEVEL_WORKLOAD_IDENTITY
            ),
        );
    }
    dependency::check_count(object)
        .map_err(|message| Refusal::stalled(reason::RECONCILIATION_FAILED, message))?;
    let expressions = Expressions::of(object).map_err(|error| {
        let message =
            format!("Reconciliation failed terminally due to configuration error: {error}");
        Refusal::stalled(reason::INVALID_CEL_EXPRESSION, message)
    })?;
    let ignore = ignore_rules(&object.spec)?;
    let timing = Timing::of(&object.spec)
        .map_err(|message| Refusal::stalled(reason::RECONCILIATION_FAILED, message))?;
    if let SourceKind::Other(kind) = &object.spec.source_ref.kind {
        return refuse(
            reason::RECONCILIATION_FAILED,
            format!("spec.sourceRef.kind: {kind:?} is not a kind of source"),
        );
    }
    let source = source::origin(object);
    if object.spec.source_ref.kind == SourceKind::ExternalArtifact && !policy.external_artifacts {
        let message = format!("can't access '{source}', ExternalArtifact feature gate is disabled");
        return refuse(reason::ACCESS_DENIED, message);
    }
    let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
    policy
        .references
        .check(namespace, &source)
        .map_err(|denied| Refusal::stalled(reason::ACCESS_DENIED, denied.to_string()))?;
    Ok(CheckedSpec {
        timing,
        account: self::account(object, policy)?,
        ignore: Arc::new(ignore),
        evaluators: Arc::new(evaluators),
        expressions: Arc::new(expressions),
    })
}

/// The first unmet dependency.
fn unmet(
    object: &Kustomization,
    policy: &Policy,
    expressions: &Expressions,
    observed: &Observation,
    artifact: &Artifact,
) -> Option<Pending> {
    let revision = &artifact.revision;
    let (found, is_additive) = (&observed.dependencies, policy.additive_expressions);
    let mut message =
        dependency::all_unmet(object, expressions, found, revision, is_additive).next()?;
    let cycle = observed.cycle.as_ref().map(|cycle| {
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
    checked: &CheckedSpec,
) -> Result<Plan, Refusal> {
    let spec = &object.spec;
    let status = object.status.as_ref();
    let is_true = |type_| status.is_some_and(|status| status.conditions.is_true(type_));
    let last_applied = status.and_then(|status| status.last_applied_revision.as_deref());
    let is_new_revision = last_applied != Some(artifact.revision.as_str());
    let is_observed =
        status.and_then(|status| status.observed_generation) == object.metadata.generation;
    Ok(Plan {
        origin_revision: origin_revision(artifact),
        path: clean_path(spec.path.as_deref().unwrap_or_default()),
        overlay: overlay(spec),
        decryption: spec.decryption.clone(),
        post_build: spec.post_build.clone(),
        owner: owner(object),
        remote: spec.kube_config.clone(),
        account: checked.account.clone(),
        known: inventory(object)?,
        common: spec.common_metadata.clone().unwrap_or_default(),
        prune: spec.prune,
        force: spec.force,
        ignore: Arc::clone(&checked.ignore),
        health: health_checks(object),
        evaluators: Arc::clone(&checked.evaluators),
        was_healthy: is_true(HEALTHY),
        is_new_revision,
        is_recheck: !is_new_revision && is_observed && is_true(READY),
        timing: checked.timing,
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

/// Compiles the health expressions for custom kinds.
fn evaluators(object: &Kustomization) -> Result<HealthEvaluators, Refusal> {
    let checks = object
        .spec
        .health_check_exprs
        .iter()
        .map(|check| HealthCheck {
            api_version: &check.api_version,
            kind: check.kind.as_deref().unwrap_or_default(),
            current: &check.current,
            in_progress: check.in_progress.as_deref().unwrap_or_default(),
            failed: check.failed.as_deref().unwrap_or_default(),
        });
    HealthEvaluators::new(checks).map_err(|error| {
        let message =
            format!("Reconciliation failed terminally due to configuration error: {error}");
        Refusal::stalled(reason::INVALID_CEL_EXPRESSION, message)
    })
}

/// Compiles the rules for fields that other managers own.
fn ignore_rules(spec: &KustomizationSpec) -> Result<IgnoreRules, Refusal> {
    IgnoreRules::new(spec.ignore.iter().map(IgnoreRule::from))
        .map_err(|error| Refusal::stalled(reason::RECONCILIATION_FAILED, error.to_string()))
}

fn removal(object: &Kustomization, policy: &Policy) -> Result<Removal, Refusal> {
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
        account: account(object, policy)?,
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

/// The service account of the object, or the default one; `None` for the controller's own identity.
fn account(object: &Kustomization, policy: &Policy) -> Result<Option<Account>, Refusal> {
    let own = object
        .spec
        .service_account_name
        .as_ref()
        .filter(|name| !name.is_empty());
    let Some(name) = own.or(policy.default_service_account.as_ref()) else {
        return Ok(None);
    };
    let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
    match Identity::service_account(namespace, name) {
        Ok(identity) => Ok(Some(Account {
            name: name.clone(),
            identity,
        })),
        Err(error) => {
            let message = format!("spec.serviceAccountName: {error}");
            Err(Refusal::stalled(reason::RECONCILIATION_FAILED, message))
        }
    }
}

/// Parses the inventory in the status. An unreadable entry stops the run, since its object would be
/// lost. A repaired status does not wake the object, so it is retried.
fn inventory(object: &Kustomization) -> Result<Inventory, Refusal> {
    let stored = object
        .status
        .as_ref()
        .and_then(|status| status.inventory.as_ref());
    let entries = stored.iter().flat_map(|inventory| &inventory.entries);
    Inventory::parse(entries.map(|entry| (entry.id.as_str(), entry.version.as_str()))).map_err(
        |error| Refusal {
            reason: reason::RECONCILIATION_FAILED,
            message: format!("status.inventory: {error}"),
            retry: Retry::Backoff,
            has_event: true,
        },
    )
}

/// Cleans a path. `..` stops at the root.
fn clean_path(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
