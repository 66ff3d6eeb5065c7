//! Describes requests to providers as data.
//!
//! A sender needs only a [`Request`]. Most messages are one [`HttpRequest`]. A commit status or
//! comment first needs a lookup, so it also has the rule that reads the response.

use std::fmt;

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde::Serialize;
use sluice_dial::{Basic, Sensitive};
use url::Url;

pub mod comment;
pub mod status;

pub use comment::Comment;
pub use status::CommitStatus;

use crate::error::Error;
use crate::json;

/// Maximum part of a response that an error quotes.
pub const MAX_ANSWER_BYTES: usize = 4096;

/// Media type of most bodies.
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// One step of a delivery.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// A single request that delivers the message.
    Http(HttpRequest),
    /// A commit status, skipped if the newest status is the same.
    CommitStatus(Box<CommitStatus>),
    /// A comment on a pull request, which replaces an earlier one of this Provider.
    Comment(Box<Comment>),
    /// A message to a NATS subject.
    Nats(NatsMessage),
    /// A message to an Azure event hub.
    EventHub(EventHubMessage),
}

impl From<HttpRequest> for Request {
    fn from(request: HttpRequest) -> Self {
        Self::Http(request)
    }
}

/// An HTTP request. Debug output shows the host, without path, header values and body.
#[derive(Clone, PartialEq)]
pub struct HttpRequest {
    /// Method.
    pub method: Method,
    /// Address. Path and query of many services are secrets.
    pub url: Url,
    /// Headers. Credentials are marked sensitive.
    pub headers: HeaderMap,
    /// Body.
    pub body: Vec<u8>,
    /// Credentials to get before the request.
    pub identity: Option<Identity>,
    /// Success rule for the response.
    pub success: Success,
}

/// Credentials that need their own request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// An installation token of the GitHub App in the Secret, as a bearer token.
    GithubApp,
    /// A token of the workload identity for an Azure scope, as the password of an empty user.
    AzureDevOps,
    /// A token of the workload identity, or of the given service account key, for Google Cloud.
    Google {
        /// Service account key in JSON.
        key: Option<Sensitive<Vec<u8>>>,
    },
}

/// Success rule for a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Success {
    /// Any status from 200 to 299.
    Status,
    /// The field `ok` of the body, because Slack's API reports failures with status 200.
    SlackField,
}

/// Error of a service's response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResponseError {
    /// The status is not a success.
    #[error("request failed with status code {status}: {body}")]
    Status {
        /// Status code.
        status: u16,
        /// Start of the response.
        body: String,
    },
    /// The response is malformed.
    #[error("unable to unmarshal response body: {0}")]
    Unreadable(String),
    /// Slack reports an error.
    #[error("Slack responded with error: {0}")]
    Slack(String),
}

impl HttpRequest {
    /// Creates a request with an empty body.
    pub fn new(method: Method, url: Url) -> Self {
        Self {
            method,
            url,
            headers: HeaderMap::new(),
            body: Vec::new(),
            identity: None,
            success: Success::Status,
        }
    }

    /// Creates a request that reads.
    pub fn get(url: Url) -> Self {
        Self::new(Method::GET, url)
    }

    /// Creates a request that sends JSON.
    pub fn post<T: Serialize + ?Sized>(url: Url, payload: &T) -> Self {
        Self::send(Method::POST, url, payload)
    }

    /// Creates a request with a method that sends JSON.
    pub fn send<T: Serialize + ?Sized>(method: Method, url: Url, payload: &T) -> Self {
        Self::new(method, url).with_body(JSON, json::to_vec(payload))
    }

    /// Sets the body and its media type.
    #[must_use]
    pub fn with_body(mut self, media_type: HeaderValue, body: Vec<u8>) -> Self {
        self.headers.insert(CONTENT_TYPE, media_type);
        self.body = body;
        self
    }

    /// Sets a header that is not a secret.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &'static str) -> Self {
        let name = HeaderName::from_static(name);
        self.headers.insert(name, HeaderValue::from_static(value));
        self
    }

    /// Sets `Authorization`.
    #[must_use]
    pub fn with_authorization(mut self, value: HeaderValue) -> Self {
        self.headers.insert(AUTHORIZATION, value);
        self
    }

    /// Sets `Authorization` to a user name with its password.
    #[must_use]
    pub fn with_basic(self, basic: &Basic) -> Self {
        self.with_authorization(basic.header())
    }

    /// Sets credentials to get before the request.
    #[must_use]
    pub fn with_identity(mut self, identity: Identity) -> Self {
        self.identity = Some(identity);
        self
    }

    /// Checks from the response whether the message was delivered.
    pub fn judge(&self, status: u16, body: &[u8]) -> Result<(), ResponseError> {
        check_status(status, body)?;
        if self.success == Success::Status {
            return Ok(());
        }
        let answer: serde_json::Value = serde_json::from_slice(body)
            .map_err(|error| ResponseError::Unreadable(error.to_string()))?;
        if answer["ok"] == true {
            Ok(())
        } else {
            let reason = answer["error"].as_str().unwrap_or_default();
            Err(ResponseError::Slack(start_of(reason.as_bytes())))
        }
    }
}

