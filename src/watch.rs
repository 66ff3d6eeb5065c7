//! Watching the objects of a kind: every state of each, once, across as many watches as it takes.
//!
//! Servers end watches as they please. One that ended is gone on with behind the last version that was
//! seen; where the server no longer knows that, everything is read again, and only what is new or
//! gone is told. Whether a kind can be watched at all shows with the first answer, and a refusal of
//! it ends the watch, but for an object that may be read by its name; afterwards faults that pass are
//! waited out, and the last one can be asked for ([`Watch::trouble`]). Start at [`Watch::each`]; how
//! what exists is asked for is a [`Way`]; what is new is decided, without a cluster, by [`Seen`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Duration;

use futures::StreamExt as _;
use serde_json::Value;
use sluice_client::{
    Cluster, Error, GroupVersionKind, List, ListOptions, WatchEvent, WatchOptions, WatchStream,
};
use sluice_object::Object;

use crate::cluster::refusal;
use crate::error::CommandError;
use crate::resource::text;

/// How soon a watch that ended is begun again, and how long it takes at most while that fails.
const AGAIN: Duration = Duration::from_millis(100);
const LATER: Duration = Duration::from_secs(5);
/// How often an object is read that must not be watched.
const READ_AGAIN: Duration = Duration::from_secs(2);

/// By what the server marks the end of what exists.
const END_OF_INITIAL: &str = "k8s.io/initial-events-end";

/// Which objects of a kind are watched.
#[derive(Debug, Clone, Copy, Default)]
pub struct Which<'a> {
    pub namespace: Option<&'a str>,
    pub name: Option<&'a str>,
    pub labels: Option<&'a str>,
}

/// How what exists is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// A watch begins with it.
    Streamed,
    /// It is listed, and watched from there: no watch of this server begins with it (1.33, as it comes).
    Listed,
    /// The one object is read again and again: whoever asks must not watch it.
    Read,
}

/// What a watch tells.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The object is so.
    Is(Box<Object>),
    /// It is no more; this is how it was last.
    Gone(Box<Object>),
    /// Everything that exists has been told.
    Synced,
}

/// A watch that goes on.
pub struct Watch<'c> {
    cluster: &'c Cluster,
    gvk: GroupVersionKind,
    which: Which<'c>,
    trouble: Mutex<Option<String>>,
}

impl<'c> Watch<'c> {
    pub fn new(cluster: &'c Cluster, gvk: GroupVersionKind, which: Which<'c>) -> Self {
        Self {
            cluster,
            gvk,
            which,
            trouble: Mutex::new(None),
        }
    }

    /// What is in the way of the watch right now, if something is.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().ok()?.clone()
    }

    fn note_trouble(&self, trouble: Option<String>) {
        if let Ok(mut noted) = self.trouble.lock() {
            *noted = trouble;
        }
    }

    /// Calls `each` with everything that happens until it answers.
    ///
    /// # Errors
    /// What `each` fails with, or why the kind cannot be watched.
    pub async fn each<T>(
        &self,
        mut each: impl FnMut(Event) -> Result<Option<T>, CommandError>,
    ) -> Result<T, CommandError> {
        let mut seen = Seen::default();
        let mut way = Way::Streamed;
        let (mut was_open, mut pause) = (false, AGAIN);
        loop {
            let mut unread = None;
            if seen.version.is_empty() && way != Way::Streamed {
                match Box::pin(self.read(way)).await {
                    Ok(list) => {
                        was_open = true;
                        self.note_trouble(None);
                        for event in seen.note_all(list) {
                            if let Some(answer) = each(event)? {
                                return Ok(answer);
                            }
                        }
                        if way == Way::Read {
                            tokio::time::sleep(READ_AGAIN).await;
                            continue;
                        }
                    }
                    Err(error) => unread = Some(error),
                }
            }
            let opened = match unread {
                None => self.open(&seen.version).await,
                Some(error) => Err(error),
            };
            match opened {
                Ok(mut events) => {
                    was_open = true;
                    seen.begin();
                    while let Some(event) = events.next().await {
                        let event = match event {
                            Ok(WatchEvent::Error(status)) => {
                                if status.code == 410 {
                                    seen.version.clear();
                                }
                                self.note_trouble(Some(status.message.clone()));
                                break;
                            }
                            Err(error) if error.is_forbidden() || error.is_no_match() => {
                                return Err(refusal(&error));
                            }
                            Err(error) => {
                                self.note_trouble(Some(error.to_string()));
                                break;
                            }
                            Ok(event) => event,
                        };
                        self.note_trouble(None);
                        pause = AGAIN;
                        for event in seen.note(event) {
                            if let Some(answer) = each(event)? {
                                return Ok(answer);
                            }
                        }
                    }
                }
                Err(error) if error.is_expired() => seen.version.clear(),
                Err(error) if was_open && error.is_transient() => {
                    self.note_trouble(Some(error.to_string()));
                }
                Err(error) => match self.other_way(way, &error) {
                    Some(other) => {
                        way = other;
                        seen.version.clear();
                        continue;
                    }
                    None => return Err(refusal(&error)),
                },
            }
            // A server that ends every watch at once is not asked in a tight circle.
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LATER);
        }
    }

    /// Opens a watch behind a version, or with what exists.
    async fn open(&self, version: &str) -> Result<WatchStream, Error> {
        let options = WatchOptions {
            labels: self.which.labels.map(ToOwned::to_owned),
            fields: self.fields(),
            metadata_only: false,
            initial: version.is_empty(),
        };
        self.cluster
            .watch(&self.gvk, self.which.namespace, version, &options)
            .await
    }

    /// What exists, where no watch begins with it, and where one goes on from.
    async fn read(&self, way: Way) -> Result<List, Error> {
        let Which {
            namespace,
            name,
            labels,
        } = self.which;
        if way == Way::Read {
            let found = self
                .cluster
                .get(&self.gvk, namespace, name.unwrap_or_default())
                .await?;
            return Ok(List {
                items: found.into_iter().collect(),
                resource_version: String::new(),
            });
        }
        let options = ListOptions {
            labels: labels.map(ToOwned::to_owned),
            fields: self.fields(),
            ..ListOptions::default()
        };
        self.cluster.list(&self.gvk, namespace, &options).await
    }

    fn fields(&self) -> Option<String> {
        self.which.name.map(|name| format!("metadata.name={name}"))
    }

    /// How else to ask, where one way is refused.
    fn other_way(&self, way: Way, refused: &Error) -> Option<Way> {
        let is_one = self.which.name.is_some() && self.which.namespace.is_some();
        let code = refused.status().map_or(0, |status| status.code);
        match way {
            Way::Streamed if matches!(code, 400 | 422) => Some(Way::Listed),
            Way::Streamed | Way::Listed if refused.is_forbidden() && is_one => Some(Way::Read),
            _ => None,
        }
    }
}

