//! Previews an apply without writing.
//!
//! An apply stops at its first failed stage, while a preview reports about every object. Objects
//! that cannot be dry-run yet are checked in another way:
//!
//! * An object in a namespace that the set creates is new, and a dry-run there fails. So a stand-in
//!   with another name is dry-run in the namespace `default`, which shows whether the object is
//!   valid. A stand-in that is rejected by a policy, a quota or missing rights proves nothing.
//! * An object of a kind that the set defines is new, and validated against that definition
//!   ([`Definition::check`]).
//!
//! Parity: `pkg: ssa/manager_diff.go`. Unlike there, `force` works as in an apply.

use std::collections::HashMap;

use futures::StreamExt as _;
use sluice_object::GroupKind;
use sluice_schema::Definition;

use super::evaluate::{Live, Step, needs_read};
use super::resolve::{find_duplicates, keep_scope};
use super::{
    Applier, HashSet, Inventory, Object, ObjectFailure, ObjectId, Operation, Owner, ResolvedObject,
    normalize, order,
};
use crate::drift::has_drifted;
use crate::{ignore, immutable};

/// Minimum number of known objects of a kind and namespace to list instead of read.
const MIN_LISTED: usize = 2;

/// The namespace of stand-ins.
const STAND_IN_NAMESPACE: &str = "default";

/// Options of a preview.
#[derive(Clone, Copy, Debug)]
pub struct PreviewOptions<'a> {
    /// The owner of the objects.
    pub owner: &'a Owner,
    /// The objects that exist already. A wrong entry only costs requests.
    pub known: &'a Inventory,
    /// Whether to recreate objects after changes to immutable fields.
    pub force: bool,
}

/// The predicted result for an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Preview {
    /// The object is excluded, or create-only and exists.
    Skipped,
    /// The object is already as desired.
    Unchanged,
    /// The object would be created.
    Created,
    /// The object would be deleted and created again.
    Recreated,
    /// The object would be changed. Both sides lack managed fields.
    Drifted {
        /// The live object.
        live: Object,
        /// The object after an apply.
        merged: Object,
    },
}

/// A normalized object with its predicted result.
#[derive(Clone, Debug)]
pub struct PreviewedObject {
    /// The object to send.
    pub object: Object,
    /// The prediction, or why it failed.
    pub outcome: Result<Preview, ObjectFailure>,
    /// The fields that an apply leaves out, because the server does not know them.
    pub unknown_fields: Vec<String>,
}

type Outcome = Result<Preview, ObjectFailure>;

impl Applier {
    /// Previews objects in parallel and returns the results in their order. Of duplicate manifests
    /// only the one that would be applied has a result.
    pub async fn preview(
        &self,
        mut objects: Vec<Object>,
        options: &PreviewOptions<'_>,
    ) -> Vec<PreviewedObject> {
        objects.iter_mut().for_each(normalize);
        let known = options.known.ids();
        let mut outcomes: Vec<Option<Outcome>> = vec![None; objects.len()];
        let located = self.locate_all(&mut objects, &known, &mut outcomes).await;
        self.preview_all(&located, &known, options, &mut outcomes)
            .await;
        let unknown =
            |(index, one): (usize, ResolvedObject)| Some((index, one.unknown.into_inner()?));
        let mut unknown: HashMap<usize, Vec<String>> =
            located.into_iter().filter_map(unknown).collect();
        objects
            .into_iter()
            .zip(outcomes)
            .enumerate()
            .filter_map(|(index, (object, outcome))| {
                Some(PreviewedObject {
                    object,
                    // Only duplicate manifests have no outcome.
                    outcome: outcome?,
                    unknown_fields: unknown.remove(&index).unwrap_or_default(),
                })
            })
            .collect()
    }

    /// Finds the resources of the objects, without duplicate manifests. An object without one gets
    /// its outcome.
    async fn locate_all(
        &self,
        objects: &mut [Object],
        known: &HashSet<&ObjectId>,
        outcomes: &mut [Option<Outcome>],
    ) -> Vec<(usize, ResolvedObject)> {
        let defined = definitions(objects);
        let mut located: Vec<(usize, ResolvedObject)> = Vec::new();
        // The order of apply decides between duplicate manifests.
        let mut places: Vec<(ObjectId, usize)> = objects.iter().map(Object::id).zip(0..).collect();
        places.sort_by(|(left, _), (right, _)| order::compare(left, right));
        for (_, index) in places {
            let (object, outcome) = (&mut objects[index], &mut outcomes[index]);
            if let Some(resolved) = self.locate(object, known, &defined, outcome).await {
                located.push((index, resolved));
            }
        }
        let duplicates =
            find_duplicates(&self.markers, located.iter().map(|(_, one)| &one.object)).indexes;
        let counting = |(place, _): &(usize, (usize, ResolvedObject))| !duplicates.contains(place);
        let located = located.into_iter().enumerate().filter(counting);
        located.map(|(_, one)| one).collect()
    }

