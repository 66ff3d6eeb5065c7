//! Deletes stale objects, or all objects of a deleted owner.
//!
//! First all objects are read and a pure function ([`decide`]) decides about them. Then our objects
//! are deleted in the reverse order of apply. A deletion includes the UID of the object, so that a
//! recreated object is not deleted. Objects that are neither deleted nor kept on purpose stay in
//! the inventory.
//!
//! For an immediate deletion, the read may come from the server's cache, and the deletion includes
//! the resource version. Only when that version is outdated, or when the object would not be
//! deleted, a consistent read follows.

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

/// The decision about an object of the inventory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// The object does not exist.
    Absent,
    /// The object is being deleted.
    Terminating,
    /// The object has another owner, or opted out of deletion.
    Keep,
    /// The object is ours.
    Delete(Precondition),
}

/// The state of an object at the decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Precondition {
    pub(crate) uid: Option<String>,
    pub(crate) resource_version: Option<String>,
}

/// Decides about a live object.
pub(crate) fn decide(markers: &Markers, owner: &Owner, live: Option<&Object>) -> Decision {
    match live {
        None => Decision::Absent,
        Some(live) if !markers.is_owned_by(live, owner) || markers.disables_prune(live) => {
            Decision::Keep
        }
        Some(live) if live.deletion_timestamp().is_some() => Decision::Terminating,
        Some(live) => Decision::Delete(Precondition {
            uid: live.uid().map(ToOwned::to_owned),
            resource_version: live.resource_version().map(ToOwned::to_owned),
        }),
    }
}

/// A planned prune.
#[derive(Clone, Debug)]
pub struct PrunePlan {
    owner: Owner,
    /// In the order of deletion.
    steps: Vec<(InventoryEntry, PlannedStep)>,
}

#[derive(Clone, Debug)]
enum PlannedStep {
    Decided(DecidedStep),
    Unreadable(ObjectFailure),
}

#[derive(Clone, Debug)]
struct DecidedStep {
    decision: Decision,
    /// The served kind, or `None` when the kind does not exist.
    gvk: Option<GroupVersionKind>,
    freshness: Freshness,
}

impl PlannedStep {
    const fn is_deletion(&self) -> bool {
        matches!(self, Self::Decided(step) if matches!(step.decision, Decision::Delete(_)))
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

    /// Iterates over the objects that could not be read.
    pub fn unreadable(&self) -> impl Iterator<Item = &InventoryEntry> {
        self.steps
            .iter()
            .filter(|(_, planned)| matches!(planned, PlannedStep::Unreadable(_)))
            .map(|(entry, _)| entry)
    }
}

/// The result of a prune.
#[derive(Clone, Debug, Default)]
pub struct PruneOutcome {
    /// The changes.
    pub changes: ChangeSet,
    /// The objects that stay in the inventory: neither deleted nor kept on purpose.
    pub survivors: Inventory,
    /// The failed reads and deletions.
    pub error: Option<PruneError>,
}

impl Applier {
    /// Deletes our objects among the stale ones.
    pub async fn prune(&self, stale: &Inventory, owner: &Owner) -> PruneOutcome {
        let plan = self.plan(stale, owner, Freshness::Cached).await;
        self.perform_prune(plan).await
    }

    /// Plans a prune without changes.
    pub async fn plan_prune(&self, stale: &Inventory, owner: &Owner) -> PrunePlan {
        self.plan(stale, owner, Freshness::Latest).await
    }

