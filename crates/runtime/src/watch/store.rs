//! What is known of one kind: the objects of a watch, by key, shared by whoever
//! reads them.
//!
//! Reading never waits. An object written by ourselves is here as soon as the API server
//! has answered, so that the next run sees its own writes although the watch may lag behind.
//!
//! Objects are kept as packed text and parsed for whoever reads them: most are read once in an
//! interval, and what they are made of takes many times the room of what they say.

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::packed::{Packed, Packer};
use crate::key::ObjectKey;
use crate::kind::Watched;

/// The objects of one kind, as last seen.
pub struct Store<K> {
    entries: Arc<RwLock<HashMap<ObjectKey, Kept>>>,
    packer: Arc<Packer>,
    kind: PhantomData<fn() -> K>,
}

/// Why an object that was found can be read.
const OWN_TEXT: &str = "a kind reads what it has written itself";

/// One object as it is kept.
enum Kept {
    Object(Packed),
    Undecodable {
        error: Arc<str>,
        generation: Option<i64>,
    },
}

/// One object: as it is, or why it could not be read.
#[derive(Debug)]
pub enum Entry<K> {
    /// It could be read.
    Object(Arc<K>),
    /// It is there but is not of the kind's shape.
    Undecodable {
        /// What is wrong with it.
        error: Arc<str>,
        /// The generation that was looked at.
        generation: Option<i64>,
    },
}

impl<K> Entry<K> {
    /// Whether both are the same generation with the same fault: nothing new to say.
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

/// One object as somebody found it, kept as the store keeps it: read anew for whoever needs it.
pub(crate) struct Found<K> {
    packed: Packed,
    kind: PhantomData<fn() -> K>,
}

impl<K: Watched> Found<K> {
    pub(crate) fn of(object: &K, packer: &Packer) -> Self {
        let text = serde_json::to_vec(object).expect(OWN_TEXT);
        Self {
            packed: packer.pack(&text),
            kind: PhantomData,
        }
    }

    pub(crate) fn object(&self) -> K {
        let text = self.packed.unpack().expect(OWN_TEXT);
        serde_json::from_slice(&text).expect(OWN_TEXT)
    }
}

impl Kept {
    fn of<K: Watched>(entry: &Entry<K>, packer: &Packer) -> Self {
        match entry {
            Entry::Object(object) => match serde_json::to_vec(object.as_ref()) {
                Ok(text) => Self::Object(packer.pack(&text)),
                Err(error) => Self::undecodable(&error),
            },
            Entry::Undecodable { error, generation } => Self::Undecodable {
                error: Arc::clone(error),
                generation: *generation,
            },
        }
    }

    fn entry<K: Watched>(&self) -> Entry<K> {
        match self {
            Self::Object(packed) => match packed.unpack() {
                Ok(text) => match serde_json::from_slice(&text) {
                    Ok(object) => Entry::Object(Arc::new(object)),
                    Err(error) => Self::undecodable(&error).entry(),
                },
                Err(error) => Self::undecodable(&error).entry(),
            },
            Self::Undecodable { error, generation } => Entry::Undecodable {
                error: Arc::clone(error),
                generation: *generation,
            },
        }
    }

    /// Of a type that does not read what it writes itself; ours do.
    fn undecodable(error: &dyn fmt::Display) -> Self {
        Self::Undecodable {
            error: error.to_string().into(),
            generation: None,
        }
    }
}

impl<K> Clone for Store<K> {
    fn clone(&self) -> Self {
        Self {
            entries: Arc::clone(&self.entries),
            packer: Arc::clone(&self.packer),
            kind: PhantomData,
        }
    }
}

impl<K> Default for Store<K> {
    fn default() -> Self {
        Self {
            entries: Arc::default(),
            packer: Arc::default(),
            kind: PhantomData,
        }
    }
}

impl<K: Watched> Store<K> {
    /// The object under a key, if it exists and could be read.
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<K>> {
        match self.entry(key)? {
            Entry::Object(object) => Some(object),
            Entry::Undecodable { .. } => None,
        }
    }

    /// What is known under a key.
    pub fn entry(&self, key: &ObjectKey) -> Option<Entry<K>> {
        self.read().get(key).map(Kept::entry)
    }

    /// Whether it exists, readable or not.
    pub fn contains(&self, key: &ObjectKey) -> bool {
        self.read().contains_key(key)
    }

    /// The keys of everything that exists, readable or not.
    pub fn keys(&self) -> Vec<ObjectKey> {
        self.read().keys().cloned().collect()
    }

    /// The keys of everything that exists and could be read.
    pub fn readable(&self) -> Vec<ObjectKey> {
        let entries = self.read();
        let objects = entries
            .iter()
            .filter(|(_, kept)| matches!(kept, Kept::Object(_)));
        objects.map(|(key, _)| key.clone()).collect()
    }

    /// How many objects exist.
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether none exists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts an entry in, in the place of what was there.
    pub(crate) fn insert(&self, key: ObjectKey, entry: &Entry<K>) {
        let kept = Kept::of(entry, &self.packer);
        self.write().insert(key, kept);
    }

    /// What packs texts that are like these objects.
    pub(crate) fn packer(&self) -> &Packer {
        &self.packer
    }

    /// Takes an entry out.
    pub(crate) fn remove(&self, key: &ObjectKey) -> Option<Entry<K>> {
        let kept = self.write().remove(key);
        kept.as_ref().map(Kept::entry)
    }

    fn read(&self) -> RwLockReadGuard<'_, HashMap<ObjectKey, Kept>> {
        self.entries.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, HashMap<ObjectKey, Kept>> {
        self.entries.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The resource version as a number. The API promises an order since Kubernetes
/// 1.35 and etcd has always given one; a version that is no number counts as oldest,
/// and then the watch alone decides.
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

    fn entry<K: Watched>(value: serde_json::Value) -> Entry<K> {
        Entry::Object(Arc::new(serde_json::from_value(value).unwrap()))
    }

    #[test]
    fn what_is_kept_comes_back_as_it_was() {
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
        let told = serde_json::to_value(whole.get(&key).unwrap().as_ref()).unwrap();
        assert_eq!(told, value);
        let known = metadata.remove(&key).unwrap();
        assert!(
            matches!(known, Entry::Object(object) if object.metadata.labels.as_ref().unwrap()["l"] == "1")
        );
        assert!(metadata.is_empty() && whole.contains(&key));
    }

    #[test]
    fn what_could_not_be_read_exists_and_is_not_among_what_could() {
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
        let kept = store.entry(&ObjectKey::new("apps", "bad")).unwrap();
        assert!(kept.is_same_fault(&fault));
        assert!(store.get(&ObjectKey::new("apps", "bad")).is_none());
    }
}
