//! Defaults that are safer than in the reference, and the public interface of object markers and
//! events.

use serde_json::{Value, json};
use sluice_client::GroupVersionKind;
use sluice_testkit::kube;
use sluice_testkit::{self as testkit, EventSink, Fault, When, wait};

use crate::bed::{Bed, config, deployment};

fn service(port: u32) -> String {
    format!(
        "apiVersion: v1\nkind: Service\nmetadata: {{name: s, namespace: NAMESPACE}}\nspec: {{ports: [{{port: {port}}}]}}\n"
    )
}

fn job(image: &str, annotations: &str) -> String {
    format!(
        "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: j, namespace: NAMESPACE, annotations: {{{annotations}}}}}\n\
         spec: {{template: {{spec: {{restartPolicy: Never, nodeSelector: {{no: where}}, containers: [{{name: a, image: {image}}}]}}}}}}\n"
    )
}

async fn uid(bed: &Bed, gvk: &GroupVersionKind, name: &str) -> Value {
    bed.get(gvk, name).await.unwrap()["metadata"]["uid"].clone()
}

#[tokio::test]
async fn force_recreates_immutable_but_keeps_invalid_objects() {
    let bed = Bed::start(&[]).await;
    let (services, jobs) = (
        GroupVersionKind::gvk("", "v1", "Service"),
        GroupVersionKind::gvk("batch", "v1", "Job"),
    );
    bed.publish(
        "1",
        &[
            ("s.yaml", &service(80)),
            ("j.yaml", &job("example.com/a", "")),
        ],
    )
    .await;
    bed.kustomization("app", json!({"force": true})).await;
    bed.until_applied("app", "1").await;
    let (kept, gone) = (uid(&bed, &services, "s").await, uid(&bed, &jobs, "j").await);

    bed.publish(
        "2",
        &[
            ("s.yaml", &service(99_999)),
            ("j.yaml", &job("example.com/a", "")),
        ],
    )
    .await;
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    assert!(
        message.contains("/s dry-run failed (Invalid): "),
        "{message}"
    );
    assert_eq!(uid(&bed, &services, "s").await, kept);

    bed.publish(
        "3",
        &[
            ("s.yaml", &service(80)),
            ("j.yaml", &job("example.com/b", "")),
        ],
    )
    .await;
    bed.until_applied("app", "3").await;
    assert_ne!(
        uid(&bed, &jobs, "j").await,
        gone,
        "a changed Job is recreated"
    );
    assert_eq!(uid(&bed, &services, "s").await, kept);
}

#[tokio::test]
async fn force_annotation_recreates_only_its_object() {
    let bed = Bed::start(&[]).await;
    let jobs = GroupVersionKind::gvk("batch", "v1", "Job");
    bed.publish("1", &[("j.yaml", &job("example.com/a", ""))])
        .await;
    bed.kustomization("app", json!({})).await;
    bed.until_applied("app", "1").await;
    let first = uid(&bed, &jobs, "j").await;
    bed.publish("2", &[("j.yaml", &job("example.com/b", ""))])
        .await;
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    assert!(message.contains("field is immutable"), "{message}");
    assert_eq!(uid(&bed, &jobs, "j").await, first);
    let asks = job(
        "example.com/b",
        "kustomize.toolkit.fluxcd.io/force: enabled",
    );
    bed.publish("3", &[("j.yaml", &asks)]).await;
    bed.until_applied("app", "3").await;
    assert_ne!(uid(&bed, &jobs, "j").await, first);
}

#[tokio::test]
async fn failed_apply_records_objects_for_later_prune() {
    let (bed, proxy) = Bed::spoiled(&[]).await;
    let refused = When::any()
        .verb("apply")
        .name("b")
        .and(|call| !call.dry_run);
    proxy.inject(refused, Fault::INTERNAL_ERROR);
    bed.publish(
        "1",
        &[("a.yaml", &config("a", "1")), ("b.yaml", &config("b", "1"))],
    )
    .await;
    bed.kustomization("app", json!({})).await;
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    let expected = format!("ConfigMap/{}/a created\n", bed.namespace);
    assert!(
        message.contains("/b apply failed: ") && message.ends_with(&expected),
        "{message}"
    );
    let status = bed.status("app").await;
    assert!(
        bed.inventory(&status)
            .contains(&"NS_a__ConfigMap".to_owned()),
        "{status:?}"
    );
    assert!(bed.config_map("a").await.is_some());

    proxy.clear();
    bed.publish("2", &[("c.yaml", &config("c", "1"))]).await;
    let status = bed.until_applied("app", "2").await;
    assert_eq!(bed.inventory(&status), ["NS_c__ConfigMap"]);
    assert!(
        bed.config_map("a").await.is_none(),
        "found in the inventory and deleted"
    );
}

