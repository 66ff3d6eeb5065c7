//! Defines the errors of building a provider's requests.

use sluice_dial::Invalid;

/// Error of a provider that cannot be used, or cannot express the event. Messages contain no
/// secrets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The address is not usable. It may be a secret, so the message does not repeat it.
    #[error("invalid {what}: {reason}")]
    Address {
        /// Role of the address.
        what: &'static str,
        /// Cause.
        reason: String,
    },
    /// A required setting is missing. The message is Flux's.
    #[error("{message}")]
    Missing {
        /// The message.
        message: &'static str,
        /// Field or key to set.
        hint: &'static str,
    },
    /// A setting contradicts another one, or is malformed.
    #[error("{0}")]
    Setting(String),
    /// The address does not have the number of parts that a repository has.
    #[error("invalid repository id {0:?}")]
    Repository(String),
    /// A value cannot be sent in a header.
    #[error("{what} holds characters that cannot be sent in a header, such as a line break")]
    Unsendable {
        /// The value.
        what: String,
    },
    /// A Secret is unusable.
    #[error("secret '{secret}': {source}")]
    Secret {
        /// Namespace and name.
        secret: String,
        /// Cause.
        source: Invalid,
    },
    /// The headers of a Secret are not a map of texts.
    #[error("failed to read headers from secret '{secret}': {reason}")]
    Headers {
        /// Namespace and name.
        secret: String,
        /// Cause, without values.
        reason: String,
    },
    /// The event has no revision.
    #[error("missing revision metadata")]
    NoRevision,
    /// The revision of the event is not a commit.
    #[error("failed to extract commit hash from '{0}' revision")]
    NoCommit(String),
    /// The host has no equivalent of the severity.
    #[error("can't convert severity '{severity}' to {host} state")]
    Severity {
        /// The severity.
        severity: String,
        /// The host.
        host: &'static str,
    },
    /// The event has no pull request number.
    #[error("missing \"change_request\" metadata key")]
    NoChangeRequest,
    /// The pull request number is not a number.
    #[error("invalid \"change_request\" metadata value {0:?}")]
    ChangeRequest(String),
    /// The expression for the name of a commit status failed.
    #[error("failed to evaluate the spec.commitStatusExpr CEL expression for the event: {0}")]
    Expression(String),
    /// The schema does not have the type.
    #[error("provider {0} not supported")]
    Unsupported(String),
}

impl Error {
    /// Whether the Provider cannot express the event, although its settings are right.
    pub const fn is_about_event(&self) -> bool {
        matches!(
            self,
            Self::NoRevision
                | Self::NoCommit(_)
                | Self::Severity { .. }
                | Self::NoChangeRequest
                | Self::ChangeRequest(_)
        )
    }

    /// Returns the field or key to change.
    pub const fn hint(&self) -> &str {
        match self {
            Self::Address { .. } | Self::Repository(_) => {
                "set spec.address, or the key 'address' of the Secret in spec.secretRef"
            }
            Self::Missing { hint, .. } => hint,
            Self::Setting(_) => "change the spec of the Provider or its Secret",
            Self::Unsendable { .. } => {
                "create the Secret without a line break at the end, as with 'printf %s'"
            }
            Self::Secret { .. } => "set the named key of the Secret",
            Self::Headers { .. } => "set the key 'headers' to a YAML map of texts",
            Self::NoRevision | Self::NoCommit(_) => {
                "use this Provider for objects whose source is a Git repository"
            }
            Self::Severity { .. } => "use this Provider for events of severity info or error",
            Self::NoChangeRequest | Self::ChangeRequest(_) => {
                "annotate the object with event.toolkit.fluxcd.io/change_request"
            }
            Self::Expression(_) => "correct spec.commitStatusExpr, which must return a string",
            Self::Unsupported(_) => "set spec.type to a type of the Provider schema",
        }
    }
}
