//! Explains why an object is not ready: the first failing object that it needs, the
//! objects that are blocked, the next retry and the commands that help.
//!
//! [`explain`] is a pure function over a [`Snapshot`]. The search goes from the object to
//! its prerequisites, while they fail. A dependency that is not ready does not
//! count as a failure of the object itself. [`missing_objects`] returns the ids to read next.
//!
//! `tests/cluster/why` has forty clusters with their expected answers, and more that
//! were added later.

use std::collections::BTreeSet;

use sluice_api::meta::reason;
use sluice_object::Object;

use crate::fields::text as field;
use crate::kinds::is_suspended;
use crate::messages::{is_timeout, names_as_failed, unhealthy_objects};
use crate::model::{Diagnosis, Fault, Finding};
use crate::relation::{self, Need, NeedKind, needs};
use crate::snapshot::{Id, Snapshot};
use crate::{controller, diagnosis, state, workload};

#[cfg(test)]
mod tests;

/// Explains the state of an object. `program` is the name in suggested commands.
pub fn explain(snapshot: &Snapshot, asked: &Object, program: &str) -> Diagnosis {
    let mut search = Search::over(snapshot);
    let finding = search.first_failing(asked, Relevance::All);
    match finding {
        None => diagnosis::of_healthy(snapshot, asked, &search.seen),
        Some(finding) => diagnosis::of_fault(snapshot, asked, finding, program),
    }
}

/// The objects that the search named and the snapshot does not have.
pub fn missing_objects(snapshot: &Snapshot, asked: &Object) -> Vec<Id> {
    let mut search = Search::over(snapshot);
    drop(search.first_failing(asked, Relevance::All));
    let mut missing: Vec<Id> = search.wanted.into_iter().collect();
    missing.retain(|id| !snapshot.knows(id));
    missing
}

/// Which failures of an object matter to the objects that need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relevance {
    All,
    /// Its artifact and readiness, even if Flux ignores the object.
    Output,
    /// Its applies; unhealthy objects do not matter.
    Apply,
}

struct Search<'s> {
    snapshot: &'s Snapshot,
    /// The path to the current object.
    path: Vec<Id>,
    /// Objects without a fault.
    seen: Vec<Id>,
    /// The ids that the search named.
    wanted: BTreeSet<Id>,
}

impl<'s> Search<'s> {
    fn over(snapshot: &'s Snapshot) -> Self {
        Self {
            snapshot,
            path: Vec::new(),
            seen: Vec::new(),
            wanted: BTreeSet::new(),
        }
    }

    fn first_failing(&mut self, object: &Object, relevance: Relevance) -> Option<Finding> {
        let id = Id::of(object);
        if self.seen.contains(&id) || self.path.contains(&id) {
            return None;
        }
        self.path.push(id.clone());
        let found = self.inspect(object, relevance);
        self.path.pop();
        if found.is_none() {
            self.seen.push(id);
        }
        found
    }

    fn inspect(&mut self, object: &Object, relevance: Relevance) -> Option<Finding> {
        let needs = needs(self.snapshot, object);
        let (above, mut made_of): (Vec<Need>, Vec<Need>) = needs
            .into_iter()
            .partition(|need| need.kind == NeedKind::Owner);
        if state::failure(object)
            .is_some_and(|failure| failure.reason() == reason::DEPENDENCY_NOT_READY)
        {
            // The object itself names the dependency as the cause.
            made_of.sort_by_key(|need| need.kind != NeedKind::Dependency);
        }
        for need in made_of {
            if let Some(found) = self.needed(object, &need) {
                return Some(found);
            }
        }
        if let Some(found) = self.own(object, relevance) {
            return Some(found);
        }
        // The owner of a Flux object or of an unhealthy object may fail because of another object.
        let is_unhealthy =
            !state::is_of_flux(object) && workload::is_unhealthy(self.snapshot, object);
        let of_owner = if state::is_reconciled(object) || is_unhealthy {
            Relevance::Apply
        } else {
            Relevance::All
        };
        let held_up = above.iter().find_map(|need| {
            self.wanted.insert(need.id.clone());
            match self.snapshot.get(&need.id) {
                Some(owner) => self.first_failing(owner, of_owner),
                None => self.without_owner(object, &need.id),
            }
        });
        if held_up.is_some() {
            return held_up;
        }
        if is_unhealthy {
            let mut found = self.finding(object, Fault::Unhealthy);
            let waiting = above
                .into_iter()
                .filter(|need| self.names(&need.id, object));
            found.path.extend(waiting.map(|need| need.id));
            return Some(found);
        }
        let is_made_once = relevance == Relevance::All && !state::is_of_flux(object);
        let marker = state::made_once(object).filter(|_| is_made_once);
        if let Some(marker) = marker {
            return Some(self.finding(object, Fault::Ignored { marker }));
        }
        self.dispatch(object)
    }

