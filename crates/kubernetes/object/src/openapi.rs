//! Schemas from OpenAPI documents, reduced to the facts of a strategic merge: which lists merge
//! by which keys, the fields of a type, and which kinds are namespaced.
//!
//! [`Schemas`] is a list of documents, of which the last one wins. The document of Kubernetes
//! v1.21.2 is built in, like in kyaml v0.21.1 ([`Schemas::builtin`]); the Go program in
//! `crates/kubernetes/object/openapi` generates it. A build with its own document uses
//! [`SchemaRegistry`], which follows kustomize's rules for the built-in document.

mod document;
mod registry;

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

pub use document::InvalidDocument;
use document::{Document, ShapeId};
pub use registry::{OpenApiField, SchemaRegistry};

/// The Kubernetes version of the built-in document.
pub const BUILTIN_VERSION: &str = "v1.21.2";

/// Maximum length of a chain of references. Upstream has no limit.
const MAX_REFERENCES: usize = 64;

/// OpenAPI documents. The last one with a name wins.
#[derive(Clone, Debug, Default)]
pub struct Schemas {
    documents: Vec<Arc<Document>>,
}

/// The schema of an object, field or element.
#[derive(Clone, Debug)]
pub struct Schema {
    document: Arc<Document>,
    shape: ShapeId,
}

impl Schemas {
    /// The documents of Kubernetes [`BUILTIN_VERSION`] and of kustomize's own kinds.
    pub fn builtin() -> Self {
        Self {
            documents: vec![kubernetes(), kustomization()],
        }
    }

    /// Returns the schema of a kind.
    pub fn of_kind(&self, api_version: &str, kind: &str) -> Option<Schema> {
        self.documents.iter().rev().find_map(|document| {
            let shape = document.kind(api_version, kind)?;
            Some(Schema {
                document: document.clone(),
                shape,
            })
        })
    }

    /// Whether objects of a kind are namespaced, or `None` when unknown.
    pub fn namespaced(&self, api_version: &str, kind: &str) -> Option<bool> {
        let mut known = self
            .documents
            .iter()
            .filter_map(|document| document.namespaced(api_version, kind))
            .peekable();
        known.peek()?;
        // One namespaced path in any document is enough.
        Some(known.any(|namespaced| namespaced))
    }

    /// Parses a schema from the comment of a field: a JSON object.
    pub(crate) fn of_comment(&self, comment: &str) -> Option<Schema> {
        let (document, shape) = document::from_comment(comment)?;
        let schema = Schema {
            document: Arc::new(document),
            shape,
        };
        // An unresolvable reference leaves an empty schema.
        Some(self.resolve(schema.clone()).unwrap_or(schema))
    }

    /// Follows references.
    fn resolve(&self, mut schema: Schema) -> Option<Schema> {
        for _ in 0..MAX_REFERENCES {
            let Some(name) = schema.document.reference(schema.shape) else {
                return Some(schema);
            };
            schema = self.documents.iter().rev().find_map(|document| {
                let shape = document.pointer(name)?;
                Some(Schema {
                    document: document.clone(),
                    shape,
                })
            })?;
        }
        None
    }
}

impl Schema {
    /// Returns the schema of a field: the declared one, or that of additional properties.
    pub fn field(&self, name: &str, schemas: &Schemas) -> Option<Self> {
        self.step(self.document.field(self.shape, name)?, schemas)
    }

    /// Returns the schema of a list's elements.
    pub fn elements(&self, schemas: &Schemas) -> Option<Self> {
        self.step(self.document.items(self.shape)?, schemas)
    }

    /// Whether the list merges element by element.
    pub fn is_associative(&self) -> bool {
        let strategy = self.document.strategy(self.shape);
        strategy.is_some_and(|strategy| strategy.split(',').any(|word| word == "merge"))
    }

    /// The merge keys of a list; empty for a set of scalars.
    pub fn merge_keys(&self) -> &[Cow<'static, str>] {
        self.document.keys(self.shape)
    }

    fn step(&self, shape: ShapeId, schemas: &Schemas) -> Option<Self> {
        schemas.resolve(Self {
            document: self.document.clone(),
            shape,
        })
    }
}

/// Whether objects of a built-in kind are namespaced, independent of loaded documents.
///
/// Parity: `kyaml: openapi/openapi.go`, the precomputed table.
pub fn builtin_namespaced(api_version: &str, kind: &str) -> Option<bool> {
    type Row = ((&'static str, &'static str), bool);
    // The file is sorted by key, which a test checks.
    static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| document::scopes(FACTS).collect());
    let found = TABLE.binary_search_by_key(&(api_version, kind), |(key, _)| *key);
    found.ok().and_then(|at| TABLE.get(at)).map(|row| row.1)
}

