//! Objects in wire form: valid ones round-trip, and an invalid field affects only itself.

use std::fmt::Debug;

use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use sluice_api::{
    event::Event,
    helm::HelmRelease,
    image::{ImagePolicy, ImageRepository, ImageUpdateAutomation},
    kustomize::{DeletionPolicy, Kustomization, SourceKind},
    meta::{Condition, ConditionStatus, Conditions, Duration, Time, ToolkitResource},
    notification::{Alert, Provider, Receiver},
    source::{Bucket, ExternalArtifact, GitRepository, HelmChart, HelmRepository, OciRepository},
    source_watcher::ArtifactGenerator,
};

/// Decodes an object and checks that encoding it gives the same JSON.
#[track_caller]
fn round_trip<T: DeserializeOwned + Serialize + Debug>(object: &Value) -> T {
    let decoded: T = serde_json::from_value(object.clone()).expect("the object decodes");
    let encoded = serde_json::to_value(&decoded).expect("the object encodes");
    assert_eq!(&encoded, object);
    assert_round_trips(&decoded);
    decoded
}

/// Checks that an object decodes from its own text, in which controllers store it.
#[track_caller]
fn assert_round_trips<T: DeserializeOwned + Serialize>(decoded: &T) {
    let text = serde_json::to_vec(decoded).expect("the object encodes");
    let again: T = serde_json::from_slice(&text).expect("the object decodes from its own text");
    assert_eq!(
        serde_json::to_vec(&again).expect("the object encodes"),
        text
    );
}

fn object(api_version: &str, kind: &str, spec: Value, status: Value) -> Value {
    let mut object = json!({
        "apiVersion": api_version,
        "kind": kind,
        "metadata": { "name": "n", "namespace": "ns" },
    });
    object["spec"] = spec;
    if !status.is_null() {
        object["status"] = status;
    }
    object
}

fn condition() -> Value {
    json!({
        "lastTransitionTime": "2024-05-01T10:00:00Z",
        "message": "stored artifact",
        "observedGeneration": 3,
        "reason": "Succeeded",
        "status": "True",
        "type": "Ready",
    })
}

fn artifact() -> Value {
    json!({
        "digest": "sha256:abc",
        "lastUpdateTime": "2024-05-01T10:00:00Z",
        "metadata": { "org.opencontainers.image.source": "here" },
        "path": "gitrepository/ns/n/abc.tar.gz",
        "revision": "main@sha1:abc",
        "size": 12,
        "url": "http://source-controller/abc.tar.gz",
    })
}

