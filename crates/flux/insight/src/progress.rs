//! The progress of a wait for several objects, fed with each observed state.
//!
//! A failure that is retried is waited out. A stalled, suspended or deleted object fails
//! the wait once all other objects are done.

use std::collections::BTreeMap;

use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT as REQUESTED_AT;
use sluice_object::Object;

use crate::fields::text;
use crate::kinds::{Resource, is_suspended, revision};
use crate::settled::{self, Readiness};
use crate::snapshot::Id;

/// Minimum length of an abbreviated commit or digest.
const MIN_HASH_DIGITS: usize = 7;

/// The goal of a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The object is ready.
    Ready,
    /// Ready, with this revision fetched or applied.
    Revision(String),
}

/// Parses `ready` or `revision=REVISION`.
pub fn parse_goal(text: &str) -> Result<Goal, String> {
    match text.split_once('=') {
        None if text == "ready" => Ok(Goal::Ready),
        Some(("revision", revision)) if !revision.is_empty() => {
            Ok(Goal::Revision(revision.to_owned()))
        }
        _ => Err("must be ready or revision=REVISION".to_owned()),
    }
}

/// The progress of one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It reached the goal.
    Reached,
    /// It may reach the goal.
    Waiting,
    /// It cannot reach the goal by itself, with the reason.
    Hopeless(String),
}

/// Compares an object with the goal.
pub fn progress(goal: &Goal, resource: &Resource, object: &Object) -> Progress {
    if resource.is_static(object) {
        return match goal {
            Goal::Ready => Progress::Reached,
            Goal::Revision(_) => Progress::Hopeless("it has no revision".to_owned()),
        };
    }
    let requested = object.annotation(REQUESTED_AT).unwrap_or_default();
    let is_handled =
        requested.is_empty() || requested == text(object, "/status/lastHandledReconcileAt");
    let is_suspended = is_suspended(object);
    let reached = match goal {
        Goal::Ready => true,
        Goal::Revision(wanted) => is_revision(revision(resource, object), wanted),
    };
    match settled::readiness(resource, object) {
        Readiness::Ready if reached && (is_handled || is_suspended) => Progress::Reached,
        Readiness::Stalled(message) => Progress::Hopeless(format!("stalled: {message}")),
        _ if is_suspended => Progress::Hopeless("suspended".to_owned()),
        _ => Progress::Waiting,
    }
}

