//! Sends requests with retries, and reads their answers within limits.

use std::time::Duration;

use http::{HeaderMap, StatusCode, header};
use sluice_dial::retry::{self, Attempt};
use sluice_dial::{RequestBuilder, Response, Retry, Sensitive, explain, read_body};
use url::Url;

use crate::error::Error;

/// Maximum size of a page of a listing. A page has at most 5,000 keys of 1,024 bytes.
pub(crate) const MAX_PAGE_BYTES: usize = 16 << 20;
/// Maximum size of the document of a failure.
pub(crate) const MAX_ERROR_BYTES: usize = 64 << 10;
/// Retries of a request that failed for a reason that passes.
const RETRY: Retry = Retry {
    retries: 3,
    wait_min: Duration::from_millis(200),
    wait_max: Duration::from_secs(2),
};
/// Headers that carry credentials.
const SECRET_HEADERS: [header::HeaderName; 2] = [
    header::AUTHORIZATION,
    header::HeaderName::from_static("x-amz-security-token"),
];
/// The parameter of a shared access signature that is secret.
const SECRET_PARAMETER: &str = "sig";
/// Shorter texts may be part of ordinary words.
const MIN_SECRET_BYTES: usize = 8;

/// Sends a request. `shown` is its method and address without a query, for errors. `read_error`
/// reads the body of an answer without success. A store may repeat the credentials of the request,
/// so they are cut out of its message.
pub(crate) async fn send(
    shown: &str,
    request: impl Fn() -> RequestBuilder,
    read_error: impl Fn(StatusCode, &HeaderMap, &str) -> Error,
) -> Result<Response, Error> {
    RETRY
        .run(async |_| {
            let failed = |cause| Error::local(format!("{shown}: {}", explain(cause)));
            let (client, request) = request().build_split();
            let request = match request {
                Ok(request) => request,
                Err(cause) => return Attempt::Failed(failed(&cause)),
            };
            let secrets = secrets(request.headers(), request.url());
            match client.execute(request).await {
                Ok(response) if response.status().is_success() => Attempt::Done(response),
                Ok(response) => {
                    let (status, headers) = (response.status(), response.headers().clone());
                    let after = retry::retry_after(&headers);
                    let body = text(response, MAX_ERROR_BYTES).await.unwrap_or_default();
                    let error = read_error(status, &headers, &body).redacted(&secrets);
                    if retry::is_transient(status) {
                        Attempt::Again { error, after }
                    } else {
                        Attempt::Failed(error)
                    }
                }
                Err(cause) => {
                    let error = failed(&cause);
                    if retry::is_transient_failure(&cause) {
                        Attempt::Again { error, after: None }
                    } else {
                        Attempt::Failed(error)
                    }
                }
            }
        })
        .await
}

/// The credentials of a request: whole headers, their last words, and signatures in the address.
fn secrets(headers: &HeaderMap, address: &Url) -> Vec<Sensitive<String>> {
    let mut secrets = Vec::new();
    let mut add = |text: &str| {
        if text.len() >= MIN_SECRET_BYTES {
            secrets.push(Sensitive::from(text));
        }
    };
    for name in SECRET_HEADERS {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        let value = value.unwrap_or_default();
        add(value);
        // The token after `Bearer`, or the signature after `Signature=` or `account:`.
        let ends = [' ', '=', ':'].map(|end| value.rsplit_once(end));
        ends.iter().flatten().for_each(|(_, last)| add(last));
    }
    for (name, value) in address.query_pairs() {
        if name == SECRET_PARAMETER {
            add(&value);
        }
    }
    for pair in address.query().unwrap_or_default().split('&') {
        if let Some((SECRET_PARAMETER, value)) = pair.split_once('=') {
            add(value);
        }
    }
    secrets
}

/// Reads the text of an answer.
pub(crate) async fn text(response: Response, limit: usize) -> Result<String, Error> {
    let body = read_body(response, limit).await;
    let body = body.map_err(|error| Error::local(error.to_string()))?;
    String::from_utf8(body.into()).map_err(|_| Error::local("the answer is not UTF-8"))
}
