//! Watches that all waits of a process share.
//!
//! One watch serves all waits for objects of a kind and namespace under one identity. It opens with
//! the first subscriber and closes with the last. It stores the observed state of each object, not
//! the object.
//!
//! A subscriber brings the states that it knows, usually from the answers to its apply. The watch
//! starts at their resource version, so no list is needed. A later subscriber may have missed an
//! event: if the watch has no state of an object and started after the known state, the object is
//! read once. When the server has dropped the version (410), the watch restarts with a snapshot.
//! Subscribed objects that are missing in it are read.
//!
//! Without permission to watch, or beyond the maximum number of connections, the subscribed objects
//! are polled. A watch holds a connection, and a thousand waiting tenants must not need a thousand
//! of them. The names of pods are not known in advance, so pods are listed when polled.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use futures::StreamExt as _;
use sluice_client::watch::{self, Backoff, Event, Watcher};
use sluice_client::{Cluster, Error, GroupVersionKind, ListOptions};
use sluice_object::status::{self, Health};
use sluice_object::{Object, Value};
use sluice_system::Clock;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::AbortHandle;

use super::POLL_INTERVAL;
use crate::health::HealthEvaluator;
use crate::target::{ObservedState, Version};

const BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(100),
    max: Duration::from_secs(5),
};
/// Maximum number of stored states without a subscriber.
const MAX_UNSUBSCRIBED: usize = 4096;

/// Concurrent reads of a watch.
const MAX_READS: usize = 8;

/// Maximum number of watches with a connection.
const MAX_CONNECTIONS: usize = 256;
/// Maximum poll interval, equal to Flux's interval for all objects.
const MAX_POLL_INTERVAL: Duration = Duration::from_secs(5);

/// The open watches. Clones share them.
#[derive(Clone, Debug)]
pub struct Watches {
    open: Arc<Mutex<HashMap<Scope, Vec<Weak<Watch>>>>>,
    max_connections: usize,
}

impl Default for Watches {
    fn default() -> Self {
        Self::limited(MAX_CONNECTIONS)
    }
}

/// The observed part of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Projection {
    /// Its health, by expressions if given. Only equal expressions share a watch.
    Health(Option<Arc<HealthEvaluator>>),
    /// Whether a pod has failed permanently.
    Pods,
}

/// The scope of a watch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Scope {
    kind: GroupVersionKind,
    /// Empty for cluster-scoped kinds.
    namespace: String,
    labels: Option<String>,
    projection: Projection,
}

impl Scope {
    pub(super) fn new(kind: GroupVersionKind, namespace: &str, projection: Projection) -> Self {
        Self {
            kind,
            namespace: namespace.to_owned(),
            labels: None,
            projection,
        }
    }

    pub(super) fn select(&mut self, labels: &str) {
        self.labels = Some(labels.to_owned());
    }

    fn namespace(&self) -> Option<&str> {
        Some(self.namespace.as_str()).filter(|namespace| !namespace.is_empty())
    }
}

/// A new state of an object.
#[derive(Clone, Debug)]
pub(super) struct Update {
    /// The topic of the subscriber.
    pub(super) topic: usize,
    pub(super) name: Box<str>,
    pub(super) state: ObservedState,
}

/// A subscription to a watch, which ends on drop.
#[derive(Debug)]
pub(super) struct Subscription {
    watch: Arc<Watch>,
    number: u64,
}

impl Subscription {
    /// Reads an object and notifies subscribers.
    pub(super) async fn read(&self, name: &str) {
        // After a failed read the known state remains, and the next read is due soon.
        let _answered = self.watch.inner.read(name).await;
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.watch.inner.state().leave(self.number);
    }
}

