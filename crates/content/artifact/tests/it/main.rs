//! Tests of the public interface.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "tests read files directly")]

mod baseline;
mod fetch;
mod server;
mod storage;
mod tarball;
mod untar;

use sluice_artifact::storage::{Location, Options, Retention, Storage};
use sluice_digest::Algorithm;

/// Opens a storage below `root`.
fn storage(root: &std::path::Path) -> Storage {
    Storage::open(Options {
        root: root.to_owned(),
        address: "artifacts.example".to_owned(),
        algorithm: Algorithm::Sha256,
        retention: Retention::default(),
    })
    .unwrap()
}

fn location() -> Location {
    Location::new("GitRepository", "tenant", "app").unwrap()
}

/// Writes an artifact with these bytes.
fn write(storage: &Storage, file: &str, bytes: &[u8]) -> sluice_artifact::storage::StoredArtifact {
    storage
        .write(&location(), file, |writer| writer.write_all(bytes))
        .unwrap()
}
