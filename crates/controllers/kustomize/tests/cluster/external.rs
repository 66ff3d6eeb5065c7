//! `ExternalArtifact` sources and their feature gate.

use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_digest::Algorithm;

use crate::bed::{Bed, archive, config};

const GATE: &str = "--feature-gates=ExternalArtifact=true";

/// Creates or updates `ExternalArtifact/made` without an artifact.
async fn declare(bed: &Bed) {
    let object = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "ExternalArtifact",
        "metadata": {"name": "made"},
        "spec": {"sourceRef": {"apiVersion": "example.com/v1", "kind": "Maker", "name": "maker"}},
    });
    bed.apply(&object).await;
}

/// Publishes an artifact with a config map `a` of this value.
async fn make(bed: &Bed, revision: &str, value: &str) {
    declare(bed).await;
    let text = config("a", value).replace("NAMESPACE", &bed.namespace);
    let archive = archive(&[("a.yaml", &text)]);
    let digest = Algorithm::Sha256.digest(&archive).to_string();
    let mut artifact = bed.offer(revision, archive, &digest);
    artifact["metadata"] =
        json!({"org.opencontainers.image.revision": format!("{revision} of its origin")});
    bed.advertise("ExternalArtifact", "made", &artifact).await;
}

fn follows() -> Value {
    json!({"sourceRef": {"kind": "ExternalArtifact", "name": "made"}})
}

#[tokio::test]
async fn external_artifact_is_applied_and_update_wakes_object() {
    let bed = Bed::start(&[GATE]).await;
    bed.kustomization("app", follows()).await;
    assert_eq!(
        bed.until_failed("app", "ArtifactFailed").await,
        "ExternalArtifact.source.toolkit.fluxcd.io \"made\" not found"
    );
    make(&bed, "latest@sha256:1", "1").await;
    let status = bed.until_applied("app", "latest@sha256:1").await;
    assert_eq!(bed.inventory(&status), ["NS_a__ConfigMap"]);
    assert_eq!(
        status.last_applied_origin_revision.as_deref(),
        Some("latest@sha256:1 of its origin")
    );
    // The interval is one hour, so only the watch can start this run.
    make(&bed, "latest@sha256:2", "2").await;
    bed.until_applied("app", "latest@sha256:2").await;
    assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "2");
}

#[tokio::test]
async fn external_artifact_without_content_waits() {
    let bed = Bed::start(&[GATE, "--requeue-dependency=1h"]).await;
    declare(&bed).await;
    bed.kustomization("app", follows()).await;
    assert_eq!(
        bed.until_failed("app", "ArtifactFailed").await,
        "Source artifact not found, retrying in 1h0m0s"
    );
    make(&bed, "1", "1").await;
    bed.until_applied("app", "1").await;
}

#[tokio::test]
async fn closed_gate_refuses_source_and_keeps_objects() {
    let mut bed = Bed::start(&[GATE]).await;
    make(&bed, "1", "1").await;
    bed.kustomization("app", follows()).await;
    bed.until_applied("app", "1").await;

    bed.restart(&[]).await;
    let refusal = format!(
        "can't access 'ExternalArtifact/{}/made', ExternalArtifact feature gate is disabled",
        bed.namespace
    );
    assert_eq!(bed.until_failed("app", "AccessDenied").await, refusal);
    let status = bed
        .until("app", "is stalled", |status| {
            let stalled = status.conditions.find("Stalled");
            stalled.is_some_and(|stalled| stalled.reason == "AccessDenied")
        })
        .await;
    assert_eq!(bed.inventory(&status), ["NS_a__ConfigMap"]);
    assert!(bed.config_map("a").await.is_some());
    bed.until_event("app", "AccessDenied", &refusal).await;
}

#[tokio::test]
async fn cross_namespace_external_artifact_is_refused() {
    let bed = Bed::start(&[GATE, "--no-cross-namespace-refs"]).await;
    let source = json!({"kind": "ExternalArtifact", "name": "made", "namespace": "elsewhere"});
    bed.kustomization("app", json!({"sourceRef": source})).await;
    assert_eq!(
        bed.until_failed("app", "AccessDenied").await,
        "can't access 'ExternalArtifact/elsewhere/made', cross-namespace references have been blocked"
    );
}

#[tokio::test]
async fn external_artifact_can_be_fetched_directly() {
    let gates = "--feature-gates=ExternalArtifact=true,DirectSourceFetch=true";
    let bed = Bed::start(&[gates]).await;
    make(&bed, "1", "1").await;
    bed.kustomization("app", follows()).await;
    bed.until_applied("app", "1").await;
}

#[tokio::test]
async fn external_artifact_with_wrong_digest_is_refused() {
    let bed = Bed::start(&[GATE]).await;
    declare(&bed).await;
    let text = config("a", "1").replace("NAMESPACE", &bed.namespace);
    let promised = Algorithm::Sha256.digest(b"something else").to_string();
    let artifact = bed.offer("1", archive(&[("a.yaml", &text)]), &promised);
    bed.advertise("ExternalArtifact", "made", &artifact).await;
    bed.kustomization("app", follows()).await;
    let message = bed.until_failed("app", "ArtifactFailed").await;
    assert!(message.contains(&promised), "{message}");
    assert!(bed.config_map("a").await.is_none());
}

#[tokio::test]
async fn external_artifact_needs_no_source_ref() {
    let bed = Bed::start(&[GATE]).await;
    make(&bed, "1", "1").await;
    let gvk = GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", "ExternalArtifact");
    let bare = json!({"spec": {"sourceRef": null}});
    let options = PatchOptions::default();
    bed.cluster
        .merge(&gvk, Some(&bed.namespace), "made", &bare, options)
        .await
        .unwrap();
    bed.kustomization("app", follows()).await;
    bed.until_applied("app", "1").await;
}
