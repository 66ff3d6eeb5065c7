//! Health expressions of a Kustomization.
//!
//! The tests use config maps, which are always ready without an expression.

use serde_json::{Value, json};

use crate::bed::{Bed, config, deployment};

/// Writes a phase to a config map.
pub(crate) async fn set_phase(bed: &Bed, name: &str, phase: &str) {
    let object = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"phase": phase},
    });
    bed.apply(&object).await;
}

/// A bed with a Kustomization of `ConfigMap/a` that has this spec.
async fn waiting_for_a(spec: Value) -> Bed {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    let spec = spec.to_string().replace("NAMESPACE", &bed.namespace);
    bed.kustomization("app", serde_json::from_str(&spec).unwrap())
        .await;
    bed
}

pub(crate) fn phases() -> Value {
    json!([{
        "apiVersion": "v1", "kind": "ConfigMap",
        "inProgress": "has(data.phase) && data.phase == 'busy'",
        "failed": "has(data.phase) && data.phase in ['broken', 'both']",
        "current": "data.phase in ['ready', 'both']",
    }])
}

pub(crate) async fn until_checking(bed: &Bed) {
    bed.until("app", "is checking health", |status| {
        status.conditions.find("Reconciling").is_some_and(|found| {
            found
                .message
                .starts_with("Running health checks for revision 1")
        })
    })
    .await;
}

#[tokio::test]
async fn expression_makes_object_healthy() {
    let bed = waiting_for_a(json!({"wait": true, "healthCheckExprs": phases()})).await;
    until_checking(&bed).await;
    set_phase(&bed, "a", "busy").await;
    set_phase(&bed, "a", "ready").await;
    let status = bed.until_applied("app", "1").await;
    assert!(status.conditions.is_true("Healthy"));
}

#[tokio::test]
async fn failed_expression_precedes_current() {
    let bed = waiting_for_a(json!({"wait": true, "healthCheckExprs": phases()})).await;
    until_checking(&bed).await;
    set_phase(&bed, "a", "both").await;
    let message = bed.until_failed("app", "HealthCheckFailed").await;
    let expected = format!(
        "failed early due to stalled resources: [ConfigMap/{}/a status: 'Failed']",
        bed.namespace
    );
    assert!(message.ends_with(&expected), "{message}");
}

#[tokio::test]
async fn timeout_names_expression_error() {
    let bed = waiting_for_a(json!({
        "timeout": "2s",
        "healthChecks": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "namespace": "NAMESPACE"}],
        "healthCheckExprs": [{"apiVersion": "v1", "current": "data.phase == 'ready'"}],
    }))
    .await;
    let message = bed.until_failed("app", "HealthCheckFailed").await;
    let expected = format!(
        "timeout waiting for: [ConfigMap/{}/a status: 'Unknown': failed to evaluate the CEL expression \
         'data.phase == 'ready'': no such key: phase]",
        bed.namespace
    );
    assert!(message.ends_with(&expected), "{message}");
}

#[tokio::test]
async fn invalid_health_expression_stalls_until_edited() {
    let wrong = json!([{"apiVersion": "v1", "kind": "ConfigMap", "current": "data.key =="}]);
    let bed = waiting_for_a(json!({"wait": true, "healthCheckExprs": wrong})).await;
    let message = bed.until_failed("app", "InvalidCELExpression").await;
    assert!(
        message.starts_with(
            "Reconciliation failed terminally due to configuration error: failed to create custom status \
             evaluator for healthchecks[0]: failed to parse the expression Current: failed to parse the CEL \
             expression 'data.key ==': ERROR: <input>:1:12: Syntax error"
        ),
        "{message}"
    );
    bed.until("app", "is stalled", |status| {
        let stalled = status.conditions.find("Stalled");
        stalled.is_some_and(|found| found.is_true() && found.reason == "InvalidCELExpression")
            && status.observed_generation == Some(1)
    })
    .await;
    assert!(bed.config_map("a").await.is_none(), "nothing was applied");
    let right = json!([{"apiVersion": "v1", "kind": "ConfigMap", "current": "data.key == '1'"}]);
    bed.kustomization("app", json!({"wait": true, "healthCheckExprs": right}))
        .await;
    bed.until_applied("app", "1").await;
}

#[tokio::test]
async fn group_expression_applies_to_every_kind() {
    let expression =
        json!([{"apiVersion": "v1", "current": "has(data.phase) && data.phase == 'ready'"}]);
    let bed = waiting_for_a(json!({"wait": true, "healthCheckExprs": expression})).await;
    until_checking(&bed).await;
    set_phase(&bed, "a", "ready").await;
    bed.until_applied("app", "1").await;
}

#[tokio::test]
async fn skipped_objects_are_not_awaited() {
    let bed = Bed::start(&[]).await;
    let broken = deployment("web", 600).replace(
        "metadata: {name: web,",
        "metadata: {annotations: {kustomize.toolkit.fluxcd.io/ssa: Ignore}, name: web,",
    );
    let once = deployment("once", 600).replace(
        "metadata: {name: once,",
        "metadata: {annotations: {kustomize.toolkit.fluxcd.io/ssa: IfNotPresent}, name: once,",
    );
    assert!(broken.contains("Ignore") && once.contains("IfNotPresent"));
    // The object exists and never becomes ready.
    let spec = json!({"replicas": 1, "selector": {"matchLabels": {"app": "once"}}, "template": {
        "metadata": {"labels": {"app": "once"}},
        "spec": {"nodeSelector": {"no": "where"}, "containers": [{"name": "a", "image": "example.com/a"}]}}});
    bed.apply(&json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "once"}, "spec": spec}))
        .await;
    bed.publish(
        "1",
        &[
            ("a.yaml", &config("a", "1")),
            ("web.yaml", &broken),
            ("once.yaml", &once),
        ],
    )
    .await;
    bed.kustomization("app", json!({"wait": true})).await;
    let status = bed.until_applied("app", "1").await;
    assert!(status.conditions.is_true("Healthy"));
}
