//! Failures of the API server and of watches, and lost sources and kinds.
//!
//! In each test the cluster finally matches the source, and no object is lost. Other tests cover
//! kills of the process.

use std::time::Duration;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::json;
use sluice_client::{DeleteOptions, GroupVersionKind};
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::DeleteParams;
use sluice_testkit::{Fault, When, wait};

use crate::bed::{Bed, config};

const VERBS: [&str; 6] = ["get", "list", "apply", "patch", "create", "delete"];

/// Objects that stay. With this many of one kind, they are listed and not read one by one.
const STEADY: [&str; 10] = ["a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"];

/// Injects a fault for every verb while a revision changes objects, removes one and adds one.
async fn spoiled_by(fault: Fault, times: usize) {
    let (bed, proxy) = Bed::spoiled(&["--min-retry-delay=10ms"]).await;
    let publish = async |revision: &str, other: &str| {
        let names = STEADY.iter().chain([&other]);
        let all: Vec<String> = names.map(|name| config(name, revision)).collect();
        bed.publish(revision, &[("all.yaml", &all.join("---\n"))])
            .await;
    };
    publish("1", "b").await;
    let spec = json!({"retryInterval": "1s", "wait": true});
    bed.kustomization("app", spec).await;
    bed.until_applied("app", "1").await;
    for verb in VERBS {
        proxy.inject(When::any().verb(verb).times(times), fault.clone());
    }
    publish("2", "c").await;
    let status = bed.until_applied("app", "2").await;
    let expected = STEADY.iter().chain([&"c"]);
    let expected: Vec<String> = expected
        .map(|name| format!("NS_{name}__ConfigMap"))
        .collect();
    assert_eq!(bed.inventory(&status), expected, "{fault:?}");
    let kept = STEADY.map(|name| (name, Some("2")));
    for (name, value) in kept.into_iter().chain([("b", None), ("c", Some("2"))]) {
        let found = bed.config_map(name).await;
        let found = found.as_ref().and_then(|map| map["data"]["key"].as_str());
        assert_eq!(found, value, "{name} after {fault:?}");
    }
    let met = |verb| When::any().verb(verb).with_fault(&fault);
    // Events are sent in the background.
    wait::eventually("every verb has met the fault", || async {
        let missing = VERBS.iter().find(|verb| proxy.count(&met(verb)) == 0);
        missing.map_or(Ok(()), |verb| Err(format!("no {verb} met {fault:?}")))
    })
    .await;
    let lists = proxy.count(&met("list").resource("configmaps"));
    assert!(lists > 0, "no list of the objects met {fault:?}");
}

#[tokio::test]
async fn busy_server_is_retried() {
    spoiled_by(Fault::TOO_MANY_REQUESTS, 1).await;
    spoiled_by(Fault::UNAVAILABLE, 2).await;
}

#[tokio::test]
async fn failing_server_is_retried() {
    spoiled_by(Fault::INTERNAL_ERROR, 2).await;
}

#[tokio::test]
async fn hanging_server_is_retried() {
    spoiled_by(Fault::Hang, 1).await;
}

#[tokio::test]
async fn lost_requests_and_responses_are_retried() {
    spoiled_by(Fault::Drop, 2).await;
    spoiled_by(Fault::LoseAnswer, 2).await;
}

#[tokio::test]
async fn duplicate_requests_are_harmless() {
    spoiled_by(Fault::SendTwice, 3).await;
}

#[tokio::test]
async fn relist_recovers_events_of_broken_watches() {
    let (bed, proxy) = Bed::spoiled(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({})).await;
    bed.until_applied("app", "1").await;
    let faults = [
        Fault::Reset,
        // The server has forgotten the resource version, so the watch lists again.
        Fault::GONE,
        Fault::TOO_MANY_REQUESTS,
        Fault::INTERNAL_ERROR,
        Fault::UNAVAILABLE,
    ];
    for (fault, revision) in faults.into_iter().zip(2..) {
        let revision = revision.to_string();
        proxy.forget();
        proxy.inject(When::any().verb("watch").times(4), fault.clone());
        proxy.sever();
        bed.publish(&revision, &[("a.yaml", &config("a", &revision))])
            .await;
        bed.until_applied("app", &revision).await;
        let met = When::any().verb("watch").with_fault(&fault);
        assert!(proxy.count(&met) > 0, "no watch met {fault:?}");
    }
}

#[tokio::test]
async fn duplicate_events_cause_one_run() {
    let (bed, proxy) = Bed::spoiled(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({})).await;
    let before = bed.settled("app", "1").await;
    // Each reconnect repeats an event of every object.
    for _ in 0..3 {
        proxy.inject(When::any().verb("watch").times(2), Fault::GONE);
        proxy.cut_watches();
    }
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.request("app", "now").await;
    let after = bed.until_handled("app", "now").await;
    let runs = after.history[0].total_reconciliations - before.history[0].total_reconciliations;
    assert_eq!(runs, 1, "only the request causes a run");
}

#[tokio::test]
async fn requested_run_reads_source_past_stale_watch() {
    let (bed, proxy) = Bed::hindered(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({})).await;
    bed.until_applied("app", "1").await;
    let sources = When::any().resource("gitrepositories");
    let sources = sources.and(|call| ["watch", "list"].contains(&call.verb));
    proxy.inject(sources, Fault::Hang);
    proxy.sever();
    bed.publish("2", &[("a.yaml", &config("a", "2"))]).await;
    bed.request("app", "now").await;
    let status = bed.until_handled("app", "now").await;
    assert_eq!(status.last_applied_revision.as_deref(), Some("2"));
    // A later run without a request does not fall back to the watch's version.
    bed.kustomization("app", json!({"timeout": "50s"})).await;
    let status = bed
        .until("app", "was looked at after the edit", |status| {
            status.observed_generation == Some(2) && status.conditions.is_true("Ready")
        })
        .await;
    assert_eq!(status.last_applied_revision.as_deref(), Some("2"));
    assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "2");
}

