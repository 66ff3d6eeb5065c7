//! Signatures of cosign: class S13.

use bytes::Bytes;
use sluice_attest::sigstore::{self, KeyVerifier, LegacySignature, PublicKey};
use sluice_oci::client::Source;
use sluice_oci::cosign::{Attachment, Judge, Refusal, TaggedSignature, VerifyError, verify};
use sluice_oci::{Client, Digest, Document, Remote, Version};
use sluice_system::budget::Budget;
use sluice_testkit::Registry;
use sluice_testkit::hostile::HostileRegistry;

use crate::{client, remote};

const MANIFEST: &str = include_str!("../fixtures/cosign/manifest.json");
const CONFIG: &str = include_str!("../fixtures/cosign/config.json");
const LAYER: &[u8] = include_bytes!("../fixtures/cosign/layer.tgz");
const TAG_MANIFEST: &str = include_str!("../fixtures/cosign/tag-manifest.json");
const TAG_PAYLOAD: &str = include_str!("../fixtures/cosign/tag-payload.json");
const BUNDLE_MANIFEST: &str = include_str!("../fixtures/cosign/bundle-manifest.json");
const BUNDLE: &str = include_str!("../fixtures/cosign/bundle.json");

fn key(name: &str) -> PublicKey {
    let pem = match name {
        "ecdsa" => include_str!("../fixtures/cosign/ecdsa.pub"),
        "rsa" => include_str!("../fixtures/cosign/rsa.pub"),
        "ed25519" => include_str!("../fixtures/cosign/ed25519.pub"),
        _ => include_str!("../fixtures/cosign/stranger.pub"),
    };
    PublicKey::from_pem(pem.as_bytes()).unwrap()
}

/// Accepts signatures of keys.
struct Keys(KeyVerifier);

fn keys(names: &[&str]) -> Keys {
    Keys(KeyVerifier::new(
        names.iter().map(|name| key(name)).collect(),
    ))
}

impl Judge for Keys {
    async fn judge(&self, attachment: Attachment, digest: &Digest) -> Result<(), Refusal> {
        let budget = budget();
        let judged = match &attachment {
            Attachment::Bundle(json) => self.0.verify_bundle(json, digest, &budget),
            Attachment::Tagged(tagged) => {
                let signature = LegacySignature {
                    payload: &tagged.payload,
                    signature: tagged.annotation(TaggedSignature::SIGNATURE),
                    certificate: "",
                    bundle: "",
                };
                self.0.verify_legacy(signature, digest, &budget)
            }
        };
        judged.map_err(|refusal| match refusal {
            sigstore::Refusal::Unreadable(why) => Refusal::Unreadable(why),
            other => Refusal::Invalid(other.to_string()),
        })
    }
}

fn budget() -> Budget {
    Budget::new(1 << 28, 1 << 26)
}

fn digest() -> Digest {
    Digest::of(MANIFEST.as_bytes())
}

/// The signatures that are pushed with the image.
#[derive(Clone, Copy)]
enum SignatureForm {
    Not,
    Tag,
    Bundle,
}

/// A registry in memory with the referrers API.
async fn modern(signed: SignatureForm) -> HostileRegistry {
    let registry = HostileRegistry::honest().await;
    {
        let mut content = registry.content();
        content.manifest(Some("v1"), MANIFEST);
        match signed {
            SignatureForm::Not => {}
            SignatureForm::Tag => {
                content.blob(TAG_PAYLOAD);
                content.manifest(Some(&signature_tag()), TAG_MANIFEST);
            }
            SignatureForm::Bundle => {
                content.blob(BUNDLE);
                content.manifest(None, BUNDLE_MANIFEST);
            }
        }
    }
    registry
}

fn signature_tag() -> String {
    format!("sha256-{}.sig", digest().hex())
}

async fn check(client: &Client, remote: &Remote, names: &[&str]) -> Result<(), String> {
    verify(client, remote, &digest(), &keys(names), &budget())
        .await
        .map_err(|error| error.to_string())
}

