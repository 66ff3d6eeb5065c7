//! One watch of one kind: fills a [`Store`] and notifies subscribers of changes, in order. All
//! controllers of the process share the watches of the same kind and scope.
//!
//! A subscriber that panics over an object loses that change; the others receive it. A panic of
//! the watch itself is handled by [`supervise`](super::supervise), which starts it again.

use std::collections::HashSet;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use sluice_client::watch::{Backoff, Event, Failure, Scope, Watcher};
use sluice_client::{ApiResource, Cluster, Resource};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::decode::{decode, key_of, strip_metadata};
use super::store::{Entry, Store, version};
use super::supervise::WatchHealth;
use crate::key::ObjectKey;
use crate::kind::Watchable;

const BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(500),
    max: Duration::from_secs(30),
};

/// A change of one object.
pub(crate) struct Change<'a, S> {
    pub(crate) key: &'a ObjectKey,
    pub(crate) old: Option<&'a Entry<S>>,
    pub(crate) new: Option<&'a Entry<S>>,
    /// Whether a snapshot delivered it, rather than an event.
    pub(crate) listed: bool,
    /// Whether it was delivered before the first snapshot was complete: the first run of each
    /// dependant still has to come, and reads it then. A later snapshot comes too late for that.
    pub(crate) initial: bool,
}

