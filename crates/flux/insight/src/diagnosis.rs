//! Builds a diagnosis: details of the object at fault, the path to it and the blocked objects.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;
use sluice_api::meta::reason;
use sluice_object::Object;

use crate::fields::{at, text as field};
use crate::kinds::is_suspended;
use crate::messages::unhealthy_objects;
use crate::model::{Detail, Diagnosis, Fault, Finding, Step};
use crate::relation::{NeedKind, needs, newer_source, prerequisites};
use crate::snapshot::{Id, Snapshot};
use crate::{advice, state, workload};

/// The number of awaited objects that are listed.
const MAX_AWAITED: usize = 10;

/// The answer for an object without a fault.
pub(crate) fn of_healthy(snapshot: &Snapshot, asked: &Object, seen: &[Id]) -> Diagnosis {
    let path = seen
        .iter()
        .rev()
        .filter_map(|id| snapshot.get(id))
        .map(|object| step(snapshot, object));
    let mut details = Vec::new();
    let mut waits = false;
    for object in seen.iter().filter_map(|id| snapshot.get(id)) {
        let pending = pending(snapshot, object);
        waits |= Id::of(object) == Id::of(asked) && !pending.is_empty();
        details.extend(pending);
    }
    if is_suspended(asked) && state::supports_suspension(asked) {
        details.push(row("state", "is suspended, and has the latest revision"));
    }
    Diagnosis {
        asked: Id::of(asked),
        cause: None,
        waits,
        fault: None,
        details,
        path: path.collect(),
        blocks: Vec::new(),
        retries: None,
        since: String::new(),
        commands: Vec::new(),
    }
}

/// The work that an object without a fault has not finished, and the objects that it awaits.
fn pending(snapshot: &Snapshot, object: &Object) -> Vec<Detail> {
    let id = Id::of(object);
    let ready = state::condition(object, "Ready").filter(|ready| ready.is("Unknown"));
    let busy = [state::condition(object, "Reconciling"), ready];
    let mut busy: Vec<&str> = busy
        .into_iter()
        .flatten()
        .map(state::Condition::message)
        .collect();
    busy.dedup();
    let mut rows = Vec::new();
    if !busy.is_empty() {
        let busy = busy.join("; ");
        rows.push(row("state", format!("{id} is reconciling: {busy}")));
    } else if state::is_reconciled(object) && state::is_unseen(object) {
        rows.push(row("state", format!("{id} waits for its controller")));
    }
    let awaited = workload::awaited(object).into_iter().filter_map(|id| {
        let state = match snapshot.get(&id) {
            Some(found) => workload::unfinished(found)?,
            None if snapshot.is_absent(&id) => "does not exist".to_owned(),
            None => return None,
        };
        Some(row("awaits", format!("{id}: {state}")))
    });
    let mut awaited: Vec<Detail> = awaited.collect();
    if let Some(more) = awaited
        .len()
        .checked_sub(MAX_AWAITED)
        .filter(|more| *more > 0)
    {
        awaited.truncate(MAX_AWAITED);
        awaited.push(row("awaits", format!("{more} more")));
    }
    rows.extend(awaited);
    if let Some(source) = newer_source(snapshot, object) {
        let revision = field(source, "/status/artifact/revision");
        let source = Id::of(source);
        let newer = format!("{source} has {revision}, which {id} has not taken yet");
        rows.push(row("source", newer));
    }
    rows
}

/// The answer for a fault.
pub(crate) fn of_fault(
    snapshot: &Snapshot,
    asked: &Object,
    finding: Finding,
    program: &str,
) -> Diagnosis {
    let Finding { cause, fault, path } = finding;
    let object = snapshot.get(&cause);
    let path: Vec<Step> = path
        .iter()
        .filter(|id| **id != cause)
        .filter_map(|id| snapshot.get(id))
        .map(|object| step(snapshot, object))
        .collect();
    let since = object.map_or("", state::failing_since);
    Diagnosis {
        asked: Id::of(asked),
        details: object.map_or_else(Vec::new, |object| details(snapshot, object, &fault)),
        retries: object.and_then(|object| retries(object, &fault)),
        since: since.to_owned(),
        commands: advice::commands(snapshot, &cause, &fault, program),
        blocks: blocked(snapshot, &path, &cause),
        path,
        cause: Some(cause),
        waits: false,
        fault: Some(fault),
    }
}

fn row(label: &'static str, text: impl Into<String>) -> Detail {
    Detail {
        label,
        text: text.into(),
    }
}

