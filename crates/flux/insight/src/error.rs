//! Errors of reading a cluster.

use std::fmt;

/// The reason of a missing answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The API server was not reached or refused a request.
    #[error(transparent)]
    Client(#[from] sluice_client::Error),
    /// An object does not exist. The text is that of the API server.
    #[error("{resource} \"{name}\" not found")]
    NotFound {
        /// The plural name of the kind, with its group.
        resource: String,
        /// The namespace.
        namespace: String,
        /// The name.
        name: String,
    },
    /// An object of the cluster does not have the form that Flux or Helm writes.
    #[error("{0}")]
    Malformed(String),
    /// The object cannot be traced.
    #[error("{0}")]
    Untraceable(String),
    /// An error during an operation.
    #[error("{context}: {source}")]
    Context {
        /// The operation.
        context: String,
        /// The error.
        source: Box<Self>,
    },
}

impl Error {
    /// Adds the operation.
    #[must_use]
    pub fn context(self, context: impl fmt::Display) -> Self {
        Self::Context {
            context: context.to_string(),
            source: Box::new(self),
        }
    }
}
