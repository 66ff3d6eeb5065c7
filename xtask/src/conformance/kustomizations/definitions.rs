//! Definitions without a schema, for kinds of the corpus that the API server does not serve.
//!
//! Only the kind is known, so the plural name is a guess. The kind is namespaced if any object of
//! it has a namespace. A definition in the corpus takes precedence. Kinds that Kubernetes removed
//! get no definition, so both controllers fail on them.
//! refused by both.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sluice_object::{GroupKind, Object};

use super::corpus::{Native, Subject};

pub(in super::super) type Definitions = BTreeMap<GroupKind, Definition>;

/// A generated definition.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Definition {
    plural: String,
    namespaced: bool,
    versions: BTreeSet<String>,
}

/// Returns the kinds that neither the server nor the Kustomizations define.
pub(super) fn of(subjects: &[Subject], native: &Native) -> Definitions {
    let groups: BTreeSet<&str> = native.keys().map(|kind| kind.group.as_str()).collect();
    let mut definitions = Definitions::new();
    for subject in subjects {
        let defined = defined_kinds(subject);
        for object in &subject.rendered {
            let kind = object.group_kind();
            if groups.contains(kind.group.as_str()) || defined.contains(&kind) {
                continue;
            }
            let definition = definitions.entry(kind).or_default();
            definition.plural = plural(&object.kind().to_lowercase());
            definition.namespaced |= !object.namespace().is_empty();
            definition.versions.insert(object.version().to_owned());
        }
    }
    let all = subjects.iter().flat_map(|subject| &subject.rendered);
    for object in all.filter(|object| object.kind() == "CustomResourceDefinition") {
        let text = |path: &[&str]| object.str_at(path).unwrap_or_default().to_owned();
        let kind = GroupKind {
            group: text(&["spec", "group"]),
            kind: text(&["spec", "names", "kind"]),
        };
        if let Some(definition) = definitions.get_mut(&kind) {
            definition.plural = text(&["spec", "names", "plural"]);
            definition.namespaced = text(&["spec", "scope"]) == "Namespaced";
        }
    }
    definitions
}

/// Returns the kinds of a checkout that neither the server nor the checkout defines.
///
/// An object of a checkout may get its namespace from a kustomization. So a kind is namespaced
/// unless its name says otherwise.
pub(in super::super) fn of_checkout(documents: &[Object], native: &Native) -> Definitions {
    let groups: BTreeSet<&str> = native.keys().map(|kind| kind.group.as_str()).collect();
    let defined: BTreeSet<GroupKind> = documents.iter().filter_map(defined_kind).collect();
    let mut definitions = Definitions::new();
    for object in documents {
        let kind = object.group_kind();
        let is_api = kind.group.contains('.') && !kind.group.ends_with(".config.k8s.io");
        if !is_api || groups.contains(kind.group.as_str()) || defined.contains(&kind) {
            continue;
        }
        let name = object.kind().to_owned();
        let definition = definitions.entry(kind).or_default();
        definition.plural = plural(&name.to_lowercase());
        definition.namespaced = !is_cluster_wide(&name);
        definition.versions.insert(object.version().to_owned());
    }
    definitions
}

fn is_cluster_wide(kind: &str) -> bool {
    (kind.starts_with("Cluster") && kind != "Cluster")
        || kind.starts_with("Cilium") && !kind.ends_with("NetworkPolicy")
        || kind.ends_with("Class")
}

fn plural(word: &str) -> String {
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    match word.strip_suffix('y') {
        Some(stem) if !ends(&["ay", "ey", "oy", "uy"]) => format!("{stem}ies"),
        _ if ends(&["s", "x", "z", "ch", "sh"]) => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

impl Definition {
    pub(in super::super) fn name(&self, kind: &GroupKind) -> String {
        format!("{}.{}", self.plural, kind.group)
    }

    pub(in super::super) fn manifest(&self, kind: &GroupKind) -> Value {
        let versions: Vec<Value> = self
            .versions
            .iter()
            .enumerate()
            .map(|(index, version)| {
                json!({
                    "name": version, "served": true, "storage": index == 0,
                    "subresources": { "status": {} },
                    "schema": { "openAPIV3Schema": {
                        "type": "object", "x-kubernetes-preserve-unknown-fields": true,
                    } },
                })
            })
            .collect();
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {
                "name": self.name(kind),
                // Protected API groups need an approval annotation.
                "annotations": { "api-approved.kubernetes.io": "unapproved, for a comparison" },
            },
            "spec": {
                "group": kind.group,
                "scope": if self.namespaced { "Namespaced" } else { "Cluster" },
                "names": {
                    "kind": kind.kind, "plural": self.plural, "listKind": format!("{}List", kind.kind),
                    "singular": kind.kind.to_lowercase(),
                },
                "versions": versions,
            },
        })
    }
}

#[test]
fn plurals_are_formed_as_in_english() {
    for (word, many) in [
        ("policy", "policies"),
        ("gateway", "gateways"),
        ("httproute", "httproutes"),
        ("ingress", "ingresses"),
        ("prefix", "prefixes"),
    ] {
        assert_eq!(plural(word), many);
    }
}

/// Kinds that the Kustomization defines itself.
pub(super) fn defined_kinds(subject: &Subject) -> BTreeSet<GroupKind> {
    let definitions = subject
        .rendered
        .iter()
        .filter(|object| object.is("apiextensions.k8s.io", "CustomResourceDefinition"));
    definitions.filter_map(defined_kind).collect()
}

/// The kind that a definition defines.
fn defined_kind(object: &Object) -> Option<GroupKind> {
    let text = |path: &[&str]| object.str_at(path).unwrap_or_default().to_owned();
    (object.kind() == "CustomResourceDefinition").then(|| GroupKind {
        group: text(&["spec", "group"]),
        kind: text(&["spec", "names", "kind"]),
    })
}
