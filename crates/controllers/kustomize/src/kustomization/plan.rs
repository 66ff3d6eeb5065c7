//! What to do about a Kustomization: pure, from the object and what was observed.

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
use super::observe::{Found, Observed};
use super::source;
use super::timing::{Timing, text};
use crate::args::{self, Args};

#[cfg(test)]
#[path = "tests/plan.rs"]
pub(super) mod tests;

/// What the operator decided for all Kustomizations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Policy {
    /// Impersonated where an object names nobody.
    pub(super) default_service_account: Option<String>,
    /// Whether references may leave their namespace.
    pub(super) references: References,
    /// Whether `ExternalArtifact` may be a source.
    pub(super) external_artifacts: bool,
    /// Whether objects may choose service accounts for decryption.
    pub(super) object_level_identity: bool,
    /// Whether `readyExpr` is asked in addition to the usual check.
    pub(super) additive_expressions: bool,
    /// When to look again at what is not ready.
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

/// What to do.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decision {
    /// Nothing: it is suspended.
    Sleep,
    /// Take out what it put in, and let it go.
    Remove(Box<Removal>),
    /// Nothing: it is edited first, or looked at again.
    Refuse(Refusal),
    /// Nothing yet.
    Wait(Pending),
    /// Bring its artifact into the cluster.
    Work(Box<Plan>),
}

/// An object that cannot be reconciled as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) reason: &'static str,
    pub(super) message: String,
    /// Whether it has to be edited, or looked at again.
    pub(super) retry: Retry,
    /// Whether everyone is told, or only who looks at the object.
    pub(super) is_told: bool,
}

impl Refusal {
    /// One that only an edit can lift; edits wake us.
    pub(super) fn stalled(reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
            retry: Retry::Stalled,
            is_told: true,
        }
    }
}

/// Something that is not there yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pending {
    pub(super) reason: &'static str,
    pub(super) message: String,
    /// When to look again, should nothing wake us before.
    pub(super) after: Duration,
    /// What to tell everyone, if anything.
    pub(super) notice: Option<String>,
    /// The revision that waits, and the one that it was made from.
    pub(super) revision: Option<String>,
    pub(super) origin_revision: Option<String>,
    /// What to tell whoever reads the log.
    pub(super) log: Option<String>,
    /// Whether an object that is new may pass over it in silence for a while.
    pub(super) is_usual: bool,
}

impl Pending {
    /// Whether it is a dependency that is not there yet.
    pub(super) fn is_for_dependencies(&self) -> bool {
        self.reason == reason::DEPENDENCY_NOT_READY
    }
}

/// As whom to act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Account {
    /// The service account's name, in the object's namespace.
    pub(super) name: String,
    pub(super) identity: Identity,
}

/// How to let an object go.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Removal {
    /// What to delete first; may be empty.
    pub(super) inventory: Inventory,
    pub(super) owner: Owner,
    /// Where it is, if not in our cluster.
    pub(super) remote: Option<KubeConfigReference>,
    pub(super) account: Option<Account>,
    /// Whether, and for how long, to wait until it is gone.
    pub(super) await_termination: Option<Duration>,
}

/// What to check after an apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HealthChecks {
    /// Nothing.
    None,
    /// Whatever was applied.
    Applied,
    /// These objects, each with its version.
    Listed(Vec<(ObjectId, String)>),
}

/// How to bring an artifact into the cluster.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plan {
    pub(super) artifact: Artifact,
    pub(super) origin_revision: Option<String>,
    /// The folder in it, clean and inside: no `.` or `..`, empty for the root.
    pub(super) path: String,
    /// What goes into the kustomization file.
    pub(super) overlay: flux::Spec,
    /// How to decrypt, if at all.
    pub(super) decryption: Option<Decryption>,
    /// Variables, if there may be any.
    pub(super) post_build: Option<PostBuild>,
    pub(super) owner: Owner,
    /// Where to bring it, if not to our cluster.
    pub(super) remote: Option<KubeConfigReference>,
    pub(super) account: Option<Account>,
    /// What the cluster holds of ours, as far as is recorded.
    pub(super) known: Inventory,
    pub(super) common: CommonMetadata,
    pub(super) prune: bool,
    pub(super) force: bool,
    /// Fields that are left to others.
    pub(super) ignore: Arc<IgnoreRules>,
    pub(super) health: HealthChecks,
    /// By what the health of some kinds is judged.
    pub(super) evaluators: Arc<HealthEvaluators>,
    pub(super) was_healthy: bool,
    /// Whether the revision is another one than was applied last.
    pub(super) is_new_revision: bool,
    /// Whether this is a look after something that was well: no progress is shown
    /// unless it takes long or something has to be done.
    pub(super) is_quiet: bool,
    pub(super) timing: Timing,
    /// When to look again at an artifact that is not there.
    pub(super) requeue_dependency: Duration,
}

impl Plan {
    /// The revision that is brought in.
    pub(super) fn revision(&self) -> &str {
        &self.artifact.revision
    }
}

