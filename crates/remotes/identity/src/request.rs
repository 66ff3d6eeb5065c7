//! Requests to token services.

use std::time::Duration;

use sluice_dial::{Sensitive, exchange, printable};

use crate::error::IdentityError;

/// Timeout of each request, except to the metadata service of a machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of a response in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// Sends a request and returns the body of a successful response. `detail` extracts the message of
/// an error response.
pub(crate) async fn answer(
    request: reqwest::RequestBuilder,
    action: &str,
    verdict: &'static str,
    detail: impl Fn(&str) -> Option<String>,
) -> Result<Sensitive<String>, IdentityError> {
    let (status, body) =
        exchange(request, MAX_ANSWER)
            .await
            .map_err(|reason| IdentityError::Network {
                action: action.to_owned(),
                reason,
            })?;
    let body = Sensitive::new(String::from_utf8_lossy(&body).into_owned());
    if status.is_success() {
        return Ok(body);
    }
    Err(IdentityError::Refused {
        action: action.to_owned(),
        verdict,
        status,
        detail: detail(body.expose()).map(|message| printable(&message)),
    })
}
