//! Objects out of the cluster: those that left the set, or all of them when their owner goes.
//!
//! First everything is read and decided ([`decide`], pure), then what is ours is deleted in the
//! reverse order of apply. A deletion names the uid that was judged, so that an object which
//! someone made anew in between is not taken for the old one. Whatever is not confirmed gone or
//! left alone on purpose survives into the next inventory.
//!
//! What is deleted at once is judged as the server has it at hand, which spares it the way to its
//! store, and the deletion names the version that was judged. Only where that is no more the
//! current one, or where nothing would be deleted, is an object looked at as it is now.

use futures::StreamExt as _;
use kube::api::PropagationPolicy;
use sluice_client::{DeleteOptions, Error, Freshness};
use sluice_object::{GroupVersionKind, Object, order};

use crate::applier::Applier;
use crate::applier::perform::defines_kinds;
use crate::changes::{Action, ChangeSet, ChangeSetEntry};
use crate::error::{ObjectFailure, Operation, PruneError, in_order};
use crate::inventory::{Inventory, InventoryEntry};
use crate::markers::{Markers, Owner};

/// What to do with one object of the inventory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is not there any more.
    Gone,
    /// It is being deleted already.
    Going,
    /// It belongs to someone else, or opted out of deletion.
    Spared,
    /// It is ours: delete it if it is still this one.
    Delete(Judged),
}

/// Which state of an object was judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Judged {
    /// The object that was judged, and not one that was made anew under its name.
    pub(crate) uid: Option<String>,
    /// The state that was judged.
    pub(crate) resource_version: Option<String>,
}

/// Decides over a live object, or its absence.
pub(crate) fn decide(markers: &Markers, owner: &Owner, live: Option<&Object>) -> Fate {
    match live {
        None => Fate::Gone,
        Some(live) if !markers.is_owned_by(live, owner) || markers.is_kept(live) => Fate::Spared,
        Some(live) if live.deletion_timestamp().is_some() => Fate::Going,
        Some(live) => Fate::Delete(Judged {
            uid: live.uid().map(ToOwned::to_owned),
            resource_version: live.resource_version().map(ToOwned::to_owned),
        }),
    }
}

/// A prune that is decided and not begun.
#[derive(Clone, Debug)]
pub struct PrunePlan {
    owner: Owner,
    /// In the order of deletion.
    steps: Vec<(InventoryEntry, Planned)>,
}

#[derive(Clone, Debug)]
enum Planned {
    Fate(Found),
    Unreadable(ObjectFailure),
}

/// What was found of an object.
#[derive(Clone, Debug)]
struct Found {
    fate: Fate,
    /// The kind under which it was read; none where there is no such kind any more.
    gvk: Option<GroupVersionKind>,
    freshness: Freshness,
}

impl Planned {
    const fn is_deletion(&self) -> bool {
        matches!(self, Self::Fate(found) if matches!(found.fate, Fate::Delete(_)))
    }
}

