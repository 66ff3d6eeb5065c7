//! `HelmChart` from a repository over HTTP.

use serde_json::json;
use sluice_api::source::{HelmChart, HelmRepository};

use super::{Helm, artifact, state};

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
