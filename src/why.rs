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

use crate::resource::text as field;
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
        let (above, made_of): (Vec<Need>, Vec<Need>) =
            needs.into_iter().partition(|need| need.how == How::Owner);
        for need in made_of {
            if let Some(found) = self.needed(object, &need) {
                return Some(found);
            }
        }
        if let Some(found) = self.own(object, interest) {
            return Some(found);
        }
        // What applies an object of Flux may fail over another one; what applies anything else is
        // asked about it whole.
        let interest = if state::is_reconciled(object) {
            Interest::WhetherItApplies
        } else {
            Interest::All
        };
        above.into_iter().find_map(|need| {
            self.wanted.insert(need.id.clone());
            let owner = self.snapshot.get(&need.id)?;
            self.first_failing(owner, interest)
        })
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
            Some(needed) => self.first_failing(needed, Interest::All),
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
        if let Some(mark) = state::left_alone(object) {
            return Some(self.finding(object, Fault::LeftAlone { mark }));
        }
        if !state::is_reconciled(object) {
            return None;
        }
        if state::is_suspended(object) {
            let matters = state::is_source(object) || is_behind(self.snapshot, object);
            return matters.then(|| self.finding(object, Fault::Suspended));
        }
        if state::is_unseen(object) {
            return self.unseen(object);
        }
        let Some(failure) = state::failure(object) else {
            return state::is_going(object).then(|| self.finding(object, Fault::Going));
        };
        if failure.reason() == "HealthCheckFailed" {
            return match interest {
                Interest::All => Some(self.unhealthy(object)),
                Interest::WhetherItApplies => None,
            };
        }
        // A release that was tried names what did not become healthy, as a health check does.
        if object.kind() == "HelmRelease" && !unhealthy(failure.message()).is_empty() {
            return Some(self.unhealthy(object));
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

    /// The controller has not taken note of it: it may be that there is none that would.
    fn unseen(&mut self, object: &Object) -> Option<Finding> {
        let keeper = controller::of(self.snapshot, object)?;
        Some(match keeper {
            controller::Keeper::NoneForShard(label) => {
                self.finding(object, Fault::Unattended { label })
            }
            controller::Keeper::Absent => self.finding(object, Fault::NoController),
            controller::Keeper::Down(deployment) => {
                let mut way = self.way.clone();
                way.push(Id::of(deployment));
                Finding {
                    cause: Id::of(deployment),
                    fault: Fault::NoController,
                    way,
                }
            }
        })
    }

    /// What was applied and is not healthy: the workload that is there, or whatever holds up what
    /// was waited for.
    fn unhealthy(&mut self, object: &Object) -> Finding {
        let message = state::failure(object).map_or("", |failure| failure.message());
        let waited_for = unhealthy(message);
        for id in &waited_for {
            self.wanted.insert(id.clone());
            let Some(found) = self.snapshot.get(id) else {
                continue;
            };
            if state::is_reconciled(found) {
                if let Some(finding) = self.first_failing(found, Interest::All) {
                    return finding;
                }
                continue;
            }
            let mut way = self.way.clone();
            way.push(id.clone());
            return Finding {
                cause: id.clone(),
                fault: Fault::Unhealthy,
                way,
            };
        }
        self.failed(object)
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

/// The objects that a failed health check names: `Kind/namespace/name status: 'Failed'`.
fn unhealthy(message: &str) -> Vec<Id> {
    let Some((_, list)) = message.split_once('[') else {
        return Vec::new();
    };
    list.trim_end_matches(']')
        .split(", ")
        .filter_map(|item| {
            let (name, _) = item.split_once(" status: ")?;
            let parts: Vec<&str> = name.trim().split('/').collect();
            match parts[..] {
                [kind, namespace, name] => Some(Id::new(kind, namespace, name)),
                [kind, name] => Some(Id::new(kind, "", name)),
                _ => None,
            }
        })
        .collect()
}
