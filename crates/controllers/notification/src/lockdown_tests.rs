//! Proofs of the rows of `docs/lockdown.md` about Alerts, Providers and Receivers.

use serde_json::{Value, json};
use sluice_api::event::Event;
use sluice_api::notification::{Alert, Provider, Receiver};
use sluice_testkit::lockdown::{self, CLOUD_ACCOUNT, Proof, SERVER, reach, walk};

use crate::alert::{Dispatch, Gates, dispatch};
use crate::args::Args;
use crate::receiver::targets;

const CONTROLLER: &str = "notification-controller";

fn is_strict(is_locked: bool) -> bool {
    lockdown::arguments::<Args>(CONTROLLER, is_locked).no_cross_namespace_refs
}

fn object<T: serde::de::DeserializeOwned>(spec: &Value) -> T {
    serde_json::from_value(json!({
        "apiVersion": "v1", "kind": "A", "metadata": { "name": "a", "namespace": "apps" },
        "spec": spec,
    }))
    .unwrap()
}

/// Whether an Alert of the namespace `apps` sends an event of an object.
fn is_sent(is_locked: bool, namespace: &str) -> bool {
    let alert: Alert = object(&json!({
        "providerRef": { "name": "a" },
        "eventSources": [{ "kind": "Kustomization", "name": "*", "namespace": namespace }],
    }));
    let provider: Provider = object(&json!({ "type": "generic" }));
    let mut event = Event::default();
    event.involved_object.kind = "Kustomization".to_owned();
    event.involved_object.name = "b".to_owned();
    event.involved_object.namespace = namespace.to_owned();
    let gates = Gates {
        no_cross_namespace_refs: is_strict(is_locked),
        ..Gates::default()
    };
    matches!(
        dispatch(&event, &alert, Ok(&provider), gates),
        Dispatch::Send(_)
    )
}

/// Whether a Receiver of the namespace `apps` requests the reconciliation of an object.
fn is_requested(is_locked: bool, namespace: &str) -> bool {
    let resource = json!({ "kind": "GitRepository", "name": "b", "namespace": namespace });
    let receiver: Receiver = object(&json!({ "type": "generic", "resources": [resource] }));
    targets(&receiver, is_strict(is_locked))
        .iter()
        .all(Result::is_ok)
}

#[test]
fn rows_of_the_lockdown_hold() {
    let alert = json!({ "eventSources": [] });
    let provider = json!({ "type": "generic" });
    let receiver = json!({ "type": "generic", "resources": [] });
    let of_provider = |field| {
        let proof = Proof::typed::<Provider>(provider.clone(), field);
        ("Provider", field, proof)
    };
    let tested = |field, file, test, cell| {
        let file = format!("controllers/notification/{file}");
        ("Provider", field, Proof::tested(&file, test, cell))
    };
    walk(
        CONTROLLER,
        vec![
            (
                "Alert",
                "eventSources[]",
                Proof::decided(|is_locked| {
                    reach(is_sent(is_locked, "apps"), is_sent(is_locked, "other"))
                }),
            ),
            (
                "Alert",
                "providerRef",
                Proof::typed::<Alert>(alert, "providerRef"),
            ),
            tested(
                "address",
                "src/provider/tests.rs",
                "hostile_event_stays_on_the_host",
                SERVER,
            ),
            of_provider("certSecretRef"),
            tested(
                "proxy",
                "src/config/tests.rs",
                "deprecated_proxy_is_used_with_a_warning",
                SERVER,
            ),
            of_provider("proxySecretRef"),
            of_provider("secretRef"),
            (
                "Provider",
                "serviceAccountName",
                Proof::decided(|is_locked| {
                    let args: Args = lockdown::arguments(CONTROLLER, is_locked);
                    assert_eq!(args.identity.default_service_account, "");
                    CLOUD_ACCOUNT.to_owned()
                }),
            ),
            (
                "Receiver",
                "resources[]",
                Proof::decided(|is_locked| {
                    reach(
                        is_requested(is_locked, "apps"),
                        is_requested(is_locked, "other"),
                    )
                }),
            ),
            (
                "Receiver",
                "secretRef",
                Proof::typed::<Receiver>(receiver, "secretRef"),
            ),
        ],
    );
}
