//! Errors of all providers. No error quotes a secret or a token.

use std::time::SystemTime;

use http::StatusCode;
use sluice_dial::DialError;

/// A credential could not be obtained.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// The repository is not in CodeCommit.
    #[error("invalid AWS CodeCommit Git URL: {0}")]
    NotCodeCommit(String),
    /// A signature must not be sent without TLS.
    #[error("AWS CodeCommit authentication requires an HTTPS Git URL")]
    NotHttps,
    /// A setting is missing or invalid.
    #[error("{0}")]
    Unusable(String),
    /// The cloud names other addresses for a cluster.
    #[error("{0}")]
    OtherAddress(String),
    /// A file of the environment could not be read.
    #[error(transparent)]
    File(#[from] sluice_system::fs::Error),
    /// The client could not be created.
    #[error(transparent)]
    Dial(#[from] DialError),
    /// A statement could not be signed.
    #[error("sign as {signer}: {reason}")]
    Sign {
        /// The owner of the key.
        signer: String,
        /// Cause.
        reason: &'static str,
    },
    /// A step failed.
    #[error("{attempt}")]
    Step {
        /// The step.
        attempt: String,
        /// Cause.
        source: Box<Self>,
    },
    /// No response arrived.
    #[error("{action}: {reason}")]
    Network {
        /// Action.
        action: String,
        /// Cause.
        reason: String,
    },
    /// The server returned an error.
    #[error("{action}: {verdict} {status}{}", detail.as_deref().map(|detail| format!(": {detail}")).unwrap_or_default())]
    Refused {
        /// Action.
        action: String,
        /// The words before the status.
        verdict: &'static str,
        /// Status code.
        status: StatusCode,
        /// Message of the server.
        detail: Option<String>,
        /// Time of the server.
        server_time: Option<SystemTime>,
    },
    /// The response is invalid.
    #[error("{action}: {fault}{}", detail.as_deref().map(|detail| format!(": {detail}")).unwrap_or_default())]
    Answer {
        /// Action.
        action: String,
        /// The fault of the response.
        fault: &'static str,
        /// Details.
        detail: Option<String>,
    },
}

impl IdentityError {
    /// Adds the step that failed.
    #[must_use]
    pub(crate) fn during(self, attempt: impl Into<String>) -> Self {
        Self::Step {
            attempt: attempt.into(),
            source: Box::new(self),
        }
    }
}
