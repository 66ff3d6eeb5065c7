//! Strategic merges of two YAML trees, exactly as kyaml does them.
//!
//! Maps merge by field. A list is replaced, unless its schema merges it by keys or as a set of
//! scalars. New elements then come first. `$patch: delete|replace|merge` is a directive, and null
//! deletes. Other directives of API servers (`$setElementOrder`, `$retainKeys`,
//! `$deleteFromPrimitiveList`) are plain fields, because kustomize does not support them.
//!
//! kyaml shares nodes between both trees, edits them in place, and visits the whole target. Its
//! behavior in corner cases follows from that: elements without their key, keys that only some
//! elements have, nulls without text. So both trees are copied into one [`graph`] of shared
//! nodes. kyaml's steps ([`walk`], [`elements`]) run on it, and the result is copied out.
//!
//! Parity: `kyaml: yaml/merge2`, `yaml/walk`, with new elements first.

mod elements;
mod graph;
pub mod three_way;
mod walk;

use graph::Graph;
use sluice_yaml::tree::Node;
use walk::Merge;

use crate::openapi::Schemas;

/// The result of a merge.
#[derive(Debug, PartialEq)]
pub enum MergeOutcome {
    /// The target holds the result.
    Target,
    /// A directive replaced the target, which is unchanged.
    Replaced(Node),
    /// A directive deleted the target.
    Deleted,
}

/// Why a patch does not fit, in upstream's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// `$patch` has an unknown value.
    #[error("unknown patch strategy '{0}'")]
    UnknownDirective(String),
    /// A directive was expected, but there is a scalar.
    #[error("no implemented strategic merge patch strategy for '{tag}' ('{text}')")]
    NoStrategy {
        /// The YAML tag of the scalar.
        tag: String,
        /// The scalar.
        text: String,
    },
    /// Patch and target have different node kinds.
    #[error("wrong node kind: expected {wanted} but got {found}: node contents:\n{text}")]
    WrongKind {
        /// The expected kind.
        wanted: &'static str,
        /// The actual kind.
        found: &'static str,
        /// The node as YAML.
        text: String,
    },
}

/// Merges a patch into a target.
///
/// The target's `apiVersion` and `kind` select the schema; comments on fields may override it.
/// After an error the target is unchanged.
pub fn merge(
    target: &mut Node,
    patch: &Node,
    schemas: &Schemas,
) -> Result<MergeOutcome, MergeError> {
    let mut graph = Graph::default();
    let destination = graph.add(target);
    let source = graph.add(patch);
    let merged = Merge::new(&mut graph, schemas).run(destination, source)?;
    Ok(match merged {
        None => MergeOutcome::Deleted,
        Some(node) if node == destination => {
            *target = graph.extract(node);
            MergeOutcome::Target
        }
        Some(node) => MergeOutcome::Replaced(graph.extract(node)),
    })
}

#[cfg(test)]
mod tests;
