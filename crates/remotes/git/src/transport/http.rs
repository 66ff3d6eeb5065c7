//! Smart HTTP: one request for the advertisement, further requests for commands.
//!
//! Like in git, redirects are followed for the first request, and the new address is used
//! afterwards. A later redirect is an error. Credentials are only sent to their host.

use std::time::Duration;

use futures::StreamExt as _;
use http::{HeaderName, HeaderValue, StatusCode, header};
use sluice_dial::{Credentials, Progress, Stage, explain};
use url::Url;

use super::{ByteStream, Deadline, PacketStream, StreamError};
use crate::error::{Error, Phase, Result, printable};
use crate::protocol::Service;

/// Maximum number of redirects of the first request.
const MAX_REDIRECTS: usize = 10;
/// The user agent. Some hosts require this prefix.
const USER_AGENT: &str = concat!("git/2.0 (sluice ", env!("CARGO_PKG_VERSION"), ")");
/// Maximum bytes of an error page that are read for its first line.
const MAX_ERROR_PAGE: usize = 4096;
const GIT_PROTOCOL: HeaderName = HeaderName::from_static("git-protocol");

/// The address after redirects, for further requests.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    base: Url,
    credentials: Option<Credentials>,
}

/// A connection to an endpoint.
#[derive(Debug, Clone)]
pub(crate) struct Connection {
    pub(crate) client: sluice_dial::Client,
    pub(crate) endpoint: Endpoint,
}

impl Connection {
    /// Requests the advertisement, and follows redirects.
    pub(crate) async fn discover(
        client: sluice_dial::Client,
        service: Service,
        base: &Url,
        mut credentials: Option<Credentials>,
        deadline: &Deadline,
    ) -> Result<(Self, PacketStream)> {
        let mut url = base.clone();
        url.set_path(&format!("{}/info/refs", base.path()));
        url.query_pairs_mut().append_pair("service", service.name());
        for _ in 0..=MAX_REDIRECTS {
            let mut request = client
                .get(url.clone())
                .header(header::USER_AGENT, USER_AGENT)
                .header(header::ACCEPT, "*/*")
                .header(header::PRAGMA, "no-cache");
            // Push has no version 2.
            if service == Service::UploadPack {
                request = request.header(GIT_PROTOCOL, "version=2");
            }
            if let Some(credentials) = &credentials {
                request = request.header(header::AUTHORIZATION, credentials.header());
            }
            let response = send(request, deadline).await?;
            if !response.status().is_redirection() {
                let response = check_response(
                    response,
                    service.advertisement_type(),
                    credentials.as_ref(),
                    deadline,
                )
                .await?;
                let endpoint = Endpoint {
                    base: repository(&url, deadline)?,
                    credentials,
                };
                let packets = PacketStream::new(body(response));
                return Ok((Self { client, endpoint }, packets));
            }
            let next = redirect(&url, response.headers().get(header::LOCATION))
                .map_err(|reason| deadline.protocol(reason))?;
            if !keeps_credentials(&url, &next) {
                credentials = None;
            }
            url = next;
        }
        Err(deadline.protocol(format!("more than {MAX_REDIRECTS} redirects")))
    }

    /// Sends a command and returns the response.
    pub(crate) async fn send_command(
        &self,
        service: Service,
        command: Vec<u8>,
        two: bool,
        deadline: &Deadline,
    ) -> Result<PacketStream> {
        let mut url = self.endpoint.base.clone();
        url.set_path(&format!("{}/{}", url.path(), service.name()));
        let mut request = self
            .client
            .post(url)
            .header(header::USER_AGENT, USER_AGENT)
            .header(header::CONTENT_TYPE, service.request_type())
            .header(header::ACCEPT, service.result_type())
            .body(command);
        if two {
            request = request.header(GIT_PROTOCOL, "version=2");
        }
        if let Some(credentials) = &self.endpoint.credentials {
            request = request.header(header::AUTHORIZATION, credentials.header());
        }
        let response = send(request, deadline).await?;
        if response.status().is_redirection() {
            return Err(deadline.protocol("redirected in the middle of a conversation"));
        }
        let response = check_response(
            response,
            service.result_type(),
            self.endpoint.credentials.as_ref(),
            deadline,
        )
        .await?;
        Ok(PacketStream::new(body(response)))
    }
}

