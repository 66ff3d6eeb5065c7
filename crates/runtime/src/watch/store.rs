//! What is known of one kind: the objects of a watch, by key, shared by whoever
//! reads them.
//!
//! Reading is cheap and never waits. An object written by ourselves is here as soon as
//! the API server has answered, so that the next run sees its own writes although the
//! watch may lag behind.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::key::ObjectKey;
use crate::kind::Watched;

/// The objects of one kind, as last seen.
pub struct Store<K> {
    entries: Arc<RwLock<HashMap<ObjectKey, Entry<K>>>>,
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

impl<K> Clone for Store<K> {
    fn clone(&self) -> Self {
        Self {
            entries: Arc::clone(&self.entries),
        }
    }
}

impl<K> Default for Store<K> {
    fn default() -> Self {
        Self {
            entries: Arc::default(),
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
        self.entries
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(key)
            .cloned()
    }

    /// Every object that could be read, in no order.
    pub fn list(&self) -> Vec<Arc<K>> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries
            .values()
            .filter_map(|entry| match entry {
                Entry::Object(object) => Some(Arc::clone(object)),
                Entry::Undecodable { .. } => None,
            })
            .collect()
    }

    /// The keys of everything that exists, readable or not.
    pub fn keys(&self) -> Vec<ObjectKey> {
        self.entries
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .keys()
            .cloned()
            .collect()
    }

    /// How many objects exist.
    pub fn len(&self) -> usize {
        self.entries
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    /// Whether none exists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts an entry in and returns what it replaced.
    pub(crate) fn insert(&self, key: ObjectKey, entry: Entry<K>) -> Option<Entry<K>> {
        self.entries
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(key, entry)
    }

    /// Takes an entry out.
    pub(crate) fn remove(&self, key: &ObjectKey) -> Option<Entry<K>> {
        self.entries
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(key)
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
