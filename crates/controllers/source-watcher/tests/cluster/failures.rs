//! Sources that are missing or malicious, foreign objects, and blocked references.

use serde_json::{Value, json};
use sluice_api::source::ExternalArtifact;
use sluice_api::source_watcher::ArtifactGenerator;
use sluice_testkit::Bed;
use sluice_testkit::kube::api::PostParams;

use super::{World, copy, map, ready};

fn artifacts() -> Value {
    json!([{ "name": "a", "copy": copy("@repo/a.yaml", "@artifact/") }])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_source_and_download_are_retried() {
    let world = World::new("watch-missing").await;
    world.generate("split", artifacts()).await;
    let message = world.reports("split", "SourceFetchFailed").await;
    let expected = "get sources failed: GitRepository.source.toolkit.fluxcd.io \"repo\" not found";
    assert_eq!(message, expected);
    world.source_with("repo", Value::Null).await;
    let is_unready = |object: &ArtifactGenerator| ready(object).2.ends_with("is not ready");
    let object = world
        .sees("split", "waits for the artifact", is_unready)
        .await;
    let namespace = &world.namespace;
    let expected =
        format!("get sources failed: source 'GitRepository/{namespace}/repo' is not ready");
    assert_eq!(ready(&object).2, expected);

    let unique = format!("{namespace}@1");
    let source = world
        .sources
        .publish_files(&unique, &[("a.yaml", "a: 1\n")]);
    world.sources.remove(&unique);
    world.source_with("repo", source).await;
    let is_lost =
        |object: &ArtifactGenerator| ready(object).2.starts_with("fetch sources failed: ");
    let object = world.sees("split", "misses the archive", is_lost).await;
    assert_eq!(ready(&object).1, "SourceFetchFailed");
    assert!(ready(&object).2.contains("artifact not found at "));
    world
        .sources
        .publish_files(&unique, &[("a.yaml", "a: 1\n")]);
    world.is_ready("split").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_generators_name_their_fault() {
    let world = World::new("watch-invalid").await;
    world
        .source("repo", "1", &[("apps/.x/a", "a"), ("a.yaml", "a: 1\n")])
        .await;
    let one = |from: &str, to: &str| json!([{ "name": "a", "copy": copy(from, to) }]);
    let twice = json!([artifacts()[0], artifacts()[0]]);
    world.generate("twice", twice).await;
    world
        .generate("none", one("@repo/*.json", "@artifact/"))
        .await;
    world
        .generate("outside", one("@repo/../../etc/passwd", "@artifact/"))
        .await;
    let own = json!({
        "sources": [{ "alias": "own", "kind": "ExternalArtifact", "name": "loop" }],
        "artifacts": [{ "name": "loop", "copy": copy("@own/**", "@artifact/deep/") }],
    });
    world.generator("loop", own, json!({})).await;
    let pattern = json!({
        "sources": [{ "alias": "repo", "kind": "GitRepository", "name": "repo" }],
        "pathPattern": "@repo/apps/{app}",
        "artifacts": [{ "name": "{app}", "copy": copy("@repo/apps/{app}", "@artifact/") }],
    });
    world.generator("pattern", pattern, json!({})).await;
    for (name, reason, expected, is_stalled) in [
        (
            "twice",
            "ValidationFailed",
            "duplicate artifact name 'a' found",
            true,
        ),
        (
            "none",
            "BuildFailed",
            "a build failed: failed to apply copy operations: failed to apply copy operation from \
             '@repo/*.json' to '@artifact/': no files match pattern '*.json' in source 'repo'",
            false,
        ),
        ("outside", "BuildFailed", "path escapes from parent", false),
        (
            "loop",
            "ValidationFailed",
            "artifact loop is also the source 'own'",
            true,
        ),
        (
            "pattern",
            "BuildFailed",
            "failed to expand path pattern: pathPattern",
            true,
        ),
    ] {
        let message = world.reports(name, reason).await;
        assert!(message.contains(expected), "{name}: {message}");
        let api = world.api::<ArtifactGenerator>().await;
        let status = api.get(name).await.unwrap().status.unwrap();
        let stalled = status.conditions.find("Stalled");
        assert_eq!(stalled.is_some(), is_stalled, "{name}: {status:?}");
    }
    // The API server refuses paths that lead out of the artifact.
    for to in ["@artifact/../a", "@artifact/a/../b", "artifact/a"] {
        let spec = json!({
            "sources": [{ "alias": "repo", "kind": "GitRepository", "name": "repo" }],
            "artifacts": one("@repo/a.yaml", to),
        });
        let object = json!({
            "apiVersion": "source.extensions.fluxcd.io/v1beta1", "kind": "ArtifactGenerator",
            "metadata": { "name": "refused" }, "spec": spec,
        });
        let object = serde_json::from_value(object).unwrap();
        let api = world.api::<ArtifactGenerator>().await;
        let refused = api.create(&PostParams::default(), &object).await;
        assert!(refused.is_err(), "{to}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn foreign_external_artifact_stays() {
    let world = World::new("watch-foreign").await;
    world.source("repo", "1", &[("a.yaml", "a: 1\n")]).await;
    let api = world.api::<ExternalArtifact>().await;
    let object = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "ExternalArtifact",
        "metadata": { "name": "a", "labels": { "app.kubernetes.io/managed-by": "their-tool" } },
        "spec": {},
    });
    let object = serde_json::from_value(object).unwrap();
    api.create(&PostParams::default(), &object).await.unwrap();
    world.generate("split", artifacts()).await;
    let message = world.reports("split", "ReconciliationFailed").await;
    let namespace = &world.namespace;
    let expected = format!(
        "a reconcile failed: ExternalArtifact '{namespace}/a' belongs to their-tool: rename the \
         artifact, or delete the object"
    );
    assert_eq!(message, expected);
    assert!(world.stored("a").is_empty());
    world.delete::<ArtifactGenerator>("split").await;
    world.is_gone::<ArtifactGenerator>("split").await;
    assert!(api.get_opt("a").await.unwrap().is_some());

    // Without the other object, the artifact is published.
    world.delete::<ExternalArtifact>("a").await;
    world.generate("split", artifacts()).await;
    world.is_ready("split").await;
    assert_eq!(world.files("a").await, map(&[("a.yaml", "a: 1\n")]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_namespace_is_reached_unless_blocked() {
    let bed = Bed::own().await;
    let flags = [
        "--watch-all-namespaces=true",
        "--feature-gates=DirectSourceFetch=true",
    ];
    let mut world = World::on(bed.clone(), "watch-other", &flags).await;
    world.source("repo", "1", &[("a.yaml", "a: 1\n")]).await;
    let owner = world.namespace.clone();
    world.namespace = bed.namespace("watch-tenant").await;
    let spec = json!({
        "sources": [{
            "alias": "repo", "kind": "GitRepository", "name": "repo", "namespace": owner,
        }],
        "artifacts": artifacts(),
    });
    world.generator("split", spec.clone(), json!({})).await;
    world.is_ready("split").await;
    world.stop().await;
    world
        .flags
        .push("--no-cross-namespace-refs=true".to_owned());
    world.start().await;
    world.generator("blocked", spec, json!({})).await;
    let message = world.reports("blocked", "AccessDenied").await;
    let expected =
        format!("cross-namespace reference to source GitRepository/{owner}/repo is not allowed");
    assert_eq!(message, expected);
}
