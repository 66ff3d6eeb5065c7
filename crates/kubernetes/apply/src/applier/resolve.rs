//! Resolves the kind of each object, and picks one manifest per object.
//!
//! Duplicate manifests may only show here: a cluster-scoped object with the namespaces of two
//! overlays, or an object in two versions of its kind. Start at [`Applier::resolve_stage`];
//! [`find_duplicates`] is the pure rule.

use std::collections::{BTreeSet, HashMap, HashSet};

use sluice_client::Resource;
use sluice_object::{GroupVersionKind, Object, ObjectId};

use super::{Applier, ApplyRun, ResolvedObject, ServedBackoff, run_wait};
use crate::changes::{Action, ChangeSetEntry};
use crate::error::{ApplyError, ObjectFailure, Operation, in_order};
use crate::markers::Markers;

/// The objects of a stage without duplicates.
pub(super) struct ResolvedStage {
    pub(super) objects: Vec<ResolvedObject>,
    /// Excluded objects that could not be resolved.
    pub(super) skipped: Vec<ChangeSetEntry>,
}

impl Applier {
    /// Resolves the kinds of objects and removes the namespace of cluster-scoped ones. The result
    /// is in the order of apply.
    pub(super) async fn resolve_stage(
        &self,
        objects: Vec<Object>,
        run: &mut ApplyRun<'_>,
    ) -> Result<ResolvedStage, ApplyError> {
        let known = run.options.known.ids();
        let mut located = Vec::with_capacity(objects.len());
        let mut skipped = Vec::new();
        let mut failures = Vec::new();
        for mut object in objects {
            let gvk = object.gvk();
            let resource = match run.resources.get(&gvk) {
                Some(resource) => Ok(resource.clone()),
                None => match self.cluster.resolve(&gvk).await {
                    Err(error) if error.has_no_match() && run.defines(&object) => {
                        run_wait(run.options.wait_runner, self.await_defined(&gvk)).await
                    }
                    resolved => resolved,
                },
            };
            let is_excluded = self.markers.excludes(&object);
            let resource = match resource {
                Ok(resource) => run.resources.entry(gvk).or_insert(resource).clone(),
                Err(error) if is_excluded => {
                    tracing::debug!(object = %object.id(), %error, "skipped: excluded and not resolved");
                    keep_scope(&mut object, &known);
                    skipped.push(ChangeSetEntry::of(&object, Action::Skipped));
                    continue;
                }
                Err(error) => {
                    failures.push(self.failure(&object, Operation::DryRun, &error));
                    continue;
                }
            };
            if !resource.namespaced {
                // kustomize's namespace transformer does not know the scope of custom kinds.
                object.metadata_mut().shift_remove("namespace");
            } else if object.namespace().is_empty() {
                if is_excluded {
                    skipped.push(ChangeSetEntry::of(&object, Action::Skipped));
                } else {
                    failures.push(ObjectFailure::without_namespace(
                        &object,
                        &resource.api.plural,
                    ));
                }
                continue;
            }
            located.push(ResolvedObject::new(object, resource));
        }
        if !failures.is_empty() {
            // The other objects are not sent, since the stage fails anyway.
            return Err(ApplyError::Objects(in_order(failures)));
        }
        let duplicates = find_duplicates(&self.markers, located.iter().map(|one| &one.object));
        for object in duplicates.conflicting {
            tracing::warn!(
                %object,
                "several manifests differ: only the last one that is not excluded is applied"
            );
        }
        let counting = |(index, _): &(usize, ResolvedObject)| !duplicates.indexes.contains(index);
        let located = located.into_iter().enumerate().filter(counting);
        let located: Vec<ResolvedObject> = located.map(|(_, one)| one).collect();
        if !skipped.is_empty() {
            let mut ids: HashSet<ObjectId> = located.iter().map(|one| one.object.id()).collect();
            skipped.retain(|entry| ids.insert(entry.id.clone()));
        }
        Ok(ResolvedStage {
            objects: located,
            skipped,
        })
    }

    /// Resolves a kind that was just defined, which discovery may announce with a delay.
    async fn await_defined(
        &self,
        gvk: &GroupVersionKind,
    ) -> Result<Resource, sluice_client::Error> {
        let mut backoff = ServedBackoff::start();
        loop {
            match self.cluster.resolve(gvk).await {
                Err(error) if error.has_no_match() && backoff.has_time() => backoff.wait().await,
                resolved => return resolved,
            }
        }
    }
}

