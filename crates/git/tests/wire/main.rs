//! The client against servers: our own, git's `http-backend`, OpenSSH, and some
//! that mean harm.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the helpers of tests are tests: clippy's exception covers the test functions only"
)]

mod hostile;
mod http;
mod server;
mod ssh;
mod store;
