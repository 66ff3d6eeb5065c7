//! A control plane starts, serves, and is removed with its owner.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Namespace;
use kube::Api;
use kube::api::PostParams;
use serde_json::json;
use sluice_devcluster::process::is_alive;
use sluice_devcluster::{Audit, ControlPlane, Options, Toolbox};

/// Set in the child that [`killed_owner_leaves_nothing_behind`] kills.
const OWNER: &str = "SLUICE_TEST_CONTROL_PLANE_OWNER";

/// Timeout of a condition. The first start may build the programs of a control plane.
const WAIT_TIMEOUT: Duration = Duration::from_mins(8);

#[expect(
    clippy::print_stderr,
    reason = "a build of minutes must not look like a hang"
)]
fn toolbox() -> Toolbox {
    Toolbox::from_environment()
        .expect("a cache directory")
        .on_progress(|progress| eprintln!("{progress}"))
}

/// Polls a condition. `sluice_testkit::wait` is on a higher floor.
async fn until(claim: &str, mut condition: impl FnMut() -> bool) {
    let poll = async {
        let mut ticks = tokio::time::interval(Duration::from_millis(20));
        while !condition() {
            ticks.tick().await;
        }
    };
    let result = tokio::time::timeout(WAIT_TIMEOUT, poll).await;
    assert!(
        result.is_ok(),
        "never true within {WAIT_TIMEOUT:?}: {claim}"
    );
}

async fn gone(pids: &[u32], state: &Path) {
    until("processes and state are gone", || {
        !pids.iter().any(|pid| is_alive(*pid)) && !state.exists()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn control_plane_runs_workloads_and_cleans_up() {
    let options = Options {
        audit: Audit::Metadata,
        ..Options::new(toolbox())
    };
    let plane = ControlPlane::start(options).await.unwrap();
    let client = plane.client().await.unwrap();

    let version = client.apiserver_version().await.unwrap();
    assert_eq!(version.git_version, "v1.36.3");

    let deployments: Api<Deployment> = Api::default_namespaced(client);
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": { "name": "web" },
        "spec": {
            "replicas": 3,
            "selector": { "matchLabels": { "app": "web" } },
            "template": {
                "metadata": { "labels": { "app": "web" } },
                "spec": { "containers": [{ "name": "web", "image": "web" }] },
            },
        },
    });
    deployments
        .create(
            &PostParams::default(),
            &serde_json::from_value(deployment).unwrap(),
        )
        .await
        .unwrap();
    kube::runtime::wait::await_condition(deployments, "web", |found: Option<&Deployment>| {
        found.and_then(|web| web.status.as_ref()?.ready_replicas) == Some(3)
    })
    .await
    .unwrap();

    let (pids, state) = (plane.pids(), plane.state().to_owned());
    assert_eq!(pids.len(), 5);
    plane.stop();
    gone(&pids, &state).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn user_is_identified_by_certificate() {
    let options = Options {
        fake_node: false,
        ..Options::new(toolbox())
    };
    let plane = ControlPlane::start(options).await.unwrap();
    let kubeconfig =
        kube::config::Kubeconfig::from_yaml(&plane.kubeconfig_for("jane", None).unwrap()).unwrap();
    let config = kube::Config::from_custom_kubeconfig(
        kubeconfig,
        &kube::config::KubeConfigOptions::default(),
    )
    .await
    .unwrap();
    let namespaces: Api<Namespace> = Api::all(kube::Client::try_from(config).unwrap());
    let error = namespaces
        .list(&kube::api::ListParams::default())
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("User \"jane\" cannot list"),
        "{error}"
    );
}

/// The process that the test below kills. Without the variable it does nothing.
#[tokio::test(flavor = "multi_thread")]
#[expect(
    clippy::disallowed_methods,
    reason = "a variable selects the role of a test process"
)]
async fn owner_of_a_control_plane() {
    let Some(report) = std::env::var_os(OWNER).map(PathBuf::from) else {
        return;
    };
    let plane = ControlPlane::start(Options::new(toolbox())).await.unwrap();
    let text = json!({ "pids": plane.pids(), "state": plane.state() }).to_string();
    let partial = report.with_extension("partial");
    std::fs::write(&partial, text).unwrap();
    std::fs::rename(&partial, &report).unwrap();
    std::future::pending::<()>().await;
}

#[tokio::test(flavor = "multi_thread")]
#[expect(
    clippy::disallowed_methods,
    reason = "starts itself again to have a process to kill"
)]
async fn killed_owner_leaves_nothing_behind() {
    let directory = tempfile::tempdir().unwrap();
    let report = directory.path().join("report");
    let mut owner = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "owner_of_a_control_plane"])
        .env(OWNER, &report)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    until("the control plane of the owner runs", || {
        let end = owner.try_wait().unwrap();
        assert!(end.is_none(), "the owner ended before it was killed");
        report.exists()
    })
    .await;
    let told: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&report).unwrap()).unwrap();
    let pids: Vec<u32> = serde_json::from_value(told["pids"].clone()).unwrap();
    let state = PathBuf::from(told["state"].as_str().unwrap());
    assert!(state.exists() && pids.iter().all(|pid| is_alive(*pid)));

    owner.kill().unwrap();
    owner.wait().unwrap();
    gone(&pids, &state).await;
}
