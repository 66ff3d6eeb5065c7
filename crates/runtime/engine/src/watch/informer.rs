//! One watch of one kind: feeds a [`Store`] and tells subscribers, in order, what
//! changed. Shared by all controllers of the process that want the same.
//!
//! A subscriber that panics over an object loses that change and nobody else does; a
//! panic of the watch itself is [`supervise`](super::supervise)'s, which starts it again.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use kube::Api;
use kube::runtime::watcher::{self, Event};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::guard::{Guarded, slim_metadata};
use super::store::{Entry, Store, version};
use super::supervise::Standing;
use crate::key::ObjectKey;
use crate::kind::Watched;

/// First and longest wait after a broken watch.
const RETRY: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));
/// Longest wait for a kind that is not installed: somebody may be installing it.
const RETRY_ABSENT: Duration = Duration::from_secs(5);

/// What happened to one object.
pub(crate) struct Change<'a, S> {
    pub(crate) key: &'a ObjectKey,
    pub(crate) old: Option<&'a Entry<S>>,
    pub(crate) new: Option<&'a Entry<S>>,
    /// Found by a list, not by a change.
    pub(crate) listed: bool,
    /// Known before anybody was told that the list is complete: the first run of
    /// whoever refers to it still has to come, and will look. A list after a broken
    /// watch, or of a kind that was not installed before, comes too late for that.
    pub(crate) initial: bool,
}

