//! From sources to published artifacts, and their removal.

use serde_json::json;
use sluice_api::source::{ExternalArtifact, GitRepository};
use sluice_api::source_watcher::ArtifactGenerator;

use super::{World, artifact, copy, map, ready};

const FILES: &[(&str, &str)] = &[
    ("app/deploy.yaml", "kind: Deployment\n"),
    ("app/logo.png", "png"),
    ("chart/values.yaml", "replicas: 1\nimage: {tag: a}\n"),
    ("prod/values.yaml", "replicas: 3\nimage: {name: b}\n"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn generator_publishes_and_removes_artifacts() {
    let world = World::new("watch-life").await;
    world.source("repo", "main@sha1:1", FILES).await;
    let values = json!([
        { "from": "@repo/chart/values.yaml", "to": "@artifact/values.yaml" },
        { "from": "@repo/prod/values.yaml", "to": "@artifact/values.yaml", "strategy": "Merge" },
    ]);
    let artifacts = json!([
        { "name": "app", "copy": copy("@repo/app/**", "@artifact/") },
        { "name": "values", "revision": "@repo", "originRevision": "@repo", "copy": values },
    ]);
    world.generate("split", artifacts).await;
    let generator = world.is_ready("split").await;
    let message = "reconciliation succeeded, generated 2 artifact(s)";
    assert_eq!(
        ready(&generator),
        ("True".into(), "Succeeded".into(), message.into())
    );
    let finalizers = generator.metadata.finalizers.clone().unwrap();
    assert_eq!(finalizers, ["source.extensions.fluxcd.io/finalizer"]);

    assert_eq!(
        world.files("app").await,
        map(&[("deploy.yaml", "kind: Deployment\n")])
    );
    let merged = "image:\n  name: b\n  tag: a\nreplicas: 3\n";
    assert_eq!(world.files("values").await, map(&[("values.yaml", merged)]));
    let api = world.api::<ExternalArtifact>().await;
    let app = api.get("app").await.unwrap();
    let labels = app.metadata.labels.clone().unwrap();
    assert_eq!(labels["app.kubernetes.io/managed-by"], "source-watcher");
    assert_eq!(
        Some(&labels["source.extensions.fluxcd.io/generator"]),
        generator.metadata.uid.as_ref()
    );
    let source = app.spec.source_ref.clone().unwrap();
    assert_eq!(
        (&*source.kind, &*source.name),
        ("ArtifactGenerator", "split")
    );
    let condition = (
        "True".into(),
        "Succeeded".into(),
        "Artifact is ready".into(),
    );
    assert_eq!(ready(&app), condition);
    let digest = artifact(&app).unwrap()["digest"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        artifact(&app).unwrap()["revision"],
        format!("latest@{digest}")
    );
    let values = artifact(&api.get("values").await.unwrap()).unwrap();
    assert_eq!(values["revision"], "main@sha1:1");
    assert_eq!(
        values["metadata"]["org.opencontainers.image.revision"],
        "main@sha1:1"
    );

    let status = generator.status.unwrap();
    let inventory: Vec<_> = status
        .inventory
        .iter()
        .map(|it| (&*it.name, &*it.digest))
        .collect();
    assert_eq!(inventory[0], ("app", &*digest));
    assert_eq!(inventory[1].0, "values");
    let event = world
        .events
        .wait_for("the artifacts are reported", |event| {
            event.message.starts_with("external artifacts reconciled: ")
        });
    let event = event.await;
    assert!(
        event
            .message
            .contains(&format!("{}/app ({digest})", world.namespace))
    );

    // An artifact that leaves the spec goes with its files.
    let app = json!([{ "name": "app", "copy": copy("@repo/app/**", "@artifact/") }]);
    let patch = json!({ "spec": { "artifacts": app } });
    world.patch::<ArtifactGenerator>("split", patch).await;
    world.is_gone::<ExternalArtifact>("values").await;
    let generator = world.is_ready("split").await;
    assert_eq!(generator.status.unwrap().inventory.len(), 1);
    assert!(world.stored("values").is_empty());
    assert_eq!(world.stored("app").len(), 1);

    world.delete::<ArtifactGenerator>("split").await;
    world.is_gone::<ArtifactGenerator>("split").await;
    world.is_gone::<ExternalArtifact>("app").await;
    assert!(world.stored("app").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn directories_become_artifacts() {
    let world = World::new("watch-pattern").await;
    let files = [
        ("apps/Auth/a.yaml", "a: 1\n"),
        ("apps/web/b.yaml", "b: 1\n"),
    ];
    world.source("repo", "1", &files).await;
    let spec = json!({
        "sources": [{ "alias": "repo", "kind": "GitRepository", "name": "repo" }],
        "pathPattern": "@repo/apps/{app}",
        "commonMetadata": { "labels": { "team": "a", "app": "no" }, "annotations": { "note": "b" } },
        "artifacts": [{ "name": "app-{app}", "copy": copy("@repo/apps/{app}/**", "@artifact/") }],
    });
    world.generator("split", spec, json!({})).await;
    world.is_ready("split").await;
    assert_eq!(world.files("app-auth").await, map(&[("a.yaml", "a: 1\n")]));
    assert_eq!(world.files("app-web").await, map(&[("b.yaml", "b: 1\n")]));
    let api = world.api::<ExternalArtifact>().await;
    let auth = api.get("app-auth").await.unwrap().metadata;
    let labels = auth.labels.unwrap();
    assert_eq!((&*labels["app"], &*labels["team"]), ("auth", "a"));
    assert_eq!(auth.annotations.unwrap()["note"], "b");

    // A directory that is gone takes its artifact with it.
    world.source("repo", "2", &files[1..]).await;
    world.is_gone::<ExternalArtifact>("app-auth").await;
    world.source("repo", "3", &[("README.md", "")]).await;
    world.is_gone::<ExternalArtifact>("app-web").await;
    let event = world
        .events
        .wait_for("the empty pattern is reported", |event| {
            event.message.contains("matches no directory")
        });
    event.await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn disabled_generator_makes_nothing() {
    let world = World::new("watch-disabled").await;
    world.source("repo", "1", FILES).await;
    let spec = json!({
        "sources": [{ "alias": "repo", "kind": "GitRepository", "name": "repo" }],
        "artifacts": [{ "name": "app", "copy": copy("@repo/app/**", "@artifact/") }],
    });
    let key = "source.extensions.fluxcd.io/reconcile";
    world
        .generator("split", spec, json!({ key: "Disabled" }))
        .await;
    let message = world.reports("split", "ReconciliationDisabled").await;
    assert_eq!(message, "Initialized with reconciliation suspended");
    world.ask("split").await;
    let api = world.api::<ExternalArtifact>().await;
    assert!(api.get_opt("app").await.unwrap().is_none());
    assert_eq!(world.sources.requests(), 0);

    let patch = json!({ "metadata": { "annotations": { key: "enabled" } } });
    world.patch::<ArtifactGenerator>("split", patch).await;
    world.ask("split").await;
    world.is_ready("split").await;
    assert_eq!(world.files("app").await.len(), 1);

    // A disabled generator is deleted like any other.
    let patch = json!({ "metadata": { "annotations": { key: "disabled" } } });
    world.patch::<ArtifactGenerator>("split", patch).await;
    world.delete::<ArtifactGenerator>("split").await;
    world.is_gone::<ExternalArtifact>("app").await;
    world.is_gone::<ArtifactGenerator>("split").await;
    world.delete::<GitRepository>("repo").await;
}
