//! Failures of an `OCIRepository` and their reports.

use serde_json::json;
use sluice_testkit::Registry;
use sluice_testkit::hostile::HostileRegistry;

use super::{Oci, artifact, condition, layer, push};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_spec_stalls() {
    let world = Oci::new("oci-stalled").await;
    let good = "oci://127.0.0.1:1/app";
    for (name, url, spec, reason, named) in [
        (
            "tagged",
            "oci://127.0.0.1:1/app:v1",
            json!({}),
            "URLInvalid",
            "v1",
        ),
        (
            "upper",
            "oci://127.0.0.1:1/App",
            json!({}),
            "URLInvalid",
            "App",
        ),
        (
            "range",
            good,
            json!({ "ref": { "semver": ">>1" } }),
            "ReadOperationFailed",
            "'>>1'",
        ),
        (
            "filter",
            good,
            json!({ "ref": { "semver": "*", "semverFilter": "(" } }),
            "ReadOperationFailed",
            "spec.ref.semverFilter",
        ),
        (
            "digest",
            good,
            json!({ "ref": { "digest": "sha256:00" } }),
            "OCIArtifactPullFailed",
            "spec.ref.digest",
        ),
        (
            "tag",
            good,
            json!({ "ref": { "tag": "a b" } }),
            "ReadOperationFailed",
            "a b",
        ),
    ] {
        world.follow(name, url, &spec).await;
        let (object, message) = world.is_refused(name, reason).await;
        assert!(message.contains(named), "{name}: {message}");
        assert_eq!(condition(&object, "Stalled").0, "True", "{name}");
        assert_eq!(condition(&object, "FetchFailed").1, reason, "{name}");
        assert_eq!(
            object.status.unwrap().observed_generation,
            Some(1),
            "{name}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_dependency_is_named_and_retried() {
    let (world, registry) = (Oci::new("oci-absent").await, Registry::start().await);
    push(&registry, "app", "v1", &layer(&[("a.yaml", "a: 1\n")])).await;
    let url = registry.url("app");
    for (name, url, spec, reason, named) in [
        (
            "tag",
            &*url,
            json!({}),
            "OCIArtifactPullFailed",
            "/v2/app/manifests/latest: MANIFEST_UNKNOWN: ",
        ),
        (
            "range",
            &*url,
            json!({ "ref": { "semver": "9.x" } }),
            "ReadOperationFailed",
            "no match found for semver: 9.x",
        ),
        (
            "repository",
            &*registry.url("nowhere"),
            json!({ "ref": { "semver": "*" } }),
            "ReadOperationFailed",
            "nowhere",
        ),
        (
            "server",
            "oci://127.0.0.1:1/app",
            json!({ "timeout": "20s" }),
            "OCIArtifactPullFailed",
            "127.0.0.1:1",
        ),
    ] {
        world.follow(name, url, &spec).await;
        let (object, message) = world.is_refused(name, reason).await;
        assert!(message.contains(named), "{name}: {message}");
        assert_eq!(
            condition(&object, "Reconciling").1,
            "ProgressingWithRetry",
            "{name}"
        );
        assert_eq!(condition(&object, "Stalled").0, "", "{name}");
        assert_ne!(
            object.status.unwrap().observed_generation,
            Some(1),
            "{name}"
        );
    }
    push(&registry, "app", "latest", &layer(&[("a.yaml", "a: 1\n")])).await;
    let object = world.is_ready("tag").await;
    assert_eq!(condition(&object, "FetchFailed").0, "");
    push(&registry, "app", "9.1.0", &layer(&[("a.yaml", "a: 1\n")])).await;
    world.is_ready("range").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failure_keeps_artifact_and_recovery_is_reported() {
    let (world, registry) = (Oci::new("oci-keeps").await, HostileRegistry::honest().await);
    registry
        .content()
        .image("latest", "text/plain", layer(&[("a.yaml", "a: 1\n")]));
    world.follow("app", &registry.url("app"), &json!({})).await;
    let before = artifact(&world.is_ready("app").await);
    let kept = registry.content().tags.remove("latest").unwrap();
    world.ask("app").await;
    let (object, _) = world.is_refused("app", "OCIArtifactPullFailed").await;
    assert_eq!(artifact(&object), before);
    assert!(world.storage().join(&before.path).exists());
    assert_eq!(condition(&object, "ArtifactInStorage").0, "True");

    registry.content().tags.insert("latest".to_owned(), kept);
    let object = world.is_ready("app").await;
    assert_eq!(artifact(&object), before);
    world
        .events
        .wait_for("the end of the failure is reported", |event| {
            event.reason == "Succeeded" && event.message.starts_with("stored artifact")
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unsupported_field_is_named_and_keeps_artifact() {
    let (world, registry) = (Oci::new("oci-later").await, Registry::start().await);
    push(&registry, "app", "latest", &layer(&[("a.yaml", "a")])).await;
    world.follow("app", &registry.url("app"), &json!({})).await;
    let before = artifact(&world.is_ready("app").await);
    let as_it_was = json!({ "verify": null, "provider": null, "serviceAccountName": null });
    let verify = |verify: serde_json::Value| json!({ "verify": verify });
    let identities = json!([{ "issuer": "(", "subject": "b" }]);
    for (spec, reason, named) in [
        (
            verify(json!({ "provider": "cosign", "matchOIDCIdentity": identities })),
            "VerificationError",
            "'cosign keyless': spec.verify.matchOIDCIdentity[0]: malformed issuer in identity: (",
        ),
        (
            json!({ "provider": "gcp", "serviceAccountName": "default" }),
            "FeatureGateDisabled",
            "ObjectLevelWorkloadIdentity",
        ),
    ] {
        world.change("app", json!({ "spec": spec })).await;
        let (object, message) = world.is_refused("app", reason).await;
        assert!(message.contains(named), "{spec}: {message}");
        assert_eq!(condition(&object, "Stalled").0, "True", "{spec}");
        assert_eq!(artifact(&object), before, "{spec}");
        assert!(!world.fetch(&object).await.is_empty(), "{spec}");
        world.change("app", json!({ "spec": as_it_was })).await;
        assert_eq!(artifact(&world.is_ready("app").await), before, "{spec}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn proxy_of_object_is_its_only_route() {
    let (world, registry) = (Oci::new("oci-proxy").await, Registry::start().await);
    push(&registry, "app", "latest", &layer(&[("a.yaml", "a")])).await;
    world
        .secret("proxy", &[("address", "http://127.0.0.1:1")])
        .await;
    let through = json!({ "proxySecretRef": { "name": "proxy" } });
    world.follow("app", &registry.url("app"), &through).await;
    let (object, _) = world.is_refused("app", "OCIArtifactPullFailed").await;
    assert!(object.status.unwrap().artifact.is_none());
    let direct = json!({ "spec": { "proxySecretRef": null } });
    world.change("app", direct).await;
    world.is_ready("app").await;
}
