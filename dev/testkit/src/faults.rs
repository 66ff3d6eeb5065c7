//! A proxy between a client and the API server that knows every call and can spoil any of them.
//!
//! It ends TLS with an authority of its own and hands out a kubeconfig ([`FaultProxy::kubeconfig`])
//! that leads through it. Each request becomes a numbered [`Call`]; a rule ([`When`], [`Fault`])
//! spoils those that it matches. Watches stream through it and can be cut.
//!
//! Who the client is: the identity of the kubeconfig that the proxy was given, unless the client
//! sends a bearer token of its own (an impersonated one, a service account's), which is passed on.
//! What it refuses: connection upgrades (`exec`, `port-forward`), which no controller makes.
//!
//! The crash test, in three lines: run the scenario once and count `proxy.writes()`; for each number
//! run it again with `proxy.inject(When::write().nth(number), Fault::KillAfter)`; compare the ends.

mod call;
mod forward;
mod rule;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use sluice_devcluster::authority::Authority;
use sluice_system::fs;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use call::Call;
pub use rule::{EventCount, Fault, WatchFault, When};

use crate::testbed::config_of;
use forward::Upstream;
use rule::{Rule, WatchRule};

/// A running proxy; dropping it stops it and closes every connection.
#[derive(Debug)]
pub struct FaultProxy {
    shared: Arc<Shared>,
    kubeconfig: PathBuf,
    _directory: tempfile::TempDir,
    accepting: JoinHandle<()>,
}

/// What the connections and the test share.
struct Shared {
    upstream: Upstream,
    state: Mutex<State>,
    /// Counts up when all watches are to end.
    cut: watch::Sender<u64>,
    /// Counts up when all connections are to break.
    sever: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    calls: Vec<Call>,
    /// How many calls there were, forgotten ones too.
    count: usize,
    rules: Vec<Rule>,
    watch_rules: Vec<WatchRule>,
    kill: Option<Arc<dyn Fn() + Send + Sync>>,
}

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
        // A test that failed while it held the lock has said so itself.
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Numbers a call, remembers it, and says what is to happen to it.
    fn admit(&self, call: Call) -> (usize, Option<Fault>) {
        let mut state = self.state();
        state.count += 1;
        let number = state.count;
        let mut call = Call { number, ..call };
        // Every rule counts, also when an earlier one has already decided: the number of a call
        // must not depend on which other rules there are.
        let mut fault = None;
        for rule in &mut state.rules {
            let decided = rule.decide(&call);
            fault = fault.or(decided);
        }
        call.fault.clone_from(&fault);
        state.calls.push(call);
        (number, fault)
    }

    /// Says what is to happen to an event of a watch. Bookmarks are none: they come by the clock.
    fn watch_fault(&self, call: &Call, line: &[u8]) -> Option<WatchFault> {
        let state = self.state();
        if state.watch_rules.is_empty() {
            return None;
        }
        let event: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
        if event["type"] == "BOOKMARK" {
            return None;
        }
        // As in `admit`: every rule counts.
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

    /// The kubeconfig that leads through this proxy.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// A `kube` client through this proxy.
    pub async fn client(&self) -> kube::Client {
        let mut config = config_of(&fs::read_to_string(&self.kubeconfig).unwrap()).await;
        // A client that repeats by itself would hide what it was answered.
        config.default_retry = false;
        kube::Client::try_from(config).unwrap()
    }

    /// Spoils the calls that match. The first matching rule wins.
    pub fn inject(&self, when: When, fault: Fault) {
        self.shared.state().rules.push(Rule::new(when, fault));
    }

    /// Spoils one event, number `nth` from 1 and from now, of the watches that match, those that run
    /// already too; gives how many came.
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

    /// Forgets all rules; calls that are being delayed or held stay so.
    pub fn clear(&self) {
        let mut state = self.shared.state();
        state.rules.clear();
        state.watch_rules.clear();
    }

    /// What [`Fault::KillBefore`] and [`Fault::KillAfter`] do; it must have killed when it returns.
    pub fn on_kill(&self, kill: impl Fn() + Send + Sync + 'static) {
        self.shared.state().kill = Some(Arc::new(kill));
    }

    /// Every call so far.
    pub fn calls(&self) -> Vec<Call> {
        self.shared.state().calls.clone()
    }

    /// The calls that ask to change something, dry runs and leases apart.
    pub fn writes(&self) -> Vec<Call> {
        self.calls().into_iter().filter(Call::is_write).collect()
    }

    /// How many calls match.
    pub fn count(&self, when: &When) -> usize {
        self.shared
            .state()
            .calls
            .iter()
            .filter(|call| when.matches(call))
            .count()
    }

    /// Forgets all calls so far, so that the next look sees only what came after.
    pub fn forget(&self) {
        self.shared.state().calls.clear();
    }

    /// Ends every running watch as the server does after some minutes: the stream closes cleanly.
    pub fn cut_watches(&self) {
        self.shared.cut.send_modify(|count| *count += 1);
    }

    /// Breaks every connection at once, in the middle of whatever it carries.
    pub fn sever(&self) {
        self.shared.sever.send_modify(|count| *count += 1);
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.accepting.abort();
        self.sever();
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
