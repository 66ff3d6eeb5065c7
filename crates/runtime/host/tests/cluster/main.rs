//! Engine and host on a real API server, with minimal reconcilers.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod abilities;
mod bed;
mod leader;
mod lifecycle;
mod quarantine;
mod queue;
mod report;
mod secrets;
mod servers;
mod undecodable;
mod watches;
