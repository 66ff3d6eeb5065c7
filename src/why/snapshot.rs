//! What was seen of a cluster at one moment: objects, by kind, namespace and name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Serialize, Serializer};
use sluice_object::Object;

/// What an object is called. Kinds stand without their group: conditions name them so too.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id {
    pub kind: String,
    /// Empty for what belongs to no namespace.
    pub namespace: String,
    pub name: String,
}

impl Id {
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

/// The objects that were seen, and those that were looked for and are not there.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    objects: BTreeMap<Id, Object>,
    absent: BTreeSet<Id>,
}

impl Snapshot {
    pub fn add(&mut self, object: Object) {
        self.objects.insert(Id::of(&object), object);
    }

    /// Notes that there is no such object.
    pub fn note_absent(&mut self, id: Id) {
        self.absent.insert(id);
    }

    /// Whether it is known of an object what it is like, or that it is not there.
    pub fn knows(&self, id: &Id) -> bool {
        self.objects.contains_key(id) || self.absent.contains(id)
    }

    /// Whether it was looked for and is not there.
    pub fn is_absent(&self, id: &Id) -> bool {
        self.absent.contains(id)
    }

    pub fn get(&self, id: &Id) -> Option<&Object> {
        self.objects.get(id)
    }

    /// All objects, in the order of their names.
    pub fn all(&self) -> impl Iterator<Item = &Object> {
        self.objects.values()
    }

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
