//! Sends requests with retries, and reads their answers within limits.

use std::time::Duration;

use http::{HeaderMap, StatusCode};
use sluice_dial::retry::{self, Attempt};
use sluice_dial::{RequestBuilder, Response, Retry, explain, read_body};

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

/// Sends a request. `shown` is its method and address without a query, for errors. `read_error`
/// reads the body of an answer without success.
pub(crate) async fn send(
    shown: &str,
    request: impl Fn() -> RequestBuilder,
    read_error: impl Fn(StatusCode, &HeaderMap, &str) -> Error,
) -> Result<Response, Error> {
    RETRY
        .run(async |_| match request().send().await {
            Ok(response) if response.status().is_success() => Attempt::Done(response),
            Ok(response) => {
                let (status, headers) = (response.status(), response.headers().clone());
                let after = retry::retry_after(&headers);
                let body = text(response, MAX_ERROR_BYTES).await.unwrap_or_default();
                let error = read_error(status, &headers, &body);
                if retry::is_transient(status) {
                    Attempt::Again { error, after }
                } else {
                    Attempt::Failed(error)
                }
            }
            Err(cause) => {
                let error = Error::local(format!("{shown}: {}", explain(&cause)));
                if retry::is_transient_failure(&cause) {
                    Attempt::Again { error, after: None }
                } else {
                    Attempt::Failed(error)
                }
            }
        })
        .await
}

/// Reads the text of an answer.
pub(crate) async fn text(response: Response, limit: usize) -> Result<String, Error> {
    let body = read_body(response, limit).await;
    let body = body.map_err(|error| Error::local(error.to_string()))?;
    String::from_utf8(body.into()).map_err(|_| Error::local("the answer is not UTF-8"))
}