type Subscriber<S> = Box<dyn Fn(&Change<'_, S>) + Send + Sync>;

/// See the module's documentation.
pub(crate) struct Informer<S> {
    store: Store<S>,
    subscribers: Mutex<Subscribers<S>>,
    synced: watch::Sender<bool>,
    standing: Arc<Standing>,
}

struct Subscribers<S> {
    next: u64,
    all: Vec<(u64, Subscriber<S>)>,
    started: bool,
}

impl<S: Watched> Informer<S> {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            store: Store::default(),
            subscribers: Mutex::new(Subscribers {
                next: 0,
                all: Vec::new(),
                started: false,
            }),
            synced: watch::Sender::new(false),
            standing: Arc::default(),
        })
    }

    /// Whether the watch runs, for whoever supervises it or asks about it.
    pub(crate) fn standing(&self) -> &Arc<Standing> {
        &self.standing
    }

    pub(crate) fn store(&self) -> &Store<S> {
        &self.store
    }

    /// Calls `subscriber` for everything that is known already and then for each
    /// change, until the returned guard is dropped.
    pub(crate) fn subscribe(self: &Arc<Self>, subscriber: Subscriber<S>) -> Subscription {
        let mut subscribers = self.lock();
        for key in self.store.keys() {
            let entry = self.store.entry(&key);
            let change = Change {
                key: &key,
                old: None,
                new: entry.as_ref(),
                listed: true,
                initial: true,
            };
            tell(&subscriber, &change);
        }
        let number = subscribers.next;
        subscribers.next += 1;
        subscribers.all.push((number, subscriber));
        drop(subscribers);
        let informer = Arc::clone(self);
        Subscription {
            end: Some(Box::new(move || {
                informer.lock().all.retain(|(other, _)| *other != number);
            })),
        }
    }

    /// Takes in what we have just written or read, as if the watch had brought it, unless the
    /// watch already knows better or knows that the object is gone. Who depends on the
    /// object in this process hears of it without a round trip.
    pub(crate) fn learned(&self, object: Arc<S>) {
        let key = ObjectKey::of_meta(object.meta());
        let subscribers = self.lock();
        let Some(old @ Entry::Object(known)) = &self.store.entry(&key) else {
            return;
        };
        if known.meta().uid != object.meta().uid
            || version(object.as_ref()) <= version(known.as_ref())
        {
            return;
        }
        let mut object = Arc::unwrap_or_clone(object);
        slim_metadata(object.meta_mut());
        let new = Entry::Object(Arc::new(object));
        self.store.insert(key.clone(), &new);
        subscribers.tell(&Change {
            key: &key,
            old: Some(old),
            new: Some(&new),
            listed: false,
            initial: false,
        });
    }

    /// Whether the first list is in the store.
    pub(crate) fn is_synced(&self) -> bool {
        *self.synced.borrow()
    }

    /// Resolves when the first list is in the store.
    pub(crate) async fn synced(&self) {
        let mut synced = self.synced.subscribe();
        // The sender lives in self.
        let _closed = synced.wait_for(|synced| *synced).await;
    }

    /// Claims the right to run the watch; only the first caller gets it.
    pub(crate) fn claim(&self) -> bool {
        !std::mem::replace(&mut self.lock().started, true)
    }

    /// Watches until told to stop.
    pub(crate) async fn run(
        self: Arc<Self>,
        api: Api<Guarded<S>>,
        selector: Option<String>,
        stop: CancellationToken,
    ) {
        let watch = async {
            let mut streaming = true;
            while !self
                .follow(api.clone(), selector.as_deref(), streaming)
                .await
            {
                streaming = false;
            }
        };
        tokio::select! {
            () = watch => {}
            () = stop.cancelled() => {}
        }
    }

    /// Follows one watch stream for as long as it can be kept up. Returns only when
    /// the server refuses streaming lists.
    async fn follow(&self, api: Api<Guarded<S>>, selector: Option<&str>, streaming: bool) -> bool {
        let mut config = watcher::Config::default();
        if let Some(selector) = selector {
            config = config.labels(selector);
        }
        if streaming {
            config = config.streaming_lists();
        }
        let mut stream = pin!(watcher::watcher(api, config));
        let mut listed: Option<HashSet<ObjectKey>> = None;
        let mut trouble = Trouble::default();
        while let Some(event) = stream.next().await {
            match event {
                Ok(event) => {
                    trouble.is_over(&event);
                    self.take(event, &mut listed);
                }
                Err(error) if streaming && refuses_streaming(&error) => return false,
                Err(error) => {
                    let is_absent = is_absent(&error);
                    let (pause, is_news) = trouble.again(is_absent);
                    if is_absent {
                        self.absent(is_news);
                    } else {
                        broken::<S>(&error, pause);
                    }
                    tokio::time::sleep(pause).await;
                }
            }
        }
        true
    }

    fn take(&self, event: Event<Guarded<S>>, listed: &mut Option<HashSet<ObjectKey>>) {
        match event {
            Event::Init => *listed = Some(HashSet::new()),
            Event::InitApply(guarded) => {
                let key = self.apply(guarded, true);
                if let Some(listed) = listed {
                    listed.insert(key);
                }
            }
            Event::InitDone => {
                let listed = listed.take().unwrap_or_default();
                for key in self.store.keys() {
                    if !listed.contains(&key) {
                        self.delete(&key);
                    }
                }
                self.synced.send_replace(true);
                self.standing.recovered();
            }
            Event::Apply(guarded) => {
                self.apply(guarded, false);
            }
            Event::Delete(guarded) => self.delete(&ObjectKey::of(&guarded)),
        }
    }

    fn apply(&self, guarded: Guarded<S>, listed: bool) -> ObjectKey {
        let key = ObjectKey::of(&guarded);
        let entry = match guarded.object {
            Ok(object) => Entry::Object(Arc::new(object)),
            Err(malformed) => Entry::Undecodable {
                error: Arc::from(malformed.error),
                generation: malformed.metadata.generation,
            },
        };
        let subscribers = self.lock();
        let old = self.store.entry(&key);
        // What we wrote or read may be in the store already when the watch brings what was
        // before it: going back in time would undo what the next run must see.
        if let (Some(Entry::Object(old)), Entry::Object(new)) = (&old, &entry)
            && old.meta().uid == new.meta().uid
            && version(new.as_ref()) < version(old.as_ref())
        {
            return key;
        }
        self.store.insert(key.clone(), &entry);
        let change = Change {
            key: &key,
            old: old.as_ref(),
            new: Some(&entry),
            listed,
            initial: listed && !*self.synced.borrow(),
        };
        subscribers.tell(&change);
        drop(subscribers);
        key
    }

    fn delete(&self, key: &ObjectKey) {
        let subscribers = self.lock();
        if let Some(old) = self.store.remove(key) {
            subscribers.tell(&Change {
                key,
                old: Some(&old),
                new: None,
                listed: false,
                initial: false,
            });
        }
    }

    /// Nothing exists of a kind that does not exist: whoever refers to one is told that
    /// it was not found. The watch goes on once the kind is there. Said once.
    fn absent(&self, is_news: bool) {
        self.synced.send_replace(true);
        self.standing.recovered();
        if is_news {
            tracing::error!(
                "no matches for kind {:?} in version {:?}: waiting for its definition",
                S::kind(&()),
                S::api_version(&())
            );
        }
    }

    fn lock(&self) -> MutexGuard<'_, Subscribers<S>> {
        self.subscribers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Watched> Subscribers<S> {
    fn tell(&self, change: &Change<'_, S>) {
        for (_, subscriber) in &self.all {
            tell(subscriber, change);
        }
    }
}

