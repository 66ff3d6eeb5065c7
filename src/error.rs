//! Defines the error of a command, which is rendered in one place.
//!
//! The error has the failed action and its object, the cause, and hints for the next step.
//! [`CommandError::report`] prints Flux's `✗ message` line, then details and `hint:` lines, and
//! returns the exit code. `From` impls map every library error.

use std::fmt::Write as _;
use std::process::ExitCode;

use crate::terminal;
use sluice_golang::error::chain;

/// Cause of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The invocation or its input: flags, names, files.
    User,
    /// The cluster or a remote: unreachable, denied, not ready.
    Cluster,
    /// The reader closed the pipe, so the command ends without a message.
    BrokenPipe,
    /// A bug of this program.
    Internal,
}

/// A failed command: its kind, message and hints.
#[derive(Debug)]
pub struct CommandError {
    /// Cause of the failure.
    pub kind: Kind,
    message: String,
    details: Vec<String>,
    hints: Vec<String>,
    code: u8,
}

impl CommandError {
    fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            details: Vec::new(),
            hints: Vec::new(),
            code: 1,
        }
    }

    /// Creates an error of the user.
    pub fn user(message: impl Into<String>) -> Self {
        Self::new(Kind::User, message)
    }

    /// Creates an error of the cluster.
    pub fn cluster(message: impl Into<String>) -> Self {
        Self::new(Kind::Cluster, message)
    }

    /// Creates an error of this program.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(Kind::Internal, message)
    }

    /// Creates the error of a missing flag. The hint names the flag if the message does not.
    pub fn missing_flag(message: impl Into<String>, flag: &str) -> Self {
        let error = Self::user(message);
        if error.message.contains(flag) {
            error
        } else {
            error.hint(format!("set {flag}"))
        }
    }

    /// Creates the error of a missing name.
    pub fn missing_name(message: impl Into<String>) -> Self {
        Self::user(message).hint("add the name as an argument")
    }

    /// Creates the error of a command that takes one name and was given another number of names.
    pub fn argument_count(received: usize) -> Self {
        Self::user(format!("accepts 1 arg(s), received {received}")).hint(if received == 0 {
            "add the name as an argument"
        } else {
            "name one object"
        })
    }

    /// Creates the error of a missing object, with the text of the API server. The resource is the
    /// plural name with its group.
    pub fn not_found(resource: &str, namespace: &str, name: &str) -> Self {
        Self::user(format!("{resource} \"{name}\" not found")).hint(searched(namespace))
    }

    /// Adds detail lines below the message.
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

    /// Adds the hint for an error of kustomize, if there is one.
    #[must_use]
    pub fn hint_after(self, code: sluice_kustomize::Code) -> Self {
        match sluice_preview::next_step(code) {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    /// Sets the exit code, for commands whose codes have a meaning.
    #[must_use]
    pub fn code(mut self, code: u8) -> Self {
        self.code = code;
        self
    }

    /// Prefixes the message with the failed action: `context: message`.
    #[must_use]
    pub fn while_doing(mut self, context: impl std::fmt::Display) -> Self {
        self.message = format!("{context}: {}", self.message);
        self
    }

    /// Returns the message without details and hints.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Prints the error to stderr and returns the exit code of the process.
    #[must_use]
    pub fn report(&self) -> ExitCode {
        if self.kind == Kind::BrokenPipe {
            return ExitCode::SUCCESS;
        }
        terminal::stderr(&self.text());
        ExitCode::from(self.code)
    }

    /// Returns the printed text: message, details and hints.
    pub fn text(&self) -> String {
        let mut text = format!("✗ {}\n", terminal::plain(&self.message));
        for line in self.details.iter().flat_map(|detail| detail.lines()) {
            let _ = writeln!(text, "  {}", terminal::plain(line));
        }
        for hint in &self.hints {
            let _ = writeln!(text, "  hint: {}", terminal::plain(hint));
        }
        text
    }
}

/// Returns the hint below the error of a missing object.
pub fn searched(namespace: &str) -> String {
    format!("searched namespace {namespace}; set another with --namespace")
}

impl From<sluice_client::Error> for CommandError {
    fn from(error: sluice_client::Error) -> Self {
        sluice_lifecycle::Error::from(error).into()
    }
}

impl From<sluice_insight::Error> for CommandError {
    fn from(error: sluice_insight::Error) -> Self {
        use sluice_insight::Error;
        match error {
            Error::Client(error) => error.into(),
            Error::NotFound {
                resource,
                namespace,
                name,
            } => Self::not_found(&resource, &namespace, &name),
            error @ Error::Untraceable(_) => Self::user(error.to_string()),
            error @ Error::Malformed(_) => Self::cluster(error.to_string()),
            Error::Context { context, source } => Self::from(*source).while_doing(context),
        }
    }
}

impl From<sluice_lifecycle::Error> for CommandError {
    fn from(error: sluice_lifecycle::Error) -> Self {
        let kind = match error.kind {
            sluice_lifecycle::ErrorKind::User => Kind::User,
            sluice_lifecycle::ErrorKind::Cluster => Kind::Cluster,
            sluice_lifecycle::ErrorKind::Internal => Kind::Internal,
        };
        Self {
            kind,
            message: error.message,
            details: error.details,
            hints: error.hints,
            code: 1,
        }
    }
}

impl From<CommandError> for sluice_lifecycle::Error {
    fn from(error: CommandError) -> Self {
        let kind = match error.kind {
            Kind::User | Kind::BrokenPipe => sluice_lifecycle::ErrorKind::User,
            Kind::Cluster => sluice_lifecycle::ErrorKind::Cluster,
            Kind::Internal => sluice_lifecycle::ErrorKind::Internal,
        };
        Self {
            kind,
            message: error.message,
            details: error.details,
            hints: error.hints,
        }
    }
}

impl From<sluice_object::sort::Unsortable> for CommandError {
    fn from(error: sluice_object::sort::Unsortable) -> Self {
        Self::user(error.to_string())
    }
}

impl From<sluice_oci::Error> for CommandError {
    fn from(error: sluice_oci::Error) -> Self {
        sluice_preview::charts::registry::refusal(&error).into()
    }
}

impl From<std::io::Error> for CommandError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::new(Kind::BrokenPipe, "broken pipe"),
            _ => Self::user(chain(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn context_comes_before_the_message() {
        let error = CommandError::user("no such file").while_doing("read a.yaml");
        assert_eq!(error.message(), "read a.yaml: no such file");
    }
}
