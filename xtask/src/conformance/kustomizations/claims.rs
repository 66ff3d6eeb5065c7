//! Which Kustomizations may be played at once: those that share nothing.
//!
//! What a Kustomization applies is its own. A namespace in which others work, a definition of kinds
//! that others use and a config map that others read must stay while they are played, so that who
//! applies one, and takes it away in the end, is not played beside them.

use std::collections::BTreeSet;

use sluice_object::{GroupKind, Object};

use super::corpus::Subject;
use super::definitions::Definitions;

/// What a Kustomization changes, and what it needs to stay as it is.
#[derive(Debug, Default)]
struct Claims {
    own: BTreeSet<String>,
    shared: BTreeSet<String>,
    /// It changes what the server serves to everybody.
    alone: bool,
}

impl Claims {
    fn of(subject: &Subject, definitions: &Definitions) -> Self {
        let mut claims = Self::default();
        claims.own.insert(key(&subject.object));
        for object in &subject.rendered {
            claims.own.insert(key(object));
            if !object.namespace().is_empty() {
                claims.shared.insert(namespace(object.namespace()));
            }
            if definitions.contains_key(&object.group_kind()) {
                claims.shared.insert(kind(&object.group_kind()));
            }
            claims.alone |= object.kind() == "APIService";
        }
        claims.own.extend(brought(subject).iter().map(kind));
        for needed in subject.namespaces() {
            claims.shared.insert(namespace(&needed));
        }
        for variables in &subject.variables {
            claims.shared.insert(key(variables));
        }
        claims.shared.retain(|claim| !claims.own.contains(claim));
        claims
    }

    fn is_apart_from(&self, other: &Self) -> bool {
        !self.alone
            && !other.alone
            && self.own.is_disjoint(&other.own)
            && self.own.is_disjoint(&other.shared)
            && self.shared.is_disjoint(&other.own)
    }
}

fn key(object: &Object) -> String {
    match object.kind() {
        "Namespace" => namespace(object.name()),
        kind => format!(
            "{} {kind} {} {}",
            object.group(),
            object.namespace(),
            object.name()
        ),
    }
}

fn namespace(name: &str) -> String {
    format!("namespace {name}")
}

fn kind(kind: &GroupKind) -> String {
    format!("kind {}.{}", kind.kind, kind.group)
}

/// The kinds that a Kustomization defines itself.
pub(super) fn brought(subject: &Subject) -> BTreeSet<GroupKind> {
    let definitions = subject
        .rendered
        .iter()
        .filter(|object| object.is("apiextensions.k8s.io", "CustomResourceDefinition"));
    definitions
        .map(|object| {
            let text = |path: &[&str]| object.str_at(path).unwrap_or_default().to_owned();
            GroupKind {
                group: text(&["spec", "group"]),
                kind: text(&["spec", "names", "kind"]),
            }
        })
        .collect()
}

/// Groups of Kustomizations of one tree, by index, at most so many in each.
pub(super) fn batches(
    subjects: &[Subject],
    together: usize,
    definitions: &Definitions,
) -> Vec<Vec<usize>> {
    let claims: Vec<Claims> = subjects
        .iter()
        .map(|subject| Claims::of(subject, definitions))
        .collect();
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for (at, subject) in subjects.iter().enumerate() {
        let fits = |batch: &&mut Vec<usize>| {
            batch.len() < together
                && batch.iter().all(|other| {
                    subjects[*other].tree == subject.tree
                        && claims[at].is_apart_from(&claims[*other])
                })
        };
        match batches.iter_mut().find(fits) {
            Some(batch) => batch.push(at),
            None => batches.push(vec![at]),
        }
    }
    batches
}
