//! Requests to token services.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, StatusCode};
use sluice_dial::retry::{Attempt, is_transient, is_transient_failure, retry_after};
use sluice_dial::{
    Dial, DialError, HttpClients, Redirects, Retry, Sensitive, explain, printable_within, read_body,
};

use crate::error::IdentityError;

/// Timeout of each request, except to the metadata service of a machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of a response in bytes.
const MAX_ANSWER: usize = 1 << 20;
/// Maximum length of a server's message.
const MAX_DETAIL: usize = 256;
/// Start of every JSON Web Token.
const JWT_START: &str = "eyJ";
/// Answers of a metadata service before it knows the identity of its machine.
const LATE: [StatusCode; 2] = [StatusCode::NOT_FOUND, StatusCode::GONE];
/// Retries of requests to remote services.
pub(crate) const RETRY: Retry = Retry {
    retries: 2,
    wait_min: Duration::from_millis(200),
    wait_max: Duration::from_secs(2),
};

/// The HTTP clients for token services.
#[derive(Debug, Clone, Copy)]
pub struct Transport<'a> {
    /// The clients of the process.
    pub clients: &'a HttpClients,
    /// Proxy and certificates for remote services.
    pub dial: &'a Dial,
}

impl Transport<'_> {
    /// Returns the client for remote services. A redirect would carry a token elsewhere.
    pub(crate) fn remote(&self) -> Result<sluice_dial::Client, DialError> {
        self.clients.get(&Dial {
            redirects: Redirects::Refuse,
            ..self.dial.clone()
        })
    }

    /// Returns the client for endpoints of this machine. A proxy would see the credentials.
    pub(crate) fn local(&self) -> Result<sluice_dial::Client, DialError> {
        self.clients.get(&Dial {
            direct: true,
            redirects: Redirects::Refuse,
            ..Dial::default()
        })
    }
}

/// A description of a request, for its errors.
#[derive(Clone, Copy)]
pub(crate) struct Purpose<'a> {
    /// The action.
    pub(crate) action: &'a str,
    /// The words before the status of an error response.
    pub(crate) verdict: &'static str,
    /// Extracts the message of an error response.
    pub(crate) detail: fn(&str) -> Option<String>,
    /// Texts that a server may repeat.
    pub(crate) secrets: &'a [&'a str],
    /// Whether the service is local to the machine: it is absent, or starts late.
    pub(crate) is_local: bool,
    /// A header that the response must have.
    pub(crate) required_header: Option<(&'static str, &'static str)>,
}

impl<'a> Purpose<'a> {
    /// Creates a description.
    pub(crate) fn new(action: &'a str, detail: fn(&str) -> Option<String>) -> Self {
        Self {
            action,
            verdict: "the answer is",
            detail,
            secrets: &[],
            is_local: false,
            required_header: None,
        }
    }

    /// The response is invalid.
    pub(crate) fn fault(&self, fault: &'static str) -> IdentityError {
        IdentityError::Answer {
            action: self.action.to_owned(),
            fault,
            detail: None,
        }
    }

    fn refused(
        &self,
        status: StatusCode,
        server_time: Option<SystemTime>,
        body: &str,
    ) -> IdentityError {
        IdentityError::Refused {
            action: self.action.to_owned(),
            verdict: self.verdict,
            status,
            detail: (self.detail)(body).map(|text| redact(&text, self.secrets)),
            server_time,
        }
    }

    fn network(&self, reason: String) -> IdentityError {
        IdentityError::Network {
            action: self.action.to_owned(),
            reason,
        }
    }
}

/// Sends a request and returns the body of a successful response.
pub(crate) async fn answer(
    request: sluice_dial::RequestBuilder,
    purpose: &Purpose<'_>,
    retry: Retry,
) -> Result<Sensitive<String>, IdentityError> {
    retry
        .run(async |_| {
            let Some(request) = request.try_clone() else {
                return Attempt::Failed(purpose.network("the body cannot be sent".to_owned()));
            };
            let response = match request.send().await {
                Ok(response) => response,
                Err(error) => {
                    let failure = purpose.network(explain(&error));
                    return if is_transient_failure(&error) && !purpose.is_local {
                        Attempt::Again {
                            error: failure,
                            after: None,
                        }
                    } else {
                        Attempt::Failed(failure)
                    };
                }
            };
            let status = response.status();
            if let Some((name, value)) = purpose.required_header
                && response
                    .headers()
                    .get(name)
                    .is_none_or(|found| found != value)
            {
                return Attempt::Failed(purpose.fault("the answer is of another service"));
            }
            let after = retry_after(response.headers());
            let server_time = server_time(response.headers());
            let body = match read_body(response, MAX_ANSWER).await {
                Ok(body) => Sensitive::new(String::from_utf8_lossy(&body).into_owned()),
                Err(error) => return Attempt::Failed(purpose.network(error.to_string())),
            };
            if status.is_success() {
                return Attempt::Done(body);
            }
            let error = purpose.refused(status, server_time, body.expose());
            let is_late = purpose.is_local && LATE.contains(&status);
            if is_transient(status) || is_late {
                Attempt::Again { error, after }
            } else {
                Attempt::Failed(error)
            }
        })
        .await
}

