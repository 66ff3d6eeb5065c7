//! The transformers of a build.
//!
//! Each transformer is a module with an `apply` function. It takes the resources, the
//! arguments of the kustomization and the relevant field table. A transformer knows neither
//! files nor kustomizations nor other transformers.
//!
//! Shared parts: [`fieldspec`] finds and sets fields of the tables. [`path`] follows the
//! richer paths of replacements and vars. [`twins`] links nodes that are one node in upstream.

pub(crate) mod field_error;
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
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod twins;
pub(crate) mod value_add;
pub(crate) mod variables;
