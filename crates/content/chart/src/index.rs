//! `index.yaml`: the charts of a repository, and which of them fits a version.
//!
//! An index may have tens of megabytes. The reader holds one version at a time. Only a
//! search for a chart holds all versions of that chart.
//!
//! Where to start: [`rewrite()`] checks an index and writes the JSON that Flux stores. [`find`] and
//! [`find_stored`] return the versions of a chart, and [`select`] picks one, [`pick`]
//! the one that `helm template` picks.
//!
//! Parity: source-controller: `internal/helm/repository/chart_repository.go`; Helm 4.2:
//! `pkg/repo/v1/index.go`.

mod entry;
mod print;
mod read;
mod rewrite;
mod search;

pub use entry::ChartVersion;
pub use rewrite::rewrite;
pub use search::{SelectError, find, find_stored, pick, select};

/// Why an index could not be read, in Helm's words.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The text is empty.
    #[error("empty index.yaml file")]
    Empty,
    /// The index has no `apiVersion`.
    #[error("no API version specified")]
    NoApiVersion,
    /// The text is not an index.
    #[error("{0}")]
    Content(String),
    /// The temporary file or the output failed.
    #[error("failed to write the index")]
    Write(#[from] std::io::Error),
}

#[cfg(test)]
mod tests;
