//! Canaries: values that stand where secrets are kept, and a listener that notices when anybody
//! tells one.
//!
//! [`detect_leaks`] runs a test with a log at trace level for every crate and with a hook for panics,
//! both of which the listener hears; the test gives it whatever else comes out (conditions, events,
//! metrics) to [`hear`](LeakDetector::hear). At the end nobody may have told a canary, plain or encoded.

use std::io;
use std::sync::{Arc, Mutex, OnceLock};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use tracing_subscriber::util::SubscriberInitExt as _;

/// What is looked for: every canary begins with it.
pub const CANARY: &str = "canary9x7q";

/// What a test says to be sure that it is heard.
pub const SIGNAL: &str = "is anybody there";

/// What every token of a service account begins with.
const TOKEN: &str = "eyJhbGci";

/// A canary of a place.
#[must_use]
pub fn canary(place: &str) -> String {
    format!("{CANARY}-{place}")
}

/// A text as the data of a Secret has it.
#[must_use]
pub fn base64(text: &str) -> String {
    BASE64_STANDARD.encode(text)
}

/// Hears everything that is told, and keeps what it must not hear.
#[derive(Clone, Default)]
pub struct LeakDetector(Arc<Mutex<Heard>>);

#[derive(Default)]
struct Heard {
    lines: usize,
    signals: usize,
    told: Vec<String>,
    /// Secrets beside the canaries.
    minded: Vec<String>,
}

impl LeakDetector {
    /// Minds another value, which could not be made a canary.
    pub fn add_secret(&self, secret: &str) {
        self.0.lock().unwrap().minded.push(secret.to_owned());
    }

    /// Listens to a text.
    pub fn inspect(&self, text: &str) {
        let mut heard = self.0.lock().unwrap();
        heard.lines += 1;
        heard.signals += usize::from(text.contains(SIGNAL));
        if tells(text) || heard.minded.iter().any(|secret| text.contains(secret)) {
            heard.told.push(text.to_owned());
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

/// Whether a text tells a canary, plain or encoded, or a token.
fn tells(text: &str) -> bool {
    // The encoding of a text depends on where in three bytes it begins.
    static ENCODED: OnceLock<Vec<String>> = OnceLock::new();
    let encoded = ENCODED.get_or_init(|| {
        let at = |offset: usize| base64(&format!("{}{CANARY}", &"xx"[..offset]));
        // Without the first and the last characters, which neighbours have a part in.
        (0..3).map(|offset| at(offset)[4..12].to_owned()).collect()
    });
    text.contains(CANARY)
        || text.contains(TOKEN)
        || encoded.iter().any(|encoded| text.contains(encoded))
}

/// Runs a test that nobody may tell a secret in. `quiet` are directives for what is kept quiet at
/// every level; the test must be heard to say [`SIGNAL`] this many times, in its log or in a panic.
///
/// # Panics
///
/// When a secret was told, or when the listener heard too little to be believed.
pub fn detect_leaks<F>(quiet: &str, signals: usize, test: impl FnOnce(LeakDetector) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = LeakDetector::default();
    let usual = std::panic::take_hook();
    let panics = listener.clone();
    std::panic::set_hook(Box::new(move |panic| {
        panics.inspect(&panic.to_string());
        usual(panic);
    }));
    let writer = listener.clone();
    let log = tracing_subscriber::fmt()
        .with_env_filter(format!("trace,{quiet}"))
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let log = tracing::Dispatch::new(log);
    // All threads of this test log to the listener, and no thread of another test does.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .on_thread_start(move || std::mem::forget(log.clone().set_default()))
        .build()
        .unwrap();
    let test = test(listener.clone());
    runtime.block_on(async move { tokio::spawn(test).await.unwrap() });
    // Taken out, and not held: what fails from here on is heard as well.
    let heard = std::mem::take(&mut *listener.0.lock().unwrap());
    assert!(
        heard.signals >= signals,
        "{} signals were heard",
        heard.signals
    );
    assert!(heard.told.is_empty(), "{:#?}", heard.told);
    assert!(heard.lines > 20, "only {} lines were heard", heard.lines);
}
