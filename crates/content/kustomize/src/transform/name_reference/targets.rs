//! Who may be meant by a name: the resources that were renamed, by the names
//! they had, and what a referrer can see of them.

use std::collections::{HashMap, HashSet};

use sluice_yaml::tree::{Tag, Text};

use crate::error::{Code, Error};
use crate::id::{GvkPattern, Id, NO_NAMESPACE};
use crate::resmap::ResMap;
use crate::resource::Resource;

/// A resource whose name or namespace changed.
pub(super) struct Target {
    /// What it is now.
    pub(super) id: Id,
    previous: Vec<Id>,
    prefixes: Vec<Text>,
    suffixes: Vec<Text>,
}

/// What makes several targets as good as one.
#[derive(Debug, Clone, Copy)]
pub(super) enum Identical {
    ByName,
    ByNameAndNamespace,
}

impl Target {
    fn of(resource: &Resource) -> Option<Self> {
        let previous: Vec<Id> = resource.previous_ids().collect();
        (!previous.is_empty()).then(|| Self {
            id: resource.cur_id(),
            previous,
            prefixes: resource.prefixes().to_vec(),
            suffixes: resource.suffixes().to_vec(),
        })
    }

    /// Did it ever have such a type?
    pub(super) fn was_selected_by(&self, pattern: &GvkPattern) -> bool {
        self.previous.iter().any(|id| pattern.selects(&id.gvk))
    }

    pub(super) fn is_identical(&self, other: &Self, by: Identical) -> bool {
        self.id.name == other.id.name
            && match by {
                Identical::ByName => true,
                Identical::ByNameAndNamespace => self.id.namespace == other.id.namespace,
            }
    }

    fn original_namespace(&self) -> &str {
        self.previous[0].effective_namespace()
    }
}

/// All targets, and the namespaces in which there is anything.
pub(super) struct Targets {
    list: Vec<Target>,
    by_name: HashMap<Text, Vec<usize>>,
    /// By the namespace that resources had at first: those they have now.
    namespaces: HashMap<Text, Now>,
}

/// Where the resources are now that were in one namespace.
#[derive(Default)]
struct Now {
    effective: HashSet<Text>,
    written: HashSet<Text>,
}

impl Targets {
    pub(super) fn of(resources: &ResMap) -> Self {
        let mut targets = Self {
            list: Vec::new(),
            by_name: HashMap::new(),
            namespaces: HashMap::new(),
        };
        for resource in resources {
            targets.add_namespace(resource);
            if let Some(target) = Target::of(resource) {
                targets.add(target);
            }
        }
        targets
    }

    fn add_namespace(&mut self, resource: &Resource) {
        let original = resource.orig_id();
        let original = original.effective_namespace();
        if original == NO_NAMESPACE {
            return;
        }
        let current = resource.cur_id();
        let now = self.namespaces.entry(Text::from(original)).or_default();
        let effective = current.effective_namespace();
        if !now.effective.contains(effective) {
            now.effective.insert(Text::from(effective));
        }
        now.written.insert(current.namespace);
    }

    fn add(&mut self, target: Target) {
        let number = self.list.len();
        for previous in &target.previous {
            let numbers = self.by_name.entry(previous.name.clone()).or_default();
            if numbers.last() != Some(&number) {
                numbers.push(number);
            }
        }
        self.list.push(target);
    }

    /// The targets that the referrer can see and that had the name. If it says
    /// a namespace, they are those that came from there, or if nothing did,
    /// those that are there now.
    pub(super) fn named(
        &self,
        name: &str,
        namespace: Option<&str>,
        referrer: &Referrer,
    ) -> Vec<&Target> {
        let numbers = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        let seen = numbers
            .iter()
            .map(|&number| &self.list[number])
            .filter(|target| referrer.sees(&target.id));
        let Some(namespace) = namespace else {
            return seen.collect();
        };
        if numbers.is_empty() || namespace == NO_NAMESPACE {
            return Vec::new();
        }
        let came_from = self
            .namespaces
            .get(namespace)
            .is_some_and(|now| referrer.sees_any(now));
        seen.filter(|target| {
            let meant = if came_from {
                target.original_namespace()
            } else {
                target.id.effective_namespace()
            };
            meant == namespace
        })
        .collect()
    }
}

/// What of a resource matters when it refers to others.
pub(super) struct Referrer {
    id: Id,
    prefixes: Vec<Text>,
    suffixes: Vec<Text>,
    /// Of the service accounts that a role binding names.
    namespaces: HashSet<Text>,
}

impl Referrer {
    pub(super) fn of(resource: &Resource) -> Result<Self, Error> {
        let id = resource.cur_id();
        let namespaces = if id.cluster_scoped || id.gvk.kind() != "RoleBinding" {
            HashSet::new()
        } else {
            account_namespaces(resource)?
        };
        Ok(Self {
            id,
            prefixes: resource.prefixes().to_vec(),
            suffixes: resource.suffixes().to_vec(),
            namespaces,
        })
    }

    /// Could it refer to a resource at all?
    fn sees(&self, target: &Id) -> bool {
        self.id.cluster_scoped
            || target.cluster_scoped
            || self.id.is_same_namespace(target)
            || self.namespaces.contains(&*target.namespace)
    }

    /// Could it refer to anything of what came from a namespace?
    fn sees_any(&self, now: &Now) -> bool {
        self.id.cluster_scoped
            || now.effective.contains(self.id.effective_namespace())
            || now.effective.contains(NO_NAMESPACE)
            || self
                .namespaces
                .iter()
                .any(|namespace| now.written.contains(namespace))
    }

    /// Are the namespaces those of a reference? Service accounts are referred
    /// to from everywhere.
    pub(super) fn may_mean(&self, target: &Target) -> bool {
        self.id.cluster_scoped
            || target.id.cluster_scoped
            || target.id.gvk.kind() == "ServiceAccount"
            || self.id.is_same_namespace(&target.id)
    }

    /// Did the target get the same prefixes and suffixes, as far as both have
    /// some? With `loosely`, one that has none is like any other.
    pub(super) fn is_affixed_like(&self, target: &Target, loosely: bool) -> bool {
        let alike = |left: &[Text], right: &[Text]| {
            (loosely && (left.is_empty() || right.is_empty())) || end_alike(left, right)
        };
        alike(&target.prefixes, &self.prefixes) && alike(&target.suffixes, &self.suffixes)
    }
}

/// Is one list the end of the other? An empty one is only that of an empty one.
fn end_alike(left: &[Text], right: &[Text]) -> bool {
    if left.is_empty() || right.is_empty() {
        return left.is_empty() && right.is_empty();
    }
    left.ends_with(right) || right.ends_with(left)
}

fn account_namespaces(resource: &Resource) -> Result<HashSet<Text>, Error> {
    let mut namespaces = HashSet::new();
    let Some(subjects) = resource.node().get("subjects") else {
        return Ok(namespaces);
    };
    for subject in subjects.items() {
        let is_account =
            subject.get("kind").and_then(|kind| kind.as_str()) == Some("ServiceAccount");
        let Some(namespace) = subject.get("namespace").filter(|_| is_account) else {
            continue;
        };
        match namespace.as_str().filter(|_| namespace.kind() == Tag::Str) {
            Some(text) => namespaces.insert(Text::from(text)),
            None => {
                let id = resource.cur_id().to_string();
                let message = format!("Invalid Input: namespace is blank for resource {id:?}\n");
                return Err(Error::new(Code::FieldInvalid, message));
            }
        };
    }
    Ok(namespaces)
}
