//! Waits for health and their requests.

use std::future::pending;
use std::time::Duration;

use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use sluice_apply::{
    Action, ApplyOutcome, Inventory, InventoryEntry, WaitError, WaitOptions, WaitTarget,
};
use sluice_object::{Object, ObjectId};

use crate::{Sandbox, all, definition, within};

/// An object whose status only the test writes, because the source controller does not run.
pub(crate) fn source(sandbox: &Sandbox, name: &str) -> Object {
    sandbox.object(
        "source.toolkit.fluxcd.io/v1",
        "GitRepository",
        name,
        &json!({"spec": {"interval": "1m", "url": "https://example.com/a.git"}}),
    )
}

/// An object that is always Current, but may change in other ways than by a deletion.
fn budget(sandbox: &Sandbox, name: &str) -> Object {
    sandbox.object(
        "policy/v1",
        "PodDisruptionBudget",
        name,
        &json!({"spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": name}}}}),
    )
}

pub(crate) async fn set_status(sandbox: &Sandbox, object: &Object, condition: &str, message: &str) {
    let status = json!({"status": {"observedGeneration": 1, "conditions": [{
        "type": condition, "status": "True", "reason": "Test", "message": message,
        "lastTransitionTime": "2026-01-01T00:00:00Z", "observedGeneration": 1}]}});
    sandbox
        .api(object)
        .await
        .patch_subresource(
            "status",
            object.name(),
            &PatchParams::default(),
            &Patch::Merge(status),
        )
        .await
        .expect("a status");
}

const fn within_millis(milliseconds: u64) -> WaitOptions {
    WaitOptions {
        timeout: Duration::from_millis(milliseconds),
        fail_fast: false,
    }
}

#[tokio::test]
async fn current_objects_need_no_request() {
    let sandbox = Sandbox::new("instant").await;
    let objects = vec![
        sandbox.config_map("a", "1"),
        sandbox.object("v1", "ServiceAccount", "web", &json!({})),
        sandbox.object(
            "v1",
            "Service",
            "web",
            &json!({"spec": {"ports": [{"port": 80}]}}),
        ),
    ];
    let applied = sandbox.apply(objects).await.expect("applied");
    let mark = sandbox.mark().await;
    sandbox
        .applier
        .wait(applied.targets, within(60), pending())
        .await
        .expect("healthy");
    sandbox.mark().await;
    assert_eq!(sandbox.requests(mark), Vec::<String>::new());
}

#[tokio::test]
async fn deployments_share_one_watch_without_reads() {
    let sandbox = Sandbox::new("rollout").await;
    let objects = vec![
        sandbox.deployment("none", 0),
        sandbox.deployment("one", 1),
        sandbox.deployment("three", 3),
    ];
    let applied = sandbox.apply(objects).await.expect("applied");
    let mark = sandbox.mark().await;
    let waits = applied
        .targets
        .into_iter()
        .map(|target| sandbox.applier.wait(vec![target], within(60), pending()));
    for result in futures::future::join_all(waits).await {
        result.expect("healthy");
    }
    assert!(sandbox.watches.is_empty());
    sandbox.mark().await;
    let requests = sandbox.requests(mark);
    assert!(
        !requests.iter().any(|request| request.starts_with("list")),
        "{requests:?}"
    );
    assert!(
        requests
            .iter()
            .filter(|request| request.starts_with("watch"))
            .count()
            <= 1,
        "{requests:?}"
    );
}

/// Applies existing objects together with a source without a status. The source needs a wait, while
/// the others are Current.
async fn beside_a_new_source(sandbox: &Sandbox, kept: &[Object]) -> (ApplyOutcome, Object) {
    let awaited = source(sandbox, "awaited");
    let known: Inventory = kept
        .iter()
        .map(|object| InventoryEntry {
            id: object.id(),
            version: object.version().to_owned(),
        })
        .collect();
    let set = kept.iter().chain([&awaited]).cloned().collect();
    let applied = sandbox
        .apply_over(set, &known, false)
        .await
        .expect("applied");
    let unchanged = applied.changes.entries.iter();
    let unchanged = unchanged.filter(|entry| entry.action == Action::Unchanged);
    assert_eq!(unchanged.count(), kept.len());
    (applied, awaited)
}

