//! The types that one build knows, and whether they are namespaced.
//!
//! Upstream keeps the schema in a global variable, so Flux runs one build at a time. Here
//! each build has its own [`Schema`], shared by its resources. Only the `openapi` field
//! changes it, at most once per build.
//!
//! Parity: kustomize: `kyaml/openapi`.

use sluice_object::openapi::SchemaRegistry;

use crate::id::Gvk;

/// The types that a build knows.
#[derive(Debug, Default)]
pub(crate) struct Schema {
    /// The schema documents in use.
    pub(crate) choice: SchemaRegistry,
}

impl Schema {
    /// Whether a type is namespaced; `None` if it is unknown.
    pub(crate) fn is_namespaced(&self, gvk: &Gvk) -> Option<bool> {
        self.choice.namespaced(gvk.api_version(), gvk.kind())
    }

    /// Whether a type is known to be cluster-scoped.
    pub(crate) fn is_cluster_scoped(&self, gvk: &Gvk) -> bool {
        self.is_namespaced(gvk) == Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::Schema;
    use crate::id::Gvk;

    #[test]
    fn unknown_type_is_not_cluster_scoped() {
        let schema = Schema::default();
        let scope =
            |group, version, kind| schema.is_cluster_scoped(&Gvk::from_parts(group, version, kind));
        assert!(scope("", "v1", "Namespace"));
        assert!(!scope("", "v2", "Namespace"));
        assert!(!scope("apps", "v1", "Deployment"));
        assert!(!scope("example.com", "v1", "ClusterThing"));
    }
}
