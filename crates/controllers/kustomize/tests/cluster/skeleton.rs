//! Basic runs: apply, update, prune, drift correction, health checks and suspension.

use serde_json::json;
use sluice_client::GroupVersionKind;
use sluice_testkit::kube;
use sluice_testkit::wait;

use crate::bed::{Bed, config, deployment};

#[tokio::test]
async fn directory_is_applied_recorded_and_reported() {
    let bed = Bed::start(&[]).await;
    bed.kustomization(
        "app",
        json!({"path": "./deploy", "commonMetadata": {"labels": {"team": "a"}}}),
    )
    .await;
    assert_eq!(
        bed.until_failed("app", "ArtifactFailed").await,
        "GitRepository.source.toolkit.fluxcd.io \"source\" not found"
    );
    bed.publish(
        "main@sha1:1",
        &[
            ("deploy/a.yaml", &config("a", "1")),
            ("deploy/b.yaml", &config("b", "1")),
        ],
    )
    .await;
    let status = bed.until_applied("app", "main@sha1:1").await;

    let ready = status.conditions.find("Ready").unwrap();
    assert_eq!(
        (ready.reason.as_str(), ready.message.as_str()),
        ("ReconciliationSucceeded", "Applied revision: main@sha1:1")
    );
    assert_eq!(status.conditions.len(), 1, "{:?}", status.conditions);
    assert_eq!(
        bed.inventory(&status),
        ["NS_a__ConfigMap", "NS_b__ConfigMap"]
    );
    assert_eq!(
        status.last_attempted_revision.as_deref(),
        Some("main@sha1:1")
    );
    assert_eq!(status.history.len(), 1);
    assert!(status.history[0].digest.starts_with("sha256:"));

    let live = bed.config_map("a").await.unwrap();
    let labels = &live["metadata"]["labels"];
    assert_eq!(labels["kustomize.toolkit.fluxcd.io/name"], "app");
    assert_eq!(
        labels["kustomize.toolkit.fluxcd.io/namespace"],
        bed.namespace.as_str()
    );
    assert_eq!(labels["team"], "a");
    let managers = live["metadata"]["managedFields"].as_array().unwrap();
    assert!(
        managers.iter().any(
            |entry| entry["manager"] == "kustomize-controller" && entry["operation"] == "Apply"
        )
    );

    bed.until_event(
        "app",
        "Progressing",
        &format!("ConfigMap/{}/a created", bed.namespace),
    )
    .await;
    bed.until_event("app", "ReconciliationSucceeded", "next run in 1h0m0s")
        .await;
}

#[tokio::test]
async fn removed_object_is_pruned_unless_protected() {
    let bed = Bed::start(&[]).await;
    let kept = config("kept", "1").replace(
        "metadata:\n",
        "metadata:\n  labels: {kustomize.toolkit.fluxcd.io/prune: disabled}\n",
    );
    bed.publish(
        "1",
        &[
            ("a.yaml", &config("a", "1")),
            ("b.yaml", &config("b", "1")),
            ("kept.yaml", &kept),
        ],
    )
    .await;
    bed.kustomization("app", json!({})).await;
    bed.until_applied("app", "1").await;
    bed.publish("2", &[("a.yaml", &config("a", "2"))]).await;
    let status = bed.until_applied("app", "2").await;
    assert_eq!(bed.inventory(&status), ["NS_a__ConfigMap"]);
    assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "2");
    assert!(bed.config_map("b").await.is_none());
    assert!(bed.config_map("kept").await.is_some());
    bed.until_event(
        "app",
        "Progressing",
        &format!("ConfigMap/{}/b deleted", bed.namespace),
    )
    .await;
}

#[tokio::test]
async fn removed_object_stays_without_prune() {
    let bed = Bed::start(&[]).await;
    bed.publish(
        "1",
        &[("a.yaml", &config("a", "1")), ("b.yaml", &config("b", "1"))],
    )
    .await;
    bed.kustomization("app", json!({"prune": false})).await;
    bed.until_applied("app", "1").await;
    bed.publish("2", &[("a.yaml", &config("a", "1"))]).await;
    bed.until_applied("app", "2").await;
    assert!(bed.config_map("b").await.is_some());
}

