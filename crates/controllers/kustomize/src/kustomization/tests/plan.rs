//! Decisions by spec, status and observed state.

use serde_json::{Value, json};
use std::sync::Arc;

use super::*;
use sluice_consumer::{DependencyLookup, Expressions, ReadError, UnmetDependency, dependency};
use sluice_engine::ObjectKey;
use sluice_engine::acl::References;

/// Returns a Kustomization in namespace `apps` with the source `GitRepository/apps/source`.
pub(in super::super) fn kustomization(
    name: &str,
    change: impl FnOnce(&mut Value),
) -> Kustomization {
    let mut spec = json!({
        "interval": "10m", "prune": true, "path": "./deploy",
        "sourceRef": {"kind": "GitRepository", "name": "source"},
    });
    change(&mut spec);
    serde_json::from_value(json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
        "metadata": {"name": name, "namespace": "apps", "generation": 2, "finalizers": ["finalizers.fluxcd.io"]},
        "spec": spec,
    }))
    .unwrap()
}

/// Returns the same Kustomization with a status.
pub(in super::super) fn with_status(name: &str, status: Value) -> Kustomization {
    let mut object = kustomization(name, |_| ());
    object.status = Some(serde_json::from_value(status).unwrap());
    object
}

/// Returns a ready Kustomization that has applied a revision.
pub(in super::super) fn ready(name: &str, revision: &str) -> Kustomization {
    with_status(
        name,
        json!({
            "observedGeneration": 2, "lastAppliedRevision": revision, "lastAttemptedRevision": revision,
            "conditions": [{"type": "Ready", "status": "True", "reason": "ReconciliationSucceeded", "message": "",
                "lastTransitionTime": "2026-01-01T00:00:00Z", "observedGeneration": 2}],
            "inventory": {"entries": [{"id": "apps_web_apps_Deployment", "v": "v1"}]},
        }),
    )
}

pub(in super::super) fn artifact(revision: &str) -> Artifact {
    serde_json::from_value(json!({
        "url": "http://source/gitrepository/apps/source/1.tar.gz", "path": "gitrepository/apps/source/1.tar.gz",
        "digest": "sha256:00", "revision": revision, "lastUpdateTime": "2026-01-01T00:00:00Z",
    }))
    .unwrap()
}

pub(in super::super) fn policy() -> Policy {
    Policy {
        default_service_account: None,
        references: References::default(),
        external_artifacts: false,
        additive_expressions: false,
        object_level_identity: false,
        requeue_dependency: Duration::from_secs(30),
    }
}

fn observed(found: SourceLookup) -> Observation {
    Observation {
        source: found,
        unmet: None,
    }
}

fn first_unmet(
    object: &Kustomization,
    found: &[(ObjectKey, DependencyLookup<Kustomization>)],
) -> Option<UnmetDependency> {
    let expressions = Expressions::of(object).unwrap();
    let mut unmet = dependency::all_unmet(object, &expressions, found, "main@sha1:1", false);
    unmet.next().map(|message| UnmetDependency {
        message,
        cycle: None,
    })
}

fn with_artifact(revision: &str) -> Observation {
    observed(SourceLookup::Artifact(Box::new(artifact(revision))))
}

fn deleted(mut object: Kustomization) -> Kustomization {
    let now = serde_json::from_value(json!("2026-01-01T00:00:00Z")).unwrap();
    object.metadata.deletion_timestamp = Some(now);
    object
}

/// Decides as a run does: from the spec, then from the observed state.
fn decided(object: &Kustomization, policy: &Policy, observed: &Observation) -> Start {
    match decide_from_spec(object, policy) {
        Ok(spec) => decide(object, policy, &spec, observed),
        Err(decision) => decision,
    }
}

pub(in super::super) fn plan_of(object: &Kustomization, revision: &str) -> Plan {
    match decided(object, &policy(), &with_artifact(revision)) {
        Start::Work(plan) => *plan,
        other => panic!("{other:?}"),
    }
}

fn removal_of(object: Kustomization) -> Removal {
    match decide_from_spec(&deleted(object), &policy()) {
        Err(Start::Remove(removal)) => *removal,
        other => panic!("{other:?}"),
    }
}

fn refusal_of(decision: Result<Spec, Start>) -> Failure {
    match decision {
        Err(Start::Refuse(failure)) => failure.failure,
        other => panic!("{other:?}"),
    }
}

