//! What an apply would do with each object, and how the object would change: nothing is written.
//!
//! An apply is all or nothing and stops at its first broken stage; a preview looks at every
//! object and says of each how it would end. So what cannot be asked yet is judged otherwise:
//!
//! * An object in a namespace that the set itself brings is new, and the server cannot be asked
//!   to dry-run it there. It is dry-run as a stand-in of another name in the namespace `default`
//!   instead, which tells whether it is valid. That the stand-in may not be made (a policy, a
//!   quota, missing rights) says nothing about the object.
//! * An object of a kind that the set itself defines is new, and held against that definition as
//!   the server would hold it ([`Definition::check`]).
//!
//! Parity: `pkg: ssa/manager_diff.go`. Unlike there, `force` counts as it does in an apply.

use std::collections::HashMap;

use futures::StreamExt as _;
use sluice_object::GroupKind;
use sluice_schema::Definition;

use super::evaluate::{Live, Step, needs_read};
use super::locate::{keep_scope, overruled};
use super::{
    Applier, HashSet, Inventory, Located, Object, ObjectFailure, ObjectId, Operation, Owner,
    normalize, order,
};
use crate::drift::has_drifted;
use crate::{ignore, immutable};

/// From this many known objects of one kind and namespace on they are listed.
const WORTH_LISTING: usize = 2;

/// Where objects are tried that have no namespace yet.
const STAND_IN_NAMESPACE: &str = "default";

/// What differs from one preview to the next.
#[derive(Clone, Copy, Debug)]
pub struct PreviewOptions<'a> {
    /// Whose objects these are.
    pub owner: &'a Owner,
    /// What is known to be in the cluster; being wrong costs requests and nothing else.
    pub known: &'a Inventory,
    /// Recreates objects that cannot be changed otherwise.
    pub force: bool,
}

/// How an object would end.
#[derive(Clone, Debug, PartialEq)]
pub enum Preview {
    /// It is excluded, or is there and would only ever be created.
    Skipped,
    /// It is there, as an apply would leave it.
    Unchanged,
    /// It is not there yet.
    Created,
    /// It would be deleted and made anew.
    Recreated,
    /// It is there, and would be changed. Neither side has its managed fields.
    Drifted {
        /// As it is now.
        live: Object,
        /// As an apply would leave it.
        merged: Object,
    },
}

/// An object of the set, normalised, with how it would end.
#[derive(Clone, Debug)]
pub struct PreviewedObject {
    /// As it would be sent.
    pub object: Object,
    /// How it would end, or why that cannot be told.
    pub outcome: Result<Preview, ObjectFailure>,
}

impl Applier {
    /// Looks at objects side by side; the answers are in their order. Of several manifests of one
    /// object only the one that would be applied is answered.
    pub async fn preview(
        &self,
        mut objects: Vec<Object>,
        options: &PreviewOptions<'_>,
    ) -> Vec<PreviewedObject> {
        objects.iter_mut().for_each(normalize);
        let known = options.known.ids();
        let mut outcomes: Vec<Option<Result<Preview, ObjectFailure>>> = vec![None; objects.len()];
        let defined = definitions(&objects);
        let mut located: Vec<(usize, Located)> = Vec::new();
        // In the order of apply: it decides which of several manifests of one object counts.
        let mut places: Vec<(ObjectId, usize)> = objects.iter().map(Object::id).zip(0..).collect();
        places.sort_by(|(left, _), (right, _)| order::compare(left, right));
        for (_, index) in places {
            let object = &mut objects[index];
            let is_excluded = self.markers.excludes(object);
            match self.cluster.resolve(&object.gvk()).await {
                Ok(resource) => {
                    if !resource.namespaced {
                        object.metadata_mut().shift_remove("namespace");
                    } else if object.namespace().is_empty() {
                        outcomes[index] = Some(if is_excluded {
                            Ok(Preview::Skipped)
                        } else {
                            Err(ObjectFailure::without_namespace(
                                object,
                                &resource.api.plural,
                            ))
                        });
                        continue;
                    }
                    let object = object.clone();
                    located.push((index, Located::new(object, resource)));
                }
                Err(_) if is_excluded => {
                    keep_scope(object, &known);
                    outcomes[index] = Some(Ok(Preview::Skipped));
                }
                Err(error) => {
                    let definition = defined.get(&object.group_kind());
                    let definition = definition.filter(|_| error.is_no_match());
                    outcomes[index] = Some(match definition {
                        Some(definition) if definition.serves(object.version()) => {
                            let refused = self.refused_by(definition, object);
                            refused.map_or(Ok(Preview::Created), Err)
                        }
                        _ => Err(self.failure(object, Operation::DryRun, &error)),
                    });
                }
            }
        }
        let overruled = overruled(&self.markers, located.iter().map(|(_, one)| &one.object)).places;
        let counting = |(place, _): &(usize, (usize, Located))| !overruled.contains(place);
        let located = located.into_iter().enumerate().filter(counting);
        let located: Vec<(usize, Located)> = located.map(|(_, one)| one).collect();
        let all = located.iter().map(|(_, located)| located);
        let listed = self
            .list_known(all, &known, options.owner, WORTH_LISTING)
            .await;
        // Namespaces first: whether they are new decides how their objects are asked about.
        let (spaces, others): (Vec<_>, Vec<_>) = located
            .iter()
            .partition(|(_, located)| located.object.is("", "Namespace"));
        let mut new_spaces: HashSet<&str> = HashSet::new();
        for batch in [spaces, others] {
            // By index: see `evaluate_all`.
            let look = |place: usize| {
                let (index, located) = batch[place];
                let is_new = new_spaces.contains(located.object.namespace());
                let (known, listed) = (&known, &listed);
                async move {
                    let outcome = if is_new {
                        self.try_stand_in(located).await
                    } else {
                        self.preview_one(located, known, listed, options.force)
                            .await
                    };
                    (index, outcome)
                }
            };
            let settled: Vec<_> = futures::stream::iter((0..batch.len()).map(look))
                .buffered(self.settings.concurrency.max(1))
                .collect()
                .await;
            for ((index, outcome), (_, located)) in settled.into_iter().zip(batch) {
                let object = &located.object;
                if object.is("", "Namespace") && outcome == Ok(Preview::Created) {
                    new_spaces.insert(object.name());
                }
                outcomes[*index] = Some(outcome);
            }
        }
        drop(located);
        objects
            .into_iter()
            .zip(outcomes)
            .filter_map(|(object, outcome)| {
                Some(PreviewedObject {
                    object,
                    // Only what is overruled has none.
                    outcome: outcome?,
                })
            })
            .collect()
    }