/// Tells one subscriber. What it panics over is its own affair: neither the others nor the
/// changes to come may be lost with it.
fn tell<S: Watched>(subscriber: &Subscriber<S>, change: &Change<'_, S>) {
    if catch_unwind(AssertUnwindSafe(|| subscriber(change))).is_err() {
        tracing::error!(kind = %S::kind(&()), object = %change.key, "a change was lost: whoever was told of it panicked");
    }
}

/// How long a watch has been failing in a row, and how.
#[derive(Debug, Default)]
struct Trouble {
    failures: u32,
    absent: bool,
}

impl Trouble {
    /// Takes note of an event. That a list is about to begin says nothing yet: it is told
    /// before each attempt.
    fn is_over<K>(&mut self, event: &Event<K>) {
        if !matches!(event, Event::Init) {
            *self = Self::default();
        }
    }

    /// Says how long to wait after another failure, and whether it is the first that found
    /// the kind absent.
    fn again(&mut self, is_absent: bool) -> (Duration, bool) {
        let longest = if is_absent { RETRY_ABSENT } else { RETRY.1 };
        let pause = 2_u32
            .checked_pow(self.failures)
            .and_then(|factor| RETRY.0.checked_mul(factor))
            .map_or(longest, |pause| pause.min(longest));
        self.failures = self.failures.saturating_add(1);
        let is_news = is_absent && !self.absent;
        self.absent |= is_absent;
        (pause, is_news)
    }
}

/// Ends a subscription when dropped.
pub(crate) struct Subscription {
    end: Option<Box<dyn FnOnce() + Send + Sync>>,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            end();
        }
    }
}

fn broken<S: Watched>(error: &watcher::Error, delay: Duration) {
    tracing::error!(
        kind = %S::kind(&()),
        retry = ?delay,
        error = %told(error),
        "watch failed"
    );
}

/// The server's words alone, where it gave an answer: the library adds all of the answer's fields.
fn told(error: &watcher::Error) -> String {
    let status = match error {
        watcher::Error::WatchError(status)
        | watcher::Error::InitialListFailed(kube::Error::Api(status))
        | watcher::Error::WatchStartFailed(kube::Error::Api(status))
        | watcher::Error::WatchFailed(kube::Error::Api(status)) => Some(status),
        _ => None,
    };
    status.map_or_else(
        || sluice_golang::error::chain(error),
        |status| sluice_client::said(status),
    )
}

/// Whether the server cannot begin a watch with a list (before 1.32, or turned off).
fn refuses_streaming(error: &watcher::Error) -> bool {
    matches!(error, watcher::Error::WatchStartFailed(kube::Error::Api(status)) if matches!(status.code, 400 | 422))
}

