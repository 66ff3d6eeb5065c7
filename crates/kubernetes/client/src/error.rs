//! Errors of requests to an API server.
//!
//! A message has the verb, the object and the cause. The text of the server is kept whole, because
//! it names user, verb and resource after an RBAC denial. The host is named only if it was not
//! reached.

use kube::core::Status;

use crate::no_match::NoMatch;
use crate::segment::InvalidName;
use crate::typed;

/// A failed request.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The server does not serve this kind.
    #[error(transparent)]
    NoMatch(#[from] NoMatch),
    /// The server rejected the request.
    #[error("{action}: {}", status_message(status))]
    Api {
        /// Verb and object, such as `get Deployment apps/web`.
        action: String,
        /// The response of the server.
        status: Box<Status>,
    },
    /// The server did not respond.
    #[error("{action}: cannot reach the API server at {host}: {reason}")]
    Unreachable {
        /// Verb and object.
        action: String,
        /// `host:port`.
        host: String,
        /// The innermost cause.
        reason: String,
    },
    /// The response of the server cannot be decoded.
    #[error("{action}: unexpected answer from the API server: {reason}")]
    Answer {
        /// Verb and object.
        action: String,
        /// The reason.
        reason: String,
    },
    /// No object can have this name; nothing was sent.
    #[error("{action}: {invalid}")]
    InvalidName {
        /// Verb and object.
        action: String,
        /// The reason.
        invalid: InvalidName,
    },
    /// The request could not be built.
    #[error("{action}: {reason}")]
    Request {
        /// Verb and object.
        action: String,
        /// The reason.
        reason: String,
    },
}

impl Error {
    /// Converts an error of `kube`. `action` is the verb and the object.
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

    /// The response of the server, if there was one.
    pub fn status(&self) -> Option<&Status> {
        match self {
            Self::Api { status, .. } => Some(status),
            _ => None,
        }
    }

    /// The machine-readable reason of the server, such as `Conflict`; empty without a response.
    pub fn reason(&self) -> &str {
        self.status().map_or("", |status| status.reason.as_str())
    }

    /// The message without the action, for callers that name the object.
    pub fn message(&self) -> String {
        match self {
            Self::NoMatch(error) => error.to_string(),
            Self::Api { status, .. } => status_message(status),
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

    /// Whether the object does not exist. See [`Error::is_unserved`] for the path.
    pub fn is_not_found(&self) -> bool {
        self.has("NotFound", 404)
    }

    /// Whether the path is not served: a 404 without the name of an object. The kind, its version
    /// or its scope may be gone. Only discovery knows, and it may lag behind.
    pub fn is_unserved(&self) -> bool {
        self.status().is_some_and(|status| {
            status.code == 404
                && status
                    .details
                    .as_ref()
                    .is_none_or(|details| details.name.is_empty())
        })
    }

    /// Whether no object can have this name, like [`Error::is_not_found`] without a request.
    pub const fn is_invalid_name(&self) -> bool {
        matches!(self, Self::InvalidName { .. })
    }

    /// Whether the kind is not served.
    pub const fn has_no_match(&self) -> bool {
        matches!(self, Self::NoMatch(_))
    }

    /// Whether another writer changed the object first, or owns a field.
    pub fn is_conflict(&self) -> bool {
        self.has("Conflict", 409)
    }

    /// Whether an object of this name exists.
    pub fn is_already_exists(&self) -> bool {
        self.has("AlreadyExists", 409) && !self.has("Conflict", 0)
    }

    /// Whether the object violates its schema or a rule.
    pub fn is_invalid(&self) -> bool {
        self.has("Invalid", 422)
    }

    /// Whether RBAC or an admission plugin denied the request.
    pub fn is_forbidden(&self) -> bool {
        self.has("Forbidden", 403)
    }

    /// Whether the server rejected the credentials.
    pub fn is_unauthorized(&self) -> bool {
        self.has("Unauthorized", 401)
    }

    /// Whether the resource version is too old.
    pub fn is_expired(&self) -> bool {
        self.has("Expired", 410) || self.has("Gone", 410)
    }

    /// Whether a retry may succeed: no response, too busy, or a fault of the server.
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
pub fn status_message(status: &Status) -> String {
    /// The reason that `kube` sets for a response that is not from Kubernetes.
    const UNREADABLE: &str = "Failed to parse error data";
    if !status.message.is_empty() {
        return status.message.clone();
    }
    if status.reason.is_empty() || status.reason == UNREADABLE {
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
    fn server_message_is_kept_whole() {
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
    fn empty_message_falls_back_to_reason_or_code() {
        assert_eq!(
            api(Status::failure("", "").with_code(502)).message(),
            "the server answered 502"
        );
        assert!(api(Status::failure("", "").with_code(502)).is_transient());
    }

    #[test]
    fn unserved_path_is_not_a_missing_object() {
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
        // A custom server may name no object. Discovery is read again then, and if it still lists
        // the kind, the object is missing.
        let terse = api(Status::failure("not here", "NotFound").with_code(404));
        assert!(terse.is_unserved() && terse.is_not_found() && !terse.is_transient());
    }

    #[test]
    fn host_is_named_once() {
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
    fn conflict_differs_from_already_exists() {
        let exists = api(Status::failure("exists", "AlreadyExists").with_code(409));
        let conflict = api(Status::failure("conflict", "Conflict").with_code(409));
        assert!(exists.is_already_exists() && !exists.is_conflict());
        assert!(conflict.is_conflict() && !conflict.is_already_exists());
    }
}
