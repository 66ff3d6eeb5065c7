//! Waiting until the world is as claimed, and saying how it was instead when it never is.
//!
//! Objects are watched, not polled; what cannot be watched (a file, a list in a test server) is
//! asked again and again by [`eventually`]. Nothing here sleeps for a guessed time: a test is as
//! quick as the thing it waits for, and [`WAIT_TIMEOUT`] is only reached by a failing one.

use std::fmt::Debug;
use std::future::Future;
use std::time::{Duration, Instant};

use futures::StreamExt as _;
use kube::Api;
use kube::api::ListParams;
use kube::core::Resource;
use kube::runtime::watcher;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How long a claim may take to come true. Generous, because two cores may be compiling meanwhile.
pub const WAIT_TIMEOUT: Duration = Duration::from_mins(1);

/// How long a process that is to end by itself may run. Some wait for what takes minutes on a busy
/// machine; one that hangs would keep every other test from telling anything.
pub const EXIT_TIMEOUT: Duration = Duration::from_mins(8);

/// How often [`eventually`] asks.
const POLL: Duration = Duration::from_millis(20);

/// What can be watched and shown.
pub trait Watchable:
    Resource + Clone + Debug + Serialize + DeserializeOwned + Send + 'static
{
}
impl<K: Resource + Clone + Debug + Serialize + DeserializeOwned + Send + 'static> Watchable for K {}

/// Waits until `condition` holds for the object (`None` while there is none) and gives its state at
/// that moment. `claim` completes the sentence "NAME …".
pub async fn until<K: Watchable>(
    api: &Api<K>,
    name: &str,
    claim: &str,
    condition: impl FnMut(Option<&K>) -> bool,
) -> Option<K> {
    until_within(WAIT_TIMEOUT, api, name, claim, condition).await
}

/// [`until`] with another patience, for what really takes long.
pub async fn until_within<K: Watchable>(
    patience: Duration,
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
    if tokio::time::timeout(patience, watch).await == Ok(true) {
        return last;
    }
    let trouble = trouble
        .map(|error| format!("\nwhile watching: {error}"))
        .unwrap_or_default();
    panic!(
        "{name} never {claim} ({patience:?}); it was{trouble}:\n{}",
        last.as_ref().map_or_else(|| "absent".to_owned(), shown)
    );
}

/// Waits until the object exists, and gives it.
pub async fn exists<K: Watchable>(api: &Api<K>, name: &str) -> K {
    until(api, name, "exists", |object| object.is_some())
        .await
        .expect("it exists")
}

/// Waits until the object is gone.
pub async fn gone<K: Watchable>(api: &Api<K>, name: &str) {
    until(api, name, "is gone", |object| object.is_none()).await;
}

/// Waits until `condition` holds for all objects that `parameters` select, as one list.
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

/// Asks until the answer is `Ok`; the last `Err` says how things were instead.
pub async fn eventually<T, F>(claim: &str, mut ask: impl FnMut() -> F) -> T
where
    F: Future<Output = Result<T, String>>,
{
    let started = Instant::now();
    loop {
        match ask().await {
            Ok(answer) => return answer,
            Err(last) if started.elapsed() > WAIT_TIMEOUT => {
                panic!("never true within {WAIT_TIMEOUT:?}: {claim}; the last answer was:\n{last}")
            }
            Err(_) => tokio::time::sleep(POLL).await,
        }
    }
}

/// An object as a failed test shows it: without the bookkeeping of field managers.
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