#[tokio::test]
async fn failure_during_the_wait_for_others_ends_it() {
    let sandbox = Sandbox::new("meanwhile").await;
    let kept = source(&sandbox, "kept");
    sandbox.apply(vec![kept.clone()]).await.expect("applied");
    set_status(&sandbox, &kept, "Ready", "fine").await;
    let (applied, awaited) = beside_a_new_source(&sandbox, std::slice::from_ref(&kept)).await;
    let wait = sandbox.applier.wait(applied.targets, within(60), pending());
    let statuses = async {
        set_status(&sandbox, &kept, "Stalled", "broken").await;
        set_status(&sandbox, &awaited, "Ready", "fine").await;
    };
    let (waited, ()) = tokio::join!(wait, statuses);
    assert_eq!(
        waited.expect_err("stalled").to_string(),
        format!(
            "failed early due to stalled resources: [GitRepository/{}/kept status: 'Failed']",
            sandbox.namespace
        )
    );
}

#[tokio::test]
async fn deletion_during_the_wait_for_others_is_detected() {
    let sandbox = Sandbox::new("vanished").await;
    let kept = budget(&sandbox, "kept");
    sandbox.apply(vec![kept.clone()]).await.expect("applied");
    let (applied, awaited) = beside_a_new_source(&sandbox, std::slice::from_ref(&kept)).await;
    let mark = sandbox.mark().await;
    let wait = sandbox.applier.wait(applied.targets, within(60), pending());
    let restore = async {
        let api = sandbox.api(&kept).await;
        api.delete("kept", &DeleteParams::default())
            .await
            .expect("deleted");
        set_status(&sandbox, &awaited, "Ready", "fine").await;
        sluice_testkit::wait::eventually("it is missed", || async {
            let requests = sandbox.requests(mark);
            let is_missed = requests
                .iter()
                .any(|request| request == "get poddisruptionbudgets");
            is_missed.then_some(()).ok_or_else(|| requests.join(", "))
        })
        .await;
        let again = serde_json::from_value(kept.to_value()).expect("an object");
        api.create(&PostParams::default(), &again)
            .await
            .expect("created");
    };
    let (waited, ()) = tokio::join!(wait, restore);
    waited.expect("healthy");
    assert!(sandbox.watches.is_empty());
}

#[tokio::test]
async fn objects_of_a_kind_are_confirmed_by_one_list() {
    let sandbox = Sandbox::new("relisted").await;
    let kept: Vec<_> = (0..9)
        .map(|index| budget(&sandbox, &format!("b{index}")))
        .collect();
    sandbox.apply(kept.clone()).await.expect("applied");
    let (applied, awaited) = beside_a_new_source(&sandbox, &kept).await;
    // Without its labels the object is missing in the list, but not gone.
    let labels = json!({"metadata": {"labels": null}});
    sandbox.change_as_other(&kept[0], &labels).await;
    let mut requests = requests_until_ready(&sandbox, applied.targets, &awaited).await;
    requests.retain(|request| request.ends_with(" poddisruptionbudgets"));
    assert_eq!(
        requests,
        ["list poddisruptionbudgets", "get poddisruptionbudgets"]
    );
}

#[tokio::test]
async fn short_waits_do_not_confirm_objects_without_a_status() {
    let sandbox = Sandbox::new("settled").await;
    let kept = [
        sandbox.config_map("a", "1"),
        sandbox.object("v1", "ServiceAccount", "web", &json!({})),
    ];
    sandbox.apply(kept.to_vec()).await.expect("applied");
    let (applied, awaited) = beside_a_new_source(&sandbox, &kept).await;
    let requests = requests_until_ready(&sandbox, applied.targets, &awaited).await;
    assert!(
        !requests.iter().any(|request| request.starts_with("get ")),
        "{requests:?}"
    );
}

#[tokio::test]
async fn state_from_before_a_prune_is_read_again() {
    let sandbox = Sandbox::new("forgotten").await;
    let applied = sandbox.apply(vec![sandbox.config_map("a", "1")]).await;
    let mut targets = applied.expect("applied").targets;
    targets.iter_mut().for_each(WaitTarget::discard_state);
    assert_eq!(
        requests_of_wait(&sandbox, targets).await,
        ["get configmaps"]
    );
}