async fn send(
    request: sluice_dial::RequestBuilder,
    deadline: &Deadline,
) -> Result<sluice_dial::Response> {
    let progress = Progress::default();
    let phase = || match progress.stage() {
        Stage::Resolve => Phase::Resolve,
        Stage::Connect => Phase::Connect,
        Stage::Answer => Phase::Response,
    };
    let sent = deadline
        .run(Phase::Connect, progress.watch(request.send()))
        .await;
    match sent {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(error)) => Err(deadline.network(phase(), explain(&error))),
        Err(_) => Err(deadline.timeout(phase())),
    }
}

fn body(response: sluice_dial::Response) -> ByteStream {
    let bytes = response.bytes_stream();
    Box::pin(bytes.map(|bytes| bytes.map_err(|error| StreamError::Connection(explain(&error)))))
}

/// Checks status and content type of a response.
async fn check_response(
    response: sluice_dial::Response,
    kind: &str,
    credentials: Option<&Credentials>,
    deadline: &Deadline,
) -> Result<sluice_dial::Response> {
    let hidden = |text: String| match credentials {
        Some(credentials) => credentials.hide(&text),
        None => text,
    };
    let status = response.status();
    if status == StatusCode::OK {
        let given = response.headers().get(header::CONTENT_TYPE);
        let given = given.map(HeaderValue::as_bytes).unwrap_or_default();
        if given.split(|byte| *byte == b';').next() == Some(kind.as_bytes()) {
            return Ok(response);
        }
        return Err(deadline.protocol(format!(
            "the answer is of type '{}', not {kind}: this is not a Git repository over smart HTTP",
            hidden(printable(given))
        )));
    }
    let retry_after = retry_after(response.headers().get(header::RETRY_AFTER));
    let page = deadline.run(Phase::Response, first_line(response)).await?;
    let page = hidden(page);
    Err(status_error(status, retry_after, &page, &deadline.remote))
}

fn status_error(
    status: StatusCode,
    retry_after: Option<Duration>,
    page: &str,
    remote: &str,
) -> Error {
    let remote = remote.to_owned();
    let detail = (!page.is_empty()).then(|| page.to_owned());
    // `go-git` names the failure and the page.
    let said = detail
        .as_deref()
        .map(|page| format!("{page}: "))
        .unwrap_or_default();
    match status {
        StatusCode::UNAUTHORIZED => Error::Authentication {
            remote,
            reason: format!("authentication required: {said}credentials missing or not accepted"),
        },
        StatusCode::FORBIDDEN => Error::Authentication {
            remote,
            reason: format!("authorization failed: {said}access denied"),
        },
        StatusCode::NOT_FOUND | StatusCode::GONE => Error::RepositoryNotFound { remote, detail },
        StatusCode::TOO_MANY_REQUESTS
        | StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT => Error::Unavailable {
            remote,
            status: status.as_u16(),
            retry_after,
        },
        _ => Error::Answered {
            remote,
            status: status.as_u16(),
            detail,
        },
    }
}

/// The first line of a plain-text error page. HTML is ignored.
async fn first_line(mut response: sluice_dial::Response) -> String {
    let plain = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if !plain {
        return String::new();
    }
    let mut page = Vec::new();
    // Read errors are ignored, because the status is the actual error.
    while let Ok(Some(chunk)) = response.chunk().await {
        page.extend_from_slice(&chunk);
        if page.len() >= MAX_ERROR_PAGE || page.contains(&b'\n') {
            break;
        }
    }
    let line: &[u8] = page.split(|byte| *byte == b'\n').next().unwrap_or_default();
    printable(line)
}

