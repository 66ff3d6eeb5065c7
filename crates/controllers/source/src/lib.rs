//! The source controller: fetches sources and stores them as verified artifacts.
//!
//! The controller behind `sluice controller source`, a drop-in for Flux's source-controller. It
//! watches source objects, polls their remotes, packs new revisions into artifacts and serves
//! these to the other controllers. Status, events and metrics go through `engine::report`, files
//! through `artifact::storage`.
//!
//! Start at [`run`] for the process, and at `reconcile` for what all kinds do. `git_repository`,
//! `oci_repository`, `bucket`, `helm_repository` and `helm_chart` are the kinds.

mod args;
mod bucket;
mod draft;
mod fault;
mod git_repository;
mod helm;
mod helm_chart;
mod helm_repository;
#[cfg(test)]
mod killed;
#[cfg(test)]
mod lockdown_tests;
mod named_server;
mod notation;
mod oci_repository;
mod reconcile;
mod retry_after;
mod serve;
mod signature;
mod timing;
mod verified_keys;

pub use args::Args;
pub use serve::{Error, GATES, NAME, run};