#[test]
fn sources_round_trip() {
    let git: GitRepository = round_trip(&object(
        "source.toolkit.fluxcd.io/v1",
        "GitRepository",
        json!({
            "ignore": "",
            "include": [{ "fromPath": "a", "repository": { "name": "other" }, "toPath": "b" }],
            "interval": "1m0s",
            "provider": "github",
            "ref": { "branch": "main", "semver": ">=1" },
            "secretRef": { "name": "git" },
            "sparseCheckout": ["deploy"],
            "suspend": true,
            "timeout": "60s",
            "url": "https://example.com/org/repo",
            "verify": { "mode": "TagAndHEAD", "secretRef": { "name": "keys" } },
        }),
        json!({ "artifact": artifact(), "conditions": [condition()], "observedGeneration": 3 }),
    ));
    assert!(git.suspended());
    assert!(git.conditions().is_true("Ready"));
    assert_eq!(git.observed_generation(), Some(3));
    assert_eq!(
        git.spec.ignore.as_deref(),
        Some(""),
        "an empty list of ignores is not an absent one"
    );

    round_trip::<OciRepository>(&object(
        "source.toolkit.fluxcd.io/v1",
        "OCIRepository",
        json!({
            "interval": "5m",
            "layerSelector": { "mediaType": "a/b", "operation": "copy" },
            "provider": "aws",
            "ref": { "digest": "sha256:abc", "semverFilter": ".*-rc" },
            "url": "oci://example.com/org/app",
            "verify": {
                "matchOIDCIdentity": [{ "issuer": "^i$", "subject": "^s$" }],
                "provider": "cosign",
            },
        }),
        json!({ "observedGeneration": -1 }),
    ));
    round_trip::<Bucket>(&object(
        "source.toolkit.fluxcd.io/v1",
        "Bucket",
        json!({
            "bucketName": "b",
            "endpoint": "s3.example.com",
            "interval": "5m",
            "provider": "aws",
            "sts": { "endpoint": "https://sts.example.com", "provider": "aws" },
        }),
        Value::Null,
    ));
    round_trip::<HelmRepository>(&object(
        "source.toolkit.fluxcd.io/v1",
        "HelmRepository",
        json!({
            "accessFrom": { "namespaceSelectors": [{ "matchLabels": { "a": "b" } }, {}] },
            "type": "oci",
            "url": "oci://example.com/charts",
        }),
        Value::Null,
    ));
    round_trip::<HelmChart>(&object(
        "source.toolkit.fluxcd.io/v1",
        "HelmChart",
        json!({
            "chart": "podinfo",
            "interval": "5m",
            "reconcileStrategy": "Revision",
            "sourceRef": { "kind": "HelmRepository", "name": "podinfo" },
            "version": "*",
        }),
        json!({ "observedChartName": "podinfo", "observedValuesFiles": ["values.yaml"] }),
    ));
    round_trip::<ExternalArtifact>(&object(
        "source.toolkit.fluxcd.io/v1",
        "ExternalArtifact",
        json!({ "sourceRef": { "apiVersion": "v1", "kind": "ConfigMap", "name": "c" } }),
        json!({ "artifact": artifact() }),
    ));
    round_trip::<ArtifactGenerator>(&object(
        "source.extensions.fluxcd.io/v1beta1",
        "ArtifactGenerator",
        json!({
            "artifacts": [{
                "copy": [{ "from": "@git/deploy/**", "strategy": "Merge", "to": "@artifact/" }],
                "name": "app",
            }],
            "sources": [{ "alias": "git", "kind": "GitRepository", "name": "n" }],
        }),
        json!({ "inventory": [{ "digest": "d", "filename": "f", "name": "n", "namespace": "ns" }] }),
    ));
}

#[test]
fn appliers_round_trip() {
    let kustomization: Kustomization = round_trip(&object(
        "kustomize.toolkit.fluxcd.io/v1",
        "Kustomization",
        json!({
            "deletionPolicy": "WaitForTermination",
            "dependsOn": [{ "name": "infra", "readyExpr": "dep.status.ready" }],
            "healthChecks": [{ "apiVersion": "apps/v1", "kind": "Deployment", "name": "d" }],
            "interval": "10m",
            "kubeConfig": { "secretRef": { "key": "k", "name": "kubeconfig" } },
            "patches": [{ "patch": "[]", "target": { "kind": "Deployment" } }],
            "path": "./deploy",
            "postBuild": { "substituteFrom": [{ "kind": "ConfigMap", "name": "vars", "optional": true }] },
            "prune": true,
            "sourceRef": { "kind": "GitRepository", "name": "n" },
            "wait": true,
        }),
        json!({
            "history": [{
                "digest": "sha256:abc",
                "firstReconciled": "2024-05-01T10:00:00Z",
                "lastReconciled": "2024-05-01T11:00:00Z",
                "lastReconciledDuration": "176.163666ms",
                "lastReconciledStatus": "ReconciliationSucceeded",
                "metadata": { "revision": "main@sha1:abc" },
                "totalReconciliations": 7,
            }],
            "inventory": { "entries": [{ "id": "ns_web__Service", "v": "v1" }] },
            "lastAppliedRevision": "main@sha1:abc",
            "lastHandledReconcileAt": "now",
        }),
    ));
    assert_eq!(
        kustomization.spec.deletion_policy,
        Some(DeletionPolicy::WaitForTermination)
    );
    assert_eq!(kustomization.last_handled_reconcile_at(), Some("now"));

    round_trip::<HelmRelease>(&object(
        "helm.toolkit.fluxcd.io/v2",
        "HelmRelease",
        json!({
            "chart": { "spec": {
                "chart": "podinfo",
                "sourceRef": { "kind": "HelmRepository", "name": "podinfo" },
            } },
            "install": { "disableOpenAPIValidation": true, "remediation": { "retries": -1 }, "skipCRDs": true },
            "interval": "10m",
            "maxHistory": 0,
            "values": { "replicas": 2, "nothing": null },
            "valuesFrom": [{ "kind": "Secret", "name": "values", "targetPath": "a.b" }],
        }),
        json!({
            "failures": 2,
            "history": [{
                "chartName": "podinfo", "chartVersion": "6.0.0", "configDigest": "sha256:1",
                "digest": "sha256:2", "firstDeployed": "2024-05-01T10:00:00Z",
                "lastDeployed": "2024-05-01T10:00:00Z", "name": "podinfo", "namespace": "ns",
                "status": "deployed", "testHooks": {}, "version": 1,
            }],
        }),
    ));
}

