//! The identity of a resource: type, name and namespace.
//!
//! An [`Id`] compares by its *effective* namespace. A missing namespace equals `default`, and
//! a type that is known to be cluster-scoped has none. [`Display`](fmt::Display) formats an
//! id for upstream's errors, with the namespace as written.
//!
//! Parity: kustomize: `kyaml/resid`.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use sluice_yaml::tree::Text;

/// The effective namespace of a cluster-scoped resource.
pub(crate) const CLUSTER_NAMESPACE: &str = "_non_namespaceable_";
/// The effective namespace of a resource without a namespace.
pub(crate) const DEFAULT_NAMESPACE: &str = "default";

fn or<'a>(text: &'a str, absent: &'a str) -> &'a str {
    if text.is_empty() { absent } else { text }
}

/// The type of a resource, from its `apiVersion` and `kind`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Gvk {
    api_version: Text,
    kind: Text,
}

impl Gvk {
    pub(crate) fn new(api_version: Text, kind: Text) -> Self {
        // An empty group before the slash is the core group.
        let api_version = match api_version.strip_prefix('/') {
            Some(version) => Text::from(version),
            None => api_version,
        };
        Self { api_version, kind }
    }

    /// Builds a type from its parts, each of which may be empty.
    pub(crate) fn from_parts(group: &str, version: &str, kind: &str) -> Self {
        let api_version = if group.is_empty() {
            Text::from(version)
        } else {
            Text::from(format!("{group}/{version}").as_str())
        };
        Self {
            api_version,
            kind: Text::from(kind),
        }
    }

    pub(crate) fn group(&self) -> &str {
        match self.api_version.split_once('/') {
            Some((group, _)) => group,
            None => "",
        }
    }

    pub(crate) fn version(&self) -> &str {
        match self.api_version.split_once('/') {
            Some((_, version)) => version,
            None => &self.api_version,
        }
    }

    pub(crate) fn kind(&self) -> &str {
        &self.kind
    }

    pub(crate) fn api_version(&self) -> &str {
        &self.api_version
    }
}

/// `Kind.version.group`.
impl fmt::Display for Gvk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}.{}.{}",
            or(self.kind(), "[noKind]"),
            or(self.version(), "[noVer]"),
            or(self.group(), "[noGrp]")
        )
    }
}

/// A pattern for types; an empty part matches anything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct GvkPattern {
    pub(crate) group: Text,
    pub(crate) version: Text,
    pub(crate) kind: Text,
}

/// Kinds that sort before all others, in this order.
pub(crate) const FIRST_KINDS: [&str; 22] = [
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

/// Kinds that sort after all others, in this order.
pub(crate) const LAST_KINDS: [&str; 2] = [
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
];

fn rank(kind: &str) -> usize {
    let position = |list: &[&str]| list.iter().position(|listed| *listed == kind);
    match (position(&FIRST_KINDS), position(&LAST_KINDS)) {
        (Some(index), _) => index,
        (_, Some(index)) => FIRST_KINDS.len() + 1 + index,
        _ => FIRST_KINDS.len(),
    }
}

impl GvkPattern {
    pub(crate) fn new(group: &str, version: &str, kind: &str) -> Self {
        Self {
            group: Text::from(group),
            version: Text::from(version),
            kind: Text::from(kind),
        }
    }

    /// Whether a type matches each non-empty part.
    pub(crate) fn selects(&self, gvk: &Gvk) -> bool {
        (self.kind.is_empty() || *self.kind == *gvk.kind())
            && (self.group.is_empty() || *self.group == *gvk.group())
            && (self.version.is_empty() || *self.version == *gvk.version())
    }

    /// Whether another pattern matches each non-empty part.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        (self.group.is_empty() || self.group == other.group)
            && (self.version.is_empty() || self.version == other.version)
            && (self.kind.is_empty() || self.kind == other.kind)
    }

    /// Compares patterns in the order of field tables.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        rank(&self.kind)
            .cmp(&rank(&other.kind))
            .then_with(|| self.sort_key().cmp(other.sort_key()))
    }

    /// The joined parts. An iterator, because a merge of tables compares thousands of keys.
    fn sort_key(&self) -> impl Iterator<Item = u8> {
        let group = or(&self.group, "~G");
        let (version, kind) = (or(&self.version, "~V"), or(&self.kind, "~K"));
        let parts = [group, "_", version, "_", kind];
        parts.into_iter().flat_map(str::bytes)
    }
}

