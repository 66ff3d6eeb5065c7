//! Helm releases on a real API server. The controller runs in this process, watches one namespace
//! and gets its charts from the test.
//!
//! The tests assert cluster state and never sleep. Intervals are one hour, so every run is caused
//! by a change.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a helper that fails is a test that fails, and Helm is another program"
)]

mod bed;
mod canary;
mod crash;
mod drift;
mod failures;
mod flags;
mod lifecycle;
mod options;
mod reference;
mod takeover;
