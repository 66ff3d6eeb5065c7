//! Tests the binary on a real API server: commands, controllers, and both together.
//!
//! All tests are in one binary, so that they share one control plane. Each test works in its own
//! namespaces. Tests assert the state of the cluster, the output and the exit code.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod bad_input;
mod binary;
mod bootstrap;
mod build;
mod canary;
mod cases;
mod commands;
mod complete;
mod crash;
mod create;
mod dev;
mod diff;
mod docs;
mod end_to_end;
mod exit_codes;
mod formats;
mod hostile;
mod images;
mod inspect;
mod install;
mod migrate;
mod narrow;
mod plugin;
mod program;
mod refusals;
mod replicas;
mod scene;
mod smoke;
mod stub;
mod swap;
mod takeover;
mod terminal;
mod together;
mod uninstall;
mod verbs;
mod waits;
mod whole;
mod world;
