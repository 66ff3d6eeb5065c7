//! Tests of the client with our server, git's `http-backend`, OpenSSH and malicious servers.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
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
