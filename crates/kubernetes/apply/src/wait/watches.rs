//! The watches that all waits of a process share.
//!
//! One watch serves everyone who waits for objects of one kind in one namespace under one
//! identity; it opens with the first of them and closes with the last. It remembers the judgement
//! of each object it has heard of, not the object.
//!
//! A subscriber brings what it knows ([`Seen`], usually from the answer to its apply), and the
//! watch begins at that resource version, so that no list is needed. Who joins later may have
//! missed something: if the watch has not heard of the object and began after the subscriber's
//! knowledge, the object is read once. When the server has forgotten the version (410), the watch
//! starts over with a snapshot; subscribed objects that it lacks are read for deletions.
//!
//! Where watching is not allowed, the subscribed objects are read every now and then instead; so
//! are those for which no connection is left. A watch holds one for as long as it is open, and a
//! thousand tenants that wait at once must cost neither us nor the server a thousand of them.
//! Pods have no names before they are there: in both cases they are listed.

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

use super::POLL;
use crate::health::HealthEvaluator;
use crate::target::{Seen, Version};

const BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(100),
    max: Duration::from_secs(5),
};
/// Judgements of objects that nobody asked for yet are kept up to this number.
const MAX_UNASKED: usize = 4096;

/// Concurrent reads of one watch.
const REREADS: usize = 8;

/// Watches with a connection of their own at most.
const MAX_CONNECTIONS: usize = 256;
/// Longest pause between reads of what is not watched, which is how often Flux reads everything.
const MAX_POLL: Duration = Duration::from_secs(5);

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

/// What is judged of each object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Projection {
    /// Its health, by expressions if there are some; only who asks by the same ones shares it.
    Health(Option<Arc<HealthEvaluator>>),
    /// Only whether a pod has failed for good.
    Pods,
}

/// What a watch covers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Scope {
    kind: GroupVersionKind,
    /// Empty for cluster-wide kinds.
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

/// News of one object.
#[derive(Clone, Debug)]
pub(super) struct Update {
    /// The number that the subscriber gave.
    pub(super) topic: usize,
    pub(super) name: Box<str>,
    pub(super) seen: Seen,
}

/// A share in a watch; dropping it leaves.
#[derive(Debug)]
pub(super) struct Subscription {
    watch: Arc<Watch>,
    number: u64,
}

impl Subscription {
    /// Reads an object and tells what came of it, like any event.
    pub(super) async fn read(&self, name: &str) {
        // A read that fails leaves what is known; it is due again soon.
        let _answered = self.watch.inner.read(name).await;
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.watch.inner.state().leave(self.number);
    }
}

/// A watch under way; its task ends with it.
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
    /// From where on every event was heard; nothing while that is unknown.
    began: Option<Version>,
    heard: HashMap<Box<str>, Seen>,
    /// The objects of the snapshot that is being delivered.
    snapshot: Option<HashSet<Box<str>>>,
    /// Who wants to know of which object.
    by_name: HashMap<Box<str>, Vec<Subscriber>>,
    /// Who wants to know of every object.
    of_all: Vec<Subscriber>,
    next: u64,
}

#[derive(Clone, Debug)]
struct Subscriber {
    number: u64,
    topic: usize,
    sender: UnboundedSender<Box<Update>>,
}

impl Watches {
    /// Shares watches that hold no more than this many connections; beyond that is read.
    pub fn limited(max_connections: usize) -> Self {
        Self {
            open: Arc::default(),
            max_connections,
        }
    }

