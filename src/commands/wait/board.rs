//! What is waited for, and how far it has come: pure, fed with the states of objects as they are seen.
//!
//! A failure that is tried again by itself is waited out. What nothing will come of by itself, a
//! stalled, suspended or deleted object, does not keep the others from being waited for, and makes the
//! wait fail when they are done.

use std::collections::BTreeMap;

use sluice_object::Object;

use crate::commands::settled::{self, Standing};
use crate::resource::{Resource, is_suspended, revision, text};
use crate::why::Id;

/// The annotation that asks for a reconciliation.
const REQUESTED_AT: &str = "reconcile.fluxcd.io/requestedAt";

/// How many digits of a commit or a digest name it.
const SHORTEST: usize = 7;

/// What is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    Ready,
    /// Ready, with this revision fetched or applied.
    Revision(String),
}

/// Reads `--for`.
pub(super) fn goal(text: &str) -> Result<Goal, String> {
    match text.split_once('=') {
        None if text == "ready" => Ok(Goal::Ready),
        Some(("revision", revision)) if !revision.is_empty() => {
            Ok(Goal::Revision(revision.to_owned()))
        }
        _ => Err("must be ready or revision=REVISION".to_owned()),
    }
}

/// How far one object is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    Reached,
    Waiting,
    /// Nothing will come of it by itself, and why.
    Hopeless(String),
}

/// Judges an object.
pub(super) fn progress(goal: &Goal, resource: &Resource, object: &Object) -> Progress {
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
    match settled::standing(resource, object) {
        Standing::Ready if reached && (is_handled || is_suspended) => Progress::Reached,
        Standing::Stalled(message) => Progress::Hopeless(format!("stalled: {message}")),
        _ if is_suspended => Progress::Hopeless("suspended".to_owned()),
        _ => Progress::Waiting,
    }
}

