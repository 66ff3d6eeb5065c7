//! Effects of feature gates, and rejection of unknown ones.

use k8s_openapi::api::apps::v1::Deployment;
use serde_json::{Value, json};
use sluice_client::GroupVersionKind;
use sluice_testkit::kube::Api;
use sluice_testkit::wait;

use crate::bed::{self, Bed, config, deployment};

fn gate(name: &str) -> String {
    format!("--feature-gates={name}=true")
}

async fn applied(flags: &[&str], spec: Value) -> Bed {
    let bed = Bed::start(flags).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", spec).await;
    bed.until_applied("app", "1").await;
    bed
}

/// Requests one more run and returns the API requests of the controller.
async fn requests_of_run(bed: &Bed) -> Vec<String> {
    let mark = bed.mark().await;
    bed.request("app", "look").await;
    bed.until_handled("app", "look").await;
    bed.asked(mark).await
}

#[tokio::test]
async fn unknown_gate_prevents_start() {
    let error = bed::refused(&["--feature-gates=NoSuchGate=true"]).await;
    assert_eq!(error, "feature-gate 'NoSuchGate' not supported");
    let flag = "--default-decryption-service-account=someone";
    let error = bed::refused(&[flag]).await;
    assert!(error.contains("ObjectLevelWorkloadIdentity"), "{error}");
}

#[tokio::test]
async fn direct_source_fetch_reads_the_source_for_each_run() {
    let gate = gate("DirectSourceFetch");
    for (flags, is_read) in [(vec![], false), (vec![gate.as_str()], true)] {
        let bed = applied(&flags, json!({})).await;
        // A requested run would read the source in any case.
        let mark = bed.mark().await;
        bed.publish("2", &[("a.yaml", &config("a", "2"))]).await;
        bed.until_applied("app", "2").await;
        let asked = bed.asked(mark).await;
        let read = "get gitrepositories".to_owned();
        assert_eq!(asked.contains(&read), is_read, "{flags:?}");
    }
}

#[tokio::test]
async fn disabled_config_watchers_leave_configs_unwatched() {
    for (flags, watches) in [(vec![], true), (vec![gate("DisableConfigWatchers")], false)] {
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let testbed = sluice_testkit::cluster().await;
        let client = testbed.client().await;
        let mark = testbed.audit().mark(&client).await;
        let bed = applied(&flags, json!({})).await;
        let asked = bed.asked(mark).await;
        for resource in ["secrets", "configmaps"] {
            let watched = asked.contains(&format!("watch {resource}"));
            assert_eq!(watched, watches, "{resource} {flags:?}");
        }
    }
}

#[tokio::test]
async fn cache_secrets_and_config_maps_reads_them_once() {
    let spec = json!({"postBuild": {"substituteFrom": [{"kind": "Secret", "name": "v"}]}});
    for (flags, reads) in [
        (vec![], true),
        (vec![gate("CacheSecretsAndConfigMaps")], false),
    ] {
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let bed = Bed::start(&flags).await;
        bed.secret("v", json!({"a": "b"}), false).await;
        bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
        bed.kustomization("app", spec.clone()).await;
        bed.until_applied("app", "1").await;
        // The cache fills after the first read, so the check repeats.
        let settled = async || {
            let asked = requests_of_run(&bed)
                .await
                .contains(&"get secrets".to_owned());
            if asked == reads {
                Ok(())
            } else {
                Err(format!("reads the Secret: {asked}"))
            }
        };
        let mut tries = 0;
        wait::eventually("the run matches the gate", || {
            tries += 1;
            let token = format!("look {tries}");
            let (bed, settled) = (&bed, &settled);
            async move {
                bed.request("app", &token).await;
                bed.until_handled("app", &token).await;
                settled().await
            }
        })
        .await;
    }
}