#[tokio::test]
async fn any_signing_key_verifies() {
    let registry = modern(SignatureForm::Tag).await;
    let (client, remote) = (client(), remote(&registry.url("app")));
    for name in ["ecdsa", "rsa", "ed25519"] {
        assert_eq!(check(&client, &remote, &[name]).await, Ok(()), "{name}");
        assert_eq!(
            check(&client, &remote, &["stranger", name]).await,
            Ok(()),
            "{name}"
        );
    }
    let reference = format!("{}@{}", remote.repository, digest());
    let refused = format!(
        "no matching signatures were found for '{reference}': a signature was made by another \
         key, or altered"
    );
    assert_eq!(check(&client, &remote, &["stranger"]).await, Err(refused));
    assert!(check(&client, &remote, &[]).await.is_err());
}

#[tokio::test]
async fn bundle_is_found_by_referrers_api() {
    let registry = modern(SignatureForm::Bundle).await;
    let (client, remote) = (client(), remote(&registry.url("app")));
    assert_eq!(check(&client, &remote, &["ecdsa"]).await, Ok(()));
    assert!(check(&client, &remote, &["rsa"]).await.is_err());
    assert!(check(&client, &remote, &["stranger"]).await.is_err());
}

/// The reference registry has no referrers API, so the index under the fallback tag is used.
#[tokio::test]
async fn bundle_is_found_by_fallback_tag() {
    let registry = Registry::start().await;
    let (client, remote) = (client(), remote(&registry.url("app")));
    for blob in [CONFIG.as_bytes(), LAYER, BUNDLE.as_bytes(), b"{}"] {
        let source = Source::Bytes(Bytes::copy_from_slice(blob));
        client
            .push_blob(&remote, &Digest::of(blob), &source)
            .await
            .unwrap();
    }
    let bundle = Digest::of(BUNDLE_MANIFEST.as_bytes());
    let index = format!(
        r#"{{"schemaVersion":2,"mediaType":"{}","manifests":[{{"mediaType":"{}","size":{},"digest":"{bundle}"}}]}}"#,
        sluice_oci::manifest::INDEX,
        sluice_oci::manifest::MANIFEST,
        BUNDLE_MANIFEST.len()
    );
    let referrers = format!("sha256-{}", digest().hex());
    for (version, kind, text) in [
        (
            Version::Tag("v1".to_owned()),
            sluice_oci::manifest::MANIFEST,
            MANIFEST,
        ),
        (
            Version::Digest(bundle),
            sluice_oci::manifest::MANIFEST,
            BUNDLE_MANIFEST,
        ),
        (Version::Tag(referrers), sluice_oci::manifest::INDEX, &index),
    ] {
        client
            .push_manifest(&remote, &version, kind, text.to_owned().into())
            .await
            .unwrap();
    }
    assert_eq!(check(&client, &remote, &["ecdsa"]).await, Ok(()));
    assert!(check(&client, &remote, &["stranger"]).await.is_err());
}

#[tokio::test]
async fn search_stops_at_first_valid_bundle() {
    let other = BUNDLE.replace("\"sig\":\"ME", "\"sig\":\"MF");
    let altered = BUNDLE_MANIFEST.replace(
        &Digest::of(BUNDLE.as_bytes()).to_string(),
        &Digest::of(other.as_bytes()).to_string(),
    );
    let listed: Vec<_> = [altered.as_str(), BUNDLE_MANIFEST, "{}", "[]"]
        .map(|manifest| {
            serde_json::json!({
                "mediaType": sluice_oci::manifest::MANIFEST,
                "digest": Digest::of(manifest.as_bytes()).to_string(),
                "size": manifest.len(),
            })
        })
        .into();
    let index = serde_json::json!({
        "schemaVersion": 2, "mediaType": sluice_oci::manifest::INDEX, "manifests": listed,
    });
    let index = index.to_string();
    let registry = HostileRegistry::start(move |asked, _| {
        let referrers = asked.target.contains("/referrers/");
        let kind = [("content-type", sluice_oci::manifest::INDEX)];
        referrers.then(|| axum::response::IntoResponse::into_response((kind, index.clone())))
    })
    .await;
    {
        let mut content = registry.content();
        content.blob(BUNDLE);
        content.blob(other);
        content.manifest(None, BUNDLE_MANIFEST);
        content.manifest(None, altered);
    }
    let (client, remote) = (client(), remote(&registry.url("app")));
    assert_eq!(check(&client, &remote, &["ecdsa"]).await, Ok(()));
    // The list, and two manifests with their bundles.
    let asked = registry.take_asked();
    assert_eq!(asked.len(), 5, "{asked:?}");
}

