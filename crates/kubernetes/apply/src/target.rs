//! Objects to wait for, with their observed state.

use std::sync::Arc;

use jiff::Timestamp;
use sluice_object::status::{self, Health, Status};
use sluice_object::{Object, ObjectId, Value};

use crate::health::HealthEvaluator;

/// An object to wait for.
#[derive(Clone, Debug)]
pub struct WaitTarget {
    /// The object.
    pub id: ObjectId,
    /// The API version without its group.
    pub version: String,
    /// Whether the object is removed after completion: a Job with `ttlSecondsAfterFinished`.
    pub expires: bool,
    pub(crate) state: Option<ObservedState>,
    /// The label selector of its set, which allows to list many objects.
    pub(crate) selector: Option<Arc<str>>,
}

impl WaitTarget {
    /// Creates a target without an observed state.
    pub fn new(id: ObjectId, version: impl Into<String>) -> Self {
        Self {
            id,
            version: version.into(),
            expires: false,
            state: None,
            selector: None,
        }
    }

    /// Discards the observed state after an event that may have changed the object. Examples are a
    /// prune and a wait. The next wait reads the object first.
    pub fn discard_state(&mut self) {
        self.state = None;
    }

    /// Whether the object was Current when it was observed.
    pub(crate) fn was_current(&self) -> bool {
        let state = self.state.as_ref();
        state.is_some_and(|state| state.health.status == Status::Current)
    }

    /// Creates the target of a desired object with the state from the server's answer.
    pub(crate) fn of(desired: &Object, answer: Option<ObservedState>) -> Self {
        Self {
            id: desired.id(),
            version: desired.version().to_owned(),
            expires: desired.is("batch", "Job")
                && desired
                    .at(&["spec", "ttlSecondsAfterFinished"])
                    .is_some_and(Value::is_number),
            state: answer,
            selector: None,
        }
    }
}

/// The observed state of an object, without the object itself to save memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ObservedState {
    pub(crate) version: Version,
    pub(crate) health: Health,
    /// See [`status::awaits_first_status`].
    pub(crate) lacks_status: bool,
    /// See [`status::only_deletion_matters`].
    pub(crate) is_settled: bool,
    /// The selector of its pods, when the health depends on them.
    pub(crate) pods: Option<Box<str>>,
}

impl ObservedState {
    /// Computes the state by the expressions of the kind, or else by the rules of status. A kind
    /// with expressions does not wait for a first status.
    pub(crate) fn of(object: &Object, evaluator: Option<&HealthEvaluator>, now: Timestamp) -> Self {
        if let Some(evaluator) = evaluator {
            return Self {
                version: Version::of(object),
                health: evaluator.evaluate(object),
                lacks_status: false,
                is_settled: false,
                pods: None,
            };
        }
        let health = status::compute(object, now);
        let depends_on_pods = status::depends_on_pods(object.group(), object.kind())
            && health.status == Status::InProgress;
        Self {
            version: Version::of(object),
            health,
            lacks_status: status::awaits_first_status(object),
            is_settled: status::only_deletion_matters(object),
            pods: depends_on_pods
                .then(|| status::pod_selector(object))
                .flatten()
                .map(String::into_boxed_str),
        }
    }

    pub(crate) fn absent(version: Version) -> Self {
        Self {
            version,
            health: Health::not_found(),
            lacks_status: false,
            is_settled: false,
            pods: None,
        }
    }

    pub(crate) fn unknown(error: impl Into<String>) -> Self {
        Self {
            version: Version::default(),
            health: Health::unknown(error),
            lacks_status: false,
            is_settled: false,
            pods: None,
        }
    }
}

/// A resource version, comparable within a kind. A text that is not a number sorts first, so that
/// any later version counts as newer.
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
