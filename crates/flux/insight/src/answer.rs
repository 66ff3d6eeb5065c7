//! Builds an answer: details of the object at fault, the path to it and the blocked objects.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;
use sluice_object::Object;

use crate::fields::{at, text as field};
use crate::kinds::is_suspended;
use crate::messages::unhealthy_objects;
use crate::model::{Answer, Fault, Finding, Step};
use crate::relation::{NeedKind, needs, prerequisites};
use crate::snapshot::{Id, Snapshot};
use crate::{advice, state, workload};

/// The answer for an object without a fault.
pub(crate) fn of_healthy(snapshot: &Snapshot, asked: &Object, seen: &[Id]) -> Answer {
    let way = seen
        .iter()
        .rev()
        .filter_map(|id| snapshot.get(id))
        .map(|object| step(snapshot, object));
    let mut details = Vec::new();
    let chain = seen.iter().filter_map(|id| snapshot.get(id));
    for object in chain {
        let ready = state::condition(object, "Ready").filter(|ready| ready.is("Unknown"));
        let busy = [state::condition(object, "Reconciling"), ready];
        let mut busy: Vec<&str> = busy
            .into_iter()
            .flatten()
            .map(state::Condition::message)
            .collect();
        busy.dedup();
        if !busy.is_empty() {
            let busy = busy.join("; ");
            details.push(format!("{} is reconciling: {busy}", Id::of(object)));
        } else if state::is_reconciled(object) && state::is_unseen(object) {
            details.push(format!("{} waits for its controller", Id::of(object)));
        }
    }
    if is_suspended(asked) && state::heeds_suspension(asked) {
        details.push("is suspended, and has the latest revision".to_owned());
    }
    Answer {
        asked: Id::of(asked),
        cause: None,
        fault: None,
        details,
        way: way.collect(),
        blocks: Vec::new(),
        retries: None,
        since: String::new(),
        helps: Vec::new(),
    }
}

/// The answer for a fault.
pub(crate) fn of_fault(
    snapshot: &Snapshot,
    asked: &Object,
    finding: Finding,
    program: &str,
) -> Answer {
    let Finding { cause, fault, way } = finding;
    let object = snapshot.get(&cause);
    let way: Vec<Step> = way
        .iter()
        .filter(|id| **id != cause)
        .filter_map(|id| snapshot.get(id))
        .map(|object| step(snapshot, object))
        .collect();
    // The objects of the path are blocked, and so are the objects that wait for them.
    let on_the_way = way
        .iter()
        .filter(|step| snapshot.get(&step.object).is_some_and(state::is_of_flux))
        .map(|step| step.object.clone());
    let mut blocks = blocked_by(snapshot, on_the_way.chain([cause.clone()]).collect());
    blocks.remove(&cause);
    let since = object.map_or("", state::failing_since);
    Answer {
        asked: Id::of(asked),
        details: object.map_or_else(Vec::new, |object| details(snapshot, object, &fault)),
        retries: object.and_then(|object| retries(object, &fault)),
        since: since.to_owned(),
        helps: advice::commands(snapshot, &cause, &fault, program),
        blocks: blocks.into_iter().collect(),
        way,
        cause: Some(cause),
        fault: Some(fault),
    }
}

/// The report of the object at fault, and its revisions.
fn details(snapshot: &Snapshot, object: &Object, fault: &Fault) -> Vec<String> {
    let mut details = match fault {
        Fault::Failed { reason, message } => vec![format!("{reason}: {message}")],
        Fault::Missing { what, message } => vec![format!("{what} not found: {message}")],
        Fault::Circle { through } => {
            let mut names: Vec<String> = through.iter().map(ToString::to_string).collect();
            names.extend(names.first().cloned());
            vec![format!("a cycle of dependencies: {}", names.join(" → "))]
        }
        Fault::Suspended => vec!["suspended: it does not change until it is resumed".to_owned()],
        Fault::Unattended { label } => {
            vec![format!(
                "no controller reconciles objects with the label {label}"
            )]
        }
        Fault::Unwatched { controller } => vec![format!(
            "{controller} reconciles its own namespace only: --watch-all-namespaces=false"
        )],
        Fault::NoController if object.kind() == "Deployment" => vec![format!(
            "{} does not run, and has not handled the last request",
            object.name()
        )],
        Fault::NoController => vec!["its controller is not installed".to_owned()],
        Fault::Unhealthy => vec!["was applied, and is not healthy".to_owned()],
        Fault::Going => vec![going(object)],
        Fault::LeftAlone { mark } => {
            vec![format!("Flux ignores it: it has {mark}")]
        }
    };
    if matches!(fault, Fault::Failed { .. }) {
        // Another condition may have the cause, such as the upgrade before a rollback.
        let others = state::conditions(object)
            .filter(|condition| condition.is("False") && condition.type_() != "Ready")
            .map(|condition| format!("{}: {}", condition.reason(), condition.message()))
            .filter(|line| !details.contains(line));
        details.extend(others.collect::<Vec<_>>());
    }
    if state::is_going(object) && *fault != Fault::Going {
        details.push(going(object));
    }
    if !state::is_of_flux(object) {
        details.extend(workload::complaints(snapshot, object));
    }
    details.extend(revisions(snapshot, object));
    details
}