impl PrunePlan {
    /// Iterates over the objects that would be deleted.
    pub fn deletions(&self) -> impl Iterator<Item = &InventoryEntry> {
        self.steps
            .iter()
            .filter(|(_, planned)| planned.is_deletion())
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
pub struct PruneOutcome {
    /// What became of each object.
    pub changes: ChangeSet,
    /// What has to stay in the inventory: it is neither confirmed gone nor spared.
    pub survivors: Inventory,
    /// Which objects could not be read or deleted, if any.
    pub error: Option<PruneError>,
}

impl Applier {
    /// Deletes what is ours of these objects.
    pub async fn prune(&self, stale: &Inventory, owner: &Owner) -> PruneOutcome {
        let plan = self.plan(stale, owner, Freshness::Cached).await;
        self.perform_prune(plan).await
    }

    /// Reads what is there and decides; changes nothing.
    pub async fn plan_prune(&self, stale: &Inventory, owner: &Owner) -> PrunePlan {
        self.plan(stale, owner, Freshness::Latest).await
    }

    async fn plan(&self, stale: &Inventory, owner: &Owner, freshness: Freshness) -> PrunePlan {
        let mut entries = stale.entries().to_vec();
        entries.sort_by(|left, right| order::compare(&right.id, &left.id));
        let steps = futures::stream::iter(entries)
            .map(|entry| async move {
                let planned = match self.look_at(&entry, owner, freshness).await {
                    Ok(found) => Planned::Fate(found),
                    Err(error) => Planned::Unreadable(ObjectFailure::of_id(
                        &entry.id,
                        Operation::Query,
                        &error,
                    )),
                };
                (entry, planned)
            })
            .buffered(self.settings.concurrency.max(1))
            .collect()
            .await;
        PrunePlan {
            owner: owner.clone(),
            steps,
        }
    }

    /// What to do with an object; nothing is left alone for what it was a moment ago.
    async fn look_at(
        &self,
        entry: &InventoryEntry,
        owner: &Owner,
        freshness: Freshness,
    ) -> Result<Found, Error> {
        let (gvk, live) = self.read_labels(entry, freshness).await?;
        let fate = decide(&self.markers, owner, live.as_ref());
        if freshness == Freshness::Cached && !matches!(fate, Fate::Delete(_)) {
            return Box::pin(self.look_at(entry, owner, Freshness::Latest)).await;
        }
        Ok(Found {
            fate,
            gvk,
            freshness,
        })
    }

    /// Carries a plan out: rank by rank, the objects of a rank side by side.
    pub async fn perform_prune(&self, plan: PrunePlan) -> PruneOutcome {
        let mut pruned = PruneOutcome::default();
        let mut failures = Vec::new();
        let mut survivors = Vec::new();
        let mut undefines = false;
        let owner = &plan.owner;
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
                        let result = self.settle(&entry, owner, planned).await;
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
                pruned.changes.extend([ChangeSetEntry {
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

    /// Does with one object as planned.
    async fn settle(
        &self,
        entry: &InventoryEntry,
        owner: &Owner,
        planned: Planned,
    ) -> Result<Action, ObjectFailure> {
        let found = match planned {
            Planned::Unreadable(failure) => return Err(failure),
            Planned::Fate(found) => found,
        };
        match self.carry_out(entry, &found).await {
            // It has changed since it was judged.
            Err((Operation::Delete, error))
                if error.is_conflict() && found.freshness == Freshness::Cached =>
            {
                match self.look_at(entry, owner, Freshness::Latest).await {
                    Ok(now) => self.carry_out(entry, &now).await,
                    Err(error) => Err((Operation::Query, error)),
                }
            }
            outcome => outcome,
        }
        .map_err(|(operation, error)| ObjectFailure::of_id(&entry.id, operation, &error))
    }

    async fn carry_out(
        &self,
        entry: &InventoryEntry,
        found: &Found,
    ) -> Result<Action, (Operation, Error)> {
        let judged = match &found.fate {
            Fate::Gone | Fate::Going => return Ok(Action::Deleted),
            Fate::Spared => return Ok(Action::Skipped),
            Fate::Delete(judged) => judged.clone(),
        };
        let gvk = found.gvk.clone().unwrap_or_else(|| stored_gvk(entry));
        let options = DeleteOptions {
            uid: judged.uid,
            // What was read a moment ago is deleted whatever became of its status since.
            resource_version: judged
                .resource_version
                .filter(|_| found.freshness == Freshness::Cached),
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
                    && matches!(
                        self.read_labels(entry, Freshness::Latest).await,
                        Ok((_, None))
                    ) =>
            {
                Ok(Action::Deleted)
            }
            Err(error) => Err((Operation::Delete, error)),
        }
    }

    /// Reads an object's labels and annotations, under the stored version or, when that is not
    /// served any more, under the one the server prefers.
    async fn read_labels(
        &self,
        entry: &InventoryEntry,
        freshness: Freshness,
    ) -> Result<(Option<GroupVersionKind>, Option<Object>), Error> {
        let read = async |gvk: &GroupVersionKind| {
            self.cluster
                .get_metadata(gvk, namespace(entry), &entry.id.name, freshness)
                .await
        };
        let mut gvk = stored_gvk(entry);
        let live = match read(&gvk).await {
            Err(error) if error.is_no_match() => {
                match self.cluster.preferred(&gvk.group_kind()).await {
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

fn stored_gvk(entry: &InventoryEntry) -> GroupVersionKind {
    GroupVersionKind::gvk(&entry.id.group, &entry.version, &entry.id.kind)
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
        object
            .metadata_mut()
            .insert("resourceVersion".into(), "7".into());
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
            Fate::Delete(Judged {
                uid: Some("u-1".into()),
                resource_version: Some("7".into()),
            })
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
        assert!(matches!(fate(Some(&create_only)), Fate::Delete(_)));
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
