//! Fields of built-in kinds that are written down and hold nothing.
//!
//! A template whose value is missing leaves `replicas:` with nothing behind it. Flux brings such an
//! object through Go's types, where a null is the same as no field, and sends no field. A server
//! that is sent the null makes the field ours, with its default for a value: each apply would
//! scale to 1 what an autoscaler has scaled to 8, and would be refused for a claim that got the
//! default class meanwhile. So these nulls are taken out.
//!
//! Taken out as well are lists and maps without entries, and the few empty texts, that Go's types
//! leave out and that somebody else fills: `imagePullSecrets: []` of a service account, to which a
//! platform adds its own, or the `caBundle: ""` of a webhook, which cert-manager puts in. Were they
//! sent, each apply would take away what was put there.
//!
//! A null in a map, such as that of a key of a `ConfigMap`, is an entry and not a field. Go makes
//! the empty value of it, and so does the server, by the same conversion: it is left as it is,
//! like a null among the items of a list. What may hold anything is left as a whole. Custom
//! resources are none of this module's business: there a null may be a value.
//!
//! Parity: `apimachinery: runtime/converter.go`, by way of `pkg: ssa/normalize/normalize.go`.

use serde_json::Map;
use sluice_object::{Object, Value};

/// What is below a field of a built-in kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// Fields with names that the schema knows, or no map at all.
    Fields,
    /// Entries with names of the user's choice.
    Entries,
    /// Whatever it is, it is not for Kubernetes to know.
    Anything,
}

/// The maps of built-in kinds, and what has the name of one. Newer ones are found by
/// `every_map_of_every_minor_is_known`.
const MAPS: [&str; 28] = [
    "annotations",
    "attributes",
    "binaryData",
    "capacity",
    "counters",
    "data",
    "default",
    "defaultRequest",
    "deprecatedTopology",
    "extra",
    "hard",
    "labels",
    "limits",
    "matchLabels",
    "max",
    "maxLimitRequestRatio",
    "min",
    "nodeAllocatableResourceMappings",
    "nodeSelector",
    "options",
    "overhead",
    "parameters",
    "podFixed",
    "requests",
    "stringData",
    "unverifiedUserAnnotations",
    "userAnnotations",
    "volumeAttributes",
];

/// The lists of built-in kinds that Go's types leave out where they are empty, in every kind that has
/// one of the name.
const LISTS: &str = "
    accessModes add allowedTopologies apiVersions args auditAnnotations claims clusterIPs
    clusterRoleSelectors command drop egress env envFrom ephemeralContainers except
    excludeResourceRules externalIPs finalizers from groups hostAliases hostnames hosts httpHeaders
    imagePullSecrets ingress initContainers ipFamilies items loadBalancerSourceRanges matchConditions
    matchExpressions matchFields matchLabelExpressions matchLabelKeys metrics mismatchLabelKeys
    mountOptions mutations nameservers notReadyAddresses onPodConditions operations ownerReferences
    podCIDRs policies policyTypes portals preferredDuringSchedulingIgnoredDuringExecution
    readinessGates resizePolicy resourceClaims resourceNames restartPolicyRules schedulingGates scopes
    searches secrets subsets supplementalGroups sysctls taints targetWWNs tls to tokenRequests
    tolerations topologySpreadConstraints usages validationActions validations variables
    volumeClaimTemplates volumeDevices volumeLifecycleModes volumeMounts volumes webhooks wwids
";

/// Texts that are not sent where they are empty: the server puts something there that cannot be
/// changed, not even to nothing.
const FILLED: [(&str, &str, &[&str]); 2] = [
    ("v1", "PersistentVolumeClaim", &["volumeName"]),
    ("v1", "Pod", &["nodeName", "priorityClassName"]),
];

/// Takes out what is not set, of an object that Flux brings through a type.
pub(super) fn strip(object: &mut Object) {
    let (group, kind) = (object.group().to_owned(), object.kind().to_owned());
    strip_fields(&group, &kind, object.as_map_mut());
    let filled = FILLED
        .iter()
        .find(|(version, of, _)| (*version, *of) == (object.api_version(), object.kind()));
    if let Some((_, _, names)) = filled
        && let Some(Value::Object(spec)) = object.at_mut(&["spec"])
    {
        spec.retain(|name, value| value != "" || !names.contains(&name.as_str()));
    }
}

fn strip_fields(group: &str, kind: &str, fields: &mut Map<String, Value>) {
    fields.retain(|name, value| !holds_nothing(group, kind, name, value));
    for (name, value) in fields {
        match content(group, kind, name) {
            Content::Anything => {}
            Content::Entries if let Value::Object(entries) = value => {
                for entry in entries.values_mut() {
                    strip_value(group, kind, entry);
                }
            }
            Content::Entries | Content::Fields => strip_value(group, kind, value),
        }
    }
}

/// Whether Go's types leave a field out for what it holds. A type without fields (`emptyDir: {}`)
/// says something by being there.
fn holds_nothing(group: &str, kind: &str, name: &str, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty() && is_left_out(group, name),
        Value::Object(entries) => {
            entries.is_empty() && content(group, kind, name) == Content::Entries
        }
        Value::String(text) => text.is_empty() && name == "caBundle",
        _ => false,
    }
}

/// Whether a list is one that Go's types leave out where nothing is in it. Of any other, and of what
/// should be no list at all, the server says best what is wrong.
fn is_left_out(group: &str, name: &str) -> bool {
    LISTS.split_whitespace().any(|list| list == name)
        || match name {
            "addresses" | "ports" => group != "discovery.k8s.io",
            "apiGroups" | "resourceRules" | "resources" => group == "admissionregistration.k8s.io",
            "namespaces" => group != "flowcontrol.apiserver.k8s.io",
            "rules" => matches!(group, "admissionregistration.k8s.io" | "networking.k8s.io"),
            "subjects" => group == "rbac.authorization.k8s.io",
            "values" => group != "batch" && group != "storage.k8s.io",
            _ => false,
        }
}

fn strip_value(group: &str, kind: &str, value: &mut Value) {
    match value {
        Value::Object(fields) => strip_fields(group, kind, fields),
        Value::Array(items) => {
            for item in items {
                strip_value(group, kind, item);
            }
        }
        _ => {}
    }
}

/// Some names are those of a map in one kind and of a type in another.
fn content(group: &str, kind: &str, name: &str) -> Content {
    match (group, kind, name) {
        ("apps", "ControllerRevision", "data") | ("resource.k8s.io", _, "parameters") => {
            Content::Anything
        }
        ("networking.k8s.io", _, "parameters")
        | ("node.k8s.io", _, "overhead")
        | ("resource.k8s.io", _, "nodeSelector")
        | ("resource.k8s.io", "ResourceClaim" | "ResourceClaimTemplate", "capacity") => {
            Content::Fields
        }
        ("", "ReplicationController" | "Service", "selector") => Content::Entries,
        _ if MAPS.contains(&name) => Content::Entries,
        _ => Content::Fields,
    }
}

#[cfg(test)]
mod tests;
