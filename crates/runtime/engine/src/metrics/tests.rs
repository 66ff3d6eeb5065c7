//! The names, labels and buckets that dashboards query.

use std::convert::Infallible;

use sluice_identity::{IdentityStep, Lookup, Provider, Token};

use super::*;
use crate::outcome::{Failure, Retry};

fn kind(metrics: &Metrics) -> KindMetrics {
    metrics.kind("kustomization", "Kustomization", 4)
}

#[test]
fn series_exist_from_the_start() {
    let metrics = Metrics::new();
    let _kind = kind(&metrics);
    let text = metrics.text();
    for line in [
        r#"controller_runtime_reconcile_total{controller="kustomization",result="requeue_after"} 0"#,
        r#"controller_runtime_reconcile_total{controller="kustomization",result="error"} 0"#,
        r#"controller_runtime_reconcile_errors_total{controller="kustomization"} 0"#,
        r#"controller_runtime_terminal_reconcile_errors_total{controller="kustomization"} 0"#,
        r#"controller_runtime_reconcile_panics_total{controller="kustomization"} 0"#,
        r#"controller_runtime_max_concurrent_reconciles{controller="kustomization"} 4"#,
        r#"controller_runtime_active_workers{controller="kustomization"} 0"#,
        r#"sluice_health_waits_active{controller="kustomization"} 0"#,
        r#"workqueue_depth{controller="kustomization",name="kustomization",priority=""} 0"#,
        r#"workqueue_adds_total{controller="kustomization",name="kustomization"} 0"#,
        r#"workqueue_queue_duration_seconds_bucket{controller="kustomization",name="kustomization",le="0.00000001"} 0"#,
        "# TYPE process_cpu_seconds_total counter",
        "# TYPE process_resident_memory_bytes gauge",
    ] {
        assert!(text.contains(line), "{line}\nis not in\n{text}");
    }
}

#[test]
fn series_of_a_deleted_object_are_removed() {
    let metrics = Metrics::new();
    let kind = kind(&metrics);
    let key = ObjectKey::new("flux-system", "apps");
    kind.observe_duration(&key, Duration::from_secs(1));
    let series = r#"gotk_reconcile_duration_seconds_count{kind="Kustomization",name="apps",namespace="flux-system"} 1"#;
    assert!(metrics.text().contains(series), "{}", metrics.text());
    kind.forget(&key);
    assert!(!metrics.text().contains("name=\"apps\""));
}

#[test]
fn terminal_failure_counts_as_an_error() {
    let metrics = Metrics::new();
    let kind = kind(&metrics);
    let failure = Failure::message("BuildFailed", Retry::Stalled, "bad");
    kind.reconciled(&Requeue::Stalled(failure), Duration::from_millis(1));
    let text = metrics.text();
    assert!(text.contains(
        r#"controller_runtime_terminal_reconcile_errors_total{controller="kustomization"} 1"#
    ));
    assert!(text.contains(
        r#"controller_runtime_reconcile_total{controller="kustomization",result="error"} 1"#
    ));
}

#[test]
fn requests_are_counted_by_status() {
    let metrics = Metrics::new();
    metrics.request("GET", "200", "10.0.0.1:443");
    assert!(
        metrics.text().contains(
            r#"rest_client_requests_total{code="200",host="10.0.0.1:443",method="GET"} 1"#
        )
    );
}

#[tokio::test]
async fn token_cache_metrics_follow_their_object() {
    let metrics = Metrics::new();
    let key = ObjectKey::new("flux-system", "apps");
    let user = TokenUser {
        kind: "Kustomization",
        key: &key,
        operation: "fetch_kubeconfig",
    };
    let cache = sluice_identity::TokenCache::new(10, Duration::from_hours(1));
    let now = std::time::SystemTime::UNIX_EPOCH;
    let ask = || async {
        Ok::<_, Infallible>(Token {
            value: 7,
            expires: now + Duration::from_hours(1),
        })
    };
    for _ in 0..2 {
        let (_, lookup) = cache.token(&"key", now, ask).await.unwrap();
        metrics.tokens().count_lookup(&cache, user, Some(lookup));
    }
    metrics.tokens().count_lookup(&cache, user, None);
    let lasted = Duration::from_millis(20);
    let step = IdentityStep::Exchange;
    metrics
        .tokens()
        .observe_request(Provider::Aws, step, lasted);
    // The cache of another controller in this process.
    let other = sluice_identity::TokenCache::new(10, Duration::from_hours(1));
    other.token(&"key", now, ask).await.unwrap();
    metrics.tokens().count_lookup(&other, user, None);
    // A disabled cache is not counted.
    let off = sluice_identity::TokenCache::<u8, ()>::new(0, Duration::ZERO);
    metrics
        .tokens()
        .count_lookup(&off, user, Some(Lookup::Miss));
    let text = metrics.text();
    let of_object = |event: &str| {
        format!(
            r#"gotk_token_cache_events_total{{event_type="{event}",kind="Kustomization",name="apps",namespace="flux-system",operation="fetch_kubeconfig"}} 1"#
        )
    };
    for line in [
        &of_object("cache_hit"),
        &of_object("cache_miss"),
        r#"gotk_token_cache_requests_total{status="success"} 2"#,
        r#"gotk_token_cache_requests_total{status="failure"} 2"#,
        "gotk_token_cached_items 2",
        "gotk_token_cache_evictions_total 0",
        r#"sluice_identity_request_duration_seconds_count{provider="aws",step="exchange"} 1"#,
    ] {
        assert!(text.contains(line), "{line}\nis not in\n{text}");
    }
    kind(&metrics).forget(&key);
    assert!(!metrics.text().contains("name=\"apps\""));
}