    /// Joins a watch, opening it if need be. `known` are the objects of interest with what is
    /// known of them; without it, every object of the scope is of interest.
    pub(super) fn subscribe(
        &self,
        cluster: &Cluster,
        clock: &Arc<dyn Clock>,
        scope: Scope,
        known: Option<Vec<(Box<str>, Seen)>>,
        topic: usize,
        sender: &UnboundedSender<Box<Update>>,
    ) -> Subscription {
        let oldest = known
            .iter()
            .flatten()
            .map(|(_, seen)| seen.version)
            .min()
            .filter(|version| *version > Version::default());
        let watch = self.open(cluster, clock, scope, oldest);
        let (number, unsure) = watch.inner.state().join(known, topic, sender);
        if !unsure.is_empty() {
            let inner = watch.inner.clone();
            // Not awaited: the watch is heard meanwhile, and what is read comes as an update.
            tokio::spawn(async move { inner.read_all(unsure).await });
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
                began: from,
                ..State::default()
            }),
        });
        let task = if count < self.max_connections {
            tokio::spawn(inner.clone().run(from))
        } else {
            // The more there are, the more rarely each is read: the server's load stays level.
            let pause = POLL.saturating_mul(u32::try_from(1 + count / 200).unwrap_or(u32::MAX));
            let inner = inner.clone();
            tokio::spawn(async move { inner.poll(pause.min(MAX_POLL)).await })
        };
        let task = task.abort_handle();
        let watch = Arc::new(Watch { inner, task });
        watches.push(Arc::downgrade(&watch));
        watch
    }

    /// Tells how many watches are open.
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
    /// Adds a subscriber; returns its number and the objects of which it may have missed news.
    fn join(
        &mut self,
        known: Option<Vec<(Box<str>, Seen)>>,
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
            for (name, seen) in &self.heard {
                subscriber.tell(name, seen);
            }
            self.of_all.push(subscriber);
            return (number, Vec::new());
        };
        let mut unsure = Vec::new();
        for (name, seen) in known {
            match self.heard.get(&name) {
                Some(heard) if heard.version >= seen.version => subscriber.tell(&name, heard),
                Some(_) => {}
                None if self.began.is_some_and(|began| began <= seen.version) => {}
                None => unsure.push(name.clone()),
            }
            self.by_name
                .entry(name)
                .or_default()
                .push(subscriber.clone());
        }
        (number, unsure)
    }

    fn leave(&mut self, number: u64) {
        self.of_all.retain(|subscriber| subscriber.number != number);
        self.by_name.retain(|_, subscribers| {
            subscribers.retain(|subscriber| subscriber.number != number);
            !subscribers.is_empty()
        });
    }

    /// Takes in what an event or a read told, unless something newer is known.
    fn hear(&mut self, name: &str, seen: Seen) {
        if let Some(snapshot) = &mut self.snapshot {
            snapshot.insert(name.into());
        }
        if let Some(heard) = self.heard.get(name)
            && (heard.version > seen.version || (self.snapshot.is_some() && *heard == seen))
        {
            return;
        }
        self.tell(name, &seen);
        if self.heard.len() >= MAX_UNASKED + self.by_name.len() {
            // Whoever asks for one of these later reads it, since it is not heard of.
            let by_name = &self.by_name;
            self.heard.retain(|name, _| by_name.contains_key(name));
            self.began = None;
        }
        self.heard.insert(name.into(), seen);
    }

    fn tell(&self, name: &str, seen: &Seen) {
        let named = self.by_name.get(name).into_iter().flatten();
        for subscriber in self.of_all.iter().chain(named) {
            subscriber.tell(name, seen);
        }
    }

    /// Begins a snapshot of all objects. Events may have been missed before it.
    fn begin_snapshot(&mut self) {
        self.began = None;
        self.snapshot = Some(HashSet::new());
    }

    /// Ends a snapshot of this version: known objects that it lacks are gone. Returns the names of
    /// objects that are asked for and unknown; they are to be read.
    fn end_snapshot(&mut self, version: Version) -> Vec<Box<str>> {
        let snapshot = self.snapshot.take().unwrap_or_default();
        let gone: Vec<_> = self
            .heard
            .iter()
            .filter(|(name, seen)| seen.version <= version && !snapshot.contains(*name))
            .map(|(name, _)| name.clone())
            .collect();
        for name in gone {
            self.heard.remove(&name);
            self.tell(&name, &Seen::gone(version));
        }
        self.began = Some(version);
        let names = self.by_name.keys();
        names
            .filter(|name| !self.heard.contains_key(*name))
            .cloned()
            .collect()
    }

    /// Takes in that a read found nothing. What an event told before is as new or newer: had the
    /// object been deleted after it, another event would say so.
    fn hear_absent(&mut self, name: &str) {
        if !self.heard.contains_key(name) {
            self.hear(name, Seen::gone(Version::default()));
        }
    }
}