/// The revisions of an object and of its sources.
fn revisions(snapshot: &Snapshot, object: &Object) -> Vec<String> {
    let mut revisions = Vec::new();
    let mut say = |what: &str, revision: &str| {
        if !revision.is_empty() {
            revisions.push(format!("{what} {revision}"));
        }
    };
    match object.kind() {
        "Kustomization" => {
            let applied = field(object, "/status/lastAppliedRevision");
            let attempted = field(object, "/status/lastAttemptedRevision");
            say("applied", applied);
            if attempted != applied {
                say("tried", attempted);
            }
        }
        "HelmRelease" => {
            say("released", field(object, "/status/history/0/chartVersion"));
            say("tried", field(object, "/status/lastAttemptedRevision"));
        }
        _ => say("has", state::revision(object)),
    }
    if matches!(object.kind(), "Kustomization" | "HelmRelease") {
        for need in needs(snapshot, object) {
            if let Some(source) = snapshot
                .get(&need.id)
                .filter(|_| need.kind == NeedKind::Source)
            {
                let revision = field(source, "/status/artifact/revision");
                say(&format!("{} has", need.id), revision);
            }
        }
    }
    revisions
}

fn step(snapshot: &Snapshot, object: &Object) -> Step {
    let mut says = String::new();
    if is_suspended(object) {
        says.push_str("suspended; ");
    }
    if let Some(ready) = state::condition(object, "Ready") {
        let (reason, message) = (ready.reason(), ready.message());
        let _infallible = write!(says, "{reason}: {message}; ");
    }
    says.push_str(&revisions(snapshot, object).join(", "));
    Step {
        object: Id::of(object),
        says: says.trim_end_matches("; ").to_owned(),
    }
}

/// All objects that wait for one of these, directly or not.
fn blocked_by(snapshot: &Snapshot, mut held: BTreeSet<Id>) -> BTreeSet<Id> {
    loop {
        let more: Vec<Id> = snapshot
            .all()
            .filter(|object| state::is_of_flux(object))
            .filter(|object| !held.contains(&Id::of(object)))
            .filter(|object| {
                waits_for(snapshot, object)
                    .iter()
                    .any(|id| held.contains(id))
            })
            .map(Id::of)
            .collect();
        if more.is_empty() {
            return held;
        }
        held.extend(more);
    }
}

fn waits_for(snapshot: &Snapshot, object: &Object) -> Vec<Id> {
    let mut awaited = prerequisites(snapshot, object);
    if let Some(failure) = state::failure(object)
        && (failure.reason() == "HealthCheckFailed" || object.kind() == "HelmRelease")
    {
        awaited.extend(unhealthy_objects(failure.message()));
    }
    awaited
}

fn going(object: &Object) -> String {
    let finalizers: Vec<&str> = at(object, "/metadata/finalizers")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let since = field(object, "/metadata/deletionTimestamp");
    format!(
        "is being deleted since {since}; its finalizers are {}",
        finalizers.join(", ")
    )
}

/// When the object at fault is retried.
fn retries(object: &Object, fault: &Fault) -> Option<String> {
    if !matches!(
        fault,
        Fault::Failed { .. } | Fault::Missing { .. } | Fault::Circle { .. }
    ) {
        return None;
    }
    if state::is_stalled(object) {
        return Some("after an edit only".to_owned());
    }
    if state::is_source(object) {
        return Some("with exponential back-off".to_owned());
    }
    let fields = ["/spec/retryInterval", "/spec/interval"];
    let interval = fields
        .into_iter()
        .map(|pointer| field(object, pointer))
        .find(|interval| !interval.is_empty())?;
    Some(format!("every {interval}"))
}

impl Answer {
    /// The answer as plain text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let Some(cause) = &self.cause else {
            let _infallible = writeln!(text, "✔ nothing is wrong with {}", self.asked);
            for line in &self.details {
                let _infallible = writeln!(text, "  {line}");
            }
            self.write_way(&mut text);
            return text;
        };
        let _infallible = if *cause == self.asked {
            writeln!(text, "✗ {cause} is failing")
        } else {
            writeln!(text, "✗ {} is blocked by {cause}", self.asked)
        };
        for line in &self.details {
            for (index, line) in line.lines().enumerate() {
                let indent = if index == 0 { "  " } else { "    " };
                let _infallible = writeln!(text, "{indent}{line}");
            }
        }
        if !self.since.is_empty() {
            let _infallible = writeln!(text, "  since {}", self.since);
        }
        if let Some(retries) = &self.retries {
            let _infallible = writeln!(text, "  retry {retries}");
        }
        self.write_way(&mut text);
        if !self.blocks.is_empty() {
            text.push_str("\nblocks\n");
            for id in &self.blocks {
                let _infallible = writeln!(text, "  {id}");
            }
        }
        if !self.helps.is_empty() {
            text.push_str("\nnext\n");
            for command in &self.helps {
                let _infallible = writeln!(text, "  {command}");
            }
        }
        text
    }

    fn write_way(&self, text: &mut String) {
        if self.way.is_empty() {
            return;
        }
        text.push_str("\npath\n");
        for Step { object, says } in &self.way {
            let colon = if says.is_empty() { "" } else { ": " };
            let says = says.replace('\n', "\n    ");
            let _infallible = writeln!(text, "  {object}{colon}{says}");
        }
    }
}
