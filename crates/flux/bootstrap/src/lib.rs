//! The parts of a bootstrap: the files and commits of a cluster, the repository and its
//! host, and the Secret that the cluster reads the repository with.
//!
//! Nothing here prints; progress goes to a [`Reporter`](sluice_lifecycle::Reporter).
//! Start at [`layout`], which decides what is committed.

pub mod hosted;
pub mod layout;
pub mod plan;
pub mod repository;
pub mod secret;
