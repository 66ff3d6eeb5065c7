//! What one build knows about types: their scope, and the fields that each
//! transformer touches.
//!
//! Upstream keeps the schema in a global, which is why Flux runs one build at a
//! time. Here a build has a [`Schema`] of its own; it is shared by the
//! resources of the build, and the one thing that can change in it, the
//! `openapi` field, is set at most once, as upstream does. The
//! [`TransformerConfig`] differs from kustomization to kustomization: it grows
//! by `configurations` and `crds` on the way up.
//!
//! The default tables are data of `transform::tables`; here is how they merge.
//!
//! Parity: kustomize: `api/internal/plugins/builtinconfig`,
//! `api/types/fieldspec.go`, `kyaml/openapi`.

use sluice_object::openapi::SchemaRegistry;
use sluice_yaml::tree::Text;

use crate::id::{Gvk, GvkPattern};

/// The types that a build knows.
#[derive(Debug, Default)]
pub(crate) struct Schema {
    /// The documents in force.
    pub(crate) choice: SchemaRegistry,
}

impl Schema {
    /// Is a type namespaced? `None` if it is unknown.
    pub(crate) fn is_namespaced(&self, gvk: &Gvk) -> Option<bool> {
        self.choice.namespaced(gvk.api_version(), gvk.kind())
    }

    /// Is it certain that a type belongs to the cluster?
    pub(crate) fn is_cluster_scoped(&self, gvk: &Gvk) -> bool {
        self.is_namespaced(gvk) == Some(false)
    }
}

/// A field that a transformer touches, in which types.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FieldSpec {
    pub(crate) gvk: GvkPattern,
    /// Names separated by `/`; `\/` is a slash, `[]` marks a list.
    pub(crate) path: Text,
    /// Make the field, and maps on the way to it, where it is missing.
    pub(crate) create: bool,
}

/// The fields that refer to resources of a type by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct NameReference {
    pub(crate) gvk: GvkPattern,
    pub(crate) referrers: Vec<FieldSpec>,
}

/// The fields of each transformer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TransformerConfig {
    pub(crate) name_prefix: Vec<FieldSpec>,
    pub(crate) name_suffix: Vec<FieldSpec>,
    pub(crate) namespace: Vec<FieldSpec>,
    pub(crate) common_labels: Vec<FieldSpec>,
    pub(crate) labels: Vec<FieldSpec>,
    pub(crate) template_labels: Vec<FieldSpec>,
    pub(crate) common_annotations: Vec<FieldSpec>,
    pub(crate) name_reference: Vec<NameReference>,
    pub(crate) var_reference: Vec<FieldSpec>,
    pub(crate) images: Vec<FieldSpec>,
    pub(crate) replicas: Vec<FieldSpec>,
}

#[cfg(test)]
mod tests {
    use super::Schema;
    use crate::id::Gvk;

    #[test]
    fn a_type_that_is_unknown_is_not_certainly_of_the_cluster() {
        let schema = Schema::default();
        let scope =
            |group, version, kind| schema.is_cluster_scoped(&Gvk::from_parts(group, version, kind));
        assert!(scope("", "v1", "Namespace"));
        assert!(!scope("", "v2", "Namespace"));
        assert!(!scope("apps", "v1", "Deployment"));
        assert!(!scope("example.com", "v1", "ClusterThing"));
    }
}
