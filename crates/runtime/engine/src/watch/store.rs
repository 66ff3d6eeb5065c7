//! The objects of one watch by key, shared by all their readers.
//!
//! Reads never wait. An object that this process wrote is stored with the response of the API
//! server. So the next run sees its own writes, although the watch may lag behind.
//!
//! Objects are stored as compressed JSON and decoded by each read: most are read once per interval,
//! and a decoded object takes many times the memory.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::compress::{CompressedText, Compressor};
use crate::key::ObjectKey;
use crate::kind::Watchable;

/// The objects of one kind, as last seen.
pub struct Store<K> {
    shared: Arc<Shared<K>>,
}

struct Shared<K> {
    entries: RwLock<HashMap<ObjectKey, StoredObject>>,
    revision: AtomicU64,
    compressor: Compressor,
    kind: PhantomData<fn() -> K>,
}

#[derive(Clone)]
enum StoredObject {
    Object(Arc<CompressedText>),
    Undecodable {
        error: Arc<str>,
        generation: Option<i64>,
    },
}

/// One object, or the reason why it could not be decoded.
#[derive(Debug)]
pub enum Entry<K> {
    /// The decoded object.
    Object(Arc<K>),
    /// The object exists but does not match the schema of its kind.
    Undecodable {
        /// The reason.
        error: Arc<str>,
        /// The generation that was decoded.
        generation: Option<i64>,
    },
}

impl<K> Entry<K> {
    /// Whether both are the same generation with the same error.
    pub(crate) fn is_same_fault(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Undecodable { error, generation },
                Self::Undecodable {
                    error: other_error,
                    generation: other_generation,
                },
            ) => error == other_error && generation == other_generation,
            _ => false,
        }
    }
}

impl<K> Clone for Entry<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Object(object) => Self::Object(Arc::clone(object)),
            Self::Undecodable { error, generation } => Self::Undecodable {
                error: Arc::clone(error),
                generation: *generation,
            },
        }
    }
}

impl StoredObject {
    fn entry<K: Watchable>(self) -> Entry<K> {
        match self {
            Self::Object(text) => match decode(&text) {
                Ok(object) => Entry::Object(Arc::new(object)),
                Err(error) => Entry::Undecodable {
                    error,
                    generation: None,
                },
            },
            Self::Undecodable { error, generation } => Entry::Undecodable { error, generation },
        }
    }
}

/// Fails for a type that cannot read its own output.
fn decode<K: Watchable>(text: &CompressedText) -> Result<K, Arc<str>> {
    let text = text.decompress().map_err(|error| error.to_string())?;
    Ok(serde_json::from_slice(&text).map_err(|error| error.to_string())?)
}

/// Whether the text of an object may be a dictionary. A dictionary outlives its object, and a
/// Secret must not.
fn may_learn<K: Watchable>() -> bool {
    !K::group(&()).is_empty() || K::metadata_api()
}

impl<K> Clone for Store<K> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
        }
    }
}

impl<K> Default for Store<K> {
    fn default() -> Self {
        Self {
            shared: Arc::new(Shared {
                entries: RwLock::default(),
                revision: AtomicU64::default(),
                compressor: Compressor::default(),
                kind: PhantomData,
            }),
        }
    }
}

impl<K: Watchable> Store<K> {
    /// The object of a key, if it exists and could be decoded.
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<K>> {
        match self.entry(key)? {
            Entry::Object(object) => Some(object),
            Entry::Undecodable { .. } => None,
        }
    }

    /// The entry of a key.
    pub fn entry(&self, key: &ObjectKey) -> Option<Entry<K>> {
        let stored = self.read().get(key).cloned();
        Some(stored?.entry())
    }

    /// Whether the object exists, decodable or not.
    pub fn contains(&self, key: &ObjectKey) -> bool {
        self.read().contains_key(key)
    }

    /// The keys of all objects, decodable or not.
    pub fn keys(&self) -> Vec<ObjectKey> {
        self.read().keys().cloned().collect()
    }

    /// The keys of all objects that could be decoded.
    pub fn readable(&self) -> Vec<ObjectKey> {
        let entries = self.read();
        let objects = entries
            .iter()
            .filter(|(_, stored)| matches!(stored, StoredObject::Object(_)));
        objects.map(|(key, _)| key.clone()).collect()
    }

    /// The number of objects.
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether the store has no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of changes so far. A reader that caches decoded objects reads it before them, and
    /// reads them again when it differs.
    pub fn revision(&self) -> u64 {
        self.shared.revision.load(Ordering::Acquire)
    }