    /// Whether an object reports another one as unhealthy.
    fn names(&self, id: &Id, other: &Object) -> bool {
        let failure = self.snapshot.get(id).and_then(state::failure);
        failure.is_some_and(|failure| unhealthy_objects(failure.message()).contains(&Id::of(other)))
    }

    /// An applied object is not updated once its Kustomization or release is gone.
    fn without_owner(&self, object: &Object, owner: &Id) -> Option<Finding> {
        let is_gone = self.snapshot.is_absent(owner) && relation::is_applied(object);
        is_gone.then(|| {
            let message = format!("{} is labelled as applied by it", Id::of(object));
            let what = owner.clone();
            self.finding(object, Fault::Missing { what, message })
        })
    }

    /// Alerts and providers have no status, so Flux reports failures in an event. The cause is
    /// the provider, if there is one.
    fn dispatch(&self, object: &Object) -> Option<Finding> {
        if !state::is_of_flux(object) || object.kind() != "Alert" {
            return None;
        }
        let (reason, message) = workload::last_warning(self.snapshot, object)?;
        let fault = Fault::Failed {
            reason: reason.to_owned(),
            message: message.to_owned(),
        };
        let provider = needs(self.snapshot, object)
            .into_iter()
            .find_map(|need| self.snapshot.get(&need.id));
        let Some(provider) = provider else {
            return Some(self.finding(object, fault));
        };
        let mut found = self.finding(provider, fault);
        found.path.push(Id::of(provider));
        Some(found)
    }

    /// Inspects a source or a dependency.
    fn needed(&mut self, object: &Object, need: &Need) -> Option<Finding> {
        if need.kind == NeedKind::Dependency && !is_held_up(object) {
            return None;
        }
        if let Some(from) = self.path.iter().position(|id| *id == need.id) {
            let through = self.path[from..].to_vec();
            return (need.kind == NeedKind::Dependency)
                .then(|| self.finding(object, Fault::Circle { through }));
        }
        self.wanted.insert(need.id.clone());
        match self.snapshot.get(&need.id) {
            Some(needed) => self.first_failing(needed, Relevance::Output),
            None => {
                let makers = relation::makers(self.snapshot, &need.id);
                if let Some(found) = makers
                    .into_iter()
                    .find_map(|maker| self.first_failing(maker, Relevance::All))
                {
                    return Some(found);
                }
                let message = match state::failure(object) {
                    Some(failure) => failure.message().to_owned(),
                    None => format!("{} not found", need.id),
                };
                let what = need.id.clone();
                Some(self.finding(object, Fault::Missing { what, message }))
            }
        }
    }

    /// The fault of the object itself.
    fn own(&mut self, object: &Object, relevance: Relevance) -> Option<Finding> {
        let is_kept = relevance != Relevance::Output;
        if let Some(marker) = state::ignore_marker(object).filter(|_| is_kept) {
            return Some(self.finding(object, Fault::Ignored { marker }));
        }
        if state::supports_suspension(object) && is_suspended(object) {
            let matters = !matches!(object.kind(), "Kustomization" | "HelmRelease")
                || is_behind(self.snapshot, object);
            return matters.then(|| self.finding(object, Fault::Suspended));
        }
        if !state::is_reconciled(object) {
            return None;
        }
        if state::is_unseen(object) {
            let found = self.unattended(object);
            return found.or_else(|| {
                state::is_being_deleted(object).then(|| self.finding(object, Fault::Deleting))
            });
        }
        if is_offered_more(self.snapshot, object)
            && let Some(found) = self.unattended(object)
        {
            return Some(found);
        }
        let Some(failure) = state::failure(object) else {
            if relevance != Relevance::Apply
                && let Some(found) = self.awaited(object)
            {
                return Some(found);
            }
            return state::is_being_deleted(object).then(|| self.finding(object, Fault::Deleting));
        };
        if failure.reason() == reason::HEALTH_CHECK_FAILED {
            return match relevance {
                Relevance::All | Relevance::Output => Some(self.unhealthy(object)),
                Relevance::Apply => None,
            };
        }
        // A release names the unhealthy objects, or reports only a timeout.
        let is_of_health =
            !unhealthy_objects(failure.message()).is_empty() || is_timeout(failure.message());
        if object.kind() == "HelmRelease" && is_of_health {
            return Some(self.unhealthy(object));
        }
        // The object may need the server of a controller that does not run.
        if let Some(down) = controller::out_of_reach(self.snapshot, failure.message()) {
            return Some(self.down(down));
        }
        // Everything it needs is healthy, so its own message is the cause.
        Some(self.failed(object))
    }

