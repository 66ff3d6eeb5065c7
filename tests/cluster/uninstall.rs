//! Tests `uninstall --purge-workloads` with running controllers. They delete their objects, and
//! objects of the cluster's own Kustomization also go. Objects that are marked to be kept stay.

use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kube::Api;
use serde_json::json;
use sluice_git::serve::Change;
use sluice_testkit::GitBackend;

use crate::binary::{Call, sluice};
use crate::world::{Kind, Live, World, config_map};

const SYSTEM: &str = "flux-system";

/// Returns a Kustomization as in a repository.
fn kustomization(name: &str, prune: bool) -> String {
    json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
        "metadata": { "name": name, "namespace": SYSTEM },
        "spec": {
            "interval": "1h", "path": format!("./{name}"), "prune": prune,
            "sourceRef": { "kind": "GitRepository", "name": SYSTEM },
        },
    })
    .to_string()
}

fn finalizers(object: &Live) -> &[String] {
    object.metadata.finalizers.as_deref().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn purged_workloads_go_before_their_controllers() {
    let world = World::system().await;
    let (bed, client) = (&world.bed, world.client.clone());
    let kubeconfig = bed.kubeconfig();
    sluice(
        &kubeconfig,
        "install --components=source-controller,kustomize-controller",
    )
    .well();
    let tenant = bed.namespace("tenant").await;
    let git = GitBackend::start().await;
    let repository = git.create("fleet.git", "main");
    let files = [
        ("cluster/apps.yaml", kustomization("apps", true)),
        ("cluster/kept.yaml", kustomization("kept", false)),
        (
            "cluster/settings.yaml",
            config_map("settings", &tenant, "1"),
        ),
        ("apps/workload.yaml", config_map("workload", &tenant, "1")),
        ("kept/kept.yaml", config_map("kept", &tenant, "1")),
    ];
    let files = files.map(|(path, content)| Change::write(path, content));
    repository.commit("main", "First", &files).unwrap();
    world.source(SYSTEM, &git.url("fleet.git"), json!({})).await;
    let path = json!({ "path": "./cluster" });
    world.kustomization(SYSTEM, path).await;
    let _controllers = world.controllers(&world.kubeconfig).all();
    for name in [SYSTEM, "apps", "kept"] {
        world.ready(Kind::Kustomization, name).await;
    }
    let config_maps: Api<ConfigMap> = Api::namespaced(client.clone(), &tenant);
    let there = async || {
        let list = config_maps.list(&kube::api::ListParams::default()).await;
        let names = list.unwrap().items.into_iter();
        let names = names.filter_map(|config_map| config_map.metadata.name);
        let names = names.filter(|name| name != "kube-root-ca.crt");
        names.collect::<Vec<_>>()
    };
    assert_eq!(there().await, ["kept", "settings", "workload"]);

    let purge = "uninstall --silent --purge-workloads";
    let refused = sluice(&kubeconfig, purge);
    assert_eq!(refused.code, 1, "{refused:#?}");
    let said = "✗ aborting\n  hint: type 'flux-system'";
    assert!(refused.stderr.contains(said), "{refused:#?}");
    let call = Call::new(&kubeconfig);
    let mistyped = call.converse(purge, "flux\n").await;
    assert!(mistyped.contains("✗ aborting"), "{mistyped}");
    assert_eq!(there().await, ["kept", "settings", "workload"]);

    let planned = sluice(&kubeconfig, &format!("{purge} --dry-run")).well();
    for said in [
        format!("✔ ConfigMap/{tenant}/workload deleted (dry run)\n"),
        format!("✔ ConfigMap/{tenant}/settings deleted (dry run)\n"),
        "Kustomization/flux-system/kept does not prune: what it applied stays\n".to_owned(),
    ] {
        assert!(planned.stderr.contains(&said), "{said}: {planned:#?}");
    }
    let own = world.get(Kind::Kustomization, SYSTEM).await.unwrap();
    assert!(
        own.data["spec"]["suspend"].is_null(),
        "a dry run suspends nothing"
    );

    // A blocked run leaves the objects of the cluster's own Kustomization for the next run.
    let hold =
        json!({ "metadata": { "finalizers": ["finalizers.fluxcd.io", "example.com/held"] } });
    world.merge(Kind::Kustomization, "apps", hold).await;
    let torn = call
        .converse(&format!("{purge} --timeout=15s"), "flux-system\n")
        .await;
    let said = "✗ what was applied is not deleted in time: Kustomization/flux-system/apps";
    assert!(torn.contains(said), "{torn}");
    let own = world.get(Kind::Kustomization, SYSTEM).await.unwrap();
    assert_eq!(own.data["spec"]["suspend"], true);
    let is_pruned = |apps: &_| finalizers(apps) == ["example.com/held"];
    let claim = "is let go by its controller";
    world
        .until(Kind::Kustomization, "apps", claim, is_pruned)
        .await;
    let release = json!({ "metadata": { "finalizers": null } });
    world.merge(Kind::Kustomization, "apps", release).await;

    let done = call.converse(purge, "flux-system\n").await;
    assert!(!done.contains("is suspended"), "{done}");
    assert!(done.trim_end().ends_with("✔ uninstall finished"), "{done}");
    assert_eq!(there().await, ["kept"]);
    let namespaces = Api::<Namespace>::all(client);
    assert!(namespaces.get_opt(SYSTEM).await.unwrap().is_none());
}
