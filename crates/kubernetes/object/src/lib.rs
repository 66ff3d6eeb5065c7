//! What can be known of a Kubernetes object without asking a server.
//!
//! [`Object`] is a JSON map with accessors; [`ObjectId`] is its identity as Flux's inventories
//! write it. Beside them stand the pure rules that apply, kustomize, helm, the controllers and
//! the CLI share: the [`order`] in which kinds are applied and deleted, the reading of
//! [`documents`], [`selector`]s, patches of three kinds ([`json_patch`], [`merge`] and
//! [`strategic`] with the facts of [`openapi`]), the [`status`] rules (kstatus), the
//! expression language by which users write rules of their own ([`cel`]), and what a
//! [`definition`] of a kind says of its objects.
//!
//! What a patch, a selector or an expression comes to is what Go's libraries make of it:
//! recorded answers are replayed by the tests, `cargo xtask vectors` records them anew and
//! compares generated ones.
//!
//! The crate refuses clients, clocks and async: a rule that needs the time takes it as an
//! argument. Start at [`Object`], then [`status::compute`].

pub mod cel;
pub mod definition;
pub mod documents;
mod id;
pub mod json_patch;
pub mod merge;
mod object;
pub mod openapi;
pub mod order;
pub mod selector;
pub mod status;
pub mod strategic;

pub use id::{InvalidInventoryId, ObjectId};
pub use object::{InvalidObject, Object};
pub use sluice_gvk::{GroupKind, GroupVersionKind};

/// A JSON value; keys keep the order in which they were read.
pub type Value = serde_json::Value;
