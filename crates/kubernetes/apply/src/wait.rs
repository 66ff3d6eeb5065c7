//! Waits until objects are healthy or gone.
//!
//! A wait starts with the observed states of its [`WaitTarget`]s. When all objects are Current, no
//! request is needed. The others are followed by watches, which all waits of a process share
//! (`wait/watches.rs`). Each event is evaluated once on arrival, and only the result is stored.
//! `wait/progress.rs` decides, without I/O.
//!
//! Objects that are Current at the start are not watched. When other objects needed a wait, they
//! are read once more at the end: the result promises that all objects are healthy at one time. An
//! object may have failed or been deleted meanwhile. After a short wait, objects are not read that
//! only a deletion can change.

mod progress;
mod resolve;
mod watches;

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use jiff::Timestamp;
use sluice_client::{Cluster, GroupVersionKind};
use sluice_object::status::Status;
use sluice_object::{Object, ObjectId};
use sluice_system::Clock;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::health::{HealthEvaluator, HealthEvaluators};
use crate::target::{ObservedState, WaitTarget};

use progress::{Goal, ObjectIndex, Progress, STATUS_TIMEOUT, WaitState};
use resolve::ResolvedTarget;
pub use watches::Watches;
use watches::{Interest, Projection, Scope, Subscription, Update};

/// Minimum number of objects of a kind and namespace to list instead of read.
pub(crate) const MIN_LISTED: usize = 8;

/// Interval of reads where a watch is not possible or a read has failed.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Minimum time between reads of an object whose status depends on the time.
const MIN_RECHECK_DELAY: Duration = Duration::from_millis(250);
/// Maximum time until such a read, because the clock may be corrected meanwhile.
const MAX_RECHECK_DELAY: Duration = Duration::from_secs(15);
/// A wait in which a deletion may go unnoticed. Flux polls at this interval.
const UNNOTICED_TIME: Duration = Duration::from_secs(5);
/// Maximum number of concurrent reads of a wait.
const MAX_READS: usize = 8;

/// Options of a wait.
#[derive(Clone, Copy, Debug)]
pub struct WaitOptions {
    /// The maximum time.
    pub timeout: Duration,
    /// Whether the first failed object ends the wait.
    pub fail_fast: bool,
}

/// Why a wait failed. The texts list the objects.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WaitError {
    /// Objects were not healthy in time.
    #[error("timeout waiting for: [{0}]")]
    TimedOut(String),
    /// Objects have failed.
    #[error("failed early due to stalled resources: [{0}]")]
    Failed(String),
    /// Objects were not deleted in time.
    #[error("timeout waiting for termination of: [{0}]")]
    NotGone(String),
    /// The caller cancelled the wait.
    #[error("cancelled")]
    Cancelled,
    /// A namespaced object has no namespace.
    #[error("{0}: resource is namespace scoped, but namespace is not set")]
    NoNamespace(ObjectId),
}

/// Waits for objects, as one identity on one cluster.
#[derive(Clone, Debug)]
pub(crate) struct Waiter {
    pub(crate) cluster: Cluster,
    pub(crate) watches: Watches,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) evaluators: Arc<HealthEvaluators>,
}

impl Waiter {
    /// Returns the observed state of an object.
    pub(crate) fn observe(&self, object: &Object) -> ObservedState {
        let evaluator = self.evaluator(object.group(), object.kind());
        ObservedState::of(object, evaluator.map(Arc::as_ref), self.clock.now())
    }

    /// The health expressions of a kind.
    fn evaluator(&self, group: &str, kind: &str) -> Option<&Arc<HealthEvaluator>> {
        self.evaluators.for_kind(group, kind)
    }

    /// Waits until all objects are Current, or until `cancel` resolves.
    pub(crate) async fn wait(
        &self,
        targets: Vec<WaitTarget>,
        options: WaitOptions,
        cancel: impl Future<Output = ()>,
    ) -> Result<(), WaitError> {
        let goal = Goal::Current {
            fail_fast: options.fail_fast,
        };
        let wait = self.run(goal, targets, options.timeout);
        tokio::select! {
            biased;
            result = wait => result,
            () = cancel => Err(WaitError::Cancelled),
        }
    }

