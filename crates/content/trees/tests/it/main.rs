//! Tests with real servers on loopback, compared with the pinned kustomize.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod archive;
mod files;
mod hostile;
mod repositories;
mod setup;
