//! Workloads whose health depends on their pods.

use std::future::pending;

use kube::api::{Patch, PatchParams};
use serde_json::json;
use sluice_apply::{ApplyOutcome, Watches};
use sluice_object::Object;
use sluice_testkit::{Fault, When};

use crate::wait::{create, grant, once_allowed};
use crate::{Sandbox, within};

/// A workload whose pods the test creates. The controller cannot, because the service account does
/// not exist.
fn stateful_set(sandbox: &Sandbox) -> Object {
    sandbox.object(
        "apps/v1",
        "StatefulSet",
        "db",
        &json!({"spec": {"replicas": 1, "serviceName": "db",
            "selector": {"matchLabels": {"app": "db"}},
            "template": {"metadata": {"labels": {"app": "db"}},
                "spec": {"serviceAccountName": "missing", "containers": [{"name": "c", "image": "db:1"}]}}}}),
    )
}

/// Waits for the workload until a crashing pod ends the wait.
async fn fails_with_its_pods(sandbox: &Sandbox, applied: ApplyOutcome) {
    let pod = sandbox.object(
        "v1",
        "Pod",
        "crashing",
        &json!({"metadata": {"labels": {"app": "db"}},
            "spec": {"nodeName": "nowhere", "containers": [{"name": "c", "image": "db:1"}]}}),
    );
    create(sandbox, &pod).await;
    let api = sandbox.api(&pod).await;
    let wait = sandbox.applier.wait(applied.targets, within(60), pending());
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
            sandbox.namespace
        )
    );
}

#[tokio::test]
async fn stateful_set_fails_with_its_pods() {
    let sandbox = Sandbox::new("pods").await;
    let set = stateful_set(&sandbox);
    let applied = sandbox.apply(vec![set]).await.expect("applied");
    fails_with_its_pods(&sandbox, applied).await;
}

#[tokio::test]
async fn pods_are_listed_beyond_the_maximum_of_watches() {
    let sandbox = Sandbox::with_watches("unwatched", Watches::limited(0)).await;
    let set = stateful_set(&sandbox);
    let applied = sandbox.apply(vec![set]).await.expect("applied");
    fails_with_its_pods(&sandbox, applied).await;
}

#[tokio::test]
async fn pods_are_listed_when_watching_is_forbidden() {
    let sandbox = Sandbox::unprivileged("listed").await;
    let verbs = json!(["get", "create", "patch", "watch"]);
    grant(
        &sandbox,
        &json!([{"apiGroups": ["apps"], "resources": ["statefulsets"], "verbs": verbs},
            {"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}]),
    )
    .await;
    let applied = once_allowed(&sandbox, &stateful_set(&sandbox)).await;
    fails_with_its_pods(&sandbox, applied).await;
}

#[tokio::test]
async fn pods_are_found_after_the_server_forgets_the_version() {
    let (sandbox, proxy) = Sandbox::with_faults("pods").await;
    let applied = sandbox.apply(vec![stateful_set(&sandbox)]).await;
    let pods = || When::any().verb("watch").resource("pods");
    proxy.inject(pods().times(2), Fault::GONE);
    fails_with_its_pods(&sandbox, applied.expect("applied")).await;
    assert!(proxy.count(&pods()) > 2, "{:?}", proxy.calls());
}
