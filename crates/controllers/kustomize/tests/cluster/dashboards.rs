//! The metrics that Flux's public dashboards query.
//!
//! Labels of the scrape itself (`namespace`, `pod`) are left out. Prometheus renames the object
//! label `namespace` to `exported_namespace`. kube-state-metrics exports `gotk_resource_info`, and
//! the kubelet exports `container_memory_working_set_bytes`.

use std::collections::BTreeMap;

use serde_json::json;

use crate::bed::{Bed, config};

/// A metric with the labels that a query matches or groups by.
type Query = (&'static str, &'static [(&'static str, Match)]);

#[derive(Debug, Clone, Copy)]
enum Match {
    Is(&'static str),
    IsNot(&'static str),
    BeginsWith(&'static str),
    /// The label must exist, because the query groups by it.
    Any,
}

use Match::{Any, BeginsWith, Is, IsNot};

/// Queries of the cluster dashboard.
const CLUSTER: &[Query] = &[
    (
        "gotk_reconcile_duration_seconds_sum",
        &[
            ("kind", Is("Kustomization")),
            ("name", Any),
            ("namespace", Any),
        ],
    ),
    (
        "gotk_reconcile_duration_seconds_count",
        &[
            ("kind", Is("Kustomization")),
            ("name", Any),
            ("namespace", Any),
        ],
    ),
];

/// Queries of the control plane dashboard.
const CONTROL_PLANE: &[Query] = &[
    ("go_info", &[]),
    ("workqueue_longest_running_processor_seconds", &[]),
    (
        "workqueue_longest_running_processor_seconds",
        &[("name", Is("kustomization"))],
    ),
    ("go_memstats_alloc_bytes", &[]),
    ("rest_client_requests_total", &[]),
    ("rest_client_requests_total", &[("code", BeginsWith("2"))]),
    ("process_cpu_seconds_total", &[]),
    (
        "controller_runtime_reconcile_total",
        &[
            ("controller", Is("kustomization")),
            ("result", IsNot("error")),
        ],
    ),
    (
        "controller_runtime_reconcile_total",
        &[("controller", Is("kustomization")), ("result", Is("error"))],
    ),
    // The panels show another controller with the same metric.
    (
        "controller_runtime_reconcile_time_seconds_bucket",
        &[("controller", Is("kustomization")), ("le", Any)],
    ),
    ("workqueue_work_duration_seconds_count", &[]),
];

/// Every metric in Flux's documentation of the controller, with all labels.
const DOCUMENTED: &[(&str, &[&str])] = &[
    (
        "gotk_reconcile_duration_seconds_bucket",
        &["kind", "le", "name", "namespace"],
    ),
    ("gotk_token_cached_items", &[]),
    ("gotk_token_cache_evictions_total", &[]),
    ("gotk_token_cache_requests_total", &["status"]),
    (
        "gotk_token_cache_events_total",
        &["event_type", "kind", "name", "namespace", "operation"],
    ),
    (
        "controller_runtime_reconcile_total",
        &["controller", "result"],
    ),
    ("controller_runtime_reconcile_errors_total", &["controller"]),
    (
        "controller_runtime_terminal_reconcile_errors_total",
        &["controller"],
    ),
    ("controller_runtime_reconcile_panics_total", &["controller"]),
    (
        "controller_runtime_reconcile_time_seconds_count",
        &["controller"],
    ),
    ("controller_runtime_active_workers", &["controller"]),
    (
        "controller_runtime_max_concurrent_reconciles",
        &["controller"],
    ),
    ("workqueue_depth", &["controller", "name", "priority"]),
    ("workqueue_adds_total", &["controller", "name"]),
    (
        "workqueue_queue_duration_seconds_count",
        &["controller", "name"],
    ),
    (
        "workqueue_work_duration_seconds_count",
        &["controller", "name"],
    ),
    ("workqueue_unfinished_work_seconds", &["controller", "name"]),
    (
        "workqueue_longest_running_processor_seconds",
        &["controller", "name"],
    ),
    ("workqueue_retries_total", &["controller", "name"]),
    ("rest_client_requests_total", &["code", "host", "method"]),
    ("process_cpu_seconds_total", &[]),
    ("process_resident_memory_bytes", &[]),
    ("process_virtual_memory_bytes", &[]),
    ("process_open_fds", &[]),
    ("process_max_fds", &[]),
    ("process_start_time_seconds", &[]),
];

/// A metric name and its labels.
type Series = (String, BTreeMap<String, String>);

/// Parses the exposition format. Label values must not contain quotes.
fn series(text: &str) -> Vec<Series> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let parse = |line: &str| {
        let (series, _) = line.rsplit_once(' ')?;
        let (name, labels) = series.split_once('{').unwrap_or((series, ""));
        let labels = labels.trim_end_matches('}').split("\",");
        let labels = labels.filter_map(|label| {
            let (name, value) = label.split_once("=\"")?;
            Some((name.to_owned(), value.trim_end_matches('"').to_owned()))
        });
        Some((name.to_owned(), labels.collect()))
    };
    lines.filter_map(parse).collect()
}

fn draws((name, labels): &Query, series: &Series) -> bool {
    let fits = |(label, wanted): &(&str, Match)| {
        series.1.get(*label).is_some_and(|value| match wanted {
            Is(text) => value == text,
            IsNot(text) => value != text,
            BeginsWith(text) => value.starts_with(text),
            Any => !value.is_empty(),
        })
    };
    series.0 == *name && labels.iter().all(fits)
}

#[tokio::test]
async fn every_dashboard_query_finds_a_series() {
    let bed = Bed::start(&[crate::remote::OBJECT_LEVEL]).await;
    bed.account("deployer").await;
    bed.permit("deployer").await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    crate::remote::place(&bed, json!({})).await;
    bed.kustomization("app", crate::remote::by_config()).await;
    bed.until_applied("app", "1").await;
    // A run is counted after its status is written, so a second run makes the first one visible.
    bed.request("app", "again").await;
    bed.until_handled("app", "again").await;
    let found = series(&bed.metrics());
    for query in CLUSTER.iter().chain(CONTROL_PLANE) {
        assert!(found.iter().any(|series| draws(query, series)), "{query:?}");
    }
    for (name, labels) in DOCUMENTED {
        let of_name: Vec<&Series> = found.iter().filter(|series| series.0 == *name).collect();
        assert!(!of_name.is_empty(), "{name}");
        for (_, found) in of_name {
            let found: Vec<&str> = found.keys().map(String::as_str).collect();
            assert_eq!(found, *labels, "{name}");
        }
    }
}

#[test]
fn exposition_format_is_parsed() {
    let text = "# TYPE a counter\na 1\nb{x=\"1\",y=\"z,z\"} 2.5\nc{le=\"+Inf\"} 3\n";
    let labels = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    };
    assert_eq!(
        series(text),
        [
            ("a".to_owned(), labels(&[])),
            ("b".to_owned(), labels(&[("x", "1"), ("y", "z,z")])),
            ("c".to_owned(), labels(&[("le", "+Inf")])),
        ]
    );
}
