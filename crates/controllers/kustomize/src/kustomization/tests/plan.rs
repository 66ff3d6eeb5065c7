//! Tables of decisions.

use serde_json::{Value, json};
use std::sync::Arc;

use super::super::observe::Unread;
use super::super::perform::doomed;
use super::*;
use sluice_engine::ObjectKey;

/// A Kustomization of namespace `apps`, fed by `GitRepository/apps/source`.
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

/// The same with a status.
pub(in super::super) fn with_status(name: &str, status: Value) -> Kustomization {
    let mut object = kustomization(name, |_| ());
    object.status = Some(serde_json::from_value(status).unwrap());
    object
}

/// One that has applied a revision.
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

fn observed(found: Found) -> Observed {
    Observed {
        source: found,
        dependencies: Vec::new(),
        cycle: None,
    }
}

fn with_artifact(revision: &str) -> Observed {
    observed(Found::Artifact(Box::new(artifact(revision))))
}

fn deleted(mut object: Kustomization) -> Kustomization {
    let now = serde_json::from_value(json!("2026-01-01T00:00:00Z")).unwrap();
    object.metadata.deletion_timestamp = Some(now);
    object
}

/// Decides as a run does.
fn decided(object: &Kustomization, policy: &Policy, observed: &Observed) -> Decision {
    match at_sight(object, policy) {
        Ok(checked) => decide(object, policy, checked, observed),
        Err(decision) => decision,
    }
}

pub(in super::super) fn plan_of(object: &Kustomization, revision: &str) -> Plan {
    match decided(object, &policy(), &with_artifact(revision)) {
        Decision::Work(plan) => *plan,
        other => panic!("{other:?}"),
    }
}

fn removal_of(object: Kustomization) -> Removal {
    match at_sight(&deleted(object), &policy()) {
        Err(Decision::Remove(removal)) => *removal,
        other => panic!("{other:?}"),
    }
}

