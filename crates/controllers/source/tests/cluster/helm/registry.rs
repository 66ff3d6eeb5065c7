//! `HelmChart` from a registry.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rcgen::{KeyPair, SigningKey as _};
use serde_json::{Value, json};
use sluice_api::source::{HelmChart, HelmRepository};
use sluice_testkit::chart_server::chart;
use sluice_testkit::hostile::HostileRegistry;
use sluice_testkit::hostile::registry::{Content, digest};
use sluice_testkit::{Registry, RegistryOptions, kube};

use super::{Helm, artifact, state};
use crate::oci::keyless::{line, put_bundle, root};
use crate::oci::push_layer;

pub(super) const CHART: &str = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";

impl Helm {
    /// Creates the repository `charts` in a registry, with these changes to its spec.
    pub(super) async fn registry(&self, host: &str, spec: &Value) {
        let url = format!("oci://{host}/charts");
        let spec = super::changed(json!({ "type": "oci", "url": url, "interval": "1h" }), spec);
        self.make::<HelmRepository>("charts", &spec).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chart_is_pulled_by_range_and_by_version() {
    let (helm, registry) = (Helm::new("helm-oci").await, HostileRegistry::honest().await);
    let archive = chart("app", "1.1.0", &[("values.yaml", "a: 1\n")]);
    for tag in ["1.0.0", "2.0.0-rc.1", "latest", "1.0.1_build"] {
        registry
            .content()
            .image(tag, CHART, chart("app", "1.0.0", &[]));
    }
    registry.content().image("1.1.0", CHART, archive.clone());
    registry.content().image("3.0.0", "text/plain", "text");
    helm.registry(&registry.host(), &json!({})).await;
    helm.chart("range", &json!({ "version": "1.x" })).await;
    let found = helm.has_chart("range", "1.1.0").await;
    assert_eq!(helm.stored(&found), archive);
    assert_eq!(
        state(&found, "Ready").2,
        "pulled 'app' chart with version '1.1.0'"
    );
    assert!(artifact(&found).path.ends_with("/range/app-1.1.0.tgz"));
    assert_eq!(
        found
            .status
            .as_ref()
            .unwrap()
            .observed_source_artifact_revision,
        None
    );
    helm.chart("plus", &json!({ "version": "1.0.1+build" }))
        .await;
    helm.has_chart("plus", "1.0.1+build").await;

    registry.take_asked();
    helm.chart("exact", &json!({ "version": "1.0.0" })).await;
    helm.has_chart("exact", "1.0.0").await;
    let asked = registry.take_asked();
    assert!(
        asked.iter().all(|line| !line.contains("tags/list")),
        "{asked:?}"
    );

    helm.chart("none", &json!({ "version": ">5.0.0" })).await;
    let (_, message) = helm.is_refused::<HelmChart>("none", "ChartPullError").await;
    assert_eq!(
        message,
        "chart pull error: failed to get chart version for remote reference: could not locate a \
         version matching provided version string >5.0.0"
    );
    helm.chart("other", &json!({ "version": "3.0.0" })).await;
    let (_, message) = helm
        .is_refused::<HelmChart>("other", "ChartPullError")
        .await;
    let url = format!("oci://{}/charts/app:3.0.0", registry.host());
    assert_eq!(
        message,
        format!(
            "chart pull error: failed to download chart for remote reference: failed to get \
             '{url}': manifest does not contain minimum number of descriptors (2), descriptors \
             found: 1"
        )
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn private_registry_needs_credentials() {
    let options = RegistryOptions {
        basic: true,
        ..RegistryOptions::default()
    };
    let (helm, registry) = tokio::join!(Helm::new("helm-oci-auth"), Registry::start_with(options));
    push_layer(
        &registry,
        "charts/app",
        "1.0.0",
        CHART,
        &chart("app", "1.0.0", &[]),
    )
    .await;
    let pair = [
        ("username", Registry::USER),
        ("password", Registry::PASSWORD),
    ];
    helm.secret("pair", &pair).await;
    let config = registry.docker_config();
    let other = config.replace(registry.host(), "registry.example.com");
    for (name, config) in [("docker", config), ("other", other)] {
        let entries = [(".dockerconfigjson", config.as_bytes())];
        let kind = "kubernetes.io/dockerconfigjson";
        helm.bed
            .secret(&helm.namespace, name, Some(kind), &entries)
            .await;
    }
    helm.registry(registry.host(), &json!({ "secretRef": { "name": "pair" } }))
        .await;
    helm.chart("pair", &json!({ "version": "1.0.0" })).await;
    helm.has_chart("pair", "1.0.0").await;

    let name = |name: &str| json!({ "spec": { "secretRef": { "name": name } } });
    helm.change::<HelmRepository>("charts", name("docker"))
        .await;
    helm.chart("docker", &json!({ "version": "*" })).await;
    helm.has_chart("docker", "1.0.0").await;

    helm.change::<HelmRepository>("charts", name("other")).await;
    helm.chart("other", &json!({ "version": "1.0.0" })).await;
    let (_, message) = helm.is_refused::<HelmChart>("other", "Unknown").await;
    let host = registry.host();
    assert_eq!(
        message,
        format!(
            "unknown build error: failed to configure OCI registry authentication: no auth config \
             for '{host}' in the docker-registry Secret 'other'"
        )
    );
    helm.change::<HelmRepository>("charts", json!({ "spec": { "secretRef": null } }))
        .await;
    helm.chart("open", &json!({ "version": "1.0.0" })).await;
    let (_, message) = helm.is_refused::<HelmChart>("open", "Unknown").await;
    assert!(
        message.contains("failed to authenticate with the Helm repository"),
        "{message}"
    );
}

/// Signs the manifest of a tag, as cosign does with a key.
fn sign(content: &mut Content, key: &KeyPair, manifest: &str) {
    let payload = json!({
        "critical": {
            "identity": { "docker-reference": "" },
            "image": { "docker-manifest-digest": manifest },
            "type": "cosign container image signature",
        },
        "optional": null,
    })
    .to_string();
    let signature = BASE64_STANDARD.encode(key.sign(payload.as_bytes()).unwrap());
    let config = content.blob("{}");
    let size = payload.len();
    let layer = content.blob(payload);
    let signatures = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": {
            "mediaType": "application/vnd.oci.image.config.v1+json", "size": 2, "digest": config,
        },
        "layers": [{
            "mediaType": "application/vnd.dev.cosign.simplesigning.v1+json",
            "size": size,
            "digest": layer,
            "annotations": { "dev.cosignproject.cosign/signature": signature },
        }],
    });
    let tag = manifest.replace(':', "-") + ".sig";
    content.manifest(Some(&tag), signatures.to_string());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_signed_chart_is_stored() {
    let (helm, registry) = (
        Helm::new("helm-signed").await,
        HostileRegistry::honest().await,
    );
    let (key, stranger) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
    let signed = registry
        .content()
        .image("1.0.0", CHART, chart("app", "1.0.0", &[]));
    sign(&mut registry.content(), &key, &signed);
    let other = registry
        .content()
        .image("2.0.0", CHART, chart("app", "2.0.0", &[]));
    sign(&mut registry.content(), &stranger, &other);
    registry
        .content()
        .image("3.0.0", CHART, chart("app", "3.0.0", &[]));
    assert_ne!(signed, digest(b""));
    let (ours, theirs) = (key.public_key_pem(), stranger.public_key_pem());
    helm.secret("keys", &[("ours.pub", &ours)]).await;
    helm.secret("both", &[("a.pub", &theirs), ("b.pub", &ours)])
        .await;
    helm.registry(&registry.host(), &json!({})).await;
    let verify = |secret: &str| json!({ "provider": "cosign", "secretRef": { "name": secret } });
    for secret in ["keys", "both"] {
        let spec = json!({ "version": "1.0.0", "verify": verify(secret) });
        helm.chart(secret, &spec).await;
        let found = helm.has_chart(secret, "1.0.0").await;
        let verified = state(&found, "SourceVerified");
        let message = "verified signature of version 1.0.0".to_owned();
        assert_eq!(
            verified,
            ("True".to_owned(), "Succeeded".to_owned(), message)
        );
    }
    for (name, version) in [("tampered", "2.0.0"), ("unsigned", "3.0.0")] {
        let spec = json!({ "version": version, "verify": verify("keys") });
        helm.chart(name, &spec).await;
        let (object, message) = helm
            .is_refused::<HelmChart>(name, "VerificationError")
            .await;
        let url = format!("oci://{}/charts/app:{version}", registry.host());
        let start = format!("chart verification error: failed to verify {url}: no matching");
        assert!(message.starts_with(&start), "{message}");
        assert_eq!(state(&object, "BuildFailed").1, "ChartVerificationError");
        assert_eq!(state(&object, "SourceVerified").0, "False");
        assert!(object.status.unwrap().artifact.is_none());
    }
    let spec = json!({ "version": "1.0.0", "verify": verify("absent") });
    helm.chart("absent", &spec).await;
    let (_, message) = helm
        .is_refused::<HelmChart>("absent", "VerificationError")
        .await;
    assert!(
        message.contains("failed to verify the signature using provider 'cosign'"),
        "{message}"
    );

    let identities = json!([{ "issuer": ".*", "subject": "(" }]);
    let keyless = json!({ "provider": "cosign", "matchOIDCIdentity": identities });
    let spec = json!({ "version": "1.0.0", "verify": keyless });
    helm.chart("keyless", &spec).await;
    let (_, message) = helm
        .is_refused::<HelmChart>("keyless", "VerificationError")
        .await;
    assert!(
        message.contains("spec.verify.matchOIDCIdentity[0]: malformed subject in identity: ("),
        "{message}"
    );
}

/// A tag moves to a chart of another signer, whose key replaces the old one in the Secret.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moved_chart_with_new_keys_is_stored() {
    let (helm, registry) = (
        Helm::new("helm-moved").await,
        HostileRegistry::honest().await,
    );
    let (old, new) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
    let archive = chart("app", "1.0.0", &[]);
    let signed = registry.content().image("1.0.0", CHART, archive);
    sign(&mut registry.content(), &old, &signed);
    helm.secret("keys", &[("key.pub", &old.public_key_pem())])
        .await;
    helm.registry(&registry.host(), &json!({})).await;
    let verify = json!({ "provider": "cosign", "secretRef": { "name": "keys" } });
    helm.chart("app", &json!({ "version": "1.0.0", "verify": verify }))
        .await;
    let before = helm.has_chart("app", "1.0.0").await;
    // The stored chart of the same digest is current.
    let same = helm.ask::<HelmChart>("app").await;
    assert_eq!(artifact(&same), artifact(&before));

    let archive = chart("app", "1.0.0", &[("values.yaml", "a: 2\n")]);
    let signed = registry.content().image("1.0.0", CHART, archive.clone());
    sign(&mut registry.content(), &new, &signed);
    let secrets: kube::Api<k8s_openapi::api::core::v1::Secret> =
        kube::Api::namespaced(helm.bed.client().await, &helm.namespace);
    let patch = json!({ "stringData": { "key.pub": new.public_key_pem() } });
    secrets
        .patch(
            "keys",
            &kube::api::PatchParams::default(),
            &kube::api::Patch::Merge(patch),
        )
        .await
        .unwrap();
    helm.ask::<HelmChart>("app").await;
    let moved = helm
        .sees("app", "has the new chart", |object: &HelmChart| {
            artifact(object).digest != artifact(&before).digest
        })
        .await;
    assert_eq!(helm.stored(&moved), archive);
}

/// The root of the process is a mounted file, which may change.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chart_of_expected_identity_is_stored() {
    let mut helm = Helm::new("helm-keyless").await;
    let file = helm.directory.path().join("trusted_root.json");
    std::fs::write(&file, root("stranger")).unwrap();
    helm.world.stop().await;
    let flag = format!("--sigstore-trusted-root={}", file.display());
    helm.world.flags = vec![flag, "--feature-gates=RequireOIDCIdentity=true".to_owned()];
    helm.world.start().await;
    let registry = HostileRegistry::honest().await;
    let archive = chart("app", "1.0.0", &[]);
    let signed = registry.content().image("1.0.0", CHART, archive);
    // The recipe of the vectors names this digest.
    let recorded = line(|line| line["chart"].is_string())["chart"].clone();
    assert_eq!(signed, format!("sha256:{}", recorded.as_str().unwrap()));
    put_bundle(&mut registry.content(), "chart", &signed);
    helm.registry(&registry.host(), &json!({})).await;
    let verify = |subject: &str| {
        let identities = json!([{ "issuer": "^https://token", "subject": subject }]);
        json!({ "provider": "cosign", "matchOIDCIdentity": identities })
    };
    let spec = json!({ "version": "1.0.0", "verify": verify("/acme/") });
    helm.chart("app", &spec).await;
    let (_, message) = helm
        .is_refused::<HelmChart>("app", "VerificationError")
        .await;
    assert!(message.contains("no matching signatures"), "{message}");
    std::fs::write(&file, root("own")).unwrap();
    helm.has_chart("app", "1.0.0").await;

