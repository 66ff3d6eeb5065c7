//! Against upstream: the files that its programs made, and the programs themselves.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what tests share fails as they do"
)]

#[path = "upstream/differential.rs"]
mod differential;
#[path = "upstream/fixtures.rs"]
mod fixtures;
#[path = "upstream/vault.rs"]
mod vault;
#[path = "upstream/vectors.rs"]
mod vectors;
