//! Secrets, read at each use and cached.

use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use kube::Api;
use kube::api::PostParams;
use serde_json::json;
use sluice_host::gates::CACHE_SECRETS_AND_CONFIG_MAPS;
use sluice_host::{Component, Gate};
use sluice_testkit::{cluster, wait};

use crate::bed;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secret_errors_never_show_values() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("secrets").await;
    let api: Api<Secret> = Api::namespaced(testbed.client().await, &namespace);
    for (name, data) in [
        ("good", json!({ "username": "git", "password": "canary" })),
        ("half", json!({ "password": "canary" })),
        ("torn", json!({ "bearerToken": "canary\ncanary" })),
    ] {
        let secret =
            serde_json::from_value(json!({ "metadata": { "name": name }, "stringData": data }))
                .unwrap();
        api.create(&PostParams::default(), &secret).await.unwrap();
    }
    for gates in ["", "--feature-gates=CacheSecretsAndConfigMaps=true"] {
        let gates: Vec<_> = Some(gates)
            .into_iter()
            .filter(|gates| !gates.is_empty())
            .collect();
        let flags = bed::flags_in(&namespace, &gates);
        let table = [Gate::off(CACHE_SECRETS_AND_CONFIG_MAPS)];
        let host = bed::host(testbed).await;
        let component = Component::new(&host, "toy-controller", flags, &table).unwrap();
        let secrets = component.secrets();

        let good = secrets.get(&namespace, "good").await.unwrap();
        assert!(good.git_credentials("https").unwrap().is_some());
        assert!(!format!("{good:?}").contains("canary"));

        let half = "invalid 'https' auth option: 'password' requires".to_owned();
        let torn = format!("secret '{namespace}/torn': key 'bearerToken' holds ");
        for (name, expected) in [("half", half), ("torn", torn)] {
            let secret = secrets.get(&namespace, name).await.unwrap();
            let error = secret.git_credentials("https").unwrap_err();
            let text = sluice_golang::error::chain(&error);
            assert!(text.starts_with(&expected), "{text}");
            assert!(!text.contains("canary"), "{text}");
        }

        let absent = secrets.get(&namespace, "absent").await.unwrap_err();
        assert!(absent.is_not_found());
        assert_eq!(
            absent.to_string(),
            format!("secret '{namespace}/absent' not found")
        );
        component.host().drained().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forbidden_list_does_not_block_reads() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("unlisted").await;
    let client = testbed.client().await;
    let user = testbed.name("reader");
    let reader = bed::host_at(&testbed.kubeconfig_in_group(&user, None)).await;
    let roles: Api<Role> = Api::namespaced(client.clone(), &namespace);
    let rules = json!([{ "apiGroups": [""], "resources": ["secrets"], "verbs": ["get"] }]);
    let role = json!({ "metadata": { "name": "reader" }, "rules": rules });
    let role = serde_json::from_value(role).unwrap();
    roles.create(&PostParams::default(), &role).await.unwrap();
    let bindings: Api<RoleBinding> = Api::namespaced(client.clone(), &namespace);
    let group = "rbac.authorization.k8s.io";
    let binding = json!({ "metadata": { "name": "reader" },
        "roleRef": { "apiGroup": group, "kind": "Role", "name": "reader" },
        "subjects": [{ "apiGroup": group, "kind": "User", "name": user }] });
    let binding = serde_json::from_value(binding).unwrap();
    bindings
        .create(&PostParams::default(), &binding)
        .await
        .unwrap();
    let api: Api<Secret> = Api::namespaced(client, &namespace);
    let secret = json!({ "metadata": { "name": "good" }, "stringData": { "a": "b" } });
    let secret = serde_json::from_value(secret).unwrap();
    api.create(&PostParams::default(), &secret).await.unwrap();

    let gate = ["--feature-gates=CacheSecretsAndConfigMaps=true"];
    let table = [Gate::off(CACHE_SECRETS_AND_CONFIG_MAPS)];
    let flags = bed::flags_in(&namespace, &gate);
    let component = Component::new(&reader, "toy-controller", flags, &table).unwrap();
    let found = wait::eventually("the secret is read", || async {
        let found = component.secrets().get(&namespace, "good").await;
        found.map_err(|error| error.to_string())
    })
    .await;
    assert_eq!(found.entry("a"), Some(b"b".as_slice()));
    component.host().drained().await;
}
