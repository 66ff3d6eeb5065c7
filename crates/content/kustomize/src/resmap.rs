//! The resources of a build, in order, found by id in constant time.
//!
//! Upstream scans the whole list for each question, which makes a build
//! quadratic. Here the ids are hashed when the first question comes, those of now
//! apart from those of before, and the indices then follow [`append`](ResMap::append), [`edit`](ResMap::edit)
//! and [`replace`](ResMap::replace). [`iter_mut`](ResMap::iter_mut) is for
//! passes over everything: it drops the indices, and the next question builds one
//! anew.
//!
//! Parity: kustomize: `api/resmap/reswrangler.go`.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::OnceLock;

use crate::error::{Code, Error};
use crate::growth::Growth;
use crate::id::Id;
use crate::resource::{Behavior, Resource};

/// `ResMap` in order.
#[derive(Debug, Default)]
pub(crate) struct ResMap {
    list: Vec<Resource>,
    /// By the id of now.
    current: OnceLock<Index>,
    /// By each id of now and before. Few ask, and after many changes of a name it is
    /// larger than all else.
    any: OnceLock<Index>,
    /// What transformers may add.
    growth: Growth,
}

/// A copy makes an index of its own when it is asked.
impl Clone for ResMap {
    fn clone(&self) -> Self {
        Self {
            list: self.list.clone(),
            growth: self.growth.clone(),
            ..Self::default()
        }
    }
}

/// Which ids of a resource count: only that of now, or those of before as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ids {
    Current,
    Any,
}

impl Ids {
    fn of(self, resource: &Resource) -> impl Iterator<Item = Id> {
        // Upstream passes over deleted resources only in this kind of search.
        let is_found = self == Self::Current || !resource.is_empty();
        let previous = (self == Self::Any && is_found).then(|| resource.previous_ids());
        let current = is_found.then(|| resource.cur_id());
        previous.into_iter().flatten().chain(current)
    }
}

/// Places in the list by id, ascending.
#[derive(Debug, Clone, Default)]
struct Index(HashMap<Id, Vec<usize>>);

impl Index {
    fn of(list: &[Resource], ids: Ids) -> Self {
        let mut index = Self::default();
        for (place, resource) in list.iter().enumerate() {
            index.insert(place, ids.of(resource));
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

impl ResMap {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// An empty one, to which no more may be added.
    pub(crate) fn within(growth: &Growth) -> Self {
        Self {
            growth: growth.clone(),
            ..Self::default()
        }
    }

    /// What transformers may add.
    pub(crate) fn growth(&self) -> Growth {
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

    /// All resources, to be edited in a pass over everything.
    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Resource> {
        self.forget();
        self.list.iter_mut()
    }

    /// All resources, to be edited in a pass that may or may not change an id.
    /// If it does not, the indices stay.
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

    /// Edits one resource; the indices follow.
    pub(crate) fn edit<R>(&mut self, place: usize, edit: impl FnOnce(&mut Resource) -> R) -> R {
        let resource = &mut self.list[place];
        let mut indices = [
            (self.current.get_mut(), Ids::Current),
            (self.any.get_mut(), Ids::Any),
        ];
        for (index, ids) in &mut indices {
            if let Some(index) = index {
                index.remove(place, ids.of(resource));
            }
        }
        let outcome = edit(resource);
        for (index, ids) in indices {
            if let Some(index) = index {
                index.insert(place, ids.of(resource));
            }
        }
        outcome
    }

    fn forget(&mut self) {
        self.current.take();
        self.any.take();
    }

    fn current(&self) -> &Index {
        let make = || Index::of(&self.list, Ids::Current);
        self.current.get_or_init(make)
    }

    /// The places of resources that have this id now.
    pub(crate) fn matching_current(&self, id: &Id) -> &[usize] {
        self.current().get(id)
    }

    /// The places of resources that have or had this id, deleted ones left out.
    pub(crate) fn matching_any(&self, id: &Id) -> &[usize] {
        let make = || Index::of(&self.list, Ids::Any);
        self.any.get_or_init(make).get(id)
    }

    /// The one resource that has or had this id.
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

    /// Adds a resource; its id must be new.
    pub(crate) fn append(&mut self, resource: Resource) -> Result<(), Error> {
        let id = resource.cur_id();
        if !self.matching_current(&id).is_empty() {
            return Err(conflict(&id));
        }
        self.push(resource);
        Ok(())
    }

    /// Adds resources one by one; each id must be new.
    pub(crate) fn append_all(
        &mut self,
        resources: impl IntoIterator<Item = Resource>,
    ) -> Result<(), Error> {
        resources
            .into_iter()
            .try_for_each(|resource| self.append(resource))
    }

    /// Adds a resource whatever its id is.
    pub(crate) fn push(&mut self, resource: Resource) {
        let place = self.list.len();
        if let Some(index) = self.current.get_mut() {
            index.insert(place, Ids::Current.of(&resource));
        }
        if let Some(index) = self.any.get_mut() {
            index.insert(place, Ids::Any.of(&resource));
        }
        self.list.push(resource);
    }

    /// Puts a resource in the place of the one that has its id now.
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

    /// Keeps the resources that the predicate admits.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&Resource) -> bool) {
        let before = self.list.len();
        self.list.retain(keep);
        if self.list.len() != before {
            self.forget();
        }
    }

    /// Drops what a transformer left nothing of.
    pub(crate) fn drop_empties(&mut self) {
        self.retain(|resource| !resource.is_empty());
    }

    /// Takes in generated resources, each by its behavior.
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
                let origin = old.annotation(crate::origin::ANNOTATION);
                resource.take_metadata_of(old);
                resource.merge_data_of(old);
                if let Some(origin) = origin {
                    resource.set_annotation(crate::origin::ANNOTATION, &origin);
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

    /// Sorts the resources by keys that are made once.
    pub(crate) fn sort_by_cached_key<K>(
        &mut self,
        key: impl Fn(&Resource) -> K,
        compare: impl Fn(&K, &K) -> Ordering,
    ) {
        self.forget();
        let list = std::mem::take(&mut self.list);
        let mut keyed: Vec<_> = list
            .into_iter()
            .map(|resource| (key(&resource), resource))
            .collect();
        keyed.sort_by(|(left, _), (right, _)| compare(left, right));
        self.list = keyed.into_iter().map(|(_, resource)| resource).collect();
    }

    /// Refuses resources of one identity, to which a transformer may have led.
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

/// An id as Go prints the struct of it, which is what upstream's errors show.
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

impl IntoIterator for ResMap {
    type Item = Resource;
    type IntoIter = std::vec::IntoIter<Resource>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a ResMap {
    type Item = &'a Resource;
    type IntoIter = std::slice::Iter<'a, Resource>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
