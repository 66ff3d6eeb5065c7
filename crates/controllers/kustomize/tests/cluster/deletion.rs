//! Deletion of Kustomizations: removed objects, and objects that stay.

use serde_json::{Value, json};
use sluice_testkit::kube::api::DeleteParams;
use sluice_testkit::{Fault, When, wait};

use crate::bed::{Bed, config};

async fn delete(bed: &Bed, name: &str) {
    let api = bed.kustomizations();
    api.delete(name, &DeleteParams::default()).await.unwrap();
    wait::gone(&api, name).await;
}

async fn applied(spec: Value) -> Bed {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", spec).await;
    bed.until_applied("app", "1").await;
    bed
}

#[tokio::test]
async fn objects_are_deleted_with_kustomization() {
    let bed = applied(json!({})).await;
    delete(&bed, "app").await;
    assert!(bed.config_map("a").await.is_none());
}

#[tokio::test]
async fn wait_for_termination_policy_deletes_objects() {
    let bed = applied(json!({"deletionPolicy": "WaitForTermination"})).await;
    delete(&bed, "app").await;
    assert!(bed.config_map("a").await.is_none());
}

#[tokio::test]
async fn termination_timeout_is_reported_and_releases_object() {
    let bed = Bed::start(&[]).await;
    let held = config("a", "1").replace(
        "metadata:\n",
        "metadata:\n  finalizers: [example.com/holds]\n",
    );
    bed.publish("1", &[("a.yaml", &held)]).await;
    // The minimum timeout.
    bed.kustomization(
        "app",
        json!({"deletionPolicy": "WaitForTermination", "timeout": "30s"}),
    )
    .await;
    bed.until_applied("app", "1").await;
    delete(&bed, "app").await;
    let live = bed.config_map("a").await.unwrap();
    assert!(live["metadata"]["deletionTimestamp"].is_string(), "{live}");
    let text = "failed to wait for resources termination";
    bed.until_event("app", "ReconciliationSucceeded", text)
        .await;
    bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "finalizers": []}}))
        .await;
}

#[tokio::test]
async fn orphaned_suspended_and_unpruned_objects_stay() {
    for spec in [json!({"deletionPolicy": "Orphan"}), json!({"prune": false})] {
        let bed = applied(spec).await;
        delete(&bed, "app").await;
        assert!(bed.config_map("a").await.is_some());
    }
    let bed = applied(json!({})).await;
    bed.kustomization("app", json!({"suspend": true})).await;
    delete(&bed, "app").await;
    assert!(bed.config_map("a").await.is_some());
}

#[tokio::test]
async fn object_of_new_owner_stays() {
    let bed = applied(json!({})).await;
    let labels = json!({"kustomize.toolkit.fluxcd.io/name": "other"});
    bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "labels": labels}})).await;
    delete(&bed, "app").await;
    assert!(bed.config_map("a").await.is_some());
}

#[tokio::test]
async fn missing_service_account_releases_object() {
    let bed = Bed::start(&[]).await;
    let ns = bed.namespace.clone();
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.account("deployer").await;
    bed.kustomization("app", json!({"serviceAccountName": "deployer"}))
        .await;
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    assert!(
        message.contains(&format!("system:serviceaccount:{ns}:deployer")),
        "{message}"
    );
    assert!(message.contains("(Forbidden)"), "{message}");
    assert!(bed.config_map("a").await.is_none());

    bed.permit("deployer").await;
    bed.request("app", "now allowed").await;
    bed.until_applied("app", "1").await;

    let account = sluice_client::GroupVersionKind::gvk("", "v1", "ServiceAccount");
    bed.cluster
        .delete(
            &account,
            Some(&ns),
            "deployer",
            &sluice_client::DeleteOptions::default(),
        )
        .await
        .unwrap();
    delete(&bed, "app").await;
    assert!(
        bed.config_map("a").await.is_some(),
        "the account that could delete it is gone"
    );
    bed.until_event(
        "app",
        "ReconciliationSucceeded",
        "unable to prune objects: ",
    )
    .await;
}

#[tokio::test]
async fn invalid_service_account_releases_object() {
    let bed = applied(json!({})).await;
    bed.kustomization("app", json!({"serviceAccountName": "team/deployer"}))
        .await;
    bed.until_failed("app", "ReconciliationFailed").await;
    delete(&bed, "app").await;
    assert!(
        bed.config_map("a").await.is_some(),
        "an invalid account cannot delete it"
    );
    bed.until_event("app", "ReconciliationFailed", "unable to prune objects: ")
        .await;
}

#[tokio::test]
async fn error_names_missing_service_account() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({"serviceAccountName": "nobody"}))
        .await;
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    let named = format!(": service account '{}/nobody' not found\n", bed.namespace);
    assert!(
        message.contains("forbidden") && message.ends_with(&named),
        "{message}"
    );
}

#[tokio::test]
async fn removal_ignores_dependencies_and_source() {
    let bed = applied(json!({})).await;
    bed.kustomization("app", json!({"dependsOn": [{"name": "gone"}]}))
        .await;
    bed.until_failed("app", "DependencyNotReady").await;
    bed.lose("1");
    delete(&bed, "app").await;
    assert!(bed.config_map("a").await.is_none());
}

#[tokio::test]
async fn empty_artifact_prunes_all_objects() {
    let bed = applied(json!({})).await;
    bed.publish("2", &[("README.md", "nothing here")]).await;
    let status = bed.until_applied("app", "2").await;
    assert_eq!(bed.inventory(&status), [] as [&str; 0]);
    assert!(bed.config_map("a").await.is_none());
}

#[tokio::test]
async fn failed_prune_is_retried_at_next_run() {
    let (bed, proxy) = Bed::spoiled(&[]).await;
    bed.publish(
        "1",
        &[("a.yaml", &config("a", "1")), ("b.yaml", &config("b", "1"))],
    )
    .await;
    bed.kustomization("app", json!({})).await;
    bed.until_applied("app", "1").await;
    proxy.inject(When::any().verb("delete").name("b"), Fault::INTERNAL_ERROR);
    bed.publish("2", &[("a.yaml", &config("a", "1"))]).await;
    let message = bed.until_failed("app", "PruneFailed").await;
    assert!(
        message.starts_with(&format!(
            "delete failed, errors: ConfigMap/{}/b delete failed: ",
            bed.namespace
        )),
        "{message}"
    );
    let status = bed.status("app").await;
    assert_eq!(
        bed.inventory(&status),
        ["NS_a__ConfigMap", "NS_b__ConfigMap"]
    );
    proxy.clear();
    bed.request("app", "again").await;
    let status = bed.until_applied("app", "2").await;
    assert_eq!(bed.inventory(&status), ["NS_a__ConfigMap"]);
    assert!(bed.config_map("b").await.is_none());
}
