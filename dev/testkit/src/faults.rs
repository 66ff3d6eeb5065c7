//! A proxy between a client and the API server that records every call and can inject faults.
//!
//! The proxy ends TLS with its own authority and provides a kubeconfig
//! ([`FaultProxy::kubeconfig`]). Each request becomes a numbered [`Call`]. A rule ([`When`],
//! [`Fault`]) selects calls and a fault. Watches stream through the proxy and can be cut.
//!
//! The proxy uses the identity of its own kubeconfig, unless the client sends a bearer token, which
//! it forwards. With [`FaultProxy::accept_tokens`] it checks tokens itself, and uses its identity
//! for the accepted ones. It does not support connection upgrades (`exec`, `port-forward`), which
//! no controller makes.
//!
//! A crash test runs the scenario once and counts `proxy.writes()`. For each number it runs the
//! scenario again with `proxy.inject(When::write().nth(number), Fault::KillAfter)` and compares the
//! end states.

mod call;
mod fault;
mod forward;
mod kill;
mod rule;

use std::net::SocketAddr;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use sluice_devcluster::authority::Authority;
use sluice_system::fs;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use call::Call;
pub use fault::{Fault, WatchFault};
pub use kill::{Kill, sample_kills, sample_run};
pub use rule::{EventCount, When};

use crate::testbed::config_of;
use forward::Upstream;
use rule::{Rule, WatchRule};

/// A running proxy; dropping it stops it, closes every connection, and checks that each injected
/// fault was met.
#[derive(Debug)]
pub struct FaultProxy {
    shared: Arc<Shared>,
    kubeconfig: PathBuf,
    _directory: tempfile::TempDir,
    accepting: JoinHandle<()>,
}

/// State shared by the connections and the test.
struct Shared {
    upstream: Upstream,
    state: Mutex<State>,
    /// Changes when all watches must end.
    cut: watch::Sender<u64>,
    /// Changes when all connections must break.
    sever: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    calls: Vec<Call>,
    /// Number of calls, including forgotten ones.
    count: usize,
    rules: Vec<Rule>,
    watch_rules: Vec<WatchRule>,
    kill: Option<Arc<dyn Fn() + Send + Sync>>,
    accepts: Option<Arc<TokenCheck>>,
}

/// Decides whether a token is valid.
type TokenCheck = dyn Fn(&str) -> bool + Send + Sync;

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Shared")
            .field("calls", &self.state().calls.len())
            .finish_non_exhaustive()
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // A failed test that held the lock has already reported its panic.
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Numbers and records a call, and returns its fault.
    fn admit(&self, call: Call) -> (usize, Option<Fault>) {
        let mut state = self.state();
        state.count += 1;
        let number = state.count;
        let mut call = Call { number, ..call };
        // Every rule counts each call, so that numbers do not depend on other rules.
        let mut fault = None;
        for rule in &mut state.rules {
            let decided = rule.decide(&call);
            fault = fault.or(decided);
        }
        call.fault.clone_from(&fault);
        state.calls.push(call);
        (number, fault)
    }

    /// Returns the fault of a watch event. Bookmarks do not count, because they depend on the
    /// clock.
    fn watch_fault(&self, call: &Call, line: &[u8]) -> Option<WatchFault> {
        let state = self.state();
        if state.watch_rules.is_empty() {
            return None;
        }
        let event: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
        if event["type"] == "BOOKMARK" {
            return None;
        }
        // As in `admit`, every rule counts.
        let decided = state.watch_rules.iter().map(|rule| rule.decide(call));
        decided.fold(None, Option::or)
    }

    fn answered(&self, number: usize, status: u16) {
        if let Some(call) = self
            .state()
            .calls
            .iter_mut()
            .find(|call| call.number == number)
        {
            call.status = Some(status);
        }
    }

    fn kill(&self) {
        let kill = self.state().kill.clone();
        if let Some(kill) = kill {
            kill();
        }
    }
}

