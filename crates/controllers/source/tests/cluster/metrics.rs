//! Compares the metrics with a scrape of Flux's source-controller.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use crate::World;
use crate::oci::Oci;

/// The metrics of Flux's controller, one a line: name, type, labels.
const RECORDED: &str = include_str!("../baseline/metrics.txt");

/// Metrics that sluice leaves out, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("certwatcher_", "serves no webhook"),
    (
        "controller_runtime_conversion_webhook_",
        "serves no webhook",
    ),
    ("controller_runtime_webhook_", "serves no webhook"),
    (
        "controller_runtime_reconcile_timeouts_",
        "a limit of controller-runtime that Flux does not set",
    ),
    ("process_network_", "what the kubelet counts for the pod"),
    (
        "process_virtual_memory_max_",
        "a limit that containers do not set",
    ),
];

#[derive(Debug, PartialEq, Eq)]
struct Family {
    type_: String,
    labels: BTreeSet<String>,
}

fn recorded() -> BTreeMap<String, Family> {
    let lines = RECORDED.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.split(' ');
            let mut word = || words.next().unwrap_or_default();
            let (name, type_) = (word().to_owned(), word().to_owned());
            let labels = word().split(',').filter(|label| !label.is_empty());
            let labels = labels.map(str::to_owned).collect();
            (name, Family { type_, labels })
        })
        .collect()
}

/// Parses the families of the exposition format.
fn families(text: &str) -> BTreeMap<String, Family> {
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    for line in text.lines() {
        if let Some(typed) = line.strip_prefix("# TYPE ") {
            let (name, type_) = typed.split_once(' ').unwrap();
            let (type_, labels) = (type_.to_owned(), BTreeSet::new());
            families.insert(name.to_owned(), Family { type_, labels });
        }
        let Some((series, labels)) = line.split_once('{').filter(|_| !line.starts_with('#')) else {
            continue;
        };
        let family = ["_bucket", "_sum", "_count", ""]
            .iter()
            .filter_map(|end| series.strip_suffix(end))
            .find(|name| families.contains_key(*name))
            .unwrap()
            .to_owned();
        let labels = labels
            .split("\",")
            .filter_map(|label| label.split_once("=\""));
        let labels = labels.map(|(name, _)| name.to_owned());
        let own = &mut families.get_mut(&family).unwrap().labels;
        own.extend(labels.filter(|label| label != "le"));
    }
    families
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metrics_match_types_and_labels_of_flux() {
    let world = Oci::over(World::new("metrics").await);
    let spec = json!({ "url": "http://127.0.0.1:1/none" });
    world.create("a", &spec).await;
    world
        .follow("a", "oci://127.0.0.1:1/none", &json!({}))
        .await;
    world.refused("a", "GitOperationFailed").await;
    world.is_refused("a", "OCIArtifactPullFailed").await;
    // A run is counted after its status is written, so a second run makes the first visible.
    world.reconcile("a").await;
    world.ask("a").await;
    let found = families(&world.metrics());
    for (name, family) in recorded() {
        if LEFT_OUT.iter().any(|(start, _)| name.starts_with(start)) {
            assert!(
                !found.contains_key(&name),
                "{name} exists: remove it from LEFT_OUT"
            );
            continue;
        }
        assert_eq!(found.get(&name), Some(&family), "{name}");
    }
}
