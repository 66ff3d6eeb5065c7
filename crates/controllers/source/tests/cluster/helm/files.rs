//! `HelmChart` from the files of a `GitRepository` or a `Bucket`.

use serde_json::{Value, json};
use sluice_api::source::{Bucket, GitRepository, HelmChart, HelmRepository};
use sluice_testkit::chart_server::chart;
use sluice_testkit::{ChartServer, ObjectStore};

use super::{Helm, artifact, entries, state};
use crate::commit;

const METADATA: &str = "apiVersion: v2\nname: app\nversion: 1.0.0\n";

impl Helm {
    /// Creates a chart of a path in the `GitRepository` `app`, with these changes to its spec.
    async fn git_chart(&self, name: &str, path: &str, spec: &Value) {
        let source = json!({ "kind": "GitRepository", "name": "app" });
        let spec = super::changed(json!({ "chart": path, "sourceRef": source }), spec);
        self.chart(name, &spec).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn folder_of_git_is_packaged() {
    let helm = Helm::new("helm-git").await;
    let repository = helm.git.create("app", "main").unwrap();
    let files = [
        ("charts/app/Chart.yaml", METADATA),
        ("charts/app/values.yaml", "a: 1\n"),
        ("charts/app/templates/a.yaml", "kind: ConfigMap\n"),
        ("charts/app/.helmignore", "ci/\n"),
        ("charts/app/ci/test.yaml", "a: 2\n"),
        ("charts/other/Chart.yaml", "name: other\n"),
        ("prod.yaml", "a: 3\n"),
    ];
    commit(&repository, "First", &files);
    helm.create("app", &json!({})).await;
    helm.git_chart("version", "./charts/app", &json!({})).await;
    let found = helm.has_chart("version", "1.0.0").await;
    let stored = entries(&helm.stored(&found));
    let names: Vec<&str> = stored.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "app/.helmignore",
            "app/Chart.yaml",
            "app/templates/a.yaml",
            "app/values.yaml"
        ]
    );
    assert_eq!(state(&found, "Ready").1, "ChartPackageSucceeded");
    let message = "packaged 'app' chart with version '1.0.0'";
    assert_eq!(state(&found, "Ready").2, message);

    let values = json!({ "valuesFiles": ["charts/app/values.yaml", "prod.yaml"] });
    helm.git_chart("values", "charts/app", &values).await;
    let merged = helm.has_chart("values", "1.0.0+1").await;
    assert_eq!(entries(&helm.stored(&merged))["app/values.yaml"], "a: 3\n");

    let strategy = json!({ "reconcileStrategy": "Revision" });
    helm.git_chart("revision", "charts/app", &strategy).await;
    let source: GitRepository = helm.ready("app").await;
    let revision = source.status.unwrap().artifact.unwrap().revision;
    let hash = revision.rsplit(':').next().unwrap()[..12].to_owned();
    helm.has_chart("revision", &format!("1.0.0+{hash}")).await;

