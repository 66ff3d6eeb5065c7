//! Private registries and their credentials.

use k8s_openapi::api::core::v1::{LocalObjectReference, ServiceAccount};
use serde_json::json;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{ObjectMeta, PostParams};
use sluice_testkit::{Registry, RegistryOptions};

use super::{Oci, artifact, condition, layer, push};

const PULL_SECRET: &str = "kubernetes.io/dockerconfigjson";

async fn closed(options: RegistryOptions) -> (Registry, String) {
    let registry = Registry::start_with(options).await;
    let digest = push(&registry, "app", "latest", &layer(&[("a.yaml", "a: 1\n")])).await;
    (registry, digest)
}

impl Oci {
    async fn pull_secret(&self, name: &str, config: &str) {
        self.typed_secret(
            name,
            PULL_SECRET,
            &[(".dockerconfigjson", config.as_bytes())],
        )
        .await;
    }

    async fn account(&self, name: &str, secrets: &[&str]) {
        let account = ServiceAccount {
            metadata: ObjectMeta {
                name: Some(name.to_owned()),
                ..ObjectMeta::default()
            },
            image_pull_secrets: Some(
                secrets
                    .iter()
                    .map(|name| LocalObjectReference {
                        name: (*name).to_owned(),
                    })
                    .collect(),
            ),
            ..ServiceAccount::default()
        };
        let api: Api<ServiceAccount> = Api::namespaced(self.bed.client().await, &self.namespace);
        api.create(&PostParams::default(), &account).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn private_registry_needs_pull_secret() {
    let world = Oci::new("oci-auth").await;
    for (kind, options) in [
        (
            "basic",
            RegistryOptions {
                basic: true,
                ..RegistryOptions::default()
            },
        ),
        (
            "token",
            RegistryOptions {
                token: true,
                ..RegistryOptions::default()
            },
        ),
    ] {
        let (registry, digest) = closed(options).await;
        let config = registry.docker_config();
        let (right, wrong) = (format!("{kind}-right"), format!("{kind}-wrong"));
        world.pull_secret(&right, &config).await;
        world
            .pull_secret(&wrong, &config.replace(Registry::PASSWORD, "canary-wrong"))
            .await;
        world.account(&format!("{kind}-account"), &[&right]).await;
        let url = registry.url("app");
        let account = format!("{kind}-account");
        let nobody = format!("{kind}-nobody");
        for (name, spec) in [
            (&right, json!({ "secretRef": { "name": right } })),
            (&account, json!({ "serviceAccountName": account })),
            (&wrong, json!({ "secretRef": { "name": wrong } })),
            (&nobody, json!({})),
        ] {
            world.follow(name, &url, &spec).await;
        }
        for name in [&right, &account] {
            let object = world.is_ready(name).await;
            assert_eq!(artifact(&object).revision, format!("latest@{digest}"));
        }
        for name in [&wrong, &nobody] {
            let (object, message) = world.is_refused(name, "OCIArtifactPullFailed").await;
            assert!(message.contains("spec.secretRef"), "{message}");
            let text = serde_json::to_string(&object).unwrap();
            assert!(!text.contains("canary"), "{text}");
            assert!(object.status.unwrap().artifact.is_none());
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_or_missing_secret_is_named() {
    let (world, registry) = (Oci::new("oci-secret").await, Registry::start().await);
    let digest = push(&registry, "app", "latest", &layer(&[("a.yaml", "a: 1\n")])).await;
    world
        .pull_secret("garbled", "{\"auths\":{\"x\":\"canary\"}}")
        .await;
    world.account("broken", &["later"]).await;
    world
        .typed_secret("half", "Opaque", &[("tls.crt", b"canary")])
        .await;
    world
        .typed_secret("empty", "Opaque", &[("other", b"x")])
        .await;
    world
        .typed_secret("opaque", "Opaque", &[("other", b"x")])
        .await;
    world
        .typed_secret("proxyless", "Opaque", &[("address", b"ftp://x")])
        .await;
    let url = registry.url("app");
    let named = |field: &str, name: &str| json!({ field: { "name": name } });
    for (name, spec, said) in [
        ("absent", named("secretRef", "later"), "/later'"),
        (
            "garbled",
            named("secretRef", "garbled"),
            "key '.dockerconfigjson'",
        ),
        (
            "account",
            json!({ "serviceAccountName": "later" }),
            "/later",
        ),
        (
            "broken",
            json!({ "serviceAccountName": "broken" }),
            "/broken'",
        ),
        ("half", named("certSecretRef", "half"), "tls.key"),
        ("empty", named("certSecretRef", "empty"), "ca.crt"),
        ("proxy", named("proxySecretRef", "proxyless"), "address"),
        ("no-proxy", named("proxySecretRef", "later"), "/later"),
    ] {
        world.follow(name, &url, &spec).await;
        let (object, message) = world.is_refused(name, "AuthenticationFailed").await;
        assert!(message.contains(said), "{name}: {message}");
        let text = serde_json::to_string(&object).unwrap();
        assert!(!text.contains("canary"), "{text}");
    }
    // As for the kubelet, a Secret of another type holds no credentials.
    world
        .follow("opaque", &url, &named("secretRef", "opaque"))
        .await;
    let object = world.is_ready("opaque").await;
    assert_eq!(artifact(&object).revision, format!("latest@{digest}"));
    world.pull_secret("later", &registry.docker_config()).await;
    world.is_ready("absent").await;
    world.is_ready("broken").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ca_and_client_certificate_open_registry() {
    let world = Oci::new("oci-tls").await;
    let (registry, digest) = closed(RegistryOptions {
        tls: true,
        client_certificate: true,
        ..RegistryOptions::default()
    })
    .await;
    let authority = registry.authority().unwrap();
    let client = authority.client("tenant", None).unwrap();
    let certificate = authority.certificate();
    let known = ("ca.crt", certificate.as_bytes());
    let pair = [
        ("tls.crt", client.certificate.as_bytes()),
        ("tls.key", client.key.as_bytes()),
    ];
    world
        .typed_secret("whole", "Opaque", &[known, pair[0], pair[1]])
        .await;
    world.typed_secret("authority", "Opaque", &[known]).await;
    world.typed_secret("pair", "kubernetes.io/tls", &pair).await;
    let url = registry.url("app");
    for name in ["whole", "authority", "pair"] {
        let spec = json!({ "certSecretRef": { "name": name }, "timeout": "10s" });
        world.follow(name, &url, &spec).await;
    }
    world
        .follow("nothing", &url, &json!({ "timeout": "10s" }))
        .await;
    let object = world.is_ready("whole").await;
    assert_eq!(artifact(&object).revision, format!("latest@{digest}"));
    for (name, said) in [
        // A client without the required certificate sees only a closed connection.
        ("authority", "Get \"https://"),
        ("pair", "ertificate"),
        ("nothing", "ertificate"),
    ] {
        // On a busy machine the first attempt may end with the timeout.
        let object = world
            .sees(name, &format!("is refused with {said}"), |object| {
                let (status, reason, message) = condition(object, "Ready");
                status == "False" && reason == "OCIArtifactPullFailed" && message.contains(said)
            })
            .await;
        assert!(object.status.unwrap().artifact.is_none());
    }
}

/// `insecure` turns certificate checks off, and a CA certificate turns them on again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn insecure_skips_certificate_check_unless_ca_is_set() {
    let world = Oci::new("oci-bare").await;
    let (registry, digest) = closed(RegistryOptions {
        tls: true,
        ..RegistryOptions::default()
    })
    .await;
    let url = registry.url("app");
    world
        .follow("open", &url, &json!({ "insecure": true }))
        .await;
    let object = world.is_ready("open").await;
    assert_eq!(artifact(&object).revision, format!("latest@{digest}"));
    let stranger = sluice_testkit::devcluster::authority::Authority::new("stranger").unwrap();
    world
        .typed_secret(
            "stranger",
            "Opaque",
            &[("ca.crt", stranger.certificate().as_bytes())],
        )
        .await;
    let spec = json!({ "insecure": true, "certSecretRef": { "name": "stranger" } });
    world.follow("strict", &url, &spec).await;
    world.is_refused("strict", "OCIArtifactPullFailed").await;
}
