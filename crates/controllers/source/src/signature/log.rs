//! Asks a transparency log for the promise that a signature under the older tag came without.
//!
//! The trusted root names the address of the log. A root of a tenant's Secret may not name an
//! address of this machine, its link or its cloud. Redirects are refused.
//!
//! Parity: source-controller: `rekorURLFromTrustedRoot` in `internal/oci/cosign/cosign.go`.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bytes::Bytes;
use sluice_attest::sigstore::{LOOKUP_PATH, MAX_ANSWER_BYTES, promises};
use sluice_dial::{Client, Dial, HttpClients, Method, Reach, Redirects, StatusCode};
use sluice_oci::Remote;
use sluice_system::blocking;
use sluice_system::budget::Budget;

use crate::named_server;

/// The time for one answer.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum number of questions for one digest. Any pusher can attach signatures.
const MAX_QUESTIONS: u32 = 16;

/// A log that is asked about the signatures of one digest.
pub(super) struct TransparencyLog<'a> {
    clients: &'a HttpClients,
    dial: Dial,
    asked: AtomicU32,
}

impl<'a> TransparencyLog<'a> {
    /// The log trusts the certificates that the registry does, and is reached through its proxy.
    pub(super) fn new(clients: &'a HttpClients, remote: &Remote, reach: Reach) -> Self {
        Self {
            clients,
            dial: Dial {
                tls: remote.dial.tls.clone(),
                proxy: remote.dial.proxy.clone(),
                redirects: Redirects::Refuse,
                reach,
                ..Dial::default()
            },
            asked: AtomicU32::new(0),
        }
    }

    /// Asks for the promises about a signature, earliest first. The error is the reason.
    pub(super) async fn ask(
        &self,
        address: Option<&str>,
        question: String,
        budget: &Budget,
    ) -> Result<Vec<String>, String> {
        let Some(address) = address else {
            return Err(
                "no transparency log entry with a BaseURL found in trusted root".to_owned(),
            );
        };
        if self.asked.fetch_add(1, Ordering::Relaxed) >= MAX_QUESTIONS {
            return Err(format!(
                "more than {MAX_QUESTIONS} signatures have no promise of a transparency log"
            ));
        }
        let url = format!("{}{LOOKUP_PATH}", address.trim_end_matches('/'));
        let failed = |why: String| format!("failed to ask the transparency log '{url}': {why}");
        let answer = self.exchange(&url, question).await.map_err(failed)?;
        let length = u64::try_from(answer.len()).unwrap_or(u64::MAX);
        let charged = budget.charge_bytes(length);
        charged.map_err(|spent| failed(spent.to_string()))?;
        blocking(move || promises(&answer)).await
    }

    async fn exchange(&self, url: &str, question: String) -> Result<Bytes, String> {
        let request = |client: &Client, url| {
            client
                .request(Method::POST, url)
                .header(http::header::CONTENT_TYPE, "application/json")
                .header(http::header::ACCEPT, "application/json")
                .body(question)
        };
        let asking = named_server::ask(
            self.clients,
            &self.dial,
            url,
            request,
            MAX_ANSWER_BYTES,
            TIMEOUT,
        );
        match asking.await? {
            (StatusCode::OK, answer) => Ok(answer),
            (status, _) => Err(format!("server answered {status}")),
        }
    }
}