    /// Waits until all objects are deleted.
    pub(crate) async fn wait_gone(
        &self,
        targets: impl IntoIterator<Item = WaitTarget>,
        options: WaitOptions,
    ) -> Result<(), WaitError> {
        let targets = targets
            .into_iter()
            .map(|target| WaitTarget {
                state: None,
                ..target
            })
            .collect();
        self.run(Goal::Gone, targets, options.timeout).await
    }

    async fn run(
        &self,
        goal: Goal,
        targets: Vec<WaitTarget>,
        timeout: Duration,
    ) -> Result<(), WaitError> {
        let objects = targets
            .iter()
            .map(|target| (target.id.clone(), target.expires));
        let state = WaitState::new(goal, objects);
        let (sender, receiver) = mpsc::unbounded_channel();
        let mut wait = Wait {
            waiter: self,
            state,
            topics: Vec::new(),
            unwatched: Vec::new(),
            unread: Vec::new(),
            next_retry: Instant::now(),
            sender,
            receiver,
        };
        let deadline = Instant::now() + timeout;
        match tokio::time::timeout_at(deadline, wait.run(targets)).await {
            Ok(result) => result,
            Err(_) if goal == Goal::Gone => {
                Err(WaitError::NotGone(wait.state.describe_unready(true)))
            }
            Err(_) => match wait.state.describe_unready(true) {
                // The last object became Current at the moment of the timeout.
                unready if unready.is_empty() => Ok(()),
                unready => Err(WaitError::TimedOut(unready)),
            },
        }
    }
}

/// A wait in progress.
struct Wait<'a> {
    waiter: &'a Waiter,
    state: WaitState,
    topics: Vec<Topic>,
    /// Objects that were Current when they were observed, and are not watched.
    unwatched: Vec<UnwatchedObject>,
    /// Objects whose read has failed.
    unread: Vec<WaitTarget>,
    /// When they are read again.
    next_retry: Instant,
    // Boxed, because a channel allocates 32 slots and most waits get only a few updates.
    sender: mpsc::UnboundedSender<Box<Update>>,
    receiver: mpsc::UnboundedReceiver<Box<Update>>,
}

/// The data to read an object again. It is small, because a thousand waits may hold several each.
struct UnwatchedObject {
    index: ObjectIndex,
    version: String,
    selector: Option<Arc<str>>,
    is_settled: bool,
}

impl UnwatchedObject {
    /// Whether the object is read again at the end of a wait of this length.
    fn needs_confirmation(&self, waited: Duration) -> bool {
        !self.is_settled || waited >= UNNOTICED_TIME
    }
}

/// A subscription and its objects.
struct Topic {
    kind: TopicKind,
    subscription: Subscription,
}

enum TopicKind {
    /// The objects of a kind and namespace, sorted by name.
    Objects(Box<[ObjectIndex]>),
    /// The pods of a workload, with the names of failed ones.
    Pods {
        workload: ObjectIndex,
        failed: HashSet<Box<str>>,
    },
}