    fn failed(&self, object: &Object) -> Finding {
        let failure = state::failure(object);
        let (reason, message) =
            failure.map_or(("", ""), |failure| (failure.reason(), failure.message()));
        self.finding(
            object,
            Fault::Failed {
                reason: reason.to_owned(),
                message: message.to_owned(),
            },
        )
    }

    /// Finds out why no controller handles the object.
    fn unattended(&self, object: &Object) -> Option<Finding> {
        let absence = controller::absence(self.snapshot, object)?;
        Some(match absence {
            controller::Absence::NoShard(label) => {
                self.finding(object, Fault::Unattended { label })
            }
            controller::Absence::OtherNamespace(controller) => {
                self.finding(object, Fault::Unwatched { controller })
            }
            controller::Absence::NotInstalled => self.finding(object, Fault::NoController),
            controller::Absence::Down(deployment) => self.down(deployment),
        })
    }

    fn down(&self, deployment: &Object) -> Finding {
        let mut found = self.finding(deployment, Fault::NoController);
        found.path.push(Id::of(deployment));
        found
    }

    /// The unhealthy object behind a failed health check, or the cause of its failure.
    fn unhealthy(&mut self, object: &Object) -> Finding {
        let message = state::failure(object).map_or("", |failure| failure.message());
        let mut waited_for = unhealthy_objects(message);
        if waited_for.is_empty() && is_timeout(message) {
            waited_for = self.unhealthy_applied(object);
        }
        self.wanted.extend(waited_for.iter().cloned());
        // Failed objects come before unhealthy ones, and those before missing ones.
        waited_for.sort_by_cached_key(|id| match self.snapshot.get(id) {
            Some(_) if names_as_failed(message, id) => 0,
            Some(found) if state::failure(found).is_some() => 1,
            Some(found) if workload::is_unhealthy(self.snapshot, found) => 1,
            _ => 2,
        });
        for id in &waited_for {
            let Some(found) = self.snapshot.get(id) else {
                continue;
            };
            if state::is_reconciled(found) {
                if let Some(finding) = self.first_failing(found, Relevance::Output) {
                    return finding;
                }
                continue;
            }
            let mut finding = self.finding(found, Fault::Unhealthy);
            finding.path.push(id.clone());
            return finding;
        }
        self.failed(object)
    }

    /// The first failing object among those that a running health check waits for.
    fn awaited(&mut self, object: &Object) -> Option<Finding> {
        let snapshot = self.snapshot;
        let awaited = workload::awaited(object);
        self.wanted.extend(awaited.iter().cloned());
        awaited.iter().find_map(|id| {
            let found = snapshot.get(id)?;
            if state::is_of_flux(found) {
                return self.first_failing(found, Relevance::Output);
            }
            workload::is_unhealthy(snapshot, found).then(|| {
                let mut finding = self.finding(found, Fault::Unhealthy);
                finding.path.push(id.clone());
                finding
            })
        })
    }

    /// The unhealthy objects of an inventory, for messages that name none.
    fn unhealthy_applied(&mut self, object: &Object) -> Vec<Id> {
        let applied = workload::applied(object);
        self.wanted.extend(applied.iter().cloned());
        let is_unhealthy = |id: &Id| {
            let found = self.snapshot.get(id);
            found.is_some_and(|found| workload::is_unhealthy(self.snapshot, found))
        };
        applied.into_iter().filter(is_unhealthy).collect()
    }

    fn finding(&self, object: &Object, fault: Fault) -> Finding {
        Finding {
            cause: Id::of(object),
            fault,
            path: self.path.clone(),
        }
    }
}

/// Whether an object waits or was not reconciled yet.
fn is_held_up(object: &Object) -> bool {
    state::condition(object, "Ready").is_none_or(|ready| !ready.is("True"))
        || state::is_unseen(object)
}

/// Whether a suspended object is behind its source.
fn is_behind(snapshot: &Snapshot, object: &Object) -> bool {
    if state::is_unseen(object) || state::failure(object).is_some() {
        return true;
    }
    let held = match object.kind() {
        "Kustomization" => field(object, "/status/lastAppliedRevision"),
        "HelmRelease" => field(object, "/status/lastAttemptedRevision"),
        _ => return false,
    };
    needs(snapshot, object)
        .iter()
        .filter(|need| need.kind == NeedKind::Source)
        .filter_map(|need| snapshot.get(&need.id))
        .map(|source| field(source, "/status/artifact/revision"))
        .any(|offered| !offered.is_empty() && offered != held)
}

/// Whether the source has a revision that the object did not attempt.
fn is_offered_more(snapshot: &Snapshot, object: &Object) -> bool {
    relation::newer_source(snapshot, object).is_some()
}