/// Whether a revision, such as `main@sha1:1a2b…`, is the one that is wanted: the same text, the same
/// commit or digest, or the beginning of that.
fn is_revision(has: &str, wanted: &str) -> bool {
    let hash = |text: &str| {
        text.rsplit([':', '@', '/'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let (known, asked) = (hash(has), hash(wanted));
    let is_hash =
        |text: &str| text.len() >= SHORTEST && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if has == wanted {
        return true;
    }
    // What stands before the hash must fit if it is given: a branch, an algorithm.
    let before = wanted.strip_suffix(asked.as_str()).unwrap_or_default();
    is_hash(&asked) && is_hash(&known) && known.starts_with(&asked) && {
        let named = has.strip_suffix(known.as_str()).unwrap_or_default();
        before.is_empty() || named.ends_with(before)
    }
}

/// One object on the board.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) resource: &'static Resource,
    pub(super) object: Object,
    pub(super) progress: Progress,
}

/// Everything that is waited for.
#[derive(Debug)]
pub(super) struct Board {
    goal: Goal,
    /// Whether the objects were named: one that goes away is then missed.
    named: bool,
    entries: BTreeMap<Id, Entry>,
    /// Watches that have not told yet what exists.
    unsynced: usize,
}

impl Board {
    pub(super) fn new(goal: Goal, named: bool, watches: usize) -> Self {
        Self {
            goal,
            named,
            entries: BTreeMap::new(),
            unsynced: watches,
        }
    }

    /// Takes note of a state. Tells whether the object has come to the goal with it.
    pub(super) fn note(&mut self, resource: &'static Resource, object: Object) -> bool {
        let progress = progress(&self.goal, resource, &object);
        let id = Id::of(&object);
        let was = self.entries.get(&id).map(|entry| &entry.progress);
        let is_new = progress == Progress::Reached && was != Some(&Progress::Reached);
        let entry = Entry {
            resource,
            object,
            progress,
        };
        self.entries.insert(id, entry);
        is_new
    }

    pub(super) fn gone(&mut self, id: &Id) {
        if !self.named {
            self.entries.remove(id);
        } else if let Some(entry) = self.entries.get_mut(id) {
            entry.progress = Progress::Hopeless("deleted while it was waited for".to_owned());
        }
    }

    /// One more watch has told what exists, or cannot tell of anything.
    pub(super) fn synced(&mut self) {
        self.unsynced = self.unsynced.saturating_sub(1);
    }

    /// Whether nothing is waited for any more.
    pub(super) fn is_over(&self) -> bool {
        let waits = |entry: &Entry| entry.progress == Progress::Waiting;
        self.unsynced == 0 && !self.entries.values().any(waits)
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Objects that have not come to the goal.
    pub(super) fn others(&self) -> impl Iterator<Item = (&Id, &Entry)> {
        let entries = self.entries.iter();
        entries.filter(|(_, entry)| entry.progress != Progress::Reached)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::resource::by_kind;

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
    fn a_failure_is_waited_out_and_a_stall_is_not() {
        let judged = |more: Value| progress(&Goal::Ready, kind(), &object("a", more));
        let status = |type_: &str, status: &str| json!({ "status": conditions(type_, status) });
        assert_eq!(judged(json!({})), Progress::Waiting);
        assert_eq!(judged(status("Ready", "True")), Progress::Reached);
        assert_eq!(judged(status("Ready", "False")), Progress::Waiting);
        let stalled = Progress::Hopeless("stalled: so".to_owned());
        assert_eq!(judged(status("Stalled", "True")), stalled);
    }

    #[test]
    fn a_request_that_is_not_handled_is_waited_for_unless_nobody_will() {
        let asked = json!({ "annotations": { REQUESTED_AT: "now" } });
        let judged = |suspend: bool| {
            let more = json!({ "metadata": asked, "spec": { "suspend": suspend },
                "status": conditions("Ready", "True") });
            progress(&Goal::Ready, kind(), &object("a", more))
        };
        assert_eq!(judged(false), Progress::Waiting);
        assert_eq!(judged(true), Progress::Reached);
        let failed = json!({ "spec": { "suspend": true }, "status": conditions("Ready", "False") });
        let failed = progress(&Goal::Ready, kind(), &object("a", failed));
        assert_eq!(failed, Progress::Hopeless("suspended".to_owned()));
    }

    #[test]
    fn a_revision_is_known_by_its_commit_or_the_beginning_of_it() {
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
    fn a_goal_is_ready_or_a_revision() {
        assert_eq!(goal("ready"), Ok(Goal::Ready));
        assert_eq!(goal("revision=a=b"), Ok(Goal::Revision("a=b".to_owned())));
        for wrong in [
            "",
            "Ready",
            "ready=true",
            "revision",
            "revision=",
            "condition=Ready",
        ] {
            assert!(goal(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn all_is_over_when_everything_that_exists_has_come_or_never_will() {
        let mut board = Board::new(Goal::Ready, false, 1);
        assert!(!board.is_over(), "nothing is known yet");
        assert!(board.note(
            kind(),
            object("a", json!({ "status": conditions("Ready", "True") }))
        ));
        assert!(!board.note(kind(), object("b", json!({}))));
        board.synced();
        assert!(!board.is_over());
        board.note(
            kind(),
            object("b", json!({ "status": conditions("Stalled", "True") })),
        );
        assert!(board.is_over());
        assert_eq!(board.others().count(), 1);
        board.gone(&Id::new("Kustomization", "apps", "b"));
        assert_eq!((board.len(), board.others().count()), (1, 0));
    }

    #[test]
    fn a_named_object_that_goes_away_is_missed() {
        let mut board = Board::new(Goal::Ready, true, 0);
        board.note(kind(), object("a", json!({})));
        board.gone(&Id::new("Kustomization", "apps", "a"));
        assert!(board.is_over());
        let (_, entry) = board.others().next().unwrap();
        assert!(matches!(&entry.progress, Progress::Hopeless(why) if why.contains("deleted")));
    }
}
