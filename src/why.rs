//! Why an object is not what it should be: the first ancestor that fails, in its own words, what
//! it holds up, when it is tried again and the command that helps.
//!
//! [`explain`] is a pure function over a [`Snapshot`], so that whoever watches a cluster can say
//! the same. It goes from the object to what it needs ([`relation`]), as deep as there is failure,
//! and takes nobody's word for another: that a dependency is not ready is no failure of its own.
//! It writes nothing and asks nobody; [`missing`] tells what it would look at next.
//!
//! The judge is `tests/cluster/why`: forty clusters with their right answers, and those that were
//! held back.

mod advice;
mod controller;
mod relation;
mod snapshot;
pub mod standstill;
mod state;
mod text;
mod workload;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::Serialize;
use sluice_object::Object;

use crate::resource::{is_suspended, text as field};
use relation::{How, Need, needs};
pub use snapshot::{Id, Snapshot};

/// What is wrong with the object at fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "is")]
pub enum Fault {
    /// It says so itself.
    Failed { reason: String, message: String },
    /// Something that it names is not there.
    Missing { what: Id, message: String },
    /// Dependencies wait for one another.
    Circle { through: Vec<Id> },
    /// Somebody suspended it.
    Suspended,
    /// No controller looks after its shard.
    Unattended { label: String },
    /// Its controller looks after its own namespace only.
    Unwatched { controller: String },
    /// The controller does not run, or is not even there.
    NoController,
    /// It was applied and does not become healthy.
    Unhealthy,
    /// It is being deleted, and something keeps it.
    Going,
    /// Somebody marked it, so that Flux leaves it as it is.
    LeftAlone { mark: String },
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// What was asked about.
    pub asked: Id,
    /// The object at fault; none where nothing is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// What there is to say of it, line by line.
    pub details: Vec<String>,
    /// From what was asked about to the object at fault, with how each fares.
    pub way: Vec<Step>,
    /// What is held up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<Id>,
    /// When it is tried again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retries: Option<String>,
    /// Since when it fails.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub since: String,
    /// Commands that help.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub helps: Vec<String>,
}

/// One object on the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    pub object: Id,
    pub says: String,
}

/// What was found: who, what, and the way there.
#[derive(Clone, Debug)]
struct Finding {
    cause: Id,
    fault: Fault,
    way: Vec<Id>,
}

/// Explains why an object is as it is. `program` is what the user calls us.
pub fn explain(snapshot: &Snapshot, asked: &Object, program: &str) -> Answer {
    let mut search = Search::over(snapshot);
    let finding = search.first_failing(asked, Interest::All);
    match finding {
        None => text::of_health(snapshot, asked, &search.seen),
        Some(finding) => text::of_fault(snapshot, asked, finding, program),
    }
}

/// What would have to be seen for a better answer: objects that were named and not looked for.
pub fn missing(snapshot: &Snapshot, asked: &Object) -> Vec<Id> {
    let mut search = Search::over(snapshot);
    drop(search.first_failing(asked, Interest::All));
    let mut missing: Vec<Id> = search.wanted.into_iter().collect();
    missing.retain(|id| !snapshot.knows(id));
    missing
}

/// What an object takes from or waits for: what has to be reconciled before it.
pub fn before(snapshot: &Snapshot, object: &Object) -> Vec<Id> {
    let needs = needs(snapshot, object).into_iter();
    needs
        .filter(|need| need.how != How::Owner)
        .map(|need| need.id)
        .collect()
}

/// Which failures of an object matter to whoever needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interest {
    All,
    /// What it offers, or whether it is ready: not whether somebody else keeps it up to date.
    WhatItOffers,
    /// What it applied, it applied: what else of it is not healthy is no matter.
    WhetherItApplies,
}

struct Search<'s> {
    snapshot: &'s Snapshot,
    /// Objects on the way to the one that is looked at.
    way: Vec<Id>,
    /// Objects that were looked at, and found to be well.
    seen: Vec<Id>,
    /// What was named.
    wanted: BTreeSet<Id>,
}

impl<'s> Search<'s> {
    fn over(snapshot: &'s Snapshot) -> Self {
        Self {
            snapshot,
            way: Vec::new(),
            seen: Vec::new(),
            wanted: BTreeSet::new(),
        }
    }

    fn first_failing(&mut self, object: &Object, interest: Interest) -> Option<Finding> {
        let id = Id::of(object);
        if self.seen.contains(&id) || self.way.contains(&id) {
            return None;
        }
        self.way.push(id.clone());
        let found = self.look_at(object, interest);
        self.way.pop();
        if found.is_none() {
            self.seen.push(id);
        }
        found
    }

