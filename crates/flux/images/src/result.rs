//! The changes of an update: file → object → changes.
//!
//! Maps are sorted, so every text made of them is the same in each run. The reference iterates in
//! random order.

use std::collections::BTreeMap;

/// A Kubernetes object. Every part may be empty: not every YAML file has objects.
///
/// The order is that in which Go's templates sort such a key: field by field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ObjectId {
    /// API version.
    pub api_version: String,
    /// Kind.
    pub kind: String,
    /// Name.
    pub name: String,
    /// Namespace.
    pub namespace: String,
}

/// One changed value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Change {
    /// The value before.
    pub old_value: String,
    /// The value after.
    pub new_value: String,
    /// The value of the marker, such as `ns:policy:tag`.
    pub setter: String,
}

/// The changes of objects.
pub type ObjectChanges = BTreeMap<ObjectId, Vec<Change>>;

/// The changes of an update.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UpdateResult {
    /// Changes by path and object.
    pub file_changes: BTreeMap<String, ObjectChanges>,
}

impl UpdateResult {
    /// Adds a change.
    pub fn add(&mut self, file: &str, object: ObjectId, change: Change) {
        let objects = self.file_changes.entry(file.to_owned()).or_default();
        objects.entry(object).or_default().push(change);
    }

    /// Reports whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.file_changes.is_empty()
    }

    /// Returns each distinct change once, in the order of files, objects and positions.
    pub fn changes(&self) -> Vec<Change> {
        let mut seen = std::collections::HashSet::new();
        let mut changes = Vec::new();
        for change in self
            .file_changes
            .values()
            .flat_map(BTreeMap::values)
            .flatten()
        {
            if seen.insert(change) {
                changes.push(change.clone());
            }
        }
        changes
    }

    /// Returns the changes of each object in all files.
    pub fn objects(&self) -> ObjectChanges {
        let mut objects = ObjectChanges::new();
        for (object, changes) in self.file_changes.values().flatten() {
            let known = objects.entry(object.clone()).or_default();
            known.extend(changes.iter().cloned());
        }
        objects
    }
}