    let second = commit(
        &repository,
        "Second",
        &[("charts/app/values.yaml", "a: 4\n")],
    );
    helm.reconcile("app").await;
    let changed = helm
        .has_chart("revision", &format!("1.0.0+{}", &second[..12]))
        .await;
    assert_eq!(entries(&helm.stored(&changed))["app/values.yaml"], "a: 4\n");
    let claim = "observes the new revision";
    let same = helm
        .sees("version", claim, |chart: &HelmChart| {
            let status = chart.status.as_ref().unwrap();
            let observed = status.observed_source_artifact_revision.as_deref();
            observed.is_some_and(|observed| observed.ends_with(&second))
                && state(chart, "Ready").0 == "True"
        })
        .await;
    // The version of the chart is the same, so it is not packaged again.
    assert_eq!(artifact(&same), artifact(&found));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn packaged_folder_has_one_digest() {
    let helm = Helm::new("helm-same").await;
    let repository = helm.git.create("app", "main").unwrap();
    commit(
        &repository,
        "First",
        &[("Chart.yaml", METADATA), ("values.yaml", "a: 1\n")],
    );
    helm.create("app", &json!({})).await;
    helm.git_chart("app", ".", &json!({})).await;
    let first = helm.has_chart("app", "1.0.0").await;
    std::fs::remove_file(helm.storage().join(&artifact(&first).path)).unwrap();
    let second: HelmChart = helm.ask("app").await;
    assert_eq!(artifact(&second).digest, artifact(&first).digest);
    assert_eq!(
        helm.stored(&second).len(),
        usize::try_from(artifact(&first).size.unwrap()).unwrap()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_dependencies_are_added() {
    let (helm, other) = tokio::join!(Helm::new("helm-deps"), ChartServer::start());
    helm.server
        .publish("remote", "1.2.0", &[("values.yaml", "r: 1\n")]);
    helm.server.publish("remote", "2.0.0", &[]);
    helm.server.require("me", "canary-password");
    other.publish("open", "0.1.0", &[]);
    helm.secret(
        "access",
        &[("username", "me"), ("password", "canary-password")],
    )
    .await;
    helm.follow("charts", &json!({ "secretRef": { "name": "access" } }))
        .await;
    helm.becomes_ready::<HelmRepository>("charts").await;
    let repository = helm.git.create("app", "main").unwrap();
    let metadata = format!(
        "{METADATA}dependencies:\n- {{name: local, version: 0.x, repository: 'file://../local'}}\n- \
         {{name: remote, version: 1.x, repository: '{}', alias: renamed}}\n- {{name: open, version: \
         '*', repository: '{}/'}}\n- {{name: there, version: 1.0.0, repository: ''}}\n",
        helm.server.url(),
        other.url()
    );
    let local = "apiVersion: v2\nname: local\nversion: 0.3.0\n";
    let there = "apiVersion: v2\nname: there\nversion: 1.0.0\n";
    let files = [
        ("charts/app/Chart.yaml", &*metadata),
        ("charts/app/values.yaml", "a: 1\n"),
        ("charts/app/charts/there/Chart.yaml", there),
        ("charts/local/Chart.yaml", local),
        ("charts/local/templates/l.yaml", "kind: ConfigMap\n"),
    ];
    commit(&repository, "First", &files);
    helm.create("app", &json!({})).await;
    helm.git_chart("app", "charts/app", &json!({})).await;
    let found = helm.has_chart("app", "1.0.0").await;
    let stored = entries(&helm.stored(&found));
    for name in [
        "app/charts/there/Chart.yaml",
        "app/charts/local/templates/l.yaml",
        "app/charts/renamed/values.yaml",
        "app/charts/open/Chart.yaml",
    ] {
        assert!(stored.contains_key(name), "{name}: {:?}", stored.keys());
    }
    assert!(stored["app/charts/renamed/Chart.yaml"].contains("version: 1.2.0"));
    assert!(
        other
            .requests()
            .iter()
            .all(|request| !request.has_credentials)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unusable_files_are_named() {
    let helm = Helm::new("helm-git-bad").await;
    let repository = helm.git.create("app", "main").unwrap();
    let with = |dependency: &str| format!("{METADATA}dependencies:\n- {dependency}\n");
    let alias = with("{name: x, version: 1.0.0, repository: '@stable'}");
    let missing = with("{name: x, version: 1.0.0, repository: 'file://../../none'}");
    let wrong = with("{name: bare, version: ^2, repository: 'file://../bare'}");
    let files = [
        ("bare/Chart.yaml", METADATA),
        ("empty/README.md", "none"),
        ("alias/Chart.yaml", &*alias),
        ("missing/Chart.yaml", &*missing),
        ("wrong/Chart.yaml", &*wrong),
        ("nameless/Chart.yaml", "apiVersion: v2\nversion: 1.0.0\n"),
        ("text.tgz", "text"),
    ];
    commit(&repository, "First", &files);
    helm.create("app", &json!({ "ignore": "!*.tgz\n" })).await;
    for (name, path, reason, message) in [
        (
            "none",
            "charts/none",
            "InvalidChartReference",
            "invalid chart reference: stat /charts/none: no such file or directory",
        ),
        (
            "outside",
            "../../etc",
            "InvalidChartReference",
            "invalid chart reference: stat /etc: no such file or directory",
        ),
        (
            "empty",
            "empty",
            "InvalidChartReference",
            "invalid chart reference: open /empty/Chart.yaml: no such file or directory",
        ),
        (
            "nameless",
            "nameless",
            "InvalidChartReference",
            "invalid chart reference: validation: chart.metadata.name is required",
        ),
        (
            "alias",
            "alias",
            "DependencyBuildError",
            "dependency build error: failed to add remote dependency 'x': aliased repository \
             dependency is not supported: @stable/",
        ),
        (
            "missing",
            "missing",
            "DependencyBuildError",
            "dependency build error: failed to add local dependency 'x': no chart found at '/none' \
             (reference 'file://../../none')",
        ),
        (
            "wrong",
            "wrong",
            "DependencyBuildError",
            "dependency build error: failed to add local dependency 'bare': can't get a valid \
             version for constraint '^2'",
        ),
    ] {
        helm.git_chart(name, path, &json!({})).await;
        let (object, said) = helm.is_refused::<HelmChart>(name, reason).await;
        assert_eq!(said, message);
        assert!(object.status.unwrap().artifact.is_none(), "{name}");
    }
    let values = json!({ "valuesFiles": ["../values.yaml"] });
    helm.git_chart("values", "bare", &values).await;
    let (_, said) = helm
        .is_refused::<HelmChart>("values", "ValuesFilesError")
        .await;
    assert_eq!(
        said,
        "values files merge error: no values file found at path '/values.yaml' (reference \
         '../values.yaml')"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn archive_of_a_bucket_is_copied() {
    let (helm, store) = tokio::join!(Helm::new("helm-bucket"), ObjectStore::start());
    store.create("apps").await;
    store.put("apps", "charts/app/Chart.yaml", METADATA).await;
    store.put("apps", "charts/app/values.yaml", "a: 1\n").await;
    let keys = [
        ("accesskey", ObjectStore::ACCESS_KEY),
        ("secretkey", ObjectStore::SECRET_KEY),
    ];
    helm.secret("keys", &keys).await;
    let spec = json!({
        "endpoint": store.host(), "bucketName": "apps", "insecure": true, "interval": "1h",
        "secretRef": { "name": "keys" },
    });
    helm.make::<Bucket>("apps", &spec).await;
    let source = json!({ "kind": "Bucket", "name": "apps" });
    let strategy = json!({
        "chart": "charts/app", "sourceRef": source, "reconcileStrategy": "Revision",
    });
    helm.chart("app", &strategy).await;
    let bucket: Bucket = helm.becomes_ready("apps").await;
    let revision = &artifact(&bucket).revision["sha256:".len()..][..12];
    helm.has_chart("app", &format!("1.0.0+{revision}")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn archive_in_git_is_copied_unless_values_change() {
    let helm = Helm::new("helm-git-tgz").await;
    let repository = helm.git.create("app", "main").unwrap();
    let archive = chart("app", "1.0.0", &[("values.yaml", "a: 1\n")]);
    let changes = [
        sluice_git::serve::Change::write("app.tgz", archive.clone()),
        sluice_git::serve::Change::write("more.yaml", "a: 2\n"),
    ];
    repository.commit("main", "First", &changes).unwrap();
    helm.create("app", &json!({})).await;
    helm.git_chart("plain", "app.tgz", &json!({})).await;
    let plain = helm.has_chart("plain", "1.0.0").await;
    assert_eq!(helm.stored(&plain), archive);
    assert_eq!(
        state(&plain, "Ready").2,
        "pulled 'app' chart with version '1.0.0'"
    );
    helm.git_chart(
        "values",
        "app.tgz",
        &json!({ "valuesFiles": ["more.yaml"] }),
    )
    .await;
    let merged = helm.has_chart("values", "1.0.0+1").await;
    assert_eq!(entries(&helm.stored(&merged))["app/values.yaml"], "a: 2\n");
}