#[test]
fn notifications_and_images_round_trip() {
    round_trip::<Alert>(&object(
        "notification.toolkit.fluxcd.io/v1beta3",
        "Alert",
        json!({
            "eventSeverity": "error",
            "eventSources": [{ "kind": "Kustomization", "matchLabels": { "team": "a" }, "name": "*" }],
            "providerRef": { "name": "chat" },
        }),
        Value::Null,
    ));
    round_trip::<Provider>(&object(
        "notification.toolkit.fluxcd.io/v1beta3",
        "Provider",
        json!({ "address": "https://example.com", "type": "incident.io" }),
        Value::Null,
    ));
    round_trip::<Receiver>(&object(
        "notification.toolkit.fluxcd.io/v1",
        "Receiver",
        json!({
            "events": ["push"],
            "interval": "10m",
            "oidcProviders": [{
                "issuerURL": "https://issuer.example.com",
                "validations": [{ "expression": "true", "message": "never" }],
            }],
            "resources": [{ "kind": "GitRepository", "name": "n" }],
            "type": "generic-oidc",
        }),
        json!({ "webhookPath": "/hook/abc" }),
    ));
    round_trip::<ImageRepository>(&object(
        "image.toolkit.fluxcd.io/v1",
        "ImageRepository",
        json!({ "exclusionList": [], "image": "example.com/org/app", "interval": "1m" }),
        json!({ "lastScanResult": { "latestTags": ["1"], "scanTime": "2024-05-01T10:00:00Z", "tagCount": 1 } }),
    ));
    round_trip::<ImagePolicy>(&object(
        "image.toolkit.fluxcd.io/v1",
        "ImagePolicy",
        json!({ "imageRepositoryRef": { "name": "app" }, "policy": { "semver": { "range": "*" } } }),
        json!({ "latestRef": { "name": "app", "tag": "1" } }),
    ));
    round_trip::<ImageUpdateAutomation>(&object(
        "image.toolkit.fluxcd.io/v1",
        "ImageUpdateAutomation",
        json!({
            "git": {
                "checkout": { "ref": { "branch": "main" } },
                "commit": { "author": { "email": "bot@example.com" }, "signingKey": { "secretRef": { "name": "k" }, "type": "ssh" } },
                "push": { "branch": "updates", "options": { "ci.skip": "" } },
            },
            "interval": "30m",
            "sourceRef": { "kind": "GitRepository", "name": "n" },
            "update": { "path": "./clusters", "strategy": "Setters" },
        }),
        json!({ "observedPolicies": { "app": { "name": "app", "tag": "1" } } }),
    ));
}

