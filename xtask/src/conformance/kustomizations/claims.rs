//! Groups Kustomizations that can run at once because they share nothing.
//!
//! A Kustomization owns the objects that it applies. One that applies a namespace, a definition or
//! a config map which others use must not run beside those.

use std::collections::BTreeSet;

use sluice_object::{GroupKind, Object};

use super::corpus::Subject;
use super::definitions::{Definitions, defined_kinds};

/// The objects that a Kustomization changes, and those that it requires.
#[derive(Debug, Default)]
struct Claims {
    own: BTreeSet<String>,
    shared: BTreeSet<String>,
    /// Whether it changes the API of the server.
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
        claims.own.extend(defined_kinds(subject).iter().map(kind));
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

/// Groups Kustomizations of one tree, by index, up to a size.
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
