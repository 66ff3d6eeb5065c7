//! Follows the objects of a kind: a snapshot, then every change, over as many connections as
//! needed.
//!
//! Servers end watches as they please. [`Watcher`] resumes after the last version it received and
//! begins with a new snapshot when the server forgot that version. Attempts that fail are repeated
//! with an exponential back-off; the caller sees each failure and decides whether to go on.
//!
//! A snapshot is the beginning of the watch itself where the server can do that (`WatchList`), and
//! a list otherwise. Connections that die without notice end by the idle timeout of the transport.

use std::ops::ControlFlow;
use std::time::Duration;

use futures::StreamExt as _;
use kube::core::WatchEvent;
use serde_json::Value;
use sluice_gvk::GroupVersionKind;
use tokio::time::Instant;

use crate::cluster::Cluster;
use crate::discovery::Resource;
use crate::error::Error;
use crate::request::{KindPath, ListOptions, WatchOptions};

/// The annotation by which a server marks the end of a snapshot.
const END_OF_SNAPSHOT: &str = "k8s.io/initial-events-end";
/// A connection that lasted this long resets the back-off.
const STABLE_AFTER: Duration = Duration::from_secs(5);
/// Maximum pause while the kind is not served: its definition may be installed any moment.
const MAX_ABSENT_PAUSE: Duration = Duration::from_secs(5);

/// The objects of the kind to follow.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Only objects of this namespace.
    pub namespace: Option<String>,
    /// Label selector.
    pub labels: Option<String>,
    /// Field selector, such as `metadata.name=web`.
    pub fields: Option<String>,
    /// Requests identity, labels and annotations only.
    pub metadata_only: bool,
}

/// Pauses between failed attempts; each is twice as long as the one before.
#[derive(Debug, Clone, Copy)]
pub struct Backoff {
    /// First pause.
    pub first: Duration,
    /// Longest pause.
    pub max: Duration,
}

impl Backoff {
    fn pause(self, failures: u32, is_absent: bool) -> Duration {
        let max = if is_absent {
            self.max.min(MAX_ABSENT_PAUSE)
        } else {
            self.max
        };
        2_u32
            .checked_pow(failures)
            .and_then(|factor| self.first.checked_mul(factor))
            .map_or(max, |pause| pause.min(max))
    }
}

/// An event of a [`Watcher`].
#[derive(Debug)]
pub enum Event {
    /// The server accepted a watch.
    Connected,
    /// A snapshot begins. It may end early; another one begins then.
    Restarted,
    /// An object of the snapshot.
    Listed(Value),
    /// The snapshot is complete: objects that it lacks did not exist at this version.
    Synced {
        /// Resource version of the snapshot.
        version: String,
    },
    /// An object was created or changed.
    Applied(Value),
    /// An object was deleted; this is its last state.
    Deleted(Value),
    /// An attempt failed. The next one follows after a pause.
    Failed(Failure),
}

/// A failed attempt to watch.
#[derive(Debug)]
pub struct Failure {
    /// The cause.
    pub error: Error,
    /// Pause before the next attempt.
    pub retry_after: Duration,
}

impl Failure {
    /// Whether the kind is not served.
    pub fn is_absent(&self) -> bool {
        is_absent(&self.error)
    }

    /// Whether the server refuses the watch, so that only other rights or another kind help.
    pub fn is_refusal(&self) -> bool {
        self.is_absent()
            || self.error.is_forbidden()
            || self.error.is_unauthorized()
            || self.error.status().is_some_and(|status| status.code == 405)
    }
}

fn is_absent(error: &Error) -> bool {
    error.has_no_match() || error.status().is_some_and(|status| status.code == 404)
}

/// Follows the objects of one kind.
#[derive(Debug)]
pub struct Watcher {
    cluster: Cluster,
    kind: KindPath,
    scope: Scope,
    backoff: Backoff,
    failures: u32,
    /// The version to resume after; empty if a snapshot is due.
    version: String,
    can_stream_snapshot: bool,
    connected_at: Option<Instant>,
}