/// An open watch. Its task ends on drop.
#[derive(Debug)]
struct Watch {
    inner: Arc<Inner>,
    task: AbortHandle,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[derive(Debug)]
struct Inner {
    cluster: Cluster,
    clock: Arc<dyn Clock>,
    scope: Scope,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The version since which every event was received, if known.
    complete_since: Option<Version>,
    states: HashMap<Box<str>, ObservedState>,
    /// The names in the snapshot that is being delivered.
    snapshot: Option<HashSet<Box<str>>>,
    /// Subscribers of single objects.
    by_name: HashMap<Box<str>, Vec<Subscriber>>,
    /// Subscribers of all objects.
    of_all: Vec<Subscriber>,
    next: u64,
}

/// The objects that a subscriber wants to hear about.
pub(super) struct Interest {
    pub(super) scope: Scope,
    /// The objects with their states. `None` for every object of the scope.
    pub(super) known: Option<Vec<(Box<str>, ObservedState)>>,
    /// The number that updates carry.
    pub(super) topic: usize,
}

#[derive(Clone, Debug)]
struct Subscriber {
    number: u64,
    topic: usize,
    sender: UnboundedSender<Box<Update>>,
}

impl Watches {
    /// Creates an empty set. Watches beyond the maximum number of connections poll.
    pub fn limited(max_connections: usize) -> Self {
        Self {
            open: Arc::default(),
            max_connections,
        }
    }

    /// Subscribes to a watch and opens it if needed.
    pub(super) fn subscribe(
        &self,
        cluster: &Cluster,
        clock: &Arc<dyn Clock>,
        interest: Interest,
        sender: &UnboundedSender<Box<Update>>,
    ) -> Subscription {
        let Interest {
            scope,
            known,
            topic,
        } = interest;
        let oldest = known
            .iter()
            .flatten()
            .map(|(_, state)| state.version)
            .min()
            .filter(|version| *version > Version::default());
        let watch = self.open(cluster, clock, scope, oldest);
        let (number, outdated) = watch.inner.state().join(known, topic, sender);
        if !outdated.is_empty() {
            let inner = watch.inner.clone();
            // Not awaited, so that events are handled meanwhile.
            sluice_system::spawn(async move { inner.read_all(outdated).await });
        }
        Subscription { watch, number }
    }

    fn open(
        &self,
        cluster: &Cluster,
        clock: &Arc<dyn Clock>,
        scope: Scope,
        from: Option<Version>,
    ) -> Arc<Watch> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, watches| {
            watches.retain(|watch| watch.strong_count() > 0);
            !watches.is_empty()
        });
        let count = open.values().map(Vec::len).sum::<usize>();
        let watches = open.entry(scope.clone()).or_default();
        let shared = watches
            .iter()
            .filter_map(Weak::upgrade)
            .find(|watch| watch.inner.cluster.is_same(cluster));
        if let Some(watch) = shared {
            return watch;
        }
        let inner = Arc::new(Inner {
            cluster: cluster.clone(),
            clock: clock.clone(),
            scope,
            state: Mutex::new(State {
                complete_since: from,
                ..State::default()
            }),
        });
        let task = if count < self.max_connections {
            sluice_system::spawn(inner.clone().run(from))
        } else {
            // More watches are polled less often, which keeps the load of the server constant.
            let factor = u32::try_from(1 + count / 200).unwrap_or(u32::MAX);
            let interval = POLL_INTERVAL.saturating_mul(factor).min(MAX_POLL_INTERVAL);
            let inner = inner.clone();
            sluice_system::spawn(async move { inner.poll(interval).await })
        };
        let task = task.abort_handle();
        let watch = Arc::new(Watch { inner, task });
        watches.push(Arc::downgrade(&watch));
        watch
    }

    /// The number of open watches.
    pub fn len(&self) -> usize {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.values()
            .flatten()
            .filter(|watch| watch.strong_count() > 0)
            .count()
    }

    /// Whether no watch is open.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl State {
    /// Adds a subscriber. Returns its number and the objects whose events it may have missed.
    fn join(
        &mut self,
        known: Option<Vec<(Box<str>, ObservedState)>>,
        topic: usize,
        sender: &UnboundedSender<Box<Update>>,
    ) -> (u64, Vec<Box<str>>) {
        let number = self.next;
        self.next += 1;
        let subscriber = Subscriber {
            number,
            topic,
            sender: sender.clone(),
        };
        let Some(known) = known else {
            for (name, state) in &self.states {
                subscriber.send(name, state);
            }
            self.of_all.push(subscriber);
            return (number, Vec::new());
        };
        let mut outdated = Vec::new();
        for (name, known) in known {
            match self.states.get(&name) {
                Some(state) if state.version >= known.version => subscriber.send(&name, state),
                Some(_) => {}
                None if self
                    .complete_since
                    .is_some_and(|since| since <= known.version) => {}
                None => outdated.push(name.clone()),
            }
            self.by_name
                .entry(name)
                .or_default()
                .push(subscriber.clone());
        }
        (number, outdated)
    }

    fn leave(&mut self, number: u64) {
        self.of_all.retain(|subscriber| subscriber.number != number);
        self.by_name.retain(|_, subscribers| {
            subscribers.retain(|subscriber| subscriber.number != number);
            !subscribers.is_empty()
        });
    }

    /// Stores the state from an event or a read, unless a newer one is known.
    fn update(&mut self, name: &str, state: ObservedState) {
        if let Some(snapshot) = &mut self.snapshot {
            snapshot.insert(name.into());
        }
        if let Some(known) = self.states.get(name)
            && (known.version > state.version || (self.snapshot.is_some() && *known == state))
        {
            return;
        }
        self.notify(name, &state);
        if self.states.len() >= MAX_UNSUBSCRIBED + self.by_name.len() {
            // Later subscribers of a dropped state read the object.
            let by_name = &self.by_name;
            self.states.retain(|name, _| by_name.contains_key(name));
            self.complete_since = None;
        }
        self.states.insert(name.into(), state);
    }

    fn notify(&self, name: &str, state: &ObservedState) {
        let named = self.by_name.get(name).into_iter().flatten();
        for subscriber in self.of_all.iter().chain(named) {
            subscriber.send(name, state);
        }
    }

    /// Starts a snapshot of all objects. Events before it may have been missed.
    fn begin_snapshot(&mut self) {
        self.complete_since = None;
        self.snapshot = Some(HashSet::new());
    }

    /// Ends a snapshot. Known objects that are missing in it are gone. Returns the names of
    /// subscribed objects without a state, which must be read.
    fn end_snapshot(&mut self, version: Version) -> Vec<Box<str>> {
        let snapshot = self.snapshot.take().unwrap_or_default();
        let gone: Vec<_> = self
            .states
            .iter()
            .filter(|(name, state)| state.version <= version && !snapshot.contains(*name))
            .map(|(name, _)| name.clone())
            .collect();
        for name in gone {
            self.states.remove(&name);
            self.notify(&name, &ObservedState::absent(version));
        }
        self.complete_since = Some(version);
        let names = self.by_name.keys();
        names
            .filter(|name| !self.states.contains_key(*name))
            .cloned()
            .collect()
    }

    /// Stores that a read found no object. A known state is at least as new, because a deletion
    /// after it would have caused an event.
    fn update_absent(&mut self, name: &str) {
        if !self.states.contains_key(name) {
            self.update(name, ObservedState::absent(Version::default()));
        }
    }
}

