//! Canaries: secrets with a recognizable prefix, and a detector that finds them in outputs.
//!
//! [`detect_leaks`] runs a test with a trace log for every crate and a panic hook. The detector
//! inspects both. The test passes other outputs (conditions, events, metrics) to
//! [`inspect`](LeakDetector::inspect). No output may contain a canary, plain or encoded.

use std::io;
use std::sync::{Arc, Mutex, OnceLock};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Prefix of every canary.
pub const CANARY: &str = "canary9x7q";

/// Text that a test logs to prove that the detector sees its outputs.
pub const SIGNAL: &str = "signal for the leak detector";

/// Prefix of every service account token.
const TOKEN: &str = "eyJhbGci";

/// Returns the canary of a place.
#[must_use]
pub fn canary(place: &str) -> String {
    format!("{CANARY}-{place}")
}

/// Encodes a text as the data of a Secret.
#[must_use]
pub fn base64(text: &str) -> String {
    BASE64_STANDARD.encode(text)
}

/// Inspects outputs and collects those that contain a secret.
#[derive(Clone, Default)]
pub struct LeakDetector(Arc<Mutex<Inspection>>);

#[derive(Default)]
struct Inspection {
    lines: usize,
    signals: usize,
    leaks: Vec<String>,
    /// Secrets other than canaries.
    secrets: Vec<String>,
}

impl LeakDetector {
    /// Adds a secret that cannot be a canary.
    pub fn add_secret(&self, secret: &str) {
        self.0.lock().unwrap().secrets.push(secret.to_owned());
    }

    /// Inspects a text.
    pub fn inspect(&self, text: &str) {
        let mut inspected = self.0.lock().unwrap();
        inspected.lines += 1;
        inspected.signals += usize::from(text.contains(SIGNAL));
        if contains_secret(text) || inspected.secrets.iter().any(|secret| text.contains(secret)) {
            inspected.leaks.push(text.to_owned());
        }
    }
}

impl io::Write for LeakDetector {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inspect(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a text contains a canary, plain or encoded, or a token.
fn contains_secret(text: &str) -> bool {
    // The encoding depends on the offset modulo three.
    static ENCODED: OnceLock<Vec<String>> = OnceLock::new();
    let encoded = ENCODED.get_or_init(|| {
        let at = |offset: usize| base64(&format!("{}{CANARY}", &"xx"[..offset]));
        // The first and last characters depend on neighbouring bytes.
        (0..3).map(|offset| at(offset)[4..12].to_owned()).collect()
    });
    text.contains(CANARY)
        || text.contains(TOKEN)
        || encoded.iter().any(|encoded| text.contains(encoded))
}

/// Runs a test and fails if one of its outputs contains a secret.
///
/// `quiet` has log directives for modules to silence. The outputs must contain [`SIGNAL`] at least
/// `signals` times, in the log or in a panic.
///
/// # Panics
///
/// If an output contains a secret, or if the detector saw too few outputs.
pub fn detect_leaks<F>(quiet: &str, signals: usize, test: impl FnOnce(LeakDetector) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let detector = LeakDetector::default();
    let default_hook = std::panic::take_hook();
    let panics = detector.clone();
    std::panic::set_hook(Box::new(move |panic| {
        panics.inspect(&panic.to_string());
        default_hook(panic);
    }));
    let writer = detector.clone();
    let log = tracing_subscriber::fmt()
        .with_env_filter(format!("trace,{quiet}"))
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let log = tracing::Dispatch::new(log);
    // All threads of this test log to the detector, and no thread of another test does.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .on_thread_start(move || std::mem::forget(log.clone().set_default()))
        .build()
        .unwrap();
    let test = test(detector.clone());
    runtime.block_on(async move { tokio::spawn(test).await.unwrap() });
    // Releases the lock, because the panic hook needs it.
    let inspected = std::mem::take(&mut *detector.0.lock().unwrap());
    assert!(
        inspected.signals >= signals,
        "the outputs contain {} signals",
        inspected.signals
    );
    assert!(inspected.leaks.is_empty(), "{:#?}", inspected.leaks);
    assert!(
        inspected.lines > 20,
        "only {} outputs were inspected",
        inspected.lines
    );
}
