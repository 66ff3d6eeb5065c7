//! Objects out of the cluster: those that left the set, or all of them when their owner goes.
//!
//! First everything is read and decided ([`decide`], pure), then what is ours is deleted in the
//! reverse order of apply. A deletion names the uid that was judged, so that an object which
//! someone made anew in between is not taken for the old one. Whatever is not confirmed gone or
//! left alone on purpose survives into the next inventory.

use futures::StreamExt as _;
use kube::api::PropagationPolicy;
use sluice_client::{DeleteOptions, Error};
use sluice_object::{GroupVersionKind, Object, order};

use crate::applier::perform::defines_kinds;
use crate::applier::{Applier, client_gvk};
use crate::changes::{Action, ChangeSet, Entry};
use crate::error::{Attempt, ObjectFailure, PruneError, in_order};
use crate::inventory::{Inventory, InventoryEntry};
use crate::markers::{Markers, Owner};

/// What to do with one object of the inventory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is not there any more.
    Gone,
    /// It is being deleted already.
    Going,
    /// It belongs to someone else, or opted out of deletion.
    Spared,
    /// It is ours: delete it if it still has this uid.
    Delete { uid: Option<String> },
}

/// Decides over a live object, or its absence.
pub fn decide(markers: &Markers, owner: &Owner, live: Option<&Object>) -> Fate {
    match live {
        None => Fate::Gone,
        Some(live) if !markers.is_owned_by(live, owner) || markers.is_kept(live) => Fate::Spared,
        Some(live) if live.deletion_timestamp().is_some() => Fate::Going,
        Some(live) => Fate::Delete {
            uid: live.uid().map(ToOwned::to_owned),
        },
    }
}

/// A prune that is decided and not begun.
#[derive(Clone, Debug)]
pub struct PrunePlan {
    /// In the order of deletion.
    steps: Vec<(InventoryEntry, Planned)>,
}

#[derive(Clone, Debug)]
enum Planned {
    Fate(Fate, Option<sluice_client::GroupVersionKind>),
    Unreadable(ObjectFailure),
}

impl PrunePlan {
    /// Iterates over the objects that would be deleted.
    pub fn deletions(&self) -> impl Iterator<Item = &InventoryEntry> {
        self.steps
            .iter()
            .filter(|(_, planned)| matches!(planned, Planned::Fate(Fate::Delete { .. }, _)))
            .map(|(entry, _)| entry)
    }

    /// Iterates over the objects that could not be read: whether they are deleted is open.
    pub fn unreadable(&self) -> impl Iterator<Item = &InventoryEntry> {
        self.steps
            .iter()
            .filter(|(_, planned)| matches!(planned, Planned::Unreadable(_)))
            .map(|(entry, _)| entry)
    }
}

/// What a prune brought about.
#[derive(Clone, Debug, Default)]
pub struct Pruned {
    pub changes: ChangeSet,
    /// What has to stay in the inventory: it is neither confirmed gone nor spared.
    pub survivors: Inventory,
    pub error: Option<PruneError>,
}

impl Applier {
    /// Deletes what is ours of these objects.
    pub async fn prune(&self, stale: &Inventory, owner: &Owner) -> Pruned {
        let plan = self.plan_prune(stale, owner).await;
        self.perform_prune(plan).await
    }

    /// Reads what is there and decides; changes nothing.
    pub async fn plan_prune(&self, stale: &Inventory, owner: &Owner) -> PrunePlan {
        let mut entries = stale.entries().to_vec();
        entries.sort_by(|left, right| order::compare(&right.id, &left.id));
        let steps = futures::stream::iter(entries)
            .map(|entry| async move {
                let planned = match self.read_labels(&entry).await {
                    Ok((gvk, live)) => {
                        Planned::Fate(decide(&self.markers, owner, live.as_ref()), gvk)
                    }
                    Err(error) => {
                        Planned::Unreadable(ObjectFailure::of_id(&entry.id, Attempt::Query, &error))
                    }
                };
                (entry, planned)
            })
            .buffered(self.settings.concurrency.max(1))
            .collect()
            .await;
        PrunePlan { steps }
    }

    /// Carries a plan out: rank by rank, the objects of a rank side by side.
    pub async fn perform_prune(&self, plan: PrunePlan) -> Pruned {
        let mut pruned = Pruned::default();
        let mut failures = Vec::new();
        let mut survivors = Vec::new();
        let mut undefines = false;
        let mut queue = plan.steps.into_iter().peekable();
        while let Some((first, _)) = queue.peek() {
            let rank = order::rank(&first.id.kind);
            let mut members = Vec::new();
            while let Some(member) = queue.next_if(|(entry, _)| order::rank(&entry.id.kind) == rank)
            {
                members.push(member);
            }
            let settled: Vec<(InventoryEntry, Result<Action, ObjectFailure>)> =
                futures::stream::iter(members)
                    .map(|(entry, planned)| async move {
                        let result = self.delete(&entry, planned).await;
                        (entry, result)
                    })
                    .buffered(self.settings.concurrency.max(1))
                    .collect()
                    .await;
            for (entry, result) in settled {
                let action = match result {
                    Ok(action) => action,
                    Err(failure) => {
                        failures.push(failure);
                        survivors.push(entry.clone());
                        Action::Unknown
                    }
                };
                undefines |= action == Action::Deleted && defines_kinds(&entry.id.kind);
                pruned.changes.extend([Entry {
                    id: entry.id,
                    version: entry.version,
                    action,
                }]);
            }
        }
        if undefines {
            // What is asked for next may not be served any more.
            self.cluster.invalidate_discovery();
        }
        pruned.survivors = survivors.into_iter().collect();
        if !failures.is_empty() {
            let mut failures = in_order(failures);
            failures.reverse();
            pruned.error = Some(PruneError(failures));
        }
        pruned
    }