fn is_absent(error: &watcher::Error) -> bool {
    match error {
        watcher::Error::WatchStartFailed(kube::Error::Api(status))
        | watcher::Error::InitialListFailed(kube::Error::Api(status)) => status.code == 404,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;

    use super::*;

    type Told = Arc<Mutex<Vec<(String, bool)>>>;

    fn named(name: &str) -> Guarded<ConfigMap> {
        let mut object = ConfigMap::default();
        object.metadata.name = Some(name.into());
        object.metadata.namespace = Some("apps".into());
        Guarded { object: Ok(object) }
    }

    /// Takes a whole list in.
    fn list(informer: &Informer<ConfigMap>, names: &[&str]) {
        let mut listed = None;
        informer.take(Event::Init, &mut listed);
        for name in names {
            informer.take(Event::InitApply(named(name)), &mut listed);
        }
        informer.take(Event::InitDone, &mut listed);
    }

    /// Notes what is told: the name and whether it is initial.
    fn listen(informer: &Arc<Informer<ConfigMap>>) -> (Told, Subscription) {
        let told = Told::default();
        let notes = Arc::clone(&told);
        let subscription = informer.subscribe(Box::new(move |change: &Change<'_, ConfigMap>| {
            let note = (change.key.name().to_owned(), change.initial);
            notes.lock().unwrap().push(note);
        }));
        (told, subscription)
    }

    fn drain(told: &Told) -> Vec<(String, bool)> {
        std::mem::take(&mut told.lock().unwrap())
    }

    #[test]
    fn a_refused_watch_is_told_in_the_server_s_words() {
        let words = "configmaps is forbidden: User \"a\" cannot list resource \"configmaps\"";
        let status = Box::new(kube::core::Status::failure(words, "Forbidden").with_code(403));
        for error in [
            watcher::Error::InitialListFailed(kube::Error::Api(status.clone())),
            watcher::Error::WatchError(status),
        ] {
            assert_eq!(told(&error), words);
        }
        let unread = kube::core::Status::failure("", "Failed to parse error data").with_code(503);
        let unread = watcher::Error::InitialListFailed(kube::Error::Api(Box::new(unread)));
        assert_eq!(told(&unread), "the server answered 503");
    }

    #[test]
    fn only_what_is_there_before_anyone_runs_is_initial() {
        let informer = Informer::<ConfigMap>::new();
        let (told, _subscription) = listen(&informer);
        list(&informer, &["a"]);
        assert_eq!(drain(&told), [("a".to_owned(), true)]);

        // The watch broke, and `b` was made meanwhile.
        list(&informer, &["a", "b"]);
        assert_eq!(
            drain(&told),
            [("a".to_owned(), false), ("b".to_owned(), false)]
        );

        let (late, _subscription) = listen(&informer);
        let mut late = drain(&late);
        late.sort();
        assert_eq!(late, [("a".to_owned(), true), ("b".to_owned(), true)]);
    }

    #[test]
    fn a_deletion_told_twice_is_one_and_what_no_event_told_comes_with_the_next_list() {
        let informer = Informer::<ConfigMap>::new();
        list(&informer, &["a", "b"]);
        let (told, _subscription) = listen(&informer);
        drain(&told);
        for _ in 0..2 {
            informer.take(Event::Delete(named("a")), &mut None);
        }
        assert_eq!(drain(&told), [("a".to_owned(), false)]);
        // The events of `b`, which went, and of `c`, which came, are lost.
        list(&informer, &["c"]);
        assert_eq!(
            drain(&told),
            [("c".to_owned(), false), ("b".to_owned(), false)]
        );
    }

    #[test]
    fn what_exists_when_a_kind_is_installed_late_is_news() {
        let informer = Informer::<ConfigMap>::new();
        let (told, _subscription) = listen(&informer);
        // Whoever refers to the kind begins to run without it.
        informer.absent(false);
        list(&informer, &["a"]);
        assert_eq!(drain(&told), [("a".to_owned(), false)]);
    }

    #[test]
    fn an_own_write_is_told_with_what_it_replaced_and_its_echo_is_not_news() {
        fn at(version: &str) -> ConfigMap {
            let mut object = named("a").object.unwrap();
            object.metadata.resource_version = Some(version.into());
            object
        }
        let informer = Informer::<ConfigMap>::new();
        informer.take(
            Event::Apply(Guarded {
                object: Ok(at("1")),
            }),
            &mut None,
        );
        let told = Arc::new(Mutex::new(Vec::new()));
        let notes = Arc::clone(&told);
        let _subscription = informer.subscribe(Box::new(move |change: &Change<'_, ConfigMap>| {
            let version = |entry: Option<&Entry<ConfigMap>>| match entry {
                Some(Entry::Object(object)) => version(object.as_ref()),
                _ => 0,
            };
            let note = (version(change.old), version(change.new));
            notes.lock().unwrap().push(note);
        }));
        informer.learned(Arc::new(at("3")));
        for echo in ["2", "3"] {
            informer.take(
                Event::Apply(Guarded {
                    object: Ok(at(echo)),
                }),
                &mut None,
            );
        }
        assert_eq!(*told.lock().unwrap(), [(0, 1), (1, 3), (3, 3)]);
    }

    #[test]
    fn a_watch_that_fails_again_and_again_is_tried_ever_more_rarely() {
        let mut trouble = Trouble::default();
        let pauses: Vec<u64> = (0..8)
            .map(|_| {
                // Each attempt begins so, the failing ones too.
                trouble.is_over(&Event::<()>::Init);
                trouble.again(false).0.as_secs()
            })
            .collect();
        assert_eq!(pauses, [0, 1, 2, 4, 8, 16, 30, 30]);
        trouble.is_over(&Event::<()>::InitDone);
        assert_eq!(trouble.again(false).0, RETRY.0);
    }

    #[test]
    fn a_kind_that_is_not_installed_is_said_once_and_looked_for_often() {
        let mut trouble = Trouble::default();
        let told: Vec<(u64, bool)> = (0..6)
            .map(|_| {
                trouble.is_over(&Event::<()>::Init);
                let (pause, is_news) = trouble.again(true);
                (pause.as_secs(), is_news)
            })
            .collect();
        let later = [(1, false), (2, false), (4, false), (5, false), (5, false)];
        assert_eq!(told[0], (0, true));
        assert_eq!(told[1..], later);
    }
}
