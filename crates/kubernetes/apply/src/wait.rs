//! Waiting until objects are healthy, or gone.
//!
//! Nothing is polled that can be watched. A wait begins with what the apply's own answers said
//! ([`WaitTarget`]); where all objects are Current by that, no request is needed at all. What is not
//! is followed by watches that all waits of a process share (`wait/watches.rs`); every event is
//! judged once, when it arrives, and only the judgement is kept. `wait/board.rs` holds the verdict,
//! pure.
//!
//! What was Current from the beginning is not followed. Where others had to be awaited, it is read
//! once more when they are Current: the promise is that all is healthy at one time, and what was
//! fine at first may have failed, or may have been deleted, by what came after.

mod board;
mod watches;

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use jiff::Timestamp;
use sluice_client::{Error, GroupVersionKind, ListOptions};
use sluice_object::status::Status;
use sluice_object::{Object, ObjectId};
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::applier::Applier;
use crate::applier::evaluate::WORTH_LISTING;
use crate::target::{Seen, Version, WaitTarget};

use board::{Board, Goal, Place, SETTLE, Verdict};
pub use watches::Watches;
use watches::{Projection, Scope, Subscription, Update};

/// How often is read what cannot be watched, or could not be read.
const POLL: Duration = Duration::from_secs(2);
/// How soon after one another an object is read again whose judgement depends on the time.
const RECHECK: Duration = Duration::from_millis(250);
/// How long is slept at most until then: the clock may be put right meanwhile.
const LONGEST_NAP: Duration = Duration::from_secs(15);
/// Reads that one wait has under way at most.
const READS: usize = 8;

/// How to wait.
#[derive(Clone, Copy, Debug)]
pub struct WaitOptions {
    /// After this time the wait ends with what is not there yet.
    pub timeout: Duration,
    /// Ends at the first object that has failed, without waiting for the others.
    pub fail_fast: bool,
}

/// Why a wait ended without what was waited for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WaitError {
    /// Not all was healthy in time; named is what was not.
    #[error("timeout waiting for: [{0}]")]
    TimedOut(String),
    /// These have failed, and no further waiting helps.
    #[error("failed early due to stalled resources: [{0}]")]
    Failed(String),
    /// These were still there when the time was over.
    #[error("timeout waiting for termination of: [{0}]")]
    NotGone(String),
    /// The caller cancelled; there is nothing to tell.
    #[error("cancelled")]
    Cancelled,
    /// A namespaced object is awaited in no namespace.
    #[error("{0}: resource is namespace scoped, but namespace is not set")]
    NoNamespace(ObjectId),
}

impl Applier {
    /// Waits until all objects are Current, by their own status.
    ///
    /// `cancel` ends the wait when it resolves; dropping the future ends it too.
    pub async fn wait(
        &self,
        targets: Vec<WaitTarget>,
        options: WaitOptions,
        cancel: impl Future<Output = ()>,
    ) -> Result<(), WaitError> {
        let goal = Goal::Current {
            fail_fast: options.fail_fast,
        };
        let wait = self.follow(goal, targets, options.timeout);
        tokio::select! {
            biased;
            result = wait => result,
            () = cancel => Err(WaitError::Cancelled),
        }
    }

    /// Waits until none of the objects is there any more.
    pub async fn wait_gone(
        &self,
        targets: impl IntoIterator<Item = WaitTarget>,
        options: WaitOptions,
    ) -> Result<(), WaitError> {
        let targets = targets
            .into_iter()
            .map(|target| WaitTarget {
                seen: None,
                ..target
            })
            .collect();
        self.follow(Goal::Gone, targets, options.timeout).await
    }

    async fn follow(
        &self,
        goal: Goal,
        targets: Vec<WaitTarget>,
        timeout: Duration,
    ) -> Result<(), WaitError> {
        let rows = targets
            .iter()
            .map(|target| (target.id.clone(), target.expires));
        let board = Board::new(goal, rows);
        let (sender, receiver) = mpsc::unbounded_channel();
        let mut wait = Wait {
            applier: self,
            board,
            topics: Vec::new(),
            unfollowed: Vec::new(),
            unread: Vec::new(),
            reread: Instant::now(),
            sender,
            receiver,
        };
        let deadline = Instant::now() + timeout;
        match tokio::time::timeout_at(deadline, wait.run(targets)).await {
            Ok(result) => result,
            Err(_) if goal == Goal::Gone => Err(WaitError::NotGone(wait.board.complaints(true))),
            Err(_) => match wait.board.complaints(true) {
                // The last one turned Current in the moment of the time-out.
                complaints if complaints.is_empty() => Ok(()),
                complaints => Err(WaitError::TimedOut(complaints)),
            },
        }
    }
}

