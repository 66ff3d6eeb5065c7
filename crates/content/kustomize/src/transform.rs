//! The transformers: what a build does to its resources.
//!
//! Each one is a module with an `apply` that takes the resources, what the
//! kustomization asks for, and the fields of the table that concern it. None
//! knows of files, of kustomizations or of the others; the order in which they
//! run is the build's.
//!
//! What they have in common: [`tables`] says which fields of which types they
//! touch, [`fieldspec`] finds and sets those, [`path`] follows the richer paths
//! of replacements and vars, and [`twins`] keeps nodes together that are one
//! node to upstream.

pub(crate) mod fault;
pub(crate) mod fieldspec;
pub(crate) mod iam_policy;
pub(crate) mod images;
pub(crate) mod name_reference;
pub(crate) mod names;
pub(crate) mod namespace;
pub(crate) mod pairs;
pub(crate) mod patch;
pub(crate) mod path;
pub(crate) mod replacements;
pub(crate) mod replicas;
pub(crate) mod tables;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod twins;
pub(crate) mod value_add;
pub(crate) mod variables;
