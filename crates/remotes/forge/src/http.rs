//! HTTP client for all hosts, with retries, redirects within the host, pages and errors.
//!
//! The token is only in `Authorization`, and is removed from texts of a host.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sluice_dial::retry::{Attempt, is_transient_failure, retry_after};
use sluice_dial::{Dial, HttpClients, Redirects, Retry, Sensitive, explain, read_body};
use url::Url;

use crate::error::{self, Error, ErrorKind, Need, Result};
use crate::{Host, Kind};

/// Maximum size of a response.
const LIMIT: usize = 4 << 20;
/// Maximum number of pages of a list.
pub(crate) const MAX_PAGES: usize = 100;
/// Maximum number of redirects of a request.
const MAX_HOPS: usize = 5;
/// Timeout of a request.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Connection options of a host with the token.
#[derive(Debug)]
pub struct Connection<'a> {
    /// Host.
    pub host: Host,
    /// Token.
    pub token: Sensitive<String>,
    /// HTTP clients.
    pub http: &'a HttpClients,
    /// TLS and proxy options. This module checks redirects.
    pub dial: Dial,
    /// Retry policy.
    pub retry: Retry,
}

impl Connection<'_> {
    /// Four retries, 1 s to 30 s apart.
    pub const DEFAULT_RETRY: Retry = Retry {
        retries: 4,
        wait_min: Duration::from_secs(1),
        wait_max: Duration::from_secs(30),
    };
}

/// The API of a host.
#[derive(Debug)]
pub(crate) struct Api {
    pub(crate) kind: Kind,
    client: sluice_dial::Client,
    base: Url,
    headers: HeaderMap,
    token: Sensitive<String>,
    retry: Retry,
}

/// A request and its purpose.
pub(crate) struct Call {
    method: Method,
    path: Vec<String>,
    query: Vec<(&'static str, String)>,
    body: Option<Value>,
    accept: Option<&'static str>,
    /// Whether the path is beside the API instead of below it.
    is_beside: bool,
    doing: String,
    need: Need,
}

impl Call {
    pub(crate) fn new(method: Method, path: &[&str], need: Need, doing: impl Into<String>) -> Self {
        Self {
            method,
            path: path.iter().map(|&part| part.to_owned()).collect(),
            query: Vec::new(),
            body: None,
            accept: None,
            is_beside: false,
            doing: doing.into(),
            need,
        }
    }

    pub(crate) fn get(path: &[&str], need: Need, doing: impl Into<String>) -> Self {
        Self::new(Method::GET, path, need, doing)
    }

    pub(crate) fn query(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.query.push((name, value.into()));
        self
    }

    pub(crate) fn body(mut self, body: Value) -> Self {
        self.body = Some(body);
        self
    }

    /// Replaces the last part of the API's path instead of extending it.
    pub(crate) fn beside(mut self) -> Self {
        self.is_beside = true;
        self
    }

