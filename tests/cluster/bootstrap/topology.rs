//! Tests `bootstrap` over an installation of the other topology. Its Deployments are in no
//! inventory, and hold the leases that the new ones need. `bootstrap` therefore deletes them.

use k8s_openapi::api::apps::v1::Deployment;
use kube::api::ListParams;

use super::{BootstrapFixture, COMPONENTS, guarded};
use crate::binary::sluice;

#[tokio::test(flavor = "multi_thread")]
async fn topology_change_removes_the_other_deployments() {
    let stage = BootstrapFixture::new().await;
    let git = guarded().await;
    git.create("fleet.git", "main");
    let flags = format!(
        "--url={} --allow-insecure-http --token-auth --username=me --path=clusters/one",
        git.url("fleet.git")
    );
    let deployments = stage.api::<Deployment>();
    let names = async || {
        let labelled = ListParams::default().labels("app.kubernetes.io/part-of=flux");
        let list = deployments.list(&labelled).await.unwrap();
        let names = list.items.into_iter().filter_map(|it| it.metadata.name);
        names.collect::<Vec<_>>()
    };
    let install = async |topology: &str| {
        let kubeconfig = stage.world.bed.kubeconfig();
        let line = format!("install {COMPONENTS} --topology={topology}");
        let installing = tokio::task::spawn_blocking(move || sluice(&kubeconfig, &line));
        installing.await.unwrap().well();
    };

    install("single").await;
    let planned = stage.bootstrap(&format!("{flags} --plan")).await;
    let said = "\ndelete Deployment/flux-system/sluice\n";
    assert!(planned.stdout.contains(said), "{planned:#?}");

    install("apart").await;
    let apart = ["kustomize-controller", "source-controller"];
    assert_eq!(names().await, apart, "a plan deletes nothing");
    let single = format!("{flags} --topology=single");
    let gone = apart.map(|name| format!("Deployment/flux-system/{name}"));
    let planned = stage.bootstrap(&format!("{single} --plan")).await;
    let said = format!("\ndelete {}\ndelete {}\n", gone[0], gone[1]);
    assert!(planned.stdout.contains(&said), "{planned:#?}");

    let _controllers = stage.controllers();
    let done = stage.bootstrap(&single).await.well();
    let [first, second] = gone.map(|id| format!("✔ deleted {id} of the other topology\n"));
    let said = format!("{first}{second}✔ installed components\n");
    assert!(done.stderr.contains(&said), "{done:#?}");
    assert!(
        done.stderr.contains("✔ sluice: deployment ready\n"),
        "{done:#?}"
    );
    assert_eq!(names().await, ["sluice"]);
    let planned = stage.bootstrap(&format!("{single} --plan")).await.well();
    assert!(planned.stdout.ends_with("nothing to do\n"), "{planned:#?}");
}
