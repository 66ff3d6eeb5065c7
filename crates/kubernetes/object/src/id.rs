//! The identity of an object, and its text form in Flux's inventories.
//!
//! An id has no version, so an object that moves from `v1beta1` to `v1` keeps its id.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::GroupKind;

/// The identity of an object in a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ObjectId {
    /// The namespace; empty for cluster-scoped objects.
    pub namespace: String,
    /// The name, unique per kind and namespace.
    pub name: String,
    /// The API group; empty for the core group.
    pub group: String,
    /// The kind.
    pub kind: String,
}

/// An inventory entry that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unable to parse stored object metadata: {0}")]
pub struct InvalidInventoryId(pub String);

impl ObjectId {
    /// Returns the type without its version.
    pub fn group_kind(&self) -> GroupKind {
        GroupKind {
            group: self.group.clone(),
            kind: self.kind.clone(),
        }
    }

    /// Returns the inventory text `<namespace>_<name>_<group>_<Kind>`.
    ///
    /// Only names of RBAC kinds may contain a colon. It is written `__`, because the text was a
    /// label key once. Parity: `cli-utils: pkg/object/objmetadata.go`.
    pub fn inventory(&self) -> String {
        let Self {
            namespace,
            name,
            group,
            kind,
        } = self;
        if name.contains(':') && is_rbac(group, kind) {
            let name = name.replace(':', "__");
            format!("{namespace}_{name}_{group}_{kind}")
        } else {
            format!("{namespace}_{name}_{group}_{kind}")
        }
    }

    /// Parses an inventory text.
    ///
    /// The first and the last two underscores separate the fields. Like Flux, every `__` in the
    /// name becomes a colon, whatever the kind.
    pub fn parse_inventory(text: &str) -> Result<Self, InvalidInventoryId> {
        let invalid = || InvalidInventoryId(text.to_owned());
        let (namespace, rest) = text.split_once('_').ok_or_else(invalid)?;
        let (rest, kind) = rest.rsplit_once('_').ok_or_else(invalid)?;
        let (name, group) = rest.rsplit_once('_').ok_or_else(invalid)?;
        Ok(Self {
            namespace: namespace.to_owned(),
            name: name.replace("__", ":"),
            group: group.to_owned(),
            kind: kind.to_owned(),
        })
    }
}

/// `Kind/namespace/name`, or `Kind/name` for cluster-scoped objects.
impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/", self.kind)?;
        if !self.namespace.is_empty() {
            write!(f, "{}/", self.namespace)?;
        }
        f.write_str(&self.name)
    }
}

fn is_rbac(group: &str, kind: &str) -> bool {
    group == "rbac.authorization.k8s.io"
        && matches!(
            kind,
            "Role" | "ClusterRole" | "RoleBinding" | "ClusterRoleBinding"
        )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn id(namespace: &str, name: &str, group: &str, kind: &str) -> ObjectId {
        ObjectId {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            group: group.to_owned(),
            kind: kind.to_owned(),
        }
    }

    #[test]
    fn inventory_text_is_byte_equal_to_flux() {
        let rbac = "rbac.authorization.k8s.io";
        for (object, text) in [
            (id("", "web", "", "Namespace"), "_web__Namespace"),
            (
                id("default", "podinfo", "", "Service"),
                "default_podinfo__Service",
            ),
            (
                id("apps", "podinfo", "apps", "Deployment"),
                "apps_podinfo_apps_Deployment",
            ),
            (
                id(
                    "",
                    "buckets.source.toolkit.fluxcd.io",
                    "apiextensions.k8s.io",
                    "CustomResourceDefinition",
                ),
                "_buckets.source.toolkit.fluxcd.io_apiextensions.k8s.io_CustomResourceDefinition",
            ),
            (
                id("", "system:node", rbac, "ClusterRole"),
                "_system__node_rbac.authorization.k8s.io_ClusterRole",
            ),
            (
                id("kube-system", "a:b:c", rbac, "RoleBinding"),
                "kube-system_a__b__c_rbac.authorization.k8s.io_RoleBinding",
            ),
        ] {
            assert_eq!(object.inventory(), text);
            assert_eq!(ObjectId::parse_inventory(text), Ok(object));
        }
    }

    #[test]
    fn double_underscore_becomes_a_colon_for_any_kind() {
        let parsed = ObjectId::parse_inventory("ns_a__b__ConfigMap").expect("four fields");
        assert_eq!(parsed, id("ns", "a:b", "", "ConfigMap"));
    }

    #[test]
    fn parse_rejects_fewer_than_three_underscores() {
        for text in ["", "a", "a_b", "a_b_c"] {
            let error = ObjectId::parse_inventory(text).expect_err("too few fields");
            assert_eq!(
                error.to_string(),
                format!("unable to parse stored object metadata: {text}")
            );
        }
    }

    #[test]
    fn display_omits_an_empty_namespace() {
        assert_eq!(id("", "web", "", "Namespace").to_string(), "Namespace/web");
        assert_eq!(
            id("default", "web", "apps", "Deployment").to_string(),
            "Deployment/default/web"
        );
    }

    proptest! {
        /// Names that Kubernetes admits: no underscore, and a colon only for RBAC kinds.
        #[test]
        fn valid_ids_round_trip(
            namespace in "([a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?)?",
            name in "[a-z0-9]([-.a-z0-9]{0,20}[a-z0-9])?",
            group in "([a-z]{1,8}(\\.[a-z0-9]{1,8}){0,3})?",
            kind in "[A-Z][a-zA-Z]{0,20}",
        ) {
            let object = id(&namespace, &name, &group, &kind);
            prop_assert_eq!(ObjectId::parse_inventory(&object.inventory()), Ok(object));
        }

        #[test]
        fn rbac_ids_round_trip(
            name in "[a-z0-9]([-.:a-z0-9]{0,20}[a-z0-9])?",
            kind in "(Cluster)?Role(Binding)?",
        ) {
            let object = id("ns", &name, "rbac.authorization.k8s.io", &kind);
            prop_assert_eq!(ObjectId::parse_inventory(&object.inventory()), Ok(object));
        }

        /// A parsed text prints back byte for byte, unless its name contained `__`.
        #[test]
        fn any_text_is_parsed_or_rejected(text in "[a-zA-Z0-9_.:-]{0,40}") {
            if let Ok(object) = ObjectId::parse_inventory(&text)
                && !object.name.contains(':')
            {
                prop_assert_eq!(object.inventory(), text);
            }
        }
    }
}
