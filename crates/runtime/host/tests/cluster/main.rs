//! Engine and host on a real API server, with minimal reconcilers.
#![expect(
    clippy::unwrap_used,
    reason = "what cannot be set up fails the test that needs it"
)]

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