/// Watches objects and calls `each` on every state until it answers.
pub async fn each_state<T>(
    cluster: &Cluster,
    gvk: &GroupVersionKind,
    which: Which<'_>,
    mut each: impl FnMut(&Object) -> Result<Option<T>, CommandError>,
) -> Result<T, CommandError> {
    Watch::new(cluster, gvk.clone(), which)
        .each(|event| match event {
            Event::Is(object) => each(&object),
            Event::Gone(_) | Event::Synced => Ok(None),
        })
        .await
}

/// Namespace and name.
type Key = (String, String);

/// What has been told of the objects of a kind.
#[derive(Debug, Default)]
struct Seen {
    objects: BTreeMap<Key, Object>,
    /// Where the next watch goes on; empty where it has to begin with what exists.
    version: String,
    /// What was seen of what exists, while that is being told.
    initial: Option<BTreeSet<Key>>,
}

impl Seen {
    /// A watch begins.
    fn begin(&mut self) {
        self.initial = self.version.is_empty().then(BTreeSet::new);
    }

    /// What is new in an event of a watch.
    fn note(&mut self, event: WatchEvent<Value>) -> Vec<Event> {
        match event {
            WatchEvent::Added(value) | WatchEvent::Modified(value) => object(value)
                .and_then(|object| self.is(object))
                .into_iter()
                .collect(),
            WatchEvent::Deleted(value) => {
                let Some(object) = object(value) else {
                    return Vec::new();
                };
                self.go_on_behind(text(&object, "/metadata/resourceVersion"));
                self.objects.remove(&key(&object));
                vec![Event::Gone(Box::new(object))]
            }
            WatchEvent::Bookmark(bookmark) => {
                let is_end = bookmark.metadata.annotations.contains_key(END_OF_INITIAL);
                let gone = match self.initial.take_if(|_| is_end) {
                    Some(exists) => self.gone(&exists).chain([Event::Synced]).collect(),
                    None => Vec::new(),
                };
                self.go_on_behind(&bookmark.metadata.resource_version);
                gone
            }
            WatchEvent::Error(_) => Vec::new(),
        }
    }

    /// What is new in all that exists.
    fn note_all(&mut self, list: List) -> Vec<Event> {
        self.version.clear();
        self.begin();
        let objects = list.items.into_iter().filter_map(object);
        let mut told: Vec<_> = objects.filter_map(|object| self.is(object)).collect();
        let exists = self.initial.take().unwrap_or_default();
        told.extend(self.gone(&exists));
        told.push(Event::Synced);
        self.version = list.resource_version;
        told
    }