impl FaultProxy {
    /// Starts a proxy to the cluster of a kubeconfig, as its user, on the current runtime.
    pub async fn start(kubeconfig: &Path) -> Self {
        rustls::crypto::aws_lc_rs::default_provider()
            .install_default()
            .ok();
        let config = config_of(&fs::read_to_string(kubeconfig).unwrap()).await;
        let upstream = Upstream::new(config);

        let authority = Authority::new("fault proxy").unwrap();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let acceptor = forward::acceptor(&authority, address);

        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("kubeconfig");
        fs::write(&path, through(address, &authority)).unwrap();

        let shared = Arc::new(Shared {
            upstream,
            state: Mutex::default(),
            cut: watch::Sender::new(0),
            sever: watch::Sender::new(0),
        });
        let accepting = tokio::spawn(forward::accept(listener, acceptor, Arc::clone(&shared)));
        Self {
            shared,
            kubeconfig: path,
            _directory: directory,
            accepting,
        }
    }

    /// The kubeconfig of this proxy.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// A `kube` client through this proxy.
    pub async fn client(&self) -> kube::Client {
        let mut config = config_of(&fs::read_to_string(&self.kubeconfig).unwrap()).await;
        // Retries would hide responses from the test.
        config.default_retry = false;
        kube::Client::try_from(config).unwrap()
    }

    /// Injects a fault into matching calls. The first matching rule decides. The test fails if no
    /// call meets the fault until [`Self::clear`] or the end.
    #[track_caller]
    pub fn inject(&self, when: When, fault: Fault) {
        let rule = Rule::new(when, fault, Some(Location::caller()));
        self.shared.state().rules.push(rule);
    }

    /// Injects a fault that the calls of a run may not reach.
    pub fn inject_if_reached(&self, when: When, fault: Fault) {
        self.shared.state().rules.push(Rule::new(when, fault, None));
    }

    /// Injects a fault into event number `nth` (from 1, counted from now) of matching watches,
    /// including running ones. Returns the count of events.
    pub fn inject_watch(&self, when: When, nth: usize, fault: WatchFault) -> EventCount {
        let count = EventCount::default();
        self.shared.state().watch_rules.push(WatchRule {
            when: when.verb("watch"),
            nth,
            fault,
            count: count.clone(),
        });
        count
    }

    /// Removes all rules. Delayed and hung calls stay so.
    ///
    /// # Panics
    ///
    /// If no call met a fault.
    pub fn clear(&self) {
        let mut state = self.shared.state();
        let rules = std::mem::take(&mut state.rules);
        state.watch_rules.clear();
        drop(state);
        let unmet: Vec<String> = rules.iter().filter_map(Rule::unmet).collect();
        assert!(unmet.is_empty(), "no call met these faults: {unmet:#?}");
    }

    /// Sets the action of [`Fault::KillBefore`] and [`Fault::KillAfter`], which must return after
    /// the kill.
    pub fn on_kill(&self, kill: impl Fn() + Send + Sync + 'static) {
        self.shared.state().kill = Some(Arc::new(kill));
    }

    /// Accepts only requests with a token that passes a check, with the identity of the proxy.
    pub fn accept_tokens(&self, check: impl Fn(&str) -> bool + Send + Sync + 'static) {
        self.shared.state().accepts = Some(Arc::new(check));
    }

    /// Returns all calls so far.
    pub fn calls(&self) -> Vec<Call> {
        self.shared.state().calls.clone()
    }

    /// Returns the calls that change something, without dry runs and leases.
    pub fn writes(&self) -> Vec<Call> {
        self.calls().into_iter().filter(Call::is_write).collect()
    }

    /// Counts matching calls.
    pub fn count(&self, when: &When) -> usize {
        self.shared
            .state()
            .calls
            .iter()
            .filter(|call| when.matches(call))
            .count()
    }

    /// Forgets all calls so far.
    pub fn forget(&self) {
        self.shared.state().calls.clear();
    }

    /// Ends every running watch cleanly, as the server does after some minutes.
    pub fn cut_watches(&self) {
        self.shared.cut.send_modify(|count| *count += 1);
    }

    /// Breaks every connection at once.
    pub fn sever(&self) {
        self.shared.sever.send_modify(|count| *count += 1);
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.accepting.abort();
        self.sever();
        // A failed test says already why.
        if !std::thread::panicking() {
            self.clear();
        }
    }
}

fn through(address: SocketAddr, authority: &Authority) -> String {
    sluice_devcluster::kubeconfig::text(
        "faults",
        &format!("https://{address}"),
        &authority.certificate(),
        "through-the-proxy",
        sluice_devcluster::kubeconfig::Credential::Token(forward::NO_CREDENTIAL),
    )
}
