//! Who waits for whom. The interval for dependencies is an hour: what starts, starts
//! because of a change.

use serde_json::json;

use crate::bed::{Bed, config};

const PATIENT: &[&str] = &["--requeue-dependency=1h"];

#[tokio::test]
async fn a_dependant_starts_as_soon_as_its_dependency_is_ready() {
    let bed = Bed::start(PATIENT).await;
    bed.publish(
        "1",
        &[
            ("a/a.yaml", &config("a", "1")),
            ("b/b.yaml", &config("b", "1")),
        ],
    )
    .await;
    bed.kustomization("b", json!({"path": "b", "dependsOn": [{"name": "a"}]}))
        .await;
    let message = bed.until_failed("b", "DependencyNotReady").await;
    assert_eq!(
        message,
        format!("dependency '{}/a' not found", bed.namespace)
    );
    assert!(bed.config_map("b").await.is_none());
    bed.until_event(
        "b",
        "DependencyNotReady",
        "Dependencies do not meet ready condition, retrying in 1h0m0s",
    )
    .await;
    bed.kustomization("a", json!({"path": "a"})).await;
    bed.until_applied("b", "1").await;

    // A new revision goes through the same order.
    bed.publish(
        "2",
        &[
            ("a/a.yaml", &config("a", "2")),
            ("b/b.yaml", &config("b", "2")),
        ],
    )
    .await;
    bed.until_applied("b", "2").await;
    assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "2");
}

#[tokio::test]
async fn a_loop_is_spelled_out_in_both() {
    let bed = Bed::start(PATIENT).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("a", json!({"dependsOn": [{"name": "b"}]}))
        .await;
    bed.until_failed("a", "DependencyNotReady").await;
    bed.kustomization("b", json!({"dependsOn": [{"name": "a"}]}))
        .await;
    let ns = &bed.namespace;
    let spelled = format!("circular dependency detected: {ns}/b -> {ns}/a -> {ns}/b");
    let loops = |status: &sluice_api::kustomize::KustomizationStatus, text: &str| {
        status
            .conditions
            .find("Ready")
            .is_some_and(|ready| ready.message.contains(text))
    };
    bed.until("b", "names the loop", |status| loops(status, &spelled))
        .await;
    bed.request("a", "look").await;
    let spelled = format!("circular dependency detected: {ns}/a -> {ns}/b -> {ns}/a");
    bed.until("a", "names the loop", |status| loops(status, &spelled))
        .await;
}
