//! The image in real pods: what no test of the binary alone can show.
//!
//! That the pods become Ready says that the static binary works in an empty image as a stranger with
//! a read-only root; that they reconcile says that it finds its neighbour by the cluster's names. All
//! tests share one node (`stage`): `life` is a user's way from `install` to `uninstall`, with a
//! `kill -9` in the middle; `single` is all controllers in one pod under the `restricted` level of
//! pod security; `bootstrap` is a cluster that is kept in Git, upgraded and rolled back.
//!
//! It needs what [`sluice_testkit::node`] needs, and the image as `SLUICE_IMAGE`: `./test.sh` builds
//! it first.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

mod bootstrap;
mod life;
mod single;
mod stage;