/// Removes the namespace of an object with an unresolved kind when the inventory has it without
/// one. With a namespace it would be another object, and the existing one would be pruned.
pub(super) fn keep_scope(object: &mut Object, known: &HashSet<&ObjectId>) {
    let cluster_wide = ObjectId {
        namespace: String::new(),
        ..object.id()
    };
    if known.contains(&cluster_wide) {
        object.metadata_mut().shift_remove("namespace");
    }
}

/// Manifests that are not applied, because another one of the same object is.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Duplicates {
    /// Indexes of the manifests.
    pub(super) indexes: HashSet<usize>,
    /// Objects with different manifests.
    pub(super) conflicting: BTreeSet<ObjectId>,
}

/// Finds duplicate manifests. In the order of apply the last one wins. Excluded manifests never
/// win, and create-only manifests only win over excluded ones.
pub(super) fn find_duplicates<'a>(
    markers: &Markers,
    manifests: impl IntoIterator<Item = &'a Object>,
) -> Duplicates {
    let priority = |object: &Object| {
        if markers.excludes(object) {
            0
        } else if markers.is_create_only(object) {
            1
        } else {
            2
        }
    };
    let mut duplicates = Duplicates::default();
    let mut counting: HashMap<ObjectId, (usize, &Object)> = HashMap::new();
    for (index, manifest) in manifests.into_iter().enumerate() {
        let id = manifest.id();
        let Some((other_index, other)) = counting.get_mut(&id) else {
            counting.insert(id, (index, manifest));
            continue;
        };
        if *other != manifest {
            duplicates.conflicting.insert(id);
        }
        if priority(manifest) >= priority(other) {
            duplicates.indexes.insert(*other_index);
            (*other_index, *other) = (index, manifest);
        } else {
            duplicates.indexes.insert(index);
        }
    }
    duplicates
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::inventory::Inventory;

    fn manifest(api_version: &str, name: &str, value: &str) -> Object {
        let mut object = Object::new(api_version, "Widget", "", name);
        object.as_map_mut().insert("spec".into(), json!(value));
        object
    }

    fn marked(value: &str, key: &str, marker: &str) -> Object {
        let mut object = manifest("g.io/v1", "a", value);
        object.set_annotation(&format!("g/{key}"), marker);
        object
    }

    #[test]
    fn last_manifest_that_takes_part_wins() {
        let plain = |value| manifest("g.io/v1", "a", value);
        let excluded = |value| marked(value, "reconcile", "disabled");
        let create_only = |value| marked(value, "ssa", "IfNotPresent");
        for (manifests, indexes, is_alike) in [
            (
                vec![plain("1"), manifest("g.io/v1", "b", "2")],
                vec![],
                true,
            ),
            (vec![plain("1"), plain("1")], vec![0], true),
            (vec![plain("1"), plain("2")], vec![0], false),
            (vec![plain("1"), plain("2"), plain("1")], vec![0, 1], false),
            (
                vec![plain("1"), manifest("g.io/v2", "a", "1")],
                vec![0],
                false,
            ),
            (vec![plain("1"), excluded("1")], vec![1], false),
            (vec![excluded("1"), plain("1")], vec![0], false),
            (vec![plain("1"), create_only("2")], vec![1], false),
            (vec![excluded("1"), create_only("2")], vec![0], false),
            (vec![excluded("1"), excluded("1")], vec![0], true),
            (
                vec![plain("1"), excluded("2"), plain("3"), create_only("4")],
                vec![0, 1, 3],
                false,
            ),
        ] {
            let duplicates = find_duplicates(&Markers::new("g"), &manifests);
            let expected = Duplicates {
                indexes: indexes.into_iter().collect(),
                conflicting: (!is_alike).then(|| manifests[0].id()).into_iter().collect(),
            };
            assert_eq!(duplicates, expected, "{manifests:?}");
        }
    }

    #[test]
    fn known_cluster_scoped_object_keeps_its_scope() {
        let entry = |known: &[&str]| {
            let known = Inventory::parse(known.iter().map(|id| (*id, "v1"))).expect("ids");
            let mut object = Object::new("g.io/v1", "Widget", "shop", "a");
            keep_scope(&mut object, &known.ids());
            object.id().inventory()
        };
        assert_eq!(entry(&[]), "shop_a_g.io_Widget");
        assert_eq!(entry(&["_b_g.io_Widget"]), "shop_a_g.io_Widget");
        assert_eq!(entry(&["_a_g.io_Widget"]), "_a_g.io_Widget");
    }
}
