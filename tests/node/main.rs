//! Tests the image in real pods, for claims that a test of the binary alone cannot prove.
//!
//! Ready pods prove that the static binary works in an empty image with a read-only root and
//! without privileges. Reconciled objects prove that the controllers find each other by cluster
//! DNS. All tests share one node (`stage`). `life` goes from `install` to `uninstall`, with a `kill
//! -9`. `single` runs all controllers in one pod under the `restricted` pod security level.
//! `bootstrap` syncs the cluster from Git, upgrades it and rolls it back.
//!
//! The tests need the requirements of [`sluice_testkit::node`] and the image as `SLUICE_IMAGE`,
//! which `./test.sh` builds first.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod bootstrap;
mod life;
mod single;
mod stage;
