//! Requests to servers that certificates and trusted roots name.

use std::time::Duration;

use bytes::Bytes;
use sluice_dial::{
    Client, Dial, HttpClients, Reach, RequestBuilder, StatusCode, Url, exchange, has_local_host,
};

/// Sends a request to a server, and returns its answer. If the dial reaches remote servers only, an
/// address of this machine, its link or its cloud is refused.
pub(crate) async fn ask(
    clients: &HttpClients,
    dial: &Dial,
    url: &str,
    request: impl FnOnce(&Client, Url) -> RequestBuilder,
    limit: usize,
    timeout: Duration,
) -> Result<(StatusCode, Bytes), String> {
    let url = Url::parse(url).map_err(|error| error.to_string())?;
    if dial.reach == Reach::Remote && has_local_host(&url) {
        return Err("its address is local to the machine or its network".to_owned());
    }
    let client = clients.get(dial).map_err(|error| error.to_string())?;
    let answer = tokio::time::timeout(timeout, exchange(request(&client, url), limit)).await;
    answer.unwrap_or_else(|_| Err("timed out".to_owned()))
}
