//! The resources of a build: an ordered list with constant-time look-up by id.
//!
//! Upstream scans the list for each look-up, which makes a build quadratic. Here an index is
//! built on the first look-up, one for current ids and one for all ids. Methods that change
//! one resource update the indices. [`iter_mut`](ResourceMap::iter_mut) drops them, for passes
//! over all resources.
//!
//! Parity: kustomize: `api/resmap/reswrangler.go`.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::OnceLock;

use crate::error::{Code, Error};
use crate::growth::GrowthBudget;
use crate::id::Id;
use crate::resource::{Behavior, ORIGIN_ANNOTATION, Resource};

/// An ordered list of resources with indices by id.
#[derive(Debug, Default)]
pub(crate) struct ResourceMap {
    list: Vec<Resource>,
    /// By current id.
    current: OnceLock<Index>,
    /// By current and previous ids. Rarely used, and large after many renames.
    any: OnceLock<Index>,
    /// How much transformers may add.
    growth: GrowthBudget,
}

/// A clone builds its own indices.
impl Clone for ResourceMap {
    fn clone(&self) -> Self {
        Self {
            list: self.list.clone(),
            growth: self.growth.clone(),
            ..Self::default()
        }
    }
}

/// Which ids of a resource an index contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ids {
    Current,
    Any,
}

impl Ids {
    fn of_resource(self, resource: &Resource) -> impl Iterator<Item = Id> {
        // Upstream skips deleted resources only in this kind of search.
        let is_found = self == Self::Current || !resource.is_empty();
        let previous = (self == Self::Any && is_found).then(|| resource.previous_ids());
        let current = is_found.then(|| resource.cur_id());
        previous.into_iter().flatten().chain(current)
    }
}

/// Positions in the list by id, ascending.
#[derive(Debug, Clone, Default)]
struct Index(HashMap<Id, Vec<usize>>);

impl Index {
    fn build(list: &[Resource], ids: Ids) -> Self {
        let mut index = Self::default();
        for (place, resource) in list.iter().enumerate() {
            index.insert(place, ids.of_resource(resource));
        }
        index
    }

    fn get(&self, id: &Id) -> &[usize] {
        self.0.get(id).map_or(&[], Vec::as_slice)
    }

    fn insert(&mut self, place: usize, ids: impl Iterator<Item = Id>) {
        for id in ids {
            let places = self.0.entry(id).or_default();
            if let Err(at) = places.binary_search(&place) {
                places.insert(at, place);
            }
        }
    }

    fn remove(&mut self, place: usize, ids: impl Iterator<Item = Id>) {
        for id in ids {
            if let Some(places) = self.0.get_mut(&id)
                && let Ok(at) = places.binary_search(&place)
            {
                places.remove(at);
            }
        }
    }
}

impl ResourceMap {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Creates an empty list with a budget.
    pub(crate) fn with_budget(growth: &GrowthBudget) -> Self {
        Self {
            growth: growth.clone(),
            ..Self::default()
        }
    }

    /// Returns how much transformers may add.
    pub(crate) fn growth(&self) -> GrowthBudget {
        self.growth.clone()
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Resource> {
        self.list.iter()
    }

    /// Iterates over all resources for editing, and drops the indices.
    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Resource> {
        self.drop_indices();
        self.list.iter_mut()
    }

    /// Iterates over all resources for editing. Keeps the indices if no id changes.
    pub(crate) fn iter_mut_keeping(&mut self, ids: bool) -> std::slice::IterMut<'_, Resource> {
        if ids {
            self.list.iter_mut()
        } else {
            self.iter_mut()
        }
    }

    pub(crate) fn get(&self, place: usize) -> &Resource {
        &self.list[place]
    }

    /// Edits one resource and updates the indices.
    pub(crate) fn edit<R>(&mut self, place: usize, edit: impl FnOnce(&mut Resource) -> R) -> R {
        let resource = &mut self.list[place];
        let mut indices = [
            (self.current.get_mut(), Ids::Current),
            (self.any.get_mut(), Ids::Any),
        ];
        for (index, ids) in &mut indices {
            if let Some(index) = index {
                index.remove(place, ids.of_resource(resource));
            }
        }
        let outcome = edit(resource);
        for (index, ids) in indices {
            if let Some(index) = index {
                index.insert(place, ids.of_resource(resource));
            }
        }
        outcome
    }

    fn drop_indices(&mut self) {
        self.current.take();
        self.any.take();
    }

    fn current(&self) -> &Index {
        let make = || Index::build(&self.list, Ids::Current);
        self.current.get_or_init(make)
    }

    /// Returns the positions of resources with this current id.
    pub(crate) fn matching_current(&self, id: &Id) -> &[usize] {
        self.current().get(id)
    }

    /// Returns the positions of resources with this current or previous id, without deleted ones.
    pub(crate) fn matching_any(&self, id: &Id) -> &[usize] {
        let make = || Index::build(&self.list, Ids::Any);
        self.any.get_or_init(make).get(id)
    }

    /// Returns the only resource with this current or previous id.
    pub(crate) fn by_any_id(&self, id: &Id) -> Result<usize, Error> {
        let fail = |what: &str| {
            let message =
                format!("{what} matches for Id {id}; failed to find unique target for patch {id}");
            Err(Error::new(Code::PatchTarget, message))
        };
        match self.matching_any(id) {
            [place] => Ok(*place),
            [] => fail("no"),
            _ => fail("multiple"),
        }
    }

