//! Images: the tags of repositories, and the policies that select one of them.
//!
//! An `ImageRepository` is scanned when [`scan::decide`] says so. Its tags go into the
//! [`store::TagStore`], sorted from the greatest to the smallest. An `ImagePolicy` reads them as a
//! stream through a [`policy::Selector`], and [`digest`] decides on the digest of the selected tag.
//! [`access`] checks references to other namespaces. [`policy::explain()`] answers why a tag was
//! selected.
//!
//! Start at [`run`], then at the reconcilers `image_repository` and `image_policy`. `registry` is
//! the access to registries, `budget` limits the time of patterns.
//!
//! Parity: image-reflector-controller 1.2.4: internal/{controller,policy,storage}. Differences,
//! each with a test:
//! - the tags are always in files, and survive a restart of the container
//! - a listing that lost most tags is confirmed by a second one
//! - a ready policy stays ready while an empty store is filled again
//! - the digest of a tag is fetched with `spec.insecure`
//! - patterns have a time limit

pub mod access;
mod args;
pub mod budget;
pub mod digest;
pub mod image;
mod image_policy;
mod image_repository;
#[cfg(test)]
mod lockdown_tests;
mod metrics;
pub mod policy;
mod registry;
pub mod revision;
pub mod scan;
mod serve;
pub mod store;

pub use args::{Args, GATES, InvalidFlag, NAME};
pub use serve::{Error, run};