    /// Inserts or replaces an entry.
    pub(crate) fn insert(&self, key: ObjectKey, entry: &Entry<K>) {
        let stored = match entry {
            Entry::Object(object) => {
                let text = serde_json::to_vec(object.as_ref())
                    .expect("an object has string keys and finite numbers");
                let compressor = &self.shared.compressor;
                if may_learn::<K>() {
                    compressor.learn(&text);
                }
                StoredObject::Object(Arc::new(compressor.compress(&text)))
            }
            Entry::Undecodable { error, generation } => StoredObject::Undecodable {
                error: Arc::clone(error),
                generation: *generation,
            },
        };
        self.write().insert(key, stored);
        self.count_change();
    }

    /// Removes an entry and returns it.
    pub(crate) fn remove(&self, key: &ObjectKey) -> Option<Entry<K>> {
        let stored = self.write().remove(key)?;
        self.count_change();
        Some(stored.entry())
    }

    fn count_change(&self) {
        self.shared.revision.fetch_add(1, Ordering::Release);
    }

    fn read(&self) -> RwLockReadGuard<'_, HashMap<ObjectKey, StoredObject>> {
        let entries = &self.shared.entries;
        entries.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, HashMap<ObjectKey, StoredObject>> {
        let entries = &self.shared.entries;
        entries.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The resource version as a number; 0 if it is not one, and then only the watch decides.
///
/// The API promises an order since Kubernetes 1.35, and etcd always provided one.
pub(crate) fn version(object: &impl kube::Resource) -> u64 {
    object
        .meta()
        .resource_version
        .as_deref()
        .and_then(|version| version.parse().ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;
    use kube::core::PartialObjectMeta;
    use serde_json::json;

    use super::*;

    fn entry<K: Watchable>(value: serde_json::Value) -> Entry<K> {
        Entry::Object(Arc::new(serde_json::from_value(value).unwrap()))
    }

    #[test]
    fn stored_object_is_returned_unchanged() {
        let value = json!({
            "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": {"name": "a", "namespace": "apps", "uid": "u", "resourceVersion": "7",
                "labels": {"l": "1"}, "creationTimestamp": "2026-01-01T00:00:00Z"},
            "data": {"text": "a \"quoted\" line\n", "empty": ""},
        });
        let (whole, metadata) = (
            Store::<ConfigMap>::default(),
            Store::<PartialObjectMeta<ConfigMap>>::default(),
        );
        let key = ObjectKey::new("apps", "a");
        whole.insert(key.clone(), &entry(value.clone()));
        metadata.insert(key.clone(), &entry(value.clone()));
        let read = serde_json::to_value(whole.get(&key).unwrap().as_ref()).unwrap();
        assert_eq!(read, value);
        let removed = metadata.remove(&key).unwrap();
        assert!(
            matches!(removed, Entry::Object(object) if object.metadata.labels.as_ref().unwrap()["l"] == "1")
        );
        assert!(metadata.is_empty() && whole.contains(&key));
    }

    #[test]
    fn revision_counts_inserts_and_removals() {
        let store = Store::<ConfigMap>::default();
        let key = ObjectKey::new("apps", "a");
        let mut revisions = vec![store.revision()];
        store.insert(key.clone(), &entry(json!({"metadata": {"name": "a"}})));
        revisions.push(store.revision());
        store.remove(&key);
        revisions.push(store.revision());
        store.remove(&key);
        revisions.push(store.revision());
        assert_eq!(revisions, [0, 1, 2, 2]);
    }

    #[test]
    fn core_objects_do_not_become_dictionaries() {
        let value = |name: &str| {
            json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "apps"},
                "data": {"key": "value"}})
        };
        let (whole, metadata) = (
            Store::<ConfigMap>::default(),
            Store::<PartialObjectMeta<ConfigMap>>::default(),
        );
        for name in ["a", "b"] {
            let key = ObjectKey::new("apps", name);
            whole.insert(key.clone(), &entry(value(name)));
            metadata.insert(key, &entry(value(name)));
        }
        assert_eq!(whole.shared.compressor.dictionary(), b"");
        let dictionary = metadata.shared.compressor.dictionary();
        assert!(dictionary.starts_with(b"{\"apiVersion"));
    }

    #[test]
    fn undecodable_object_exists_but_is_not_readable() {
        let store = Store::<ConfigMap>::default();
        let fault = Entry::Undecodable {
            error: Arc::from("no map"),
            generation: Some(3),
        };
        store.insert(ObjectKey::new("apps", "bad"), &fault);
        store.insert(
            ObjectKey::new("apps", "good"),
            &entry(json!({"metadata": {"name": "good", "namespace": "apps"}})),
        );
        assert_eq!(store.len(), 2);
        assert_eq!(store.readable(), [ObjectKey::new("apps", "good")]);
        let stored = store.entry(&ObjectKey::new("apps", "bad")).unwrap();
        assert!(stored.is_same_fault(&fault));
        assert!(store.get(&ObjectKey::new("apps", "bad")).is_none());
    }
}
