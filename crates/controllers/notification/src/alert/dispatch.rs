//! Decides whether to deliver an event that matches an Alert.

use sluice_api::event::{Event, Severity, metadata};
use sluice_api::meta::annotation::EVENT_PREFIX;
use sluice_api::notification::{Alert, Provider};

use super::{CombinedEvent, combine};
use crate::event::group;
use crate::kind;
use crate::text::object_path;

/// Settings of the process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gates {
    /// Value of `--no-cross-namespace-refs`.
    pub no_cross_namespace_refs: bool,
    /// Whether `ObjectLevelWorkloadIdentity` is enabled.
    pub object_level_workload_identity: bool,
}

/// Decision about an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dispatch {
    /// Send the event.
    Send(Box<CombinedEvent>),
    /// Do not send the event, and do not report it.
    Skip(Skip),
    /// Report this Warning on the Alert.
    Refuse(String),
}

/// Reason to skip an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// The Provider is suspended.
    Suspended,
    /// The event is an update of a commit status, and the Provider sets none.
    OnlyForCommitStatus,
    /// The Provider sets a commit status, and the event names no commit.
    NoCommit,
    /// The Provider comments on pull requests, and the event names none.
    NoChangeRequest,
}

impl Skip {
    /// Returns the log message for the types that drop events by metadata.
    pub const fn message(self) -> Option<&'static str> {
        match self {
            Self::NoCommit => {
                Some("event dropped for commit status providers due to missing commit metadata key")
            }
            Self::NoChangeRequest => Some(
                "event dropped for change request providers due to missing change request metadata key",
            ),
            Self::Suspended | Self::OnlyForCommitStatus => None,
        }
    }
}

/// Decides about the delivery of an event. `provider` is the Provider in the Alert's namespace, or
/// its read error.
pub fn dispatch(
    event: &Event,
    alert: &Alert,
    provider: Result<&Provider, &str>,
    gates: Gates,
) -> Dispatch {
    let namespace = alert.metadata.namespace.as_deref().unwrap_or_default();
    if gates.no_cross_namespace_refs && event.involved_object.namespace != namespace {
        let name = alert.metadata.name.as_deref().unwrap_or_default();
        return Dispatch::Refuse(format!(
            "discarding event, access denied to cross-namespace sources: alert '{namespace}/{name}' \
             can't process event from '{}', cross-namespace references have been blocked",
            object_path(event)
        ));
    }
    let provider = match provider {
        Ok(provider) => provider,
        Err(error) => return Dispatch::Refuse(format!("failed to read provider: {error}")),
    };
    if provider.spec.suspend {
        return Dispatch::Skip(Skip::Suspended);
    }
    let type_ = &provider.spec.type_;
    let sets_status = kind::sets_commit_status(type_);
    let is_update = is_commit_status_update(event);
    if is_update && !sets_status && !kind::is_generic(type_) {
        return Dispatch::Skip(Skip::OnlyForCommitStatus);
    }
    // Failures are not marked as updates, but must reach the commit as well.
    let is_failure = event.severity == Severity::Error;
    if sets_status && !has(event, metadata::COMMIT) && !is_update && !is_failure {
        return Dispatch::Skip(Skip::NoCommit);
    }
    if kind::comments_on_changes(type_) && !has(event, metadata::CHANGE_REQUEST) {
        return Dispatch::Skip(Skip::NoChangeRequest);
    }
    if provider.spec.service_account_name.is_some() && !gates.object_level_workload_identity {
        return Dispatch::Refuse(
            "to use spec.serviceAccountName for provider authentication please enable the \
             ObjectLevelWorkloadIdentity feature gate in the controller"
                .to_owned(),
        );
    }
    Dispatch::Send(Box::new(combine(event, alert)))
}

/// Whether the object's controller requests a commit status update.
fn is_commit_status_update(event: &Event) -> bool {
    let group = group(&event.involved_object);
    let key = format!("{group}/{}", metadata::COMMIT_STATUS);
    event
        .metadata
        .get(&key)
        .is_some_and(|value| value == metadata::COMMIT_STATUS_UPDATE)
}

/// Whether an annotation of the object sets this key.
fn has(event: &Event, key: &str) -> bool {
    let value = event.metadata.get(&format!("{EVENT_PREFIX}{key}"));
    value.is_some_and(|value| !value.is_empty())
}