impl Wait<'_> {
    /// Work between two waits has boxed futures, so that each of a thousand waits is small.
    async fn run(&mut self, targets: Vec<WaitTarget>) -> Result<(), WaitError> {
        let begun = Instant::now();
        Box::pin(self.begin(targets)).await?;
        loop {
            match self.state.progress() {
                Progress::Done => return Ok(()),
                Progress::Failed => {
                    return Err(WaitError::Failed(self.state.describe_unready(false)));
                }
                Progress::Unconfirmed => {
                    // Objects that are not Current any more are watched from here on, so that the
                    // loop ends.
                    let waited = begun.elapsed();
                    let again: Vec<_> = self
                        .unwatched
                        .extract_if(.., |object| object.needs_confirmation(waited))
                        .collect();
                    self.state.discard(again.iter().map(|object| object.index));
                    let again = again.into_iter().filter_map(|object| {
                        let id = self.state.id(object.index)?.clone();
                        Some(WaitTarget {
                            selector: object.selector,
                            ..WaitTarget::new(id, object.version)
                        })
                    });
                    let again = again.collect();
                    Box::pin(self.begin(again)).await?;
                    continue;
                }
                Progress::Pending => self.state.mark_waited(),
            }
            let recheck = self.state.next_recheck();
            let until_recheck = recheck.map(|at| recheck_delay(at, self.waiter.clock.now()));
            tokio::select! {
                update = self.receiver.recv() => {
                    let mut next = update;
                    while let Some(update) = next {
                        self.apply_update(*update);
                        next = self.receiver.try_recv().ok();
                    }
                }
                () = tokio::time::sleep_until(begun + STATUS_TIMEOUT), if self.state.only_awaits_status() => {
                    self.state.accept_missing_status();
                }
                () = tokio::time::sleep(until_recheck.unwrap_or_default()),
                    if until_recheck.is_some() =>
                {
                    Box::pin(self.recheck()).await;
                }
                () = tokio::time::sleep_until(self.next_retry), if !self.unread.is_empty() => {
                    let unread = std::mem::take(&mut self.unread);
                    Box::pin(self.begin(unread)).await?;
                }
            }
        }
    }

    /// Reads objects without an observed state, and subscribes to those that are not ready.
    async fn begin(&mut self, mut targets: Vec<WaitTarget>) -> Result<(), WaitError> {
        let (waiter, goal) = (self.waiter, self.state.goal());
        if goal != Goal::Gone {
            waiter.list_unobserved(&mut targets).await;
        }
        let found: Vec<_> = futures::stream::iter(targets)
            .map(|target| async move { waiter.resolve(target, goal).await })
            .buffered(MAX_READS)
            .collect()
            .await;
        #[expect(
            clippy::mutable_key_type,
            reason = "the expressions in a scope are hashed and compared by text"
        )]
        let mut by_scope: HashMap<Scope, Vec<(ObjectIndex, ObservedState)>> = HashMap::new();
        for found in found {
            match found? {
                Ok(ResolvedTarget {
                    target,
                    kind,
                    state,
                }) => {
                    let Some(index) = self.state.index(&target.id) else {
                        continue;
                    };
                    self.state.set(index, &state);
                    if self.state.is_ready(index) {
                        self.unwatched.push(UnwatchedObject {
                            index,
                            version: target.version,
                            selector: target.selector,
                            is_settled: state.is_settled,
                        });
                    } else {
                        let evaluator = waiter.evaluator(&target.id.group, &target.id.kind);
                        let projection = Projection::Health(evaluator.cloned());
                        let scope = Scope::new(kind, &target.id.namespace, projection);
                        by_scope.entry(scope).or_default().push((index, state));
                    }
                }
                Err((target, error)) => {
                    if let Some(index) = self.state.index(&target.id) {
                        self.state
                            .set(index, &ObservedState::unknown(error.message()));
                    }
                    self.unread.push(target);
                    self.next_retry = Instant::now() + POLL_INTERVAL;
                }
            }
        }
        // A finished wait needs no watch.
        if self.state.progress() == Progress::Pending {
            for (scope, members) in by_scope {
                self.subscribe(scope, members);
            }
        }
        Ok(())
    }

    fn subscribe(&mut self, scope: Scope, mut members: Vec<(ObjectIndex, ObservedState)>) {
        members.sort_by_key(|(index, _)| *index);
        let indexes = members.iter().map(|(index, _)| *index).collect();
        let workloads: Vec<_> = members
            .iter()
            .filter_map(|(index, state)| Some((*index, state.pods.clone()?)))
            .collect();
        let known = members
            .into_iter()
            .filter_map(|(index, state)| Some((Box::from(self.state.name(index)?), state)))
            .collect();
        let interest = Interest {
            scope,
            known: Some(known),
            topic: self.topics.len(),
        };
        let subscription = self.waiter.watches.subscribe(
            &self.waiter.cluster,
            &self.waiter.clock,
            interest,
            &self.sender,
        );
        self.topics.push(Topic {
            kind: TopicKind::Objects(indexes),
            subscription,
        });
        for (workload, selector) in workloads {
            self.watch_pods(workload, &selector);
        }
    }

    /// Watches the pods of a workload in progress, once.
    fn watch_pods(&mut self, workload: ObjectIndex, selector: &str) {
        let is_watched = self.topics.iter().any(|topic| {
            matches!(&topic.kind, TopicKind::Pods { workload: other, .. } if *other == workload)
        });
        let Some(namespace) = self.state.id(workload).map(|id| id.namespace.as_str()) else {
            return;
        };
        if is_watched {
            return;
        }
        let kind = GroupVersionKind::gvk("", "v1", "Pod");
        let mut scope = Scope::new(kind, namespace, Projection::Pods);
        scope.select(selector);
        let interest = Interest {
            scope,
            known: None,
            topic: self.topics.len(),
        };
        let subscription = self.waiter.watches.subscribe(
            &self.waiter.cluster,
            &self.waiter.clock,
            interest,
            &self.sender,
        );
        self.topics.push(Topic {
            kind: TopicKind::Pods {
                workload,
                failed: HashSet::new(),
            },
            subscription,
        });
    }

    /// Applies an update to the state.
    fn apply_update(&mut self, update: Update) {
        let Some(topic) = self.topics.get_mut(update.topic) else {
            return;
        };
        match &mut topic.kind {
            TopicKind::Objects(indexes) => {
                let state = &mut self.state;
                let by_name = |index: &ObjectIndex| state.name(*index).cmp(&Some(&*update.name));
                let Ok(at) = indexes.binary_search_by(by_name) else {
                    return;
                };
                let index = indexes[at];
                state.set(index, &update.state);
                if let Some(selector) = &update.state.pods {
                    self.watch_pods(index, selector);
                }
            }
            TopicKind::Pods { workload, failed } => {
                if update.state.health.status == Status::Failed {
                    failed.insert(update.name);
                } else {
                    failed.remove(&update.name);
                }
                self.state.set_failed_pods(*workload, failed.len());
            }
        }
    }

    /// Reads objects whose status is not valid any more.
    async fn recheck(&mut self) {
        let now = self.waiter.clock.now();
        for topic in &self.topics {
            let TopicKind::Objects(indexes) = &topic.kind else {
                continue;
            };
            for index in indexes
                .iter()
                .filter(|index| self.state.needs_recheck(**index, now))
            {
                if let Some(name) = self.state.name(*index) {
                    topic.subscription.read(name).await;
                }
            }
        }
    }
}