/// The end of one connection.
enum End<T> {
    /// The caller has its answer.
    Answered(T),
    /// The server ended the watch.
    Closed,
    /// The server forgot the version.
    Expired,
    /// The server cannot begin a watch with a snapshot.
    SnapshotRefused,
    Failed(Error),
}

impl Watcher {
    /// Follows a kind whose path is found by discovery.
    pub fn new(cluster: Cluster, kind: GroupVersionKind, scope: Scope, backoff: Backoff) -> Self {
        Self::over(cluster, KindPath::Discovered(kind), scope, backoff)
    }

    /// Follows a kind whose path is known without discovery.
    pub fn of_resource(
        cluster: Cluster,
        resource: Resource,
        scope: Scope,
        backoff: Backoff,
    ) -> Self {
        Self::over(cluster, KindPath::Fixed(resource), scope, backoff)
    }

    fn over(cluster: Cluster, kind: KindPath, scope: Scope, backoff: Backoff) -> Self {
        Self {
            cluster,
            kind,
            scope,
            backoff,
            failures: 0,
            version: String::new(),
            can_stream_snapshot: true,
            connected_at: None,
        }
    }

    /// Begins after this resource version, without a snapshot.
    #[must_use]
    pub fn resume_after(mut self, version: impl Into<String>) -> Self {
        self.version = version.into();
        self
    }

    /// Passes events to `handle` until it breaks.
    pub async fn run<T>(&mut self, mut handle: impl FnMut(Event) -> ControlFlow<T>) -> T {
        loop {
            self.connected_at = None;
            let error = match self.connect(&mut handle).await {
                End::Answered(answer) => return answer,
                End::Closed => None,
                End::Expired => {
                    tracing::debug!(kind = self.kind.kind(), "watch expired, starting over");
                    self.version.clear();
                    None
                }
                End::SnapshotRefused => {
                    self.can_stream_snapshot = false;
                    continue;
                }
                End::Failed(error) => Some(error),
            };
            let was_stable = self
                .connected_at
                .is_some_and(|connected| connected.elapsed() >= STABLE_AFTER);
            if was_stable {
                self.failures = 0;
                if error.is_none() {
                    continue;
                }
            }
            // A server that ends every watch at once is not retried in a tight loop.
            let is_absent = error.as_ref().is_some_and(is_absent);
            let retry_after = self.backoff.pause(self.failures, is_absent);
            self.failures = self.failures.saturating_add(1);
            if let Some(error) = error {
                let failure = Failure { error, retry_after };
                if let ControlFlow::Break(answer) = handle(Event::Failed(failure)) {
                    return answer;
                }
            }
            tokio::time::sleep(retry_after).await;
        }
    }

    async fn connect<T>(&mut self, handle: &mut impl FnMut(Event) -> ControlFlow<T>) -> End<T> {
        if self.version.is_empty()
            && !self.can_stream_snapshot
            && let Err(end) = self.list(handle).await
        {
            return end;
        }
        self.stream(handle).await
    }

    /// Takes a snapshot by a list.
    async fn list<T>(
        &mut self,
        handle: &mut impl FnMut(Event) -> ControlFlow<T>,
    ) -> Result<(), End<T>> {
        let options = ListOptions {
            labels: self.scope.labels.clone(),
            fields: self.scope.fields.clone(),
            metadata_only: self.scope.metadata_only,
            without_managers: false,
        };
        let (mut answer, mut has_begun) = (None, false);
        let mut pass = |event| {
            if answer.is_none()
                && let ControlFlow::Break(value) = handle(event)
            {
                answer = Some(value);
            }
        };
        let namespace = self.scope.namespace.as_deref();
        let listed = self
            .cluster
            .list_objects(&self.kind, namespace, &options, |object| {
                if !std::mem::replace(&mut has_begun, true) {
                    pass(Event::Restarted);
                }
                pass(Event::Listed(object));
            })
            .await;
        let version = listed.map_err(end_of)?;
        if !has_begun {
            pass(Event::Restarted);
        }
        pass(Event::Synced {
            version: version.clone(),
        });
        self.version = version;
        answer.map_or(Ok(()), |answer| Err(End::Answered(answer)))
    }

