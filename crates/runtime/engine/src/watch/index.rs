//! Maps a referenced object to its dependants.

use std::collections::HashMap;

use crate::key::ObjectKey;

/// The dependants of each referenced object of one watch.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Sorted lists: most objects have one dependant, and a list is smaller than a set.
    dependants: HashMap<ObjectKey, Vec<ObjectKey>>,
    references: HashMap<ObjectKey, Vec<ObjectKey>>,
}

impl Index {
    /// Sets the references of an object; none if it is gone.
    pub(crate) fn set(&mut self, dependant: &ObjectKey, mut references: Vec<ObjectKey>) {
        references.sort();
        references.dedup();
        if self
            .references
            .get(dependant)
            .is_some_and(|known| *known == references)
        {
            return;
        }
        for reference in self.references.remove(dependant).unwrap_or_default() {
            if let Some(dependants) = self.dependants.get_mut(&reference) {
                if let Ok(place) = dependants.binary_search(dependant) {
                    dependants.remove(place);
                }
                if dependants.is_empty() {
                    self.dependants.remove(&reference);
                }
            }
        }
        for reference in &references {
            let dependants = self
                .dependants
                .entry(reference.clone())
                .or_insert_with(|| Vec::with_capacity(1));
            if let Err(place) = dependants.binary_search(dependant) {
                dependants.insert(place, dependant.clone());
            }
        }
        if !references.is_empty() {
            self.references.insert(dependant.clone(), references);
        }
    }

    /// The dependants of an object, by name.
    pub(crate) fn dependants(&self, reference: &ObjectKey) -> Vec<ObjectKey> {
        self.dependants.get(reference).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> ObjectKey {
        ObjectKey::new("apps", name)
    }

    #[test]
    fn dependants_follow_their_references() {
        let mut index = Index::default();
        index.set(&key("b"), vec![key("source"), key("source")]);
        index.set(&key("a"), vec![key("source")]);
        assert_eq!(index.dependants(&key("source")), [key("a"), key("b")]);

        index.set(&key("b"), vec![key("other")]);
        assert_eq!(index.dependants(&key("source")), [key("a")]);
        assert_eq!(index.dependants(&key("other")), [key("b")]);
    }

    #[test]
    fn deleted_object_leaves_no_state() {
        let mut index = Index::default();
        index.set(&key("a"), vec![key("source")]);
        index.set(&key("a"), Vec::new());
        assert!(index.dependants.is_empty() && index.references.is_empty());
    }
}
