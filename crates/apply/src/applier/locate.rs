//! How each object of a stage is reached.

use std::collections::HashSet;

use sluice_client::Resource;
use sluice_object::{GroupVersionKind, Object, ObjectId};

use super::{Applier, Located, Patience, Run, client_gvk, spend};
use crate::changes::{Action, Entry};
use crate::error::{ApplyError, Attempt, ObjectFailure, in_order};
use crate::inventory::Inventory;

/// The objects of a stage, each once.
pub(super) struct Reached {
    pub(super) located: Vec<Located>,
    /// What takes no part by its own word, and cannot be reached either.
    pub(super) passed_over: Vec<Entry>,
}

impl Applier {
    /// Finds out how each object is reached, and takes the namespace off those that have none.
    /// The objects come in the order of apply.
    pub(super) async fn locate(
        &self,
        objects: Vec<Object>,
        run: &mut Run<'_>,
    ) -> Result<Reached, ApplyError> {
        let mut located = Vec::with_capacity(objects.len());
        let mut passed_over = Vec::new();
        let mut failures = Vec::new();
        for mut object in objects {
            let gvk = object.gvk();
            let resource = match run.resources.get(&gvk) {
                Some(resource) => Ok(resource.clone()),
                None => match self.cluster.resolve(&client_gvk(&gvk)).await {
                    Err(error) if error.is_no_match() && run.defines(&object) => {
                        spend(run.options.pause, self.await_defined(&gvk)).await
                    }
                    resolved => resolved,
                },
            };
            let is_excluded = self.markers.excludes(&object);
            let resource = match resource {
                Ok(resource) => run.resources.entry(gvk).or_insert(resource).clone(),
                Err(error) if is_excluded => {
                    tracing::debug!(object = %object.id(), %error, "is excluded, and not reached");
                    keep_scope(&mut object, run.options.known);
                    passed_over.push(Entry::of(&object, Action::Skipped));
                    continue;
                }
                Err(error) => {
                    failures.push(self.failure(&object, Attempt::DryRun, &error));
                    continue;
                }
            };
            if !resource.namespaced {
                // kustomize's namespace transformer cannot know the scope of a custom kind.
                object.metadata_mut().shift_remove("namespace");
            } else if object.namespace().is_empty() {
                if is_excluded {
                    passed_over.push(Entry::of(&object, Action::Skipped));
                } else {
                    failures.push(ObjectFailure::without_namespace(&object));
                }
                continue;
            }
            if !run.ids.insert(object.id()) {
                return Err(ApplyError::Duplicate(object.id()));
            }
            located.push(Located::new(object, resource));
        }
        if !failures.is_empty() {
            // The others are not sent: their dry-runs could only add to a failure that stands.
            return Err(ApplyError::Objects(in_order(failures)));
        }
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
        let gvk = client_gvk(gvk);
        let mut patience = Patience::new();
        loop {
            match self.cluster.resolve(&gvk).await {
                Err(error) if error.is_no_match() && patience.is_left() => patience.wait().await,
                resolved => return resolved,
            }
        }
    }
}

/// Takes the namespace off an object whose kind nobody knows, if it was known without one: with it
/// it would be another object, and the one that is there would be pruned.
pub(super) fn keep_scope(object: &mut Object, known: &Inventory) {
    let cluster_wide = ObjectId {
        namespace: String::new(),
        ..object.id()
    };
    if known.contains(&cluster_wide) {
        object.metadata_mut().shift_remove("namespace");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_known_as_cluster_wide_stays_that() {
        let entry = |known: &[&str]| {
            let known = Inventory::parse(known.iter().map(|id| (*id, "v1"))).expect("ids");
            let mut object = Object::new("g.io/v1", "Widget", "shop", "a");
            keep_scope(&mut object, &known);
            object.id().inventory()
        };
        assert_eq!(entry(&[]), "shop_a_g.io_Widget");
        assert_eq!(entry(&["_b_g.io_Widget"]), "shop_a_g.io_Widget");
        assert_eq!(entry(&["_a_g.io_Widget"]), "_a_g.io_Widget");
    }
}