/// One wait under way.
struct Wait<'a> {
    applier: &'a Applier,
    board: Board,
    topics: Vec<Topic>,
    /// Objects that were Current when they were seen, and of which no news comes.
    unfollowed: Vec<Unfollowed>,
    /// Objects that could not be read; they are tried again.
    unread: Vec<WaitTarget>,
    /// When, whatever news of others comes meanwhile.
    reread: Instant,
    // In boxes: a channel makes room for 32 at once, and most waits hear of three or four.
    sender: mpsc::UnboundedSender<Box<Update>>,
    receiver: mpsc::UnboundedReceiver<Box<Update>>,
}

/// What it takes to look at an object again: a thousand runs may wait at once, most of them with
/// several of these.
struct Unfollowed {
    place: Place,
    version: String,
    selector: Option<Arc<str>>,
}

/// What one subscription tells about.
struct Topic {
    about: About,
    subscription: Subscription,
}

enum About {
    /// The awaited objects of one kind and namespace, in the order of the board, which is that of
    /// their names.
    Objects(Box<[Place]>),
    /// The pods of a workload: the names of those that have failed.
    Pods {
        workload: Place,
        failed: HashSet<Box<str>>,
    },
}

/// An object that was found, and under which kind.
struct Found {
    target: WaitTarget,
    kind: GroupVersionKind,
    seen: Seen,
}

