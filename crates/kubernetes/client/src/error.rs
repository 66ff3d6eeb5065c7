//! What can go wrong between us and an API server, in words for a person.
//!
//! A message says what was attempted, on what, and why it failed. The server's
//! own text is kept whole, since it names user, verb and resource when RBAC says
//! no. The host is named once, and only where it helps: when it was not reached.

use kube::core::Status;

use crate::discovery::NoMatch;
use crate::segment::InvalidName;
use crate::typed;

/// A failed request.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The server does not serve this kind.
    #[error(transparent)]
    NoMatch(#[from] NoMatch),
    /// The server said no.
    #[error("{action}: {}", said(status))]
    Api {
        /// Verb and object, such as `get Deployment apps/web`.
        action: String,
        /// The server's answer.
        status: Box<Status>,
    },
    /// The server gave no answer.
    #[error("{action}: cannot reach the API server at {host}: {reason}")]
    Unreachable {
        /// Verb and object.
        action: String,
        /// `host:port`.
        host: String,
        /// The innermost cause.
        reason: String,
    },
    /// The server gave an answer that makes no sense.
    #[error("{action}: unexpected answer from the API server: {reason}")]
    Answer {
        /// Verb and object.
        action: String,
        /// What was wrong with it.
        reason: String,
    },
    /// No object can have such a name; nothing was sent.
    #[error("{action}: {invalid}")]
    InvalidName {
        /// Verb and object.
        action: String,
        /// What was wrong with it.
        invalid: InvalidName,
    },
    /// The request could not even be written.
    #[error("{action}: {reason}")]
    Request {
        /// Verb and object.
        action: String,
        /// What was wrong with it.
        reason: String,
    },
}

impl Error {
    /// Puts a library error into words. `action` is the verb and the object.
    pub fn new(action: impl Into<String>, host: &str, error: kube::Error) -> Self {
        let action = action.into();
        match error {
            kube::Error::Api(status) => Self::Api { action, status },
            kube::Error::SerdeError(error) => Self::Answer {
                action,
                reason: error.to_string(),
            },
            kube::Error::FromUtf8(_) => Self::Answer {
                action,
                reason: "not text".to_owned(),
            },
            kube::Error::BuildRequest(error) => {
                let reason = std::error::Error::source(&error)
                    .map_or_else(|| error.to_string(), ToString::to_string);
                Self::Request { action, reason }
            }
            error => {
                if let Some(invalid) = typed::invalid_name(&error) {
                    let invalid = invalid.clone();
                    return Self::InvalidName { action, invalid };
                }
                let reason = transport_reason(&error);
                Self::Unreachable {
                    action,
                    host: host.to_owned(),
                    reason,
                }
            }
        }
    }

    /// The server's answer, when there was one.
    pub fn status(&self) -> Option<&Status> {
        match self {
            Self::Api { status, .. } => Some(status),
            _ => None,
        }
    }

    /// The server's machine-readable reason, such as `Conflict`; empty when there
    /// was no answer.
    pub fn reason(&self) -> &str {
        self.status().map_or("", |status| status.reason.as_str())
    }

    /// The message without the action, for callers that name the object
    /// themselves.
    pub fn message(&self) -> String {
        match self {
            Self::NoMatch(error) => error.to_string(),
            Self::Api { status, .. } => said(status),
            Self::Unreachable { host, reason, .. } => {
                format!("cannot reach the API server at {host}: {reason}")
            }
            Self::Answer { reason, .. } => {
                format!("unexpected answer from the API server: {reason}")
            }
            Self::InvalidName { invalid, .. } => invalid.to_string(),
            Self::Request { reason, .. } => reason.clone(),
        }
    }

    fn has(&self, reason: &str, code: u16) -> bool {
        self.status().is_some_and(|status| {
            status.reason == reason || (status.reason.is_empty() && status.code == code)
        })
    }

    /// The object is not there. See [`Error::is_unserved`] for a path that is not.
    pub fn is_not_found(&self) -> bool {
        self.has("NotFound", 404)
    }

    /// The server seems to know no such path, which is not the same as no such object:
    /// it answers a 404 that names nothing. The kind, its version or its scope may have
    /// gone; only discovery tells, and it may lag behind.
    pub fn is_unserved(&self) -> bool {
        self.status().is_some_and(|status| {
            status.code == 404
                && status
                    .details
                    .as_ref()
                    .is_none_or(|details| details.name.is_empty())
        })
    }

    /// No object can have such a name, so none is there: [`Error::is_not_found`] without asking.
    pub const fn is_invalid_name(&self) -> bool {
        matches!(self, Self::InvalidName { .. })
    }

    /// The kind is not served.
    pub const fn is_no_match(&self) -> bool {
        matches!(self, Self::NoMatch(_))
    }