#[tokio::test]
async fn all_refusals_are_reported_at_once_in_order() {
    let bed = Bed::start(&[]).await;
    let bad = |name: &str| service(99_999).replace("name: s", &format!("name: {name}"));
    bed.publish("1", &[("a.yaml", &bad("b")), ("b.yaml", &bad("a"))])
        .await;
    bed.kustomization("app", json!({})).await;
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    let at = |name: &str| message.find(&format!("/{name} dry-run failed (Invalid): "));
    assert!(at("a").is_some() && at("a") < at("b"), "{message}");
}

#[tokio::test]
async fn second_tenant_run_repeats_no_discovery() {
    let (bed, proxy) = Bed::spoiled(&[]).await;
    let ns = bed.namespace.clone();
    bed.account("deployer").await;
    bed.permit("deployer").await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({"serviceAccountName": "deployer"}))
        .await;
    bed.until_applied("app", "1").await;
    proxy.forget();
    bed.request("app", "again").await;
    bed.until_handled("app", "again").await;
    let discovery = When::any().and(|call| call.resource.is_empty());
    assert_eq!(proxy.count(&discovery), 0, "{:?}", proxy.calls());
    let objects = || {
        When::any()
            .resource("configmaps")
            .and(|call| call.verb != "watch")
    };
    let account = format!("system:serviceaccount:{ns}:deployer");
    let as_tenant = objects().and(move |call| call.impersonated == account);
    assert!(proxy.count(&as_tenant) > 0);
    assert_eq!(
        proxy.count(&as_tenant),
        proxy.count(&objects()),
        "no request without impersonation"
    );
}

#[tokio::test]
async fn requests_for_tenant_objects_are_impersonated() {
    let bed = Bed::start(&[]).await;
    let ns = bed.namespace.clone();
    bed.account("deployer").await;
    bed.permit("deployer").await;
    // Kinds that the controller does not use itself.
    let web = deployment("web", 600).replace("replicas: 1", "replicas: 0");
    let files = [
        ("app/s.yaml", service(80)),
        ("app/j.yaml", job("example.com/a", "")),
        ("app/d.yaml", web),
    ];
    let files = files.each_ref().map(|(path, text)| (*path, text.as_str()));
    bed.publish("1", &files).await;
    let mark = bed.mark().await;
    let checks = json!([
        {"kind": "Deployment", "name": "web", "namespace": ns},
        {"apiVersion": "v1", "kind": "Service", "name": "late", "namespace": ns},
    ]);
    bed.kustomization(
        "app",
        json!({"path": "app", "serviceAccountName": "deployer", "healthChecks": checks,
            "force": true, "deletionPolicy": "WaitForTermination"}),
    )
    .await;
    // The health check watches an object that did not exist at its first read.
    let is_missed = |entry: &testkit::audit::Entry| entry.verb == "get" && entry.name == "late";
    wait::eventually("the object is read", async || {
        bed.mark().await;
        if bed.testbed.audit().since(mark).iter().any(is_missed) {
            Ok(())
        } else {
            Err(String::new())
        }
    })
    .await;
    let ports = json!({"ports": [{"port": 80}]});
    bed.apply(
        &json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "late"}, "spec": ports}),
    )
    .await;
    bed.until_applied("app", "1").await;

    // Drift, a recreated object, a pruned object, and the removal of all.
    let edit = json!({"ports": [{"port": 80, "name": "theirs"}]});
    bed.apply(
        &json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}, "spec": edit}),
    )
    .await;
    let changed = job("example.com/b", "");
    let files = [("app/j.yaml", changed.as_str()), files[2]];
    bed.publish("2", &files).await;
    bed.until_applied("app", "2").await;
    let api = bed.kustomizations();
    api.delete("app", &kube::api::DeleteParams::default())
        .await
        .unwrap();
    wait::gone(&api, "app").await;
    bed.mark().await;

    let account = format!("system:serviceaccount:{ns}:deployer");
    let resources = ["services", "jobs", "deployments", "replicasets", "pods"];
    let asked: Vec<_> = bed
        .testbed
        .audit()
        .since(mark)
        .into_iter()
        .filter(|entry| entry.user == bed.user)
        // Discovery and schemas have no resource; the tenant is the first to need them.
        .filter(|entry| resources.contains(&&*entry.resource) || entry.resource.is_empty())
        .collect();
    for entry in &asked {
        assert_eq!(entry.impersonated.as_ref(), Some(&account), "{entry:?}");
    }
    for (verb, resource) in [
        ("patch", "services"),
        ("delete", "services"),
        ("delete", "jobs"),
        ("get", "deployments"),
        ("watch", "services"),
        ("delete", "deployments"),
    ] {
        let is_such =
            |entry: &testkit::audit::Entry| entry.verb == verb && entry.resource == resource;
        assert!(asked.iter().any(is_such), "{verb} {resource}: {asked:?}");
    }
}

