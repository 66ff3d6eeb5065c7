//! The requests for the definitions of a chart, on a cluster in memory. Expectations are those of
//! the reference: `internal/action/crds.go`, without its changes of existing definitions by
//! `Create`.

use std::sync::Arc;

use serde_json::json;
use sluice_chart::{File, Values};
use sluice_helm::cluster::MemoryCluster;

use super::*;

const NAME: &str = "tabs.example.com";

fn definition() -> Object {
    json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": NAME}})
    .try_into()
    .unwrap()
}

fn chart() -> LoadedChart {
    let file = |name: &str, object: serde_json::Value| File {
        name: name.to_owned(),
        data: object.to_string().into(),
        modified: None,
    };
    let config = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "other"}});
    LoadedChart {
        chart: Arc::new(Chart {
            files: vec![
                file("crds/tab.json", definition().to_value()),
                file("crds/other.json", config),
            ],
            ..Chart::default()
        }),
        values: Values::new(),
        oci_digest: None,
    }
}

/// The requests of an action with a policy.
async fn requests(
    action: &Action,
    policy: Option<&str>,
    server_side: bool,
    exists: bool,
) -> Vec<String> {
    let options = json!({"crds": policy});
    let object = json!({"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
        "metadata": {"name": "web", "namespace": "apps"},
        "spec": {"interval": "1h", "install": options, "upgrade": options}});
    let object: HelmRelease = serde_json::from_value(object).unwrap();
    let cluster = MemoryCluster::default();
    if exists {
        cluster.insert(definition());
    }
    let delivery = Delivery {
        server_side,
        force_conflicts: server_side,
        ..Delivery::default()
    };
    let applied = apply(&cluster, &object, &chart(), action, delivery).await;
    assert_eq!(applied, Ok(()));
    cluster.take_requests()
}

#[tokio::test]
async fn definitions_are_written_by_policy_and_method() {
    let one = |request: &str| vec![format!("{request} CustomResourceDefinition//{NAME}")];
    let waited = |request: &str| {
        let mut requests = one(request);
        requests.push("wait Ready".to_owned());
        requests
    };
    let forced = || {
        let mut requests = waited("apply");
        requests[0].push_str(" forced");
        requests
    };
    let none = Vec::new;
    for (policy, server_side, exists, expected) in [
        ("Skip", true, false, none()),
        ("Skip", true, true, none()),
        ("Skip", false, false, none()),
        ("Skip", false, true, none()),
        ("Create", true, false, forced()),
        ("Create", true, true, none()),
        ("Create", false, false, waited("create")),
        ("Create", false, true, none()),
        ("CreateReplace", true, false, forced()),
        ("CreateReplace", true, true, forced()),
        ("CreateReplace", false, false, waited("create")),
        ("CreateReplace", false, true, waited("replace")),
    ] {
        for action in [Action::Install, Action::Upgrade] {
            let found = requests(&action, Some(policy), server_side, exists).await;
            assert_eq!(
                found, expected,
                "{policy} {server_side} {exists} {action:?}"
            );
        }
    }
    // The default is `Create`.
    for action in [Action::Install, Action::Upgrade] {
        assert_eq!(
            requests(&action, None, false, false).await,
            waited("create")
        );
        assert_eq!(requests(&action, None, false, true).await, none());
    }
}

/// Another client creates the definition between the read and the write.
#[tokio::test]
async fn definition_that_appears_meanwhile_is_skipped() {
    let cluster = MemoryCluster::default();
    let exists = ClusterError::Exists(format!("{NAME} already exists"));
    cluster.fail(&format!("create CustomResourceDefinition//{NAME}"), exists);
    let delivery = Delivery {
        server_side: false,
        ..Delivery::default()
    };
    assert_eq!(create(&cluster, &definition(), delivery).await, Ok(false));
}
