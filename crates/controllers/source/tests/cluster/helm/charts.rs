//! `HelmChart` from a repository over HTTP.

use serde_json::json;
use sluice_api::source::{HelmChart, HelmRepository};

use super::{Helm, artifact, entries, state};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chart_is_stored_with_the_bytes_of_the_repository() {
    let helm = Helm::new("helm-chart").await;
    let archive = helm
        .server
        .publish("app", "1.0.0", &[("values.yaml", "a: 1\n")]);
    helm.server.publish("app", "2.0.0-rc.1", &[]);
    helm.follow("charts", &json!({})).await;
    helm.chart("app", &json!({ "version": "1.x" })).await;
    let chart = helm.has_chart("app", "1.0.0").await;
    assert_eq!(helm.stored(&chart), archive);
    let stored = artifact(&chart);
    let path = format!("helmchart/{}/app/app-1.0.0.tgz", helm.namespace);
    assert_eq!(stored.path, path);
    let status = chart.status.as_ref().unwrap();
    let repository: HelmRepository = helm.becomes_ready("charts").await;
    assert_eq!(status.observed_chart_name.as_deref(), Some("app"));
    let revision = status.observed_source_artifact_revision.as_deref();
    assert_eq!(revision, Some(&*artifact(&repository).revision));
    assert!(status.url.as_ref().unwrap().ends_with("/app/latest.tar.gz"));
    let (_, reason, message) = state(&chart, "Ready");
    assert_eq!(reason, "ChartPullSucceeded");
    assert_eq!(message, "pulled 'app' chart with version '1.0.0'");

    helm.server.publish("app", "1.1.0", &[]);
    helm.ask::<HelmRepository>("charts").await;
    helm.has_chart("app", "1.1.0").await;
    let requests = helm.server.requests().len();
    helm.ask::<HelmChart>("app").await;
    assert_eq!(
        helm.server.requests().len(),
        requests,
        "nothing is pulled again"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_files_are_merged_into_the_chart() {
    let helm = Helm::new("helm-values").await;
    let files = [
        ("values.yaml", "a: 1\nb: {c: 2, d: 3}\n"),
        ("values-prod.yaml", "b: {c: 4}\ne: [5]\n"),
        ("templates/a.yaml", "kind: ConfigMap\n"),
    ];
    helm.server.publish("app", "1.0.0", &files);
    helm.follow("charts", &json!({})).await;
    let both = json!(["values.yaml", "values-prod.yaml"]);
    helm.chart("app", &json!({ "valuesFiles": both })).await;
    let chart = helm.has_chart("app", "1.0.0+1").await;
    let (_, reason, message) = state(&chart, "Ready");
    assert_eq!(reason, "ChartPackageSucceeded");
    assert_eq!(
        message,
        "packaged 'app' chart with version '1.0.0+1' and merged values files [values.yaml \
         values-prod.yaml]"
    );
    let stored = entries(&helm.stored(&chart));
    let values = &stored["app/values.yaml"];
    assert_eq!(values, "a: 1\nb:\n  c: 4\n  d: 3\ne:\n- 5\n");
    assert!(stored["app/Chart.yaml"].contains("version: 1.0.0+1"));
    assert!(
        chart
            .status
            .as_ref()
            .unwrap()
            .observed_values_files
            .is_empty()
    );
    let digest = &artifact(&chart).digest;
    let again: HelmChart = helm.ask("app").await;
    assert_eq!(&artifact(&again).digest, digest);

    let missing = json!(["values.yaml", "none.yaml"]);
    helm.change::<HelmChart>("app", json!({ "spec": { "valuesFiles": missing } }))
        .await;
    let (object, message) = helm
        .is_refused::<HelmChart>("app", "ValuesFilesError")
        .await;
    assert_eq!(
        message,
        "values files merge error: failed to merge chart values: no values file found at path \
         'none.yaml'"
    );
    assert_eq!(state(&object, "BuildFailed").0, "True");
    assert_eq!(state(&object, "Stalled").0, "True");

    helm.change::<HelmChart>(
        "app",
        json!({ "spec": { "ignoreMissingValuesFiles": true } }),
    )
    .await;
    // All else is equal in the chart, so only the version changes.
    let chart = helm.has_chart("app", "1.0.0+3").await;
    assert_eq!(
        entries(&helm.stored(&chart))["app/values.yaml"],
        "a: 1\nb:\n  c: 2\n  d: 3\n"
    );
    let status = chart.status.as_ref().unwrap();
    assert_eq!(status.observed_values_files, ["values.yaml"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_chart_or_version_stalls() {
    let helm = Helm::new("helm-missing").await;
    helm.server.publish("app", "1.0.0", &[]);
    helm.follow("charts", &json!({})).await;
    let reference = "invalid chart reference: failed to get chart version for remote reference";
    for (name, spec, message) in [
        (
            "version",
            json!({ "version": ">2.0.0" }),
            format!("{reference}: no 'app' chart with version matching '>2.0.0' found"),
        ),
        (
            "range",
            json!({ "version": "soon" }),
            format!("{reference}: improper constraint: \"soon\""),
        ),
        (
            "chart",
            json!({ "chart": "other" }),
            format!("{reference}: no chart name found"),
        ),
        (
            "name",
            json!({ "chart": "../app" }),
            "invalid chart reference: invalid chart name '../app': a valid name must be lower case \
             letters and numbers and MAY be separated with dashes (-), slashes (/) or periods (.)"
                .to_owned(),
        ),
    ] {
        helm.chart(name, &spec).await;
        let (object, said) = helm.is_refused::<HelmChart>(name, "InvalidChartReference").await;
        assert_eq!(said, message);
        assert_eq!(state(&object, "FetchFailed").0, "True", "{name}");
        assert_eq!(state(&object, "Stalled").0, "True", "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chart_waits_for_its_source() {
    let helm = Helm::new("helm-wait").await;
    helm.server.publish("app", "1.0.0", &[]);
    helm.chart("app", &json!({})).await;
    let (_, message) = helm
        .is_refused::<HelmChart>("app", "SourceUnavailable")
        .await;
    assert_eq!(
        message,
        "failed to get source: HelmRepository.source.toolkit.fluxcd.io \"charts\" not found"
    );
    helm.follow("charts", &json!({ "suspend": true })).await;
    let (_, message) = helm
        .is_refused::<HelmChart>("app", "NoSourceArtifact")
        .await;
    assert_eq!(
        message,
        "no artifact available for HelmRepository source 'charts'"
    );
    let alerts = helm.events.about("HelmChart", &helm.namespace, "app");
    let mut alerts = alerts.iter();
    assert!(
        alerts.all(|event| event.reason != "NoSourceArtifact"),
        "a missing artifact raises no alert"
    );
    helm.change::<HelmRepository>("charts", json!({ "spec": { "suspend": false } }))
        .await;
    helm.has_chart("app", "1.0.0").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edited_range_selects_another_version() {
    let helm = Helm::new("helm-edit").await;
    helm.server.publish("app", "1.0.0", &[]);
    helm.server.publish("app", "2.0.0", &[]);
    helm.follow("charts", &json!({})).await;
    helm.chart("app", &json!({ "version": "1.x" })).await;
    helm.has_chart("app", "1.0.0").await;
    helm.change::<HelmChart>("app", json!({ "spec": { "version": "2.x" } }))
        .await;
    let chart = helm.has_chart("app", "2.0.0").await;
    let text = "pulled 'app' chart with version '2.0.0'";
    let event = helm
        .events
        .wait_for("a new chart", |event| event.message == text);
    let event = event.await;
    assert_eq!(event.reason, "ChartPullSucceeded");
    let digest = event.metadata.get("source.toolkit.fluxcd.io/digest");
    assert_eq!(digest, Some(&artifact(&chart).digest));
    helm.delete::<HelmChart>("app").await;
    assert!(!helm.directory("helmchart", "app").exists());
}