/// Parses `Retry-After` in seconds. Dates are rare, and would need a clock.
fn retry_after(value: Option<&HeaderValue>) -> Option<Duration> {
    let seconds: u64 = value?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// Resolves a redirect, if it is allowed.
fn redirect(from: &Url, location: Option<&HeaderValue>) -> Result<Url, String> {
    let location = location.ok_or("redirected without saying where to")?;
    let location = location
        .to_str()
        .map_err(|_| "redirected to an unreadable address")?;
    let mut next = from
        .join(location)
        .map_err(|error| format!("redirected to an invalid address: {error}"))?;
    match (from.scheme(), next.scheme()) {
        (_, "https") | ("http", "http") => {}
        (_, scheme) => return Err(format!("redirect from https to {scheme} refused")),
    }
    // A redirect must not introduce credentials.
    let _cleared = next.set_username("").and_then(|()| next.set_password(None));
    Ok(next)
}

/// Whether credentials may be sent after a redirect: same host with the same scheme and port, or an
/// upgrade from HTTP to HTTPS on the default ports.
fn keeps_credentials(from: &Url, to: &Url) -> bool {
    let door = |url: &Url| (url.scheme().to_owned(), url.port_or_known_default());
    let usual = |url: &Url, scheme: &str| url.scheme() == scheme && url.port().is_none();
    from.host_str() == to.host_str()
        && (door(from) == door(to) || usual(from, "http") && usual(to, "https"))
}

/// The repository URL for an advertisement at `url`.
fn repository(url: &Url, deadline: &Deadline) -> Result<Url> {
    let Some(path) = url.path().strip_suffix("/info/refs") else {
        return Err(deadline.protocol("redirected to something that is not a repository"));
    };
    let path = path.to_owned();
    let mut base = url.clone();
    base.set_path(&path);
    // Query parameters of the user's URL are kept, except for the added one.
    let query: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| name != "service")
        .map(|(n, v)| (n.into(), v.into()))
        .collect();
    base.set_query(None);
    if !query.is_empty() {
        base.query_pairs_mut().extend_pairs(query);
    }
    Ok(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn credentials_are_not_sent_to_other_host() {
        let cases = [
            ("https://a/x", "https://a/y", true),
            ("https://a/x", "https://a:443/y", true),
            ("http://a/x", "https://a/x", true),
            ("https://a/x", "https://b/x", false),
            ("https://a/x", "https://b.a/x", false),
            ("https://a/x", "https://a:8443/x", false),
            ("http://a:8080/x", "https://a/x", false),
            ("http://a/x", "https://a:8443/x", false),
        ];
        for (from, to, kept) in cases {
            assert_eq!(
                keeps_credentials(&url(from), &url(to)),
                kept,
                "{from} -> {to}"
            );
        }
    }

    #[test]
    fn insecure_redirects_are_rejected() {
        let to = |from: &str, location: &str| {
            redirect(&url(from), Some(&HeaderValue::from_str(location).unwrap()))
        };
        assert_eq!(
            to("https://a/x/info/refs", "/y/info/refs").unwrap(),
            url("https://a/y/info/refs")
        );
        assert_eq!(
            to("http://a/x", "https://u:p@b/x").unwrap(),
            url("https://b/x")
        );
        assert!(to("https://a/x", "http://a/x").is_err());
        assert!(to("http://a/x", "file:///etc/passwd").is_err());
        assert!(redirect(&url("http://a/x"), None).is_err());
    }

    #[test]
    fn statuses_are_classified() {
        use crate::error::ErrorKind::{Authentication, Network, NotFound, Protocol};
        let cases = [
            (401, Authentication),
            (403, Authentication),
            (404, NotFound),
            (429, Network),
            (503, Network),
            (500, Protocol),
            (418, Protocol),
        ];
        for (status, kind) in cases {
            let status = StatusCode::from_u16(status).unwrap();
            assert_eq!(status_error(status, None, "", "r").kind(), kind, "{status}");
        }
        let busy = status_error(
            StatusCode::TOO_MANY_REQUESTS,
            Some(Duration::from_secs(7)),
            "",
            "r",
        );
        assert_eq!(busy.retry_after(), Some(Duration::from_secs(7)));
    }

    #[test]
    fn redirect_target_is_used_for_later_requests() {
        let deadline = Deadline::new("r".to_owned(), Duration::from_secs(1));
        let base = |text: &str| repository(&url(text), &deadline).map(|url| url.to_string());
        assert_eq!(
            base("https://a/x.git/info/refs?service=git-upload-pack").unwrap(),
            "https://a/x.git"
        );
        assert_eq!(
            base("https://a/x/info/refs?k=v&service=git-upload-pack").unwrap(),
            "https://a/x?k=v"
        );
        assert!(base("https://a/login").is_err());
    }
}
