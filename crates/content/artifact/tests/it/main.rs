//! What the artifact crate promises, asked through its public interface.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot go on says so by panicking, and looks at files as a stranger would"
)]

mod baseline;
mod fetch;
mod server;
mod storage;
mod tarball;
mod untar;

use sluice_artifact::digest::Algorithm;
use sluice_artifact::storage::{Location, Options, Retention, Storage};

/// A storage in a directory of its own.
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

/// Writes these bytes as an artifact.
fn write(storage: &Storage, file: &str, bytes: &[u8]) -> sluice_artifact::storage::Stored {
    storage
        .write(&location(), file, |writer| writer.write_all(bytes))
        .unwrap()
}
