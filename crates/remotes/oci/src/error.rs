//! What can go wrong with a registry, classified once.
//!
//! Every variant says what was attempted and on what. Text of a server has passed [`printable`],
//! so that it can be shown on a terminal or stored in a status. No variant holds a credential or a
//! query, which may be signed.

use std::time::Duration;

use http::StatusCode;

use crate::reference::InvalidReference;
use sluice_digest::Digest;

/// Why an operation on a registry failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The name is none.
    #[error(transparent)]
    Reference(#[from] InvalidReference),
    /// No client can be made of what the caller gave.
    #[error("reach registry {registry}")]
    Dial {
        /// The registry.
        registry: String,
        /// What is wrong.
        source: sluice_dial::DialError,
    },
    /// There was no answer.
    #[error("{action}: {reason}")]
    Transport {
        /// What was attempted.
        action: String,
        /// Why there was none.
        reason: String,
        /// Whether it may pass.
        transient: bool,
    },
    /// The registry refused.
    #[error("{action}: {}", refusal(*status, code, message))]
    Status {
        /// What was attempted.
        action: String,
        /// The answer.
        status: StatusCode,
        /// The registry's own code for it, such as `MANIFEST_UNKNOWN`.
        code: String,
        /// What it says.
        message: String,
        /// How long it asks us to wait.
        after: Option<Duration>,
    },
    /// The registry asks for authentication in a way that is not understood, or not safe.
    #[error("authenticate to registry {registry}: {reason}")]
    Challenge {
        /// The registry.
        registry: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The content is not what its digest names.
    #[error("{what} has digest {actual}, expected {expected}")]
    Mismatch {
        /// What was fetched.
        what: String,
        /// Its name.
        expected: Digest,
        /// What came.
        actual: Digest,
    },
    /// The content is longer or shorter than announced.
    #[error("{what} has {actual} bytes, expected {expected}")]
    Size {
        /// What was fetched.
        what: String,
        /// What was announced.
        expected: u64,
        /// What came, or a little more than what was announced.
        actual: u64,
    },
    /// The answer is larger than anything we would read.
    #[error("{what} is larger than {limit} bytes")]
    TooLarge {
        /// What was fetched.
        what: String,
        /// The limit.
        limit: u64,
    },
    /// The answer is not what the specification says.
    #[error("{what} is invalid: {reason}")]
    Invalid {
        /// What was fetched.
        what: String,
        /// What is wrong with it.
        reason: String,
    },
    /// What is to be sent cannot be read.
    #[error("read {what}")]
    Source {
        /// What was to be sent.
        what: String,
        /// Why not.
        source: std::io::Error,
    },
}

/// Who has to act for the operation to work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// There is nothing of that name.
    NotFound,
    /// Credentials are missing, wrong, or do not suffice.
    Denied,
    /// The question makes no sense: asking again changes nothing.
    Invalid,
    /// The content is not to be trusted.
    Untrusted,
    /// It may pass.
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
            Self::Challenge { .. } => ErrorKind::Denied,
            Self::Mismatch { .. }
            | Self::Size { .. }
            | Self::TooLarge { .. }
            | Self::Invalid { .. } => ErrorKind::Untrusted,
            Self::Transport { .. } | Self::Source { .. } => ErrorKind::Transient,
        }
    }

    pub(crate) fn invalid(what: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Invalid {
            what: what.into(),
            reason: reason.into(),
        }
    }
}

fn refusal(status: StatusCode, code: &str, message: &str) -> String {
    match (code, message) {
        ("", "") => format!("registry answered {status}"),
        ("", message) => format!("registry answered {status}: {message}"),
        (code, "") => code.to_owned(),
        (code, message) => format!("{code}: {message}"),
    }
}

/// A text of a stranger in one line of at most `limit` characters, without control characters.
pub(crate) fn printable(text: &str, limit: usize) -> String {
    let mut shown: String = text
        .chars()
        .map(|character| {
            // Formatting characters turn a terminal's text around.
            let format = matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            if character.is_control() || format {
                ' '
            } else {
                character
            }
        })
        .take(limit)
        .collect();
    if text.chars().count() > limit {
        shown.push('…');
    }
    shown.trim().to_owned()
}
