//! Tests `bootstrap git` over SSH with real pods: two runs, an upgrade, a rollback, and the
//! remaining objects after an uninstall.

use k8s_openapi::api::apps::v1::Deployment;
use kube::Api;
use serde_json::{Value, json};
use sluice_api::kustomize::Kustomization;
use sluice_git::serve::Change;
use sluice_manifests::DEFAULT_REGISTRY;
use sluice_system::fs;
use sluice_testkit::node::HOST;
use sluice_testkit::{SshServer, wait};

use crate::stage::{
    self, AFTER_A_KILL, CONTROLLERS, NodeFixture, SYSTEM, deployment, field, identities, namespace,
};

const NAME: &str = "fleet";

/// Parses the command's JSON output after the progress lines.
fn result(output: &str) -> Value {
    let json = output.find("\n{").map(|at| &output[at..]);
    serde_json::from_str(json.unwrap_or_else(|| panic!("{output}"))).unwrap()
}

fn commits(result: &Value) -> usize {
    result["commits"].as_array().unwrap().len()
}

/// Returns the images of the controllers' Deployments.
async fn images(stage: &NodeFixture) -> Vec<String> {
    let deployments: Api<Deployment> = stage.api(SYSTEM).await;
    let mut found = Vec::new();
    for name in CONTROLLERS {
        let deployment = deployments.get(name).await.unwrap();
        let image = field(&deployment, "/spec/template/spec/containers/0/image");
        found.push(image.as_str().unwrap().to_owned());
    }
    found
}

fn image(name: &str, version: &str) -> String {
    format!("{DEFAULT_REGISTRY}/{name}:{version}")
}

/// Returns the inventory and the source of the cluster.
async fn state(stage: &NodeFixture) -> (Value, Value) {
    let kustomizations: Api<Kustomization> = stage.api(SYSTEM).await;
    let own = kustomizations.get(SYSTEM).await.unwrap();
    (
        field(&own, "/status/inventory"),
        field(&own, "/metadata/uid"),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn cluster_in_git_is_upgraded_and_rolled_back() {
    let Some(stage) = stage::take().await else {
        return;
    };
    let ssh = SshServer::start_at(HOST).await;
    let repository = ssh.create("fleet.git", "main");
    let files = [
        ("clusters/one/namespace.yaml", namespace(NAME)),
        ("clusters/one/deployment.yaml", deployment(NAME, 1)),
    ];
    let files = files.map(|(path, content)| Change::write(path, content));
    repository.commit("main", "First", &files).unwrap();
    stage.publish(NAME, 1).await;
    let keys = tempfile::tempdir().unwrap();
    let key = keys.path().join("key");
    fs::write(&key, ssh.client_key()).unwrap();
    let line = format!(
        "bootstrap git --url={} --private-key-file={} --path=clusters/one --silent --output=json --components={}",
        ssh.url("fleet.git"),
        key.display(),
        CONTROLLERS.join(",")
    );

    let first = result(&stage.sluice(&line).await);
    assert_eq!(commits(&first), 2, "{first}");
    let deployments: Api<Deployment> = stage.api(NAME).await;
    wait::until_within(AFTER_A_KILL, &deployments, "app", "is available", |found| {
        found.is_some_and(|found| field(found, "/status/availableReplicas") == json!(1))
    })
    .await;
    let (app, own) = (stage.pods(NAME).await, stage.pods(SYSTEM).await);
    let remembered = state(&stage).await;

    // A second run makes no commit and no write, and the pods stay the same.
    let (bed, head) = (stage.node.testbed(), repository.head("main").unwrap());
    let since = bed.audit().mark(&bed.client().await).await;
    let again = result(&stage.sluice(&line).await);
    assert_eq!(commits(&again), 0, "{again}");
    assert_eq!(repository.head("main").unwrap(), head);
    bed.audit().mark(&bed.client().await).await;
    let questions = ["selfsubjectaccessreviews"];
    bed.audit()
        .assert_no_writes_by(&stage.account, since, &questions);
    assert_eq!(identities(&stage.pods(SYSTEM).await), identities(&own));

    // Another tag of the same image stands for another version, because only the upgrade path
    // matters.
    let version = concat!("v", env!("CARGO_PKG_VERSION"));
    let next = format!("{version}-next");
    for name in CONTROLLERS {
        let (from, to) = (image(name, version), image(name, &next));
        stage.node.tag_image(&from, &to).await;
    }
    let (forth, back) = (format!("{line} --version={next}"), line);
    for (line, version) in [(&forth, next.as_str()), (&back, version)] {
        let changed = result(&stage.sluice(line).await);
        assert_eq!(commits(&changed), 1, "{changed}");
        let expected: Vec<String> = CONTROLLERS
            .iter()
            .map(|name| image(name, version))
            .collect();
        assert_eq!(images(&stage).await, expected);
        assert_eq!(identities(&stage.pods(NAME).await), identities(&app));
        assert_eq!(state(&stage).await, remembered, "state is kept");
    }
    stage.uninstall(NAME).await;
}
