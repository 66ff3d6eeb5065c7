//! Hostile registries and layers: classes S9, S11 and S15 of the specification.

use axum::http::{Method, StatusCode, header};
use axum::response::IntoResponse as _;
use serde_json::json;
use sluice_testkit::hostile::HostileRegistry;
use sluice_testkit::hostile::registry::{Content, RegistryRequest};

use super::{Oci, artifact, layer};
use crate::files;

const FLUX: &str = "application/vnd.cncf.flux.content.v1.tar+gzip";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unsafe_or_invalid_layer_is_never_stored() {
    let (world, registry) = (Oci::new("oci-tar").await, HostileRegistry::honest().await);
    let valid = layer(&[("a.yaml", "a: 1\n")]);
    for (tag, content, said) in [
        ("parent", layer(&[("../../evil", "x")]), "invalid name"),
        ("absolute", layer(&[("/etc/evil", "x")]), "invalid name"),
        ("backslash", layer(&[("a\\evil", "x")]), "invalid name"),
        (
            "clash",
            layer(&[("a", "x"), ("a/evil", "x")]),
            "file and a directory",
        ),
        ("plain", b"no archive".to_vec(), "extract layer contents"),
        (
            "short",
            valid[..valid.len() - 20].to_vec(),
            "extract layer contents",
        ),
        ("none", Vec::new(), "extract layer contents"),
    ] {
        registry.content().image(tag, FLUX, content);
        let spec = json!({ "ref": { "tag": tag } });
        world.follow(tag, &registry.url("app"), &spec).await;
        let (object, message) = world
            .is_refused(tag, "OCIArtifactLayerOperationFailed")
            .await;
        assert!(message.contains(said), "{tag}: {message}");
        assert!(object.status.unwrap().artifact.is_none());
        assert_eq!(files(&world.directory(tag)), Vec::<String>::new(), "{tag}");
    }
    assert!(!world.storage().parent().unwrap().join("evil").exists());
}