    fn look_at(&mut self, object: &Object, interest: Interest) -> Option<Finding> {
        let needs = needs(self.snapshot, object);
        let (above, mut made_of): (Vec<Need>, Vec<Need>) =
            needs.into_iter().partition(|need| need.how == How::Owner);
        if state::failure(object).is_some_and(|failure| failure.reason() == "DependencyNotReady") {
            // It says itself what holds it up, whatever else stands still around it.
            made_of.sort_by_key(|need| need.how != How::Dependency);
        }
        for need in made_of {
            if let Some(found) = self.needed(object, &need) {
                return Some(found);
            }
        }
        if let Some(found) = self.own(object, interest) {
            return Some(found);
        }
        // What applies an object of Flux, or something that is ill itself, may fail over another one;
        // what applies anything else is asked about it whole.
        let is_ill = !state::is_of_flux(object) && workload::is_ill(self.snapshot, object);
        let of_owner = if state::is_reconciled(object) || is_ill {
            Interest::WhetherItApplies
        } else {
            Interest::All
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
        if is_ill {
            let mut found = self.finding(object, Fault::Unhealthy);
            let waiting = above
                .into_iter()
                .filter(|need| self.names(&need.id, object));
            found.way.extend(waiting.map(|need| need.id));
            return Some(found);
        }
        let is_made_once = interest == Interest::All && !state::is_of_flux(object);
        let mark = state::made_once(object).filter(|_| is_made_once);
        if let Some(mark) = mark {
            return Some(self.finding(object, Fault::LeftAlone { mark }));
        }
        self.dispatch(object)
    }

    /// Whether one object says of another that it is not healthy.
    fn names(&self, id: &Id, other: &Object) -> bool {
        let failure = self.snapshot.get(id).and_then(state::failure);
        failure.is_some_and(|failure| unhealthy(failure.message()).contains(&Id::of(other)))
    }

    /// Nobody keeps an object up to date whose Kustomization or release is gone.
    fn without_owner(&self, object: &Object, owner: &Id) -> Option<Finding> {
        let is_gone = self.snapshot.is_absent(owner) && relation::is_applied(object);
        is_gone.then(|| {
            let message = format!("{} is labelled as applied by it", Id::of(object));
            let what = owner.clone();
            self.finding(object, Fault::Missing { what, message })
        })
    }

    /// What Flux says of an alert in an event only, for alerts and providers have no status: it is
    /// the provider's fault, where there is one.
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
        found.way.push(Id::of(provider));
        Some(found)
    }

