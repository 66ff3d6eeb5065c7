//! Images: the tags of repositories, and the policies that select one of them.
//!
//! An `ImageRepository` is scanned when [`sluice_images::scan::decide`] says so. Its tags go into
//! the [`store::TagStore`], sorted from the greatest to the smallest. An `ImagePolicy` reads them
//! as a stream through a [`sluice_images::policy::Selector`]. [`access`] checks references to other
//! namespaces.
//!
//! Start at [`run`], then at the reconcilers `image_repository` and `image_policy`. `registry` is
//! the access to registries. The decisions about tags are in `sluice_images`.
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
mod image_policy;
mod image_repository;
#[cfg(test)]
mod lockdown_tests;
mod metrics;
mod registry;
mod serve;
pub mod store;

pub use args::{Args, GATES, InvalidFlag, NAME};
pub use serve::{Error, run};
