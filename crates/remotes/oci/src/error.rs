//! Errors of registries.
//!
//! Each variant names the operation and its object. Text of a server has passed `text::printable`,
//! so messages are safe for terminals and statuses. No variant holds credentials or a query, which
//! may be signed.

use std::time::Duration;

use http::StatusCode;

use crate::reference::InvalidReference;
use sluice_digest::Digest;

/// Why an operation on a registry failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The reference is invalid.
    #[error(transparent)]
    Reference(#[from] InvalidReference),
    /// The HTTP client could not be created.
    #[error("reach registry {registry}")]
    Dial {
        /// The registry.
        registry: String,
        /// The cause.
        source: sluice_dial::DialError,
    },
    /// The request got no answer.
    #[error("{action}: {reason}")]
    Transport {
        /// The operation.
        action: String,
        /// The cause.
        reason: String,
        /// Whether a retry may succeed.
        transient: bool,
    },
    /// The registry returned an error.
    #[error("{request}: {}", refusal(*status, code, message))]
    Status {
        /// The method and the URL.
        request: String,
        /// The status.
        status: StatusCode,
        /// The registry's error code, such as `MANIFEST_UNKNOWN`.
        code: String,
        /// The registry's message.
        message: String,
        /// The `Retry-After` of the registry.
        after: Option<Duration>,
    },
    /// The required authentication is unsupported or unsafe.
    #[error("authenticate to registry {registry}: {reason}")]
    Challenge {
        /// The registry.
        registry: String,
        /// The reason.
        reason: String,
    },
    /// The credentials for the registry could not be obtained.
    #[error("failed to get credential from {issuer}")]
    Login {
        /// The issuer.
        issuer: &'static str,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The content does not match its digest.
    #[error("{what} has digest {actual}, expected {expected}")]
    Mismatch {
        /// The fetched content.
        what: String,
        /// The expected digest.
        expected: Digest,
        /// The actual digest.
        actual: Digest,
    },
    /// The content is longer or shorter than announced.
    #[error("{what} has {actual} bytes, expected {expected}")]
    Size {
        /// The fetched content.
        what: String,
        /// The announced size.
        expected: u64,
        /// The received size, which may be slightly more than announced.
        actual: u64,
    },
    /// The response exceeds a limit.
    #[error("{what} is larger than {limit} bytes")]
    TooLarge {
        /// The fetched content.
        what: String,
        /// The limit.
        limit: u64,
    },
    /// The response violates the specification.
    #[error("{what} is invalid: {reason}")]
    Invalid {
        /// The fetched content.
        what: String,
        /// The reason.
        reason: String,
    },
    /// The content to send could not be read.
    #[error("read {what}")]
    Source {
        /// The content.
        what: String,
        /// The cause.
        source: std::io::Error,
    },
}

/// The category of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// It does not exist.
    NotFound,
    /// Credentials are missing, wrong or insufficient.
    Denied,
    /// The request is invalid. A retry does not help.
    Invalid,
    /// The content failed verification.
    Untrusted,
    /// A retry may succeed.
    Transient,
}

impl Error {
    /// Classifies the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Reference(_) | Self::Dial { .. } => ErrorKind::Invalid,
            Self::Status { status, .. } => match *status {
                StatusCode::NOT_FOUND => ErrorKind::NotFound,
                StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => ErrorKind::Denied,
                _ => ErrorKind::Transient,
            },
            Self::Challenge { .. } | Self::Login { .. } => ErrorKind::Denied,
            Self::Mismatch { .. }
            | Self::Size { .. }
            | Self::TooLarge { .. }
            | Self::Invalid { .. } => ErrorKind::Untrusted,
            Self::Transport { .. } | Self::Source { .. } => ErrorKind::Transient,
        }
    }

    /// Whether the registry refused the credentials, or wants some.
    pub(crate) fn is_unauthorized(&self) -> bool {
        matches!(
            self,
            Self::Status {
                status: StatusCode::UNAUTHORIZED,
                ..
            }
        )
    }

    pub(crate) fn invalid(what: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Invalid {
            what: what.into(),
            reason: reason.into(),
        }
    }
}

/// Names the error of a registry as `go-containerregistry` does.
fn refusal(status: StatusCode, code: &str, message: &str) -> String {
    match (code, message) {
        ("", "") => format!("unexpected status code {status}"),
        ("", hint) if hint.starts_with('(') => format!("unexpected status code {status} {hint}"),
        ("", message) => format!("unexpected status code {status}: {message}"),
        (code, message) => format!("{code}: {message}"),
    }
}
