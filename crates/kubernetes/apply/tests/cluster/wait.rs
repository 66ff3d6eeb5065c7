//! Waiting for health, and what it costs.

use std::future::pending;
use std::time::Duration;

use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use sluice_apply::{
    Action, ApplyOutcome, Inventory, InventoryEntry, WaitError, WaitOptions, WaitTarget,
};
use sluice_object::{Object, ObjectId};

use crate::{Corner, all, definition, within};

/// A kind whose status only this test writes: the source controller does not run here.
pub(crate) fn source(corner: &Corner, name: &str) -> Object {
    corner.object(
        "source.toolkit.fluxcd.io/v1",
        "GitRepository",
        name,
        &json!({"spec": {"interval": "1m", "url": "https://example.com/a.git"}}),
    )
}

pub(crate) async fn set_status(corner: &Corner, object: &Object, condition: &str, message: &str) {
    let status = json!({"status": {"observedGeneration": 1, "conditions": [{
        "type": condition, "status": "True", "reason": "Test", "message": message,
        "lastTransitionTime": "2026-01-01T00:00:00Z", "observedGeneration": 1}]}});
    corner
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

const fn patiently(milliseconds: u64) -> WaitOptions {
    WaitOptions {
        timeout: Duration::from_millis(milliseconds),
        fail_fast: false,
    }
}

#[tokio::test]
async fn what_the_apply_shows_to_be_current_needs_no_request() {
    let corner = Corner::new("instant").await;
    let objects = vec![
        corner.config_map("a", "1"),
        corner.object("v1", "ServiceAccount", "web", &json!({})),
        corner.object(
            "v1",
            "Service",
            "web",
            &json!({"spec": {"ports": [{"port": 80}]}}),
        ),
    ];
    let applied = corner.apply(objects).await.expect("applied");
    let mark = corner.mark().await;
    corner
        .applier
        .wait(applied.targets, within(60), pending())
        .await
        .expect("healthy");
    corner.mark().await;
    assert_eq!(corner.requests(mark), Vec::<String>::new());
}

#[tokio::test]
async fn deployments_are_followed_to_health_by_one_shared_watch_without_reads() {
    let corner = Corner::new("rollout").await;
    let objects = vec![
        corner.deployment("none", 0),
        corner.deployment("one", 1),
        corner.deployment("three", 3),
    ];
    let applied = corner.apply(objects).await.expect("applied");
    let mark = corner.mark().await;
    let waits = applied
        .targets
        .into_iter()
        .map(|target| corner.applier.wait(vec![target], within(60), pending()));
    for result in futures::future::join_all(waits).await {
        result.expect("healthy");
    }
    assert!(corner.watches.is_empty());
    corner.mark().await;
    let requests = corner.requests(mark);
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

/// Applies a set that is there already, together with a source of which nothing is said yet: that
/// is waited for, and the others are Current by what the apply saw.
async fn beside_a_new_source(corner: &Corner, kept: &[Object]) -> (ApplyOutcome, Object) {
    let awaited = source(corner, "awaited");
    let known: Inventory = kept
        .iter()
        .map(|object| InventoryEntry {
            id: object.id(),
            version: object.version().to_owned(),
        })
        .collect();
    let set = kept.iter().chain([&awaited]).cloned().collect();
    let applied = corner
        .apply_over(set, &known, false)
        .await
        .expect("applied");
    let unchanged = applied.changes.entries.iter();
    let unchanged = unchanged.filter(|entry| entry.action == Action::Unchanged);
    assert_eq!(unchanged.count(), kept.len());
    (applied, awaited)
}

#[tokio::test]
async fn what_fails_while_others_are_awaited_fails_the_wait() {
    let corner = Corner::new("meanwhile").await;
    let kept = source(&corner, "kept");
    corner.apply(vec![kept.clone()]).await.expect("applied");
    set_status(&corner, &kept, "Ready", "fine").await;
    let (applied, awaited) = beside_a_new_source(&corner, std::slice::from_ref(&kept)).await;
    let wait = corner.applier.wait(applied.targets, within(60), pending());
    let statuses = async {
        set_status(&corner, &kept, "Stalled", "broken").await;
        set_status(&corner, &awaited, "Ready", "fine").await;
    };
    let (waited, ()) = tokio::join!(wait, statuses);
    assert_eq!(
        waited.expect_err("stalled").to_string(),
        format!(
            "failed early due to stalled resources: [GitRepository/{}/kept status: 'Failed']",
            corner.namespace
        )
    );
}

#[tokio::test]
async fn what_is_deleted_while_others_are_awaited_is_waited_for() {
    let corner = Corner::new("vanished").await;
    let kept = corner.config_map("kept", "1");
    corner.apply(vec![kept.clone()]).await.expect("applied");
    let (applied, awaited) = beside_a_new_source(&corner, std::slice::from_ref(&kept)).await;
    let mark = corner.mark().await;
    let wait = corner.applier.wait(applied.targets, within(60), pending());
    let restore = async {
        let api = corner.api(&kept).await;
        api.delete("kept", &DeleteParams::default())
            .await
            .expect("deleted");
        set_status(&corner, &awaited, "Ready", "fine").await;
        sluice_testkit::wait::eventually("it is missed", || async {
            let requests = corner.requests(mark);
            let is_missed = requests.iter().any(|request| request == "get configmaps");
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
    assert!(corner.watches.is_empty());
}

#[tokio::test]
async fn many_objects_of_one_kind_are_looked_at_again_by_one_list() {
    let corner = Corner::new("relisted").await;
    let kept: Vec<_> = (0..9)
        .map(|index| corner.config_map(&format!("c{index}"), "1"))
        .collect();
    corner.apply(kept.clone()).await.expect("applied");
    let (applied, awaited) = beside_a_new_source(&corner, &kept).await;
    // Without its labels it is in no list, and must not be taken for gone.
    let labels = json!({"metadata": {"labels": null}});
    corner.meddle(&kept[0], &labels).await;
    let mark = corner.mark().await;
    let wait = corner.applier.wait(applied.targets, within(60), pending());
    let ready = set_status(&corner, &awaited, "Ready", "fine");
    let (waited, ()) = tokio::join!(wait, ready);
    waited.expect("healthy");
    corner.mark().await;
    let mut requests = corner.requests(mark);
    requests.retain(|request| request.ends_with(" configmaps"));
    assert_eq!(requests, ["list configmaps", "get configmaps"]);
}

#[tokio::test]
async fn what_was_seen_before_a_prune_is_read_first() {
    let corner = Corner::new("forgotten").await;
    let applied = corner.apply(vec![corner.config_map("a", "1")]).await;
    let mut targets = applied.expect("applied").targets;
    targets.iter_mut().for_each(WaitTarget::forget);
    assert_eq!(asked_for(&corner, targets).await, ["get configmaps"]);
}

#[tokio::test]
async fn what_was_seen_before_a_stage_was_waited_for_is_read_first() {
    let corner = Corner::new("staged").await;
    let role = Object::new(
        "rbac.authorization.k8s.io/v1",
        "ClusterRole",
        "",
        &corner.bed.name("role"),
    );
    let group = format!("{}.example.com", corner.bed.name("g"));
    let definition = definition(&group, &["v1"]);
    let set = vec![role.clone(), definition, corner.config_map("a", "1")];
    let applied = corner.apply(set.clone()).await.expect("applied");
    assert_eq!(
        asked_for(&corner, applied.targets).await,
        ["get clusterroles", "get customresourcedefinitions"]
    );
    let again = corner.apply(set).await.expect("applied");
    assert!(all(&again, Action::Unchanged));
    assert!(asked_for(&corner, again.targets).await.is_empty());
}

#[tokio::test]
async fn what_was_seen_before_others_were_recreated_is_read_first() {
    let corner = Corner::new("replaced").await;
    let set = |value: &str| {
        let fixed = json!({"immutable": true, "data": {"key": value}});
        vec![
            corner.object("v1", "ConfigMap", "fixed", &fixed),
            corner.config_map("kept", "1"),
        ]
    };
    let first = corner.apply(set("1")).await.expect("applied");
    let known = Inventory::of(&first.changes);
    let applied = corner.apply_over(set("2"), &known, true).await;
    let targets = applied.expect("applied").targets;
    assert_eq!(
        asked_for(&corner, targets).await,
        ["get configmaps", "get configmaps"]
    );
}

/// Waits for what is healthy, and lists what was asked for that, sorted.
async fn asked_for(corner: &Corner, targets: Vec<WaitTarget>) -> Vec<String> {
    let mark = corner.mark().await;
    let waited = corner.applier.wait(targets, within(60), pending());
    waited.await.expect("healthy");
    corner.mark().await;
    let mut requests = corner.requests(mark);
    requests.sort();
    requests
}

#[tokio::test]
async fn a_wait_that_runs_out_names_what_is_not_current() {
    let corner = Corner::new("timeout").await;
    let objects = vec![
        source(&corner, "b"),
        source(&corner, "a"),
        corner.config_map("fine", "1"),
    ];
    let applied = corner.apply(objects).await.expect("applied");
    let mut targets = applied.targets;
    let missing = ObjectId {
        name: "missing".to_owned(),
        ..targets[0].id.clone()
    };
    targets.push(WaitTarget::new(missing, "v1"));
    let error = corner
        .applier
        .wait(targets, patiently(5000), pending())
        .await
        .expect_err("too early");
    let namespace = &corner.namespace;
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
async fn a_failed_object_ends_the_wait_at_once() {
    let corner = Corner::new("failed").await;
    let objects = vec![source(&corner, "bad"), source(&corner, "slow")];
    let applied = corner.apply(objects.clone()).await.expect("applied");
    let wait = corner.applier.wait(applied.targets, within(60), pending());
    let stall = set_status(&corner, &objects[0], "Stalled", "broken");
    let (waited, ()) = tokio::join!(wait, stall);
    assert_eq!(
        waited.expect_err("stalled").to_string(),
        format!(
            "failed early due to stalled resources: [GitRepository/{}/bad status: 'Failed']",
            corner.namespace
        )
    );
}

#[tokio::test]
async fn without_fail_fast_the_others_are_waited_for() {
    let corner = Corner::new("patient").await;
    let objects = vec![source(&corner, "bad"), source(&corner, "slow")];
    let applied = corner.apply(objects.clone()).await.expect("applied");
    let wait = corner
        .applier
        .wait(applied.targets, patiently(60_000), pending());
    let statuses = async {
        set_status(&corner, &objects[0], "Stalled", "broken").await;
        set_status(&corner, &objects[1], "Ready", "fine").await;
    };
    let (waited, ()) = tokio::join!(wait, statuses);
    assert!(matches!(waited, Err(WaitError::Failed(_))), "{waited:?}");
}

#[tokio::test]
async fn a_wait_can_be_cancelled() {
    let corner = Corner::new("cancelled").await;
    let applied = corner
        .apply(vec![source(&corner, "a")])
        .await
        .expect("applied");
    let waited = corner
        .applier
        .wait(applied.targets, within(60), std::future::ready(()))
        .await;
    assert_eq!(waited, Err(WaitError::Cancelled));
    assert!(corner.watches.is_empty());
}

#[tokio::test]
async fn an_object_that_appears_during_the_wait_is_heard_of() {
    let corner = Corner::new("appears").await;
    let late = source(&corner, "late");
    let wait = corner.applier.wait(
        vec![WaitTarget::new(late.id(), "v1")],
        within(60),
        pending(),
    );
    let create = async {
        corner.apply(vec![late.clone()]).await.expect("applied");
        set_status(&corner, &late, "Ready", "fine").await;
    };
    let (waited, ()) = tokio::join!(wait, create);
    waited.expect("healthy");
}

/// Gives the corner's user rights in its namespace.
pub(crate) async fn grant(corner: &Corner, rules: &Value) {
    let reader = |kind: &str, body: &Value| {
        corner.object("rbac.authorization.k8s.io/v1", kind, "reader", body)
    };
    let binding = json!({"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reader"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": corner.user}]});
    for object in [
        reader("Role", &json!({"rules": rules})),
        reader("RoleBinding", &binding),
    ] {
        create(corner, &object).await;
    }
}

/// Creates an object as the administrator.
pub(crate) async fn create(corner: &Corner, object: &Object) {
    let object_of = serde_json::from_value(object.to_value()).expect("an object");
    let api = corner.api(object).await;
    api.create(&PostParams::default(), &object_of)
        .await
        .expect("created");
}

/// Applies an object as soon as the rights are known.
pub(crate) async fn once_allowed(corner: &Corner, object: &Object) -> sluice_apply::ApplyOutcome {
    sluice_testkit::wait::eventually("the rights are known", || async {
        corner
            .apply(vec![object.clone()])
            .await
            .map_err(|failure| failure.to_string())
    })
    .await
}

#[tokio::test]
async fn where_watching_is_forbidden_objects_are_read_instead() {
    let corner = Corner::unprivileged("polled").await;
    grant(
        &corner,
        &json!([{"apiGroups": ["source.toolkit.fluxcd.io"], "resources": ["gitrepositories"],
            "verbs": ["get", "create", "patch"]}]),
    )
    .await;
    let object = source(&corner, "a");
    let applied = once_allowed(&corner, &object).await;
    let wait = corner.applier.wait(applied.targets, within(60), pending());
    let ready = set_status(&corner, &object, "Ready", "fine");
    let (waited, ()) = tokio::join!(wait, ready);
    waited.expect("healthy");
}

#[tokio::test]
async fn where_no_connection_is_left_objects_are_read_instead() {
    let corner = Corner::with_watches("limited", sluice_apply::Watches::limited(0)).await;
    let objects = vec![corner.deployment("one", 1), source(&corner, "a")];
    let applied = corner.apply(objects.clone()).await.expect("applied");
    let mark = corner.mark().await;
    let wait = corner.applier.wait(applied.targets, within(60), pending());
    let ready = set_status(&corner, &objects[1], "Ready", "fine");
    let (waited, ()) = tokio::join!(wait, ready);
    waited.expect("healthy");
    corner.mark().await;
    let requests = corner.requests(mark);
    assert!(
        requests.iter().all(|request| request.starts_with("get")),
        "{requests:?}"
    );
}

#[tokio::test]
async fn a_namespaced_target_without_namespace_is_an_error() {
    let corner = Corner::new("nowhere").await;
    let target = WaitTarget::new(Object::new("v1", "ConfigMap", "", "a").id(), "v1");
    let error = corner
        .applier
        .wait(vec![target], within(60), pending())
        .await
        .expect_err("no namespace");
    assert_eq!(
        error.to_string(),
        "ConfigMap/a: resource is namespace scoped, but namespace is not set"
    );
}