/// What was read from a spec while it was checked: expressions and patterns are compiled once
/// for a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Checked {
    timing: Timing,
    account: Option<Account>,
    ignore: Arc<IgnoreRules>,
    evaluators: Arc<HealthEvaluators>,
    /// Those of its dependencies.
    pub(super) expressions: Arc<Expressions>,
}

/// Decides what needs no look at the cluster, or gives what is needed to decide after one.
#[expect(
    clippy::result_large_err,
    reason = "either side is taken apart where it is returned"
)]
pub(super) fn at_sight(object: &Kustomization, policy: &Policy) -> Result<Checked, Decision> {
    if object.metadata.deletion_timestamp.is_some() {
        return Err(match removal(object, policy) {
            Ok(removal) => Decision::Remove(Box::new(removal)),
            Err(refusal) => Decision::Refuse(refusal),
        });
    }
    if object.spec.suspend {
        return Err(Decision::Sleep);
    }
    check(object, policy).map_err(Decision::Refuse)
}

/// Decides, given what was observed.
pub(super) fn decide(
    object: &Kustomization,
    policy: &Policy,
    checked: Checked,
    observed: &Observed,
) -> Decision {
    let artifact = match &observed.source {
        Found::Artifact(artifact) => artifact,
        Found::Unread(why) => {
            return Decision::Refuse(Refusal {
                reason: reason::ARTIFACT_FAILED,
                message: format!("unable to get source '{}': {why}", source::key(object)),
                retry: Retry::Backoff,
                is_told: false,
            });
        }
        Found::Nothing => {
            return Decision::Wait(Pending {
                reason: reason::ARTIFACT_FAILED,
                message: format!("Source '{}' not found", source::as_written(object)),
                after: checked.timing.retry_interval,
                notice: None,
                revision: None,
                origin_revision: None,
                log: None,
                is_usual: false,
            });
        }
        Found::Empty => {
            let after = policy.requeue_dependency;
            return Decision::Wait(Pending {
                reason: reason::ARTIFACT_FAILED,
                message: format!("Source artifact not found, retrying in {}", text(after)),
                after,
                notice: None,
                revision: None,
                origin_revision: None,
                log: None,
                // Who is made together with his source finds it still at work.
                is_usual: true,
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

/// Checks the spec as far as it can be without the cluster.
fn check(object: &Kustomization, policy: &Policy) -> Result<Checked, Refusal> {
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
    Ok(Checked {
        timing,
        account: self::account(object, policy)?,
        ignore: Arc::new(ignore),
        evaluators: Arc::new(evaluators),
        expressions: Arc::new(expressions),
    })
}

/// The first dependency that is not met.
fn unmet(
    object: &Kustomization,
    policy: &Policy,
    expressions: &Expressions,
    observed: &Observed,
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
        is_usual: false,
    })
}

fn work(
    object: &Kustomization,
    policy: &Policy,
    artifact: &Artifact,
    checked: Checked,
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
        path: inside(spec.path.as_deref().unwrap_or_default()),
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
        is_quiet: !is_new_revision && is_observed && is_true(READY),
        timing: checked.timing,
        requeue_dependency: policy.requeue_dependency,
        // Its metadata is asked for the origin's revision only.
        artifact: Artifact {
            metadata: BTreeMap::new(),
            ..artifact.clone()
        },
    })
}

/// The fields that go into the kustomization file, in the words of the API.
fn overlay(spec: &KustomizationSpec) -> flux::Spec {
    let spec = serde_json::to_value(spec).expect("a spec that was read can be written");
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

/// The expressions by which the health of some kinds is judged.
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

/// The fields that are left to others.
fn ignore_rules(spec: &KustomizationSpec) -> Result<IgnoreRules, Refusal> {
    IgnoreRules::new(spec.ignore.iter().map(IgnoreRule::from))
        .map_err(|error| Refusal::stalled(reason::RECONCILIATION_FAILED, error.to_string()))
}

fn removal(object: &Kustomization, policy: &Policy) -> Result<Removal, Refusal> {
    let deletion = object.spec.deletion_policy.clone().unwrap_or_default();
    let deletes = match deletion {
        DeletionPolicy::MirrorPrune => object.spec.prune,
        DeletionPolicy::Delete | DeletionPolicy::WaitForTermination => true,
        // A word that nobody knows must not delete anything.
        DeletionPolicy::Orphan | DeletionPolicy::Other(_) => false,
    };
    // Without our finalizer nothing was ever applied: it comes before the first effect.
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
    // A time that cannot be read must not keep the object for ever.
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

/// As whom to act: the object's service account, or the default one. Without
/// either, as ourselves.
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

/// What the status says is in the cluster. An entry that cannot be read stops
/// everything: whatever it names would be lost track of. Repairing a status wakes nobody,
/// so it is looked at again.
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
            is_told: true,
        },
    )
}

/// A path that cannot leave the root it is put under: `..` stops there.
fn inside(path: &str) -> String {
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