impl Subscriber {
    fn tell(&self, name: &str, seen: &Seen) {
        // A wait that is over hears nothing; its subscription is about to be dropped.
        drop(self.sender.send(Box::new(Update {
            topic: self.topic,
            name: name.into(),
            seen: seen.clone(),
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
        let refusal = watcher.run(|event| self.handle(event)).await;
        tracing::debug!(error = %refusal, "watch refused, polling instead");
        self.poll(POLL).await;
    }

    fn handle(self: &Arc<Self>, event: Event) -> ControlFlow<Error> {
        match event {
            Event::Connected => {}
            Event::Restarted => self.state().begin_snapshot(),
            Event::Listed(value) | Event::Applied(value) => self.heed(value, false),
            Event::Deleted(value) => self.heed(value, true),
            Event::Synced { version } => {
                let unsure = self.state().end_snapshot(Version::parse(&version));
                if !unsure.is_empty() {
                    let inner = Arc::clone(self);
                    tokio::spawn(async move { inner.read_all(unsure).await });
                }
            }
            Event::Failed(failure) if failure.is_refusal() => {
                return ControlFlow::Break(failure.error);
            }
            Event::Failed(failure) => tracing::debug!(error = %failure.error, "watch failed"),
        }
        ControlFlow::Continue(())
    }

    fn heed(&self, value: Value, is_deleted: bool) {
        let Value::Object(fields) = value else {
            return;
        };
        let object = Object::from_map(fields);
        let seen = if is_deleted {
            Seen::gone(Version::of(&object))
        } else {
            self.judge(&object)
        };
        self.state().hear(object.name(), seen);
    }

    fn judge(&self, object: &Object) -> Seen {
        let now = self.clock.now();
        match &self.scope.projection {
            Projection::Health(evaluator) => Seen::of(object, evaluator.as_deref(), now),
            Projection::Pods => Seen {
                health: if status::fails_controller(object, now) {
                    Health::failed("")
                } else {
                    Health::in_progress("")
                },
                ..Seen::gone(Version::of(object))
            },
        }
    }

    /// Forgets what was heard.
    fn forget(&self) {
        let mut state = self.state();
        state.began = None;
        state.heard.clear();
    }

    /// Of what somebody wants to know.
    fn asked_for(&self) -> Vec<Box<str>> {
        self.state().by_name.keys().cloned().collect()
    }

    /// Reads objects until each was read once, or nobody asks any more: of what happened before
    /// the watch no event will come.
    async fn read_all(&self, mut names: Vec<Box<str>>) {
        loop {
            names = futures::stream::iter(names)
                .map(|name| async move { (!self.read(&name).await).then_some(name) })
                .buffer_unordered(REREADS)
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
            tokio::time::sleep(POLL).await;
        }
    }

    /// Reads an object once; tells whether the server answered.
    async fn read(&self, name: &str) -> bool {
        let read = self
            .cluster
            .get(&self.scope.kind, self.scope.namespace(), name)
            .await;
        match read {
            Ok(Some(value)) => {
                if let Value::Object(fields) = value {
                    let seen = self.judge(&Object::from_map(fields));
                    self.state().hear(name, seen);
                }
            }
            Ok(None) => self.state().hear_absent(name),
            Err(error) if error.is_no_match() && self.is_kind_gone().await => {
                self.state().hear_absent(name);
            }
            Err(error) => {
                let mut seen = Seen::unknown(error.message());
                // Whoever asked for it has nobody else who would ask again.
                seen.health.valid_until = self.clock.now().checked_add(POLL).ok();
                self.state().tell(name, &seen);
                return false;
            }
        }
        true
    }

    /// Whether the server has the kind in no version any more: then its objects went with it.
    async fn is_kind_gone(&self) -> bool {
        let preferred = self.cluster.preferred(&self.scope.kind.group_kind()).await;
        preferred.is_err_and(|error| error.is_no_match())
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
                listed.push((object.name().to_owned(), self.judge(&object)));
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
                for (name, seen) in listed {
                    state.hear(&name, seen);
                }
                let _names = state.end_snapshot(Version::parse(&version));
            }
            // The next list follows soon.
            Err(error) => tracing::debug!(%error, "list failed"),
        }
    }

    /// Reads what is subscribed to, again and again.
    async fn poll(&self, pause: Duration) {
        loop {
            if self.scope.projection == Projection::Pods {
                self.list().await;
            } else {
                // No event will correct what was heard: the next read is the truth.
                self.forget();
                futures::stream::iter(self.asked_for())
                    .for_each_concurrent(REREADS, |name| async move {
                        // A failed read is repeated like any other, a little later.
                        let _answered = self.read(&name).await;
                    })
                    .await;
            }
            tokio::time::sleep(pause).await;
        }
    }
}

#[cfg(test)]
mod tests;
