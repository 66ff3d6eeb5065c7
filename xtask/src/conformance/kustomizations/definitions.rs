//! Definitions without a schema, for kinds of the corpus that the API server does not have.
//!
//! The kind of an object is all that is known of it, so that its plural name is guessed, and it is
//! namespaced if any object of it is in a namespace. A definition that some Kustomization of the corpus
//! brings says both better. What Kubernetes itself once served is not made up: who asks for it is
//! refused by both.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sluice_object::GroupKind;

use super::claims::brought;
use super::corpus::{Native, Subject};

pub(super) type Definitions = BTreeMap<GroupKind, Definition>;

/// A kind that is made up.
#[derive(Debug, Clone, Default)]
pub(super) struct Definition {
    plural: String,
    namespaced: bool,
    versions: BTreeSet<String>,
}

/// The kinds that Kustomizations use and neither the server has nor they bring themselves.
pub(super) fn of(subjects: &[Subject], native: &Native) -> Definitions {
    let groups: BTreeSet<&str> = native.keys().map(|kind| kind.group.as_str()).collect();
    let mut definitions = Definitions::new();
    for subject in subjects {
        let brought = brought(subject);
        for object in &subject.rendered {
            let kind = object.group_kind();
            if groups.contains(kind.group.as_str()) || brought.contains(&kind) {
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

fn plural(word: &str) -> String {
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    match word.strip_suffix('y') {
        Some(stem) if !ends(&["ay", "ey", "oy", "uy"]) => format!("{stem}ies"),
        _ if ends(&["s", "x", "z", "ch", "sh"]) => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

impl Definition {
    pub(super) fn name(&self, kind: &GroupKind) -> String {
        format!("{}.{}", self.plural, kind.group)
    }

    pub(super) fn manifest(&self, kind: &GroupKind) -> Value {
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
                // Groups of Kubernetes' own want to know who agreed.
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