#[tokio::test]
async fn state_from_before_a_stage_is_read_again() {
    let sandbox = Sandbox::new("staged").await;
    let role = Object::new(
        "rbac.authorization.k8s.io/v1",
        "ClusterRole",
        "",
        &sandbox.bed.name("role"),
    );
    let group = format!("{}.example.com", sandbox.bed.name("g"));
    let definition = definition(&group, &["v1"]);
    let set = vec![role.clone(), definition, sandbox.config_map("a", "1")];
    let applied = sandbox.apply(set.clone()).await.expect("applied");
    assert_eq!(
        requests_of_wait(&sandbox, applied.targets).await,
        ["get clusterroles", "get customresourcedefinitions"]
    );
    let again = sandbox.apply(set).await.expect("applied");
    assert!(all(&again, Action::Unchanged));
    assert!(requests_of_wait(&sandbox, again.targets).await.is_empty());
}

#[tokio::test]
async fn state_from_before_a_recreation_is_read_again() {
    let sandbox = Sandbox::new("replaced").await;
    let set = |value: &str| {
        let fixed = json!({"immutable": true, "data": {"key": value}});
        vec![
            sandbox.object("v1", "ConfigMap", "fixed", &fixed),
            sandbox.config_map("kept", "1"),
        ]
    };
    let first = sandbox.apply(set("1")).await.expect("applied");
    let known = Inventory::of(&first.changes);
    let applied = sandbox.apply_over(set("2"), &known, true).await;
    let targets = applied.expect("applied").targets;
    assert_eq!(
        requests_of_wait(&sandbox, targets).await,
        ["get configmaps", "get configmaps"]
    );
}

/// Waits for objects of which one becomes ready meanwhile, and lists the requests.
async fn requests_until_ready(
    sandbox: &Sandbox,
    targets: Vec<WaitTarget>,
    awaited: &Object,
) -> Vec<String> {
    let mark = sandbox.mark().await;
    let wait = sandbox.applier.wait(targets, within(60), pending());
    let ready = set_status(sandbox, awaited, "Ready", "fine");
    let (waited, ()) = tokio::join!(wait, ready);
    waited.expect("healthy");
    sandbox.mark().await;
    sandbox.requests(mark)
}

/// Waits for healthy objects and lists the requests, sorted.
async fn requests_of_wait(sandbox: &Sandbox, targets: Vec<WaitTarget>) -> Vec<String> {
    let mark = sandbox.mark().await;
    let waited = sandbox.applier.wait(targets, within(60), pending());
    waited.await.expect("healthy");
    sandbox.mark().await;
    let mut requests = sandbox.requests(mark);
    requests.sort();
    requests
}

#[tokio::test]
async fn timeout_lists_unready_objects() {
    let sandbox = Sandbox::new("timeout").await;
    let objects = vec![
        source(&sandbox, "b"),
        source(&sandbox, "a"),
        sandbox.config_map("fine", "1"),
    ];
    let applied = sandbox.apply(objects).await.expect("applied");
    let mut targets = applied.targets;
    let missing = ObjectId {
        name: "missing".to_owned(),
        ..targets[0].id.clone()
    };
    targets.push(WaitTarget::new(missing, "v1"));
    let error = sandbox
        .applier
        .wait(targets, within_millis(5000), pending())
        .await
        .expect_err("too early");
    let namespace = &sandbox.namespace;
    assert_eq!(
        error.to_string(),
        format!(
            "timeout waiting for: [ConfigMap/{namespace}/missing status: 'NotFound', \
             GitRepository/{namespace}/a status: 'InProgress', \
             GitRepository/{namespace}/b status: 'InProgress']"
        )
    );
}

#[tokio::test]
async fn failed_object_ends_the_wait() {
    let sandbox = Sandbox::new("failed").await;
    let objects = vec![source(&sandbox, "bad"), source(&sandbox, "slow")];
    let applied = sandbox.apply(objects.clone()).await.expect("applied");
    let wait = sandbox.applier.wait(applied.targets, within(60), pending());
    let stall = set_status(&sandbox, &objects[0], "Stalled", "broken");
    let (waited, ()) = tokio::join!(wait, stall);
    assert_eq!(
        waited.expect_err("stalled").to_string(),
        format!(
            "failed early due to stalled resources: [GitRepository/{}/bad status: 'Failed']",
            sandbox.namespace
        )
    );
}

#[tokio::test]
async fn wait_without_fail_fast_awaits_all_objects() {
    let sandbox = Sandbox::new("patient").await;
    let objects = vec![source(&sandbox, "bad"), source(&sandbox, "slow")];
    let applied = sandbox.apply(objects.clone()).await.expect("applied");
    let wait = sandbox
        .applier
        .wait(applied.targets, within_millis(60_000), pending());
    let statuses = async {
        set_status(&sandbox, &objects[0], "Stalled", "broken").await;
        set_status(&sandbox, &objects[1], "Ready", "fine").await;
    };
    let (waited, ()) = tokio::join!(wait, statuses);
    assert!(matches!(waited, Err(WaitError::Failed(_))), "{waited:?}");
}

