//! Install, upgrade, nothing to do, uninstall; sources and chart templates.

use serde_json::json;
use sluice_client::GroupVersionKind;

use crate::bed::{Bed, CONFIG, condition};

const TEMPLATE: (&str, &str) = ("templates/config.yaml", CONFIG);

#[tokio::test]
async fn release_is_installed_upgraded_and_uninstalled() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[TEMPLATE]).await;
    bed.release("web", json!({"values": {"text": "one"}})).await;
    let status = bed.until_ready("web", "1.0.0").await;
    let namespace = &bed.namespace;
    let message =
        format!("Helm install succeeded for release {namespace}/web.v1 with chart web@1.0.0");
    assert_eq!(condition(&status, "Ready"), ("InstallSucceeded", &*message));
    assert_eq!(
        condition(&status, "Released"),
        ("InstallSucceeded", &*message)
    );
    assert_eq!(status.conditions.len(), 2, "{:?}", status.conditions);
    assert_eq!(status.storage_namespace.as_ref(), Some(namespace));
    assert_eq!(status.last_attempted_revision.as_deref(), Some("1.0.0"));
    assert_eq!(status.history.len(), 1);
    let snapshot = &status.history[0];
    assert_eq!((&*snapshot.status, snapshot.version), ("deployed", 1));
    assert_eq!(snapshot.action.as_deref(), Some("install"));
    assert_eq!(snapshot.app_version.as_deref(), Some("a1.0.0"));
    let inventory = status.inventory.unwrap().entries;
    assert_eq!(inventory[0].id, format!("{namespace}_web__ConfigMap"));
    let config = bed.config_map("web").await.unwrap();
    assert_eq!(config["data"]["text"], "one");
    let labels = &config["metadata"]["labels"];
    assert_eq!(labels["helm.toolkit.fluxcd.io/name"], "web");
    assert_eq!(
        labels["helm.toolkit.fluxcd.io/namespace"],
        namespace.as_str()
    );
    bed.until_event("web", "InstallSucceeded", &message).await;

    bed.release("web", json!({"values": {"text": "two"}})).await;
    let status = bed
        .until("web", "has two revisions", |status| {
            status.history.len() == 2 && status.conditions.is_true("Ready")
        })
        .await;
    assert_eq!(bed.text("web").await.unwrap(), "two");
    let message =
        format!("Helm upgrade succeeded for release {namespace}/web.v2 with chart web@1.0.0");
    assert_eq!(condition(&status, "Ready"), ("UpgradeSucceeded", &*message));
    let statuses: Vec<&str> = status.history.iter().map(|one| &*one.status).collect();
    assert_eq!(statuses, ["deployed", "superseded"]);

    bed.publish("1.1.0", &[TEMPLATE]).await;
    bed.until_ready("web", "1.1.0").await;
    assert_eq!(bed.records("web").await.len(), 3);

    // The history of Helm is pruned, and the kinds of the cluster are read again.
    let mark = bed.mark().await;
    let spec = json!({"values": {"text": "three"}, "maxHistory": 2, "persistentClient": false});
    bed.release("web", spec).await;
    bed.until("web", "has four revisions", |status| {
        let latest = status.history.first();
        status.conditions.is_true("Ready") && latest.is_some_and(|latest| latest.version == 4)
    })
    .await;
    let kept = [("3", "superseded"), ("4", "deployed")];
    let kept = kept.map(|(version, status)| (version.to_owned(), status.to_owned()));
    assert_eq!(bed.records("web").await, kept);
    assert_ne!(bed.discoveries(mark).await, 0);
    let mark = bed.mark().await;
    let spec = json!({"values": {"text": "four"}, "maxHistory": 2});
    bed.release("web", spec).await;
    bed.until("web", "has five revisions", |status| {
        let latest = status.history.first();
        status.conditions.is_true("Ready") && latest.is_some_and(|latest| latest.version == 5)
    })
    .await;
    assert_eq!(bed.discoveries(mark).await, 0);

    bed.delete("web").await;
    assert!(bed.config_map("web").await.is_none());
    assert_eq!(bed.records("web").await, []);
}