impl Subscriber {
    fn send(&self, name: &str, state: &ObservedState) {
        // A finished wait has closed its receiver and is about to unsubscribe.
        drop(self.sender.send(Box::new(Update {
            topic: self.topic,
            name: name.into(),
            state: state.clone(),
        })));
    }
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(self: Arc<Self>, from: Option<Version>) {
        let scope = watch::Scope {
            namespace: self.scope.namespace().map(str::to_owned),
            labels: self.scope.labels.clone(),
            fields: None,
            metadata_only: false,
        };
        let kind = self.scope.kind.clone();
        let mut watcher = Watcher::new(self.cluster.clone(), kind, scope, BACKOFF);
        if let Some(from) = from {
            watcher = watcher.resume_after(from.0.to_string());
        }
        let rejection = watcher.run(|event| self.handle(event)).await;
        tracing::debug!(error = %rejection, "watch rejected, polling instead");
        self.poll(POLL_INTERVAL).await;
    }

    fn handle(self: &Arc<Self>, event: Event) -> ControlFlow<Error> {
        match event {
            Event::Connected => {}
            Event::Restarted => self.state().begin_snapshot(),
            Event::Listed(value) | Event::Applied(value) => self.handle_object(value, false),
            Event::Deleted(value) => self.handle_object(value, true),
            Event::Synced { version } => {
                let missing = self.state().end_snapshot(Version::parse(&version));
                if !missing.is_empty() {
                    let inner = Arc::clone(self);
                    sluice_system::spawn(async move { inner.read_all(missing).await });
                }
            }
            Event::Failed(failure) if failure.is_refusal() => {
                return ControlFlow::Break(failure.error);
            }
            Event::Failed(failure) => tracing::debug!(error = %failure.error, "watch failed"),
        }
        ControlFlow::Continue(())
    }

