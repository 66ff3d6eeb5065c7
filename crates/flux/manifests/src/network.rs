//! Network policies: traffic between controllers, metrics and webhooks.

use serde_json::{Value, json};
use sluice_object::Object;

use crate::component::NOTIFICATION_CONTROLLER;
use crate::{Options, SINGLE, Topology, object};

pub(crate) fn policies(options: &Options) -> [Object; 3] {
    let mut names = options.components.iter();
    let is_installed = names.any(|name| name == NOTIFICATION_CONTROLLER);
    let receiver = match options.topology {
        Topology::Single if is_installed => SINGLE,
        Topology::Single | Topology::Separate => NOTIFICATION_CONTROLLER,
    };
    let policy = |name: &str, spec: Value| {
        object(json!({
            "apiVersion": "networking.k8s.io/v1",
            "kind": "NetworkPolicy",
            "metadata": { "name": name, "namespace": options.namespace },
            "spec": spec,
        }))
    };
    let from_anywhere = |port: u16| {
        json!([{
            "from": [{ "namespaceSelector": {} }],
            "ports": [{ "port": port, "protocol": "TCP" }],
        }])
    };
    [
        policy(
            "allow-egress",
            json!({
                "egress": [{}],
                "ingress": [{ "from": [{ "podSelector": {} }] }],
                "podSelector": {},
                "policyTypes": ["Ingress", "Egress"],
            }),
        ),
        policy(
            "allow-scraping",
            json!({
                "ingress": from_anywhere(8080),
                "podSelector": {},
                "policyTypes": ["Ingress"],
            }),
        ),
        policy(
            "allow-webhooks",
            json!({
                "ingress": from_anywhere(9292),
                "podSelector": { "matchLabels": { "app": receiver } },
                "policyTypes": ["Ingress"],
            }),
        ),
    ]
}