#[tokio::test]
async fn wait_can_be_cancelled() {
    let sandbox = Sandbox::new("cancelled").await;
    let applied = sandbox
        .apply(vec![source(&sandbox, "a")])
        .await
        .expect("applied");
    let waited = sandbox
        .applier
        .wait(applied.targets, within(60), std::future::ready(()))
        .await;
    assert_eq!(waited, Err(WaitError::Cancelled));
    assert!(sandbox.watches.is_empty());
}

#[tokio::test]
async fn object_created_during_the_wait_is_observed() {
    let sandbox = Sandbox::new("appears").await;
    let late = source(&sandbox, "late");
    let wait = sandbox.applier.wait(
        vec![WaitTarget::new(late.id(), "v1")],
        within(60),
        pending(),
    );
    let create = async {
        sandbox.apply(vec![late.clone()]).await.expect("applied");
        set_status(&sandbox, &late, "Ready", "fine").await;
    };
    let (waited, ()) = tokio::join!(wait, create);
    waited.expect("healthy");
}

/// Grants rights in the namespace to the user of the sandbox.
pub(crate) async fn grant(sandbox: &Sandbox, rules: &Value) {
    let reader = |kind: &str, body: &Value| {
        sandbox.object("rbac.authorization.k8s.io/v1", kind, "reader", body)
    };
    let binding = json!({"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reader"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": sandbox.user}]});
    for object in [
        reader("Role", &json!({"rules": rules})),
        reader("RoleBinding", &binding),
    ] {
        create(sandbox, &object).await;
    }
}

/// Creates an object as the administrator.
pub(crate) async fn create(sandbox: &Sandbox, object: &Object) {
    let object_of = serde_json::from_value(object.to_value()).expect("an object");
    let api = sandbox.api(object).await;
    api.create(&PostParams::default(), &object_of)
        .await
        .expect("created");
}

/// Applies an object, and retries until the rights are effective.
pub(crate) async fn once_allowed(sandbox: &Sandbox, object: &Object) -> sluice_apply::ApplyOutcome {
    sluice_testkit::wait::eventually("the rights are known", || async {
        sandbox
            .apply(vec![object.clone()])
            .await
            .map_err(|failure| failure.to_string())
    })
    .await
}

#[tokio::test]
async fn objects_are_polled_when_watching_is_forbidden() {
    let sandbox = Sandbox::unprivileged("polled").await;
    grant(
        &sandbox,
        &json!([{"apiGroups": ["source.toolkit.fluxcd.io"], "resources": ["gitrepositories"],
            "verbs": ["get", "create", "patch"]}]),
    )
    .await;
    let object = source(&sandbox, "a");
    let applied = once_allowed(&sandbox, &object).await;
    let wait = sandbox.applier.wait(applied.targets, within(60), pending());
    let ready = set_status(&sandbox, &object, "Ready", "fine");
    let (waited, ()) = tokio::join!(wait, ready);
    waited.expect("healthy");
}

#[tokio::test]
async fn objects_are_polled_beyond_the_maximum_of_watches() {
    let sandbox = Sandbox::with_watches("limited", sluice_apply::Watches::limited(0)).await;
    let objects = vec![sandbox.deployment("one", 1), source(&sandbox, "a")];
    let applied = sandbox.apply(objects.clone()).await.expect("applied");
    let mark = sandbox.mark().await;
    let wait = sandbox.applier.wait(applied.targets, within(60), pending());
    let ready = set_status(&sandbox, &objects[1], "Ready", "fine");
    let (waited, ()) = tokio::join!(wait, ready);
    waited.expect("healthy");
    sandbox.mark().await;
    let requests = sandbox.requests(mark);
    assert!(
        requests.iter().all(|request| request.starts_with("get")),
        "{requests:?}"
    );
}

#[tokio::test]
async fn namespaced_target_needs_a_namespace() {
    let sandbox = Sandbox::new("nowhere").await;
    let target = WaitTarget::new(Object::new("v1", "ConfigMap", "", "a").id(), "v1");
    let error = sandbox
        .applier
        .wait(vec![target], within(60), pending())
        .await
        .expect_err("no namespace");
    assert_eq!(
        error.to_string(),
        "ConfigMap/a: resource is namespace scoped, but namespace is not set"
    );
}