/// Returns the time in the headers of a response.
fn server_time(headers: &HeaderMap) -> Option<SystemTime> {
    let date = headers.get(http::header::DATE)?.to_str().ok()?;
    let date = jiff::fmt::rfc2822::parse(date).ok()?;
    Some(date.timestamp().into())
}

/// Returns a server's message without secrets, tokens and queries, and with limited length.
pub fn redact(text: &str, secrets: &[&str]) -> String {
    let mut text = text.to_owned();
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        text = text.replace(secret, "[redacted]");
    }
    let words: Vec<String> = text.split(' ').map(redact_word).collect();
    printable_within(&words.join(" "), MAX_DETAIL)
}

fn redact_word(word: &str) -> String {
    if let Some((before, _)) = word.split_once(JWT_START) {
        return format!("{before}[redacted]");
    }
    match word.split_once('?') {
        Some((before, _)) if before.contains("://") => before.to_owned(),
        _ => word.to_owned(),
    }
}

/// Encodes a form.
pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields);
    form.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_message_loses_tokens_and_queries() {
        for (text, expected) in [
            (
                "bad token eyJhbGciOi.e30.x here",
                "bad token [redacted] here",
            ),
            (
                "at https://a.b/c?sig=canary failed",
                "at https://a.b/c failed",
            ),
            ("why? because", "why? because"),
            ("you sent canary-1\n", "you sent [redacted]"),
        ] {
            assert_eq!(redact(text, &["canary-1", ""]), expected);
        }
        assert_eq!(redact(&"a".repeat(1000), &[]).len(), MAX_DETAIL);
    }

    #[tokio::test]
    async fn outage_is_retried_and_a_redirect_is_not_followed() {
        use crate::fake::{Fake, status};

        let other = Fake::start(&[]).await;
        let away: &'static str = other.url("/away").leak();
        let fake = Fake::start(&[
            ("GET /busy", status(503, "{}")),
            ("GET /refused", status(400, "{}")),
            ("GET /away", status(307, "").with("location", away)),
            ("GET /large", crate::fake::ok("a".repeat(MAX_ANSWER + 1))),
        ])
        .await;
        let clients = HttpClients::new("test");
        let dial = Dial::default();
        let transport = Transport {
            clients: &clients,
            dial: &dial,
        };
        let retry = Retry {
            wait_min: Duration::from_millis(1),
            ..RETRY
        };
        for (path, count, expected) in [
            ("/busy", 3, "ask: the answer is 503 Service Unavailable"),
            ("/refused", 1, "ask: the answer is 400 Bad Request"),
            ("/away", 1, "ask: the answer is 307 Temporary Redirect"),
            ("/large", 1, "ask: the answer is larger than 1048576 bytes"),
        ] {
            let request = transport
                .remote()
                .unwrap()
                .get(fake.url(path))
                .header("authorization", "Bearer canary");
            let purpose = Purpose::new("ask", |_| None);
            let error = answer(request, &purpose, retry).await.unwrap_err();
            assert_eq!(error.to_string(), expected);
            assert_eq!(fake.requests().len(), count, "{path}");
        }
        // A local service may start late, or be absent.
        let local = Fake::start(&[("GET /late", status(404, "{}"))]).await;
        let purpose = Purpose {
            is_local: true,
            ..Purpose::new("ask", |_| None)
        };
        let client = transport.local().unwrap();
        let late = client.get(local.url("/late"));
        assert!(answer(late, &purpose, retry).await.is_err());
        assert_eq!(local.requests().len(), 3);
        assert!(other.requests().is_empty());
    }
}