    /// Someone else wrote first, or owns a field.
    pub fn is_conflict(&self) -> bool {
        self.has("Conflict", 409)
    }

    /// An object of that name exists.
    pub fn is_already_exists(&self) -> bool {
        self.has("AlreadyExists", 409) && !self.has("Conflict", 0)
    }

    /// The object breaks its schema or a rule.
    pub fn is_invalid(&self) -> bool {
        self.has("Invalid", 422)
    }

    /// RBAC, or an admission plugin, says no.
    pub fn is_forbidden(&self) -> bool {
        self.has("Forbidden", 403)
    }

    /// The server does not know who we are.
    pub fn is_unauthorized(&self) -> bool {
        self.has("Unauthorized", 401)
    }

    /// The resource version is too old: list again.
    pub fn is_expired(&self) -> bool {
        self.has("Expired", 410) || self.has("Gone", 410)
    }

    /// Asking again later may work: no answer, too busy, or a fault of the server.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable { .. } => true,
            Self::Api { status, .. } => {
                status.code == 429
                    || status.code >= 500
                    || (self.is_unserved() && !self.is_not_found())
                    || matches!(
                        status.reason.as_str(),
                        "TooManyRequests"
                            | "ServerTimeout"
                            | "Timeout"
                            | "ServiceUnavailable"
                            | "InternalError"
                    )
            }
            _ => false,
        }
    }
}

/// The server's text; when it has none, its reason or code.
pub fn said(status: &Status) -> String {
    /// What `kube` puts there for an answer that is none of Kubernetes'.
    const UNREAD: &str = "Failed to parse error data";
    if !status.message.is_empty() {
        return status.message.clone();
    }
    if status.reason.is_empty() || status.reason == UNREAD {
        format!("the server answered {}", status.code)
    } else {
        status.reason.clone()
    }
}

/// The innermost cause of a failure to get an answer, which is the one that a
/// person can act on: `Connection refused`, `invalid peer certificate: …`.
pub fn transport_reason(error: &(dyn std::error::Error + 'static)) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn api(status: Status) -> Error {
        Error::new(
            "get Deployment apps/web",
            "10.0.0.1:6443",
            kube::Error::Api(Box::new(status)),
        )
    }

    #[test]
    fn the_server_s_words_are_kept_whole() {
        let text = "deployments.apps \"web\" is forbidden: User \"dev\" cannot get resource \"deployments\" in API group \"apps\" in the namespace \"apps\"";
        let error = api(Status::failure(text, "Forbidden").with_code(403));
        assert_eq!(
            error.to_string(),
            format!("get Deployment apps/web: {text}")
        );
        assert_eq!(error.message(), text);
        assert!(error.is_forbidden() && !error.is_not_found() && !error.is_transient());
    }

    #[test]
    fn an_answer_without_a_message_still_says_something() {
        assert_eq!(
            api(Status::failure("", "").with_code(502)).message(),
            "the server answered 502"
        );
        assert!(api(Status::failure("", "").with_code(502)).is_transient());
    }

    #[test]
    fn a_path_that_is_not_served_is_no_missing_object() {
        let object: Status = serde_json::from_value(serde_json::json!({
            "status": "Failure", "reason": "NotFound", "code": 404,
            "message": "deployments.apps \"web\" not found",
            "details": {"name": "web", "group": "apps", "kind": "deployments"},
        }))
        .unwrap();
        let missing = api(object);
        assert!(missing.is_not_found() && !missing.is_unserved() && !missing.is_transient());
        let unserved =
            api(Status::failure("404 page not found", "Failed to parse error data").with_code(404));
        assert!(unserved.is_unserved() && !unserved.is_not_found());
        assert!(unserved.is_transient(), "discovery may lag behind");
        // A server of somebody's own may name nothing: worth another look at discovery, and
        // if that still lists the kind, the object is what is missing.
        let terse = api(Status::failure("not here", "NotFound").with_code(404));
        assert!(terse.is_unserved() && terse.is_not_found() && !terse.is_transient());
    }

    #[test]
    fn the_host_is_named_once() {
        let io = std::io::Error::new(std::io::ErrorKind::ConnectionRefused, "Connection refused");
        let error = Error::new(
            "list Pod",
            "10.0.0.1:6443",
            kube::Error::Service(Box::new(io)),
        );
        let text = error.to_string();
        assert_eq!(
            text,
            "list Pod: cannot reach the API server at 10.0.0.1:6443: Connection refused"
        );
        assert!(error.is_transient());
    }

    #[test]
    fn conflict_and_already_exists_are_told_apart() {
        let exists = api(Status::failure("exists", "AlreadyExists").with_code(409));
        let conflict = api(Status::failure("conflict", "Conflict").with_code(409));
        assert!(exists.is_already_exists() && !exists.is_conflict());
        assert!(conflict.is_conflict() && !conflict.is_already_exists());
    }
}
