//! Tests with files of upstream's programs, and with the programs themselves.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

#[path = "upstream/azure.rs"]
mod azure;
#[path = "upstream/clouds.rs"]
mod clouds;
#[path = "upstream/differential.rs"]
mod differential;
#[path = "upstream/fixtures.rs"]
mod fixtures;
#[path = "upstream/vault.rs"]
mod vault;
#[path = "upstream/vectors.rs"]
mod vectors;