    pub(crate) fn accept(mut self, media: &'static str) -> Self {
        self.accept = Some(media);
        self
    }
}

/// A successful response.
#[derive(Debug)]
pub(crate) struct ApiResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Api {
    /// Creates the API client. `scheme` is the scheme of `Authorization`.
    pub(crate) fn new(
        kind: Kind,
        connection: &Connection<'_>,
        scheme: &str,
        further: &[(HeaderName, &'static str)],
    ) -> Result<Self> {
        let attempted = format!("connect to {}", connection.host);
        let value = Sensitive::new(format!("{scheme} {}", connection.token.expose()));
        let mut authorization = HeaderValue::from_str(value.expose()).map_err(|_| {
            let reason = "the token has characters in it that no token has";
            Error::new(ErrorKind::Refused, attempted.as_str(), reason)
        })?;
        authorization.set_sensitive(true);
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, authorization);
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        for (name, value) in further {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let mut dial = connection.dial.clone();
        dial.redirects = Redirects::Refuse;
        let client = connection.http.get(&dial).map_err(|error| {
            Error::new(ErrorKind::Refused, attempted.as_str(), error.to_string())
        })?;
        Ok(Self {
            kind,
            client,
            base: connection.host.api(kind),
            headers,
            token: connection.token.clone(),
            retry: connection.retry,
        })
    }

    /// Sends a request with retries. Any status except success is an error.
    pub(crate) async fn send(&self, call: &Call) -> Result<ApiResponse> {
        let sent = self.retry.run(|_| self.attempt(call)).await;
        sent.map_err(|error| self.redacted(error))
    }

    /// As above, but a missing object is `None`.
    pub(crate) async fn send_optional(&self, call: &Call) -> Result<Option<ApiResponse>> {
        match self.send(call).await {
            Ok(answer) => Ok(Some(answer)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Sends a request and parses the response.
    pub(crate) async fn json<T: DeserializeOwned>(&self, call: &Call) -> Result<T> {
        let answer = self.send(call).await?;
        read(call, &answer.body)
    }

    /// As above, but a missing object is `None`.
    pub(crate) async fn json_optional<T: DeserializeOwned>(
        &self,
        call: &Call,
    ) -> Result<Option<T>> {
        let Some(answer) = self.send_optional(call).await? else {
            return Ok(None);
        };
        read(call, &answer.body).map(Some)
    }

    /// Returns every page of a list. The response only says whether a next page exists; its
    /// address is computed here.
    pub(crate) async fn list<T: DeserializeOwned>(
        &self,
        call: impl Fn() -> Call,
        size: (&'static str, usize),
    ) -> Result<Vec<T>> {
        let mut found: Vec<T> = Vec::new();
        for page in 1..=MAX_PAGES {
            let call = call()
                .query(size.0, size.1.to_string())
                .query("page", page.to_string());
            let answer = self.send(&call).await?;
            let more: Vec<T> = read(&call, &answer.body)?;
            let (here, before) = (more.len(), found.len());
            found.extend(more);
            if here == 0 || !has_next(&answer.headers, here, before + here, size.1) {
                return Ok(found);
            }
        }
        Err(Error::new(
            ErrorKind::Unexpected,
            call().doing,
            "the list does not end",
        ))
    }

    async fn attempt(&self, call: &Call) -> Attempt<ApiResponse, Error> {
        let mut url = self.base.clone();
        {
            let mut path = url.path_segments_mut().expect("the base has a host");
            path.pop_if_empty();
            if call.is_beside {
                path.pop();
            }
            path.extend(&call.path);
        }
        if !call.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&call.query);
        }
        for _ in 0..=MAX_HOPS {
            let mut headers = self.headers.clone();
            if let Some(media) = call.accept {
                headers.insert(header::ACCEPT, HeaderValue::from_static(media));
            }
            let mut request = self
                .client
                .request(call.method.clone(), url.clone())
                .headers(headers)
                .timeout(TIMEOUT);
            if let Some(body) = &call.body {
                request = request.json(body);
            }
            let response = match request.send().await {
                Ok(response) => response,
                Err(error) => return self.unanswered(call, &error),
            };
            let (status, headers) = (response.status(), response.headers().clone());
            if status.is_redirection() {
                match self.redirect(call, &url, status, &headers) {
                    Ok(next) => {
                        url = next;
                        continue;
                    }
                    Err(error) => return Attempt::Failed(error),
                }
            }
            let body = match read_body(response, LIMIT).await {
                Ok(body) => body,
                Err(error) => {
                    let error = self.error(call, ErrorKind::Unexpected, error.to_string());
                    return Attempt::Failed(error);
                }
            };
            if status.is_success() {
                return Attempt::Done(ApiResponse {
                    status,
                    headers,
                    body,
                });
            }
            let (kind, need) = (self.kind, call.need);
            let error = error::refused(kind, need, &call.doing, status, &headers, &body);
            return match again(&call.method, status, &headers, self.retry.wait_max) {
                Some(Wait { asked }) => Attempt::Again {
                    error,
                    after: asked,
                },
                None => Attempt::Failed(error),
            };
        }
        Attempt::Failed(self.error(call, ErrorKind::Unexpected, "too many redirects".into()))
    }

    fn unanswered(&self, call: &Call, error: &sluice_dial::Error) -> Attempt<ApiResponse, Error> {
        let reason = explain(error);
        if !is_transient_failure(error) {
            let is_certificate = reason.contains("certificate");
            let kind = if is_certificate {
                ErrorKind::Certificate
            } else {
                ErrorKind::Unreachable
            };
            return Attempt::Failed(self.error(call, kind, reason));
        }
        let error_of = self.error(call, ErrorKind::Unreachable, reason);
        // Without a connection nothing was sent, so a retry cannot repeat a write.
        if call.method != Method::POST || error.is_connect() {
            Attempt::Again {
                error: error_of,
                after: None,
            }
        } else {
            Attempt::Failed(error_of)
        }
    }

    /// Returns the target of a redirect if the request may follow it.
    fn redirect(
        &self,
        call: &Call,
        from: &Url,
        status: StatusCode,
        headers: &HeaderMap,
    ) -> Result<Url> {
        let location = headers.get(header::LOCATION);
        let location = location.and_then(|location| location.to_str().ok());
        let next = location.and_then(|location| from.join(location).ok());
        let keeps = matches!(
            status,
            StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT
        );
        match next {
            Some(next) if next.origin() != self.base.origin() => {
                let host = next.host_str().unwrap_or_default();
                let reason = format!("the host sends us to another one, {host}");
                Err(self
                    .error(call, ErrorKind::Unexpected, reason)
                    .advise("the token is shown to the host of --hostname only"))
            }
            Some(next) if call.method == Method::GET || keeps => Ok(next),
            _ => {
                let reason = format!("the host answered {status}");
                Err(self
                    .error(call, ErrorKind::Unexpected, reason)
                    .advise("a repository that was renamed or moved is to be named as it is now"))
            }
        }
    }

    fn error(&self, call: &Call, kind: ErrorKind, reason: String) -> Error {
        let at = self.base.host_str().unwrap_or_default();
        let error = match kind {
            ErrorKind::Unreachable | ErrorKind::Certificate => {
                Error::new(kind, call.doing.as_str(), format!("{at}: {reason}"))
            }
            _ => Error::new(kind, call.doing.as_str(), reason),
        };
        if kind == ErrorKind::Certificate {
            return error
                .advise("--ca-file names the authority that signed the host's certificate");
        }
        error
    }

    /// A host may repeat the token.
    pub(crate) fn redacted(&self, error: Error) -> Error {
        error.without(self.token.expose())
    }
}

/// Parses the body of a response.
pub(crate) fn read<T: DeserializeOwned>(call: &Call, body: &[u8]) -> Result<T> {
    serde_json::from_slice(body).map_err(|error| {
        // The parser's message may quote a value, which may be a secret.
        let (line, column) = (error.line(), error.column());
        let reason = if error.is_data() {
            format!("the answer is not that of the API, at line {line}, column {column}")
        } else {
            "the answer is not that of the API".to_owned()
        };
        Error::new(ErrorKind::Unexpected, call.doing.as_str(), reason)
            .advise("is --hostname the host itself, and nothing in front of it that wants a login?")
    })
}

/// A retry is worthwhile.
#[derive(Debug, PartialEq, Eq)]
struct Wait {
    /// Value of `Retry-After`.
    asked: Option<Duration>,
}

/// Decides whether an error is retried, and after which wait. A write is retried only if the host
/// reports that it did nothing.
fn again(
    method: &Method,
    status: StatusCode,
    headers: &HeaderMap,
    max_wait: Duration,
) -> Option<Wait> {
    let asked = retry_after(headers);
    let did_nothing = status == StatusCode::TOO_MANY_REQUESTS
        || status == StatusCode::SERVICE_UNAVAILABLE
        || (status == StatusCode::FORBIDDEN && asked.is_some());
    let may_pass = status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED;
    let is_worth_it = did_nothing || (may_pass && *method != Method::POST);
    // A command must not wait longer.
    (is_worth_it && asked.is_none_or(|asked| asked <= max_wait)).then_some(Wait { asked })
}

/// Reports whether a list has a next page.
fn has_next(headers: &HeaderMap, here: usize, so_far: usize, size: usize) -> bool {
    if let Some(links) = headers.get(header::LINK) {
        let links = links.to_str().unwrap_or_default();
        return links.split(',').any(|link| link.contains("rel=\"next\""));
    }
    let total = headers
        .get("x-total-count")
        .or_else(|| headers.get("x-total"));
    let total = total.and_then(|total| total.to_str().ok()?.parse::<usize>().ok());
    match total {
        Some(total) => so_far < total,
        None => here >= size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::tests::headers;

    #[test]
    fn method_and_status_determine_retries() {
        let max_wait = Duration::from_secs(30);
        let seconds = |seconds| {
            let asked = Some(Duration::from_secs(seconds));
            Some(Wait { asked })
        };
        let soon = || Some(Wait { asked: None });
        for (method, status, told, expected) in [
            (Method::GET, 500, None, soon()),
            (Method::GET, 501, None, None),
            (Method::GET, 502, None, soon()),
            (Method::PUT, 502, None, soon()),
            (Method::DELETE, 504, None, soon()),
            (Method::POST, 500, None, None),
            (Method::POST, 502, None, None),
            (Method::POST, 503, None, soon()),
            (Method::POST, 429, None, soon()),
            (Method::POST, 429, Some("7"), seconds(7)),
            (Method::GET, 429, Some("31"), None),
            (Method::GET, 503, Some("3600"), None),
            (Method::GET, 403, None, None),
            (Method::POST, 403, Some("2"), seconds(2)),
            (Method::GET, 404, None, None),
            (Method::GET, 404, Some("2"), None),
            (Method::GET, 422, None, None),
        ] {
            let told: Vec<_> = told.map(|told| ("retry-after", told)).into_iter().collect();
            let status = StatusCode::from_u16(status).unwrap();
            let found = again(&method, status, &headers(&told), max_wait);
            assert_eq!(found, expected, "{method} {status} {told:?}");
        }
    }

    #[test]
    fn next_page_follows_the_headers() {
        let next =
            "<https://elsewhere.example/x?page=2>; rel=\"next\", <https://h/x>; rel=\"last\"";
        for (told, here, so_far, expected) in [
            (vec![("link", next)], 1, 1, true),
            (vec![("link", "<https://h/x>; rel=\"prev\"")], 50, 50, false),
            (vec![("x-total-count", "3")], 2, 2, true),
            (vec![("x-total-count", "3")], 1, 3, false),
            (vec![("x-total", "3")], 1, 3, false),
            (vec![], 50, 50, true),
            (vec![], 49, 49, false),
        ] {
            assert_eq!(
                has_next(&headers(&told), here, so_far, 50),
                expected,
                "{told:?}"
            );
        }
    }
}
