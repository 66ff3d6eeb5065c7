//! Indexes renamed resources by their previous names, to resolve references to them.

use std::collections::{HashMap, HashSet};

use sluice_yaml::tree::{Tag, Text};

use crate::error::{Code, Error};
use crate::id::{CLUSTER_NAMESPACE, GvkPattern, Id};
use crate::resource::Resource;
use crate::resource_map::ResourceMap;

/// A resource with a changed name or namespace.
pub(super) struct Target {
    /// Its current id.
    pub(super) id: Id,
    previous: Vec<Id>,
    prefixes: Vec<Text>,
    suffixes: Vec<Text>,
}

/// How to compare targets that share a previous name.
#[derive(Debug, Clone, Copy)]
pub(super) enum TargetComparison {
    ByName,
    ByNameAndNamespace,
}

impl Target {
    fn from_resource(resource: &Resource) -> Option<Self> {
        let previous: Vec<Id> = resource.previous_ids().collect();
        (!previous.is_empty()).then(|| Self {
            id: resource.cur_id(),
            previous,
            prefixes: resource.prefixes().to_vec(),
            suffixes: resource.suffixes().to_vec(),
        })
    }

    /// Whether a previous id matches a type.
    pub(super) fn had_type(&self, pattern: &GvkPattern) -> bool {
        self.previous.iter().any(|id| pattern.selects(&id.gvk))
    }

    pub(super) fn is_identical(&self, other: &Self, by: TargetComparison) -> bool {
        self.id.name == other.id.name
            && match by {
                TargetComparison::ByName => true,
                TargetComparison::ByNameAndNamespace => self.id.namespace == other.id.namespace,
            }
    }

    fn original_namespace(&self) -> &str {
        self.previous[0].effective_namespace()
    }
}

/// All targets, and the namespaces of all resources.
pub(super) struct Targets {
    list: Vec<Target>,
    by_name: HashMap<Text, Vec<usize>>,
    /// By original namespace: the current namespaces of its resources.
    namespaces: HashMap<Text, NamespaceSet>,
}

/// The current namespaces of resources from one original namespace.
#[derive(Default)]
struct NamespaceSet {
    effective: HashSet<Text>,
    written: HashSet<Text>,
}

impl Targets {
    pub(super) fn from_resources(resources: &ResourceMap) -> Self {
        let mut targets = Self {
            list: Vec::new(),
            by_name: HashMap::new(),
            namespaces: HashMap::new(),
        };
        for resource in resources {
            targets.add_namespace(resource);
            if let Some(target) = Target::from_resource(resource) {
                targets.add(target);
            }
        }
        targets
    }

    fn add_namespace(&mut self, resource: &Resource) {
        let original = resource.orig_id();
        let original = original.effective_namespace();
        if original == CLUSTER_NAMESPACE {
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

    /// Returns the targets that had a name and are visible to the referrer. With a namespace,
    /// returns those from that original namespace, or if it had none, those that are now there.
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
            .filter(|target| referrer.can_see(&target.id));
        let Some(namespace) = namespace else {
            return seen.collect();
        };
        if numbers.is_empty() || namespace == CLUSTER_NAMESPACE {
            return Vec::new();
        }
        let came_from = self
            .namespaces
            .get(namespace)
            .is_some_and(|now| referrer.can_see_any(now));
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

/// The parts of a referring resource that resolve a reference.
pub(super) struct Referrer {
    id: Id,
    prefixes: Vec<Text>,
    suffixes: Vec<Text>,
    /// The namespaces of the service accounts of a role binding.
    namespaces: HashSet<Text>,
}

impl Referrer {
    pub(super) fn from_resource(resource: &Resource) -> Result<Self, Error> {
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

    /// Whether it can refer to a resource at all.
    fn can_see(&self, target: &Id) -> bool {
        self.id.cluster_scoped
            || target.cluster_scoped
            || self.id.is_same_namespace(target)
            || self.namespaces.contains(&*target.namespace)
    }

    /// Whether it can refer to any resource of an original namespace.
    fn can_see_any(&self, now: &NamespaceSet) -> bool {
        self.id.cluster_scoped
            || now.effective.contains(self.id.effective_namespace())
            || now.effective.contains(CLUSTER_NAMESPACE)
            || self
                .namespaces
                .iter()
                .any(|namespace| now.written.contains(namespace))
    }

    /// Whether the namespaces permit a reference. Any namespace may refer to a service account.
    pub(super) fn may_refer_to(&self, target: &Target) -> bool {
        self.id.cluster_scoped
            || target.id.cluster_scoped
            || target.id.gvk.kind() == "ServiceAccount"
            || self.id.is_same_namespace(&target.id)
    }

    /// Whether prefixes and suffixes of both match. With `loosely`, missing ones match any.
    pub(super) fn has_matching_affixes(&self, target: &Target, loosely: bool) -> bool {
        let alike = |left: &[Text], right: &[Text]| {
            (loosely && (left.is_empty() || right.is_empty())) || is_suffix_of_either(left, right)
        };
        alike(&target.prefixes, &self.prefixes) && alike(&target.suffixes, &self.suffixes)
    }
}

/// Whether one list is a suffix of the other. An empty list matches only an empty one.
fn is_suffix_of_either(left: &[Text], right: &[Text]) -> bool {
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
