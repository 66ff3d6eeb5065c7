//! Every custom resource and wire type of Flux 2.9, as data.
//!
//! The crate has the fifteen custom resources with spec and status, the types that they share, and
//! the event payload. It also has the words that users search for: reasons, annotations, labels,
//! finalizer. The CRDs are generated from these types and embedded here.
//!
//! It has no client, no clock and no decisions. Its few helpers keep a value well formed, such as
//! [`meta::Conditions::set`].
//!
//! A stored object may be older than the validation of its CRD, or bypass it. Decoding is therefore
//! lenient where the CRD is strict. Durations and times keep their text until `parse()`, unknown
//! enum words become `Other`, and an empty string counts as absent. An invalid field then affects
//! only its own object.
//!
//! Start with [`meta`], then the module of a group: [`source`], [`kustomize`], [`helm`],
//! [`notification`], [`image`], [`source_watcher`]. [`KINDS`] is the table of all kinds.

#![expect(
    clippy::duplicated_attributes,
    reason = "each printcolumn(…) of a kind repeats its keys"
)]
#![expect(
    clippy::struct_excessive_bools,
    reason = "the flags of a spec are given"
)]

mod word;

pub mod artifact;
pub mod crds;
pub mod event;
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