/// The report of the object at fault, and its revisions.
fn details(snapshot: &Snapshot, object: &Object, fault: &Fault) -> Vec<Detail> {
    let mut details = match fault {
        Fault::Failed { reason, message } => vec![row("reason", reason), row("error", message)],
        Fault::Missing { what, message } => {
            vec![row("error", absence(what, message))]
        }
        Fault::Circle { through } => {
            let mut names: Vec<String> = through.iter().map(ToString::to_string).collect();
            names.extend(names.first().cloned());
            vec![row("cycle", names.join(" → "))]
        }
        Fault::Suspended => vec![row(
            "state",
            "suspended: it does not change until it is resumed",
        )],
        Fault::Unattended { label } => vec![row(
            "state",
            format!("no controller reconciles objects with the label {label}"),
        )],
        Fault::Unwatched { controller } => vec![row(
            "state",
            format!("{controller} reconciles its own namespace only: --watch-all-namespaces=false"),
        )],
        Fault::NoController if object.kind() == "Deployment" => vec![row(
            "state",
            format!(
                "{} does not run, and has not handled the last request",
                object.name()
            ),
        )],
        Fault::NoController => vec![row("state", "its controller is not installed")],
        Fault::Unhealthy => vec![row("state", "applied, but not healthy")],
        Fault::Deleting => vec![deletion(object)],
        Fault::Ignored { marker } => {
            vec![row("state", format!("Flux ignores it: it has {marker}"))]
        }
    };
    if let Fault::Failed { reason, message } = fault {
        // Another condition may have the cause, such as the upgrade before a rollback.
        let others = state::conditions(object)
            .filter(|condition| condition.is("False") && condition.type_() != "Ready")
            .filter(|other| other.reason() != reason || other.message() != message)
            .map(|other| row("also", format!("{}: {}", other.reason(), other.message())));
        details.extend(others);
    }
    // The message has the directory of the controller instead of the path.
    if let Fault::Failed { message, .. } = fault
        && message.contains(advice::NO_PATH)
    {
        let path = field(object, "/spec/path");
        details.push(row(
            "path",
            format!("spec.path is {path}, which the source does not have"),
        ));
    }
    if state::is_being_deleted(object) && *fault != Fault::Deleting {
        details.push(deletion(object));
    }
    if !state::is_of_flux(object) {
        let complaints = workload::complaints(snapshot, object).into_iter();
        details.extend(complaints.map(|complaint| row("error", complaint)));
    }
    details.extend(revisions(snapshot, object));
    details
}

/// Names a missing object once, without the text of the API server that repeats it.
fn absence(what: &Id, message: &str) -> String {
    let repeated = format!("\"{}\" not found", what.name);
    let plain = format!("{what} not found");
    let more = match message.rsplit_once(": ") {
        Some((head, tail)) if tail.ends_with(&repeated) => head,
        _ if message.ends_with(&repeated) => "",
        _ => message,
    };
    match more {
        "" => plain,
        more if more.contains(&what.name) && more.ends_with("not found") => more.to_owned(),
        more => format!("{plain}: {more}"),
    }
}

/// The revisions of an object and of its sources.
fn revisions(snapshot: &Snapshot, object: &Object) -> Vec<Detail> {
    let mut revisions = Vec::new();
    let mut add = |label: &'static str, revision: &str| {
        if !revision.is_empty() {
            revisions.push(row(label, revision));
        }
    };
    match object.kind() {
        "Kustomization" => {
            let applied = field(object, "/status/lastAppliedRevision");
            let attempted = field(object, "/status/lastAttemptedRevision");
            add("applied", applied);
            if attempted != applied {
                add("tried", attempted);
            }
        }
        "HelmRelease" => {
            add("released", field(object, "/status/history/0/chartVersion"));
            add("tried", field(object, "/status/lastAttemptedRevision"));
        }
        _ => add("revision", state::revision(object)),
    }
    if matches!(object.kind(), "Kustomization" | "HelmRelease") {
        for need in needs(snapshot, object) {
            if let Some(source) = snapshot
                .get(&need.id)
                .filter(|_| need.kind == NeedKind::Source)
            {
                let revision = field(source, "/status/artifact/revision");
                if !revision.is_empty() {
                    revisions.push(row("source", format!("{} has {revision}", need.id)));
                }
            }
        }
    }
    revisions
}

fn step(snapshot: &Snapshot, object: &Object) -> Step {
    let mut message = String::new();
    if is_suspended(object) {
        message.push_str("suspended; ");
    }
    if let Some(ready) = state::condition(object, "Ready") {
        let _infallible = write!(message, "{}: {}; ", ready.reason(), ready.message());
    }
    let revisions: Vec<String> = revisions(snapshot, object)
        .into_iter()
        .map(|Detail { label, text }| format!("{label} {text}"))
        .collect();
    message.push_str(&revisions.join(", "));
    Step {
        object: Id::of(object),
        message: message.trim_end_matches("; ").to_owned(),
    }
}

/// The Flux objects of the path, then all objects that wait for one of them or for the cause.
fn blocked(snapshot: &Snapshot, path: &[Step], cause: &Id) -> Vec<Id> {
    let on_path = path
        .iter()
        .rev()
        .map(|step| step.object.clone())
        .filter(|id| snapshot.get(id).is_some_and(state::is_of_flux));
    let mut blocked: Vec<Id> = on_path.collect();
    let mut held: BTreeSet<Id> = blocked.iter().cloned().chain([cause.clone()]).collect();
    loop {
        let more = waiting_for(snapshot, &held);
        if more.is_empty() {
            return blocked;
        }
        held.extend(more.iter().cloned());
        blocked.extend(more);
    }
}