#[tokio::test]
async fn run_without_changes_writes_only_the_request() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[TEMPLATE]).await;
    bed.release("web", json!({"values": {"text": "one"}})).await;
    bed.until_ready("web", "1.0.0").await;
    bed.request("web").await;
    let mark = bed.mark().await;
    let status = bed.request("web").await;
    let asked = bed.asked(mark).await;
    let writes = asked
        .iter()
        .filter(|asked| !asked.starts_with("get ") && !asked.starts_with("list "));
    let writes: Vec<&String> = writes
        .filter(|asked| !asked.starts_with("watch "))
        .collect();
    assert_eq!(writes, ["patch helmreleases"], "{asked:?}");
    assert!(asked.len() <= 5, "{asked:?}");
    assert_eq!(status.history.len(), 1);
}

#[tokio::test]
async fn template_creates_moves_and_deletes_its_chart() {
    let bed = Bed::start(&[]).await;
    let template = |version: &str| {
        json!({"spec": {"chart": "web", "version": version,
        "sourceRef": {"kind": "HelmRepository", "name": "charts"}}})
    };
    bed.release(
        "web",
        json!({"chartRef": null, "chart": template("1.x"), "values": {"text": "one"}}),
    )
    .await;
    let chart = format!("{}-web", bed.namespace);
    let status = bed.until_failed("web", "SourceNotReady").await;
    let recorded = format!("{}/{chart}", bed.namespace);
    assert_eq!(status.helm_chart.as_ref(), Some(&recorded));
    let (_, message) = condition(&status, "Ready");
    assert_eq!(
        message,
        format!(
            "HelmChart '{recorded}' is not ready: latest generation of object has not been reconciled"
        )
    );
    let source = format!("with SourceRef 'HelmRepository/{}/charts'", bed.namespace);
    bed.until_event("web", "HelmChartCreated", &source).await;
    let gvk = GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", "HelmChart");
    let live = bed.get(&gvk, &chart).await.unwrap();
    assert_eq!(live["spec"]["version"], "1.x");
    assert_eq!(
        live["metadata"]["labels"]["helm.toolkit.fluxcd.io/name"],
        "web"
    );
    let artifact = bed.chart("1.0.0", &[TEMPLATE]);
    bed.advertise("HelmChart", &chart, &artifact).await;
    bed.until_ready("web", "1.0.0").await;

    bed.publish("1.2.0", &[TEMPLATE]).await;
    let gvk_release = GroupVersionKind::gvk("helm.toolkit.fluxcd.io", "v2", "HelmRelease");
    let patch =
        json!({"spec": {"chart": null, "chartRef": {"kind": "HelmChart", "name": "chart"}}});
    let options = sluice_client::PatchOptions::default();
    let namespace = Some(&*bed.namespace);
    let patched = bed
        .cluster
        .merge(&gvk_release, namespace, "web", &patch, options);
    patched.await.unwrap();
    let status = bed.until_ready("web", "1.2.0").await;
    assert_eq!(status.helm_chart, None);
    assert!(bed.get(&gvk, &chart).await.is_none());
}

#[tokio::test]
async fn oci_digest_is_part_of_the_version() {
    let bed = Bed::start(&["--feature-gates=ExternalArtifact=true"]).await;
    let digest = "sha256:9933f58f8bf459eb199d59ebc8a05683f3944e1242d9f5467d99aa2cf08a5370";
    let mut artifact = bed.chart("1.2.3", &[TEMPLATE]);
    artifact["revision"] = json!(format!("1.2.3@{digest}"));
    for kind in ["OCIRepository", "ExternalArtifact"] {
        bed.source(kind, "charts", &artifact).await;
        let name = kind.to_lowercase();
        bed.release(
            &name,
            json!({"chartRef": {"kind": kind, "name": "charts"}, "values": {"text": "x"}}),
        )
        .await;
        let status = bed.until_ready(&name, "1.2.3+9933f58f8bf4").await;
        assert_eq!(
            status.last_attempted_revision_digest.as_deref(),
            Some(digest)
        );
        assert_eq!(status.history[0].oci_digest.as_deref(), Some(digest));
    }
}

