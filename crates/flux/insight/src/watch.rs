//! Watches the objects of a kind: every state of each object, once.
//!
//! [`sluice_client::watch`] keeps the watch going. A refusal of the first request ends it,
//! except for one object that may be read by its name: it is polled. Later failures are retried,
//! and [`Watch::trouble`] returns the last one. Start at [`Watch::each`]; `DeliveredStates`
//! decides, without a cluster, whether a state is new.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::Value;
use sluice_client::watch::{self, Backoff, Failure, Scope, Watcher};
use sluice_client::{Cluster, Error, GroupVersionKind};
use sluice_object::Object;

use crate::fields::text;

const BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(100),
    max: Duration::from_secs(5),
};
/// Pause between two reads of an object that cannot be watched.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// The objects of a kind to watch.
#[derive(Debug, Clone, Copy, Default)]
pub struct WatchTarget<'a> {
    /// The namespace; all of them without one.
    pub namespace: Option<&'a str>,
    /// The name of a single object.
    pub name: Option<&'a str>,
    /// A label selector.
    pub labels: Option<&'a str>,
}

/// An event of a watch.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A new state of an object.
    Is(Box<Object>),
    /// The last state of a deleted object.
    Gone(Box<Object>),
    /// All existing objects were delivered.
    Synced,
}

/// A watch that survives the end of its connections.
pub struct Watch<'c> {
    cluster: &'c Cluster,
    gvk: GroupVersionKind,
    which: WatchTarget<'c>,
    trouble: Mutex<Option<String>>,
}

/// The end of [`Watcher::run`].
enum End<T, E> {
    Answered(T),
    Failed(E),
    /// The object must not be watched, but may be read.
    Poll,
}

impl<'c> Watch<'c> {
    /// A watch that starts with [`Self::each`].
    pub fn new(cluster: &'c Cluster, gvk: GroupVersionKind, which: WatchTarget<'c>) -> Self {
        Self {
            cluster,
            gvk,
            which,
            trouble: Mutex::new(None),
        }
    }