impl Wait<'_> {
    /// What is done between two waits has futures of its own: a thousand runs wait at once, and
    /// each keeps room for waiting only.
    async fn run(&mut self, targets: Vec<WaitTarget>) -> Result<(), WaitError> {
        let begun = Instant::now();
        Box::pin(self.begin(targets)).await?;
        loop {
            match self.board.verdict() {
                Verdict::Done => return Ok(()),
                Verdict::Failed => return Err(WaitError::Failed(self.board.complaints(false))),
                Verdict::Unsure => {
                    // What turns out to be no longer Current is followed from then on, so that
                    // this comes to an end.
                    let again = std::mem::take(&mut self.unfollowed);
                    self.board.doubt(again.iter().map(|object| object.place));
                    let again = again.into_iter().filter_map(|object| {
                        let id = self.board.id(object.place)?.clone();
                        Some(WaitTarget {
                            selector: object.selector,
                            ..WaitTarget::new(id, object.version)
                        })
                    });
                    let again = again.collect();
                    Box::pin(self.begin(again)).await?;
                    continue;
                }
                Verdict::Pending => self.board.spend(),
            }
            let recheck = self.board.next_recheck();
            let until_recheck = recheck.map(|at| pause_until(at, self.applier.clock.now()));
            tokio::select! {
                update = self.receiver.recv() => {
                    let mut next = update;
                    while let Some(update) = next {
                        self.heed(*update);
                        next = self.receiver.try_recv().ok();
                    }
                }
                () = tokio::time::sleep_until(begun + SETTLE), if self.board.waits_to_settle() => {
                    self.board.settle();
                }
                () = tokio::time::sleep(until_recheck.unwrap_or_default()),
                    if until_recheck.is_some() =>
                {
                    Box::pin(self.recheck()).await;
                }
                () = tokio::time::sleep_until(self.reread), if !self.unread.is_empty() => {
                    let unread = std::mem::take(&mut self.unread);
                    Box::pin(self.begin(unread)).await?;
                }
            }
        }
    }

    /// Reads what is not known yet and subscribes to what is not settled by that.
    async fn begin(&mut self, mut targets: Vec<WaitTarget>) -> Result<(), WaitError> {
        let (applier, goal) = (self.applier, self.board.goal());
        if goal != Goal::Gone {
            applier.list_unseen(&mut targets).await;
        }
        let found: Vec<_> = futures::stream::iter(targets)
            .map(|target| async move { applier.find(target, goal).await })
            .buffered(READS)
            .collect()
            .await;
        #[expect(
            clippy::mutable_key_type,
            reason = "the expressions in a scope are hashed and compared by their texts"
        )]
        let mut by_scope: HashMap<Scope, Vec<(Place, Seen)>> = HashMap::new();
        for found in found {
            match found? {
                Ok(Found { target, kind, seen }) => {
                    let Some(place) = self.board.place(&target.id) else {
                        continue;
                    };
                    self.board.see(place, &seen);
                    if self.board.is_settled(place) {
                        self.unfollowed.push(Unfollowed {
                            place,
                            version: target.version,
                            selector: target.selector,
                        });
                    } else {
                        let evaluator = applier.evaluator(&target.id.group, &target.id.kind);
                        let projection = Projection::Health(evaluator.cloned());
                        let scope = Scope::new(kind, &target.id.namespace, projection);
                        by_scope.entry(scope).or_default().push((place, seen));
                    }
                }
                Err((target, error)) => {
                    if let Some(place) = self.board.place(&target.id) {
                        self.board.see(place, &Seen::unknown(error.message()));
                    }
                    self.unread.push(target);
                    self.reread = Instant::now() + POLL;
                }
            }
        }
        // A wait that is over needs no watch.
        if self.board.verdict() == Verdict::Pending {
            for (scope, members) in by_scope {
                self.subscribe(scope, members);
            }
        }
        Ok(())
    }

    fn subscribe(&mut self, scope: Scope, mut members: Vec<(Place, Seen)>) {
        members.sort_by_key(|(place, _)| *place);
        let places = members.iter().map(|(place, _)| *place).collect();
        let workloads: Vec<_> = members
            .iter()
            .filter_map(|(place, seen)| Some((*place, seen.pods.clone()?)))
            .collect();
        let known = members
            .into_iter()
            .filter_map(|(place, seen)| Some((Box::from(self.board.name(place)?), seen)))
            .collect();
        let subscription = self.applier.watches.subscribe(
            &self.applier.cluster,
            &self.applier.clock,
            scope,
            Some(known),
            self.topics.len(),
            &self.sender,
        );
        self.topics.push(Topic {
            about: About::Objects(places),
            subscription,
        });
        for (workload, selector) in workloads {
            self.follow_pods(workload, &selector);
        }
    }

    /// Follows the pods of a workload that is in progress, once.
    fn follow_pods(&mut self, workload: Place, selector: &str) {
        let is_followed = self.topics.iter().any(
            |topic| matches!(&topic.about, About::Pods { workload: other, .. } if *other == workload),
        );
        let Some(namespace) = self.board.id(workload).map(|id| id.namespace.as_str()) else {
            return;
        };
        if is_followed {
            return;
        }
        let kind = GroupVersionKind::gvk("", "v1", "Pod");
        let mut scope = Scope::new(kind, namespace, Projection::Pods);
        scope.select(selector);
        let subscription = self.applier.watches.subscribe(
            &self.applier.cluster,
            &self.applier.clock,
            scope,
            None,
            self.topics.len(),
            &self.sender,
        );
        self.topics.push(Topic {
            about: About::Pods {
                workload,
                failed: HashSet::new(),
            },
            subscription,
        });
    }

    /// Takes news in.
    fn heed(&mut self, update: Update) {
        let Some(topic) = self.topics.get_mut(update.topic) else {
            return;
        };
        match &mut topic.about {
            About::Objects(places) => {
                let board = &mut self.board;
                let named = |place: &Place| board.name(*place).cmp(&Some(&*update.name));
                let Some(place) = places.binary_search_by(named).ok().map(|at| places[at]) else {
                    return;
                };
                board.see(place, &update.seen);
                if let Some(selector) = &update.seen.pods {
                    self.follow_pods(place, selector);
                }
            }
            About::Pods { workload, failed } => {
                if update.seen.health.status == Status::Failed {
                    failed.insert(update.name);
                } else {
                    failed.remove(&update.name);
                }
                self.board.see_failed_pods(*workload, failed.len());
            }
        }
    }

    /// Reads again what would be judged otherwise by now.
    async fn recheck(&mut self) {
        let now = self.applier.clock.now();
        for topic in &self.topics {
            let About::Objects(places) = &topic.about else {
                continue;
            };
            for place in places
                .iter()
                .filter(|place| self.board.is_due(**place, now))
            {
                if let Some(name) = self.board.name(*place) {
                    topic.subscription.read(name).await;
                }
            }
        }
    }
}