    /// Finds the resource of an object, or sets its outcome.
    async fn locate(
        &self,
        object: &mut Object,
        known: &HashSet<&ObjectId>,
        defined: &HashMap<GroupKind, Definition>,
        outcome: &mut Option<Outcome>,
    ) -> Option<ResolvedObject> {
        let is_excluded = self.markers.excludes(object);
        match self.cluster.resolve(&object.gvk()).await {
            Ok(resource) => {
                if !resource.namespaced {
                    object.metadata_mut().shift_remove("namespace");
                } else if object.namespace().is_empty() {
                    *outcome = Some(if is_excluded {
                        Ok(Preview::Skipped)
                    } else {
                        Err(ObjectFailure::without_namespace(
                            object,
                            &resource.api.plural,
                        ))
                    });
                    return None;
                }
                return Some(ResolvedObject::new(object.clone(), resource));
            }
            Err(_) if is_excluded => {
                keep_scope(object, known);
                *outcome = Some(Ok(Preview::Skipped));
            }
            Err(error) => {
                let definition = defined.get(&object.group_kind());
                let definition = definition.filter(|_| error.has_no_match());
                *outcome = Some(match definition {
                    Some(definition) if definition.serves(object.version()) => {
                        let rejection = self.rejection_by(definition, object);
                        rejection.map_or(Ok(Preview::Created), Err)
                    }
                    _ => Err(self.failure(object, Operation::DryRun, &error)),
                });
            }
        }
        None
    }

    /// Previews objects in two batches. Namespaces come first: the objects of new ones need a
    /// stand-in.
    async fn preview_all(
        &self,
        located: &[(usize, ResolvedObject)],
        known: &HashSet<&ObjectId>,
        options: &PreviewOptions<'_>,
        outcomes: &mut [Option<Outcome>],
    ) {
        let all = located.iter().map(|(_, located)| located);
        let listed = self.list_known(all, known, options.owner, MIN_LISTED).await;
        let (spaces, others): (Vec<_>, Vec<_>) = located
            .iter()
            .partition(|(_, located)| located.object.is("", "Namespace"));
        let mut new_spaces: HashSet<&str> = HashSet::new();
        for batch in [spaces, others] {
            // By index: see `evaluate_all`.
            let preview = |place: usize| {
                let (index, located) = batch[place];
                let is_new = new_spaces.contains(located.object.namespace());
                let listed = &listed;
                async move {
                    let outcome = if is_new {
                        self.dry_run_stand_in(located).await
                    } else {
                        self.preview_one(located, known, listed, options.force)
                            .await
                    };
                    (index, outcome)
                }
            };
            let results: Vec<_> = futures::stream::iter((0..batch.len()).map(preview))
                .buffered(self.settings.concurrency.max(1))
                .collect()
                .await;
            for ((index, outcome), (_, located)) in results.into_iter().zip(batch) {
                let object = &located.object;
                if object.is("", "Namespace") && outcome == Ok(Preview::Created) {
                    new_spaces.insert(object.name());
                }
                outcomes[*index] = Some(outcome);
            }
        }
    }