    let spec = json!({ "version": "1.0.0", "verify": verify("/other/") });
    helm.chart("other", &spec).await;
    let (_, message) = helm
        .is_refused::<HelmChart>("other", "VerificationError")
        .await;
    assert!(
        message.contains("none of the expected identities matched"),
        "{message}"
    );
    let spec = json!({ "version": "1.0.0", "verify": { "provider": "cosign" } });
    helm.chart("any", &spec).await;
    let (object, message) = helm
        .is_refused::<HelmChart>("any", "VerificationError")
        .await;
    assert!(
        message.contains("is required by the feature gate RequireOIDCIdentity"),
        "{message}"
    );
    assert_eq!(state(&object, "Stalled").0, "True");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn identity_logs_in_to_registries_of_its_cloud_only() {
    let (helm, registry) = (Helm::new("helm-cloud").await, Registry::start().await);
    helm.registry(registry.host(), &json!({ "provider": "aws" }))
        .await;
    helm.chart("app", &json!({ "version": "1.0.0" })).await;
    let (_, message) = helm.is_refused::<HelmChart>("app", "Unknown").await;
    let start = format!(
        "unknown build error: failed to get credential from 'aws': invalid AWS registry: '{}'. \
         must match",
        registry.host()
    );
    assert!(message.starts_with(&start), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moved_tag_cannot_replace_a_verified_digest() {
    use axum::http::Method;
    use std::sync::Arc;

    let honest = HostileRegistry::honest().await;
    let archive = chart("app", "1.0.0", &[("values.yaml", "a: signed\n")]);
    let key = KeyPair::generate().unwrap();
    let signed = honest.content().image("1.0.0", CHART, archive.clone());
    drop(honest);
    // After the first look at the tag, it leads to another chart.
    let looks = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let registry = HostileRegistry::start(move |asked, content| {
        if asked.is(&Method::HEAD, "manifests/1.0.0")
            && looks.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 1
        {
            let evil = chart("app", "1.0.0", &[("values.yaml", "a: evil\n")]);
            content.image("1.0.0", CHART, evil);
        }
        None
    })
    .await;
    registry.content().image("1.0.0", CHART, archive.clone());
    sign(&mut registry.content(), &key, &signed);
    let helm = Helm::new("helm-moved").await;
    let public = key.public_key_pem();
    helm.secret("keys", &[("a.pub", &public)]).await;
    helm.registry(&registry.host(), &json!({})).await;
    let verify = json!({ "provider": "cosign", "secretRef": { "name": "keys" } });
    helm.chart("app", &json!({ "version": "1.0.0", "verify": verify }))
        .await;
    let found = helm.has_chart("app", "1.0.0").await;
    assert_eq!(helm.stored(&found), archive);
}