/// How long to sleep until a judgement does not hold any more.
fn pause_until(at: Timestamp, now: Timestamp) -> Duration {
    let left = Duration::try_from(at.duration_since(now)).unwrap_or_default();
    left.clamp(RECHECK, LONGEST_NAP)
}

impl Applier {
    /// Lists what nothing is known of, where that saves requests. What no list has is left to be
    /// read: it may have lost its labels only.
    async fn list_unseen(&self, targets: &mut [WaitTarget]) {
        let mut groups: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, target) in targets.iter().enumerate() {
            if target.seen.is_none()
                && let Some(selector) = &target.selector
            {
                let ObjectId {
                    group,
                    kind,
                    namespace,
                    ..
                } = target.id.clone();
                let key = (
                    group,
                    kind,
                    target.version.clone(),
                    namespace,
                    selector.clone(),
                );
                groups.entry(key).or_default().push(index);
            }
        }
        for ((_, _, _, namespace, selector), members) in groups {
            if members.len() < WORTH_LISTING {
                continue;
            }
            // Why a kind is not found is told of each object.
            let Ok((kind, _)) = self.kind_of(&targets[members[0]]).await else {
                continue;
            };
            let namespace = Some(namespace.as_str()).filter(|namespace| !namespace.is_empty());
            let options = ListOptions {
                labels: Some(selector.to_string()),
                ..ListOptions::default()
            };
            let mut listed: HashMap<String, Seen> = HashMap::new();
            let read = self.cluster.list_each(&kind, namespace, &options, |item| {
                if let Ok(object) = Object::try_from(item) {
                    listed.insert(object.name().to_owned(), self.see(&object));
                }
            });
            match read.await {
                Ok(_) => {
                    for index in members {
                        let target = &mut targets[index];
                        target.seen = listed.remove(&target.id.name);
                    }
                }
                Err(error) => tracing::debug!(%error, "not listed, reading one by one"),
            }
        }
    }

    /// Finds an object: under which kind it is served, and what is known of it.
    ///
    /// The outer error ends the wait; the inner one is tried again.
    async fn find(
        &self,
        target: WaitTarget,
        goal: Goal,
    ) -> Result<Result<Found, (WaitTarget, Error)>, WaitError> {
        let (kind, namespaced) = match self.kind_of(&target).await {
            Ok(found) => found,
            // With the kind went its objects.
            Err(error) if error.is_no_match() && goal == Goal::Gone => {
                let id = &target.id;
                return Ok(Ok(Found {
                    kind: GroupVersionKind::gvk(&id.group, &target.version, &id.kind),
                    seen: Seen::gone(Version::default()),
                    target,
                }));
            }
            Err(error) => return Ok(Err((target, error))),
        };
        if namespaced && target.id.namespace.is_empty() {
            return Err(WaitError::NoNamespace(target.id));
        }
        if let Some(seen) = target.seen.clone() {
            return Ok(Ok(Found { target, kind, seen }));
        }
        let namespace = Some(target.id.namespace.as_str()).filter(|name| !name.is_empty());
        let read = self.cluster.get(&kind, namespace, &target.id.name).await;
        Ok(match read {
            Ok(Some(value)) => {
                let object = Object::try_from(value).unwrap_or_default();
                let seen = self.see(&object);
                Ok(Found { target, kind, seen })
            }
            Ok(None) => Ok(Found {
                target,
                kind,
                seen: Seen::gone(Version::default()),
            }),
            Err(error) => Err((target, error)),
        })
    }

    /// Finds the kind in the named version, or else in the one that the server prefers.
    async fn kind_of(&self, target: &WaitTarget) -> Result<(GroupVersionKind, bool), Error> {
        let kind = GroupVersionKind::gvk(&target.id.group, &target.version, &target.id.kind);
        let resource = match self.cluster.resolve(&kind).await {
            Err(error) if error.is_no_match() => self.cluster.preferred(&kind.group_kind()).await?,
            resolved => resolved?,
        };
        Ok((resource.gvk(), resource.namespaced))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_put_back_and_right_again_keeps_no_wait_asleep() {
        let second = |second| Timestamp::from_second(second).expect("a timestamp");
        for (at, now, pause) in [
            (1_010, 1_000, Duration::from_secs(10)),
            (1_010, 1_010, RECHECK),
            (1_010, 9_000_000, RECHECK),
            (1_010, -9_000_000, LONGEST_NAP),
        ] {
            assert_eq!(pause_until(second(at), second(now)), pause, "at {now}");
        }
    }
}