    /// Follows one connection.
    async fn stream<T>(&mut self, handle: &mut impl FnMut(Event) -> ControlFlow<T>) -> End<T> {
        let mut in_snapshot = self.version.is_empty();
        let options = WatchOptions {
            labels: self.scope.labels.clone(),
            fields: self.scope.fields.clone(),
            metadata_only: self.scope.metadata_only,
            initial: in_snapshot,
        };
        let namespace = self.scope.namespace.as_deref();
        let opened = self
            .cluster
            .open_watch(&self.kind, namespace, &self.version, &options)
            .await;
        let mut events = match opened {
            Ok(events) => events,
            Err(error) if in_snapshot && refuses_snapshot(&error) => return End::SnapshotRefused,
            Err(error) => return end_of(error),
        };
        self.connected_at = Some(Instant::now());
        if let ControlFlow::Break(answer) = handle(Event::Connected) {
            return End::Answered(answer);
        }
        if in_snapshot && let ControlFlow::Break(answer) = handle(Event::Restarted) {
            return End::Answered(answer);
        }
        while let Some(event) = events.next().await {
            let event = match event {
                Ok(WatchEvent::Added(object) | WatchEvent::Modified(object)) if in_snapshot => {
                    // A snapshot comes in any order of versions, so it cannot be resumed.
                    Event::Listed(object)
                }
                Ok(WatchEvent::Added(object) | WatchEvent::Modified(object)) => {
                    self.advance(&object);
                    Event::Applied(object)
                }
                Ok(WatchEvent::Deleted(object)) => {
                    if !in_snapshot {
                        self.advance(&object);
                    }
                    Event::Deleted(object)
                }
                Ok(WatchEvent::Bookmark(bookmark)) => {
                    let metadata = bookmark.metadata;
                    let is_end = metadata.annotations.contains_key(END_OF_SNAPSHOT);
                    if in_snapshot && !is_end {
                        continue;
                    }
                    self.version = metadata.resource_version;
                    if !std::mem::take(&mut in_snapshot) {
                        continue;
                    }
                    Event::Synced {
                        version: self.version.clone(),
                    }
                }
                Ok(WatchEvent::Error(status)) => {
                    return end_of(Error::Api {
                        action: format!("watch {}", self.kind.kind()),
                        status,
                    });
                }
                Err(error) => return end_of(error),
            };
            if let ControlFlow::Break(answer) = handle(event) {
                return End::Answered(answer);
            }
        }
        End::Closed
    }

    fn advance(&mut self, object: &Value) {
        if let Some(version) = object["metadata"]["resourceVersion"].as_str() {
            version.clone_into(&mut self.version);
        }
    }
}

fn end_of<T>(error: Error) -> End<T> {
    if error.is_expired() {
        End::Expired
    } else {
        End::Failed(error)
    }
}

/// Whether the server cannot begin a watch with a snapshot: before 1.32, or disabled.
fn refuses_snapshot(error: &Error) -> bool {
    error
        .status()
        .is_some_and(|status| matches!(status.code, 400 | 422))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKOFF: Backoff = Backoff {
        first: Duration::from_millis(500),
        max: Duration::from_secs(30),
    };

    fn seconds(is_absent: bool) -> Vec<u64> {
        let pause = |failures| BACKOFF.pause(failures, is_absent).as_secs();
        (0..8).map(pause).collect()
    }

    #[test]
    fn backoff_doubles_up_to_the_maximum() {
        assert_eq!(seconds(false), [0, 1, 2, 4, 8, 16, 30, 30]);
        assert_eq!(BACKOFF.pause(u32::MAX, false), BACKOFF.max);
    }

    #[test]
    fn absent_kind_is_retried_more_often() {
        assert_eq!(seconds(true), [0, 1, 2, 4, 5, 5, 5, 5]);
    }
}