#[test]
fn invalid_spec_refusal_names_cause() {
    let cases: Vec<(Value, &str, &str)> = vec![
        (
            json!({"decryption": {"provider": "sops", "serviceAccountName": "a"}}),
            "FeatureGateDisabled",
            "to use spec.decryption.serviceAccountName for decryption authentication please enable the \
             ObjectLevelWorkloadIdentity feature gate in the controller",
        ),
        (
            json!({"healthCheckExprs": [{"apiVersion": "v1", "current": ""}]}),
            "InvalidCELExpression",
            "Reconciliation failed terminally due to configuration error: failed to create custom status evaluator for healthchecks[0]: expression Current not specified",
        ),
        (
            json!({"interval": "soon"}),
            "ReconciliationFailed",
            "spec.interval: time: invalid duration \"soon\"",
        ),
        (
            json!({"serviceAccountName": "a:b"}),
            "ReconciliationFailed",
            "spec.serviceAccountName: impersonation service account \"a:b\" holds characters that cannot be sent",
        ),
        (
            json!({"sourceRef": {"kind": "ExternalArtifact", "name": "a"}}),
            "AccessDenied",
            "can't access 'ExternalArtifact/apps/a', ExternalArtifact feature gate is disabled",
        ),
        (
            json!({"sourceRef": {"kind": "HelmChart", "name": "a"}}),
            "ReconciliationFailed",
            "spec.sourceRef.kind: \"HelmChart\" is not a kind of source",
        ),
    ];
    for (change, reason, message) in cases {
        let object = kustomization("a", |spec| {
            spec.as_object_mut()
                .unwrap()
                .extend(change.as_object().unwrap().clone());
        });
        let refusal = refusal_of(decide_from_spec(&object, &policy()));
        assert_eq!(
            (refusal.reason.as_ref(), refusal.message.as_str()),
            (reason, message)
        );
    }
}

#[test]
fn cross_namespace_source_is_refused_with_flag() {
    let object = kustomization("a", |spec| {
        spec["sourceRef"]["namespace"] = json!("sources");
    });
    assert!(decide_from_spec(&object, &policy()).is_ok());
    let mut strict = policy();
    strict.references.no_cross_namespace = true;
    let refusal = refusal_of(decide_from_spec(&object, &strict));
    assert_eq!(refusal.reason, "AccessDenied");
    assert_eq!(
        refusal.message,
        "can't access 'GitRepository/sources/source', cross-namespace references have been blocked"
    );
    assert!(decide_from_spec(&kustomization("a", |_| ()), &strict).is_ok());
}

#[test]
fn missing_source_or_artifact_waits() {
    let object = kustomization("a", |spec| spec["retryInterval"] = json!("2m"));
    for (found, message, seconds) in [
        (
            SourceLookup::Missing,
            "GitRepository.source.toolkit.fluxcd.io \"source\" not found",
            120,
        ),
        (
            SourceLookup::NoArtifact,
            "Source artifact not found, retrying in 30s",
            30,
        ),
    ] {
        let Start::Wait(pending) = decided(&object, &policy(), &observed(found)) else {
            panic!()
        };
        assert_eq!(
            (pending.reason, pending.message.as_str()),
            ("ArtifactFailed", message)
        );
        assert_eq!((pending.after.as_secs(), pending.notice), (seconds, None));
    }
}

#[test]
fn unmet_dependency_waits_and_shows_cycle() {
    let object = kustomization("a", |spec| {
        spec["dependsOn"] = json!([{"name": "b"}, {"name": "c"}]);
    });
    let key = |name: &str| ObjectKey::new("apps", name);
    let mut observed = with_artifact("main@sha1:1");
    let mut found = vec![
        (key("b"), Ok(Some(Arc::new(ready("b", "main@sha1:1"))))),
        (key("c"), Ok(None)),
    ];
    observed.unmet = first_unmet(&object, &found);
    let Start::Wait(pending) = decided(&object, &policy(), &observed) else {
        panic!()
    };
    assert_eq!(
        pending.message,
        "dependency 'apps/c' not found: kustomizations.kustomize.toolkit.fluxcd.io \"c\" not found"
    );
    assert_eq!(
        pending.notice.as_deref(),
        Some("Dependencies do not meet ready condition, retrying in 30s")
    );
    assert!(pending.is_for_dependencies());

    if let Some(unmet) = &mut observed.unmet {
        unmet.cycle = Some(vec![key("a"), key("c"), key("a")]);
    }
    let Start::Wait(pending) = decided(&object, &policy(), &observed) else {
        panic!()
    };
    assert_eq!(
        pending.message,
        "dependency 'apps/c' not found: kustomizations.kustomize.toolkit.fluxcd.io \"c\" not found: circular dependency detected: apps/a -> apps/c -> apps/a"
    );

    found.pop();
    observed.unmet = first_unmet(&object, &found);
    assert!(matches!(
        decided(&object, &policy(), &observed),
        Start::Work(_)
    ));
}