    async fn preview_one(
        &self,
        located: &ResolvedObject,
        known: &HashSet<&ObjectId>,
        listed: &HashMap<ObjectId, Object>,
        force: bool,
    ) -> Result<Preview, ObjectFailure> {
        let desired = &located.object;
        let unreadable = |error| self.failure(desired, Operation::Query, &error);
        if self.markers.excludes(desired) {
            return Ok(Preview::Skipped);
        }
        if self.markers.is_create_only(desired)
            && self.read(located).await.map_err(unreadable)?.is_some()
        {
            return Ok(Preview::Skipped);
        }
        let id = desired.id();
        let (mut live, answer) = match listed.get(&id) {
            Some(live) => (Ok(Live::Present(live.clone())), self.dry_run(located).await),
            None if known.contains(&id) => {
                tokio::join!(self.read_live(located), self.dry_run(located))
            }
            None => (Ok(Live::Unasked), self.dry_run(located).await),
        };
        if live.as_ref().is_ok_and(|live| needs_read(live, &answer)) {
            live = self.read_live(located).await;
        }
        let merged = match answer {
            Ok(merged) => merged,
            Err(error) => {
                let live = live.map_err(|_| self.failure(desired, Operation::DryRun, &error))?;
                return match self.decide_rejected(located, &live, error, force).await? {
                    Step::Skip => Ok(Preview::Skipped),
                    _ => Ok(Preview::Recreated),
                };
            }
        };
        let mut live = live.map_err(unreadable)?;
        let is_other_version = |live: &Live| {
            live.object().and_then(Object::resource_version) != merged.resource_version()
        };
        if matches!(live, Live::Present(_)) && is_other_version(&live) {
            // A write between read and dry-run is not drift.
            live = self.read_live(located).await.map_err(unreadable)?;
        }
        match live {
            Live::Present(live) => Ok(self.compare(desired, live, merged)),
            Live::Unasked | Live::Absent => Ok(Preview::Created),
            Live::Forbidden => match self.read(located).await {
                Err(error) => Err(unreadable(error)),
                Ok(Some(live)) => Ok(self.compare(desired, live, merged)),
                Ok(None) => Ok(Preview::Created),
            },
        }
    }

    fn compare(&self, desired: &Object, mut live: Object, mut merged: Object) -> Preview {
        if self.markers.skip(desired, Some(&live)).is_some() {
            return Preview::Skipped;
        }
        let ignored = self.ignore.fields_of(&merged);
        if !ignored.is_empty() {
            live = ignore::without(&live, &ignored);
            merged = ignore::without(&merged, &ignored);
        }
        if !has_drifted(&live, &merged) {
            return Preview::Unchanged;
        }
        for side in [&mut live, &mut merged] {
            side.metadata_mut().shift_remove("managedFields");
        }
        Preview::Drifted { live, merged }
    }

    /// Predicts whether the server rejects an object of a kind that the set defines.
    fn rejection_by(&self, definition: &Definition, object: &mut Object) -> Option<ObjectFailure> {
        match definition.is_namespaced() {
            Some(true) if object.namespace().is_empty() => {
                let plural = definition.plural();
                return Some(ObjectFailure::without_namespace(object, plural));
            }
            Some(false) => {
                object.metadata_mut().shift_remove("namespace");
            }
            _ => {}
        }
        let rejection = definition.check(object).err()?;
        let mut failure = ObjectFailure::invalid(object, &rejection);
        failure.message = self.secrets.mask(failure.message);
        Some(failure)
    }

    /// Checks with a stand-in whether an object in a new namespace is valid.
    async fn dry_run_stand_in(&self, located: &ResolvedObject) -> Result<Preview, ObjectFailure> {
        let desired = &located.object;
        if self.markers.excludes(desired) {
            return Ok(Preview::Skipped);
        }
        let mut object = immutable::stand_in(desired);
        object.set_namespace(STAND_IN_NAMESPACE);
        let (name, space) = (object.name().to_owned(), desired.namespace());
        let stand_in = ResolvedObject::new(object, located.resource.clone());
        let answer = self.dry_run(&stand_in).await;
        if let Some(fields) = stand_in.unknown.into_inner() {
            drop(located.unknown.set(fields));
        }
        let Err(error) = answer else {
            return Ok(Preview::Created);
        };
        let message = error.message();
        if error.is_forbidden()
            || error.is_not_found()
            || error.is_conflict()
            || message.starts_with("admission webhook")
        {
            return Ok(Preview::Created);
        }
        let mut failure = self.failure(desired, Operation::DryRun, &error);
        failure.message = failure
            .message
            .replace(&name, desired.name())
            .replace(&format!("({STAND_IN_NAMESPACE}/"), &format!("({space}/"));
        Err(failure)
    }
}

/// The definitions in the set, by kind.
fn definitions(objects: &[Object]) -> HashMap<GroupKind, Definition> {
    let definitions = objects.iter().filter_map(Definition::from_object);
    definitions
        .map(|definition| (definition.kind().clone(), definition))
        .collect()
}