    async fn preview_one(
        &self,
        located: &Located,
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
                tokio::join!(self.look(located), self.dry_run(located))
            }
            None => (Ok(Live::Unasked), self.dry_run(located).await),
        };
        if live.as_ref().is_ok_and(|live| needs_read(live, &answer)) {
            live = self.look(located).await;
        }
        let merged = match answer {
            Ok(merged) => merged,
            Err(error) => {
                let live = live.map_err(|_| self.failure(desired, Operation::DryRun, &error))?;
                return match self.refused(located, &live, error, force).await? {
                    Step::Skip => Ok(Preview::Skipped),
                    _ => Ok(Preview::Recreated),
                };
            }
        };
        let mut live = live.map_err(unreadable)?;
        let is_other_moment = |live: &Live| {
            live.object().and_then(Object::resource_version) != merged.resource_version()
        };
        if matches!(live, Live::Present(_)) && is_other_moment(&live) {
            // Someone wrote between the two answers: their write is no drift.
            live = self.look(located).await.map_err(unreadable)?;
        }
        match live {
            Live::Present(live) => Ok(self.judge_preview(desired, live, merged)),
            Live::Unasked | Live::Absent => Ok(Preview::Created),
            Live::Forbidden => match self.read(located).await {
                Err(error) => Err(unreadable(error)),
                Ok(Some(live)) => Ok(self.judge_preview(desired, live, merged)),
                Ok(None) => Ok(Preview::Created),
            },
        }
    }

    fn judge_preview(&self, desired: &Object, mut live: Object, mut merged: Object) -> Preview {
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

    /// How the server would refuse an object of a kind that does not exist before its definition is
    /// applied, if it would.
    fn refused_by(&self, definition: &Definition, object: &mut Object) -> Option<ObjectFailure> {
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
        let refusal = definition.check(object).err()?;
        let mut failure = ObjectFailure::refused(object, &refusal);
        failure.message = self.hidden.mask(failure.message);
        Some(failure)
    }

    /// Asks whether an object is valid whose namespace is not there yet.
    async fn try_stand_in(&self, located: &Located) -> Result<Preview, ObjectFailure> {
        let desired = &located.object;
        if self.markers.excludes(desired) {
            return Ok(Preview::Skipped);
        }
        let mut object = immutable::stand_in(desired);
        object.set_namespace(STAND_IN_NAMESPACE);
        let (name, space) = (object.name().to_owned(), desired.namespace());
        let stand_in = Located::new(object, located.resource.clone());
        let Err(error) = self.dry_run(&stand_in).await else {
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

/// The kinds that the set itself defines.
fn definitions(objects: &[Object]) -> HashMap<GroupKind, Definition> {
    let definitions = objects.iter().filter_map(Definition::from_object);
    definitions
        .map(|definition| (definition.kind().clone(), definition))
        .collect()
}
