//! From a pushed image tag to a commit: both controllers together.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use clap::{Args as _, FromArgMatches};
use serde_json::json;
use sluice_api::image::{ImagePolicy, ImageRepository};
use sluice_dial::HttpClients;
use sluice_image_reflector_controller::Args;
use sluice_oci::client::Source;
use sluice_oci::package::{Layer, Package};
use sluice_oci::{Client, Digest, Remote, Repository, Version};
use sluice_testkit::Registry;

use super::{World, content, last_push};

/// The flags of an image reflector of one namespace.
pub(crate) fn reflector(store: &Path, namespace: &str) -> Args {
    let line = [
        "image-reflector-controller".to_owned(),
        format!("--storage-path={}", store.display()),
        "--watch-all-namespaces=false".to_owned(),
        format!("--runtime-namespace={namespace}"),
    ];
    let command = Args::augment_args(clap::Command::new("image-reflector-controller"));
    Args::from_arg_matches(&command.get_matches_from(line)).unwrap()
}

/// Pushes an image.
pub(crate) async fn push(registry: &Registry, repository: &str, tag: &str) {
    let repository = Repository::parse_url(&registry.url(repository)).unwrap();
    let remote = Remote::anonymous(repository);
    let client = Client::new(Arc::new(HttpClients::new("flux/v2")));
    let layer = bytes::Bytes::copy_from_slice(tag.as_bytes());
    let described = Layer {
        digest: Digest::of(&layer),
        size: layer.len() as u64,
    };
    let created = "2024-01-01T00:00:00Z";
    let package = Package::new(&described, "source", "revision", created, &BTreeMap::new());
    for (digest, bytes) in [
        (&described.digest, layer),
        (&package.config_digest, package.config),
    ] {
        let source = Source::Bytes(bytes);
        client.push_blob(&remote, digest, &source).await.unwrap();
    }
    let (version, kind) = (Version::Tag(tag.to_owned()), sluice_oci::manifest::MANIFEST);
    let pushing = client.push_manifest(&remote, &version, kind, package.manifest);
    pushing.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pushed_tag_becomes_commit() {
    let (world, registry) = (World::new("iua-tag").await, Registry::start().await);
    push(&registry, "app", "1.0.0").await;
    let host = world.host().await;
    let args = reflector(&world.directory.path().join("tags"), &world.namespace);
    let reflector = tokio::spawn(sluice_image_reflector_controller::run(args, host.clone()));

    let namespace = &world.namespace;
    let marker = |part: &str| format!("# {{\"$imagepolicy\": \"{namespace}:app{part}\"}}");
    let file = format!(
        "image: {}/app:0.1.0 {}\ntag: 0.1.0 {}\ndigest: \"\" {}\n",
        registry.host(),
        marker(""),
        marker(":tag"),
        marker(":digest")
    );
    let repository = world.repository("fleet", &[("app.yaml", &file)]).await;
    let image = format!("{}/app", registry.host());
    let spec = json!({ "image": image, "interval": "1h", "insecure": true });
    world.create::<ImageRepository>("app", spec).await;
    let spec = json!({
        "imageRepositoryRef": { "name": "app" },
        "policy": { "semver": { "range": "1.x" } },
        "digestReflectionPolicy": "IfNotPresent",
    });
    world.create::<ImagePolicy>("app", spec).await;
    world.automation("auto", "fleet", json!({})).await;
    let first = last_push(&world.pushes("auto", None).await);
    let text = content(&repository, "main", "app.yaml");
    assert!(
        text.contains(&format!("image: {image}:1.0.0@sha256:")),
        "{text}"
    );
    assert!(text.contains("\ntag: 1.0.0 #"), "{text}");

    push(&registry, "app", "1.2.0").await;
    let annotation = "reconcile.fluxcd.io/requestedAt";
    let request = json!({ "metadata": { "annotations": { annotation: "now" } } });
    world.patch::<ImageRepository>("app", request).await;
    world.pushes("auto", Some(&first)).await;
    let text = content(&repository, "main", "app.yaml");
    assert!(text.contains("\ntag: 1.2.0 #"), "{text}");
    host.shutdown().cancel();
    reflector.await.unwrap().unwrap();
}
