//! Drift: detection, ignore rules and correction.

use serde_json::{Value, json};
use sluice_client::{DeleteOptions, GroupVersionKind, PatchOptions};

use crate::bed::{Bed, CONFIG, condition};

const TEMPLATE: (&str, &str) = ("templates/config.yaml", CONFIG);

async fn edit(bed: &Bed, data: Value) {
    let gvk = GroupVersionKind::gvk("", "v1", "ConfigMap");
    let patch = json!({ "data": data });
    let options = PatchOptions::default();
    let namespace = Some(&*bed.namespace);
    let patched = bed.cluster.merge(&gvk, namespace, "web", &patch, options);
    patched.await.unwrap();
}

fn spec(drift: &Value) -> Value {
    json!({"values": {"text": "one"}, "driftDetection": drift})
}

#[tokio::test]
async fn enabled_detection_corrects_changed_and_removed_objects() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[TEMPLATE]).await;
    bed.release("web", spec(&json!({"mode": "enabled"}))).await;
    let status = bed.until_ready("web", "1.0.0").await;
    let expected = (
        "NoDriftDetected",
        "No drift detected against the cluster state",
    );
    assert_eq!(condition(&status, "Drifted"), expected);
    let name = format!("ConfigMap/{}/web", bed.namespace);

    edit(&bed, json!({"text": "edited"})).await;
    bed.request("web").await;
    assert_eq!(bed.text("web").await.unwrap(), "one");
    let drifted = format!("{name} changed (0 additions, 1 changes, 0 removals)");
    bed.until_event("web", "DriftDetected", &drifted).await;
    let corrected = format!("has been corrected:\n{name} configured");
    bed.until_event("web", "DriftCorrected", &corrected).await;

    let gvk = GroupVersionKind::gvk("", "v1", "ConfigMap");
    let options = DeleteOptions::default();
    let namespace = Some(&*bed.namespace);
    bed.cluster
        .delete(&gvk, namespace, "web", &options)
        .await
        .unwrap();
    let status = bed.request("web").await;
    assert_eq!(bed.text("web").await.unwrap(), "one");
    bed.until_event("web", "DriftDetected", &format!("{name} removed"))
        .await;
    assert_eq!(condition(&status, "Ready").0, "InstallSucceeded");
    assert_eq!(bed.records("web").await.len(), 1);
}

#[tokio::test]
async fn detection_with_warnings_changes_nothing() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[TEMPLATE]).await;
    bed.release("web", spec(&json!({"mode": "warn"}))).await;
    bed.until_ready("web", "1.0.0").await;
    edit(&bed, json!({"text": "edited"})).await;
    let status = bed.request("web").await;
    assert_eq!(condition(&status, "Drifted").0, "DriftDetected");
    assert!(status.conditions.is_true("Ready"));
    assert_eq!(bed.text("web").await.unwrap(), "edited");
}

#[tokio::test]
async fn ignored_field_does_not_drift() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[TEMPLATE]).await;
    let ignore = json!([{"paths": ["/data/text"], "target": {"kind": "ConfigMap"}}]);
    bed.release("web", spec(&json!({"mode": "enabled", "ignore": ignore})))
        .await;
    bed.until_ready("web", "1.0.0").await;
    edit(&bed, json!({"text": "edited"})).await;
    let status = bed.request("web").await;
    assert_eq!(condition(&status, "Drifted").0, "NoDriftDetected");
    assert_eq!(bed.text("web").await.unwrap(), "edited");
}
