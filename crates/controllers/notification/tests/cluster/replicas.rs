//! Tests two replicas, of which one has the lease. Both serve events and webhooks.

use serde_json::{Value, json};
use sluice_testkit::wait;

use super::World;
use super::receivers::{receiver, repository};
use super::sink::Sink;

/// Flags of a replica that takes over soon after the leader's end.
const ELECTING: &[&str] = &[
    "--enable-leader-election",
    "--leader-election-retry-period=1s",
];
/// The lease, as a metric.
const LEADS: &str =
    "leader_election_master_status{name=\"notification-controller-leader-election\"} 1";
/// Counts the reconciliations of a Receiver, if there was one.
const RECONCILED: &str = "gotk_reconcile_duration_seconds_count{kind=\"Receiver\"";

/// Waits until a replica has the lease.
async fn leads(replica: &World) {
    wait::eventually("the replica leads", || async {
        let metrics = replica.metrics();
        metrics.contains(LEADS).then_some(()).ok_or(metrics)
    })
    .await;
}

/// Posts events until one is delivered: a replica without the lease has no sign that it has stored
/// the Alert.
async fn delivers(replica: &World, sink: &Sink, name: &str) {
    let attempts = std::sync::atomic::AtomicUsize::new(1);
    wait::eventually("an event is delivered", || async {
        let length = attempts.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let message = format!("{name} {}", "x".repeat(length));
        assert_eq!(replica.post(json!({ "message": message })).await, 202);
        let requests = sink.requests();
        let is_of = |message: &Value| message.as_str().unwrap_or_default().starts_with(name);
        let found = requests.iter().any(|it| is_of(&it.body["message"]));
        found.then_some(()).ok_or_else(|| format!("{requests:?}"))
    })
    .await;
}

fn requested_at(object: &Value) -> Option<String> {
    let requested = &object["metadata"]["annotations"]["reconcile.fluxcd.io/requestedAt"];
    requested.as_str().map(str::to_owned)
}

#[tokio::test(flavor = "multi_thread")]
async fn replica_without_lease_serves_events_and_webhooks() {
    let mut leader = World::idle("replicas").await;
    leader.start(ELECTING, None).await;
    leads(&leader).await;
    let mut other = leader.replica();
    other.start(ELECTING, None).await;

    let sink = Sink::start().await;
    let provider = json!({ "type": "generic", "address": sink.url });
    leader.alert("generic", provider, json!({})).await;
    delivers(&leader, &sink, "leader").await;
    delivers(&other, &sink, "other").await;

    leader.secret("token", &[("token", "canary")]).await;
    repository(&leader, "app").await;
    let path = receiver(&leader, "web", json!({})).await;
    assert_eq!(other.served("web").await, path);
    let before = leader.until("GitRepository", "app", |_| true).await;
    assert_eq!(other.call(&path, &[], "").await, 200);
    leader
        .until("GitRepository", "app", |it| {
            requested_at(it).is_some() && requested_at(it) != requested_at(&before)
        })
        .await;

    assert!(leader.metrics().contains(RECONCILED));
    let metrics = other.metrics();
    assert!(!metrics.contains(LEADS), "{metrics}");
    assert!(!metrics.contains(RECONCILED), "{metrics}");
    leader.stop().await;
    leads(&other).await;
    receiver(&other, "next", json!({})).await;
    other.stop().await;
}