/// Whether a revision, such as `main@sha1:1a2b…`, matches: the same text, or the same commit or
/// digest, which may be abbreviated.
fn is_revision(has: &str, wanted: &str) -> bool {
    let hash = |text: &str| {
        text.rsplit([':', '@', '/'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let (known, asked) = (hash(has), hash(wanted));
    let is_hash = |text: &str| {
        text.len() >= MIN_HASH_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    if has == wanted {
        return true;
    }
    // A branch or an algorithm before the hash has to match as well.
    let before = wanted.strip_suffix(asked.as_str()).unwrap_or_default();
    is_hash(&asked) && is_hash(&known) && known.starts_with(&asked) && {
        let named = has.strip_suffix(known.as_str()).unwrap_or_default();
        before.is_empty() || named.ends_with(before)
    }
}

/// An awaited object.
#[derive(Clone, Debug)]
pub struct AwaitedObject {
    /// Its kind.
    pub resource: &'static Resource,
    /// Its last observed state.
    pub object: Object,
    /// Its progress.
    pub progress: Progress,
}

/// The progress of all awaited objects.
#[derive(Debug)]
pub struct WaitProgress {
    goal: Goal,
    /// Whether the deletion of an object fails the wait.
    named: bool,
    entries: BTreeMap<Id, AwaitedObject>,
    /// Watches without a complete list yet.
    unsynced: usize,
}

impl WaitProgress {
    /// A wait for named objects, or for all objects of some watches.
    pub fn new(goal: Goal, named: bool, watches: usize) -> Self {
        Self {
            goal,
            named,
            entries: BTreeMap::new(),
            unsynced: watches,
        }
    }

    /// Records a state and reports whether the object reached the goal with it.
    pub fn record(&mut self, resource: &'static Resource, object: Object) -> bool {
        let progress = progress(&self.goal, resource, &object);
        let id = Id::of(&object);
        let was = self.entries.get(&id).map(|entry| &entry.progress);
        let is_new = progress == Progress::Reached && was != Some(&Progress::Reached);
        let entry = AwaitedObject {
            resource,
            object,
            progress,
        };
        self.entries.insert(id, entry);
        is_new
    }

    /// Records the deletion of an object.
    pub fn record_deletion(&mut self, id: &Id) {
        if !self.named {
            self.entries.remove(id);
        } else if let Some(entry) = self.entries.get_mut(id) {
            entry.progress = Progress::Hopeless("deleted while it was waited for".to_owned());
        }
    }

    /// Records that a watch has listed all objects.
    pub fn record_sync(&mut self) {
        self.unsynced = self.unsynced.saturating_sub(1);
    }

    /// Whether the wait is over.
    pub fn is_over(&self) -> bool {
        let waits = |entry: &AwaitedObject| entry.progress == Progress::Waiting;
        self.unsynced == 0 && !self.entries.values().any(waits)
    }

    /// The number of objects.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no object is awaited.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The objects that did not reach the goal.
    pub fn unreached(&self) -> impl Iterator<Item = (&Id, &AwaitedObject)> {
        let entries = self.entries.iter();
        entries.filter(|(_, entry)| entry.progress != Progress::Reached)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::kinds::by_kind;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    fn kind() -> &'static Resource {
        by_kind("Kustomization").unwrap()
    }

    fn object(name: &str, more: Value) -> Object {
        let mut object = json!({
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
            "metadata": { "name": name, "namespace": "apps", "generation": 2 },
            "spec": {}, "status": {},
        });
        let more: serde_json::Map<String, Value> = serde_json::from_value(more).unwrap();
        for (field, value) in more {
            let value: serde_json::Map<String, Value> = serde_json::from_value(value).unwrap();
            object[field].as_object_mut().unwrap().extend(value);
        }
        serde_json::from_value(object).unwrap()
    }

    fn conditions(type_: &str, status: &str) -> Value {
        json!({ "observedGeneration": 2, "lastAppliedRevision": format!("main@sha1:{COMMIT}"),
            "conditions": [{ "type": type_, "status": status, "message": "so", "observedGeneration": 2 }] })
    }

    #[test]
    fn wait_ignores_failures_but_not_stalls() {
        let progress_of = |more: Value| progress(&Goal::Ready, kind(), &object("a", more));
        let status = |type_: &str, status: &str| json!({ "status": conditions(type_, status) });
        assert_eq!(progress_of(json!({})), Progress::Waiting);
        assert_eq!(progress_of(status("Ready", "True")), Progress::Reached);
        assert_eq!(progress_of(status("Ready", "False")), Progress::Waiting);
        let stalled = Progress::Hopeless("stalled: so".to_owned());
        assert_eq!(progress_of(status("Stalled", "True")), stalled);
    }

    #[test]
    fn unhandled_request_is_awaited_unless_suspended() {
        let asked = json!({ "annotations": { REQUESTED_AT: "now" } });
        let progress_of = |suspend: bool| {
            let more = json!({ "metadata": asked, "spec": { "suspend": suspend },
                "status": conditions("Ready", "True") });
            progress(&Goal::Ready, kind(), &object("a", more))
        };
        assert_eq!(progress_of(false), Progress::Waiting);
        assert_eq!(progress_of(true), Progress::Reached);
        let failed = json!({ "spec": { "suspend": true }, "status": conditions("Ready", "False") });
        let failed = progress(&Goal::Ready, kind(), &object("a", failed));
        assert_eq!(failed, Progress::Hopeless("suspended".to_owned()));
    }

    #[test]
    fn revision_matches_by_abbreviated_commit() {
        let has = format!("main@sha1:{COMMIT}");
        for (wanted, expected) in [
            (has.as_str(), true),
            (COMMIT, true),
            ("0123456", true),
            ("sha1:0123456789", true),
            ("main@sha1:0123456789", true),
            ("other@sha1:0123456789", false),
            ("sha256:0123456789", false),
            ("012345", false),
            ("main", false),
            ("1123456789", false),
        ] {
            assert_eq!(is_revision(&has, wanted), expected, "{wanted}");
        }
        assert!(is_revision("6.5.4", "6.5.4"));
        assert!(!is_revision("6.5.4", "6.5"));
        assert!(!is_revision("", COMMIT));
    }

    #[test]
    fn goal_is_ready_or_a_revision() {
        assert_eq!(parse_goal("ready"), Ok(Goal::Ready));
        assert_eq!(
            parse_goal("revision=a=b"),
            Ok(Goal::Revision("a=b".to_owned()))
        );
        for wrong in [
            "",
            "Ready",
            "ready=true",
            "revision",
            "revision=",
            "condition=Ready",
        ] {
            assert!(parse_goal(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn wait_is_over_once_no_object_can_progress() {
        let mut wait = WaitProgress::new(Goal::Ready, false, 1);
        assert!(!wait.is_over(), "no watch is synced");
        assert!(wait.record(
            kind(),
            object("a", json!({ "status": conditions("Ready", "True") }))
        ));
        assert!(!wait.record(kind(), object("b", json!({}))));
        wait.record_sync();
        assert!(!wait.is_over());
        wait.record(
            kind(),
            object("b", json!({ "status": conditions("Stalled", "True") })),
        );
        assert!(wait.is_over());
        assert_eq!(wait.unreached().count(), 1);
        wait.record_deletion(&Id::new("Kustomization", "apps", "b"));
        assert_eq!((wait.len(), wait.unreached().count()), (1, 0));
    }

    #[test]
    fn deletion_of_a_named_object_fails() {
        let mut wait = WaitProgress::new(Goal::Ready, true, 0);
        wait.record(kind(), object("a", json!({})));
        wait.record_deletion(&Id::new("Kustomization", "apps", "a"));
        assert!(wait.is_over());
        let (_, entry) = wait.unreached().next().unwrap();
        assert!(matches!(&entry.progress, Progress::Hopeless(why) if why.contains("deleted")));
    }
}