#[tokio::test]
async fn deleted_source_keeps_applied_objects() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({})).await;
    bed.until_applied("app", "1").await;
    let source = GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", "GitRepository");
    bed.cluster
        .delete(
            &source,
            Some(&bed.namespace),
            "source",
            &DeleteOptions::default(),
        )
        .await
        .unwrap();
    bed.request("app", "look").await;
    let message = bed.until_failed("app", "ArtifactFailed").await;
    assert_eq!(
        message,
        "GitRepository.source.toolkit.fluxcd.io \"source\" not found"
    );
    let status = bed.until_handled("app", "look").await;
    assert_eq!(bed.inventory(&status), ["NS_a__ConfigMap"]);
    assert_eq!(status.last_applied_revision.as_deref(), Some("1"));
    assert!(bed.config_map("a").await.is_some());
    bed.publish("2", &[("a.yaml", &config("a", "2"))]).await;
    bed.until_applied("app", "2").await;
}

#[tokio::test]
async fn unreadable_source_or_dependency_is_reported_and_retried() {
    const FORBIDDEN: Fault = Fault::Answer {
        status: 403,
        retry_after: None,
    };
    let flags = [
        "--feature-gates=DirectSourceFetch=true",
        "--min-retry-delay=10ms",
        "--max-retry-delay=1s",
    ];
    let (bed, proxy) = Bed::hindered(&flags).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    for (name, spec) in [
        ("base", json!({})),
        ("app", json!({"dependsOn": [{"name": "base"}]})),
    ] {
        bed.kustomization(name, spec).await;
        bed.until_applied(name, "1").await;
    }
    let reads = |resource, name| When::any().verb("get").resource(resource).name(name);

    proxy.inject(reads("gitrepositories", "source"), FORBIDDEN);
    bed.request("app", "without the source").await;
    let status = bed.until_handled("app", "without the source").await;
    let ready = status.conditions.find("Ready").unwrap();
    let lead = format!("unable to get source '{}/source': ", bed.namespace);
    assert!(
        ready.is_false() && ready.reason == "ArtifactFailed" && ready.message.starts_with(&lead),
        "{ready:?}"
    );
    proxy.clear();
    bed.until_applied("app", "1").await;

    proxy.inject(reads("kustomizations", "base"), FORBIDDEN);
    bed.request("app", "without the dependency").await;
    let status = bed.until_handled("app", "without the dependency").await;
    let ready = status.conditions.find("Ready").unwrap();
    let lead = format!("dependency '{}/base' not found: ", bed.namespace);
    assert!(
        ready.is_false()
            && ready.reason == "DependencyNotReady"
            && ready.message.starts_with(&lead),
        "{ready:?}"
    );
    let text = "Dependencies do not meet ready condition, retrying in 30s";
    bed.until_event("app", "DependencyNotReady", text).await;
    proxy.clear();
    bed.request("app", "with all of it").await;
    bed.until_handled("app", "with all of it").await;
    bed.until_applied("app", "1").await;
}

#[tokio::test]
async fn kind_deleted_during_apply_returns_with_next_run() {
    let (bed, proxy) = Bed::hindered(&[]).await;
    let group = format!("{}.example.com", bed.namespace);
    let definition = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: gadgets.{group}}}\n\
         spec:\n  group: {group}\n  scope: Namespaced\n  names: {{kind: Gadget, plural: gadgets, singular: gadget, listKind: GadgetList}}\n  \
         versions:\n  - name: v1\n    served: true\n    storage: true\n    schema: {{openAPIV3Schema: {{type: object, x-kubernetes-preserve-unknown-fields: true}}}}\n"
    );
    let gadget = format!(
        "apiVersion: {group}/v1\nkind: Gadget\nmetadata: {{name: g, namespace: NAMESPACE}}\n"
    );
    let applies = || {
        When::any()
            .verb("apply")
            .resource("gadgets")
            .and(|call| !call.dry_run)
    };
    proxy.inject(applies().times(1), Fault::Delay(Duration::from_secs(12)));
    bed.publish("1", &[("d.yaml", &definition), ("g.yaml", &gadget)])
        .await;
    bed.kustomization("app", json!({})).await;
    wait::eventually("the apply is on its way", || async {
        match proxy.count(&applies()) {
            0 => Err("not yet".to_owned()),
            _ => Ok(()),
        }
    })
    .await;
    let definitions: Api<CustomResourceDefinition> = Api::all(bed.cluster.client().clone());
    let name = format!("gadgets.{group}");
    definitions
        .delete(&name, &DeleteParams::default())
        .await
        .unwrap();
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    assert!(message.contains("Gadget/"), "{message}");
    let status = bed.status("app").await;
    assert_eq!(
        status.inventory.map(|inventory| inventory.entries.len()),
        Some(2)
    );
    bed.request("app", "again").await;
    bed.until_applied("app", "1").await;
    let gadget = GroupVersionKind::gvk(&group, "v1", "Gadget");
    assert!(bed.get(&gadget, "g").await.is_some());
    let api = bed.kustomizations();
    api.delete("app", &DeleteParams::default()).await.unwrap();
    wait::gone(&api, "app").await;
}