    fn is(&mut self, object: Object) -> Option<Event> {
        let (key, version) = (key(&object), text(&object, "/metadata/resourceVersion"));
        if let Some(initial) = &mut self.initial {
            initial.insert(key.clone());
        }
        self.go_on_behind(version);
        let known = self.objects.get(&key);
        if known.is_some_and(|known| text(known, "/metadata/resourceVersion") == version) {
            return None;
        }
        self.objects.insert(key, object.clone());
        Some(Event::Is(Box::new(object)))
    }

    /// What exists is told in any order: until it is whole there is no place to go on from.
    fn go_on_behind(&mut self, version: &str) {
        if self.initial.is_none() {
            version.clone_into(&mut self.version);
        }
    }

    /// What was known and does not exist any more.
    fn gone(&mut self, exists: &BTreeSet<Key>) -> impl Iterator<Item = Event> + use<> {
        let objects = std::mem::take(&mut self.objects);
        let (kept, gone): (BTreeMap<_, _>, BTreeMap<_, _>) = objects
            .into_iter()
            .partition(|(key, _)| exists.contains(key));
        self.objects = kept;
        gone.into_values()
            .map(|object| Event::Gone(Box::new(object)))
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

    fn bookmark(version: &str, is_end: bool) -> WatchEvent<Value> {
        let annotations = if is_end {
            json!({ END_OF_INITIAL: "true" })
        } else {
            json!({})
        };
        let event = json!({ "type": "BOOKMARK", "object": { "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": { "resourceVersion": version, "annotations": annotations } } });
        serde_json::from_value(event).unwrap()
    }

    /// What is told of an event, in short.
    fn told(seen: &mut Seen, event: WatchEvent<Value>) -> Vec<String> {
        let short = |event: &Event| match event {
            Event::Is(object) => format!(
                "{} {}",
                object.name(),
                text(object, "/metadata/resourceVersion")
            ),
            Event::Gone(object) => format!("-{}", object.name()),
            Event::Synced => "synced".to_owned(),
        };
        seen.note(event).iter().map(short).collect()
    }

    fn synced() -> Seen {
        let mut seen = Seen::default();
        seen.begin();
        for (name, version) in [("b", "7"), ("a", "3")] {
            let event = WatchEvent::Added(value(name, version));
            assert_eq!(told(&mut seen, event), [format!("{name} {version}")]);
        }
        assert_eq!(seen.version, "", "what exists comes in any order");
        assert_eq!(told(&mut seen, bookmark("9", true)), ["synced"]);
        seen
    }

    #[test]
    fn a_watch_goes_on_behind_the_last_thing_that_it_saw() {
        let mut seen = synced();
        assert_eq!(seen.version, "9");
        assert_eq!(
            told(&mut seen, WatchEvent::Modified(value("a", "11"))),
            ["a 11"]
        );
        assert_eq!(seen.version, "11");
        assert_eq!(told(&mut seen, bookmark("15", false)), Vec::<String>::new());
        assert_eq!(seen.version, "15");
        assert_eq!(
            told(&mut seen, WatchEvent::Deleted(value("a", "16"))),
            ["-a"]
        );
        assert_eq!(seen.version, "16");
    }

    #[test]
    fn what_is_listed_is_told_where_it_is_new_or_gone() {
        let list = |objects: &[(&str, &str)], version: &str| List {
            items: objects.iter().map(|(name, at)| value(name, at)).collect(),
            resource_version: version.to_owned(),
        };
        let told = |seen: &mut Seen, list| {
            seen.note_all(list)
                .iter()
                .map(|event| match event {
                    Event::Is(object) => object.name().to_owned(),
                    Event::Gone(object) => format!("-{}", object.name()),
                    Event::Synced => "synced".to_owned(),
                })
                .collect::<Vec<_>>()
        };
        let mut seen = Seen::default();
        let first = list(&[("a", "3"), ("b", "7")], "9");
        assert_eq!(told(&mut seen, first), ["a", "b", "synced"]);
        assert_eq!(seen.version, "9", "a watch goes on from there");
        let second = list(&[("b", "7"), ("c", "12")], "");
        assert_eq!(told(&mut seen, second), ["c", "-a", "synced"]);
        assert_eq!(
            seen.version, "",
            "an object that was read is no place to go on from"
        );
    }

    #[test]
    fn what_is_read_again_is_told_only_where_it_is_new_or_gone() {
        let mut seen = synced();
        seen.version.clear();
        seen.begin();
        assert_eq!(
            told(&mut seen, WatchEvent::Added(value("b", "7"))),
            Vec::<String>::new()
        );
        assert_eq!(
            told(&mut seen, WatchEvent::Added(value("c", "20"))),
            ["c 20"]
        );
        assert_eq!(told(&mut seen, bookmark("21", true)), ["-a", "synced"]);
    }
}
