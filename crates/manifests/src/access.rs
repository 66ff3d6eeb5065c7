//! Who may do what: the roles of the controllers and of their users, and the
//! quota without which critical pods are not admitted.
//!
//! Cluster-wide names end in the namespace, so that two installations in one
//! cluster do not share them.

use serde_json::{Value, json};
use sluice_object::Object;

use crate::{Options, object};

const RBAC: &str = "rbac.authorization.k8s.io";

/// The groups of the toolkit, as the roles of users list them.
const GROUPS: [&str; 6] = [
    sluice_api::notification::GROUP,
    sluice_api::source::GROUP,
    sluice_api::source_watcher::GROUP,
    sluice_api::helm::GROUP,
    sluice_api::image::GROUP,
    sluice_api::kustomize::GROUP,
];

/// Every controller, whether installed or not: an installation that gains one
/// later needs no new binding.
const CONTROLLERS: [&str; 7] = [
    "kustomize-controller",
    "helm-controller",
    "source-controller",
    "notification-controller",
    "image-reflector-controller",
    "image-automation-controller",
    "source-watcher",
];

/// The controllers that apply what users commit, whatever it is.
const APPLIERS: [&str; 2] = ["kustomize-controller", "helm-controller"];

pub(crate) fn objects(options: &Options) -> Vec<Object> {
    let crd_controller = suffixed("crd-controller", options);
    vec![
        quota(options),
        role(&crd_controller, &[], &controller_rules()),
        role(
            &suffixed("flux-edit", options),
            &["admin", "edit"],
            &user_rules(&["create", "delete", "deletecollection", "patch", "update"]),
        ),
        role(
            &suffixed("flux-view", options),
            &["admin", "edit", "view"],
            &user_rules(&["get", "list", "watch"]),
        ),
        binding(
            &suffixed("cluster-reconciler", options),
            "cluster-admin",
            &APPLIERS,
            options,
        ),
        binding(&crd_controller, &crd_controller, &CONTROLLERS, options),
    ]
}

fn suffixed(name: &str, options: &Options) -> String {
    format!("{name}-{}", options.namespace)
}

/// Some clusters admit critical pods only where a quota allows for them.
fn quota(options: &Options) -> Object {
    object(json!({
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": { "name": suffixed("critical-pods", options), "namespace": options.namespace },
        "spec": {
            "hard": { "pods": "1000" },
            "scopeSelector": { "matchExpressions": [{
                "operator": "In",
                "scopeName": "PriorityClass",
                "values": ["system-node-critical", "system-cluster-critical"],
            }] },
        },
    }))
}

/// A role; `aggregates` names the built-in roles that it becomes a part of.
fn role(name: &str, aggregates: &[&str], rules: &Value) -> Object {
    let mut role = object(json!({
        "apiVersion": format!("{RBAC}/v1"),
        "kind": "ClusterRole",
        "metadata": { "name": name },
        "rules": rules,
    }));
    for aggregate in aggregates {
        role.set_label(&format!("{RBAC}/aggregate-to-{aggregate}"), "true");
    }
    role
}

fn binding(name: &str, role: &str, accounts: &[&str], options: &Options) -> Object {
    let subjects = accounts.iter().map(
        |name| json!({ "kind": "ServiceAccount", "name": name, "namespace": options.namespace }),
    );
    object(json!({
        "apiVersion": format!("{RBAC}/v1"),
        "kind": "ClusterRoleBinding",
        "metadata": { "name": name },
        "roleRef": { "apiGroup": RBAC, "kind": "ClusterRole", "name": role },
        "subjects": subjects.collect::<Vec<_>>(),
    }))
}

fn user_rules(verbs: &[&str]) -> Value {
    json!([{ "apiGroups": GROUPS, "resources": ["*"], "verbs": verbs }])
}

fn controller_rules() -> Value {
    let rule = |group: &str, resources: &[&str], verbs: &[&str]| json!({ "apiGroups": [group], "resources": resources, "verbs": verbs });
    let manage = [
        "get", "list", "watch", "create", "update", "patch", "delete",
    ];
    json!([
        rule(sluice_api::source::GROUP, &["*"], &["*"]),
        rule(sluice_api::kustomize::GROUP, &["*"], &["*"]),
        rule(sluice_api::helm::GROUP, &["*"], &["*"]),
        rule(sluice_api::notification::GROUP, &["*"], &["*"]),
        rule(sluice_api::image::GROUP, &["*"], &["*"]),
        rule(sluice_api::source_watcher::GROUP, &["*"], &["*"]),
        rule(
            "",
            &["namespaces", "secrets", "configmaps", "serviceaccounts"],
            &["get", "list", "watch"],
        ),
        rule("", &["events"], &["create", "patch"]),
        // Leader election: leases now, ConfigMaps in the past.
        rule("", &["configmaps"], &manage),
        rule("", &["configmaps/status"], &["get", "update", "patch"]),
        rule("coordination.k8s.io", &["leases"], &manage),
        // Workload identity of an object's own account.
        rule("", &["serviceaccounts/token"], &["create"]),
        // Asking whether the API server does its own flow control.
        { "nonResourceURLs": ["/livez/ping"], "verbs": ["head"] },
    ])
}