#[tokio::test]
async fn next_run_reverts_manual_edit() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "wanted"))])
        .await;
    bed.kustomization("app", json!({})).await;
    bed.until_applied("app", "1").await;
    let mut edited = bed.config_map("a").await.unwrap();
    edited["data"]["key"] = json!("drifted");
    let edit = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": edited["data"]});
    bed.apply(&edit).await;
    bed.request("app", "now").await;
    bed.until("app", "has handled the request", |s| {
        s.last_handled_reconcile_at.as_deref() == Some("now")
    })
    .await;
    assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "wanted");
    bed.until_event(
        "app",
        "Progressing",
        &format!("ConfigMap/{}/a configured", bed.namespace),
    )
    .await;
}

#[tokio::test]
async fn recheck_writes_only_status() {
    let bed = Bed::start(&[]).await;
    bed.publish(
        "1",
        &[("a.yaml", &config("a", "1")), ("b.yaml", &config("b", "1"))],
    )
    .await;
    bed.kustomization("app", json!({"wait": true})).await;
    let before = bed.settled("app", "1").await;
    let audit = bed.testbed.audit();
    let mark = audit.mark(bed.cluster.client()).await;
    bed.request("app", "again").await;
    bed.until("app", "has handled the request", |s| {
        s.last_handled_reconcile_at.as_deref() == Some("again")
    })
    .await;
    audit.mark(bed.cluster.client()).await;
    audit.assert_no_writes_by(&bed.user, mark, &["events", "kustomizations"]);
    let writes: Vec<String> = audit
        .writes_by(&bed.user, mark)
        .iter()
        .filter(|entry| entry.resource == "kustomizations")
        .map(ToString::to_string)
        .collect();
    // The number of status writes depends on the duration of the run; the number of runs does not.
    let now = bed.status("app").await;
    let runs = now.history[0].total_reconciliations - before.history[0].total_reconciliations;
    assert_eq!(runs, 1, "one request is one run; it wrote {writes:#?}");
}

#[tokio::test]
async fn restart_leaves_ready_objects_unchanged() {
    let mut bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({})).await;
    let before = bed.settled("app", "1").await;
    let audit = bed.testbed.audit();
    let mark = audit.mark(bed.cluster.client()).await;
    bed.restart(&[]).await;
    let counted = before.history[0].total_reconciliations + 1;
    bed.until("app", "was looked at again", |s| {
        s.history[0].total_reconciliations == counted
    })
    .await;
    audit.mark(bed.cluster.client()).await;
    audit.assert_no_writes_by(&bed.user, mark, &["events", "kustomizations"]);
}

#[tokio::test]
async fn suspended_object_waits_for_resume() {
    let bed = Bed::start(&["--concurrent=1"]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({})).await;
    bed.kustomization("witness", json!({"prune": false, "path": "./w"}))
        .await;
    bed.until_applied("app", "1").await;
    bed.kustomization("app", json!({"suspend": true})).await;
    bed.until("app", "is known to be suspended", |status| {
        status.observed_generation == Some(2)
    })
    .await;
    bed.publish(
        "2",
        &[
            ("a.yaml", &config("a", "2")),
            ("w/w.yaml", &config("w", "2")),
        ],
    )
    .await;
    // One event wakes both objects, so `app` was skipped once the witness is applied.
    bed.until_applied("witness", "2").await;
    assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "1");
    bed.kustomization("app", json!({"suspend": false})).await;
    bed.until_applied("app", "2").await;
    assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "2");
}

#[tokio::test]
async fn health_check_releases_worker() {
    let bed = Bed::start(&["--concurrent=1"]).await;
    bed.publish(
        "1",
        &[
            ("slow/a.yaml", &config("slow", "1")),
            ("quick/a.yaml", &config("quick", "1")),
        ],
    )
    .await;
    let checks = json!([{"apiVersion": "v1", "kind": "ConfigMap", "name": "awaited", "namespace": bed.namespace}]);
    bed.kustomization(
        "slow",
        json!({"path": "slow", "healthChecks": checks, "timeout": "1h"}),
    )
    .await;
    let status = bed
        .until("slow", "waits for health", |s| {
            s.conditions
                .find("Healthy")
                .is_some_and(|c| c.reason == "Progressing")
        })
        .await;
    assert_eq!(
        bed.inventory(&status),
        ["NS_slow__ConfigMap"],
        "recorded before the wait"
    );
    let reconciling = status.conditions.find("Reconciling").unwrap();
    assert_eq!(
        reconciling.message,
        "Running health checks for revision 1 with a timeout of 1h0m0s"
    );

    bed.kustomization("quick", json!({"path": "quick"})).await;
    bed.until_applied("quick", "1").await;

    bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "awaited"}}))
        .await;
    let status = bed.until_applied("slow", "1").await;
    assert!(status.conditions.is_true("Healthy"));
    bed.until_event("slow", "Progressing", "Health check passed in ")
        .await;
}

