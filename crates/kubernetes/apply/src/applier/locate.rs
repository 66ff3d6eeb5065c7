//! How each object of a stage is reached, and which manifest counts where several are of one
//! object.
//!
//! That two manifests are of one object may only show here: a cluster-wide object under the
//! namespaces of two overlays, or one object in two versions of its kind. Start at
//! [`Applier::locate`]; [`overruled`] is the pure rule.

use std::collections::{BTreeSet, HashMap, HashSet};

use sluice_client::Resource;
use sluice_object::{GroupVersionKind, Object, ObjectId};

use super::{Applier, Located, Patience, Run, run_wait};
use crate::changes::{Action, ChangeSetEntry};
use crate::error::{ApplyError, ObjectFailure, Operation, in_order};
use crate::markers::Markers;

/// The objects of a stage, each once.
pub(super) struct Reached {
    pub(super) located: Vec<Located>,
    /// What takes no part by its own word, and cannot be reached either.
    pub(super) passed_over: Vec<ChangeSetEntry>,
}

impl Applier {
    /// Finds out how each object is reached, and takes the namespace off those that have none.
    /// The objects come in the order of apply.
    pub(super) async fn locate(
        &self,
        objects: Vec<Object>,
        run: &mut Run<'_>,
    ) -> Result<Reached, ApplyError> {
        let known = run.options.known.ids();
        let mut located = Vec::with_capacity(objects.len());
        let mut passed_over = Vec::new();
        let mut failures = Vec::new();
        for mut object in objects {
            let gvk = object.gvk();
            let resource = match run.resources.get(&gvk) {
                Some(resource) => Ok(resource.clone()),
                None => match self.cluster.resolve(&gvk).await {
                    Err(error) if error.is_no_match() && run.defines(&object) => {
                        run_wait(run.options.wait_runner, self.await_defined(&gvk)).await
                    }
                    resolved => resolved,
                },
            };
            let is_excluded = self.markers.excludes(&object);
            let resource = match resource {
                Ok(resource) => run.resources.entry(gvk).or_insert(resource).clone(),
                Err(error) if is_excluded => {
                    tracing::debug!(object = %object.id(), %error, "is excluded, and not reached");
                    keep_scope(&mut object, &known);
                    passed_over.push(ChangeSetEntry::of(&object, Action::Skipped));
                    continue;
                }
                Err(error) => {
                    failures.push(self.failure(&object, Operation::DryRun, &error));
                    continue;
                }
            };
            if !resource.namespaced {
                // kustomize's namespace transformer cannot know the scope of a custom kind.
                object.metadata_mut().shift_remove("namespace");
            } else if object.namespace().is_empty() {
                if is_excluded {
                    passed_over.push(ChangeSetEntry::of(&object, Action::Skipped));
                } else {
                    failures.push(ObjectFailure::without_namespace(
                        &object,
                        &resource.api.plural,
                    ));
                }
                continue;
            }
            located.push(Located::new(object, resource));
        }
        if !failures.is_empty() {
            // The others are not sent: their dry-runs could only add to a failure that stands.
            return Err(ApplyError::Objects(in_order(failures)));
        }
        let overruled = overruled(&self.markers, located.iter().map(|one| &one.object));
        for object in overruled.unlike {
            tracing::warn!(
                %object,
                "has several manifests that differ: only the last one that takes part is applied"
            );
        }
        let counting = |(place, _): &(usize, Located)| !overruled.places.contains(place);
        let located = located.into_iter().enumerate().filter(counting);
        let located: Vec<Located> = located.map(|(_, one)| one).collect();
        if !passed_over.is_empty() {
            let mut ids: HashSet<ObjectId> = located.iter().map(|one| one.object.id()).collect();
            passed_over.retain(|entry| ids.insert(entry.id.clone()));
        }
        Ok(Reached {
            located,
            passed_over,
        })
    }

    /// Resolves a kind that was just defined, which may take a moment to be announced.
    async fn await_defined(
        &self,
        gvk: &GroupVersionKind,
    ) -> Result<Resource, sluice_client::Error> {
        let mut patience = Patience::new();
        loop {
            match self.cluster.resolve(gvk).await {
                Err(error) if error.is_no_match() && patience.is_left() => patience.wait().await,
                resolved => return resolved,
            }
        }
    }
}

/// Takes the namespace off an object whose kind nobody knows, if it was known without one: with it
/// it would be another object, and the one that is there would be pruned.
pub(super) fn keep_scope(object: &mut Object, known: &HashSet<&ObjectId>) {
    let cluster_wide = ObjectId {
        namespace: String::new(),
        ..object.id()
    };
    if known.contains(&cluster_wide) {
        object.metadata_mut().shift_remove("namespace");
    }
}

/// The manifests that do not count, since another one of the same object does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Overruled {
    /// By their places.
    pub(super) places: HashSet<usize>,
    /// The objects of which not all manifests are alike.
    pub(super) unlike: BTreeSet<ObjectId>,
}

/// Finds the manifests that do not count. They come in the order of apply, and the last one has
/// the last word; but one that is excluded has none, and one that is create-only none over what
/// another one has created.
pub(super) fn overruled<'a>(
    markers: &Markers,
    manifests: impl IntoIterator<Item = &'a Object>,
) -> Overruled {
    let word = |object: &Object| {
        if markers.excludes(object) {
            0
        } else if markers.is_create_only(object) {
            1
        } else {
            2
        }
    };
    let mut overruled = Overruled::default();
    let mut counting: HashMap<ObjectId, (usize, &Object)> = HashMap::new();
    for (place, manifest) in manifests.into_iter().enumerate() {
        let id = manifest.id();
        let Some((other_place, other)) = counting.get_mut(&id) else {
            counting.insert(id, (place, manifest));
            continue;
        };
        if *other != manifest {
            overruled.unlike.insert(id);
        }
        if word(manifest) >= word(other) {
            overruled.places.insert(*other_place);
            (*other_place, *other) = (place, manifest);
        } else {
            overruled.places.insert(place);
        }
    }
    overruled
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
    fn of_several_manifests_of_one_object_the_last_that_takes_part_counts() {
        let plain = |value| manifest("g.io/v1", "a", value);
        let excluded = |value| marked(value, "reconcile", "disabled");
        let create_only = |value| marked(value, "ssa", "IfNotPresent");
        for (manifests, places, is_alike) in [
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
            let overruled = overruled(&Markers::new("g"), &manifests);
            let expected = Overruled {
                places: places.into_iter().collect(),
                unlike: (!is_alike).then(|| manifests[0].id()).into_iter().collect(),
            };
            assert_eq!(overruled, expected, "{manifests:?}");
        }
    }

    #[test]
    fn what_was_known_as_cluster_wide_stays_that() {
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
