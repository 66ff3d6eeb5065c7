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
//! starts over with whatever exists, and once it is open, what is subscribed to is read for
//! deletions.
//!
//! Where watching is not allowed, the subscribed objects are read every now and then instead; so
//! are those for which no connection is left. A watch holds one for as long as it is open, and a
//! thousand tenants that wait at once must cost neither us nor the server a thousand of them.
//! Pods have no names before they are there: in both cases, and to start over, they are listed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use futures::StreamExt as _;
use sluice_client::{Cluster, Error, GroupVersionKind, ListOptions, WatchEvent, WatchOptions};
use sluice_object::cel::health::HealthEvaluator;
use sluice_object::status::{self, Health};
use sluice_object::{Object, Value};
use sluice_system::Clock;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::POLL;
use crate::target::{Seen, Version};

/// Longest pause before a broken watch is opened again.
const MAX_PAUSE: Duration = Duration::from_secs(5);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// Judgements of objects that nobody asked for yet are kept up to this number.
const MAX_UNASKED: usize = 4096;

/// Reads at once after a watch had to start over.
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
        if self
            .heard
            .get(name)
            .is_some_and(|heard| heard.version > seen.version)
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

    /// Takes in a list of all that there is: what was heard of and is not among it is gone. No
    /// event may come meanwhile, so that nothing newer can be known.
    fn hear_all(&mut self, listed: Vec<(Box<str>, Seen)>, version: Version) {
        let mut before = std::mem::take(&mut self.heard);
        for (name, seen) in listed {
            if before.remove(&name).as_ref() != Some(&seen) {
                self.tell(&name, &seen);
            }
            self.heard.insert(name, seen);
        }
        for name in before.into_keys() {
            self.tell(&name, &Seen::gone(version));
        }
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

/// How a watch ended.
enum End {
    /// The server ended it, or the connection broke: go on from here.
    Interrupted(Option<Error>),
    /// The server forgot the version: start over.
    Expired,
    /// It is not allowed, or not possible.
    Refused(Error),
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(self: Arc<Self>, from: Option<Version>) {
        let mut from = from.map_or_else(String::new, |version| version.0.to_string());
        let mut pause = FIRST_PAUSE;
        loop {
            let began = Instant::now();
            match self.follow(&mut from).await {
                End::Expired if self.scope.projection == Projection::Pods => {
                    from = self.list().await.unwrap_or_default();
                }
                End::Expired => {
                    from.clear();
                    self.forget();
                }
                End::Interrupted(error) => {
                    if let Some(error) = error {
                        tracing::debug!(%error, "a watch broke");
                    }
                }
                End::Refused(error) => {
                    tracing::debug!(%error, "not watched, reading every now and then");
                    return self.poll(POLL).await;
                }
            }
            // A server that ends every watch at once, or forgets every version, is asked ever more
            // rarely; one that ends a watch after a while is well.
            if began.elapsed() > MAX_PAUSE {
                pause = FIRST_PAUSE;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }

    /// Follows one connection from a version on, or from whatever exists when that is empty.
    async fn follow(self: &Arc<Self>, from: &mut String) -> End {
        let mut is_complete = !from.is_empty();
        let options = WatchOptions {
            labels: self.scope.labels.clone(),
            ..WatchOptions::default()
        };
        let opened = self
            .cluster
            .watch(&self.scope.kind, self.scope.namespace(), from, &options)
            .await;
        let mut events = match opened {
            Ok(events) => events,
            Err(error) => return end_of(error),
        };
        if from.is_empty() && self.scope.projection != Projection::Pods {
            // What exists will be told, and what goes from now on. What went before is found by a
            // read, which must not come before: nobody would hear of what goes in between.
            let (inner, names) = (Arc::clone(self), self.asked_for());
            tokio::spawn(async move { inner.read_all(names).await });
        }
        while let Some(event) = events.next().await {
            match event {
                Ok(WatchEvent::Added(value) | WatchEvent::Modified(value)) => {
                    self.heed(value, false, from);
                }
                Ok(WatchEvent::Deleted(value)) => {
                    self.heed(value, true, from);
                }
                Ok(WatchEvent::Bookmark(bookmark)) => {
                    is_complete = true;
                    from.clone_from(&bookmark.metadata.resource_version);
                }
                Ok(WatchEvent::Error(status)) => {
                    return end_of(Error::Api {
                        action: format!("watch {}", self.scope.kind.kind),
                        status,
                    });
                }
                Err(error) => {
                    tracing::debug!(%error, "a watch broke");
                    break;
                }
            }
        }
        // What exists is told in no order of versions: where it broke off nobody knows what was
        // left out, so only a bookmark makes it a place to go on from.
        if is_complete {
            End::Interrupted(None)
        } else {
            End::Expired
        }
    }

    fn heed(&self, value: Value, is_deleted: bool, from: &mut String) {
        let Value::Object(fields) = value else {
            return;
        };
        let object = Object::from_map(fields);
        if let Some(version) = object.resource_version()
            && Version::parse(version) >= Version::parse(from)
        {
            version.clone_into(from);
        }
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
                seen.health.holds_until = self.clock.now().checked_add(POLL).ok();
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

    /// Lists all that is covered; gives the version of the list, if the server answered.
    async fn list(&self) -> Option<String> {
        let options = ListOptions {
            labels: self.scope.labels.clone(),
            without_managers: true,
            ..ListOptions::default()
        };
        let mut listed = Vec::new();
        let each = |value| {
            if let Value::Object(fields) = value {
                let object = Object::from_map(fields);
                listed.push((object.name().into(), self.judge(&object)));
            }
        };
        let answer = self
            .cluster
            .list_each(&self.scope.kind, self.scope.namespace(), &options, each)
            .await;
        match answer {
            Ok(version) => {
                self.state().hear_all(listed, Version::parse(&version));
                Some(version)
            }
            Err(error) => {
                tracing::debug!(%error, "not listed; what was heard stands");
                None
            }
        }
    }

    /// Reads what is subscribed to, again and again.
    async fn poll(&self, pause: Duration) {
        loop {
            if self.scope.projection == Projection::Pods {
                // A list that fails is repeated like any other, a little later.
                let _version = self.list().await;
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

fn end_of(error: Error) -> End {
    let is_impossible = error.is_no_match()
        || error.is_forbidden()
        || error.is_unauthorized()
        || error.is_not_found()
        || error.status().is_some_and(|status| status.code == 405);
    if error.is_expired() {
        End::Expired
    } else if is_impossible {
        End::Refused(error)
    } else {
        End::Interrupted(Some(error))
    }
}

#[cfg(test)]
mod tests;
