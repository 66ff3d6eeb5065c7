//! Names that only a cluster knows, offered to a shell.

use kube::config::Kubeconfig;
use serde_json::json;

use crate::binary::sluice;
use crate::world::World;

fn offered(printed: &str) -> Vec<&str> {
    printed.lines().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_of_the_kind_and_the_namespace_of_the_line_are_offered() {
    let world = World::new("complete").await;
    let (kubeconfig, namespace) = (world.bed.kubeconfig(), &world.namespace);
    for name in ["podinfo", "apps", "app-two"] {
        world.kustomization(name, json!({})).await;
    }
    world
        .source("fleet", "https://example.com/fleet", json!({}))
        .await;
    let ask = |line: &str| sluice(&kubeconfig, line).well();

    let all = ask(&format!("__complete get kustomizations -n {namespace} app"));
    assert_eq!(offered(&all.stdout), ["app-two", "apps", ":4"]);
    assert_eq!(
        all.stderr,
        "Completion ended with directive: ShellCompDirectiveNoFileComp\n"
    );
    let suspend = ask(&format!(
        "__complete --namespace={namespace} suspend ks apps p"
    ));
    assert_eq!(offered(&suspend.stdout), ["podinfo", ":4"]);
    let sources = ask(&format!(
        "__completeNoDesc reconcile source git -n {namespace} f"
    ));
    assert_eq!(offered(&sources.stdout), ["fleet", ":4"]);
    let none = ask(&format!("__complete delete hr -n {namespace} f"));
    assert_eq!(offered(&none.stdout), [":4"]);
    let own = ask(&format!("__complete get ks -n {namespace}"));
    assert_eq!(offered(&own.stdout), [namespace.as_str(), ":4"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_kubeconfig_calls_things_is_offered_without_asking_its_cluster() {
    let bed = sluice_testkit::cluster().await;
    let kubeconfig = bed.kubeconfig();
    let known = Kubeconfig::read_from(&kubeconfig).unwrap();
    for (flag, name) in [
        ("context", &known.contexts[0].name),
        ("cluster", &known.clusters[0].name),
        ("user", &known.auth_infos[0].name),
    ] {
        let ended = sluice(&kubeconfig, &format!("__complete get ks --{flag}=")).well();
        assert_eq!(offered(&ended.stdout), [name.as_str(), ":4"], "{flag}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_list_is_offered_nothing() {
    let bed = sluice_testkit::cluster().await;
    let nobody = bed.kubeconfig_in_group("nobody-at-all", None);
    let ended = sluice(&nobody, "__complete get ks a").well();
    assert_eq!(offered(&ended.stdout), [":1"]);
    assert!(
        ended.stderr.starts_with("[Error] ") && ended.stderr.contains("forbidden"),
        "{ended:?}"
    );
}
