//! Remote bases of kustomization files: fetched at each run, or disabled.

use serde_json::json;
use sluice_git::serve::{Change, Repository};
use sluice_testkit::GitBackend;

use crate::bed::{Bed, config};

/// Serves a base with this value. Returns its repository and the overlay's kustomization file.
fn base(server: &GitBackend, bed: &Bed, value: &str) -> (Repository, String) {
    let repository = server.create("bases.git", "main");
    change(&repository, bed, value);
    let url = server.url("bases.git//app?ref=main");
    let file = format!("namePrefix: x-\nresources: ['{url}', own.yaml]\n");
    (repository, file)
}

fn change(repository: &Repository, bed: &Bed, value: &str) {
    let map = config("base", value).replace("NAMESPACE", &bed.namespace);
    let files = [
        Change::write("app/kustomization.yaml", "resources: [map.yaml]\n"),
        Change::write("app/map.yaml", map),
    ];
    repository.commit("main", value, &files).unwrap();
}

async fn value(bed: &Bed) -> serde_json::Value {
    bed.config_map("x-base").await.unwrap()["data"]["key"].clone()
}

#[tokio::test]
async fn remote_base_is_fetched_at_each_run() {
    let (server, bed) = (GitBackend::start().await, Bed::start(&[]).await);
    let (repository, file) = base(&server, &bed, "1");
    let own = config("own", "1");
    let files = [("kustomization.yaml", file.as_str()), ("own.yaml", &own)];
    bed.publish("1", &files).await;
    bed.kustomization("app", json!({})).await;
    let status = bed.until_applied("app", "1").await;
    let inventory = ["NS_x-base__ConfigMap", "NS_x-own__ConfigMap"];
    assert_eq!(bed.inventory(&status), inventory);
    assert_eq!(value(&bed).await, "1");
    change(&repository, &bed, "2");
    bed.request("app", "again").await;
    bed.until_handled("app", "again").await;
    assert_eq!(value(&bed).await, "2");
}

#[tokio::test]
async fn missing_base_fails_build_and_keeps_objects() {
    let (server, bed) = (GitBackend::start().await, Bed::start(&[]).await);
    let (_repository, file) = base(&server, &bed, "1");
    let own = config("own", "1");
    let files = [("kustomization.yaml", file.as_str()), ("own.yaml", &own)];
    bed.publish("1", &files).await;
    bed.kustomization("app", json!({})).await;
    bed.until_applied("app", "1").await;
    drop(server);
    bed.request("app", "again").await;
    let message = bed.until_failed("app", "BuildFailed").await;
    assert!(message.contains("bases.git"), "{message}");
    assert_eq!(value(&bed).await, "1");
}

#[tokio::test]
async fn disabled_remote_bases_are_not_fetched() {
    let server = GitBackend::start().await;
    let bed = Bed::start(&["--no-remote-bases=true"]).await;
    let (_repository, file) = base(&server, &bed, "1");
    let own = config("own", "1");
    let files = [("kustomization.yaml", file.as_str()), ("own.yaml", &own)];
    bed.publish("1", &files).await;
    bed.kustomization("app", json!({})).await;
    let message = bed.until_failed("app", "BuildFailed").await;
    assert!(
        message.contains("remote bases are off, keep a copy in the tree"),
        "{message}"
    );
    assert_eq!(server.requests(), 0);
    assert_eq!(bed.config_map("x-own").await, None);
}
