//! The OpenAPI documents of one build.
//!
//! kustomize keeps one global state per process: the first `openapi` field decides, and a user's
//! document replaces the built-in one. If a scope was looked up before, both apply. Here the
//! state belongs to a build, so that parallel builds do not interfere.

use std::sync::{Arc, Mutex, PoisonError};

use super::document::{Document, InvalidDocument, from_json};
use super::{BUILTIN_VERSION, Schemas, builtin_namespaced, kubernetes, kustomization};
use crate::Value;

/// The `openapi` field of a kustomization.
#[derive(Clone, Copy, Debug)]
pub enum OpenApiField<'a> {
    /// The field is absent.
    Unset,
    /// A built-in version.
    Version(&'a str),
    /// A document as JSON, from `path`.
    Document(&'a Value),
    /// Both fields are set, which is an error unless an earlier field has decided.
    Both,
}

/// The OpenAPI documents of one build.
#[derive(Debug, Default)]
pub struct SchemaRegistry {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Whether a kustomization has selected a document.
    is_selected: bool,
    custom: Option<Arc<Document>>,
    /// The loaded documents. They stay loaded when the selection changes.
    schemas: Schemas,
    /// Whether the selected documents are loaded.
    is_loaded: bool,
    builtin: Builtin,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Builtin {
    #[default]
    Unused,
    /// A scope was looked up, so the next load includes the built-in document.
    Requested,
    Loaded,
}

impl SchemaRegistry {
    /// A registry like that of the `kustomize` command, which loads documents on first use.
    pub fn lazy() -> Self {
        Self::default()
    }

    /// A registry like that of Flux, where a user's document adds to the built-in one.
    pub fn with_builtin() -> Self {
        let registry = Self::default();
        registry.state().load();
        registry
    }

    /// Processes the `openapi` field of a kustomization. The first field that is set decides.
    pub fn select(&self, openapi: OpenApiField<'_>) -> Result<(), InvalidDocument> {
        let mut state = self.state();
        if state.is_selected {
            return Ok(());
        }
        match openapi {
            OpenApiField::Unset | OpenApiField::Version("") => return Ok(()),
            OpenApiField::Both => return Err(InvalidDocument::VersionAndPath),
            OpenApiField::Version(version) if version != BUILTIN_VERSION => {
                return Err(InvalidDocument::UnknownVersion);
            }
            OpenApiField::Version(_) => {}
            OpenApiField::Document(json) => state.custom = Some(Arc::new(from_json(json)?)),
        }
        state.is_selected = true;
        state.is_loaded = false;
        Ok(())
    }

    /// The active documents.
    pub fn schemas(&self) -> Schemas {
        let mut state = self.state();
        state.load();
        state.schemas.clone()
    }

    /// Whether objects of a kind are namespaced, or `None` when unknown.
    pub fn namespaced(&self, api_version: &str, kind: &str) -> Option<bool> {
        if let Some(known) = builtin_namespaced(api_version, kind) {
            return Some(known);
        }
        let mut state = self.state();
        if state.custom.is_some() {
            state.load();
        } else if !state.is_loaded && state.builtin == Builtin::Unused {
            state.builtin = Builtin::Requested;
        }
        state.schemas.namespaced(api_version, kind)
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // Code under the lock does not panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn load(&mut self) {
        if self.is_loaded {
            return;
        }
        self.is_loaded = true;
        match &self.custom {
            Some(custom) => self.schemas.documents.push(custom.clone()),
            None => {
                self.schemas.documents.push(kubernetes());
                self.builtin = Builtin::Loaded;
            }
        }
        if self.builtin == Builtin::Requested {
            self.schemas.documents.push(kubernetes());
            self.builtin = Builtin::Loaded;
        }
        self.schemas.documents.push(kustomization());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{OpenApiField, SchemaRegistry};
    use crate::Value;
    use crate::openapi::InvalidDocument;

    fn custom() -> Value {
        json!({
            "definitions": {
                "v1.Thing": {
                    "x-kubernetes-group-version-kind": [
                        {"group": "example.com", "version": "v1", "kind": "Thing"}
                    ],
                    "properties": {"parts": {
                        "type": "array",
                        "items": {"$ref": "#/definitions/v1.Part"},
                        "x-kubernetes-patch-strategy": "merge",
                        "x-kubernetes-patch-merge-key": "id"
                    }}
                },
                "v1.Part": {"properties": {"next": {"$ref": "#/definitions/v1.Part"}}}
            },
            "paths": {
                "/apis/example.com/v1/things": {"get": {"x-kubernetes-group-version-kind":
                    {"group": "example.com", "version": "v1", "kind": "Thing"}}}
            }
        })
    }

    fn knows(registry: &SchemaRegistry, api_version: &str, kind: &str) -> bool {
        registry.schemas().of_kind(api_version, kind).is_some()
    }

    #[test]
    fn document_replaces_the_builtin_one() {
        let registry = SchemaRegistry::lazy();
        registry.select(OpenApiField::Document(&custom())).unwrap();
        assert!(knows(&registry, "example.com/v1", "Thing"));
        assert!(!knows(&registry, "apps/v1", "Deployment"));
        assert_eq!(registry.namespaced("example.com/v1", "Thing"), Some(false));
        assert_eq!(registry.namespaced("apps/v1", "Deployment"), Some(true));
        let thing = registry
            .schemas()
            .of_kind("example.com/v1", "Thing")
            .unwrap();
        let parts = thing.field("parts", &registry.schemas()).unwrap();
        assert_eq!(parts.merge_keys(), ["id"]);
        let part = parts.elements(&registry.schemas()).unwrap();
        assert!(part.field("next", &registry.schemas()).is_some());
    }

    #[test]
    fn document_adds_to_the_builtin_one_in_flux() {
        let registry = SchemaRegistry::with_builtin();
        registry.select(OpenApiField::Document(&custom())).unwrap();
        assert!(knows(&registry, "example.com/v1", "Thing"));
        assert!(knows(&registry, "apps/v1", "Deployment"));
    }

    #[test]
    fn earlier_scope_lookup_keeps_the_builtin_document() {
        let registry = SchemaRegistry::lazy();
        // A kind of the scope table needs no document.
        assert_eq!(registry.namespaced("v1", "Pod"), Some(true));
        assert_eq!(registry.namespaced("example.com/v1", "Thing"), None);
        registry.select(OpenApiField::Document(&custom())).unwrap();
        assert!(knows(&registry, "example.com/v1", "Thing"));
        assert!(knows(&registry, "apps/v1", "Deployment"));
    }

    #[test]
    fn first_selection_wins() {
        let registry = SchemaRegistry::lazy();
        registry.select(OpenApiField::Unset).unwrap();
        registry.select(OpenApiField::Version("v1.21.2")).unwrap();
        registry.select(OpenApiField::Document(&custom())).unwrap();
        registry.select(OpenApiField::Both).unwrap();
        assert!(!knows(&registry, "example.com/v1", "Thing"));
    }

    #[test]
    fn invalid_selections_are_rejected() {
        for (openapi, error) in [
            (
                OpenApiField::Version("v1.20.4"),
                InvalidDocument::UnknownVersion,
            ),
            (OpenApiField::Both, InvalidDocument::VersionAndPath),
        ] {
            assert_eq!(SchemaRegistry::lazy().select(openapi), Err(error));
        }
        let list = json!({"definitions": []});
        let error = SchemaRegistry::lazy()
            .select(OpenApiField::Document(&list))
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "invalid schema file: definitions should be an object"
        );
    }
}