type Subscriber<S> = Box<dyn Fn(&Change<'_, S>) + Send + Sync>;

/// See the module's documentation.
pub(crate) struct Informer<S> {
    store: Store<S>,
    subscribers: Mutex<Subscribers<S>>,
    synced: watch::Sender<bool>,
    health: Arc<WatchHealth>,
}

struct Subscribers<S> {
    next: u64,
    all: Vec<(u64, Subscriber<S>)>,
    started: bool,
}

/// The state of one run of the watch.
#[derive(Default)]
struct Progress {
    /// The objects of the snapshot that is being delivered.
    listed: Option<HashSet<ObjectKey>>,
    /// Whether the kind was not served at the last attempt.
    is_absent: bool,
}

impl<S: Watchable> Informer<S> {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            store: Store::default(),
            subscribers: Mutex::new(Subscribers {
                next: 0,
                all: Vec::new(),
                started: false,
            }),
            synced: watch::Sender::new(false),
            health: Arc::default(),
        })
    }

    /// Whether the watch runs, for its supervisor and the readiness probe.
    pub(crate) fn health(&self) -> &Arc<WatchHealth> {
        &self.health
    }

    pub(crate) fn store(&self) -> &Store<S> {
        &self.store
    }

    /// Calls `subscriber` for each stored object and then for each change, until the returned
    /// guard is dropped.
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
            notify(&subscriber, &change);
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

    /// Stores an object that this process has just written or read, as if the watch had delivered
    /// it. A newer state or a deletion in the store wins. Dependants in this process are notified
    /// without a round trip.
    pub(crate) fn update(&self, object: Arc<S>) {
        let key = ObjectKey::of_meta(object.meta());
        let subscribers = self.lock();
        let Some(old @ Entry::Object(stored)) = &self.store.entry(&key) else {
            return;
        };
        if stored.meta().uid != object.meta().uid
            || version(object.as_ref()) <= version(stored.as_ref())
        {
            return;
        }
        let mut object = Arc::unwrap_or_clone(object);
        strip_metadata(object.meta_mut());
        let new = Entry::Object(Arc::new(object));
        self.store.insert(key.clone(), &new);
        subscribers.notify(&Change {
            key: &key,
            old: Some(old),
            new: Some(&new),
            listed: false,
            initial: false,
        });
    }

    /// Whether the first snapshot is in the store.
    pub(crate) fn is_synced(&self) -> bool {
        *self.synced.borrow()
    }

    /// Resolves when the first snapshot is in the store.
    pub(crate) async fn synced(&self) {
        let mut synced = self.synced.subscribe();
        // The sender lives in self.
        let _closed = synced.wait_for(|synced| *synced).await;
    }

    /// Claims the right to run the watch; only the first caller gets it.
    pub(crate) fn claim(&self) -> bool {
        !std::mem::replace(&mut self.lock().started, true)
    }

    /// Watches until `stop` is cancelled.
    pub(crate) async fn run(
        self: Arc<Self>,
        cluster: Cluster,
        namespace: Option<String>,
        selector: Option<String>,
        stop: CancellationToken,
    ) {
        let scope = Scope {
            namespace,
            labels: selector,
            fields: None,
            metadata_only: S::metadata_api(),
        };
        let resource = Resource {
            api: ApiResource::erase::<S>(&()),
            namespaced: true,
            verbs: Vec::new(),
            names: Vec::new(),
        };
        let mut watcher = Watcher::of_resource(cluster, resource, scope, BACKOFF);
        let mut progress = Progress::default();
        let watch = watcher.run(|event| {
            self.handle(event, &mut progress);
            ControlFlow::<Infallible>::Continue(())
        });
        tokio::select! {
            never = watch => match never {},
            () = stop.cancelled() => {}
        }
    }

    fn handle(&self, event: Event, progress: &mut Progress) {
        match event {
            Event::Connected => progress.is_absent = false,
            Event::Restarted => progress.listed = Some(HashSet::new()),
            Event::Listed(object) => {
                if let Some(key) = self.apply(object, true)
                    && let Some(listed) = &mut progress.listed
                {
                    listed.insert(key);
                }
            }
            Event::Synced { .. } => {
                let listed = progress.listed.take().unwrap_or_default();
                for key in self.store.keys() {
                    if !listed.contains(&key) {
                        self.delete(&key);
                    }
                }
                self.set_synced();
            }
            Event::Applied(object) => {
                self.apply(object, false);
            }
            Event::Deleted(object) => match key_of(&object) {
                Ok(key) => self.delete(&key),
                Err(error) => log_unreadable::<S>(&error),
            },
            Event::Failed(failure) => {
                if !failure.is_absent() {
                    log_failure::<S>(&failure);
                } else if !std::mem::replace(&mut progress.is_absent, true) {
                    tracing::error!(
                        "no matches for kind {:?} in version {:?}: waiting for its definition",
                        S::kind(&()),
                        S::api_version(&())
                    );
                    // Without its definition the kind has no objects.
                    self.set_synced();
                }
            }
        }
    }

    fn apply(&self, object: Value, listed: bool) -> Option<ObjectKey> {
        let (key, entry) = match decode::<S>(object) {
            Ok(decoded) => decoded,
            Err(error) => {
                log_unreadable::<S>(&error);
                return None;
            }
        };
        let subscribers = self.lock();
        let old = self.store.entry(&key);
        // The store may have a newer state that this process wrote. The next run must see it.
        if let (Some(Entry::Object(old)), Entry::Object(new)) = (&old, &entry)
            && old.meta().uid == new.meta().uid
            && version(new.as_ref()) < version(old.as_ref())
        {
            return Some(key);
        }
        self.store.insert(key.clone(), &entry);
        let change = Change {
            key: &key,
            old: old.as_ref(),
            new: Some(&entry),
            listed,
            initial: listed && !self.is_synced(),
        };
        subscribers.notify(&change);
        drop(subscribers);
        Some(key)
    }

    fn delete(&self, key: &ObjectKey) {
        let subscribers = self.lock();
        if let Some(old) = self.store.remove(key) {
            subscribers.notify(&Change {
                key,
                old: Some(&old),
                new: None,
                listed: false,
                initial: false,
            });
        }
    }

    fn set_synced(&self) {
        self.synced.send_replace(true);
        self.health.set_recovered();
    }

    fn lock(&self) -> MutexGuard<'_, Subscribers<S>> {
        self.subscribers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Watchable> Subscribers<S> {
    fn notify(&self, change: &Change<'_, S>) {
        for (_, subscriber) in &self.all {
            notify(subscriber, change);
        }
    }
}

