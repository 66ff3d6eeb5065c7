//! Tests `sluice dev` with its own control plane, and on the cluster of a user. The full
//! demonstration begins with the short one of the README.

use std::path::Path;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Namespace;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Api;
use kube::api::{ListParams, PostParams};
use serde_json::json;
use sluice_system::fs;
use sluice_testkit::Sluice;
use sluice_testkit::devcluster::{ControlPlane, Options, Toolbox};

use crate::binary::sluice;
use crate::program;

#[test]
fn full_demo_shows_commit_drift_release_image_and_alert() {
    // The command must not use a configured cluster.
    let ended = sluice(
        Path::new("/nonexistent/kubeconfig"),
        "dev --once --demo full",
    )
    .well();
    for act in [
        "commit → ready in",
        "change → ready in",
        "drift → reverted in",
        "release → installed in",
        "tag → rolled out in",
        "not sent: Alert demo to Provider flux-system/demo (generic)",
        "tag → alert in",
    ] {
        assert!(ended.stderr.contains(act), "{act}: {}", ended.stderr);
    }
    assert_eq!(ended.stdout, "");
}

#[test]
fn dev_names_a_missing_branch_before_it_starts_servers() {
    let directory = tempfile::tempdir().unwrap();
    sluice_git::serve::Repository::init_bare(directory.path(), "main").unwrap();
    let line = format!("dev --path {} --branch mian", directory.path().display());
    let ended = sluice(Path::new("/nonexistent/kubeconfig"), &line);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.stderr.contains("has no branch mian"), "{ended:?}");
    assert!(!ended.stderr.contains("starting"), "{ended:?}");
}

#[tokio::test]
async fn dev_goes_on_after_an_invalid_first_commit() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("settings.yaml");
    fs::write(&file, "kind: [").unwrap();
    let path = directory.path().display().to_string();
    let running = Sluice::at(program::sluice())
        .without_poll_limit()
        .start(&["dev", "--path", &path]);
    running.printed("export KUBECONFIG=").await;
    running
        .printed("Kustomization/flux-system/demo ready=False")
        .await;
    running
        .printed("✗ Kustomization flux-system/demo is failing")
        .await;
    let settings = "{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: default}}";
    fs::write(&file, settings).unwrap();
    running
        .printed("Kustomization/flux-system/demo ready=True")
        .await;
    running.printed("└── ConfigMap/default/one").await;
    running.interrupt();
    assert_eq!(running.ended().await, Some(0), "{}", running.output());
    let output = running.output();
    let stopped = "stopped the controllers, the control plane and the Git server";
    assert!(output.contains(stopped), "{output}");
    assert!(!output.contains("--once"), "{output}");
    let failures = output.matches("is failing").count();
    assert_eq!(failures, 1, "{output}");
}

#[tokio::test]
async fn dev_leaves_nothing_on_the_cluster_of_a_user() {
    // The control planes of other tests have definitions from the start.
    let toolbox = Toolbox::from_environment().unwrap();
    let plane = ControlPlane::start(Options::new(toolbox)).await.unwrap();
    let client = plane.client().await.unwrap();
    let namespaces: Api<Namespace> = Api::all(client.clone());
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let line = format!("dev --once --kubeconfig {}", plane.kubeconfig().display());
    let ended = sluice(Path::new("/nonexistent/kubeconfig"), &line).well();
    assert!(ended.stderr.contains("release → installed"), "{ended:?}");
    assert!(
        ended.stderr.contains("removed all that this command made"),
        "{ended:?}"
    );
    for namespace in ["demo", "flux-system"] {
        assert_eq!(namespaces.get_opt(namespace).await.unwrap(), None);
    }
    let left = definitions.list(&ListParams::default()).await.unwrap();
    let left: Vec<_> = left.items.iter().map(|one| &one.metadata.name).collect();
    assert!(left.is_empty(), "{left:?}");

    let controllers: Api<Deployment> = Api::namespaced(client, "default");
    let controller = json!({
        "metadata": {
            "name": "source-controller",
            "labels": { "app.kubernetes.io/part-of": "flux" },
        },
        "spec": {
            "selector": { "matchLabels": { "app": "source-controller" } },
            "template": {
                "metadata": { "labels": { "app": "source-controller" } },
                "spec": { "containers": [{ "name": "manager", "image": "example.com/manager:v1" }] },
            },
        },
    });
    let controller = serde_json::from_value(controller).unwrap();
    controllers
        .create(&PostParams::default(), &controller)
        .await
        .unwrap();
    let refused = sluice(Path::new("/nonexistent/kubeconfig"), &line);
    assert_eq!(refused.code, 1, "{refused:?}");
    let message = "has controllers already, such as the Deployment default/source-controller";
    assert!(refused.stderr.contains(message), "{refused:?}");
    assert_eq!(namespaces.get_opt("flux-system").await.unwrap(), None);
}
