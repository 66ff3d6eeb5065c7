//! Tests of the client with our server, git's `http-backend`, OpenSSH and malicious servers.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy's exception for tests does not cover their helper functions"
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