    async fn plan(&self, stale: &Inventory, owner: &Owner, freshness: Freshness) -> PrunePlan {
        let mut entries = stale.entries().to_vec();
        entries.sort_by(|left, right| order::compare(&right.id, &left.id));
        entries.dedup_by(|left, right| left.id == right.id);
        let steps = futures::stream::iter(entries)
            .map(|entry| async move {
                let planned = match self.decide_entry(&entry, owner, freshness).await {
                    Ok(step) => PlannedStep::Decided(step),
                    Err(error) => PlannedStep::Unreadable(ObjectFailure::of_id(
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

    /// Reads an object and decides. A cached read alone never keeps an object.
    async fn decide_entry(
        &self,
        entry: &InventoryEntry,
        owner: &Owner,
        freshness: Freshness,
    ) -> Result<DecidedStep, Error> {
        let (gvk, live) = self.read_labels(entry, freshness).await?;
        let decision = decide(&self.markers, owner, live.as_ref());
        if freshness == Freshness::Cached && !matches!(decision, Decision::Delete(_)) {
            return Box::pin(self.decide_entry(entry, owner, Freshness::Latest)).await;
        }
        Ok(DecidedStep {
            decision,
            gvk,
            freshness,
        })
    }

    /// Performs a plan rank by rank, with the objects of a rank in parallel.
    pub async fn perform_prune(&self, plan: PrunePlan) -> PruneOutcome {
        let mut pruned = PruneOutcome::default();
        let mut failures = Vec::new();
        let mut survivors = Vec::new();
        let mut removes_kinds = false;
        let owner = &plan.owner;
        let mut queue = plan.steps.into_iter().peekable();
        while let Some((first, _)) = queue.peek() {
            let rank = order::rank(&first.id.kind);
            let mut members = Vec::new();
            while let Some(member) = queue.next_if(|(entry, _)| order::rank(&entry.id.kind) == rank)
            {
                members.push(member);
            }
            let results: Vec<(InventoryEntry, Result<Action, ObjectFailure>)> =
                futures::stream::iter(members)
                    .map(|(entry, planned)| async move {
                        let result = self.perform_step(&entry, owner, planned).await;
                        (entry, result)
                    })
                    .buffered(self.settings.concurrency.max(1))
                    .collect()
                    .await;
            for (entry, result) in results {
                let action = match result {
                    Ok(action) => action,
                    Err(failure) => {
                        failures.push(failure);
                        survivors.push(entry.clone());
                        Action::Unknown
                    }
                };
                removes_kinds |= action == Action::Deleted && defines_kinds(&entry.id.kind);
                pruned.changes.extend([ChangeSetEntry {
                    id: entry.id,
                    version: entry.version,
                    action,
                }]);
            }
        }
        if removes_kinds {
            // The deleted kinds are not served any more.
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

    /// Performs the planned step of an object.
    async fn perform_step(
        &self,
        entry: &InventoryEntry,
        owner: &Owner,
        planned: PlannedStep,
    ) -> Result<Action, ObjectFailure> {
        let step = match planned {
            PlannedStep::Unreadable(failure) => return Err(failure),
            PlannedStep::Decided(step) => step,
        };
        match self.perform_decision(entry, &step).await {
            // The object has changed since the cached read.
            Err((Operation::Delete, error))
                if error.is_conflict() && step.freshness == Freshness::Cached =>
            {
                match self.decide_entry(entry, owner, Freshness::Latest).await {
                    Ok(step) => self.perform_decision(entry, &step).await,
                    Err(error) => Err((Operation::Query, error)),
                }
            }
            outcome => outcome,
        }
        .map_err(|(operation, error)| ObjectFailure::of_id(&entry.id, operation, &error))
    }

    async fn perform_decision(
        &self,
        entry: &InventoryEntry,
        step: &DecidedStep,
    ) -> Result<Action, (Operation, Error)> {
        let precondition = match &step.decision {
            Decision::Absent | Decision::Terminating => return Ok(Action::Deleted),
            Decision::Keep => return Ok(Action::Skipped),
            Decision::Delete(precondition) => precondition.clone(),
        };
        let gvk = step.gvk.clone().unwrap_or_else(|| stored_gvk(entry));
        let options = DeleteOptions {
            uid: precondition.uid,
            // After a consistent read, a newer status does not prevent the deletion.
            resource_version: precondition
                .resource_version
                .filter(|_| step.freshness == Freshness::Cached),
            propagation: Some(PropagationPolicy::Background),
            dry_run: false,
        };
        let deleted = self
            .cluster
            .delete(&gvk, namespace(entry), &entry.id.name, &options)
            .await;
        match deleted {
            // An absent object counts as deleted.
            Ok(_) => Ok(Action::Deleted),
            // So does one whose kind was removed meanwhile, in all versions.
            Err(error)
                if error.has_no_match()
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

    /// Reads labels and annotations under the stored version, or under the preferred one when the
    /// stored version is not served.
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
            Err(error) if error.has_no_match() => {
                match self.cluster.preferred(&gvk.group_kind()).await {
                    Ok(resource) => gvk = resource.gvk(),
                    // The server does not have the kind, so its objects are gone.
                    Err(error) if error.has_no_match() => return Ok((None, None)),
                    Err(error) => return Err(error),
                }
                read(&gvk).await?
            }
            read => read?,
        };
        // An unreadable object is an error, because a forgotten object would never be deleted.
        let live = live
            .map(Object::try_from)
            .transpose()
            .map_err(|invalid| Error::Answer {
                action: format!("get {}", entry.id),
                reason: invalid.to_string(),
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

    fn decision(live: Option<&Object>) -> Decision {
        decide(&Markers::new("g"), &owner(), live)
    }

    #[test]
    fn owned_object_is_deleted_by_uid() {
        assert_eq!(
            decision(Some(&owned())),
            Decision::Delete(Precondition {
                uid: Some("u-1".into()),
                resource_version: Some("7".into()),
            })
        );
        assert_eq!(decision(None), Decision::Absent);
    }

    #[test]
    fn objects_of_others_are_kept() {
        let mut other = owned();
        other.set_label("g/name", "other");
        let mut elsewhere = owned();
        elsewhere.set_label("g/namespace", "other");
        let plain = Object::new("v1", "ConfigMap", "shop", "a");
        for object in [other, elsewhere, plain] {
            assert_eq!(decision(Some(&object)), Decision::Keep);
        }
    }

    #[test]
    fn objects_with_prune_disabled_are_kept() {
        for (key, value) in [
            ("g/prune", "disabled"),
            ("g/reconcile", "Disabled"),
            ("g/ssa", "ignore"),
        ] {
            let mut object = owned();
            object.set_annotation(key, value);
            assert_eq!(decision(Some(&object)), Decision::Keep, "{key}");
        }
        let mut create_only = owned();
        create_only.set_annotation("g/ssa", "IfNotPresent");
        assert!(matches!(decision(Some(&create_only)), Decision::Delete(_)));
    }

    #[test]
    fn terminating_object_needs_no_request() {
        let mut object = owned();
        object
            .metadata_mut()
            .insert("deletionTimestamp".into(), "2026-01-01T00:00:00Z".into());
        assert_eq!(decision(Some(&object)), Decision::Terminating);
    }
}