    /// Looks at a source or a dependency.
    fn needed(&mut self, object: &Object, need: &Need) -> Option<Finding> {
        if need.how == How::Dependency && !is_held_up(object) {
            return None;
        }
        if let Some(from) = self.way.iter().position(|id| *id == need.id) {
            let through = self.way[from..].to_vec();
            return (need.how == How::Dependency)
                .then(|| self.finding(object, Fault::Circle { through }));
        }
        self.wanted.insert(need.id.clone());
        match self.snapshot.get(&need.id) {
            Some(needed) => self.first_failing(needed, Interest::WhatItOffers),
            None => {
                let makers = relation::makers(self.snapshot, &need.id);
                if let Some(found) = makers
                    .into_iter()
                    .find_map(|maker| self.first_failing(maker, Interest::All))
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

    /// What is wrong with the object itself.
    fn own(&mut self, object: &Object, interest: Interest) -> Option<Finding> {
        let is_kept = interest != Interest::WhatItOffers;
        if let Some(mark) = state::left_alone(object).filter(|_| is_kept) {
            return Some(self.finding(object, Fault::LeftAlone { mark }));
        }
        if state::heeds_suspension(object) && is_suspended(object) {
            let matters = !matches!(object.kind(), "Kustomization" | "HelmRelease")
                || is_behind(self.snapshot, object);
            return matters.then(|| self.finding(object, Fault::Suspended));
        }
        if !state::is_reconciled(object) {
            return None;
        }
        if state::is_unseen(object) {
            let found = self.unattended(object);
            return found
                .or_else(|| state::is_going(object).then(|| self.finding(object, Fault::Going)));
        }
        if is_offered_more(self.snapshot, object)
            && let Some(found) = self.unattended(object)
        {
            return Some(found);
        }
        let Some(failure) = state::failure(object) else {
            return state::is_going(object).then(|| self.finding(object, Fault::Going));
        };
        if failure.reason() == "HealthCheckFailed" {
            return match interest {
                Interest::All | Interest::WhatItOffers => Some(self.unhealthy(object)),
                Interest::WhetherItApplies => None,
            };
        }
        // A release that was tried names what did not become healthy, as a health check does, or
        // says only that it waited in vain.
        let is_of_health =
            !unhealthy(failure.message()).is_empty() || is_vain_wait(failure.message());
        if object.kind() == "HelmRelease" && is_of_health {
            return Some(self.unhealthy(object));
        }
        // Nothing can be fetched from a controller that does not run.
        if let Some(down) = controller::out_of_reach(self.snapshot, failure.message()) {
            return Some(self.down(down));
        }
        // It may speak of another object; but what it needs was looked at before, and is well, so
        // that its own word is the best there is.
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

    /// Its controller has not taken note of something: it may be that there is none that would.
    fn unattended(&self, object: &Object) -> Option<Finding> {
        let keeper = controller::of(self.snapshot, object)?;
        Some(match keeper {
            controller::Keeper::NoneForShard(label) => {
                self.finding(object, Fault::Unattended { label })
            }
            controller::Keeper::Elsewhere(controller) => {
                self.finding(object, Fault::Unwatched { controller })
            }
            controller::Keeper::Absent => self.finding(object, Fault::NoController),
            controller::Keeper::Down(deployment) => self.down(deployment),
        })
    }

    fn down(&self, deployment: &Object) -> Finding {
        let mut found = self.finding(deployment, Fault::NoController);
        found.way.push(Id::of(deployment));
        found
    }

    /// What was applied and is not healthy: the workload that is there, or whatever holds up what
    /// was waited for.
    fn unhealthy(&mut self, object: &Object) -> Finding {
        let message = state::failure(object).map_or("", |failure| failure.message());
        let mut waited_for = unhealthy(message);
        if waited_for.is_empty() && is_vain_wait(message) {
            waited_for = self.ill(object);
        }
        self.wanted.extend(waited_for.iter().cloned());
        // What has failed comes before what complains, and that before what is merely not there yet.
        waited_for.sort_by_cached_key(|id| match self.snapshot.get(id) {
            Some(_) if says_failed(message, id) => 0,
            Some(found) if state::failure(found).is_some() => 1,
            Some(found) if workload::is_ill(self.snapshot, found) => 1,
            _ => 2,
        });
        for id in &waited_for {
            let Some(found) = self.snapshot.get(id) else {
                continue;
            };
            if state::is_reconciled(found) {
                if let Some(finding) = self.first_failing(found, Interest::WhatItOffers) {
                    return finding;
                }
                continue;
            }
            let mut finding = self.finding(found, Fault::Unhealthy);
            finding.way.push(id.clone());
            return finding;
        }
        self.failed(object)
    }

    /// What an object applied and is ill, for want of a name in what it says.
    fn ill(&mut self, object: &Object) -> Vec<Id> {
        let applied = workload::applied(object);
        self.wanted.extend(applied.iter().cloned());
        let is_ill = |id: &Id| {
            let found = self.snapshot.get(id);
            found.is_some_and(|found| workload::is_ill(self.snapshot, found))
        };
        applied.into_iter().filter(is_ill).collect()
    }

    fn finding(&self, object: &Object, fault: Fault) -> Finding {
        Finding {
            cause: Id::of(object),
            fault,
            way: self.way.clone(),
        }
    }
}

/// Whether an object says that it waits, or is about to be looked at.
fn is_held_up(object: &Object) -> bool {
    state::condition(object, "Ready").is_none_or(|ready| !ready.is("True"))
        || state::is_unseen(object)
}

/// Whether a suspended object is behind what it could be.
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
        .filter(|need| need.how == How::Source)
        .filter_map(|need| snapshot.get(&need.id))
        .map(|source| field(source, "/status/artifact/revision"))
        .any(|offered| !offered.is_empty() && offered != held)
}

/// Whether there is a revision that an object has not even tried.
fn is_offered_more(snapshot: &Snapshot, object: &Object) -> bool {
    if object.kind() != "Kustomization" {
        return false;
    }
    let held = ["lastAppliedRevision", "lastAttemptedRevision"]
        .map(|revision| field(object, &format!("/status/{revision}")));
    needs(snapshot, object)
        .iter()
        .filter(|need| need.how == How::Source)
        .filter_map(|need| snapshot.get(&need.id))
        .map(|source| field(source, "/status/artifact/revision"))
        .any(|offered| !offered.is_empty() && !held.contains(&offered))
}

/// Whether something was waited for in vain, whatever it was.
fn is_vain_wait(message: &str) -> bool {
    ["deadline exceeded", "timed out waiting", "timeout waiting"]
        .iter()
        .any(|words| message.contains(words))
}

/// The objects that a failed health check names: `Kind/namespace/name status: 'Failed'`. What else
/// it says of one may have commas and brackets of its own.
fn unhealthy(message: &str) -> Vec<Id> {
    let mut named = Vec::new();
    let mut rest = message;
    while let Some((before, after)) = rest.split_once(" status: ") {
        rest = after;
        let start = before.rfind([' ', '[', ',', ';']).map_or(0, |at| at + 1);
        let parts: Vec<&str> = before[start..].split('/').collect();
        named.extend(match parts[..] {
            [kind, namespace, name] => Some(Id::new(kind, namespace, name)),
            [kind, name] => Some(Id::new(kind, "", name)),
            _ => None,
        });
    }
    named
}

fn says_failed(message: &str, id: &Id) -> bool {
    let named = format!("{id} status: ");
    message
        .split_once(&named)
        .is_some_and(|(_, status)| status.trim_start_matches('\'').starts_with("Failed"))
}
