//! The client against servers: our own, git's `http-backend`, OpenSSH, and some
//! that mean harm.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the helpers of tests are tests: clippy's exception covers the test functions only"
)]

mod agent;
mod hostile;
mod http;
mod partial;
mod peel;
mod proxy;
mod push;
mod range;
mod server;
mod signature;
mod ssh;
mod store;
mod submodule;
