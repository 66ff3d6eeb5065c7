//! What a wait is asked to look at, and what the apply before it already knows.

use std::sync::Arc;

use crate::health::HealthEvaluator;
use jiff::Timestamp;
use sluice_object::status::{self, Health, Status};
use sluice_object::{Object, ObjectId, Value};

/// An object to wait for.
#[derive(Clone, Debug)]
pub struct WaitTarget {
    /// Which object.
    pub id: ObjectId,
    /// The API version without its group.
    pub version: String,
    /// Whether the object may vanish once it is done: a Job with `ttlSecondsAfterFinished`.
    pub expires: bool,
    pub(crate) seen: Option<Seen>,
    /// The labels of the set with which it was applied: many of one set are listed by them.
    pub(crate) selector: Option<Arc<str>>,
}

impl WaitTarget {
    /// Names an object of which nothing is known yet.
    pub fn new(id: ObjectId, version: impl Into<String>) -> Self {
        Self {
            id,
            version: version.into(),
            expires: false,
            seen: None,
            selector: None,
        }
    }

    /// Forgets what the apply saw of it, which is too old once something happened that may have
    /// changed it: a prune, or a wait for others. A wait reads it first then.
    pub fn forget(&mut self) {
        self.seen = None;
    }

    /// Whether it was Current when it was seen.
    pub(crate) fn was_current(&self) -> bool {
        let seen = self.seen.as_ref();
        seen.is_some_and(|seen| seen.health.status == Status::Current)
    }

    /// Names a desired object; `answer` is what the server last said of it.
    pub(crate) fn of(desired: &Object, answer: Option<Seen>) -> Self {
        Self {
            id: desired.id(),
            version: desired.version().to_owned(),
            expires: desired.is("batch", "Job")
                && desired
                    .at(&["spec", "ttlSecondsAfterFinished"])
                    .is_some_and(Value::is_number),
            seen: answer,
            selector: None,
        }
    }
}

/// What was once read of an object: its health, and nothing else that takes memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) version: Version,
    pub(crate) health: Health,
    /// Whether its controller has said nothing yet ([`status::awaits_first_status`]).
    pub(crate) silent: bool,
    /// The selector of its pods, where these have a say.
    pub(crate) pods: Option<Box<str>>,
}

impl Seen {
    /// Judges by an expression if there is one for the kind, else by the rules of status. Whoever
    /// wrote an expression knows what the controller says, and that it speaks.
    pub(crate) fn of(object: &Object, evaluator: Option<&HealthEvaluator>, now: Timestamp) -> Self {
        if let Some(evaluator) = evaluator {
            return Self {
                version: Version::of(object),
                health: evaluator.evaluate(object),
                silent: false,
                pods: None,
            };
        }
        let health = status::compute(object, now);
        let depends_on_pods = status::depends_on_pods(object.group(), object.kind())
            && health.status == Status::InProgress;
        Self {
            version: Version::of(object),
            health,
            silent: status::awaits_first_status(object),
            pods: depends_on_pods
                .then(|| status::pod_selector(object))
                .flatten()
                .map(String::into_boxed_str),
        }
    }

    pub(crate) fn gone(version: Version) -> Self {
        Self {
            version,
            health: Health::not_found(),
            silent: false,
            pods: None,
        }
    }

    pub(crate) fn unknown(error: impl Into<String>) -> Self {
        Self {
            version: Version::default(),
            health: Health::unknown(error),
            silent: false,
            pods: None,
        }
    }
}

/// A resource version, comparable within one kind. A text that is no number sorts first, so that
/// whatever comes later counts as newer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(pub(crate) u64);

impl Version {
    pub(crate) fn of(object: &Object) -> Self {
        object.resource_version().map_or(Self(0), Self::parse)
    }

    pub(crate) fn parse(text: &str) -> Self {
        Self(text.parse().unwrap_or_default())
    }
}