/// Returns an error unless the status is a success.
pub(crate) fn check_status(status: u16, body: &[u8]) -> Result<(), ResponseError> {
    match status {
        200..300 => Ok(()),
        _ => Err(ResponseError::Status {
            status,
            body: start_of(body),
        }),
    }
}

/// Returns the start of a response as text without control characters.
fn start_of(body: &[u8]) -> String {
    let start = &body[..body.len().min(MAX_ANSWER_BYTES)];
    let text = String::from_utf8_lossy(start);
    let plain = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect::<String>();
    plain.trim().to_owned()
}

impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.keys().map(HeaderName::as_str).collect();
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("host", &self.url.host_str().unwrap_or_default())
            .field("headers", &names)
            .field("body_bytes", &self.body.len())
            .field("identity", &self.identity)
            .finish_non_exhaustive()
    }
}

/// Returns a header value that is marked sensitive. The error names the value by `what`.
pub fn secret_header(what: &str, value: &[u8]) -> Result<HeaderValue, Error> {
    let mut value = HeaderValue::from_bytes(value).map_err(|_| Error::Unsendable {
        what: what.to_owned(),
    })?;
    value.set_sensitive(true);
    Ok(value)
}

/// Characters that Go's `url.QueryEscape` keeps.
const PLAIN: percent_encoding::AsciiSet = percent_encoding::NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b' ');

/// Returns pairs in the form of a query, escaped as in Go.
pub fn form(pairs: &[(&str, &str)]) -> String {
    let escape = |text: &str| {
        let escaped = percent_encoding::utf8_percent_encode(text, &PLAIN).to_string();
        escaped.replace(' ', "+")
    };
    let pairs = pairs.iter();
    let pairs = pairs.map(|(key, value)| format!("{}={}", escape(key), escape(value)));
    pairs.collect::<Vec<_>>().join("&")
}

/// A message to a NATS server.
#[derive(Clone, PartialEq, Eq)]
pub struct NatsMessage {
    /// Address of the server.
    pub server: String,
    /// Subject.
    pub subject: String,
    /// Credentials.
    pub credentials: NatsCredentials,
    /// Name of the connection.
    pub connection: &'static str,
    /// Message.
    pub body: Vec<u8>,
}

/// Authentication at a NATS server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NatsCredentials {
    /// No authentication.
    Anonymous,
    /// The content of a `.creds` file: a JWT with its key.
    File(Sensitive<Vec<u8>>),
    /// The seed of a key.
    Seed(Sensitive<Vec<u8>>),
    /// User name and password.
    Basic(Basic),
}

impl fmt::Debug for NatsMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NatsMessage")
            .field("subject", &self.subject)
            .field("credentials", &self.credentials)
            .field("body_bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

/// A message to an Azure event hub.
#[derive(Clone, PartialEq, Eq)]
pub struct EventHubMessage {
    /// Hub and credentials.
    pub hub: EventHub,
    /// Message.
    pub body: Vec<u8>,
}

/// An Azure event hub with its credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventHub {
    /// A connection string with a shared access key.
    Connection(Sensitive<String>),
    /// A hub of a namespace.
    Named {
        /// Namespace: a full host name, or the first label of one.
        namespace: String,
        /// Hub.
        hub: String,
        /// Token, or `None` for the workload identity.
        token: Option<Sensitive<String>>,
    },
}

impl EventHub {
    /// Returns the host of a namespace in the cloud of an authority host.
    pub fn host(namespace: &str, authority_host: &str) -> String {
        if namespace.contains(".servicebus.") {
            return namespace.to_owned();
        }
        let cloud = match authority_host {
            host if host.contains("chinacloudapi.cn") => "chinacloudapi.cn",
            host if host.contains("microsoftonline.us") => "usgovcloudapi.net",
            _ => "windows.net",
        };
        format!("{namespace}.servicebus.{cloud}")
    }
}

impl fmt::Debug for EventHubMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventHubMessage")
            .field("hub", &self.hub)
            .field("body_bytes", &self.body.len())
            .finish()
    }
}

#[cfg(test)]
mod tests;