fn is_blob(asked: &RegistryRequest) -> bool {
    asked.is(&Method::GET, "/blobs/")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn content_with_wrong_digest_is_never_stored() {
    let world = Oci::new("oci-lie").await;
    let good = layer(&[("a.yaml", "a: 1\n")]);
    let evil = layer(&[("a.yaml", "a: 2\n")]);
    let forged = Content::default().image("latest", FLUX, evil.clone());
    let registry = HostileRegistry::start(move |asked, content| {
        if asked.target.contains("/blob-lie/") && is_blob(asked) {
            return Some(evil.clone().into_response());
        }
        if asked.target.contains("/manifest-lie/manifests/sha256:") {
            let mut other = Content::default();
            let digest = other.image("latest", FLUX, evil.clone());
            return Some(other.manifests[&digest].clone().into_response());
        }
        if asked.target.contains("/header-lie/") && asked.method == Method::HEAD {
            return Some([("docker-content-digest", forged.clone())].into_response());
        }
        if asked.target.contains("/endless/") && is_blob(asked) {
            return Some(vec![0_u8; 1 << 20].into_response());
        }
        let _ = content;
        None
    })
    .await;
    registry.content().image("latest", FLUX, good);
    for (name, said) in [
        ("blob-lie", "expected"),
        ("manifest-lie", "expected"),
        ("header-lie", "MANIFEST_UNKNOWN"),
        ("endless", "expected"),
    ] {
        world.follow(name, &registry.url(name), &json!({})).await;
        let (object, message) = world.is_refused(name, "OCIArtifactPullFailed").await;
        assert!(message.contains(said), "{name}: {message}");
        assert!(object.status.unwrap().artifact.is_none());
    }
    world
        .follow("honest", &registry.url("honest"), &json!({}))
        .await;
    world.is_ready("honest").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_manifests_fail() {
    let (world, registry) = (Oci::new("oci-doc").await, HostileRegistry::honest().await);
    let described =
        json!({ "mediaType": "x", "digest": format!("sha256:{}", "0".repeat(64)), "size": 2 });
    let kind = sluice_oci::manifest::MANIFEST;
    let index = sluice_oci::manifest::INDEX;
    let windows = json!({
        "mediaType": kind, "digest": described["digest"], "size": 2,
        "platform": { "os": "windows", "architecture": "amd64" },
    });
    for (tag, document, reason, said) in [
        (
            "empty",
            json!({ "schemaVersion": 2, "mediaType": kind, "config": described, "layers": [] })
                .to_string(),
            "OCIArtifactLayerOperationFailed",
            "no layers found in artifact",
        ),
        (
            "both",
            json!({ "schemaVersion": 2, "config": described, "layers": [], "manifests": [] })
                .to_string(),
            "OCIArtifactPullFailed",
            "manifest or an index",
        ),
        (
            "foreign",
            json!({ "schemaVersion": 2, "mediaType": index, "manifests": [windows] }).to_string(),
            "OCIArtifactPullFailed",
            "no child with platform linux/amd64",
        ),
        (
            "large",
            " ".repeat(5 << 20),
            "OCIArtifactPullFailed",
            "is larger than",
        ),
        (
            "text",
            "hello".to_owned(),
            "OCIArtifactPullFailed",
            "is invalid",
        ),
    ] {
        registry.content().manifest(Some(tag), document);
        let spec = json!({ "ref": { "tag": tag } });
        world.follow(tag, &registry.url("app"), &spec).await;
        let (_, message) = world.is_refused(tag, reason).await;
        assert!(message.contains(said), "{tag}: {message}");
    }
}

/// Class S11: requests to other hosts carry no credentials.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn credentials_stay_at_their_registry() {
    let world = Oci::new("oci-away").await;
    let store = HostileRegistry::honest().await;
    let content = layer(&[("a.yaml", "a: 1\n")]);
    store.content().blob(content.clone());
    let elsewhere = store.host();
    let registry = HostileRegistry::start(move |asked, _| {
        if asked.authorization().is_none() {
            let challenge = [(header::WWW_AUTHENTICATE, "Basic realm=\"x\"")];
            return Some((StatusCode::UNAUTHORIZED, challenge).into_response());
        }
        is_blob(asked).then(|| {
            let target = format!("http://{elsewhere}{}", asked.target);
            (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, target)]).into_response()
        })
    })
    .await;
    registry.content().image("latest", FLUX, content);
    let config = json!({ "auths": { registry.host(): { "username": "u", "password": "canary" } } });
    world
        .typed_secret(
            "pull",
            "kubernetes.io/dockerconfigjson",
            &[(".dockerconfigjson", config.to_string().as_bytes())],
        )
        .await;
    let spec = json!({ "secretRef": { "name": "pull" } });
    world.follow("app", &registry.url("app"), &spec).await;
    let object = world.is_ready("app").await;
    assert_eq!(world.fetch(&object).await.len(), 1);
    let asked = store.asked();
    assert!(!asked.is_empty());
    assert!(asked.iter().all(|asked| asked.authorization().is_none()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hanging_registry_is_left_at_timeout() {
    let world = Oci::new("oci-hang").await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            held.push(stream);
        }
    });
    let url = format!("oci://{address}/app");
    world.follow("app", &url, &json!({ "timeout": "1s" })).await;
    let (_, message) = world.is_refused("app", "OCIArtifactPullFailed").await;
    assert!(message.contains("did not answer within 1s"), "{message}");
    // The worker is free for other objects.
    let registry = HostileRegistry::honest().await;
    registry
        .content()
        .image("latest", FLUX, layer(&[("a.yaml", "a: 1\n")]));
    world
        .follow("other", &registry.url("app"), &json!({}))
        .await;
    let object = world.is_ready("other").await;
    assert!(artifact(&object).size.is_some());
}
