//! Which documents a build has in force, and since when.
//!
//! kustomize keeps one choice for a process: the first `openapi` field that is met decides, a
//! document of the user's replaces the built-in one — unless something was looked up before,
//! in which case both count. Here the choice is a value that a build owns, so that builds in
//! parallel do not meet; within one build it behaves the same.
//!
//! Parity: `kyaml: openapi/openapi.go`.

use std::sync::{Arc, Mutex, PoisonError};

use super::document::{Document, InvalidDocument, from_json};
use super::{BUILTIN_VERSION, Schemas, builtin_namespaced, kubernetes, kustomization};
use crate::Value;

/// What the `openapi` field of a kustomization asks for.
#[derive(Clone, Copy, Debug)]
pub enum OpenApiField<'a> {
    /// The field is absent.
    Unset,
    /// A version that should be built in.
    Version(&'a str),
    /// The document that `path` names, as JSON.
    Document(&'a Value),
    /// Both are given, which is an error if the choice is still open.
    Both,
}

/// The choice of documents that one build makes.
#[derive(Debug, Default)]
pub struct SchemaRegistry {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Whether a kustomization has chosen.
    chosen: bool,
    custom: Option<Arc<Document>>,
    /// What has been read so far; it stays when the choice changes.
    documents: Schemas,
    /// Whether `documents` holds what the choice asks for.
    read: bool,
    builtin: Builtin,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Builtin {
    #[default]
    Unread,
    /// A scope was looked up in it, so it is read together with whatever is read next.
    Promised,
    Read,
}

impl SchemaRegistry {
    /// As the `kustomize` command begins: nothing is read before it is needed.
    pub fn lazy() -> Self {
        Self::default()
    }

    /// As Flux begins: the built-in document is in force, and a user's adds to it.
    pub fn with_builtin() -> Self {
        let choice = Self::default();
        choice.state().read();
        choice
    }

    /// Takes notice of the `openapi` field of one kustomization; the first one decides.
    pub fn choose(&self, openapi: OpenApiField<'_>) -> Result<(), InvalidDocument> {
        let mut state = self.state();
        if state.chosen {
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
        state.chosen = true;
        state.read = false;
        Ok(())
    }

    /// The documents in force, to look up schemas.
    pub fn schemas(&self) -> Schemas {
        let mut state = self.state();
        state.read();
        state.documents.clone()
    }

    /// Tells whether objects of a kind have a namespace, or nothing when that is not known.
    pub fn namespaced(&self, api_version: &str, kind: &str) -> Option<bool> {
        if let Some(known) = builtin_namespaced(api_version, kind) {
            return Some(known);
        }
        let mut state = self.state();
        if state.custom.is_some() {
            state.read();
        } else if !state.read && state.builtin == Builtin::Unread {
            state.builtin = Builtin::Promised;
        }
        state.documents.namespaced(api_version, kind)
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // No code that can panic runs under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn read(&mut self) {
        if self.read {
            return;
        }
        self.read = true;
        match &self.custom {
            Some(custom) => self.documents.documents.push(custom.clone()),
            None => {
                self.documents.documents.push(kubernetes());
                self.builtin = Builtin::Read;
            }
        }
        if self.builtin == Builtin::Promised {
            self.documents.documents.push(kubernetes());
            self.builtin = Builtin::Read;
        }
        self.documents.documents.push(kustomization());
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

    fn knows(choice: &SchemaRegistry, api_version: &str, kind: &str) -> bool {
        choice.schemas().of_kind(api_version, kind).is_some()
    }

    #[test]
    fn a_document_replaces_the_built_in_one() {
        let choice = SchemaRegistry::lazy();
        choice.choose(OpenApiField::Document(&custom())).unwrap();
        assert!(knows(&choice, "example.com/v1", "Thing"));
        assert!(!knows(&choice, "apps/v1", "Deployment"));
        assert_eq!(choice.namespaced("example.com/v1", "Thing"), Some(false));
        assert_eq!(choice.namespaced("apps/v1", "Deployment"), Some(true));
        let thing = choice.schemas().of_kind("example.com/v1", "Thing").unwrap();
        let parts = thing.field("parts", &choice.schemas()).unwrap();
        assert_eq!(parts.merge_keys(), ["id"]);
        let part = parts.elements(&choice.schemas()).unwrap();
        assert!(part.field("next", &choice.schemas()).is_some());
    }

    #[test]
    fn a_document_adds_to_the_built_in_one_where_flux_builds() {
        let choice = SchemaRegistry::with_builtin();
        choice.choose(OpenApiField::Document(&custom())).unwrap();
        assert!(knows(&choice, "example.com/v1", "Thing"));
        assert!(knows(&choice, "apps/v1", "Deployment"));
    }

    #[test]
    fn a_scope_that_was_looked_up_before_keeps_the_built_in_document() {
        let choice = SchemaRegistry::lazy();
        // A kind of the precomputed table needs no document.
        assert_eq!(choice.namespaced("v1", "Pod"), Some(true));
        assert_eq!(choice.namespaced("example.com/v1", "Thing"), None);
        choice.choose(OpenApiField::Document(&custom())).unwrap();
        assert!(knows(&choice, "example.com/v1", "Thing"));
        assert!(knows(&choice, "apps/v1", "Deployment"));
    }

    #[test]
    fn the_first_choice_counts() {
        let choice = SchemaRegistry::lazy();
        choice.choose(OpenApiField::Unset).unwrap();
        choice.choose(OpenApiField::Version("v1.21.2")).unwrap();
        choice.choose(OpenApiField::Document(&custom())).unwrap();
        choice.choose(OpenApiField::Both).unwrap();
        assert!(!knows(&choice, "example.com/v1", "Thing"));
    }

    #[test]
    fn choices_that_cannot_be_met_are_refused() {
        for (openapi, error) in [
            (
                OpenApiField::Version("v1.20.4"),
                InvalidDocument::UnknownVersion,
            ),
            (OpenApiField::Both, InvalidDocument::VersionAndPath),
        ] {
            assert_eq!(SchemaRegistry::lazy().choose(openapi), Err(error));
        }
        let list = json!({"definitions": []});
        let error = SchemaRegistry::lazy()
            .choose(OpenApiField::Document(&list))
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "invalid schema file: definitions should be an object"
        );
    }
}