fn refusal_of(decision: Result<Checked, Decision>) -> Refusal {
    match decision {
        Err(Decision::Refuse(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_suspended_object_sleeps_whatever_else_it_says() {
    let object = kustomization("a", |spec| {
        spec["suspend"] = json!(true);
        spec["patches"] = json!([{"patch": "a"}]);
    });
    assert_eq!(at_sight(&object, &policy()), Err(Decision::Sleep));
}

#[test]
fn what_cannot_be_served_is_refused_by_name() {
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
            "spec.sourceRef.kind: \"HelmChart\" is no kind of source",
        ),
    ];
    for (change, reason, message) in cases {
        let object = kustomization("a", |spec| {
            spec.as_object_mut()
                .unwrap()
                .extend(change.as_object().unwrap().clone());
        });
        let refusal = refusal_of(at_sight(&object, &policy()));
        assert_eq!(
            (refusal.reason, refusal.message.as_str()),
            (reason, message)
        );
    }
}

#[test]
fn a_source_elsewhere_is_refused_only_with_the_flag() {
    let object = kustomization("a", |spec| {
        spec["sourceRef"]["namespace"] = json!("sources");
    });
    assert!(at_sight(&object, &policy()).is_ok());
    let mut strict = policy();
    strict.references.no_cross_namespace = true;
    let refusal = refusal_of(at_sight(&object, &strict));
    assert_eq!(refusal.reason, "AccessDenied");
    assert_eq!(
        refusal.message,
        "can't access 'GitRepository/sources/source', cross-namespace references have been blocked"
    );
    assert!(at_sight(&kustomization("a", |_| ()), &strict).is_ok());
}

#[test]
fn a_missing_source_or_artifact_is_waited_for() {
    let object = kustomization("a", |spec| spec["retryInterval"] = json!("2m"));
    for (found, message, seconds) in [
        (
            Found::Nothing,
            "Source 'GitRepository/source' not found",
            120,
        ),
        (
            Found::Empty,
            "Source artifact not found, retrying in 30s",
            30,
        ),
    ] {
        let Decision::Wait(pending) = decided(&object, &policy(), &observed(found)) else {
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
fn an_unmet_dependency_is_waited_for_and_a_loop_spelled_out() {
    let object = kustomization("a", |spec| {
        spec["dependsOn"] = json!([{"name": "b"}, {"name": "c"}]);
    });
    let key = |name: &str| ObjectKey::new("apps", name);
    let mut observed = with_artifact("main@sha1:1");
    observed.dependencies = vec![
        (key("b"), Ok(Some(Arc::new(ready("b", "main@sha1:1"))))),
        (key("c"), Ok(None)),
    ];
    let Decision::Wait(pending) = decided(&object, &policy(), &observed) else {
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

    observed.cycle = Some(vec![key("a"), key("c"), key("a")]);
    let Decision::Wait(pending) = decided(&object, &policy(), &observed) else {
        panic!()
    };
    assert_eq!(
        pending.message,
        "dependency 'apps/c' not found: kustomizations.kustomize.toolkit.fluxcd.io \"c\" not found: circular dependency detected: apps/a -> apps/c -> apps/a"
    );

    observed.dependencies.pop();
    assert!(matches!(
        decided(&object, &policy(), &observed),
        Decision::Work(_)
    ));
}

#[test]
fn a_dependency_that_cannot_be_read_is_waited_for_with_what_the_server_says() {
    let object = kustomization("a", |spec| spec["dependsOn"] = json!([{"name": "b"}]));
    let mut observed = with_artifact("main@sha1:1");
    let refused = Unread("kustomizations \"b\" is forbidden".to_owned());
    observed.dependencies = vec![(ObjectKey::new("apps", "b"), Err(refused))];
    let Decision::Wait(pending) = decided(&object, &policy(), &observed) else {
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
fn a_source_that_cannot_be_read_is_told_on_the_object_and_read_again() {
    let unread = Unread("gitrepositories \"source\" is forbidden".to_owned());
    let observed = observed(Found::Unread(unread));
    let decision = decided(&kustomization("a", |_| ()), &policy(), &observed);
    let expected = Refusal {
        reason: "ArtifactFailed",
        message: "unable to get source 'apps/source': gitrepositories \"source\" is forbidden"
            .to_owned(),
        retry: Retry::Backoff,
        is_told: false,
    };
    assert_eq!(decision, Decision::Refuse(expected));
}

#[test]
fn a_plan_knows_whether_it_looks_after_something_that_was_well() {
    let quiet = |object: &Kustomization, revision: &str| {
        let plan = plan_of(object, revision);
        (plan.is_quiet, plan.is_new_revision)
    };
    assert_eq!(quiet(&kustomization("a", |_| ()), "1"), (false, true));
    assert_eq!(quiet(&ready("a", "1"), "1"), (true, false));
    assert_eq!(quiet(&ready("a", "1"), "2"), (false, true));
    let mut edited = ready("a", "1");
    edited.metadata.generation = Some(3);
    assert_eq!(quiet(&edited, "1"), (false, false));
}

#[test]
fn an_object_acts_as_its_account_or_the_default_one_or_ourselves() {
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
        account(&object, &policy)
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
fn health_is_checked_of_all_or_of_what_is_listed() {
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
fn what_was_never_adopted_takes_nothing_with_it() {
    let mut object = ready("a", "1");
    object.metadata.finalizers = Some(vec!["someone.else/holds".to_owned()]);
    assert!(removal_of(object).inventory.is_empty());
}

#[test]
fn an_inventory_that_cannot_be_read_stops_everything() {
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
    let Decision::Refuse(refusal) = decided(&object, &policy(), &with_artifact("1")) else {
        panic!()
    };
    assert!(
        refusal.message.starts_with("status.inventory: ") && refusal.message.contains("nonsense"),
        "{refusal:?}"
    );
    let refusal = refusal_of(at_sight(&deleted(object.clone()), &policy()));
    assert!(
        refusal.message.starts_with("status.inventory: "),
        "the object stays, and says why"
    );
    object.spec.deletion_policy = Some(DeletionPolicy::Orphan);
    assert!(
        removal_of(object).inventory.is_empty(),
        "unless all of it is to stay anyway"
    );
}

#[test]
fn objects_in_another_cluster_are_looked_for_there() {
    let mut object = ready("a", "1");
    object.spec.kube_config =
        Some(serde_json::from_value(json!({"secretRef": {"name": "remote"}})).unwrap());
    let wanted = object.spec.kube_config.clone();
    assert_eq!(plan_of(&object, "1").remote, wanted);
    assert_eq!(removal_of(object).remote, wanted);
}

#[test]
fn expressions_and_rules_that_cannot_be_read_stall() {
    let refused = |field: &str, value: Value| {
        let object = kustomization("a", |spec| spec[field] = value);
        let refusal = refusal_of(at_sight(&object, &policy()));
        assert_eq!(refusal.retry, Retry::Stalled);
        (refusal.reason, refusal.message)
    };
    let (reason, message) = refused(
        "dependsOn",
        json!([{"name": "b", "readyExpr": "self.status"}]),
    );
    assert_eq!(reason, "InvalidCELExpression");
    assert_eq!(
        message,
        "Reconciliation failed terminally due to configuration error: terminal error: failed to evaluate \
         dependency b: CEL expression output type mismatch: expected bool, got dyn"
    );
    let (reason, message) = refused(
        "ignore",
        json!([{"paths": ["/a"], "target": {"name": "("}}]),
    );
    assert_eq!(reason, "ReconciliationFailed");
    assert!(
        message.starts_with("failed to create ignore rule selector: invalid name regex: "),
        "{message}"
    );
}

#[test]
fn a_path_stays_inside() {
    for (path, expected) in [
        ("", ""),
        ("./", ""),
        ("./deploy/", "deploy"),
        ("/deploy", "deploy"),
        ("../../etc", "etc"),
        ("a/../../b/./c", "b/c"),
        ("a//b", "a/b"),
    ] {
        assert_eq!(inside(path), expected, "{path}");
    }
}

#[test]
fn of_ten_thousand_objects_those_that_left_are_doomed_and_no_other() {
    let id = |number: usize| format!("apps_web-{number:05}__ConfigMap");
    let entries: Vec<Value> = (0..10_000)
        .map(|number| json!({"id": id(number), "v": "v1"}))
        .collect();
    let object = with_status("a", json!({"inventory": {"entries": entries}}));
    let plan = plan_of(&object, "2");
    assert_eq!(plan.known.len(), 10_000);
    // One of ten left, and the others come in another order and beside new ones.
    let kept = (0..11_000).rev().filter(|number| number % 10 != 0).map(id);
    let kept: Vec<String> = kept.collect();
    let applied = kept.iter().map(|id| (id.as_str(), "v1"));
    let applied = Inventory::parse(applied).unwrap();
    let doomed = doomed(&plan, &applied);
    let doomed: Vec<String> = doomed.format().map(|(id, _)| id).collect();
    let left: Vec<String> = (0..10_000).step_by(10).map(id).collect();
    assert_eq!(doomed, left);
    let whole = removal_of(object).inventory;
    assert_eq!(whole.len(), 10_000, "whoever goes takes all of them along");
}