#[tokio::test]
async fn stage_wait_releases_worker() {
    let bed = Bed::start(&["--concurrent=1"]).await;
    let group = format!("{}.example.com", bed.namespace);
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("slowclasses.{group}")},
        "spec": {"group": group, "scope": "Namespaced",
            "names": {"kind": "SlowClass", "plural": "slowclasses", "singular": "slowclass", "listKind": "SlowClassList"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}});
    bed.apply(&definition).await;
    let api_version = format!("{group}/v1");
    // Kinds with this suffix form a separate stage, which must become ready first.
    let slow = json!({"apiVersion": api_version, "kind": "SlowClass", "metadata": {"name": "slow"},
        "status": {"conditions": [{"type": "Ready", "status": "False"}]}});
    wait::eventually("the kind is served", || async {
        let gvk = GroupVersionKind::gvk(&group, "v1", "SlowClass");
        bed.cluster
            .resolve(&gvk)
            .await
            .map(drop)
            .map_err(|error| error.to_string())
    })
    .await;
    bed.apply(&slow).await;
    let class = format!(
        "apiVersion: {api_version}\nkind: SlowClass\nmetadata: {{name: slow, namespace: NAMESPACE}}\n"
    );
    bed.publish(
        "1",
        &[
            ("slow/c.yaml", &class),
            ("slow/a.yaml", &config("slow", "1")),
            ("quick/a.yaml", &config("quick", "1")),
        ],
    )
    .await;
    bed.kustomization("slow", json!({"path": "slow"})).await;
    bed.until("slow", "applies", |s| s.inventory.is_some())
        .await;
    bed.kustomization("quick", json!({"path": "quick"})).await;
    bed.until_applied("quick", "1").await;
    assert!(
        bed.config_map("slow").await.is_none(),
        "the next stage has not begun"
    );
    bed.apply(
        &json!({"apiVersion": api_version, "kind": "SlowClass", "metadata": {"name": "slow"},
        "status": {"conditions": [{"type": "Ready", "status": "True"}]}}),
    )
    .await;
    bed.until_applied("slow", "1").await;
}

#[tokio::test]
async fn failed_health_check_names_unhealthy_object() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("d.yaml", &deployment("web", 1))]).await;
    bed.kustomization("app", json!({"wait": true})).await;
    let message = bed.until_failed("app", "HealthCheckFailed").await;
    assert!(
        message.starts_with("health check failed after "),
        "{message}"
    );
    let stalled = format!(
        "failed early due to stalled resources: [Deployment/{}/web status: 'Failed'",
        bed.namespace
    );
    assert!(message.contains(&stalled), "{message}");
    let status = bed
        .until("app", "is unhealthy", |s| s.conditions.is_false("Healthy"))
        .await;
    assert_eq!(bed.inventory(&status), ["NS_web_apps_Deployment"]);
    assert_eq!(status.last_applied_revision, None);
}

#[tokio::test]
async fn deletion_cancels_health_check() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("d.yaml", &deployment("web", 600))])
        .await;
    bed.kustomization("app", json!({"wait": true, "timeout": "1h"}))
        .await;
    bed.until("app", "waits for health", |s| {
        s.conditions.find("Healthy").is_some()
    })
    .await;
    let api = bed.kustomizations();
    api.delete("app", &kube::api::DeleteParams::default())
        .await
        .unwrap();
    wait::gone(&api, "app").await;
    assert!(
        bed.get(&GroupVersionKind::gvk("apps", "v1", "Deployment"), "web")
            .await
            .is_none()
    );
}