const FACTS: &str = include_str!("openapi/kubernetes-1.21.2.txt");

/// The two documents of the table, parsed on first use.
static BUILTIN: LazyLock<[Arc<Document>; 2]> = LazyLock::new(|| {
    let (kubernetes, kustomization) = FACTS
        .split_once("\n= kustomization\n")
        .expect("the table contains two documents");
    [kubernetes, kustomization].map(|facts| Arc::new(document::from_facts(facts)))
});

fn kubernetes() -> Arc<Document> {
    BUILTIN[0].clone()
}

fn kustomization() -> Arc<Document> {
    BUILTIN[1].clone()
}

#[cfg(test)]
mod tests {
    use super::{FACTS, Schema, Schemas, builtin_namespaced, document};

    #[track_caller]
    fn at(api_version: &str, kind: &str, path: &[&str]) -> Schema {
        let schemas = Schemas::builtin();
        let mut schema = schemas.of_kind(api_version, kind).expect("a known kind");
        for step in path {
            schema = match *step {
                "[]" => schema.elements(&schemas),
                field => schema.field(field, &schemas),
            }
            .unwrap_or_else(|| panic!("no schema at {step} of {path:?}"));
        }
        schema
    }

    #[test]
    fn pod_template_lists_have_merge_keys() {
        let pod = ["spec", "template", "spec"];
        for (path, keys) in [
            (&["containers"][..], &["name"][..]),
            (&["volumes"], &["name"]),
            (
                &["containers", "[]", "ports"],
                &["containerPort", "protocol"],
            ),
            (&["containers", "[]", "env"], &["name"]),
            (&["containers", "[]", "volumeMounts"], &["mountPath"]),
            (&["imagePullSecrets"], &["name"]),
            (&["hostAliases"], &["ip"]),
            (
                &["topologySpreadConstraints"],
                &["topologyKey", "whenUnsatisfiable"],
            ),
        ] {
            let schema = at("apps/v1", "Deployment", &[&pod[..], path].concat());
            assert!(schema.is_associative(), "{path:?}");
            assert_eq!(schema.merge_keys(), keys, "{path:?}");
        }
    }

    #[test]
    fn some_lists_are_plain_and_some_are_sets() {
        let path = ["spec", "template", "spec", "containers", "[]", "args"];
        assert!(!at("apps/v1", "Deployment", &path).is_associative());
        let finalizers = at("apps/v1", "Deployment", &["metadata", "finalizers"]);
        assert!(finalizers.is_associative());
        assert!(finalizers.merge_keys().is_empty());
        assert!(!at("v1", "Pod", &["spec", "tolerations"]).is_associative());
        assert!(!at("networking.k8s.io/v1", "Ingress", &["spec", "rules"]).is_associative());
    }

    #[test]
    fn map_values_share_a_schema() {
        let schemas = Schemas::builtin();
        let labels = at("v1", "ConfigMap", &["metadata", "labels"]);
        assert!(labels.field("anything", &schemas).is_some());
        let spec = at("apps/v1", "Deployment", &["spec"]);
        assert!(spec.field("anything", &schemas).is_none());
    }

    #[test]
    fn kinds_after_kubernetes_1_21_are_unknown() {
        let schemas = Schemas::builtin();
        for (api_version, kind) in [
            ("gateway.networking.k8s.io/v1", "Gateway"),
            ("autoscaling/v2", "HorizontalPodAutoscaler"),
            ("v1", "Deployment"),
        ] {
            assert!(schemas.of_kind(api_version, kind).is_none(), "{kind}");
            assert_eq!(builtin_namespaced(api_version, kind), None);
        }
    }

    #[test]
    fn scope_table_is_sorted_without_duplicates() {
        let keys: Vec<_> = document::scopes(FACTS).map(|(key, _)| key).collect();
        assert!(keys.is_sorted_by(|left, right| left < right));
        assert!(keys.len() > 80);
    }

    #[test]
    fn scope_table_contains_known_kinds() {
        for (api_version, kind, namespaced) in [
            ("apps/v1", "Deployment", true),
            ("v1", "Namespace", false),
            ("rbac.authorization.k8s.io/v1", "ClusterRole", false),
            ("policy/v1beta1", "PodSecurityPolicy", false),
            ("extensions/v1beta1", "Ingress", true),
        ] {
            assert_eq!(
                builtin_namespaced(api_version, kind),
                Some(namespaced),
                "{kind}"
            );
            assert_eq!(
                Schemas::builtin().namespaced(api_version, kind),
                Some(namespaced)
            );
        }
    }
}
