//! Repositories that lie about their charts, or want credentials of others.

use serde_json::json;
use sluice_api::source::{HelmChart, HelmRepository};
use sluice_testkit::ChartServer;
use sluice_testkit::chart_server::chart;

use super::{Helm, state};

const PULL: &str = "chart pull error: failed to download chart for remote reference";

/// An index with one chart at an address.
fn index(url: &str) -> String {
    format!(
        "apiVersion: v1\nentries:\n  app:\n    - {{apiVersion: v2, name: app, version: 1.0.0, \
         urls: ['{url}']}}\n"
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn credentials_stay_on_the_host_of_the_repository() {
    let (helm, other) = tokio::join!(Helm::new("helm-hosts"), ChartServer::start());
    helm.server.require("me", "canary-password");
    other.put("app.tgz", &chart("app", "1.0.0", &[]));
    helm.secret(
        "access",
        &[("username", "me"), ("password", "canary-password")],
    )
    .await;
    let target = format!("{}/app.tgz", other.url());
    helm.server.put("index.yaml", index(&target).as_bytes());
    let access = json!({ "secretRef": { "name": "access" } });
    helm.follow("charts", &access).await;
    helm.chart("app", &json!({})).await;
    helm.has_chart("app", "1.0.0").await;
    let asked = other.requests();
    assert!(
        asked.iter().all(|request| !request.has_credentials),
        "{asked:?}"
    );

    // A redirect hands no credentials over either.
    helm.server.redirect("app.tgz", &target);
    helm.server.put("index.yaml", index("app.tgz").as_bytes());
    helm.follow("redirected", &access).await;
    let source = json!({ "kind": "HelmRepository", "name": "redirected" });
    helm.chart("redirected", &json!({ "sourceRef": source }))
        .await;
    helm.has_chart("redirected", "1.0.0").await;
    let asked = other.requests();
    assert!(
        asked.iter().all(|request| !request.has_credentials),
        "{asked:?}"
    );

    helm.server.put("index.yaml", index(&target).as_bytes());
    let open = json!({ "secretRef": { "name": "access" }, "passCredentials": true });
    helm.follow("open", &open).await;
    let source = json!({ "kind": "HelmRepository", "name": "open" });
    helm.chart("open", &json!({ "sourceRef": source })).await;
    helm.has_chart("open", "1.0.0").await;
    assert!(other.requests().last().unwrap().has_credentials);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn archive_that_is_not_the_chart_is_refused() {
    let helm = Helm::new("helm-lies").await;
    let server = &helm.server;
    let honest = chart("app", "1.0.0", &[]);
    server.publish_as("digest", "1.0.0", &honest, &"0".repeat(64));
    server.publish_as("text", "1.0.0", b"not an archive", "");
    let loose = sluice_testkit::archive::tarball(&[("app/values.yaml", "a: 1\n")]);
    server.publish_as("empty", "1.0.0", &loose, "");
    let outside = [("app/../../Chart.yaml", "name: app\n")];
    server.publish_as(
        "outside",
        "1.0.0",
        &sluice_testkit::archive::tarball(&outside),
        "",
    );
    let nameless = [("app/Chart.yaml", "apiVersion: v2\nversion: 1.0.0\n")];
    server.publish_as(
        "nameless",
        "1.0.0",
        &sluice_testkit::archive::tarball(&nameless),
        "",
    );
    server.publish("gone", "1.0.0", &[]);
    server.remove("gone-1.0.0.tgz");
    server.publish("endless", "1.0.0", &[]);
    server.put_endless("endless-1.0.0.tgz");
    helm.follow("charts", &json!({})).await;
    let url = server.url();
    for (name, message) in [
        (
            "digest",
            format!(
                "{PULL}: digest of {url}/digest-1.0.0.tgz is {}, but the index says {}",
                sluice_digest::Digest::of(&honest).hex(),
                "0".repeat(64)
            ),
        ),
        (
            "empty",
            "chart pull error: failed to load chart metadata from written chart: no 'Chart.yaml' \
             found"
                .to_owned(),
        ),
        (
            "outside",
            "chart pull error: failed to load chart metadata from written chart: chart illegally \
             references parent directory"
                .to_owned(),
        ),
        (
            "nameless",
            "chart pull error: failed to validate metadata of written chart: validation: \
             chart.metadata.name is required"
                .to_owned(),
        ),
        (
            "gone",
            format!("{PULL}: failed to fetch {url}/gone-1.0.0.tgz : 404 Not Found"),
        ),
        (
            "endless",
            format!("{PULL}: size of chart 'endless-1.0.0.tgz' exceeds '10485760' bytes limit"),
        ),
    ] {
        helm.chart(name, &json!({ "chart": name })).await;
        let (object, said) = helm.is_refused::<HelmChart>(name, "ChartPullError").await;
        assert_eq!(said, message);
        assert!(object.status.unwrap().artifact.is_none(), "{name}");
    }
    helm.chart("text", &json!({ "chart": "text" })).await;
    let (_, said) = helm.is_refused::<HelmChart>("text", "ChartPullError").await;
    assert!(
        said.contains("failed to load chart metadata from written chart"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_credentials_are_an_authentication_failure() {
    let helm = Helm::new("helm-denied").await;
    helm.server.publish("app", "1.0.0", &[]);
    helm.follow("charts", &json!({})).await;
    helm.becomes_ready::<HelmRepository>("charts").await;
    helm.server.require("me", "canary-password");
    helm.chart("app", &json!({})).await;
    // As in Flux, the condition has the reason of a failure outside of the chart builder.
    let (object, message) = helm.is_refused::<HelmChart>("app", "Unknown").await;
    let url = helm.server.url();
    let error = format!(
        "failed to authenticate with the Helm repository: {PULL}: failed to fetch \
         {url}/app-1.0.0.tgz : 401 Unauthorized"
    );
    assert_eq!(message, format!("unknown build error: {error}"));
    assert_eq!(state(&object, "FetchFailed").1, "Unknown");
    let event = helm
        .events
        .wait_for("an alert", |event| event.message == error);
    assert_eq!(event.await.reason, "AuthenticationFailed");

    helm.secret("gone", &[("username", "me")]).await;
    let patch = json!({ "spec": { "secretRef": { "name": "gone" } } });
    helm.change::<HelmRepository>("charts", patch).await;
    let claim = "names the Secret";
    helm.ask::<HelmChart>("app").await;
    let named = format!("'{}/gone'", helm.namespace);
    helm.sees("app", claim, |object: &HelmChart| {
        state(object, "Ready").2.contains(&named)
    })
    .await;
}