#[tokio::test]
async fn markers_work_as_label_and_annotation() {
    for place in ["labels", "annotations"] {
        let bed = Bed::start(&[]).await;
        let marked = |name: &str, key: &str, mark: &str, value: &str| {
            let marker = format!(
                "metadata:\n  {place}: {{'kustomize.toolkit.fluxcd.io/{key}': '{mark}'}}\n"
            );
            config(name, value).replace("metadata:\n", &marker)
        };
        let files = |value: &str| {
            [
                ("a.yaml", config("a", value)),
                ("off.yaml", marked("off", "reconcile", "Disabled", value)),
                ("ignored.yaml", marked("ignored", "ssa", "ignore", value)),
                ("once.yaml", marked("once", "ssa", "IfNotPresent", value)),
                ("kept.yaml", marked("kept", "prune", "disabled", value)),
                ("raw.yaml", marked("raw", "substitute", "disabled", "${v}")),
            ]
        };
        let publish = async |revision: &str, files: &[(&str, String)]| {
            let files: Vec<(&str, &str)> = files
                .iter()
                .map(|(path, text)| (*path, text.as_str()))
                .collect();
            bed.publish(revision, &files).await;
        };
        publish("1", &files("1")).await;
        bed.kustomization("app", json!({"postBuild": {"substitute": {"v": "x"}}}))
            .await;
        bed.until_applied("app", "1").await;
        let value = async |name: &str| {
            bed.config_map(name)
                .await
                .map(|map| map["data"]["key"].clone())
        };
        for (name, expected) in [
            ("a", Some(json!("1"))),
            ("off", None),
            ("ignored", None),
            ("once", Some(json!("1"))),
            ("kept", Some(json!("1"))),
            ("raw", Some(json!("${v}"))),
        ] {
            assert_eq!(value(name).await, expected, "{name} by {place}");
        }
        publish("2", &files("2")).await;
        bed.until_applied("app", "2").await;
        assert_eq!(value("a").await, Some(json!("2")));
        assert_eq!(
            value("once").await,
            Some(json!("1")),
            "created once, by {place}"
        );
        publish("3", &[("a.yaml", config("a", "3"))]).await;
        bed.until_applied("app", "3").await;
        assert_eq!(value("once").await, None, "pruned like others");
        assert_eq!(value("kept").await, Some(json!("2")), "by {place}");
    }
}

#[tokio::test]
async fn success_event_has_revision() {
    let sink = EventSink::start().await;
    let flag = format!("--events-addr={}", sink.url());
    let bed = Bed::start(&[&flag]).await;
    bed.publish("main@sha1:1", &[("a.yaml", &config("a", "1"))])
        .await;
    bed.kustomization("app", json!({})).await;
    bed.until_applied("app", "main@sha1:1").await;
    let of_us = |event: &sluice_api::event::Event| {
        event.involved_object.name == "app" && event.involved_object.namespace == bed.namespace
    };
    let created = format!("ConfigMap/{}/a created", bed.namespace);
    let changed = sink
        .wait_for("the change event arrives", |event| {
            of_us(event) && event.message == created
        })
        .await;
    let finished = sink
        .wait_for("the success event arrives", |event| {
            of_us(event) && event.message.starts_with("Reconciliation finished in ")
        })
        .await;
    assert!(
        finished.message.ends_with(", next run in 1h0m0s"),
        "{}",
        finished.message
    );
    assert_eq!(finished.reason, "ReconciliationSucceeded");
    for event in [&changed, &finished] {
        assert_eq!(event.reporting_controller, "kustomize-controller");
        let revision = event.metadata.get("kustomize.toolkit.fluxcd.io/revision");
        assert_eq!(revision.map(String::as_str), Some("main@sha1:1"));
    }
    let status = finished
        .metadata
        .get("kustomize.toolkit.fluxcd.io/commit_status");
    assert_eq!(status.map(String::as_str), Some("update"));
}
