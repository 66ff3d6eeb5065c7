//! Tests `bootstrap --multi-tenant`. The cluster's own folder is applied with all permissions. A
//! tenant's Kustomization without a service account has none. Controllers run with the flags of
//! their Deployments.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::Api;
use kube::api::PostParams;
use kube::core::DynamicObject;
use serde_json::json;
use sluice_git::serve::Change;

use super::{BootstrapFixture, NAMESPACE, guarded};
use crate::world::{Kind, config_map, kustomization};

/// Returns the isolation flags of the installed Deployment.
async fn lockdown(stage: &BootstrapFixture) -> Vec<String> {
    let deployment = stage.api::<Deployment>().get("kustomize-controller").await;
    let deployment = serde_json::to_value(deployment.unwrap()).unwrap();
    let arguments = &deployment["spec"]["template"]["spec"]["containers"][0]["args"];
    let arguments = arguments.as_array().unwrap().iter();
    let arguments = arguments.map(|argument| argument.as_str().unwrap().to_owned());
    let own = [
        "--no-cross-namespace-refs",
        "--no-remote-bases",
        "--default-service-account",
    ];
    let found: Vec<String> = arguments
        .filter(|argument| own.iter().any(|flag| argument.starts_with(flag)))
        .collect();
    assert_eq!(found.len(), own.len(), "{found:?}");
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn tenant_without_account_has_no_rights() {
    let stage = BootstrapFixture::new().await;
    let world = &stage.world;
    let git = guarded().await;
    let repository = git.create("fleet.git", "main");
    let tenant = world.bed.namespace("tenant").await;
    // The cluster's own folder applies one object to a foreign namespace. A tenant's Kustomization
    // applies another object from its own folder.
    let files = [
        (
            "clusters/one/settings.yaml",
            config_map("settings", &tenant, "1"),
        ),
        ("tenant/mine.yaml", config_map("mine", NAMESPACE, "1")),
    ];
    let files = files.map(|(path, content)| Change::write(path, content));
    repository.commit("main", "First", &files).unwrap();
    let line = format!(
        "--multi-tenant --url={} --allow-insecure-http --token-auth --username=me --path=clusters/one",
        git.url("fleet.git")
    );
    // The command waits for controllers, which need the installed flags.
    let waiting = stage.begin(&line);
    waiting.printed("✔ reconciled sync configuration\n").await;
    let flags = lockdown(&stage).await;
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let controllers = world.controllers(&world.kubeconfig);
    let _source = controllers.source_controller();
    let _kustomize = controllers.kustomize_controller(&flags);
    assert_eq!(waiting.ended().await, Some(0), "{}", waiting.output());
    let own = world.get(Kind::Kustomization, NAMESPACE).await.unwrap();
    assert_eq!(
        own.data["spec"]["serviceAccountName"],
        "kustomize-controller"
    );
    let config_maps: Api<ConfigMap> = Api::namespaced(world.client.clone(), &tenant);
    config_maps.get("settings").await.unwrap();

    let kind = Kind::Kustomization.resource();
    let kustomizations = world.api(Kind::Kustomization);
    let made = async |name: &str, more| {
        let spec = kustomization(NAMESPACE, more);
        let object = DynamicObject::new(name, &kind).data(json!({ "spec": spec }));
        let made = kustomizations.create(&PostParams::default(), &object).await;
        made.unwrap();
        world.failed(Kind::Kustomization, name).await
    };
    let (_, poor) = made("poor", json!({ "path": "./tenant" })).await;
    let nobody = format!("system:serviceaccount:{NAMESPACE}:default");
    assert!(
        poor.contains(&nobody) && poor.contains("forbidden"),
        "{poor}"
    );
    let elsewhere =
        json!({ "sourceRef": { "kind": "GitRepository", "name": "app", "namespace": tenant } });
    let (_, crossing) = made("crossing", elsewhere).await;
    assert!(crossing.contains("cross-namespace"), "{crossing}");
    let mine: Api<ConfigMap> = Api::namespaced(world.client.clone(), NAMESPACE);
    assert!(mine.get_opt("mine").await.unwrap().is_none());
}
