//! Untyped Kubernetes objects and pure rules over them, shared by apply, builds and controllers.
//!
//! [`Object`] is a JSON map with accessors, and [`ObjectId`] its identity in Flux's inventories.
//! The rules: the [`order`] of apply and deletion, [`documents`], label [`selector`]s, syntax of
//! [`names`], [`sort`] by a value, [`status`] (kstatus). Patches are of three
//! kinds: [`json_patch`], [`merge`] and [`strategic`], which uses the schemas of [`openapi`].
//!
//! Patches and selectors behave like Go's libraries. The tests replay recorded answers, which
//! `cargo xtask vectors` records and compares.
//!
//! The crate has no client, clock or async code. A rule that depends on the time takes it as an
//! argument. Start at [`Object`], then [`status::compute`].

pub mod documents;
mod id;
pub mod json_patch;
pub mod jsonpath;
pub mod merge;
pub mod names;
mod object;
pub mod openapi;
pub mod order;
mod quantity;
pub mod selector;
pub mod sort;
pub mod status;
pub mod strategic;

pub use id::{InvalidInventoryId, ObjectId};
pub use object::{InvalidObject, Object};
pub use sluice_gvk::{GroupKind, GroupVersionKind};

/// A JSON value. Maps keep the order of their keys.
pub type Value = serde_json::Value;
