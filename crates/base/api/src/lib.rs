//! Every custom resource and wire type of Flux 2.9, as data.
//!
//! This crate owns the shapes that cross a process boundary: the fifteen custom
//! resources with their spec and status, the parts they share (conditions,
//! artifact, inventory, history, references), the event payload, and the words
//! users grep for (reasons, annotations, labels, finalizer). The CRDs that
//! `install` applies are generated from these types and embedded here.
//!
//! It refuses behaviour: no client, no clock, no decision. The helpers that do
//! exist only keep a value well formed, like [`meta::Conditions::set`].
//!
//! Stored objects may predate, or have bypassed, the validation of their CRD.
//! So decoding is lenient where the CRD is strict: a duration or a time keeps
//! its text and is judged by `parse()`, an unknown word of an enumeration is
//! kept as `Other`, an empty string is an absent one. One bad field then fails
//! the one object that holds it.
//!
//! Start with [`meta`], then the module of a group: [`source`], [`kustomize`],
//! [`helm`], [`notification`], [`image`], [`source_watcher`].
//! [`KINDS`] is the table of all of them.

#![expect(
    clippy::duplicated_attributes,
    reason = "each printcolumn(…) of a kind repeats its keys"
)]
#![expect(
    clippy::struct_excessive_bools,
    reason = "the shape of a spec is given, flags included"
)]

mod word;

pub mod artifact;
pub mod crds;
pub mod event;
pub mod gaps;
pub mod helm;
pub mod history;
pub mod image;
pub mod inventory;
pub mod kinds;
pub mod kustomize;
mod lenient;
pub mod meta;
pub mod notification;
pub mod source;
pub mod source_watcher;

pub use artifact::Artifact;
pub use crds::{COMPONENT_CRDS, crds};
pub use event::Event;
pub use kinds::{KINDS, KindInfo};