#[tokio::test]
async fn unsigned_digest_is_not_verified() {
    let registry = modern(SignatureForm::Not).await;
    let (client, remote) = (client(), remote(&registry.url("app")));
    let error = check(&client, &remote, &["ecdsa"]).await.unwrap_err();
    assert!(error.ends_with("it is not signed"), "{error}");
}

#[tokio::test]
async fn older_tag_is_ignored_if_bundles_exist() {
    let registry = modern(SignatureForm::Bundle).await;
    {
        let mut content = registry.content();
        content.blob(TAG_PAYLOAD);
        content.manifest(Some(&signature_tag()), TAG_MANIFEST);
    }
    let (client, remote) = (client(), remote(&registry.url("app")));
    assert!(check(&client, &remote, &["rsa"]).await.is_err());
}

/// A signature of other content, copied to the tag of this digest.
#[tokio::test]
async fn signature_is_valid_for_its_digest_only() {
    for signed in [SignatureForm::Tag, SignatureForm::Bundle] {
        let registry = modern(signed).await;
        let victim = MANIFEST.replace("main@", "evil@");
        let digest = {
            let mut content = registry.content();
            let digest = content.manifest(Some("v2"), victim.clone());
            let tag = format!("{}.sig", digest.replace(':', "-"));
            content.manifest(Some(&tag), TAG_MANIFEST);
            let moved = BUNDLE_MANIFEST.replace(&super::cosign::digest().to_string(), &digest);
            if matches!(signed, SignatureForm::Bundle) {
                content.manifest(None, moved);
            }
            digest.parse::<Digest>().unwrap()
        };
        let (client, remote) = (client(), remote(&registry.url("app")));
        let error = verify(&client, &remote, &digest, &keys(&["ecdsa"]), &budget())
            .await
            .unwrap_err();
        let VerifyError::NoMatch { reasons, .. } = error else {
            panic!("{error}");
        };
        assert!(
            reasons
                .iter()
                .any(|reason| reason.contains("another digest")),
            "{reasons:?}"
        );
    }
}

#[tokio::test]
async fn altered_payload_or_signature_is_rejected() {
    let alter = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    };
    let tampered_payload = alter(TAG_PAYLOAD, "cosign container", "cosign c0ntainer");
    let tampered_tag = TAG_MANIFEST.replace(
        &Digest::of(TAG_PAYLOAD.as_bytes()).to_string(),
        &Digest::of(tampered_payload.as_bytes()).to_string(),
    );
    let registry = modern(SignatureForm::Not).await;
    {
        let mut content = registry.content();
        content.blob(tampered_payload);
        content.manifest(Some(&signature_tag()), tampered_tag);
    }
    let (client, remote) = (client(), remote(&registry.url("app")));
    assert!(
        check(&client, &remote, &["ecdsa", "rsa", "ed25519"])
            .await
            .is_err()
    );

    for (from, to) in [
        ("\"sig\":\"ME", "\"sig\":\"MF"),
        ("vnd.in-toto+json", "vnd.in-toto+jsom"),
        ("\"publicKey\"", "\"certificate\""),
        ("bundle.v0.3+json", "bundle.v0.2+json"),
    ] {
        let bundle = alter(BUNDLE, from, to);
        let registry = modern(SignatureForm::Not).await;
        let manifest = BUNDLE_MANIFEST.replace(
            &Digest::of(BUNDLE.as_bytes()).to_string(),
            &Digest::of(bundle.as_bytes()).to_string(),
        );
        {
            let mut content = registry.content();
            content.blob(bundle);
            content.manifest(None, manifest);
        }
        let remote = crate::remote(&registry.url("app"));
        assert!(check(&client, &remote, &["ecdsa"]).await.is_err(), "{from}");
    }
}

/// D7: if the tag moves after it was resolved, the verified content is pulled.
#[tokio::test]
async fn moved_tag_does_not_change_verified_content() {
    let registry = HostileRegistry::start(|asked, content| {
        if asked.target.contains(".sig") || asked.target.contains("/referrers/") {
            let evil = content.manifest(Some("v1"), MANIFEST.replace("main@", "evil@"));
            content.tags.insert("v1".to_owned(), evil);
        }
        None
    })
    .await;
    {
        let mut content = registry.content();
        content.manifest(Some("v1"), MANIFEST);
        content.blob(TAG_PAYLOAD);
        content.manifest(Some(&signature_tag()), TAG_MANIFEST);
    }
    let (client, remote) = (client(), remote(&registry.url("app")));
    let tag = Version::Tag("v1".to_owned());
    let resolved = client.resolve(&remote, &tag).await.unwrap();
    verify(&client, &remote, &resolved, &keys(&["ecdsa"]), &budget())
        .await
        .unwrap();
    let pulled = client
        .document(&remote, &Version::Digest(resolved.clone()))
        .await
        .unwrap();
    assert_eq!(pulled.bytes, MANIFEST);
    assert!(matches!(pulled.document, Document::Manifest(_)));
    let moved = client.resolve(&remote, &tag).await.unwrap();
    assert_ne!(moved, resolved, "the tag did move");
}

