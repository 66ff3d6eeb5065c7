//! The test bed: a real API server and real counterparts on loopback, and two instruments.
//!
//! Owns what tests share: one control plane per test process ([`cluster`]), waiting for a state of
//! the world ([`wait`]), what the API server saw ([`audit`]).
//!
//! Refuses to be part of the product: it is a dev-dependency only. It fails a test by panicking with
//! what was expected and what was found instead, so that a test reads as a list of claims.
//!
//! Start at [`cluster`].
#![expect(
    clippy::panic,
    reason = "a test kit says that a claim does not hold by panicking"
)]
#![expect(
    clippy::unwrap_used,
    reason = "what cannot be set up fails the test that needs it"
)]

pub mod audit;
mod testbed;
pub mod wait;

pub use testbed::{Testbed, cluster};

/// Parts of the development cluster that tests start by themselves.
pub use sluice_devcluster as devcluster;