#[tokio::test]
async fn values_come_from_references() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[TEMPLATE]).await;
    let from = json!([
        {"kind": "ConfigMap", "name": "base"},
        {"kind": "Secret", "name": "extra", "valuesKey": "text", "targetPath": "text"},
        {"kind": "Secret", "name": "absent", "optional": true},
    ]);
    bed.release("web", json!({ "valuesFrom": from })).await;
    let status = bed.until_failed("web", "ValuesError").await;
    let (_, message) = condition(&status, "Ready");
    assert_eq!(
        message,
        format!(
            "could not resolve ConfigMap chart values reference '{}/base' with key \
             'values.yaml': configmaps \"base\" not found",
            bed.namespace
        )
    );
    let watched = json!({"reconcile.fluxcd.io/watch": "Enabled"});
    bed.apply(&json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "extra", "labels": watched},
        "stringData": {"text": "from Secret"}}))
        .await;
    bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "base", "labels": watched},
        "data": {"values.yaml": "text: from ConfigMap\n"}}))
        .await;
    bed.until_ready("web", "1.0.0").await;
    assert_eq!(bed.text("web").await.unwrap(), "from Secret");
    bed.apply(&json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "extra", "labels": watched},
        "stringData": {"text": "changed"}}))
        .await;
    bed.until("web", "has a second revision", |status| {
        status.history.len() == 2 && status.conditions.is_true("Ready")
    })
    .await;
    assert_eq!(bed.text("web").await.unwrap(), "changed");
}

/// A release of the pinned `helm` becomes one of the controller, and `helm` reads it afterwards.
#[tokio::test]
async fn release_of_helm_is_taken_over() {
    let Some(reference) = sluice_testkit::Reference::find() else {
        let reason = "REFERENCE_BIN_DIR does not name a directory with helm";
        sluice_skip::skip(sluice_skip::Requirement::Optional, reason);
        return;
    };
    let helm = reference.binary("helm");
    let bed = Bed::start(&[]).await;
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        sluice_system::fs::create_dir_all(path.parent().unwrap()).unwrap();
        sluice_system::fs::write(&path, text).unwrap();
    };
    write("Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
    write(TEMPLATE.0, TEMPLATE.1);
    let run = |words: &[&str]| {
        let mut command = std::process::Command::new(&helm);
        command.args(words).args(["--namespace", &bed.namespace]);
        command.env("KUBECONFIG", bed.testbed.kubeconfig());
        let ran = command.output().unwrap();
        let error = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success(), "{words:?}: {error}");
        String::from_utf8(ran.stdout).unwrap()
    };
    let path = folder.path().to_str().unwrap();
    run(&["install", "web", path, "--set", "text=helm"]);
    bed.publish("1.0.0", &[TEMPLATE]).await;
    bed.release("web", json!({"values": {"text": "one"}})).await;
    let status = bed.until_ready("web", "1.0.0").await;
    assert_eq!(condition(&status, "Ready").0, "UpgradeSucceeded");
    assert_eq!(bed.text("web").await.unwrap(), "one");
    let history: serde_json::Value =
        serde_json::from_str(&run(&["history", "web", "-o", "json"])).unwrap();
    assert_eq!(history.as_array().unwrap().len(), 2);
    // A change by helm is found, and the release is brought back.
    run(&["rollback", "web", "1", "--force-conflicts"]);
    assert_eq!(bed.text("web").await.unwrap(), "helm");
    bed.request("web").await;
    bed.until_ready("web", "1.0.0").await;
    assert_eq!(bed.text("web").await.unwrap(), "one");
}