    /// Appends a resource, whose id must be new.
    pub(crate) fn append(&mut self, resource: Resource) -> Result<(), Error> {
        let id = resource.cur_id();
        if !self.matching_current(&id).is_empty() {
            return Err(conflict(&id));
        }
        self.push(resource);
        Ok(())
    }

    /// Appends resources, whose ids must be new.
    pub(crate) fn append_all(
        &mut self,
        resources: impl IntoIterator<Item = Resource>,
    ) -> Result<(), Error> {
        resources
            .into_iter()
            .try_for_each(|resource| self.append(resource))
    }

    /// Appends a resource with any id.
    pub(crate) fn push(&mut self, resource: Resource) {
        let place = self.list.len();
        if let Some(index) = self.current.get_mut() {
            index.insert(place, Ids::Current.of_resource(&resource));
        }
        if let Some(index) = self.any.get_mut() {
            index.insert(place, Ids::Any.of_resource(&resource));
        }
        self.list.push(resource);
    }

    /// Replaces the resource with the same current id.
    pub(crate) fn replace(&mut self, resource: Resource) -> Result<usize, Error> {
        let id = resource.cur_id();
        let place = match self.matching_current(&id) {
            [place] => *place,
            [] => {
                let message = format!("cannot find resource with id {id} to replace");
                return Err(Error::new(Code::GeneratorConflict, message));
            }
            places => {
                let message = format!("in Replace: id matched {} resources", places.len());
                return Err(Error::new(Code::GeneratorConflict, message));
            }
        };
        self.edit(place, |old| *old = resource);
        Ok(place)
    }

    /// Keeps the resources that match the predicate.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&Resource) -> bool) {
        let before = self.list.len();
        self.list.retain(keep);
        if self.list.len() != before {
            self.drop_indices();
        }
    }

    /// Drops the resources that a transformer deleted.
    pub(crate) fn drop_empties(&mut self) {
        self.retain(|resource| !resource.is_empty());
    }

    /// Adds a generated resource according to its behavior.
    pub(crate) fn absorb(&mut self, resource: Resource) -> Result<(), Error> {
        let id = resource.cur_id();
        let place = match self.matching_any(&id) {
            [] => {
                return match resource.behavior() {
                    Behavior::Merge | Behavior::Replace => {
                        let message = format!(
                            "id {} does not exist; cannot merge or replace",
                            go_value(&id)
                        );
                        Err(Error::new(Code::GeneratorConflict, message))
                    }
                    Behavior::Create | Behavior::Unspecified => self.append(resource),
                };
            }
            [place] => *place,
            _ => {
                let message = format!("found multiple objects that could accept merge of {id}");
                return Err(Error::new(Code::GeneratorConflict, message));
            }
        };
        let old = &self.list[place];
        let mut resource = resource;
        match resource.behavior() {
            Behavior::Replace => resource.take_metadata_of(old),
            Behavior::Merge => {
                let origin = old.annotation(ORIGIN_ANNOTATION);
                resource.take_metadata_of(old);
                resource.merge_data_of(old);
                if let Some(origin) = origin {
                    resource.set_annotation(ORIGIN_ANNOTATION, &origin);
                }
            }
            behavior => {
                let message = format!(
                    "id {} exists; can not use behavior: '{}', behavior must be merge or replace",
                    go_value(&id),
                    behavior.as_str()
                );
                return Err(Error::new(Code::GeneratorConflict, message));
            }
        }
        if self.replace(resource)? != place {
            let message = "unexpected target index in replacement";
            return Err(Error::new(Code::GeneratorConflict, message));
        }
        Ok(())
    }

    /// Sorts the resources by keys that are computed once.
    pub(crate) fn sort_by_cached_key<K>(
        &mut self,
        key: impl Fn(&Resource) -> K,
        compare: impl Fn(&K, &K) -> Ordering,
    ) {
        self.drop_indices();
        let list = std::mem::take(&mut self.list);
        let mut keyed: Vec<_> = list
            .into_iter()
            .map(|resource| (key(&resource), resource))
            .collect();
        keyed.sort_by(|(left, _), (right, _)| compare(left, right));
        self.list = keyed.into_iter().map(|(_, resource)| resource).collect();
    }

    /// Rejects resources with equal ids, which a transformer may have created.
    pub(crate) fn check_distinct(&self) -> Result<(), Error> {
        if self.current().0.len() == self.list.len() {
            return Ok(());
        }
        let mut places = self.list.iter().enumerate();
        let double = places.find(|(place, resource)| {
            let places = self.matching_current(&resource.cur_id());
            places.first() != Some(place)
        });
        match double {
            Some((_, resource)) => Err(conflict(&resource.cur_id())),
            None => Ok(()),
        }
    }
}

fn conflict(id: &Id) -> Error {
    let message = format!("may not add resource with an already registered id: {id}");
    Error::new(Code::IdConflict, message)
}

/// Formats an id as Go prints its struct, for upstream's errors.
fn go_value(id: &Id) -> String {
    format!(
        "resid.ResId{{Gvk:resid.Gvk{{Group:{:?}, Version:{:?}, Kind:{:?}, isClusterScoped:{}}}, Name:{:?}, Namespace:{:?}}}",
        id.gvk.group(),
        id.gvk.version(),
        id.gvk.kind(),
        id.cluster_scoped,
        &*id.name,
        &*id.namespace,
    )
}

impl IntoIterator for ResourceMap {
    type Item = Resource;
    type IntoIter = std::vec::IntoIter<Resource>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a ResourceMap {
    type Item = &'a Resource;
    type IntoIter = std::slice::Iter<'a, Resource>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
