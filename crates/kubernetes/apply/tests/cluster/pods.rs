//! Workloads whose pods have a say in their health.

use std::future::pending;

use kube::api::{Patch, PatchParams};
use serde_json::json;
use sluice_apply::{ApplyOutcome, Watches};
use sluice_object::Object;
use sluice_testkit::{Fault, When};

use crate::wait::{create, grant, once_allowed};
use crate::{Corner, within};

/// A workload whose pods the test makes: no service account of this name exists, so the
/// controller cannot.
fn stateful_set(corner: &Corner) -> Object {
    corner.object(
        "apps/v1",
        "StatefulSet",
        "db",
        &json!({"spec": {"replicas": 1, "serviceName": "db",
            "selector": {"matchLabels": {"app": "db"}},
            "template": {"metadata": {"labels": {"app": "db"}},
                "spec": {"serviceAccountName": "missing", "containers": [{"name": "c", "image": "db:1"}]}}}}),
    )
}

/// Waits for the workload while one of its pods crashes, which ends the wait.
async fn fails_with_its_pods(corner: &Corner, applied: ApplyOutcome) {
    let pod = corner.object(
        "v1",
        "Pod",
        "crashing",
        &json!({"metadata": {"labels": {"app": "db"}},
            "spec": {"nodeName": "nowhere", "containers": [{"name": "c", "image": "db:1"}]}}),
    );
    create(corner, &pod).await;
    let api = corner.api(&pod).await;
    let wait = corner.applier.wait(applied.targets, within(60), pending());
    let crash = async {
        let status = json!({"status": {"phase": "Running", "containerStatuses": [{
            "name": "c", "image": "db:1", "imageID": "", "ready": false, "restartCount": 3,
            "state": {"waiting": {"reason": "CrashLoopBackOff"}}}]}});
        api.patch_subresource(
            "status",
            "crashing",
            &PatchParams::default(),
            &Patch::Merge(status),
        )
        .await
        .expect("a status");
    };
    let (waited, ()) = tokio::join!(wait, crash);
    assert_eq!(
        waited.expect_err("crashing").to_string(),
        format!(
            "failed early due to stalled resources: [StatefulSet/{}/db status: 'Failed']",
            corner.namespace
        )
    );
}

#[tokio::test]
async fn a_stateful_set_fails_with_its_pods() {
    let corner = Corner::new("pods").await;
    let set = stateful_set(&corner);
    let applied = corner.apply(vec![set]).await.expect("applied");
    fails_with_its_pods(&corner, applied).await;
}

#[tokio::test]
async fn where_no_connection_is_left_pods_are_listed() {
    let corner = Corner::with_watches("unwatched", Watches::limited(0)).await;
    let set = stateful_set(&corner);
    let applied = corner.apply(vec![set]).await.expect("applied");
    fails_with_its_pods(&corner, applied).await;
}

#[tokio::test]
async fn where_watching_pods_is_forbidden_they_are_listed() {
    let corner = Corner::unprivileged("listed").await;
    let verbs = json!(["get", "create", "patch", "watch"]);
    grant(
        &corner,
        &json!([{"apiGroups": ["apps"], "resources": ["statefulsets"], "verbs": verbs},
            {"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}]),
    )
    .await;
    let applied = once_allowed(&corner, &stateful_set(&corner)).await;
    fails_with_its_pods(&corner, applied).await;
}

#[tokio::test]
async fn pods_are_found_after_the_server_forgets_the_version() {
    let (corner, proxy) = Corner::spoiled("pods").await;
    let applied = corner.apply(vec![stateful_set(&corner)]).await;
    let pods = || When::any().verb("watch").resource("pods");
    proxy.inject(pods().times(2), Fault::GONE);
    fails_with_its_pods(&corner, applied.expect("applied")).await;
    assert!(proxy.count(&pods()) > 2, "{:?}", proxy.calls());
}