#[test]
fn unreadable_dependency_waits_with_server_error() {
    let object = kustomization("a", |spec| spec["dependsOn"] = json!([{"name": "b"}]));
    let mut observed = with_artifact("main@sha1:1");
    let refused = ReadError::from("kustomizations \"b\" is forbidden");
    observed.unmet = first_unmet(&object, &[(ObjectKey::new("apps", "b"), Err(refused))]);
    let Start::Wait(pending) = decided(&object, &policy(), &observed) else {
        panic!()
    };
    assert!(pending.is_for_dependencies());
    assert_eq!(
        (pending.message.as_str(), pending.after),
        (
            "dependency 'apps/b' not found: kustomizations \"b\" is forbidden",
            Duration::from_secs(30)
        )
    );
}

#[test]
fn unreadable_source_backs_off_without_event() {
    let unread = ReadError::from("gitrepositories \"source\" is forbidden");
    let observed = observed(SourceLookup::Failed(unread));
    let decision = decided(&kustomization("a", |_| ()), &policy(), &observed);
    let message = "unable to get source 'apps/source': gitrepositories \"source\" is forbidden";
    let expected = ReportedFailure {
        failure: Failure::message("ArtifactFailed", Retry::Backoff, message),
        event: FailureEvent::None,
    };
    assert_eq!(decision, Start::Refuse(expected));
}

#[test]
fn plan_detects_recheck_of_ready_object() {
    let flags = |object: &Kustomization, revision: &str| {
        let plan = plan_of(object, revision);
        (plan.is_recheck, plan.is_new_revision)
    };
    assert_eq!(flags(&kustomization("a", |_| ()), "1"), (false, true));
    assert_eq!(flags(&ready("a", "1"), "1"), (true, false));
    assert_eq!(flags(&ready("a", "1"), "2"), (false, true));
    let mut edited = ready("a", "1");
    edited.metadata.generation = Some(3);
    assert_eq!(flags(&edited, "1"), (false, false));
}

#[test]
fn account_falls_back_to_default_then_own_identity() {
    let acts = |name: Option<&str>, default: Option<&str>| {
        let object = kustomization("a", |spec| {
            if let Some(name) = name {
                spec["serviceAccountName"] = json!(name);
            }
        });
        let policy = Policy {
            default_service_account: default.map(str::to_owned),
            ..policy()
        };
        spec::account(&object, &policy)
            .unwrap()
            .map(|account| account.identity.name().to_owned())
    };
    assert_eq!(acts(None, None), None);
    assert_eq!(
        acts(None, Some("d")).as_deref(),
        Some("system:serviceaccount:apps:d")
    );
    assert_eq!(
        acts(Some("own"), Some("d")).as_deref(),
        Some("system:serviceaccount:apps:own")
    );
    assert_eq!(
        acts(Some(""), Some("d")).as_deref(),
        Some("system:serviceaccount:apps:d")
    );
}

#[test]
fn health_checks_cover_applied_or_listed_objects() {
    let checks = |change: Value| {
        plan_of(
            &kustomization("a", |spec| {
                spec.as_object_mut()
                    .unwrap()
                    .extend(change.as_object().unwrap().clone());
            }),
            "1",
        )
        .health
    };
    assert_eq!(checks(json!({})), HealthChecks::None);
    let listed = json!([{"kind": "Deployment", "name": "web", "namespace": "apps"},
        {"apiVersion": "v1", "kind": "Service", "name": "web", "namespace": "apps"}]);
    let HealthChecks::Listed(list) = checks(json!({"healthChecks": listed})) else {
        panic!()
    };
    let list: Vec<String> = list
        .iter()
        .map(|(id, version)| format!("{id} {} {version}", id.group))
        .collect();
    assert_eq!(
        list,
        ["Deployment/apps/web apps v1", "Service/apps/web  v1"]
    );
    assert_eq!(
        checks(json!({"wait": true, "healthChecks": listed})),
        HealthChecks::Applied
    );
}

#[test]
fn deletion_follows_policy_prune_and_suspend() {
    let deletes = |change: Value| {
        let mut object = ready("a", "1");
        let mut spec = serde_json::to_value(&object.spec).unwrap();
        spec.as_object_mut()
            .unwrap()
            .extend(change.as_object().unwrap().clone());
        object.spec = serde_json::from_value(spec).unwrap();
        let removal = removal_of(object);
        (removal.inventory.len(), removal.await_termination.is_some())
    };
    for (change, expected) in [
        (json!({}), (1, false)),
        (json!({"prune": false}), (0, false)),
        (
            json!({"prune": false, "deletionPolicy": "Delete"}),
            (1, false),
        ),
        (
            json!({"prune": false, "deletionPolicy": "WaitForTermination"}),
            (1, true),
        ),
        (json!({"deletionPolicy": "Orphan"}), (0, false)),
        (json!({"deletionPolicy": "NoSuchPolicy"}), (0, false)),
        (json!({"suspend": true}), (0, false)),
        (
            json!({"interval": "nonsense", "deletionPolicy": "WaitForTermination"}),
            (1, true),
        ),
    ] {
        assert_eq!(deletes(change.clone()), expected, "{change}");
    }
}

