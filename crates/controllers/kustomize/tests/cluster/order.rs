//! Order of dependencies. The requeue interval is one hour, so only changes start a run.

use serde_json::json;

use crate::bed::{Bed, config};

const LONG_REQUEUE: &[&str] = &["--requeue-dependency=1h"];

#[tokio::test]
async fn dependant_starts_when_dependency_is_ready() {
    let bed = Bed::start(LONG_REQUEUE).await;
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
        format!(
            "dependency '{}/a' not found: kustomizations.kustomize.toolkit.fluxcd.io \"a\" not found",
            bed.namespace
        )
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

    // A new revision is applied in the same order.
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
async fn cycle_is_reported_on_both_objects() {
    let bed = Bed::start(LONG_REQUEUE).await;
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

/// A bed with a Kustomization `b` that waits for `a` by an expression.
async fn expecting(flags: &[&str], expression: &str) -> Bed {
    let flags: Vec<&str> = LONG_REQUEUE.iter().chain(flags).copied().collect();
    let bed = Bed::start(&flags).await;
    bed.publish(
        "1",
        &[
            ("a/a.yaml", &config("a", "1")),
            ("b/b.yaml", &config("b", "1")),
        ],
    )
    .await;
    let depends_on = json!([{"name": "a", "readyExpr": expression}]);
    bed.kustomization("b", json!({"path": "b", "dependsOn": depends_on}))
        .await;
    bed
}

/// A spec whose health check waits for a missing config map.
fn never_ready(bed: &Bed) -> serde_json::Value {
    let checks = json!([{"apiVersion": "v1", "kind": "ConfigMap", "name": "awaited", "namespace": bed.namespace}]);
    json!({"path": "a", "healthChecks": checks, "timeout": "1h"})
}

#[tokio::test]
async fn ready_expression_wakes_dependant() {
    let expression = "has(dep.metadata.labels) && dep.metadata.labels['level'] == self.spec.path";
    let bed = expecting(&[], expression).await;
    bed.until_failed("b", "DependencyNotReady").await;
    bed.kustomization("a", never_ready(&bed)).await;
    bed.request("b", "look").await;
    let message = format!(
        "dependency '{}/a' is not ready according to readyExpr eval",
        bed.namespace
    );
    bed.until("b", "has asked the expression", |status| {
        let ready = status.conditions.find("Ready");
        ready.is_some_and(|ready| ready.message == message)
    })
    .await;
    // Only the label changes, so the expression alone becomes true.
    bed.label("a", "level", "b").await;
    bed.until_applied("b", "1").await;
}

#[tokio::test]
async fn additive_gate_requires_ready_and_expression() {
    let gate = "--feature-gates=AdditiveCELDependencyCheck=true";
    let bed = expecting(&[gate], "dep.metadata.name == 'a'").await;
    bed.kustomization("a", never_ready(&bed)).await;
    bed.until("a", "waits for health", |status| {
        status.conditions.find("Healthy").is_some()
    })
    .await;
    bed.request("b", "look").await;
    let message = format!("dependency '{}/a' is not ready", bed.namespace);
    bed.until("b", "has done both checks", |status| {
        let ready = status.conditions.find("Ready");
        ready.is_some_and(|ready| ready.message == message)
    })
    .await;
    bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "awaited"}}))
        .await;
    bed.until_applied("b", "1").await;
}

#[tokio::test]
async fn non_boolean_ready_expression_stalls_until_edited() {
    let bed = expecting(&[], "dep.metadata.name").await;
    let message = bed.until_failed("b", "InvalidCELExpression").await;
    assert!(
        message.starts_with(
            "Reconciliation failed terminally due to configuration error: terminal error: \
             failed to evaluate dependency a: CEL expression output type mismatch"
        ),
        "{message}"
    );
    bed.until("b", "is stalled", |status| {
        status.conditions.is_true("Stalled") && status.observed_generation == Some(1)
    })
    .await;
    bed.until_event("b", "InvalidCELExpression", "output type mismatch")
        .await;
    bed.kustomization("a", json!({"path": "a"})).await;
    let depends_on = json!([{"name": "a", "readyExpr": "dep.metadata.name == 'a'"}]);
    bed.kustomization("b", json!({"path": "b", "dependsOn": depends_on}))
        .await;
    bed.until_applied("b", "1").await;
}
