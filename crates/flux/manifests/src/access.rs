//! RBAC of the controllers and users, and the resource quota for critical Pods.
//!
//! Cluster-scoped names end in the namespace, so that two installations in a cluster do not share
//! them.

use serde_json::{Value, json};
use sluice_object::Object;

use crate::{Options, SINGLE, Topology, object};

const RBAC: &str = "rbac.authorization.k8s.io";

/// API groups in the roles of users.
const GROUPS: [&str; 6] = [
    sluice_api::notification::GROUP,
    sluice_api::source::GROUP,
    sluice_api::source_watcher::GROUP,
    sluice_api::helm::GROUP,
    sluice_api::image::GROUP,
    sluice_api::kustomize::GROUP,
];

/// Every controller, installed or not. Adding one later then needs no new binding.
const CONTROLLERS: [&str; 7] = [
    "kustomize-controller",
    "helm-controller",
    "source-controller",
    "notification-controller",
    "image-reflector-controller",
    "image-automation-controller",
    "source-watcher",
];

/// Controllers that apply arbitrary objects of users.
const APPLIERS: [&str; 2] = ["kustomize-controller", "helm-controller"];

pub(crate) fn objects(options: &Options) -> Vec<Object> {
    let crd_controller = suffixed("crd-controller", options);
    let mut objects = vec![quota(options)];
    if options.namespaced_rbac {
        objects.push(namespaced(
            role("Role", &crd_controller, &[], &namespaced_rules()),
            options,
        ));
    } else {
        objects.push(role(
            "ClusterRole",
            &crd_controller,
            &[],
            &controller_rules(),
        ));
    }
    objects.extend([
        role(
            "ClusterRole",
            &suffixed("flux-edit", options),
            &["admin", "edit"],
            &user_rules(&["create", "delete", "deletecollection", "patch", "update"]),
        ),
        role(
            "ClusterRole",
            &suffixed("flux-view", options),
            &["admin", "edit", "view"],
            &user_rules(&["get", "list", "watch"]),
        ),
    ]);
    let (reconciler, kind) = if options.namespaced_rbac {
        ("namespace-reconciler", "Role")
    } else {
        ("cluster-reconciler", "ClusterRole")
    };
    objects.extend([
        // A RoleBinding limits the role `cluster-admin` to the namespace.
        binding(
            &suffixed(reconciler, options),
            ("ClusterRole", "cluster-admin"),
            &APPLIERS,
            options,
        ),
        binding(
            &crd_controller,
            (kind, &crd_controller),
            &CONTROLLERS,
            options,
        ),
    ]);
    objects
}

fn suffixed(name: &str, options: &Options) -> String {
    format!("{name}-{}", options.namespace)
}

/// Some clusters admit critical Pods only in a namespace with a quota for them.
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

/// Returns a role. `aggregates` names the built-in roles that include it.
fn role(kind: &str, name: &str, aggregates: &[&str], rules: &Value) -> Object {
    let mut role = object(json!({
        "apiVersion": format!("{RBAC}/v1"),
        "kind": kind,
        "metadata": { "name": name },
        "rules": rules,
    }));
    for aggregate in aggregates {
        role.set_label(&format!("{RBAC}/aggregate-to-{aggregate}"), "true");
    }
    role
}

fn namespaced(mut object: Object, options: &Options) -> Object {
    object.set_namespace(&options.namespace);
    object
}

/// Binds accounts to a role, in the namespace or in the cluster. A process with several controllers
/// gets the permissions of all.
fn binding(name: &str, (kind, role): (&str, &str), accounts: &[&str], options: &Options) -> Object {
    let single = (options.topology == Topology::Single).then_some(SINGLE);
    let subjects = accounts.iter().copied().chain(single).map(
        |name| json!({ "kind": "ServiceAccount", "name": name, "namespace": options.namespace }),
    );
    let binding = |binding: &str| {
        object(json!({
            "apiVersion": format!("{RBAC}/v1"),
            "kind": binding,
            "metadata": { "name": name },
            "roleRef": { "apiGroup": RBAC, "kind": kind, "name": role },
            "subjects": subjects.clone().collect::<Vec<_>>(),
        }))
    };
    if options.namespaced_rbac {
        namespaced(binding("RoleBinding"), options)
    } else {
        binding("ClusterRoleBinding")
    }
}

fn user_rules(verbs: &[&str]) -> Value {
    json!([{ "apiGroups": GROUPS, "resources": ["*"], "verbs": verbs }])
}

/// Returns the rules for a namespaced role, which cannot have URLs or namespaces.
fn namespaced_rules() -> Value {
    let mut rules = controller_rules();
    if let Some(rules) = rules.as_array_mut() {
        rules.retain(|rule| rule.get("nonResourceURLs").is_none());
        for rule in rules {
            if let Some(resources) = rule["resources"].as_array_mut() {
                resources.retain(|resource| resource != "namespaces");
            }
        }
    }
    rules
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
        // Leader election uses leases; older versions use ConfigMaps.
        rule("", &["configmaps"], &manage),
        rule("", &["configmaps/status"], &["get", "update", "patch"]),
        rule("coordination.k8s.io", &["leases"], &manage),
        // Workload identity of the service account of an object.
        rule("", &["serviceaccounts/token"], &["create"]),
        // The check whether the API server has flow control.
        { "nonResourceURLs": ["/livez/ping"], "verbs": ["head"] },
    ])
}