#[test]
fn removal_without_finalizer_deletes_nothing() {
    let mut object = ready("a", "1");
    object.metadata.finalizers = Some(vec!["someone.else/holds".to_owned()]);
    assert!(removal_of(object).inventory.is_empty());
}

#[test]
fn unreadable_inventory_stops_run_and_removal() {
    let mut object = ready("a", "1");
    object
        .status
        .as_mut()
        .unwrap()
        .inventory
        .as_mut()
        .unwrap()
        .entries[0]
        .id = "nonsense".to_owned();
    let Start::Refuse(ReportedFailure { failure, .. }) =
        decided(&object, &policy(), &with_artifact("1"))
    else {
        panic!()
    };
    assert!(
        failure.message.starts_with("status.inventory: ") && failure.message.contains("nonsense"),
        "{failure:?}"
    );
    let refusal = refusal_of(decide_from_spec(&deleted(object.clone()), &policy()));
    assert!(
        refusal.message.starts_with("status.inventory: "),
        "the object stays, with the cause"
    );
    object.spec.deletion_policy = Some(DeletionPolicy::Orphan);
    assert!(
        removal_of(object).inventory.is_empty(),
        "orphaning does not need the inventory"
    );
}

#[test]
fn remote_cluster_is_used_for_apply_and_removal() {
    let mut object = ready("a", "1");
    object.spec.kube_config =
        Some(serde_json::from_value(json!({"secretRef": {"name": "remote"}})).unwrap());
    let wanted = object.spec.kube_config.clone();
    assert_eq!(plan_of(&object, "1").remote, wanted);
    assert_eq!(removal_of(object).remote, wanted);
}

#[test]
fn invalid_ready_expression_stalls_with_revision() {
    let depends_on = json!([{"name": "b", "readyExpr": "self.status"}]);
    let object = kustomization("a", |spec| spec["dependsOn"] = depends_on);
    let without = decided(&object, &policy(), &observed(SourceLookup::NoArtifact));
    assert!(matches!(without, Start::Wait(_)));
    let Start::Refuse(refusal) = decided(&object, &policy(), &with_artifact("main@sha1:1")) else {
        panic!("an invalid expression is refused");
    };
    let message = "Reconciliation failed terminally due to configuration error: terminal error: failed to evaluate \
         dependency b: CEL expression output type mismatch: expected bool, got dyn";
    let expected = ReportedFailure {
        failure: Failure::message("InvalidCELExpression", Retry::Stalled, message),
        event: FailureEvent::About {
            revision: "main@sha1:1".to_owned(),
            origin_revision: None,
        },
    };
    assert_eq!(refusal, expected);
}

#[test]
fn too_many_dependencies_stall() {
    let many: Vec<Value> = (0..101).map(|n| json!({"name": format!("b{n}")})).collect();
    let object = kustomization("a", |spec| spec["dependsOn"] = many.into());
    let refusal = refusal_of(decide_from_spec(&object, &policy()));
    assert_eq!(refusal.retry, Retry::Stalled);
    assert_eq!(refusal.reason, "ReconciliationFailed");
    let message = refusal.message;
    assert!(
        message.starts_with("spec.dependsOn has 101 entries, at most 100 are allowed"),
        "{message}"
    );
}

#[test]
fn stale_objects_are_found_among_ten_thousand() {
    let id = |number: usize| format!("apps_web-{number:05}__ConfigMap");
    let entries: Vec<Value> = (0..10_000)
        .map(|number| json!({"id": id(number), "v": "v1"}))
        .collect();
    let object = with_status("a", json!({"inventory": {"entries": entries}}));
    let plan = plan_of(&object, "2");
    assert_eq!(plan.known.len(), 10_000);
    // Every tenth object left. The others arrive in reverse order, with new ones.
    let kept = (0..11_000).rev().filter(|number| number % 10 != 0).map(id);
    let kept: Vec<String> = kept.collect();
    let applied = kept.iter().map(|id| (id.as_str(), "v1"));
    let applied = Inventory::parse(applied).unwrap();
    let stale_objects = stale_objects(&plan, &applied);
    let stale_objects: Vec<String> = stale_objects.format().map(|(id, _)| id).collect();
    let left: Vec<String> = (0..10_000).step_by(10).map(id).collect();
    assert_eq!(stale_objects, left);
    let whole = removal_of(object).inventory;
    assert_eq!(whole.len(), 10_000, "removal deletes all objects");
}
