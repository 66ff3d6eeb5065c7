//! The order in which `kustomize build` prints when nothing else is asked for.
//!
//! It was meant as the order to apply in, long ago; now it is merely the order
//! of the output. Flux does not ask for it.

use std::cmp::Ordering;

use sluice_object::Object;

const FIRST: [&str; 22] = [
    "Namespace",
    "ResourceQuota",
    "StorageClass",
    "CustomResourceDefinition",
    "ServiceAccount",
    "PodSecurityPolicy",
    "Role",
    "ClusterRole",
    "RoleBinding",
    "ClusterRoleBinding",
    "ConfigMap",
    "Secret",
    "Endpoints",
    "Service",
    "LimitRange",
    "PriorityClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Deployment",
    "StatefulSet",
    "CronJob",
    "PodDisruptionBudget",
];

const LAST: [&str; 2] = [
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
];

/// Sorts objects; no two have the same identity, so the order is total.
pub(crate) fn sort(objects: &mut [Object]) {
    objects.sort_by(compare);
}

fn compare(left: &Object, right: &Object) -> Ordering {
    let by_type = rank(left.kind()).cmp(&rank(right.kind())).then_with(|| {
        let by_name = type_key(left).cmp(&type_key(right));
        // Namespaces of the core group come before other kinds of that name.
        let namespaces = left.kind() == "Namespace" && right.kind() == "Namespace";
        if namespaces && (left.group().is_empty() || right.group().is_empty()) {
            by_name.reverse()
        } else {
            by_name
        }
    });
    by_type.then_with(|| identity_key(left).cmp(&identity_key(right)))
}

/// Kinds that are listed come first or last, the others between.
fn rank(kind: &str) -> usize {
    let position = |list: &[&str]| list.iter().position(|listed| *listed == kind);
    match (position(&FIRST), position(&LAST)) {
        (Some(index), _) => index,
        (_, Some(index)) => FIRST.len() + 1 + index,
        _ => FIRST.len(),
    }
}

fn or<'a>(text: &'a str, absent: &'a str) -> &'a str {
    if text.is_empty() { absent } else { text }
}

fn type_key(object: &Object) -> String {
    let group = or(object.group(), "~G");
    let version = or(object.version(), "~V");
    format!("{group}_{version}_{}", or(object.kind(), "~K"))
}

fn identity_key(object: &Object) -> String {
    let namespace = or(object.namespace(), "~X");
    format!("{namespace}|{}", or(object.name(), "~N"))
}
