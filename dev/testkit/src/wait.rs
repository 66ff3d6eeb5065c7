//! Waits until a condition holds, and reports the last state if it never does.
//!
//! Objects are watched. [`eventually`] polls everything else, such as a file or a list in a test
//! server. Nothing here sleeps for a fixed time: only a failing test reaches [`WAIT_TIMEOUT`].

use std::fmt::Debug;
use std::future::Future;
use std::panic;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use futures::StreamExt as _;
use kube::Api;
use kube::api::ListParams;
use kube::core::Resource;
use kube::runtime::watcher;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::polls;

/// Timeout of a condition. It is long, because two cores may be compiling meanwhile.
pub const WAIT_TIMEOUT: Duration = Duration::from_mins(1);

/// Timeout for the end of a process. Some work takes minutes on a busy machine.
pub const EXIT_TIMEOUT: Duration = Duration::from_mins(8);

/// Poll interval of [`eventually`].
const POLL: Duration = Duration::from_millis(20);

/// An object that can be watched and printed.
pub trait Watchable:
    Resource + Clone + Debug + Serialize + DeserializeOwned + Send + 'static
{
}
impl<K: Resource + Clone + Debug + Serialize + DeserializeOwned + Send + 'static> Watchable for K {}

/// Runs work that a regression would make endless, and returns its result. Fails if the work has
/// not ended after [`WAIT_TIMEOUT`]. Its thread then ends with the process.
pub fn until_done<T: Send + 'static>(claim: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, result) = mpsc::channel();
    let worker = thread::spawn(move || done.send(work()));
    match result.recv_timeout(WAIT_TIMEOUT) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => panic!("{claim} has not ended after {WAIT_TIMEOUT:?}"),
        Err(RecvTimeoutError::Disconnected) => match worker.join() {
            Err(failure) => panic::resume_unwind(failure),
            Ok(_) => panic!("{claim} ended without a result"),
        },
    }
}

/// Waits until `condition` holds for the object (`None` if absent) and returns that state. `claim`
/// completes the sentence "NAME …".
pub async fn until<K: Watchable>(
    api: &Api<K>,
    name: &str,
    claim: &str,
    condition: impl FnMut(Option<&K>) -> bool,
) -> Option<K> {
    until_within(WAIT_TIMEOUT, api, name, claim, condition).await
}

/// Waits like [`until`], with another timeout.
pub async fn until_within<K: Watchable>(
    limit: Duration,
    api: &Api<K>,
    name: &str,
    claim: &str,
    mut condition: impl FnMut(Option<&K>) -> bool,
) -> Option<K> {
    let mut states = watcher::watch_object(api.clone(), name).boxed();
    let mut last: Option<K> = None;
    let mut trouble = None;
    let watch = async {
        while let Some(state) = states.next().await {
            match state {
                Ok(state) => {
                    let holds = condition(state.as_ref());
                    last = state;
                    if holds {
                        return true;
                    }
                }
                Err(error) => trouble = Some(error.to_string()),
            }
        }
        false
    };
    if tokio::time::timeout(limit, watch).await == Ok(true) {
        polls::check();
        return last;
    }
    let trouble = trouble
        .map(|error| format!("\nwhile watching: {error}"))
        .unwrap_or_default();
    panic!(
        "{name} never {claim} ({limit:?}); it was{trouble}:\n{}",
        last.as_ref().map_or_else(|| "absent".to_owned(), shown)
    );
}

/// Waits until the object exists and returns it.
pub async fn exists<K: Watchable>(api: &Api<K>, name: &str) -> K {
    until(api, name, "exists", |object| object.is_some())
        .await
        .expect("it exists")
}

/// Waits until the object is deleted.
pub async fn gone<K: Watchable>(api: &Api<K>, name: &str) {
    until(api, name, "is gone", |object| object.is_none()).await;
}

/// Waits until `condition` holds for the list of objects that `parameters` select.
pub async fn until_all<K: Watchable>(
    api: &Api<K>,
    parameters: &ListParams,
    claim: &str,
    condition: impl Fn(&[K]) -> bool,
) -> Vec<K> {
    eventually(claim, || {
        let list = api.list(parameters);
        let condition = &condition;
        async move {
            let items = list.await.map_err(|error| error.to_string())?.items;
            if condition(&items) {
                return Ok(items);
            }
            Err(items.iter().map(shown).collect::<Vec<_>>().join("\n---\n"))
        }
    })
    .await
}

/// Retries until the answer is `Ok`; a timeout reports the last `Err`.
pub async fn eventually<T, F>(claim: &str, mut ask: impl FnMut() -> F) -> T
where
    F: Future<Output = Result<T, String>>,
{
    let started = Instant::now();
    loop {
        match ask().await {
            Ok(answer) => {
                polls::check();
                return answer;
            }
            Err(last) if started.elapsed() > WAIT_TIMEOUT => {
                panic!("never true within {WAIT_TIMEOUT:?}: {claim}; the last answer was:\n{last}")
            }
            Err(_) => tokio::time::sleep(POLL).await,
        }
    }
}

/// Formats an object for a failed test, without managed fields.
fn shown<K: Serialize>(object: &K) -> String {
    let mut value = serde_json::to_value(object).unwrap_or_default();
    if let Some(metadata) = value
        .get_mut("metadata")
        .and_then(serde_json::Value::as_object_mut)
    {
        metadata.remove("managedFields");
    }
    serde_json::to_string_pretty(&value).unwrap_or_default()
}
