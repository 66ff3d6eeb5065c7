//! The data of an explanation.

use serde::Serialize;

use crate::snapshot::Id;

/// The fault of an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub enum Fault {
    /// The object reports a failure.
    Failed {
        /// The reason of its condition.
        reason: String,
        /// The message of its condition.
        message: String,
    },
    /// An object that it names does not exist.
    Missing {
        /// The missing object.
        what: Id,
        /// How it is named.
        message: String,
    },
    /// Dependencies wait for each other.
    Circle {
        /// The objects of the cycle.
        through: Vec<Id>,
    },
    /// It is suspended.
    Suspended,
    /// No controller handles its shard.
    Unattended {
        /// The label of the shard.
        label: String,
    },
    /// Its controller watches only its own namespace.
    Unwatched {
        /// The controller.
        controller: String,
    },
    /// The controller does not run or is not installed.
    NoController,
    /// It was applied and is not healthy.
    Unhealthy,
    /// Its deletion waits for a finalizer.
    Deleting,
    /// A label or an annotation excludes it from Flux.
    Ignored {
        /// The label or annotation.
        marker: String,
    },
}

/// One row of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Detail {
    /// One word for the row, such as `reason`.
    pub label: &'static str,
    /// The text of the row.
    pub text: String,
}

/// The explanation of the state of an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    /// The object in question.
    #[serde(rename = "object")]
    pub asked: Id,
    /// The object at fault; `None` if nothing is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Id>,
    /// Whether nothing failed, but the object does not have the requested state yet.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub waits: bool,
    /// Its fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The report of the object and its revisions.
    pub details: Vec<Detail>,
    /// The path from the object in question to the object at fault.
    pub path: Vec<Step>,
    /// The blocked objects, those next to the object at fault first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<Id>,
    /// When it is retried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retries: Option<String>,
    /// Since when it fails.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub since: String,
    /// Commands that help.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<String>,
}

/// One object of the path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The object.
    pub object: Id,
    /// Its state.
    pub message: String,
}

/// A fault and the path to it.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) cause: Id,
    pub(crate) fault: Fault,
    pub(crate) path: Vec<Id>,
}
