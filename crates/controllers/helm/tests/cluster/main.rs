//! Helm releases on a real API server. The controller runs in this process, watches one namespace
//! and gets its charts from the test.
//!
//! The tests assert cluster state and never sleep. Intervals are one hour, so every run is caused
//! by a change.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "Helm is another program")]

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
