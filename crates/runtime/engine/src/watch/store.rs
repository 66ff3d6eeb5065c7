//! What is known of one kind: the objects of a watch, by key, shared by whoever
//! reads them.
//!
//! Reading never waits. An object written by ourselves is here as soon as the API server
//! has answered, so that the next run sees its own writes although the watch may lag behind.
//!
//! Objects are kept as packed text and parsed for whoever reads them: most are read once in an
//! interval, and what they are made of takes many times the room of what they say.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use serde::Serialize;

use super::packed::{Packed, Packer};
use crate::key::ObjectKey;
use crate::kind::Watched;

/// The objects of one kind, as last seen.
pub struct Store<K> {
    entries: Arc<RwLock<HashMap<ObjectKey, Kept<K>>>>,
    packer: Arc<Packer>,
}

/// One object as it is kept.
#[derive(Clone)]
enum Kept<K> {
    Object(Found<K>),
    Undecodable {
        error: Arc<str>,
        generation: Option<i64>,
    },
}

/// One object as somebody found it, packed: it is read anew for whoever needs it.
pub(crate) struct Found<K> {
    packed: Arc<Packed>,
    kind: PhantomData<fn() -> K>,
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

/// An object with what it was read from, or why it could not be read.
type Read<K> = Result<(K, Found<K>), Arc<str>>;

impl<K> Clone for Found<K> {
    fn clone(&self) -> Self {
        Self {
            packed: Arc::clone(&self.packed),
            kind: PhantomData,
        }
    }
}

impl<K: Watched> Found<K> {
    pub(crate) fn of(object: &K, packer: &Packer) -> Self {
        Self::packed(&text(object), packer)
    }

    fn packed(text: &[u8], packer: &Packer) -> Self {
        Self {
            packed: Arc::new(packer.pack(text)),
            kind: PhantomData,
        }
    }

    /// The object, which was read once already.
    pub(crate) fn object(&self) -> K {
        self.read().expect("what was read once can be read again")
    }

    /// Fails for a type that does not read what it writes; ours do.
    fn read(&self) -> Result<K, Arc<str>> {
        let text = self.packed.unpack().map_err(|error| error.to_string())?;
        Ok(serde_json::from_slice(&text).map_err(|error| error.to_string())?)
    }
}

impl<K: Watched> Kept<K> {
    fn entry(self) -> Entry<K> {
        match self {
            Self::Object(found) => match found.read() {
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

fn text(object: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(object).expect("an object has string keys and no non-finite numbers")
}

/// Whether objects of a kind hold values that must not outlive them, as the text of a sample does.
fn holds_values<K: Watched>() -> bool {
    K::group(&()).is_empty() && !K::metadata_api()
}

impl<K> Clone for Store<K> {
    fn clone(&self) -> Self {
        Self {
            entries: Arc::clone(&self.entries),
            packer: Arc::clone(&self.packer),
        }
    }
}

impl<K> Default for Store<K> {
    fn default() -> Self {
        Self {
            entries: Arc::default(),
            packer: Arc::default(),
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
        Some(self.kept(key)?.entry())
    }

    /// The object under a key, for whoever works on it.
    pub(crate) fn found(&self, key: &ObjectKey) -> Option<Read<K>> {
        Some(match self.kept(key)? {
            Kept::Object(found) => found.read().map(|object| (object, found)),
            Kept::Undecodable { error, .. } => Err(error),
        })
    }

    fn kept(&self, key: &ObjectKey) -> Option<Kept<K>> {
        self.read().get(key).cloned()
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
        let kept = match entry {
            Entry::Object(object) => {
                let text = text(object.as_ref());
                if !holds_values::<K>() {
                    self.packer.learn(&text);
                }
                Kept::Object(Found::packed(&text, &self.packer))
            }
            Entry::Undecodable { error, generation } => Kept::Undecodable {
                error: Arc::clone(error),
                generation: *generation,
            },
        };
        self.write().insert(key, kept);
    }

    /// What packs texts that are like these objects.
    pub(crate) fn packer(&self) -> &Packer {
        &self.packer
    }

    /// Takes an entry out.
    pub(crate) fn remove(&self, key: &ObjectKey) -> Option<Entry<K>> {
        let kept = self.write().remove(key);
        kept.map(Kept::entry)
    }

    fn read(&self) -> RwLockReadGuard<'_, HashMap<ObjectKey, Kept<K>>> {
        self.entries.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, HashMap<ObjectKey, Kept<K>>> {
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
    fn nothing_of_a_secret_is_left_when_it_is_gone() {
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
        assert_eq!(whole.packer().sample(), b"");
        assert!(metadata.packer().sample().starts_with(b"{\"apiVersion"));
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