/// Refuses each signature, and charges for it.
struct Costly(Budget);

impl Judge for Costly {
    async fn judge(&self, _: Attachment, _: &Digest) -> Result<(), Refusal> {
        let charged = self.0.charge_steps(10);
        Err(Refusal::Invalid(format!("refused: {charged:?}")))
    }
}

/// A registry with this number of signatures under the older tag.
async fn many(count: usize) -> HostileRegistry {
    let registry = modern(SignatureForm::Not).await;
    {
        let mut content = registry.content();
        let payload = content.blob(TAG_PAYLOAD);
        let layer = serde_json::json!({
            "mediaType": "application/vnd.dev.cosign.simplesigning.v1+json",
            "digest": payload, "size": TAG_PAYLOAD.len(),
        });
        let manifest = serde_json::json!({
            "schemaVersion": 2, "mediaType": sluice_oci::manifest::MANIFEST,
            "config": layer, "layers": vec![layer.clone(); count],
        });
        content.manifest(Some(&signature_tag()), manifest.to_string());
    }
    registry
}

#[tokio::test]
async fn missing_payload_does_not_hide_a_signature() {
    let registry = modern(SignatureForm::Tag).await;
    let gone = serde_json::json!({
        "mediaType": "application/vnd.dev.cosign.simplesigning.v1+json",
        "digest": Digest::of(b"gone").to_string(), "size": 4,
    });
    let mut manifest: serde_json::Value = serde_json::from_str(TAG_MANIFEST).unwrap();
    manifest["layers"].as_array_mut().unwrap().insert(0, gone);
    registry
        .content()
        .manifest(Some(&signature_tag()), manifest.to_string());
    let (client, remote) = (client(), remote(&registry.url("app")));
    assert_eq!(check(&client, &remote, &["ecdsa"]).await, Ok(()));
    let error = check(&client, &remote, &["stranger"]).await.unwrap_err();
    assert!(
        error.contains("a signature was made by another key"),
        "{error}"
    );
}

#[tokio::test]
async fn spent_budget_ends_the_search() {
    let registry = many(50).await;
    let (client, remote) = (client(), remote(&registry.url("app")));
    let steps = Budget::new(25, 1 << 26);
    let error = verify(&client, &remote, &digest(), &Costly(steps.clone()), &steps).await;
    let error = error.unwrap_err().to_string();
    assert_eq!(
        error,
        "the signatures take too long to verify: more than 25 steps"
    );
    // The search for referrers, the manifest of signatures, and three payloads.
    let asked = registry.take_asked();
    assert!(asked.len() <= 6, "{asked:?}");

    let bytes = Budget::new(1 << 20, 10 << 10);
    let error = verify(&client, &remote, &digest(), &Costly(bytes.clone()), &bytes).await;
    let error = error.unwrap_err().to_string();
    assert_eq!(
        error,
        "the signatures take too long to verify: more than 10240 bytes"
    );
}

#[tokio::test]
async fn deadline_ends_a_slow_download() {
    let registry = HostileRegistry::start(|asked, _| {
        asked.target.contains("/referrers/").then(|| {
            let never = futures::stream::pending::<Result<Bytes, std::convert::Infallible>>();
            axum::response::Response::new(axum::body::Body::from_stream(never))
        })
    })
    .await;
    let (client, remote) = (client(), remote(&registry.url("app")));
    let deadline = std::time::Instant::now() + std::time::Duration::from_millis(100);
    let budget = Budget::until(1, 1, deadline);
    let error = verify(&client, &remote, &digest(), &keys(&["ecdsa"]), &budget).await;
    let error = error.unwrap_err().to_string();
    assert_eq!(
        error,
        "the signatures take too long to verify: the time limit is exceeded"
    );
}
