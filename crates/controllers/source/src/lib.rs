//! Sources: from a remote to a verified artifact in storage.
//!
//! The controller behind `sluice controller source`, a drop-in for Flux's source-controller. It
//! watches source objects, asks their remotes for news, packs what is new into an artifact and
//! serves artifacts to the other controllers. It refuses to write what others own: status,
//! events and metrics leave through `runtime::report`, bytes through `artifact::storage`.
//!
//! Start at [`run`] for the process and at `git_repository` or `oci_repository` for a kind.

mod args;
mod conditions;
mod first_round;
mod git_repository;
#[cfg(test)]
mod killed;
mod oci_repository;
mod orphans;
mod serve;
mod shelf;

pub use args::Args;
pub use serve::{Error, GATES, NAME, run};