/// Further objects that wait for one of these.
fn waiting_for(snapshot: &Snapshot, held: &BTreeSet<Id>) -> Vec<Id> {
    snapshot
        .all()
        .filter(|object| state::is_of_flux(object))
        .filter(|object| !held.contains(&Id::of(object)))
        .filter(|object| {
            waits_for(snapshot, object)
                .iter()
                .any(|id| held.contains(id))
        })
        .map(Id::of)
        .collect()
}

fn waits_for(snapshot: &Snapshot, object: &Object) -> Vec<Id> {
    let mut awaited = prerequisites(snapshot, object);
    if let Some(failure) = state::failure(object)
        && (failure.reason() == reason::HEALTH_CHECK_FAILED || object.kind() == "HelmRelease")
    {
        awaited.extend(unhealthy_objects(failure.message()));
    }
    awaited
}

fn deletion(object: &Object) -> Detail {
    let finalizers: Vec<&str> = at(object, "/metadata/finalizers")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let since = field(object, "/metadata/deletionTimestamp");
    let finalizers = finalizers.join(", ");
    row(
        "state",
        format!("is being deleted since {since}; its finalizers are {finalizers}"),
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
        return Some("only after an edit".to_owned());
    }
    if state::is_source(object) {
        return Some("exponential back-off".to_owned());
    }
    let fields = ["/spec/retryInterval", "/spec/interval"];
    let interval = fields
        .into_iter()
        .map(|pointer| field(object, pointer))
        .find(|interval| !interval.is_empty())?;
    Some(format!("every {interval}"))
}

impl Diagnosis {
    /// The answer as plain text, with the age of the failure as `since`.
    pub fn text(&self, since: &str) -> String {
        let mut text = String::new();
        let _infallible = match &self.cause {
            None if self.waits => writeln!(text, "◎ {} is not done yet", spaced(&self.asked)),
            None => writeln!(text, "✔ nothing is wrong with {}", spaced(&self.asked)),
            Some(cause) if *cause == self.asked => {
                writeln!(text, "✗ {} is failing", spaced(cause))
            }
            Some(cause) => {
                let (asked, cause) = (spaced(&self.asked), spaced(cause));
                writeln!(text, "✗ {asked} is blocked by {cause}")
            }
        };
        write_rows(&mut text, &self.rows(since));
        self.write_path(&mut text);
        if !self.commands.is_empty() {
            text.push_str("\nnext:\n");
            for command in &self.commands {
                let _infallible = writeln!(text, "  {command}");
            }
        }
        text
    }

    fn rows(&self, since: &str) -> Vec<Detail> {
        let mut rows = self.details.clone();
        if !since.is_empty() {
            rows.push(row("since", since));
        }
        rows.extend(self.retries.as_ref().map(|retries| row("retry", retries)));
        rows.extend(match &self.blocks[..] {
            [] => None,
            [one] => Some(row("blocks", spaced(one))),
            [first, others @ ..] => {
                let (first, count) = (spaced(first), others.len());
                Some(row("blocks", format!("{first} ({count} more behind it)")))
            }
        });
        rows
    }

    fn write_path(&self, text: &mut String) {
        if self.path.is_empty() {
            return;
        }
        text.push_str("\npath:\n");
        for Step { object, message } in &self.path {
            let colon = if message.is_empty() { "" } else { ": " };
            let message = message.replace('\n', "\n    ");
            let _infallible = writeln!(text, "  {}{colon}{message}", spaced(object));
        }
    }
}

/// Writes rows with their texts in one column.
fn write_rows(text: &mut String, rows: &[Detail]) {
    let width = rows.iter().map(|row| row.label.len()).max().unwrap_or(0);
    for Detail { label, text: value } in rows {
        let indent = format!("\n  {:width$}  ", "");
        let value = value.trim_end().replace('\n', &indent);
        let _infallible = writeln!(text, "  {label:width$}  {value}");
    }
}

/// An id as `KIND NAMESPACE/NAME`.
fn spaced(id: &Id) -> String {
    id.to_string().replacen('/', " ", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_aligns_rows_and_counts_blocked_objects() {
        let id = |kind: &str, name: &str| Id::new(kind, "flux-system", name);
        let answer = Diagnosis {
            asked: id("GitRepository", "podinfo"),
            cause: Some(id("GitRepository", "podinfo")),
            waits: false,
            fault: None,
            details: vec![
                row("reason", "GitOperationFailed"),
                row("error", "one\ntwo\n"),
            ],
            path: Vec::new(),
            blocks: vec![id("Kustomization", "apps"), id("Kustomization", "web")],
            retries: Some("exponential back-off".to_owned()),
            since: String::new(),
            commands: vec!["sluice reconcile source git podinfo".to_owned()],
        };
        let expected = "\
✗ GitRepository flux-system/podinfo is failing
  reason  GitOperationFailed
  error   one
          two
  since   25s ago
  retry   exponential back-off
  blocks  Kustomization flux-system/apps (1 more behind it)

next:
  sluice reconcile source git podinfo
";
        assert_eq!(answer.text("25s ago"), expected);
    }
}