/// Time until a status is not valid any more, within bounds.
fn recheck_delay(at: Timestamp, now: Timestamp) -> Duration {
    let left = Duration::try_from(at.duration_since(now)).unwrap_or_default();
    left.clamp(MIN_RECHECK_DELAY, MAX_RECHECK_DELAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settled_objects_are_confirmed_after_long_waits() {
        let mut object = UnwatchedObject {
            index: WaitState::new(Goal::Gone, [(ObjectId::default(), false)])
                .index(&ObjectId::default())
                .expect("an entry"),
            version: "v1".to_owned(),
            selector: None,
            is_settled: true,
        };
        assert!(!object.needs_confirmation(UNNOTICED_TIME / 2));
        assert!(object.needs_confirmation(UNNOTICED_TIME));
        object.is_settled = false;
        assert!(object.needs_confirmation(Duration::ZERO));
    }

    #[test]
    fn recheck_delay_is_bounded_when_the_clock_jumps() {
        let second = |second| Timestamp::from_second(second).expect("a timestamp");
        for (at, now, delay) in [
            (1_010, 1_000, Duration::from_secs(10)),
            (1_010, 1_010, MIN_RECHECK_DELAY),
            (1_010, 9_000_000, MIN_RECHECK_DELAY),
            (1_010, -9_000_000, MAX_RECHECK_DELAY),
        ] {
            assert_eq!(recheck_delay(second(at), second(now)), delay, "at {now}");
        }
    }
}
