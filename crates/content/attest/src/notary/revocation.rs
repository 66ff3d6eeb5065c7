//! Revocation of the certificates of a chain, by OCSP and by lists.
//!
//! The decisions in [`ocsp`] and [`list`] are on bytes. This file asks for the bytes, for each
//! certificate but the root: the responders first, then the lists. It asks about trusted chains
//! only, because a certificate names the addresses.
//! Parity: notation-core-go v1.3: revocation.

mod cache;
mod list;
mod ocsp;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use sluice_golang::quote::quote;
use sluice_system::blocking;
use sluice_system::budget::Budget;

use super::certificate::{Certificate, ListPoint};
pub use cache::StateCache;
use cache::{Question, RevocationStatus};

/// Maximum number of requests of one verification.
const MAX_REQUESTS: usize = 4;
const OCSP_TIMEOUT: Duration = Duration::from_secs(2);
const OCSP_LIMIT: u64 = 20 << 10;
const LIST_TIMEOUT: Duration = Duration::from_secs(5);
const LIST_LIMIT: u64 = 32 << 20;

/// A request about the state of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The address, with the scheme `http`.
    pub url: String,
    /// The body of an OCSP request. Without one, the method is `GET`.
    pub body: Option<Vec<u8>>,
    /// The time limit of the answer.
    pub timeout: Duration,
    /// Maximum size of the answer in bytes.
    pub limit: u64,
}

/// Fetches what certificates point to.
pub trait Fetch: Send + Sync {
    /// Returns the body of an answer with status 200, or the reason why there is none.
    fn fetch(&self, request: Request) -> impl Future<Output = Result<Vec<u8>, String>> + Send;
}

/// The state of a certificate by one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Good,
    Revoked,
    /// The responder does not know the certificate.
    Unknown,
}

/// A certificate that is asked about.
#[derive(Clone, Copy, Debug)]
struct Subject<'a> {
    certificate: &'a Certificate,
    issuer: &'a Certificate,
    now: Timestamp,
    /// The time that a signing authority states.
    signing_time: Option<Timestamp>,
}

/// The requests of one verification.
pub(super) struct Session<'a, F> {
    fetch: &'a F,
    cache: &'a StateCache,
    now: Timestamp,
    budget: &'a Budget,
    sent: AtomicUsize,
}

impl<'a, F: Fetch> Session<'a, F> {
    pub(super) fn new(
        fetch: &'a F,
        cache: &'a StateCache,
        now: Timestamp,
        budget: &'a Budget,
    ) -> Self {
        Self {
            fetch,
            cache,
            now,
            budget,
            sent: AtomicUsize::new(0),
        }
    }

    /// Checks a chain. The error names the first revoked certificate from the root, or the last one
    /// of unknown state.
    pub(super) async fn check(
        &self,
        chain: &Arc<[Certificate]>,
        signing_time: Option<Timestamp>,
        what: &str,
    ) -> Result<(), String> {
        let mut unknown = Ok(());
        for index in (0..chain.len().saturating_sub(1)).rev() {
            let subject = quote(chain[index].subject());
            match self.state(chain, index, signing_time).await {
                Ok(State::Good) => {}
                Ok(State::Revoked) => {
                    return Err(format!(
                        "{what} certificate with subject {subject} is revoked"
                    ));
                }
                Ok(State::Unknown) => {
                    unknown = Err(is_unknown(what, &subject, "the responder does not know it"));
                }
                Err(why) => unknown = Err(is_unknown(what, &subject, &why)),
            }
        }
        unknown
    }

    /// The state of one certificate of a chain. A certificate without addresses cannot be revoked.
    async fn state(
        &self,
        chain: &Arc<[Certificate]>,
        index: usize,
        signing_time: Option<Timestamp>,
    ) -> Result<State, String> {
        let certificate = &chain[index];
        let servers = certificate.ocsp_servers();
        let points = certificate.list_points();
        let mut state = Ok(State::Good);
        for server in servers {
            state = self.ask(chain, index, server, signing_time).await;
            if state.is_ok() {
                break;
            }
        }
        let is_known = matches!(state, Ok(State::Good | State::Revoked));
        if points.is_empty() || (is_known && !servers.is_empty()) {
            return state;
        }
        if certificate.has_delta_lists() {
            return Err("lists of changes (delta CRLs) are not read".to_owned());
        }
        for point in points {
            if self.look_up(chain, index, point, signing_time).await? == State::Revoked {
                return Ok(State::Revoked);
            }
        }
        Ok(State::Good)
    }

    async fn ask(
        &self,
        chain: &Arc<[Certificate]>,
        index: usize,
        server: &str,
        signing_time: Option<Timestamp>,
    ) -> Result<State, String> {
        let named = |why: String| format!("OCSP at {}: {why}", quote(server));
        let request = ocsp::request(&chain[index], &chain[index + 1], server).map_err(named)?;
        self.decide(chain, index, request, signing_time, ocsp::decide)
            .await
            .map_err(named)
    }

    async fn look_up(
        &self,
        chain: &Arc<[Certificate]>,
        index: usize,
        point: &ListPoint,
        signing_time: Option<Timestamp>,
    ) -> Result<State, String> {
        let named = |why: String| format!("CRL at {}: {why}", quote(&point.url));
        if !is_http(&point.url) {
            let why = "unsupported scheme: only HTTP is supported";
            return Err(named(why.to_owned()));
        }
        let request = Request {
            url: point.url.clone(),
            body: None,
            timeout: LIST_TIMEOUT,
            limit: LIST_LIMIT,
        };
        let point = point.clone();
        let read = move |bytes: &[u8], subject: Subject<'_>| list::decide(bytes, subject, &point);
        self.decide(chain, index, request, signing_time, read)
            .await
            .map_err(named)
    }

    /// The state of a certificate by a cached or a new answer.
    async fn decide(
        &self,
        chain: &Arc<[Certificate]>,
        index: usize,
        request: Request,
        signing_time: Option<Timestamp>,
        read: impl FnOnce(&[u8], Subject<'_>) -> Result<RevocationStatus, String> + Send + 'static,
    ) -> Result<State, String> {
        let (chain, now) = (Arc::clone(chain), self.now);
        let (certificate, issuer) = (&chain[index], &chain[index + 1]);
        let question = Question::new(&request.url, certificate, issuer, signing_time);
        if let Some(state) = self.cache.get(&question, now) {
            return Ok(state);
        }
        let body = self.send(request).await?;
        let steps = u64::try_from(body.len()).unwrap_or(u64::MAX);
        let charged = self.budget.charge_steps(steps);
        charged.map_err(|error| error.to_string())?;
        let deciding = blocking(move || {
            let subject = Subject {
                certificate: &chain[index],
                issuer: &chain[index + 1],
                now,
                signing_time,
            };
            read(&body, subject)
        });
        let answer = deciding.await?;
        self.cache.put(question, answer, now);
        Ok(answer.state)
    }

    async fn send(&self, request: Request) -> Result<Vec<u8>, String> {
        if self.sent.fetch_add(1, Ordering::Relaxed) >= MAX_REQUESTS {
            return Err(format!("more than {MAX_REQUESTS} requests"));
        }
        self.fetch.fetch(request).await
    }
}

fn is_unknown(what: &str, subject: &str, why: &str) -> String {
    format!("{what} certificate with subject {subject} revocation status is unknown: {why}")
}

fn is_http(url: &str) -> bool {
    let scheme = url.split_once("://");
    scheme.is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("http"))
}
