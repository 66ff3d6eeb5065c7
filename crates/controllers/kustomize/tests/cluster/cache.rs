//! Caches of archives and builds between runs.

use futures::future::join_all;
use serde_json::json;

use crate::bed::{Bed, config};

#[tokio::test]
async fn archive_is_downloaded_once_for_all_objects() {
    let bed = Bed::start(&[]).await;
    let names = ["a", "b", "c", "d"];
    let files = names.map(|name| (format!("{name}/map.yaml"), config(name, "1")));
    let files: Vec<_> = files.iter().map(|(path, map)| (&**path, &**map)).collect();
    bed.publish("1", &files).await;
    let create = |name| bed.kustomization(name, json!({"path": format!("./{name}")}));
    join_all(names.map(create)).await;
    join_all(names.map(|name| bed.until_applied(name, "1"))).await;
    assert_eq!(bed.downloads(), 1);
    bed.publish("2", &files).await;
    join_all(names.map(|name| bed.until_applied(name, "2"))).await;
    assert_eq!(bed.downloads(), 2);
}

#[tokio::test]
async fn cached_archive_corrects_drift_without_source() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({})).await;
    bed.until_applied("app", "1").await;
    bed.lose("1");
    let edit = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"key": "2"}});
    bed.apply(&edit).await;
    bed.request("app", "again").await;
    bed.until_handled("app", "again").await;
    assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "1");
    // Another path is not in the build cache, but the archive is.
    bed.kustomization("other", json!({"path": "./elsewhere"}))
        .await;
    let message = bed.until_failed("other", "ArtifactFailed").await;
    assert!(message.contains("not found: stat elsewhere"), "{message}");
    assert_eq!(bed.downloads(), 1);
}