    fn handle_object(&self, value: Value, is_deleted: bool) {
        let Value::Object(fields) = value else {
            return;
        };
        let object = Object::from_map(fields);
        let state = if is_deleted {
            ObservedState::absent(Version::of(&object))
        } else {
            self.observe(&object)
        };
        self.state().update(object.name(), state);
    }

    fn observe(&self, object: &Object) -> ObservedState {
        let now = self.clock.now();
        match &self.scope.projection {
            Projection::Health(evaluator) => ObservedState::of(object, evaluator.as_deref(), now),
            Projection::Pods => ObservedState {
                health: if status::fails_controller(object, now) {
                    Health::failed("")
                } else {
                    Health::in_progress("")
                },
                ..ObservedState::absent(Version::of(object))
            },
        }
    }

    /// Discards all states.
    fn discard_states(&self) {
        let mut state = self.state();
        state.complete_since = None;
        state.states.clear();
    }

    fn subscribed_names(&self) -> Vec<Box<str>> {
        self.state().by_name.keys().cloned().collect()
    }

    /// Reads objects until each read has succeeded once or its subscribers have left. Events before
    /// the start of the watch do not arrive.
    async fn read_all(&self, mut names: Vec<Box<str>>) {
        loop {
            names = futures::stream::iter(names)
                .map(|name| async move { (!self.read(&name).await).then_some(name) })
                .buffer_unordered(MAX_READS)
                .filter_map(std::future::ready)
                .collect()
                .await;
            {
                let state = self.state();
                names.retain(|name| state.by_name.contains_key(name));
            }
            if names.is_empty() {
                return;
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Reads an object once. Returns whether the server answered.
    async fn read(&self, name: &str) -> bool {
        let read = self
            .cluster
            .get(&self.scope.kind, self.scope.namespace(), name)
            .await;
        match read {
            Ok(Some(value)) => {
                if let Value::Object(fields) = value {
                    let state = self.observe(&Object::from_map(fields));
                    self.state().update(name, state);
                }
            }
            Ok(None) => self.state().update_absent(name),
            Err(error) if error.has_no_match() && self.is_kind_gone().await => {
                self.state().update_absent(name);
            }
            Err(error) => {
                let mut state = ObservedState::unknown(error.message());
                // The time limit makes the wait read the object again.
                state.health.valid_until = self.clock.now().checked_add(POLL_INTERVAL).ok();
                self.state().notify(name, &state);
                return false;
            }
        }
        true
    }

    /// Whether the server has the kind in no version, so that its objects are gone.
    async fn is_kind_gone(&self) -> bool {
        let preferred = self.cluster.preferred(&self.scope.kind.group_kind()).await;
        preferred.is_err_and(|error| error.has_no_match())
    }

    /// Lists the scope, like a snapshot of a watch.
    async fn list(&self) {
        let options = ListOptions {
            labels: self.scope.labels.clone(),
            without_managers: true,
            ..ListOptions::default()
        };
        let mut listed = Vec::new();
        let each = |value| {
            if let Value::Object(fields) = value {
                let object = Object::from_map(fields);
                listed.push((object.name().to_owned(), self.observe(&object)));
            }
        };
        let answer = self
            .cluster
            .list_each(&self.scope.kind, self.scope.namespace(), &options, each)
            .await;
        match answer {
            Ok(version) => {
                let mut state = self.state();
                state.begin_snapshot();
                for (name, observed) in listed {
                    state.update(&name, observed);
                }
                let _names = state.end_snapshot(Version::parse(&version));
            }
            // The next list follows soon.
            Err(error) => tracing::debug!(%error, "list failed"),
        }
    }

    /// Polls the subscribed objects forever.
    async fn poll(&self, interval: Duration) {
        loop {
            if self.scope.projection == Projection::Pods {
                self.list().await;
            } else {
                // Without events, each read replaces all known states.
                self.discard_states();
                futures::stream::iter(self.subscribed_names())
                    .for_each_concurrent(MAX_READS, |name| async move {
                        // A failed read is retried at the next poll.
                        let _answered = self.read(&name).await;
                    })
                    .await;
            }
            tokio::time::sleep(interval).await;
        }
    }
}

#[cfg(test)]
mod tests;
