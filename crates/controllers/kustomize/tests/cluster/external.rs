//! Artifacts that a third party made: `ExternalArtifact`, behind its gate.

use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_digest::Algorithm;

use crate::bed::{Bed, archive, config};

const GATE: &str = "--feature-gates=ExternalArtifact=true";

/// Creates or updates `ExternalArtifact/made`, as its maker does, without an artifact yet.
async fn declare(bed: &Bed) {
    let object = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "ExternalArtifact",
        "metadata": {"name": "made"},
        "spec": {"sourceRef": {"apiVersion": "example.com/v1", "kind": "Maker", "name": "maker"}},
    });
    bed.apply(&object).await;
}

/// Gives it an artifact of one config map `a` with this value.
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
async fn a_third_partys_artifact_is_applied_and_its_next_revision_wakes_who_follows_it() {
    let bed = Bed::start(&[GATE]).await;
    bed.kustomization("app", follows()).await;
    assert_eq!(
        bed.until_failed("app", "ArtifactFailed").await,
        "Source 'ExternalArtifact/made' not found"
    );
    make(&bed, "latest@sha256:1", "1").await;
    let status = bed.until_applied("app", "latest@sha256:1").await;
    assert_eq!(bed.inventory(&status), ["NS_a__ConfigMap"]);
    assert_eq!(
        status.last_applied_origin_revision.as_deref(),
        Some("latest@sha256:1 of its origin")
    );
    // Its interval is an hour: nothing but the watch can have told.
    make(&bed, "latest@sha256:2", "2").await;
    bed.until_applied("app", "latest@sha256:2").await;
    assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "2");
}

#[tokio::test]
async fn one_without_an_artifact_is_waited_for() {
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
async fn behind_a_closed_gate_it_is_refused_and_what_was_applied_stays() {
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
async fn in_another_namespace_it_is_refused_where_references_stay_at_home() {
    let bed = Bed::start(&[GATE, "--no-cross-namespace-refs"]).await;
    let source = json!({"kind": "ExternalArtifact", "name": "made", "namespace": "elsewhere"});
    bed.kustomization("app", json!({"sourceRef": source})).await;
    assert_eq!(
        bed.until_failed("app", "AccessDenied").await,
        "can't access 'ExternalArtifact/elsewhere/made', cross-namespace references have been blocked"
    );
}

#[tokio::test]
async fn it_can_be_read_from_the_server_at_each_run() {
    let gates = "--feature-gates=ExternalArtifact=true,DirectSourceFetch=true";
    let bed = Bed::start(&[gates]).await;
    make(&bed, "1", "1").await;
    bed.kustomization("app", follows()).await;
    bed.until_applied("app", "1").await;
}

#[tokio::test]
async fn bytes_that_are_not_what_its_maker_promised_are_not_applied() {
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
async fn a_spec_that_names_no_maker_is_an_artifact_as_well() {
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
