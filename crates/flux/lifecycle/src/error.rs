//! The error of a step: a message, details and hints for the user.

use std::fmt;

/// The cause of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request: flags, names, files.
    User,
    /// The cluster or a remote.
    Cluster,
    /// A fault of this program.
    Internal,
}

/// The reason why a step failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The cause.
    pub kind: ErrorKind,
    /// The failure and its cause.
    pub message: String,
    /// Further lines below the message.
    pub details: Vec<String>,
    /// Commands or flags to try.
    pub hints: Vec<String>,
}

impl Error {
    fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            details: Vec::new(),
            hints: Vec::new(),
        }
    }

    /// An error of the request.
    pub fn user(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::User, message)
    }

    /// An error of the cluster or a remote.
    pub fn cluster(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Cluster, message)
    }

    /// A fault of this program.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    /// Adds lines below the message.
    #[must_use]
    pub fn details(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.details.extend(lines);
        self
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Prefixes the message with the failed action: `context: message`.
    #[must_use]
    pub fn while_doing(mut self, context: impl fmt::Display) -> Self {
        self.message = format!("{context}: {}", self.message);
        self
    }

    /// The failure and its cause.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<sluice_client::Error> for Error {
    fn from(error: sluice_client::Error) -> Self {
        refusal(&error)
    }
}

/// The error of a refused request, with a hint.
pub(crate) fn refusal(error: &sluice_client::Error) -> Error {
    if error.has_no_match() {
        let refused = Error::cluster(error.to_string());
        return refused.hint("the CRD is not installed: run install first");
    }
    let refused = Error::cluster(format!("failed to {error}"));
    if error.is_unauthorized() {
        refused.hint("the credentials of the kubeconfig were not accepted")
    } else if error.is_forbidden() {
        refused.hint("ask for a role that allows it, or set --context to another user")
    } else if error.is_conflict() {
        refused.hint("another client changed the object: run the command again")
    } else if let sluice_client::Error::Unreachable { reason, .. } = error {
        refused.hint(if reason.contains("certificate") {
            "set --certificate-authority to the file of the cluster's CA certificate"
        } else {
            "check that the cluster runs, or set --context to another cluster"
        })
    } else if error.status().is_some_and(|status| status.code >= 500) {
        refused.hint("the API server is failing or busy: run the command again later")
    } else {
        refused
    }
}
