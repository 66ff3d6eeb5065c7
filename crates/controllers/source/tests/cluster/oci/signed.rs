//! Cosign signatures: accepted keys, covered revisions, reports. Class S13 of the specification.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::Method;
use serde_json::json;
use sluice_testkit::hostile::HostileRegistry;
use sluice_testkit::hostile::registry::{Content, digest};
use sluice_testkit::kube;

use super::{Oci, artifact, condition};

pub(super) const MANIFEST: &str =
    include_str!("../../../../../remotes/oci/tests/fixtures/cosign/manifest.json");
const CONFIG: &str = include_str!("../../../../../remotes/oci/tests/fixtures/cosign/config.json");
const LAYER: &[u8] = include_bytes!("../../../../../remotes/oci/tests/fixtures/cosign/layer.tgz");
const SIGNATURES: &str =
    include_str!("../../../../../remotes/oci/tests/fixtures/cosign/tag-manifest.json");
const PAYLOAD: &str =
    include_str!("../../../../../remotes/oci/tests/fixtures/cosign/tag-payload.json");
const KEY: &[u8] = include_bytes!("../../../../../remotes/oci/tests/fixtures/cosign/ecdsa.pub");
const STRANGER: &[u8] =
    include_bytes!("../../../../../remotes/oci/tests/fixtures/cosign/stranger.pub");

pub(super) fn put(content: &mut Content) {
    content.blob(CONFIG);
    content.blob(LAYER);
    content.manifest(Some("latest"), MANIFEST);
}

fn sign(content: &mut Content) {
    let tag = digest(MANIFEST.as_bytes()).replace(':', "-") + ".sig";
    content.blob(PAYLOAD);
    content.manifest(Some(&tag), SIGNATURES);
}

fn spec(secret: &str) -> serde_json::Value {
    json!({ "verify": { "provider": "cosign", "secretRef": { "name": secret } } })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_signed_digest_is_stored() {
    let (world, registry) = (Oci::new("oci-key").await, HostileRegistry::honest().await);
    put(&mut registry.content());
    sign(&mut registry.content());
    for (name, entries) in [
        (
            "right",
            [("stranger.pub", STRANGER), ("z.pub", KEY)].as_slice(),
        ),
        ("wrong", &[("stranger.pub", STRANGER)]),
        ("none", &[("key.pem", KEY)]),
        ("garbled", &[("a.pub", b"canary")]),
    ] {
        world.typed_secret(name, "Opaque", entries).await;
        world.follow(name, &registry.url("app"), &spec(name)).await;
    }
    world
        .follow("absent", &registry.url("app"), &spec("absent"))
        .await;
    let object = world.is_ready("right").await;
    let revision = artifact(&object).revision;
    let verified = condition(&object, "SourceVerified");
    let message = format!("verified signature of revision {revision}");
    assert_eq!(
        verified,
        ("True".to_owned(), "Succeeded".to_owned(), message)
    );
    for (name, said) in [
        ("wrong", "no matching signatures were found for"),
        ("none", "'.pub'"),
        ("garbled", "'a.pub'"),
        ("absent", "secrets \"absent\" not found"),
    ] {
        let (object, message) = world.is_refused(name, "VerificationError").await;
        assert!(message.contains(said), "{name}: {message}");
        assert!(message.contains("using provider 'cosign'"), "{message}");
        assert!(!message.contains("canary"), "{message}");
        assert_eq!(condition(&object, "SourceVerified").0, "False", "{name}");
        assert!(object.status.unwrap().artifact.is_none(), "{name}");
    }
    // Without `spec.verify`, the condition is removed.
    world
        .change("right", json!({ "spec": { "verify": null } }))
        .await;
    world
        .sees("right", "drops the verdict", |object| {
            condition(object, "SourceVerified").0.is_empty()
                && object.status.as_ref().unwrap().observed_generation == Some(2)
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unsigned_revision_keeps_signed_artifact() {
    let (world, registry) = (Oci::new("oci-next").await, HostileRegistry::honest().await);
    put(&mut registry.content());
    world
        .typed_secret("key", "Opaque", &[("key.pub", KEY)])
        .await;
    world
        .follow("app", &registry.url("app"), &spec("key"))
        .await;
    let (_, message) = world.is_refused("app", "VerificationError").await;
    assert!(message.contains("it is not signed"), "{message}");
    sign(&mut registry.content());
    let before = artifact(&world.is_ready("app").await);

    registry.content().image("latest", "text/plain", LAYER);
    world.ask("app").await;
    let (object, _) = world.is_refused("app", "VerificationError").await;
    assert_eq!(artifact(&object), before);
    assert_eq!(condition(&object, "ArtifactInStorage").0, "True");
}

/// The tag moves after it is resolved. Verification and pull use the resolved digest.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tag_moved_after_verification_stores_verified_digest() {
    let world = Oci::new("oci-swap").await;
    let armed = Arc::new(AtomicBool::new(true));
    let trigger = Arc::clone(&armed);
    let registry = HostileRegistry::start(move |asked, content| {
        // The tag moves with the first request for the signature.
        if asked.is(&Method::GET, ".sig") && trigger.swap(false, Ordering::Relaxed) {
            content.image("latest", "text/plain", "evil");
        }
        None
    })
    .await;
    put(&mut registry.content());
    sign(&mut registry.content());
    world
        .typed_secret("key", "Opaque", &[("key.pub", KEY)])
        .await;
    world
        .follow("app", &registry.url("app"), &spec("key"))
        .await;
    let object = world.is_ready("app").await;
    let signed = digest(MANIFEST.as_bytes());
    assert_eq!(artifact(&object).revision, format!("latest@{signed}"));
    assert!(!armed.load(Ordering::Relaxed));
    world.ask("app").await;
    let (object, _) = world.is_refused("app", "VerificationError").await;
    assert_eq!(artifact(&object).revision, format!("latest@{signed}"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changed_keys_verify_again() {
    let (world, registry) = (
        Oci::new("oci-rotate").await,
        HostileRegistry::honest().await,
    );
    put(&mut registry.content());
    sign(&mut registry.content());
    world
        .typed_secret("key", "Opaque", &[("key.pub", KEY)])
        .await;
    world
        .follow("app", &registry.url("app"), &spec("key"))
        .await;
    world.is_ready("app").await;
    let secrets: kube::Api<k8s_openapi::api::core::v1::Secret> =
        kube::Api::namespaced(world.bed.client().await, &world.namespace);
    let text = String::from_utf8(STRANGER.to_vec()).unwrap();
    let patch = json!({ "stringData": { "key.pub": text } });
    secrets
        .patch(
            "key",
            &kube::api::PatchParams::default(),
            &kube::api::Patch::Merge(patch),
        )
        .await
        .unwrap();
    world.ask("app").await;
    let (object, _) = world.is_refused("app", "VerificationError").await;
    assert!(object.status.unwrap().artifact.is_some());
}
