//! Tests with the reference registry and with a malicious one.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod cosign;
mod hostile;
mod on_demand;
mod push;

use std::sync::Arc;
use std::time::Duration;

use sluice_dial::{HttpClients, Retry};
use sluice_oci::{Client, Remote, Repository};

/// A client that retries immediately, as often as by default.
fn client() -> Client {
    Client::new(Arc::new(HttpClients::new("flux/v2"))).with_retry(Retry {
        retries: 2,
        wait_min: Duration::ZERO,
        wait_max: Duration::ZERO,
    })
}

fn remote(url: &str) -> Remote {
    Remote::anonymous(Repository::parse_url(url).unwrap())
}