/// Notifies one subscriber and contains its panics: other subscribers and later changes go on.
fn notify<S: Watchable>(subscriber: &Subscriber<S>, change: &Change<'_, S>) {
    if catch_unwind(AssertUnwindSafe(|| subscriber(change))).is_err() {
        tracing::error!(kind = %S::kind(&()), object = %change.key, "a change was lost: its subscriber panicked");
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

fn log_failure<S: Watchable>(failure: &Failure) {
    tracing::error!(
        kind = %S::kind(&()),
        retry = ?failure.retry_after,
        error = %failure.error.message(),
        "watch failed"
    );
}

fn log_unreadable<S: Watchable>(error: &serde_json::Error) {
    tracing::error!(kind = %S::kind(&()), %error, "a watch delivered an object without readable metadata");
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;
    use serde_json::json;

    use super::*;

    type Changes = Arc<Mutex<Vec<(String, bool)>>>;

    fn named(name: &str) -> Value {
        json!({"metadata": {"name": name, "namespace": "apps"}})
    }

    fn handle(informer: &Informer<ConfigMap>, event: Event) {
        informer.handle(event, &mut Progress::default());
    }

    /// Delivers a snapshot.
    fn list(informer: &Informer<ConfigMap>, names: &[&str]) {
        let mut progress = Progress::default();
        informer.handle(Event::Restarted, &mut progress);
        for name in names {
            informer.handle(Event::Listed(named(name)), &mut progress);
        }
        let version = String::new();
        informer.handle(Event::Synced { version }, &mut progress);
    }

    /// Records each change: the name and whether it is initial.
    fn subscribe(informer: &Arc<Informer<ConfigMap>>) -> (Changes, Subscription) {
        let changes = Changes::default();
        let recorder = Arc::clone(&changes);
        let subscription = informer.subscribe(Box::new(move |change: &Change<'_, ConfigMap>| {
            let change = (change.key.name().to_owned(), change.initial);
            recorder.lock().unwrap().push(change);
        }));
        (changes, subscription)
    }

    fn drain(changes: &Changes) -> Vec<(String, bool)> {
        std::mem::take(&mut changes.lock().unwrap())
    }

    #[test]
    fn only_the_first_snapshot_is_initial() {
        let informer = Informer::<ConfigMap>::new();
        let (changes, _subscription) = subscribe(&informer);
        list(&informer, &["a"]);
        assert_eq!(drain(&changes), [("a".to_owned(), true)]);

        // The watch broke, and `b` was created meanwhile.
        list(&informer, &["a", "b"]);
        assert_eq!(
            drain(&changes),
            [("a".to_owned(), false), ("b".to_owned(), false)]
        );

        let (late, _subscription) = subscribe(&informer);
        let mut late = drain(&late);
        late.sort();
        assert_eq!(late, [("a".to_owned(), true), ("b".to_owned(), true)]);
    }

    #[test]
    fn duplicate_delete_notifies_once() {
        let informer = Informer::<ConfigMap>::new();
        list(&informer, &["a", "b"]);
        let (changes, _subscription) = subscribe(&informer);
        drain(&changes);
        for _ in 0..2 {
            handle(&informer, Event::Deleted(named("a")));
        }
        assert_eq!(drain(&changes), [("a".to_owned(), false)]);
    }

    #[test]
    fn snapshot_recovers_missed_events() {
        let informer = Informer::<ConfigMap>::new();
        list(&informer, &["b"]);
        let (changes, _subscription) = subscribe(&informer);
        drain(&changes);
        // The events of `b`, which was deleted, and of `c`, which was created, are lost.
        list(&informer, &["c"]);
        assert_eq!(
            drain(&changes),
            [("c".to_owned(), false), ("b".to_owned(), false)]
        );
    }

    #[test]
    fn objects_of_a_late_kind_are_not_initial() {
        let informer = Informer::<ConfigMap>::new();
        let (changes, _subscription) = subscribe(&informer);
        let error = sluice_client::Error::Api {
            action: "watch ConfigMap".to_owned(),
            status: Box::new(
                sluice_client::Status::failure("not found", "NotFound").with_code(404),
            ),
        };
        let retry_after = Duration::ZERO;
        handle(&informer, Event::Failed(Failure { error, retry_after }));
        assert!(informer.is_synced());
        list(&informer, &["a"]);
        assert_eq!(drain(&changes), [("a".to_owned(), false)]);
    }

    #[test]
    fn own_write_notifies_once() {
        fn at(version: &str) -> Value {
            json!({"metadata": {"name": "a", "namespace": "apps", "resourceVersion": version}})
        }
        let informer = Informer::<ConfigMap>::new();
        handle(&informer, Event::Applied(at("1")));
        let changes = Arc::new(Mutex::new(Vec::new()));
        let recorder = Arc::clone(&changes);
        let _subscription = informer.subscribe(Box::new(move |change: &Change<'_, ConfigMap>| {
            let version = |entry: Option<&Entry<ConfigMap>>| match entry {
                Some(Entry::Object(object)) => version(object.as_ref()),
                _ => 0,
            };
            let change = (version(change.old), version(change.new));
            recorder.lock().unwrap().push(change);
        }));
        informer.update(Arc::new(serde_json::from_value(at("3")).unwrap()));
        for echo in ["2", "3"] {
            handle(&informer, Event::Applied(at(echo)));
        }
        assert_eq!(*changes.lock().unwrap(), [(0, 1), (1, 3), (3, 3)]);
    }
}
