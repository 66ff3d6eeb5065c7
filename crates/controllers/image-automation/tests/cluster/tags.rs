//! From a pushed image tag to a commit: both controllers together.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use clap::{Args as _, FromArgMatches};
use serde_json::json;
use sluice_api::event::Severity;
use sluice_api::image::{ImagePolicy, ImageRepository, ImageUpdateAutomation};
use sluice_dial::HttpClients;
use sluice_image_reflector_controller::Args;
use sluice_oci::client::Source;
use sluice_oci::package::{Layer, Package};
use sluice_oci::{Client, Digest, Remote, Repository, Version};
use sluice_testkit::{Registry, wait};

use super::{World, arguments, content, head, last_push};

/// The flags of an image reflector of one namespace.
pub(crate) fn reflector(store: &Path, namespace: &str) -> Args {
    reflector_with(store, namespace, Vec::new())
}

fn reflector_with(store: &Path, namespace: &str, flags: Vec<String>) -> Args {
    let own = [
        "image-reflector-controller".to_owned(),
        format!("--storage-path={}", store.display()),
        "--watch-all-namespaces=false".to_owned(),
        format!("--runtime-namespace={namespace}"),
    ];
    let command = Args::augment_args(clap::Command::new("image-reflector-controller"));
    let line = own.into_iter().chain(flags);
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

/// The Adler-32 checksum of `["1.0.0"]`, by Python's zlib.
const ADLER: &str = "160432618";

/// Flux's controllers leave statuses and finalizers, and a store that is not read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn objects_of_flux_are_adopted_without_a_commit() {
    let (world, registry) = (World::idle("iua-adopt").await, Registry::start().await);
    push(&registry, "app", "1.0.0").await;
    let (namespace, image) = (&world.namespace, format!("{}/app", registry.host()));
    let file = format!("image: {image}:1.0.0 # {{\"$imagepolicy\": \"{namespace}:app\"}}\n");
    let repository = world.repository("fleet", &[("app.yaml", &file)]).await;
    let commit = head(&repository, "main").unwrap();
    let spec = json!({ "image": image, "interval": "1h", "insecure": true });
    world.create::<ImageRepository>("app", spec).await;
    let spec = json!({
        "imageRepositoryRef": { "name": "app" }, "policy": { "semver": { "range": "1.x" } },
    });
    world.create::<ImagePolicy>("app", spec).await;
    world.automation("app", "fleet", json!({})).await;
    let latest = json!({ "name": image, "tag": "1.0.0" });
    let ready = |message: &str| {
        json!([{
            "type": "Ready", "status": "True", "reason": "Succeeded", "message": message,
            "lastTransitionTime": "2026-01-01T00:00:00Z", "observedGeneration": 1,
        }])
    };
    let scanned = json!({
        "revision": ADLER, "tagCount": 1, "scanTime": "2026-01-01T00:00:00Z",
        "latestTags": ["1.0.0"],
    });
    let status = json!({
        "conditions": ready(&format!("successful scan: found 1 tags with checksum {ADLER}")),
        "observedGeneration": 1, "canonicalImageName": image, "lastScanResult": scanned,
        "observedExclusionList": ["^.*\\.sig$"],
    });
    world.left_by_flux::<ImageRepository>("app", status).await;
    let text = format!("Latest image tag for {image} resolved to 1.0.0");
    let status =
        json!({ "conditions": ready(&text), "observedGeneration": 1, "latestRef": latest });
    world.left_by_flux::<ImagePolicy>("app", status).await;
    let status = json!({
        "conditions": ready("repository up-to-date"), "observedGeneration": 1,
        "observedPolicies": { "app": latest },
        "observedSourceRevision": format!("main@sha1:{commit}"), "lastPushCommit": commit,
    });
    world
        .left_by_flux::<ImageUpdateAutomation>("app", status)
        .await;

    let host = world.host().await;
    let directory = world.directory.path();
    let events = format!("--events-addr={}", world.events.url());
    let args = reflector_with(&directory.join("tags"), namespace, vec![events.clone()]);
    let reflector = tokio::spawn(sluice_image_reflector_controller::run(args, host.clone()));
    let args = arguments(&directory.join("git"), namespace, vec![events]);
    let automation = tokio::spawn(sluice_image_automation_controller::run(args, host.clone()));
    // The store is filled again.
    let api = world.api::<ImageRepository>().await;
    let is_scanned = |object: Option<&ImageRepository>| {
        object.is_some_and(|object| {
            let status = object.status.as_ref();
            let scanned = status.and_then(|status| status.last_scan_result.as_ref());
            let time = scanned.and_then(|result| result.scan_time.as_ref());
            time.is_some_and(|time| time.as_str() != "2026-01-01T00:00:00Z")
        })
    };
    let object = wait::until(&api, "app", "is scanned", is_scanned).await;
    let status = object.unwrap().status.unwrap();
    let revision = status.last_scan_result.unwrap().revision;
    assert_eq!(revision.as_deref(), Some(ADLER));
    let asked = world.ask("app").await;
    assert_eq!(last_push(&asked), commit);
    assert_eq!(head(&repository, "main"), Some(commit));
    let policies = world.api::<ImagePolicy>().await;
    let policy = policies.get("app").await.unwrap();
    assert_eq!(super::ready(&policy).0, "True");
    let failures: Vec<_> = world.events.events();
    let failures = failures
        .iter()
        .filter(|event| event.severity == Severity::Error);
    assert_eq!(failures.count(), 0);
    host.shutdown().cancel();
    reflector.await.unwrap().unwrap();
    automation.await.unwrap().unwrap();
}
