//! Secrets, read when used and cached.

use k8s_openapi::api::core::v1::Secret;
use kube::Api;
use kube::api::PostParams;
use serde_json::json;
use sluice_runtime::Gate;
use sluice_runtime::gates::CACHE_SECRETS_AND_CONFIG_MAPS;
use sluice_testkit::cluster;

use crate::bed;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_become_credentials_and_errors_name_the_object_but_no_value() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("secrets").await;
    let api: Api<Secret> = Api::namespaced(testbed.client().await, &namespace);
    for (name, data) in [
        ("good", json!({ "username": "git", "password": "canary" })),
        ("half", json!({ "username": "canary" })),
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
        let component = bed::host(testbed)
            .await
            .component("toy-controller", flags, &table)
            .unwrap();
        let secrets = component.secrets();

        let good = secrets.get(&namespace, "good").await.unwrap();
        assert!(good.credentials().unwrap().is_some());
        assert!(!format!("{good:?}").contains("canary"));

        let half = secrets
            .get(&namespace, "half")
            .await
            .unwrap()
            .credentials()
            .unwrap_err();
        let text = sluice_runtime::reconcile::chain(&half);
        assert!(
            text.starts_with(&format!("invalid Secret '{namespace}/half': ")),
            "{text}"
        );
        assert!(!text.contains("canary"));

        let absent = secrets.get(&namespace, "absent").await.unwrap_err();
        assert!(absent.is_not_found());
        assert_eq!(
            absent.to_string(),
            format!("Secret '{namespace}/absent' not found")
        );
        component.host().drained().await;
    }
}
