//! The life of an `OCIRepository`: first artifact, updates, deletion.

use axum::http::Method;
use serde_json::json;
use sluice_testkit::hostile::HostileRegistry;
use sluice_testkit::kube::ResourceExt as _;
use sluice_testkit::kube::api::DeleteParams;
use sluice_testkit::{Registry, wait};

use super::{CREATED, Oci, artifact, condition, layer, push};
use crate::files;

const FLUX: &str = "application/vnd.cncf.flux.content.v1.tar+gzip";

fn owned(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files
        .iter()
        .map(|(path, content)| ((*path).to_owned(), (*content).to_owned()))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tag_becomes_served_artifact() {
    let (world, registry) = (Oci::new("oci-tag").await, Registry::start().await);
    let content = layer(&[
        ("b/app.yaml", "b: 1\n"),
        ("a.yaml", "a: 1\n"),
        ("logo.png", ""),
    ]);
    let digest = push(&registry, "team/app", "latest", &content).await;
    world
        .follow("app", &registry.url("team/app"), &json!({}))
        .await;
    let object = world.is_ready("app").await;

    let stored = artifact(&object);
    assert_eq!(stored.revision, format!("latest@{digest}"));
    let directory = format!("ocirepository/{}/app", world.namespace);
    assert_eq!(stored.path, format!("{directory}/{digest}.tar.gz"));
    let reported = [
        ("org.opencontainers.image.created", CREATED),
        ("org.opencontainers.image.revision", "main@sha1:abc"),
        (
            "org.opencontainers.image.source",
            "https://example.com/app.git",
        ),
    ]
    .map(|(key, value)| (key.to_owned(), value.to_owned()));
    assert_eq!(stored.metadata, reported.into());
    // The default rules exclude pictures.
    assert_eq!(
        world.fetch(&object).await,
        owned(&[("a.yaml", "a: 1\n"), ("b/app.yaml", "b: 1\n")])
    );
    assert_eq!(
        files(&world.directory("app")),
        ["latest.tar.gz".to_owned(), format!("{digest}.tar.gz")]
    );
    let status = object.status.as_ref().unwrap();
    let latest = format!("http://127.0.0.1:{}/{directory}/latest.tar.gz", world.port);
    assert_eq!(status.url.as_deref(), Some(&*latest));
    assert_eq!(status.observed_generation, Some(1));
    let types: Vec<_> = status
        .conditions
        .iter()
        .map(|condition| &*condition.type_)
        .collect();
    assert_eq!(types, ["Ready", "ArtifactInStorage"]);
    let message = format!("stored artifact for digest 'latest@{digest}'");
    assert_eq!(condition(&object, "Ready").2, message);
    assert_eq!(object.finalizers(), ["finalizers.fluxcd.io"]);

    let event = world
        .events
        .wait_for("the artifact is reported", |event| {
            event.reason == "NewArtifact"
        })
        .await;
    let message = format!(
        "stored artifact with revision 'latest@{digest}' from '{}', origin source \
         'https://example.com/app.git', origin revision 'main@sha1:abc'",
        registry.url("team/app")
    );
    assert_eq!(event.message, message);
    let facts: Vec<_> = event.metadata.values().cloned().collect();
    assert!(
        facts.contains(&stored.revision) && facts.contains(&stored.digest),
        "{facts:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moved_tag_and_new_rules_make_new_artifacts() {
    let (world, registry) = (Oci::new("oci-move").await, Registry::start().await);
    let url = registry.url("app");
    push(&registry, "app", "latest", &layer(&[("a.yaml", "a: 1\n")])).await;
    world.follow("app", &url, &json!({})).await;
    let first = artifact(&world.is_ready("app").await);

    let content = [("a.yaml", "a: 2\n"), ("b.yaml", "b: 2\n")];
    let digest = push(&registry, "app", "latest", &layer(&content)).await;
    let object = world.ask("app").await;
    assert_eq!(artifact(&object).revision, format!("latest@{digest}"));
    assert_eq!(world.fetch(&object).await, owned(&content));
    // The old artifact stays for running downloads.
    assert_eq!(files(&world.directory("app")).len(), 3);
    assert!(world.storage().join(first.path).exists());

    world
        .change("app", json!({ "spec": { "ignore": "/a.yaml\n" } }))
        .await;
    let object = world
        .sees("app", "observes the rules", |object| {
            let status = object.status.as_ref().unwrap();
            status.observed_ignore.as_deref() == Some("/a.yaml\n")
                && status.observed_generation == object.metadata.generation
        })
        .await;
    assert_eq!(artifact(&object).revision, format!("latest@{digest}"));
    assert_eq!(world.fetch(&object).await, owned(&content[1..]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn layer_is_selected_by_type_and_copied_exactly() {
    let (world, registry) = (Oci::new("oci-layer").await, HostileRegistry::honest().await);
    let url = registry.url("app");
    let other = b"no archive at all".to_vec();
    {
        let mut content = registry.content();
        let described: Vec<_> = [
            (FLUX, layer(&[("a.yaml", "a: 1\n")])),
            ("text/plain", other.clone()),
        ]
        .into_iter()
        .map(|(kind, bytes)| {
            let size = bytes.len();
            json!({ "mediaType": kind, "digest": content.blob(bytes), "size": size })
        })
        .collect();
        let config = content.blob("{}");
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": sluice_oci::manifest::MANIFEST,
            "config": { "mediaType": "x", "digest": config, "size": 2 },
            "layers": described,
        });
        content.manifest(Some("latest"), manifest.to_string());
    }
    let selector = json!({ "layerSelector": { "mediaType": "text/plain", "operation": "copy" } });
    world.follow("app", &url, &selector).await;
    let object = world.is_ready("app").await;
    let stored = artifact(&object);
    assert_eq!(
        std::fs::read(world.storage().join(&stored.path)).unwrap(),
        other
    );
    assert_eq!(
        stored.digest,
        sluice_testkit::hostile::registry::digest(&other)
    );
    let observed = object.status.unwrap().observed_layer_selector.unwrap();
    assert_eq!(observed.media_type.as_deref(), Some("text/plain"));

    // Without a media type, the first layer is selected.
    world
        .change("app", json!({ "spec": { "layerSelector": null } }))
        .await;
    let object = world
        .sees("app", "takes the first layer", |object| {
            let status = object.status.as_ref().unwrap();
            status.observed_layer_selector.is_none() && condition(object, "Ready").0 == "True"
        })
        .await;
    assert_eq!(world.fetch(&object).await, owned(&[("a.yaml", "a: 1\n")]));

    let absent = json!({ "layerSelector": { "mediaType": "text/html" } });
    world.follow("absent", &url, &absent).await;
    let (_, message) = world
        .is_refused("absent", "OCIArtifactLayerOperationFailed")
        .await;
    assert_eq!(
        message,
        "failed to find layer with media type 'text/html' in artifact"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unchanged_poll_sends_one_request_and_writes_nothing() {
    let (world, registry) = (Oci::new("oci-idle").await, HostileRegistry::honest().await);
    registry
        .content()
        .image("latest", FLUX, layer(&[("a.yaml", "a: 1\n")]));
    let url = registry.url("app");
    world
        .follow("app", &url, &json!({ "interval": "1s" }))
        .await;
    let before = world.is_ready("app").await;
    let polled = async |times: usize| {
        wait::eventually("the registry is asked again", || {
            let asked = registry.asked().len();
            async move {
                (asked >= times)
                    .then_some(())
                    .ok_or_else(|| format!("{asked} requests"))
            }
        })
        .await;
    };
    registry.take_asked();
    polled(2).await;

    let client = world.bed.client().await;
    let audit = world.bed.audit();
    let mark = audit.mark(&client).await;
    registry.take_asked();
    polled(3).await;
    let asked = registry.take_asked();
    assert!(
        asked
            .iter()
            .all(|line| line == "HEAD /v2/app/manifests/latest"),
        "{asked:?}"
    );
    audit.mark(&client).await;
    audit.assert_no_writes_by(&world.user, mark, &[]);
    let after = world.objects().await.get("app").await.unwrap();
    assert_eq!(
        after.metadata.resource_version,
        before.metadata.resource_version
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn digest_beats_range_and_range_beats_tag() {
    let (world, registry) = (Oci::new("oci-refs").await, Registry::start().await);
    let url = registry.url("app");
    let mut digests = std::collections::BTreeMap::new();
    for tag in [
        "latest",
        "1.0.0",
        "1.2.0",
        "1.10.0-rc.1",
        "2.0.0",
        "v1.3.0-prod",
        "junk",
    ] {
        let content = layer(&[("version", tag)]);
        digests.insert(tag, push(&registry, "app", tag, &content).await);
    }
    let first = digests["1.0.0"].clone();
    for (name, reference, expected) in [
        (
            "default",
            json!({}),
            format!("latest@{}", digests["latest"]),
        ),
        (
            "tag",
            json!({ "tag": "junk" }),
            format!("junk@{}", digests["junk"]),
        ),
        (
            "range",
            json!({ "semver": "1.x", "tag": "junk" }),
            format!("1.2.0@{}", digests["1.2.0"]),
        ),
        (
            "early",
            json!({ "semver": ">=1.0.0-0 <2.0.0", "semverFilter": "^1\\." }),
            format!("1.10.0-rc.1@{}", digests["1.10.0-rc.1"]),
        ),
        (
            "filter",
            json!({ "semver": ">=0.0.0-0", "semverFilter": "-prod$" }),
            format!("v1.3.0-prod@{}", digests["v1.3.0-prod"]),
        ),
        (
            "digest",
            json!({ "digest": first, "semver": "2.x", "tag": "junk" }),
            first.clone(),
        ),
    ] {
        world.follow(name, &url, &json!({ "ref": reference })).await;
        let object = world.is_ready(name).await;
        assert_eq!(artifact(&object).revision, expected, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn suspended_object_is_not_reconciled_until_deletion() {
    let (world, registry) = (Oci::new("oci-rest").await, Registry::start().await);
    push(&registry, "app", "latest", &layer(&[("a.yaml", "a: 1\n")])).await;
    let url = registry.url("app");
    world.follow("app", &url, &json!({ "suspend": true })).await;
    let object = world.ask("app").await;
    let status = object.status.as_ref().unwrap();
    assert!(status.artifact.is_none());
    assert_eq!(status.observed_generation, Some(-1));

    world
        .change("app", json!({ "spec": { "suspend": false } }))
        .await;
    let resumed = artifact(&world.is_ready("app").await);
    world
        .change("app", json!({ "spec": { "suspend": true } }))
        .await;
    push(&registry, "app", "latest", &layer(&[("a.yaml", "a: 2\n")])).await;
    let object = world.ask("app").await;
    assert_eq!(artifact(&object), resumed);
    assert_eq!(condition(&object, "Ready").0, "True");

    world.follow("other", &url, &json!({})).await;
    world.is_ready("other").await;
    let api = world.objects().await;
    api.delete("app", &DeleteParams::default()).await.unwrap();
    wait::gone(&api, "app").await;
    assert!(!world.directory("app").exists());
    assert_eq!(files(&world.directory("other")).len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_artifact_is_pulled_again_but_not_on_restart() {
    let (mut world, registry) = (Oci::new("oci-lost").await, HostileRegistry::honest().await);
    registry
        .content()
        .image("latest", FLUX, layer(&[("a.yaml", "a: 1\n")]));
    world.follow("app", &registry.url("app"), &json!({})).await;
    let before = artifact(&world.is_ready("app").await);
    let path = world.storage().join(&before.path);

    std::fs::remove_file(&path).unwrap();
    let object = world.ask("app").await;
    assert_eq!(artifact(&object).digest, before.digest);
    assert!(path.exists());
    std::fs::write(&path, b"spoilt").unwrap();
    let object = world.ask("app").await;
    assert_eq!(artifact(&object).digest, before.digest);
    world.fetch(&object).await;

    world.0.stop().await;
    registry.take_asked();
    world.0.start().await;
    wait::eventually("the new process asks the registry", || async {
        (!registry.asked().is_empty())
            .then_some(())
            .ok_or_else(|| "nothing was asked".to_owned())
    })
    .await;
    world.0.stop().await;
    assert!(
        registry
            .asked()
            .iter()
            .all(|asked| asked.is(&Method::HEAD, "/manifests/latest")),
        "{:?}",
        registry.take_asked()
    );
    let after = artifact(&world.objects().await.get("app").await.unwrap());
    assert_eq!(after.digest, before.digest);
}