#[tokio::test]
async fn migrate_api_version_rewrites_managed_fields() {
    for (flags, migrates) in [(vec![], false), (vec![gate("MigrateAPIVersion")], true)] {
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let bed = Bed::start(&flags).await;
        let group = format!("{}.example.com", bed.namespace);
        let version = |name: &str, stored: bool| {
            json!({"name": name, "served": true, "storage": stored, "schema": {"openAPIV3Schema": {
                "type": "object", "x-kubernetes-preserve-unknown-fields": true}}})
        };
        bed.apply(&json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": format!("gadgets.{group}")},
            "spec": {"group": group, "scope": "Namespaced",
                "names": {"kind": "Gadget", "plural": "gadgets", "singular": "gadget", "listKind": "GadgetList"},
                "versions": [version("v1", true), version("v2", false)]}}))
            .await;
        let gvk = |version: &str| GroupVersionKind::gvk(&group, version, "Gadget");
        wait::eventually("the kind is served", || async {
            bed.cluster
                .resolve(&gvk("v1"))
                .await
                .map(drop)
                .map_err(|error| error.to_string())
        })
        .await;
        bed.apply(
            &json!({"apiVersion": format!("{group}/v1"), "kind": "Gadget",
            "metadata": {"name": "g", "annotations": {"by": "test"}}}),
        )
        .await;
        let manifest = format!(
            "apiVersion: {group}/v2\nkind: Gadget\nmetadata: {{name: g, namespace: NAMESPACE}}\nspec: {{size: 1}}\n"
        );
        bed.publish("1", &[("g.yaml", &manifest)]).await;
        bed.kustomization("app", json!({})).await;
        bed.until_applied("app", "1").await;
        let live = bed.get(&gvk("v2"), "g").await.unwrap();
        let entries = live["metadata"]["managedFields"].as_array().unwrap();
        let old = entries
            .iter()
            .any(|entry| entry["apiVersion"] == format!("{group}/v1"));
        assert_eq!(old, !migrates);
    }
}

#[tokio::test]
async fn missing_variable_is_empty_without_strict_gate() {
    let spec = json!({"postBuild": {"substitute": {"a": "b"}}});
    let manifest = config("a", "x${missing}");
    let bed = Bed::start(&["--feature-gates=StrictPostBuildSubstitutions=false"]).await;
    bed.publish("1", &[("a.yaml", &manifest)]).await;
    bed.kustomization("app", spec.clone()).await;
    bed.until_applied("app", "1").await;
    assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "x");
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &manifest)]).await;
    bed.kustomization("app", spec).await;
    let message = bed.until_failed("app", "BuildFailed").await;
    assert!(
        message.contains("variable not set (strict mode)"),
        "{message}"
    );
}

/// Health checks of these objects in the bed's namespace.
fn checks(bed: &Bed, names: &[(&str, &str, &str)]) -> Value {
    let checks = names.iter().map(|(api_version, kind, name)| {
        json!({"apiVersion": api_version, "kind": kind, "name": name, "namespace": bed.namespace})
    });
    Value::Array(checks.collect())
}

#[tokio::test]
async fn disabled_fail_fast_waits_for_other_objects() {
    let bed = Bed::start(&[&gate("DisableFailFastBehavior")]).await;
    bed.publish("1", &[("d.yaml", &deployment("web", 1))]).await;
    let (web, awaited) = (
        ("apps/v1", "Deployment", "web"),
        ("v1", "ConfigMap", "awaited"),
    );
    let both = json!({"healthChecks": checks(&bed, &[web, awaited]), "timeout": "1h"});
    bed.kustomization("app", both).await;
    let deployments: Api<Deployment> =
        Api::namespaced(bed.cluster.client().clone(), &bed.namespace);
    wait::exists(&deployments, "web").await;
    // The witness fails with the Deployment, while `app` has to wait for the other object.
    let one = json!({"path": "none", "healthChecks": checks(&bed, &[web]), "timeout": "1h"});
    bed.publish(
        "2",
        &[("d.yaml", &deployment("web", 1)), ("none/README", "")],
    )
    .await;
    bed.kustomization("witness", one).await;
    bed.until_failed("witness", "HealthCheckFailed").await;
    let status = bed.status("app").await;
    assert!(
        !status.conditions.is_false("Ready"),
        "{:?}",
        status.conditions
    );
    bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "awaited"}}))
        .await;
    let message = bed.until_failed("app", "HealthCheckFailed").await;
    assert!(message.contains("/web status: 'Failed'"), "{message}");
}

