//! Values of Secrets never leave the controller: not in a log at any level, event, condition or
//! metric. The log of the Kubernetes client is excluded, since the controller filters it at every
//! level.
//!
//! Each canary is a secret value in one place. Releases use the canaries, and fail on them.

use k8s_openapi::api::core::v1::Event;
use serde_json::{Value, json};
use sluice_testkit::EventSink;
use sluice_testkit::canary::{LeakDetector, SIGNAL, base64, canary, detect_leaks};
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{ListParams, Patch, PatchParams};

use crate::bed::Bed;

/// A Secret with a value.
const SECRET: &str = "\
apiVersion: v1
kind: Secret
metadata: {name: '{{ .Release.Name }}'}
stringData: {password: '{{ .Values.password }}'}
";
/// A Secret that the API server refuses.
const BROKEN: &str = "\
apiVersion: v1
kind: Secret
metadata: {name: '{{ .Release.Name }}'}
data: {password: '{{ .Values.password }}'}
";
/// A schema that no value fits.
const SCHEMA: &str = "{\"properties\": {\"password\": {\"type\": \"integer\"}}}";

#[test]
fn secrets_never_appear_in_output() {
    detect_leaks(sluice_host::log::CLIENT_FILTER, 1, exercise_secrets);
}

/// The specs that fail, with the reason of the failure.
fn failures() -> [(&'static str, Value, &'static str); 5] {
    let from = |key: &str, path: &str| {
        let mut from = json!({"kind": "Secret", "name": "values", "valuesKey": key});
        if !path.is_empty() {
            from["targetPath"] = json!(path);
        }
        json!({ "valuesFrom": [from] })
    };
    let chart = |name: &str| {
        let mut spec = from("values.yaml", "");
        spec["chartRef"] = json!({"kind": "HelmChart", "name": name});
        spec
    };
    [
        ("refused", chart("broken"), "InstallFailed"),
        ("unfit", chart("schema"), "InstallFailed"),
        ("no-map", from("text", ""), "ValuesError"),
        ("no-yaml", from("broken", ""), "ValuesError"),
        ("no-value", from("comma", "password"), "ValuesError"),
    ]
}

async fn exercise_secrets(listener: LeakDetector) {
    tracing::trace!("{SIGNAL}");
    let sink = EventSink::start().await;
    let events = format!("--events-addr={}", sink.url());
    let bed = Bed::start(&[&events]).await;
    bed.apply(
        &json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "values"},
        "stringData": {
            "values.yaml": format!("password: {}", canary("value")),
            "text": canary("text"),
            "broken": format!("password: [{}", canary("broken")),
            "comma": format!("a,{}", canary("comma")),
        }}),
    )
    .await;
    bed.publish("1.0.0", &[("templates/secret.yaml", SECRET)])
        .await;
    for (name, version, files) in [
        ("broken", "2.0.0", vec![("templates/secret.yaml", BROKEN)]),
        (
            "schema",
            "3.0.0",
            vec![
                ("templates/secret.yaml", SECRET),
                ("values.schema.json", SCHEMA),
            ],
        ),
    ] {
        let artifact = bed.chart(version, &files);
        bed.source("HelmChart", name, &artifact).await;
    }
    let values = json!([{"kind": "Secret", "name": "values"}]);
    bed.release(
        "web",
        json!({"valuesFrom": values, "driftDetection": {"mode": "enabled"}}),
    )
    .await;
    bed.until_ready("web", "1.0.0").await;
    let edit = json!({"data": {"password": base64(&canary("drift"))}});
    let (parameters, edit) = (PatchParams::default(), Patch::Merge(edit));
    let secrets: Api<k8s_openapi::api::core::v1::Secret> =
        Api::namespaced(bed.cluster.client().clone(), &bed.namespace);
    secrets.patch("web", &parameters, &edit).await.unwrap();
    bed.request("web").await;
    bed.until_event("web", "DriftCorrected", "Secret/").await;
    for (name, spec, reason) in failures() {
        bed.release(name, spec).await;
        bed.until_failed(name, reason).await;
    }

    let inspect = |object: Value| listener.inspect(&object.to_string());
    for object in bed.releases().list(&ListParams::default()).await.unwrap() {
        inspect(json!(object));
    }
    let events: Api<Event> = Api::namespaced(bed.cluster.client().clone(), &bed.namespace);
    for event in events.list(&ListParams::default()).await.unwrap() {
        inspect(json!(event));
    }
    assert!(sink.events().len() > failures().len());
    for event in sink.events() {
        inspect(json!(event));
    }
    let metrics = bed.metrics();
    assert!(metrics.contains("gotk_reconcile_duration_seconds_count"));
    listener.inspect(&metrics);
}
