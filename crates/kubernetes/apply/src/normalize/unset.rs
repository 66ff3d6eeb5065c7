//! Removes unset fields of built-in kinds.
//!
//! A template with a missing value renders `replicas:` without a value. Flux decodes the object
//! into Go types, where null means absent, and does not send the field. A server that receives the
//! null makes the field ours with its default value: every apply would reset the replicas of an
//! autoscaler to 1. So such nulls are removed.
//!
//! Empty lists, maps and a few strings are removed too where Go's types omit them and
//! others fill them: `imagePullSecrets: []` of a service account, or the `caBundle: ""` of a
//! webhook, which cert-manager fills. Sending them would remove those values on every apply.
//!
//! A null in a map, such as under a key of a `ConfigMap`, is an entry and not a field. Go and the
//! server both convert it to the empty value, so it stays, like a null in a list. Values of any
//! type stay as they are. Custom resources are not changed, because null may be a value there.
//!
//! Parity: `apimachinery: runtime/converter.go`, by way of `pkg: ssa/normalize/normalize.go`.

use serde_json::Map;
use sluice_object::{Object, Value};

/// The content of a field of a built-in kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// Fields of the schema, or not a map.
    Fields,
    /// Entries with arbitrary names.
    Entries,
    /// A value of any type.
    Anything,
}

/// Names of maps in built-in kinds. The test `every_map_of_every_minor_is_known` finds new ones.
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

/// Names of lists in built-in kinds that Go's types omit when empty, in every kind with the name.
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

/// Strings that are not sent when empty, because the server fills them and they cannot be changed
/// afterwards.
const FILLED: [(&str, &str, &[&str]); 2] = [
    ("v1", "PersistentVolumeClaim", &["volumeName"]),
    ("v1", "Pod", &["nodeName", "priorityClassName"]),
];

/// Removes unset fields of a typed object.
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
    fields.retain(|name, value| !is_unset(group, kind, name, value));
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

/// Whether Go's types omit the field. An empty struct (`emptyDir: {}`) is significant.
fn is_unset(group: &str, kind: &str, name: &str, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty() && is_omitted_when_empty(group, name),
        Value::Object(entries) => {
            entries.is_empty() && content(group, kind, name) == Content::Entries
        }
        Value::String(text) => text.is_empty() && name == "caBundle",
        _ => false,
    }
}

/// Whether Go's types omit the list when it is empty. Other lists are left to the server's
/// validation.
fn is_omitted_when_empty(group: &str, name: &str) -> bool {
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

/// Returns the content of a field. Some names are maps in one kind and structs in another.
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
