//! The environment of a step: a cluster, a namespace, a time limit and a progress report.

use std::fmt;
use std::time::Duration;

use serde_json::Value;
use sluice_client::{Cluster, GroupVersionKind, List, PatchOptions};
use sluice_object::Object;

use crate::error::Error;

/// The field manager of changes, as Flux's command line names it.
pub const FIELD_MANAGER: &str = "flux";

/// The meaning of a progress line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A step starts.
    Action,
    /// A step waits.
    Waiting,
    /// A step succeeded.
    Success,
    /// A condition that the user should know.
    Warning,
    /// A part of a step failed while the rest goes on.
    Failure,
}

/// Receives the progress of steps.
pub trait Progress: fmt::Debug {
    /// Reports one line.
    fn report(&self, mark: Mark, text: &str);

    /// Reports the error of a part of a step while the rest goes on.
    fn report_error(&self, error: &Error);
}

/// Reports progress lines.
#[derive(Clone, Copy, Debug)]
pub struct Reporter<'s>(pub &'s dyn Progress);

impl Reporter<'_> {
    /// Reports that a step starts.
    pub fn action(self, text: impl AsRef<str>) {
        self.0.report(Mark::Action, text.as_ref());
    }

    /// Reports that a step waits.
    pub fn wait(self, text: impl AsRef<str>) {
        self.0.report(Mark::Waiting, text.as_ref());
    }

    /// Reports that a step succeeded.
    pub fn success(self, text: impl AsRef<str>) {
        self.0.report(Mark::Success, text.as_ref());
    }

    /// Reports a condition that the user should know.
    pub fn warning(self, text: impl AsRef<str>) {
        self.0.report(Mark::Warning, text.as_ref());
    }

    /// Reports an error with its details and hints.
    pub fn error(self, error: &Error) {
        self.0.report_error(error);
    }

    /// Reports that a part of a step failed.
    pub fn failure(self, text: impl AsRef<str>) {
        self.0.report(Mark::Failure, text.as_ref());
    }
}

/// A cluster with the namespace of Flux, a time limit and a progress report.
#[derive(Clone, Debug)]
pub struct Session<'s> {
    /// The cluster.
    pub cluster: &'s Cluster,
    /// The namespace of Flux.
    pub namespace: String,
    /// The time limit of the whole operation.
    pub timeout: Duration,
    /// The progress report.
    pub progress: Reporter<'s>,
}

impl Session<'_> {
    /// Creates a Secret in the namespace of Flux, or merges the patch into an existing one.
    pub async fn write_secret(
        &self,
        name: &str,
        new: &Value,
        patch: impl FnOnce() -> Value,
    ) -> Result<(), Error> {
        let gvk = GroupVersionKind::gvk("", "v1", "Secret");
        let namespace = Some(self.namespace.as_str());
        let options = PatchOptions {
            field_manager: Some(FIELD_MANAGER),
            ..PatchOptions::default()
        };
        let written = match self.cluster.create(&gvk, namespace, new, options).await {
            Err(error) if error.is_already_exists() => {
                let patch = patch();
                self.cluster
                    .merge(&gvk, namespace, name, &patch, options)
                    .await
            }
            created => created,
        };
        written.map(drop).map_err(Error::from)
    }
}

/// The objects of a list.
pub(crate) fn objects(list: List) -> Vec<Object> {
    list.items.into_iter().filter_map(object).collect()
}

/// The object of a JSON value.
pub(crate) fn object(value: Value) -> Option<Object> {
    match value {
        Value::Object(map) => Some(Object::from_map(map)),
        _ => None,
    }
}