/// A bed with a Kustomization that waits for a missing object.
async fn waiting(flags: &[&str]) -> Bed {
    let bed = Bed::start(flags).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    let awaited = ("v1", "ConfigMap", "awaited");
    bed.kustomization(
        "app",
        json!({"healthChecks": checks(&bed, &[awaited]), "timeout": "1h"}),
    )
    .await;
    bed.until("app", "waits for health", |status| {
        status
            .conditions
            .find("Healthy")
            .is_some_and(|found| found.reason == "Progressing")
    })
    .await;
    bed
}

#[tokio::test]
async fn new_revision_cancels_health_check() {
    let bed = waiting(&[&gate("CancelHealthCheckOnNewRevision")]).await;
    bed.publish("2", &[("a.yaml", &config("a", "2"))]).await;
    bed.until_config_map("a", "is of the new revision", |map| {
        map.data.as_ref().is_some_and(|data| data["key"] == "2")
    })
    .await;
    let origin = format!("GitRepository/{}/source", bed.namespace);
    let text = format!("Health checks canceled due to new reconciliation triggered by {origin}");
    bed.until_event("app", "HealthCheckCanceled", &text).await;
    let status = bed.status("app").await;
    let cancelled = status
        .history
        .iter()
        .any(|snapshot| snapshot.last_reconciled_status == "HealthCheckFailed");
    assert!(!cancelled, "a cancelled check is not a failed one");
}

#[tokio::test]
async fn health_check_continues_without_gate() {
    let bed = waiting(&[]).await;
    bed.publish(
        "2",
        &[
            ("a.yaml", &config("a", "2")),
            ("w/w.yaml", &config("w", "2")),
        ],
    )
    .await;
    // The witness has the same source, so the event was handled once it is applied.
    bed.kustomization("witness", json!({"path": "w"})).await;
    bed.until_applied("witness", "2").await;
    assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "1");
    bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "awaited"}}))
        .await;
    bed.until_applied("app", "2").await;
}

#[tokio::test]
async fn direct_source_fetch_reads_sources_of_every_kind() {
    for (kind, version, resource, spec) in [
        (
            "OCIRepository",
            "v1",
            "ocirepositories",
            json!({"interval": "1h", "url": "oci://example.com/a"}),
        ),
        (
            "Bucket",
            "v1",
            "buckets",
            json!({"interval": "1h", "endpoint": "example.com", "bucketName": "a"}),
        ),
    ] {
        let bed = Bed::start(&[&gate("DirectSourceFetch")]).await;
        bed.kustomization("app", json!({"sourceRef": {"kind": kind, "name": "other"}}))
            .await;
        let message = bed.until_failed("app", "ArtifactFailed").await;
        assert_eq!(
            message,
            format!("{kind}.source.toolkit.fluxcd.io \"other\" not found")
        );
        let archive = crate::bed::archive(&[(
            "a.yaml",
            &config("a", "1").replace("NAMESPACE", &bed.namespace),
        )]);
        let digest = sluice_digest::Algorithm::Sha256.digest(&archive);
        bed.apply(
            &json!({"apiVersion": format!("source.toolkit.fluxcd.io/{version}"), "kind": kind,
            "metadata": {"name": "other"}, "spec": spec}),
        )
        .await;
        let artifact = bed.offer("1", archive.clone(), &digest.to_string());
        bed.advertise(kind, "other", &artifact).await;
        bed.until_applied("app", "1").await;
        let mark = bed.mark().await;
        let artifact = bed.offer("2", archive, &digest.to_string());
        bed.advertise(kind, "other", &artifact).await;
        bed.until_applied("app", "2").await;
        let read = format!("get {resource}");
        let asked = bed.asked(mark).await;
        assert!(asked.contains(&read), "{asked:?}");
    }
}
