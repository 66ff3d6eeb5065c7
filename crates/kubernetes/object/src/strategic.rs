//! Strategic merges of one object into another, exactly as kyaml does them.
//!
//! Maps merge field by field. A list is replaced, unless its schema says that it is merged by
//! keys or as a set of plain values; new elements then come first. `$patch: delete|replace|
//! merge` directs, and null deletes. The other directives that API servers know
//! (`$setElementOrder`, `$retainKeys`, `$deleteFromPrimitiveList`) are ordinary fields here,
//! since kustomize does not know them.
//!
//! kyaml shares nodes between its trees while it merges, edits them in place, and visits the
//! whole target and not only what the patch names. Much of what it does at the edges — elements
//! without their key, keys that only some elements have, nulls without text — follows from
//! that. So the two trees are put into one [`graph`] whose nodes can be shared, kyaml's steps
//! ([`walk`], [`elements`]) run on it one by one, and the result is read out again.
//!
//! Parity: `kyaml: yaml/merge2`, `yaml/walk`, with new elements first.

mod elements;
mod graph;
mod walk;

use graph::Graph;
use sluice_yaml::tree::Node;
use walk::Merge;

use crate::openapi::Schemas;

/// What has become of the target.
#[derive(Debug, PartialEq)]
pub enum MergeOutcome {
    /// It holds the result.
    Target,
    /// It was directed to give way to this, and is as it was.
    Replaced(Node),
    /// It was directed to go.
    Deleted,
}

/// Why a patch does not fit; the words are upstream's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// A `$patch` of the patch has a value that is none.
    #[error("unknown patch strategy '{0}'")]
    UnknownDirective(String),
    /// A scalar stands where a directive was looked for.
    #[error("no implemented strategic merge patch strategy for '{tag}' ('{text}')")]
    NoStrategy {
        /// The type of the scalar, as YAML names it.
        tag: String,
        /// As it is written.
        text: String,
    },
    /// Patch and target are of unlike kinds in one place.
    #[error("wrong node kind: expected {wanted} but got {found}: node contents:\n{text}")]
    WrongKind {
        /// The kind that was to be there.
        wanted: &'static str,
        /// The kind that is there.
        found: &'static str,
        /// What is there, as YAML.
        text: String,
    },
}

/// Merges a patch into a target.
///
/// Schemas are found by the target's `apiVersion` and `kind`, and by comments on fields. On an
/// error the target is as it was.
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