#[test]
fn invalid_fields_decode_and_fail_when_parsed() {
    let stored = object(
        "kustomize.toolkit.fluxcd.io/v1",
        "Kustomization",
        json!({
            "interval": "every now and then",
            "prune": true,
            "retryInterval": 30,
            "sourceRef": { "kind": "FloppyDisk", "name": "n" },
            "deletionPolicy": "Shred",
        }),
        json!({
            "conditions": [{
                "lastTransitionTime": "yesterday", "message": "", "reason": "", "status": "Perhaps", "type": "Ready",
            }],
        }),
    );
    let kustomization: Kustomization = serde_json::from_value(stored).unwrap();
    assert_round_trips(&kustomization);
    let spec = &kustomization.spec;
    assert!(spec.interval.parse().is_err());
    assert_eq!(spec.retry_interval.as_ref().unwrap().as_str(), "30");
    assert!(spec.retry_interval.as_ref().unwrap().parse().is_err());
    assert_eq!(spec.source_ref.kind, SourceKind::Other("FloppyDisk".into()));
    assert_eq!(
        spec.deletion_policy,
        Some(DeletionPolicy::Other("Shred".into()))
    );
    let ready = kustomization.conditions().find("Ready").unwrap();
    assert_eq!(ready.status, ConditionStatus::Other("Perhaps".into()));
    assert!(ready.last_transition_time.parse().is_err());
}

#[test]
fn empty_name_counts_as_absent() {
    let stored = object(
        "kustomize.toolkit.fluxcd.io/v1",
        "Kustomization",
        json!({
            "interval": "1m",
            "prune": true,
            "serviceAccountName": "",
            "sourceRef": { "kind": "GitRepository", "name": "n", "namespace": "" },
            "targetNamespace": null,
        }),
        Value::Null,
    );
    let kustomization: Kustomization = serde_json::from_value(stored).unwrap();
    assert_round_trips(&kustomization);
    assert_eq!(kustomization.spec.service_account_name, None);
    assert_eq!(kustomization.spec.target_namespace, None);
    assert_eq!(kustomization.spec.source_ref.namespace, None);
}

#[test]
fn requested_reconciliation_comes_from_annotation() {
    let mut stored = object(
        "source.toolkit.fluxcd.io/v1",
        "GitRepository",
        json!({ "interval": "1m", "url": "https://example.com" }),
        Value::Null,
    );
    stored["metadata"]["annotations"] = json!({ "reconcile.fluxcd.io/requestedAt": "1" });
    let git: GitRepository = serde_json::from_value(stored).unwrap();
    assert_eq!(git.reconcile_requested_at(), Some("1"));
    assert_eq!(git.last_handled_reconcile_at(), None);
    assert!(git.conditions().is_empty());
}

proptest! {
    #[test]
    fn any_text_round_trips_as_duration_and_time(text in ".*") {
        let wire = Value::String(text);
        prop_assert_eq!(&serde_json::to_value(serde_json::from_value::<Duration>(wire.clone())?)?, &wire);
        prop_assert_eq!(&serde_json::to_value(serde_json::from_value::<Time>(wire.clone())?)?, &wire);
    }

    #[test]
    fn parsing_durations_and_times_never_panics(text in ".*") {
        drop(Duration::new(text.clone()).parse());
        drop(Time::new(text).parse());
    }

    #[test]
    fn computed_durations_round_trip(nanoseconds in 0..=i64::MAX as u64) {
        let duration = std::time::Duration::from_nanos(nanoseconds);
        prop_assert_eq!(Duration::from(duration).parse()?, duration);
    }

    #[test]
    fn events_round_trip(message in ".*", key in "[a-z./]+", value in ".*") {
        let event = Event { message, metadata: [(key, value)].into(), ..Event::default() };
        let text = serde_json::to_string(&event)?;
        prop_assert_eq!(serde_json::from_str::<Event>(&text)?, event);
    }

    #[test]
    fn set_keeps_one_condition_per_type(types in prop::collection::vec("[A-C]", 0..12)) {
        let mut conditions = Conditions::new();
        for type_ in &types {
            let condition = Condition::new(type_, ConditionStatus::True, "Reason", "");
            conditions.set(condition, jiff::Timestamp::UNIX_EPOCH);
        }
        let mut seen: Vec<_> = conditions.iter().map(|condition| condition.type_.clone()).collect();
        let mut expected = types;
        seen.sort();
        expected.sort();
        expected.dedup();
        prop_assert_eq!(seen, expected);
    }
}