    async fn delete(
        &self,
        entry: &InventoryEntry,
        planned: Planned,
    ) -> Result<Action, ObjectFailure> {
        let (uid, gvk) = match planned {
            Planned::Unreadable(failure) => return Err(failure),
            Planned::Fate(Fate::Gone | Fate::Going, _) => return Ok(Action::Deleted),
            Planned::Fate(Fate::Spared, _) => return Ok(Action::Skipped),
            Planned::Fate(Fate::Delete { uid }, gvk) => (uid, gvk),
        };
        let gvk = gvk.unwrap_or_else(|| stored_gvk(entry));
        let options = DeleteOptions {
            uid,
            propagation: Some(PropagationPolicy::Background),
            dry_run: false,
        };
        let deleted = self
            .cluster
            .delete(&gvk, namespace(entry), &entry.id.name, &options)
            .await;
        match deleted {
            // Not there any more is what was wanted.
            Ok(_) => Ok(Action::Deleted),
            // So it is if the kind went in between, and not only this version of it.
            Err(error)
                if error.is_no_match()
                    && matches!(self.read_labels(entry).await, Ok((_, None))) =>
            {
                Ok(Action::Deleted)
            }
            Err(error) => Err(ObjectFailure::of_id(&entry.id, Attempt::Delete, &error)),
        }
    }

    /// Reads an object's labels and annotations, under the stored version or, when that is not
    /// served any more, under the one the server prefers.
    async fn read_labels(
        &self,
        entry: &InventoryEntry,
    ) -> Result<(Option<sluice_client::GroupVersionKind>, Option<Object>), Error> {
        let read = async |gvk: &sluice_client::GroupVersionKind| {
            self.cluster
                .get_metadata(gvk, namespace(entry), &entry.id.name)
                .await
        };
        let mut gvk = stored_gvk(entry);
        let live = match read(&gvk).await {
            Err(error) if error.is_no_match() => {
                let kind = sluice_client::GroupKind {
                    group: entry.id.group.clone(),
                    kind: entry.id.kind.clone(),
                };
                match self.cluster.preferred(&kind).await {
                    Ok(resource) => gvk = resource.gvk(),
                    // The server was asked and does not have the kind: its objects went with it.
                    Err(error) if error.is_no_match() => return Ok((None, None)),
                    Err(error) => return Err(error),
                }
                read(&gvk).await?
            }
            read => read?,
        };
        // What cannot be read is not what is not there: forgotten, nobody would ever delete it.
        let live = live
            .map(Object::try_from)
            .transpose()
            .map_err(|incomplete| Error::Answer {
                action: format!("get {}", entry.id),
                reason: incomplete.to_string(),
            })?;
        Ok((Some(gvk), live))
    }
}

fn stored_gvk(entry: &InventoryEntry) -> sluice_client::GroupVersionKind {
    client_gvk(&GroupVersionKind {
        group: entry.id.group.clone(),
        version: entry.version.clone(),
        kind: entry.id.kind.clone(),
    })
}

fn namespace(entry: &InventoryEntry) -> Option<&str> {
    Some(entry.id.namespace.as_str()).filter(|namespace| !namespace.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner() -> Owner {
        Owner {
            name: "apps".into(),
            namespace: "flux-system".into(),
        }
    }

    fn owned() -> Object {
        let mut object = Object::new("v1", "ConfigMap", "shop", "a");
        object.metadata_mut().insert("uid".into(), "u-1".into());
        Markers::new("g").set_owner(&mut object, &owner());
        object
    }

    fn fate(live: Option<&Object>) -> Fate {
        decide(&Markers::new("g"), &owner(), live)
    }

    #[test]
    fn what_is_ours_is_deleted_by_its_uid() {
        assert_eq!(
            fate(Some(&owned())),
            Fate::Delete {
                uid: Some("u-1".into())
            }
        );
        assert_eq!(fate(None), Fate::Gone);
    }

    #[test]
    fn what_is_not_ours_is_spared() {
        let mut other = owned();
        other.set_label("g/name", "other");
        let mut elsewhere = owned();
        elsewhere.set_label("g/namespace", "other");
        let plain = Object::new("v1", "ConfigMap", "shop", "a");
        for object in [other, elsewhere, plain] {
            assert_eq!(fate(Some(&object)), Fate::Spared);
        }
    }

    #[test]
    fn what_opted_out_is_spared_and_create_only_objects_are_not() {
        for (key, value) in [
            ("g/prune", "disabled"),
            ("g/reconcile", "Disabled"),
            ("g/ssa", "ignore"),
        ] {
            let mut object = owned();
            object.set_annotation(key, value);
            assert_eq!(fate(Some(&object)), Fate::Spared, "{key}");
        }
        let mut create_only = owned();
        create_only.set_annotation("g/ssa", "IfNotPresent");
        assert!(matches!(fate(Some(&create_only)), Fate::Delete { .. }));
    }

    #[test]
    fn what_is_going_already_needs_no_request() {
        let mut object = owned();
        object
            .metadata_mut()
            .insert("deletionTimestamp".into(), "2026-01-01T00:00:00Z".into());
        assert_eq!(fate(Some(&object)), Fate::Going);
    }
}
