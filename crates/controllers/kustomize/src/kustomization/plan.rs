//! Plans a run from the object and the observed state, without side effects.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sluice_api::artifact::Artifact;
use sluice_api::kustomize::{
    Decryption, DeletionPolicy, Kustomization, KustomizationSpec, PostBuild, SourceKind,
};
use sluice_api::meta::condition::{HEALTHY, READY};
use sluice_api::meta::{CommonMetadata, FINALIZER, KubeConfigReference, reason};
use sluice_apply::{HealthCheck, HealthEvaluators, IgnoreRule, IgnoreRules, Inventory, Owner};
use sluice_client::Identity;
use sluice_engine::Retry;
use sluice_engine::acl::References;
use sluice_host::FeatureGates;
use sluice_kustomize::flux;
use sluice_object::{GroupVersionKind, ObjectId};

use super::dependency::Expressions;
use super::observe::{Observation, SourceLookup};
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

/// The decision about an object.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decision {
    /// Do nothing: the object is suspended.
    Suspend,
    /// Delete its objects and remove the finalizer.
    Remove(Box<Removal>),
    /// Fail until an edit or a retry.
    Refuse(Refusal),
    /// Wait for the source or a dependency.
    Wait(Pending),
    /// Apply its artifact.
    Work(Box<Plan>),
}

/// The reason why an object cannot be reconciled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) reason: &'static str,
    pub(super) message: String,
    /// Whether to retry, or to wait for an edit.
    pub(super) retry: Retry,
    /// Whether an event reports it. The status always does.
    pub(super) has_event: bool,
}

impl Refusal {
    /// Creates a refusal that only an edit of the object lifts.
    pub(super) fn stalled(reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
            retry: Retry::Stalled,
            has_event: true,
        }
    }
}

/// A source or dependency that is not ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pending {
    pub(super) reason: &'static str,
    pub(super) message: String,
    /// Requeue interval, in case that no watch wakes the object.
    pub(super) after: Duration,
    /// Message of the event, if any.
    pub(super) notice: Option<String>,
    /// The revision that waits, and its upstream revision.
    pub(super) revision: Option<String>,
    pub(super) origin_revision: Option<String>,
    /// Message for the log only.
    pub(super) log: Option<String>,
    /// Whether a new object delays its status for a while.
    pub(super) is_expected: bool,
}

impl Pending {
    /// Whether it waits for a dependency.
    pub(super) fn is_for_dependencies(&self) -> bool {
        self.reason == reason::DEPENDENCY_NOT_READY
    }
}

/// The identity that requests impersonate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Account {
    /// Name of the service account in the object's namespace.
    pub(super) name: String,
    pub(super) identity: Identity,
}

/// The removal of an object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Removal {
    /// The objects to delete; may be empty.
    pub(super) inventory: Inventory,
    pub(super) owner: Owner,
    /// The remote cluster; `None` for the controller's own.
    pub(super) remote: Option<KubeConfigReference>,
    pub(super) account: Option<Account>,
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
pub(super) struct Plan {
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
    pub(super) account: Option<Account>,
    /// The objects in the cluster according to the status.
    pub(super) known: Inventory,
    pub(super) common: CommonMetadata,
    pub(super) prune: bool,
    pub(super) force: bool,
    /// Fields that other managers own.
    pub(super) ignore: Arc<IgnoreRules>,
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

/// The validated parts of a spec. Expressions and patterns are compiled once per run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CheckedSpec {
    timing: Timing,
    account: Option<Account>,
    ignore: Arc<IgnoreRules>,
    evaluators: Arc<HealthEvaluators>,
    /// `readyExpr` expressions of the dependencies.
    pub(super) expressions: Arc<Expressions>,
}

/// Decides without the cluster if possible; otherwise returns the validated spec for [`decide`].
#[expect(
    clippy::result_large_err,
    reason = "callers destructure both variants at once"
)]
pub(super) fn decide_from_spec(
    object: &Kustomization,
    policy: &Policy,
) -> Result<CheckedSpec, Decision> {
    if object.metadata.deletion_timestamp.is_some() {
        return Err(match removal(object, policy) {
            Ok(removal) => Decision::Remove(Box::new(removal)),
            Err(refusal) => Decision::Refuse(refusal),
        });
    }
    if object.spec.suspend {
        return Err(Decision::Suspend);
    }
    check(object, policy).map_err(Decision::Refuse)
}

/// Decides from the observed state.
pub(super) fn decide(
    object: &Kustomization,
    policy: &Policy,
    checked: CheckedSpec,
    observed: &Observation,
) -> Decision {
    let artifact = match &observed.source {
        SourceLookup::Artifact(artifact) => artifact,
        SourceLookup::Failed(why) => {
            return Decision::Refuse(Refusal {
                reason: reason::ARTIFACT_FAILED,
                message: format!("unable to get source '{}': {why}", source::key(object)),
                retry: Retry::Backoff,
                has_event: false,
            });
        }
        SourceLookup::Missing => {
            return Decision::Wait(Pending {
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
            return Decision::Wait(Pending {
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
        return Decision::Wait(pending);
    }
    match work(object, policy, artifact, checked) {
        Ok(plan) => Decision::Work(Box::new(plan)),
        Err(refusal) => Decision::Refuse(refusal),
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
            format!("spec.sourceRef.kind: {kind:?} is no kind of source"),
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
    let mut message = observed
        .unmet(object, expressions, revision, policy)
        .next()?;
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
        origin_revision: source::origin_revision(artifact),
        log: cycle,
        is_expected: false,
    })
}

fn work(
    object: &Kustomization,
    policy: &Policy,
    artifact: &Artifact,
    checked: CheckedSpec,
) -> Result<Plan, Refusal> {
    let spec = &object.spec;
    let status = object.status.as_ref();
    let is_true = |type_| status.is_some_and(|status| status.conditions.is_true(type_));
    let last_applied = status.and_then(|status| status.last_applied_revision.as_deref());
    let is_new_revision = last_applied != Some(artifact.revision.as_str());
    let is_observed =
        status.and_then(|status| status.observed_generation) == object.metadata.generation;
    Ok(Plan {
        origin_revision: source::origin_revision(artifact),
        path: clean_path(spec.path.as_deref().unwrap_or_default()),
        overlay: overlay(spec),
        decryption: spec.decryption.clone(),
        post_build: spec.post_build.clone(),
        owner: owner(object),
        remote: spec.kube_config.clone(),
        account: checked.account,
        known: inventory(object)?,
        common: spec.common_metadata.clone().unwrap_or_default(),
        prune: spec.prune,
        force: spec.force,
        ignore: checked.ignore,
        health: health_checks(object),
        evaluators: checked.evaluators,
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
