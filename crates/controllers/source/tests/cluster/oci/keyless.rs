//! Signatures by certificates: accepted identities, trusted roots, bundles and the older form.

use serde_json::{Value, json};
use sluice_testkit::hostile::HostileRegistry;
use sluice_testkit::hostile::registry::{Content, digest};
use sluice_testkit::kube;

use super::signed::{MANIFEST, put};
use super::{Oci, artifact, condition};

/// Signatures of the manifest, with their roots.
const VECTORS: &str = include_str!("../../../../../content/attest/tests/oracle/vectors.jsonl");
const BUNDLE: &str = "application/vnd.dev.sigstore.bundle.v0.3+json";

pub(crate) fn line(holds: impl Fn(&Value) -> bool) -> Value {
    let mut lines = VECTORS
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    lines.find(holds).unwrap()
}

pub(crate) fn root(name: &str) -> String {
    line(|line| line["roots"].is_object())["roots"][name].to_string()
}

/// Stores a bundle that refers to a manifest.
pub(crate) fn put_bundle(content: &mut Content, name: &str, about: &str) {
    let bundle = line(|line| line["name"] == name && line["json"].is_object())["json"].to_string();
    let size = bundle.len();
    let layer = content.blob(bundle);
    let config = content.blob("{}");
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "artifactType": BUNDLE,
        "config": { "mediaType": "application/vnd.oci.empty.v1+json", "size": 2, "digest": config },
        "layers": [{ "mediaType": BUNDLE, "size": size, "digest": layer }],
        "subject": {
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "size": MANIFEST.len(),
            "digest": about,
        },
    });
    content.manifest(None, manifest.to_string());
}

/// Stores a signature under the older tag.
fn put_legacy(content: &mut Content, name: &str) {
    let found = line(|line| line["name"] == name);
    let text = |field: &str| found["legacy"][field].as_str().unwrap().to_owned();
    let payload = text("payload");
    let size = payload.len();
    let layer = content.blob(payload);
    let config = content.blob("{}");
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": { "mediaType": "application/vnd.oci.image.config.v1+json", "size": 2, "digest": config },
        "layers": [{
            "mediaType": "application/vnd.dev.cosign.simplesigning.v1+json",
            "size": size,
            "digest": layer,
            "annotations": {
                "dev.cosignproject.cosign/signature": text("signature"),
                "dev.sigstore.cosign/certificate": text("certificate"),
                "dev.sigstore.cosign/bundle": text("bundle"),
            },
        }],
    });
    let tag = digest(MANIFEST.as_bytes()).replace(':', "-") + ".sig";
    content.manifest(Some(&tag), manifest.to_string());
}

fn keyless(root: Option<&str>, identities: &Value) -> Value {
    let mut verify = json!({ "provider": "cosign", "matchOIDCIdentity": identities });
    if let Some(root) = root {
        verify["trustedRootSecretRef"] = json!({ "name": root });
    }
    json!({ "verify": verify })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_expected_identity_is_stored() {
    let world = Oci::new("oci-keyless").await;
    let registry = HostileRegistry::honest().await;
    put(&mut registry.content());
    // A broken bundle and one of a stranger do not hide the good one.
    let about = digest(MANIFEST.as_bytes());
    put_bundle(&mut registry.content(), "issued-by-stranger", &about);
    put_bundle(&mut registry.content(), "first", &about);
    for (name, entries) in [
        ("own", [("trusted_root.json", root("own"))]),
        ("stranger", [("trusted_root.json", root("stranger"))]),
        ("empty", [("root.json", String::new())]),
        ("garbled", [("trusted_root.json", "{}".to_owned())]),
    ] {
        let entries = entries
            .each_ref()
            .map(|(key, text)| (*key, text.as_bytes()));
        world.typed_secret(name, "Opaque", &entries).await;
    }
    let right = json!([
        { "issuer": "^https://other", "subject": ".*" },
        { "issuer": "^https://token\\.example\\.com$", "subject": "github.example.com/acme/" },
    ]);
    let url = registry.url("app");
    world
        .follow("right", &url, &keyless(Some("own"), &right))
        .await;
    world
        .follow("any", &url, &keyless(Some("own"), &json!([])))
        .await;
    let wrong = json!([{ "issuer": ".*", "subject": "/other/" }]);
    for (name, root, identities) in [
        ("wrong", Some("own"), &wrong),
        ("untrusted", Some("stranger"), &right),
        ("empty", Some("empty"), &right),
        ("garbled", Some("garbled"), &right),
        ("absent", Some("absent"), &right),
    ] {
        world.follow(name, &url, &keyless(root, identities)).await;
    }
    for name in ["right", "any"] {
        let object = world.is_ready(name).await;
        let revision = artifact(&object).revision;
        let message = format!("verified signature of revision {revision}");
        assert_eq!(
            condition(&object, "SourceVerified"),
            ("True".to_owned(), "Succeeded".to_owned(), message)
        );
    }
    world
        .events
        .wait_for("a missing identity is reported", |event| {
            event.reason == "AnyIdentityAccepted" && event.message.contains("matchOIDCIdentity")
        })
        .await;
    for (name, said) in [
        (
            "wrong",
            "none of the expected identities matched what was in the certificate, got subjects [https://github.example.com/acme/",
        ),
        ("untrusted", "no matching signatures were found for"),
        ("empty", "'trusted_root.json' not found in secret '"),
        (
            "garbled",
            "unable to parse trusted root: failed to read the trusted root: missing field `mediaType`",
        ),
        ("absent", "failed to read trusted root from secret '"),
    ] {
        let (object, message) = world.is_refused(name, "VerificationError").await;
        assert!(message.contains(said), "{name}: {message}");
        assert!(
            message.starts_with("failed to verify the signature using provider 'cosign keyless': "),
            "{message}"
        );
        assert!(message.len() < 2048, "{message}");
        assert_eq!(condition(&object, "SourceVerified").0, "False", "{name}");
        assert!(object.status.unwrap().artifact.is_none(), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changed_root_verifies_again() {
    let (world, registry) = (Oci::new("oci-root").await, HostileRegistry::honest().await);
    put(&mut registry.content());
    put_legacy(&mut registry.content(), "legacy-good");
    let own = root("own");
    let entries = [("trusted_root.json", own.as_bytes())];
    world.typed_secret("root", "Opaque", &entries).await;
    let identities = json!([{ "issuer": "token", "subject": "acme" }]);
    let spec = keyless(Some("root"), &identities);
    world.follow("app", &registry.url("app"), &spec).await;
    let before = artifact(&world.is_ready("app").await);
    let secrets: kube::Api<k8s_openapi::api::core::v1::Secret> =
        kube::Api::namespaced(world.bed.client().await, &world.namespace);
    let patch = json!({ "stringData": { "trusted_root.json": root("stranger") } });
    secrets
        .patch(
            "root",
            &kube::api::PatchParams::default(),
            &kube::api::Patch::Merge(patch),
        )
        .await
        .unwrap();
    world.ask("app").await;
    let (object, message) = world.is_refused("app", "VerificationError").await;
    assert_eq!(artifact(&object), before);
    assert!(
        message.contains("no matching signatures were found"),
        "{message}"
    );
}
