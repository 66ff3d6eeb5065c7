//! The observed objects of a cluster, by kind, namespace and name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Serialize, Serializer};
use sluice_object::Object;

/// Kind, namespace and name of an object. The kind has no group, as in conditions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id {
    /// The kind, without its group.
    pub kind: String,
    /// Empty for cluster-scoped objects.
    pub namespace: String,
    /// The name.
    pub name: String,
}

impl Id {
    /// The id of these parts.
    pub fn new(
        kind: impl Into<String>,
        namespace: impl Into<String>,
        name: impl Into<String>,
    ) -> Self {
        Self {
            kind: kind.into(),
            namespace: namespace.into(),
            name: name.into(),
        }
    }

    /// The id of an object.
    pub fn of(object: &Object) -> Self {
        Self::new(object.kind(), object.namespace(), object.name())
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            namespace,
            name,
        } = self;
        if namespace.is_empty() {
            write!(f, "{kind}/{name}")
        } else {
            write!(f, "{kind}/{namespace}/{name}")
        }
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The objects that were read, and the ids that do not exist.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    objects: BTreeMap<Id, Object>,
    absent: BTreeSet<Id>,
}

impl Snapshot {
    /// Adds an object.
    pub fn add(&mut self, object: Object) {
        self.objects.insert(Id::of(&object), object);
    }

    /// Records that an object does not exist.
    pub fn note_absent(&mut self, id: Id) {
        self.absent.insert(id);
    }

    /// Whether an object was read or is known not to exist.
    pub fn knows(&self, id: &Id) -> bool {
        self.objects.contains_key(id) || self.absent.contains(id)
    }

    /// Whether an object is known not to exist.
    pub fn is_absent(&self, id: &Id) -> bool {
        self.absent.contains(id)
    }

    /// The object of an id.
    pub fn get(&self, id: &Id) -> Option<&Object> {
        self.objects.get(id)
    }

    /// All objects, in the order of their names.
    pub fn all(&self) -> impl Iterator<Item = &Object> {
        self.objects.values()
    }

    /// The objects of a kind.
    pub fn of_kind<'s>(&'s self, kind: &'s str) -> impl Iterator<Item = &'s Object> {
        self.all().filter(move |object| object.kind() == kind)
    }
}

impl FromIterator<Object> for Snapshot {
    fn from_iter<I: IntoIterator<Item = Object>>(objects: I) -> Self {
        let mut snapshot = Self::default();
        for object in objects {
            snapshot.add(object);
        }
        snapshot
    }
}
