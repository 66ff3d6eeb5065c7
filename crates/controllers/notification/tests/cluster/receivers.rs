//! Tests which webhook calls reconcile objects.

use serde_json::{Value, json};
use sluice_testkit::wait;

use super::{World, condition};

/// Creates a Secret, a Receiver and a GitRepository, and returns the path of the webhook.
pub(crate) async fn receiver(world: &World, name: &str, spec: Value) -> String {
    let mut whole = json!({
        "type": "generic",
        "secretRef": { "name": "token" },
        "resources": [{ "kind": "GitRepository", "name": "app" }],
    });
    for (key, value) in spec.as_object().unwrap() {
        whole[key] = value.clone();
    }
    world.create("Receiver", name, json!({}), whole).await;
    world.served(name).await
}

pub(crate) async fn repository(world: &World, name: &str) {
    let metadata = json!({ "labels": { "team": "a" } });
    let spec = json!({ "url": "https://example.com/app", "interval": "1h" });
    world.create("GitRepository", name, metadata, spec).await;
}

fn requested_at(object: &Value) -> Option<&str> {
    object["metadata"]["annotations"]["reconcile.fluxcd.io/requestedAt"].as_str()
}

#[tokio::test(flavor = "multi_thread")]
async fn generic_webhook_annotates_repository() {
    let world = World::new("hook-generic").await;
    world.secret("token", &[("token", "canary")]).await;
    repository(&world, "app").await;
    let path = receiver(&world, "web", json!({})).await;
    let expected = sluice_api::notification::webhook::path(b"canary", "web", &world.namespace);
    assert_eq!(path, expected);
    assert_eq!(world.call(&path, &[], "").await, 200);
    let annotated = world
        .until("GitRepository", "app", |it| requested_at(it).is_some())
        .await;
    assert!(requested_at(&annotated).unwrap().ends_with(" +0000 UTC"));
    // A path with a query or only a prefix of the path is unknown.
    assert_eq!(world.call(&format!("{path}?a=b"), &[], "").await, 404);
    assert_eq!(world.call("/hook/", &[], "").await, 404);
    assert_eq!(world.call("/", &[], "").await, 404);
    wait::eventually("no request is in flight", || async {
        let line = "gotk_receiver_http_requests_inflight{handler=\"/hook/\",service=\"\"} 0";
        let metrics = world.metrics();
        metrics.contains(line).then_some(()).ok_or(metrics)
    })
    .await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_token_is_a_condition_until_secret_exists() {
    let world = World::new("hook-token").await;
    let spec = json!({
        "type": "generic", "secretRef": { "name": "token" },
        "resources": [{ "kind": "GitRepository", "name": "app" }],
    });
    world.create("Receiver", "web", json!({}), spec).await;
    let failed = world.until("Receiver", "web", |it| condition(it, "Ready").is_some());
    let (status, reason, message) = condition(&failed.await, "Ready").unwrap();
    assert_eq!((&*status, &*reason), ("False", "TokenNotFound"));
    let secret = format!(
        "unable to read token from secret '{}/token' error: ",
        world.namespace
    );
    assert!(message.starts_with(&secret), "{message}");
    world.warning("Failed", &secret).await;
    world.secret("token", &[("token", "canary")]).await;
    world
        .until("Receiver", "web", |it| {
            condition(it, "Ready").is_some_and(|(status, ..)| status == "True")
        })
        .await;
    world.warning("Succeeded", "next run in 10m0s").await;
    world.delete("Receiver", "web").await;
    world.until("Receiver", "web", Value::is_null).await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn signed_webhook_is_verified() {
    let world = World::new("hook-hmac").await;
    world.secret("token", &[("token", "canary")]).await;
    repository(&world, "app").await;
    let path = receiver(&world, "web", json!({ "type": "generic-hmac" })).await;
    assert_eq!(world.call(&path, &[], "{}").await, 400);
    let wrong = [("X-Signature", "sha256=00")];
    assert_eq!(world.call(&path, &wrong, "{}").await, 400);
    // Expected value: printf '{}' | openssl dgst -sha256 -hmac canary
    let right = "sha256=e09851caa572f5d90779e465e00193374f2ed3f1b568d1805c1dac361470dde1";
    assert_eq!(
        world.call(&path, &[("X-Signature", right)], "{}").await,
        200
    );
    world
        .until("GitRepository", "app", |it| requested_at(it).is_some())
        .await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn filter_chooses_objects_by_label() {
    let world = World::new("hook-filter").await;
    world.secret("token", &[("token", "canary")]).await;
    repository(&world, "app").await;
    repository(&world, "docs").await;
    let spec = json!({
        "resources": [{ "kind": "GitRepository", "name": "*", "matchLabels": { "team": "a" } }],
        "resourceFilter": "req.repository == res.metadata.name",
    });
    let path = receiver(&world, "web", spec).await;
    let json = [("Content-Type", "application/json")];
    let body = r#"{"repository":"docs"}"#;
    assert_eq!(world.call(&path, &json, body).await, 200);
    world
        .until("GitRepository", "docs", |it| requested_at(it).is_some())
        .await;
    let other = world.until("GitRepository", "app", |_| true).await;
    assert_eq!(requested_at(&other), None);
    // The body lacks the field, so the filter fails.
    assert_eq!(world.call(&path, &json, "{}").await, 500);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unavailable_receivers_and_large_bodies_are_refused() {
    let world = World::new("hook-refused").await;
    world.secret("token", &[("token", "canary")]).await;
    let path = receiver(&world, "web", json!({})).await;
    // The object does not exist, and no earlier call hides that.
    for _ in 0..2 {
        assert_eq!(world.call(&path, &[], "").await, 500);
    }
    let large = "x".repeat(3 * 1024 * 1024 + 1);
    assert_eq!(world.call(&path, &[], &large).await, 413);
    world
        .patch("Receiver", "web", json!({ "spec": { "suspend": true } }))
        .await;
    wait::eventually("a suspended Receiver answers 503", || async {
        match world.call(&path, &[], "").await {
            503 => Ok(()),
            other => Err(other.to_string()),
        }
    })
    .await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_filter_stalls_receiver() {
    let world = World::new("hook-stalled").await;
    world.secret("token", &[("token", "canary")]).await;
    let spec = json!({
        "type": "generic", "secretRef": { "name": "token" }, "resourceFilter": "has(",
        "resources": [{ "kind": "GitRepository", "name": "app" }],
    });
    world.create("Receiver", "web", json!({}), spec).await;
    let stalled = world.until("Receiver", "web", |it| condition(it, "Stalled").is_some());
    let (_, reason, message) = condition(&stalled.await, "Stalled").unwrap();
    assert_eq!(reason, "InvalidCELExpression");
    let prefix = "Reconciliation failed terminally due to configuration error: \
                  invalid resourceFilter expression: ";
    assert!(message.starts_with(prefix), "{message}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requested_run_is_recorded() {
    let world = World::new("hook-request").await;
    world.secret("token", &[("token", "canary")]).await;
    receiver(&world, "web", json!({})).await;
    let annotations = json!({ "reconcile.fluxcd.io/requestedAt": "now" });
    let patch = json!({ "metadata": { "annotations": annotations } });
    world.patch("Receiver", "web", patch).await;
    world
        .until("Receiver", "web", |it| {
            it["status"]["lastHandledReconcileAt"] == "now"
        })
        .await;
    world.stop().await;
}

/// The number of requests depends on the time that the calls take, not on their number.
#[tokio::test(flavor = "multi_thread")]
async fn storm_of_calls_is_few_requests() {
    let world = World::new("hook-storm").await;
    world.secret("token", &[("token", "canary")]).await;
    repository(&world, "app").await;
    let path = receiver(&world, "web", json!({})).await;
    let patches = || {
        let metrics = world.metrics();
        let lines = metrics.lines();
        let lines = lines.filter(|line| {
            line.starts_with("rest_client_requests_total") && line.contains("PATCH")
        });
        lines
            .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok())
            .sum::<u64>()
    };
    let (before, started) = (patches(), std::time::Instant::now());
    for _ in 0..200 {
        assert_eq!(world.call(&path, &[], "").await, 200);
    }
    let last = world.until("GitRepository", "app", |it| requested_at(it).is_some());
    let last = requested_at(&last.await).unwrap().to_owned();
    assert_eq!(world.call(&path, &[], "").await, 200);
    // At the end of the window, one more request follows.
    world
        .until("GitRepository", "app", |it| {
            requested_at(it) != Some(&*last)
        })
        .await;
    let (after, windows) = (patches(), started.elapsed().as_secs() + 1);
    // The reports of the Receiver itself are requests, too.
    assert!(after - before <= windows + 5, "{after} {before} {windows}");
    world.stop().await;
}
