//! What goes with a Kustomization, and what stays.

use kube::api::DeleteParams;
use serde_json::{Value, json};
use sluice_testkit::wait;

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
async fn objects_go_with_their_kustomization() {
    let bed = applied(json!({})).await;
    delete(&bed, "app").await;
    assert!(bed.config_map("a").await.is_none());
}

#[tokio::test]
async fn termination_is_waited_for_on_request() {
    let bed = applied(json!({"deletionPolicy": "WaitForTermination"})).await;
    delete(&bed, "app").await;
    assert!(bed.config_map("a").await.is_none());
}

#[tokio::test]
async fn orphans_suspended_and_unpruned_objects_stay() {
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
async fn an_object_that_another_owns_by_now_stays() {
    let bed = applied(json!({})).await;
    let labels = json!({"kustomize.toolkit.fluxcd.io/name": "other"});
    bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "labels": labels}})).await;
    delete(&bed, "app").await;
    assert!(bed.config_map("a").await.is_some());
}

#[tokio::test]
async fn an_impersonated_account_is_obeyed_and_its_absence_lets_go() {
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
        "nobody was left who might delete it"
    );
    bed.until_event(
        "app",
        "ReconciliationSucceeded",
        "unable to prune objects: ",
    )
    .await;
}

#[tokio::test]
async fn a_missing_account_is_named() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({"serviceAccountName": "nobody"}))
        .await;
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    assert!(
        message.starts_with(&format!(
            "service account '{}/nobody' not found: ",
            bed.namespace
        )),
        "{message}"
    );
}