    /// The failure that delays the watch, if there is one.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().ok()?.clone()
    }

    fn set_trouble(&self, trouble: Option<String>) {
        if let Ok(mut current) = self.trouble.lock() {
            *current = trouble;
        }
    }

    /// Calls `each` with every event until it returns a value.
    ///
    /// # Errors
    /// The error of `each`, or the reason why the kind cannot be watched.
    pub async fn each<T, E: From<Error>>(
        &self,
        mut each: impl FnMut(Event) -> Result<Option<T>, E>,
    ) -> Result<T, E> {
        let WatchTarget {
            namespace,
            name,
            labels,
        } = self.which;
        let scope = Scope {
            namespace: namespace.map(ToOwned::to_owned),
            labels: labels.map(ToOwned::to_owned),
            fields: name.map(|name| format!("metadata.name={name}")),
            metadata_only: false,
        };
        let mut watcher = Watcher::new(self.cluster.clone(), self.gvk.clone(), scope, BACKOFF);
        let (mut seen, mut was_open) = (DeliveredStates::default(), false);
        let end = watcher.run(|event| {
            if let watch::Event::Failed(failure) = event {
                return self.on_failure(failure, was_open);
            }
            was_open = true;
            self.set_trouble(None);
            for event in seen.note(event) {
                match each(event) {
                    Ok(None) => {}
                    Ok(Some(answer)) => return ControlFlow::Break(End::Answered(answer)),
                    Err(error) => return ControlFlow::Break(End::Failed(error)),
                }
            }
            ControlFlow::Continue(())
        });
        match Box::pin(end).await {
            End::Answered(answer) => Ok(answer),
            End::Failed(error) => Err(error),
            End::Poll => self.poll(&mut seen, each).await,
        }
    }

    fn on_failure<T, E: From<Error>>(
        &self,
        failure: Failure,
        was_open: bool,
    ) -> ControlFlow<End<T, E>> {
        let is_one = self.which.name.is_some() && self.which.namespace.is_some();
        let is_refusal = failure.is_refusal();
        let error = failure.error;
        if was_open && (error.is_transient() || !is_refusal) {
            self.set_trouble(Some(error.to_string()));
            ControlFlow::Continue(())
        } else if error.is_forbidden() && is_one {
            ControlFlow::Break(End::Poll)
        } else {
            ControlFlow::Break(End::Failed(error.into()))
        }
    }

    /// Reads the one object again and again.
    async fn poll<T, E: From<Error>>(
        &self,
        seen: &mut DeliveredStates,
        mut each: impl FnMut(Event) -> Result<Option<T>, E>,
    ) -> Result<T, E> {
        let name = self.which.name.unwrap_or_default();
        let mut was_read = false;
        loop {
            let read = self.cluster.get(&self.gvk, self.which.namespace, name);
            match Box::pin(read).await {
                Ok(found) => {
                    was_read = true;
                    self.set_trouble(None);
                    for event in seen.note_all(found.into_iter().collect()) {
                        if let Some(answer) = each(event)? {
                            return Ok(answer);
                        }
                    }
                }
                Err(error) if was_read && error.is_transient() => {
                    self.set_trouble(Some(error.to_string()));
                }
                Err(error) => return Err(error.into()),
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }
}

/// Watches objects and calls `each` on every state until it returns a value.
pub async fn each_state<T, E: From<Error>>(
    cluster: &Cluster,
    gvk: &GroupVersionKind,
    which: WatchTarget<'_>,
    mut each: impl FnMut(&Object) -> Result<Option<T>, E>,
) -> Result<T, E> {
    Watch::new(cluster, gvk.clone(), which)
        .each(|event| match event {
            Event::Is(object) => each(&object),
            Event::Gone(_) | Event::Synced => Ok(None),
        })
        .await
}

/// Namespace and name.
type Key = (String, String);

/// The states that were delivered.
#[derive(Debug, Default)]
struct DeliveredStates {
    objects: BTreeMap<Key, Object>,
    /// The objects of the snapshot that is being delivered.
    snapshot: Option<BTreeSet<Key>>,
}

impl DeliveredStates {
    /// The news in an event of the watcher.
    fn note(&mut self, event: watch::Event) -> Vec<Event> {
        match event {
            watch::Event::Restarted => {
                self.snapshot = Some(BTreeSet::new());
                Vec::new()
            }
            watch::Event::Listed(value) | watch::Event::Applied(value) => object(value)
                .and_then(|object| self.note_state(object))
                .into_iter()
                .collect(),
            watch::Event::Deleted(value) => {
                let Some(object) = object(value) else {
                    return Vec::new();
                };
                self.objects.remove(&key(&object));
                vec![Event::Gone(Box::new(object))]
            }
            watch::Event::Synced { .. } => self.end_snapshot(),
            watch::Event::Connected | watch::Event::Failed(_) => Vec::new(),
        }
    }

    /// The news in a list of all objects.
    fn note_all(&mut self, objects: Vec<Value>) -> Vec<Event> {
        self.snapshot = Some(BTreeSet::new());
        let objects = objects.into_iter().filter_map(object);
        let mut news: Vec<_> = objects
            .filter_map(|object| self.note_state(object))
            .collect();
        news.extend(self.end_snapshot());
        news
    }

    fn note_state(&mut self, object: Object) -> Option<Event> {
        let (key, version) = (key(&object), text(&object, "/metadata/resourceVersion"));
        if let Some(snapshot) = &mut self.snapshot {
            snapshot.insert(key.clone());
        }
        let known = self.objects.get(&key);
        if known.is_some_and(|known| text(known, "/metadata/resourceVersion") == version) {
            return None;
        }
        self.objects.insert(key, object.clone());
        Some(Event::Is(Box::new(object)))
    }

    /// Removes the objects that the snapshot lacks.
    fn end_snapshot(&mut self) -> Vec<Event> {
        let snapshot = self.snapshot.take().unwrap_or_default();
        let objects = std::mem::take(&mut self.objects);
        let (present, gone): (BTreeMap<_, _>, BTreeMap<_, _>) = objects
            .into_iter()
            .partition(|(key, _)| snapshot.contains(key));
        self.objects = present;
        gone.into_values()
            .map(|object| Event::Gone(Box::new(object)))
            .chain([Event::Synced])
            .collect()
    }
}

fn key(object: &Object) -> Key {
    (object.namespace().to_owned(), object.name().to_owned())
}

fn object(value: Value) -> Option<Object> {
    Object::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn value(name: &str, version: &str) -> Value {
        json!({ "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": { "name": name, "namespace": "apps", "resourceVersion": version } })
    }

    fn values(objects: &[(&str, &str)]) -> Vec<Value> {
        objects.iter().map(|(name, at)| value(name, at)).collect()
    }

    fn short(events: &[Event]) -> Vec<String> {
        let short = |event: &Event| match event {
            Event::Is(object) => format!(
                "{} {}",
                object.name(),
                text(object, "/metadata/resourceVersion")
            ),
            Event::Gone(object) => format!("-{}", object.name()),
            Event::Synced => "synced".to_owned(),
        };
        events.iter().map(short).collect()
    }

    fn note(seen: &mut DeliveredStates, event: watch::Event) -> Vec<String> {
        short(&seen.note(event))
    }

    /// Delivers a snapshot.
    fn snapshot(seen: &mut DeliveredStates, objects: &[(&str, &str)]) -> Vec<String> {
        let version = "9".to_owned();
        let events = [watch::Event::Restarted]
            .into_iter()
            .chain(values(objects).into_iter().map(watch::Event::Listed))
            .chain([watch::Event::Synced { version }]);
        events.flat_map(|event| note(seen, event)).collect()
    }

    #[test]
    fn events_after_a_snapshot_are_news() {
        let mut seen = DeliveredStates::default();
        let first = snapshot(&mut seen, &[("b", "7"), ("a", "3")]);
        assert_eq!(first, ["b 7", "a 3", "synced"]);
        let applied = watch::Event::Applied(value("a", "11"));
        assert_eq!(note(&mut seen, applied), ["a 11"]);
        let deleted = watch::Event::Deleted(value("a", "16"));
        assert_eq!(note(&mut seen, deleted), ["-a"]);
    }

    #[test]
    fn second_snapshot_reports_differences_only() {
        let mut seen = DeliveredStates::default();
        snapshot(&mut seen, &[("b", "7"), ("a", "3")]);
        let second = snapshot(&mut seen, &[("b", "7"), ("c", "20")]);
        assert_eq!(second, ["c 20", "-a", "synced"]);
    }

    #[test]
    fn poll_reports_differences_only() {
        let mut seen = DeliveredStates::default();
        let first = seen.note_all(values(&[("a", "3"), ("b", "7")]));
        assert_eq!(short(&first), ["a 3", "b 7", "synced"]);
        let second = seen.note_all(values(&[("b", "7"), ("c", "12")]));
        assert_eq!(short(&second), ["c 12", "-a", "synced"]);
    }
}
