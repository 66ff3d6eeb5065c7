//! Compares the metrics with those of the reference, in both directions.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use sluice_testkit::wait;

use super::World;
use super::receivers::{receiver, repository};

/// Name, type and labels.
type Family = (&'static str, &'static str, &'static [&'static str]);

const CONTROLLER: &[&str] = &["controller"];
const QUEUE: &[&str] = &["controller", "name"];
const HTTP: &[&str] = &["code", "handler", "method", "service"];

/// The families that notification-controller 1.9.3 shows in this state.
///
/// From `internal/controller/metrics`, `internal/metrics` and `metrics` of controller-runtime 0.24,
/// `runtime/metrics` and `cache` of fluxcd/pkg, and the recorder of go-http-metrics 0.13.
const REFERENCE: &[Family] = &[
    ("controller_runtime_active_workers", "gauge", CONTROLLER),
    (
        "controller_runtime_max_concurrent_reconciles",
        "gauge",
        CONTROLLER,
    ),
    (
        "controller_runtime_reconcile_errors_total",
        "counter",
        CONTROLLER,
    ),
    (
        "controller_runtime_reconcile_panics_total",
        "counter",
        CONTROLLER,
    ),
    (
        "controller_runtime_reconcile_time_seconds",
        "histogram",
        CONTROLLER,
    ),
    (
        "controller_runtime_reconcile_total",
        "counter",
        &["controller", "result"],
    ),
    (
        "controller_runtime_terminal_reconcile_errors_total",
        "counter",
        CONTROLLER,
    ),
    (
        "gotk_event_http_request_duration_seconds",
        "histogram",
        HTTP,
    ),
    (
        "gotk_event_http_requests_inflight",
        "gauge",
        &["handler", "service"],
    ),
    ("gotk_event_http_response_size_bytes", "histogram", HTTP),
    (
        "gotk_receiver_http_request_duration_seconds",
        "histogram",
        HTTP,
    ),
    (
        "gotk_receiver_http_requests_inflight",
        "gauge",
        &["handler", "service"],
    ),
    ("gotk_receiver_http_response_size_bytes", "histogram", HTTP),
    (
        "gotk_reconcile_duration_seconds",
        "histogram",
        &["kind", "name", "namespace"],
    ),
    ("gotk_token_cache_evictions_total", "counter", &[]),
    ("gotk_token_cached_items", "gauge", &[]),
    (
        "rest_client_requests_total",
        "counter",
        &["code", "host", "method"],
    ),
    ("workqueue_adds_total", "counter", QUEUE),
    (
        "workqueue_depth",
        "gauge",
        &["controller", "name", "priority"],
    ),
    (
        "workqueue_longest_running_processor_seconds",
        "gauge",
        QUEUE,
    ),
    ("workqueue_queue_duration_seconds", "histogram", QUEUE),
    ("workqueue_retries_total", "counter", QUEUE),
    ("workqueue_unfinished_work_seconds", "gauge", QUEUE),
    ("workqueue_work_duration_seconds", "histogram", QUEUE),
];

/// The families that the reference shows, and sluice does not.
const ABSENT: &[(&str, &str)] = &[
    (
        "certwatcher_read_certificate_total",
        "serves no webhook of the API server",
    ),
    (
        "certwatcher_read_certificate_errors_total",
        "serves no webhook of the API server",
    ),
    (
        "controller_runtime_conversion_webhook_panics_total",
        "serves no webhook of the API server",
    ),
    (
        "controller_runtime_webhook_panics_total",
        "serves no webhook of the API server",
    ),
    (
        "controller_runtime_reconcile_timeouts_total",
        "counts a limit of controller-runtime that Flux does not set",
    ),
];

/// The families that appear with their first use. Unit tests of the engine check their labels.
const LATER: &[&str] = &[
    "gotk_token_cache_events_total",
    "gotk_token_cache_requests_total",
    "leader_election_master_status",
];

/// The prefixes of the families that describe the process. Go's runtime has others than ours.
const PROCESS: &[&str] = &["go_", "process_"];

/// Our own families.
const OWN: &str = "sluice_";

/// Returns the families of a scrape: type and labels by name.
fn families(text: &str) -> BTreeMap<String, (String, BTreeSet<String>)> {
    let mut found: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
    let mut family = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, type_) = rest.split_once(' ').unwrap();
            name.clone_into(&mut family);
            found.insert(family.clone(), (type_.to_owned(), BTreeSet::new()));
        } else if !line.starts_with('#') {
            let labels = line.split_once('{').map_or("", |(_, rest)| rest);
            let names = labels.split("=\"").map(|part| {
                let start = part.rfind([',', '"']).map_or(0, |at| at + 1);
                part[start..].to_owned()
            });
            let mut names: Vec<_> = names.collect();
            // The last part is the value of the last label.
            names.pop();
            let (_, labels) = found.get_mut(&family).unwrap();
            labels.extend(names.into_iter().filter(|name| name != "le"));
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_have_the_names_of_the_reference() {
    let world = World::new("notify-metrics").await;
    world.secret("token", &[("token", "canary")]).await;
    repository(&world, "app").await;
    let path = receiver(&world, "web", json!({})).await;
    assert_eq!(world.call(&path, &[], "").await, 200);
    assert_eq!(world.post(json!({})).await, 202);
    // Requests are counted after their response.
    let last = "gotk_event_http_request_duration_seconds";
    wait::eventually(last, || async {
        let metrics = world.metrics();
        metrics.contains(last).then_some(()).ok_or(metrics)
    })
    .await;
    let found = families(&world.metrics());
    for (name, type_, labels) in REFERENCE {
        let labels: BTreeSet<_> = labels.iter().map(|label| (*label).to_owned()).collect();
        let family = found.get(*name);
        assert_eq!(family, Some(&((*type_).to_owned(), labels)), "{name}");
    }
    for (name, reason) in ABSENT {
        assert!(
            !found.contains_key(*name),
            "{name} exists, but sluice {reason}"
        );
    }
    let known: BTreeSet<_> = REFERENCE.iter().map(|(name, ..)| *name).collect();
    let others = found.keys().filter(|name| {
        !known.contains(name.as_str())
            && !LATER.contains(&name.as_str())
            && !PROCESS.iter().any(|prefix| name.starts_with(prefix))
    });
    for name in others {
        assert!(name.starts_with(OWN), "{name} is unknown to the reference");
    }
    world.stop().await;
}