impl fmt::Display for GvkPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Gvk::from_parts(&self.group, &self.version, &self.kind).fmt(f)
    }
}

/// The identity of a resource.
#[derive(Debug, Clone, Default)]
pub(crate) struct Id {
    pub(crate) gvk: Gvk,
    pub(crate) name: Text,
    /// As written. Compare with [`effective_namespace`](Self::effective_namespace).
    pub(crate) namespace: Text,
    /// Whether the type is known to be cluster-scoped.
    pub(crate) cluster_scoped: bool,
}

impl Id {
    pub(crate) fn effective_namespace(&self) -> &str {
        if self.cluster_scoped {
            CLUSTER_NAMESPACE
        } else {
            or(&self.namespace, DEFAULT_NAMESPACE)
        }
    }

    pub(crate) fn is_same_namespace(&self, other: &Self) -> bool {
        self.effective_namespace() == other.effective_namespace()
    }

    /// Whether all but the namespace is equal.
    pub(crate) fn is_same_type_and_name(&self, other: &Self) -> bool {
        self.name == other.name && self.gvk == other.gvk
    }
}

impl PartialEq for Id {
    fn eq(&self, other: &Self) -> bool {
        self.is_same_type_and_name(other) && self.is_same_namespace(other)
    }
}

impl Eq for Id {}

impl Hash for Id {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.gvk.hash(state);
        self.name.hash(state);
        self.effective_namespace().hash(state);
    }
}

/// `Kind.version.group/name.namespace`.
impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}/{}.{}",
            self.gvk,
            or(&self.name, "[noName]"),
            or(&self.namespace, "[noNs]")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Gvk, GvkPattern, Id};
    use sluice_yaml::tree::Text;

    fn id(namespace: &str, cluster_scoped: bool) -> Id {
        Id {
            gvk: Gvk::from_parts("apps", "v1", "Deployment"),
            name: Text::from("web"),
            namespace: Text::from(namespace),
            cluster_scoped,
        }
    }

    #[test]
    fn missing_namespace_equals_default() {
        assert_eq!(id("", false), id("default", false));
        assert_ne!(id("", false), id("web", false));
        assert_eq!(id("", true), id("web", true));
        assert_ne!(id("", true), id("", false));
    }

    #[test]
    fn ids_print_as_in_upstream() {
        assert_eq!(id("", false).to_string(), "Deployment.v1.apps/web.[noNs]");
        assert_eq!(
            Id::default().to_string(),
            "[noKind].[noVer].[noGrp]/[noName].[noNs]"
        );
    }

    #[test]
    fn empty_parts_of_a_pattern_match_anything() {
        let deployment = Gvk::from_parts("apps", "v1", "Deployment");
        assert!(GvkPattern::default().selects(&deployment));
        assert!(GvkPattern::new("apps", "", "Deployment").selects(&deployment));
        assert!(!GvkPattern::new("", "v1", "Pod").selects(&deployment));
        assert!(GvkPattern::new("", "", "Pod").covers(&GvkPattern::new("", "v1", "Pod")));
        assert!(!GvkPattern::new("", "v1", "Pod").covers(&GvkPattern::new("", "", "Pod")));
    }

    #[test]
    fn empty_group_is_the_core_group() {
        let gvk = Gvk::new(Text::from("/v1"), Text::from("Pod"));
        assert_eq!(gvk, Gvk::from_parts("", "v1", "Pod"));
    }
}
