//! Classifies the failures of steps: the reason, the retry and the event. Pure.

use std::time::Duration;

use sluice_api::meta::reason;
use sluice_apply::{ApplyFailure, ChangeSet, ChangeSetEntry, Inventory, PruneError};
use sluice_artifact::fetch;
use sluice_engine::{Failure, Retry};
use sluice_golang::error::chain;
use sluice_host::RemoteError;
use sluice_object::Object;
use sluice_render::RenderError;

use super::build::BuildError;
use super::fault::{FailureEvent, ReportedFailure};
use super::model::union;
use super::timing::text;

/// Start of the event of a cluster without a client. The condition leaves it out, as in Flux.
pub(super) const CONNECTION_FAILED: &str = "failed to build kube client: ";

/// Failure of a download. `after` is the requeue interval while the source has no artifact.
pub(super) fn fetch_failure(error: &fetch::Error, after: Duration) -> ReportedFailure {
    if matches!(error, fetch::Error::NotFound { .. }) {
        let interval = text(after);
        let message = format!("Source is not ready, artifact not found, retrying in {interval}");
        return ReportedFailure {
            failure: Failure::message(reason::ARTIFACT_FAILED, Retry::After(after), message),
            event: FailureEvent::None,
        };
    }
    ReportedFailure::retry(reason::ARTIFACT_FAILED, chain(error))
}

/// Failure of a cluster without a client.
pub(super) fn connection_failure(error: &RemoteError) -> ReportedFailure {
    let (reason, retry) = if error.is_denied() {
        (reason::ACCESS_DENIED, Retry::Stalled)
    } else {
        (reason::RECONCILIATION_FAILED, Retry::Backoff)
    };
    ReportedFailure {
        failure: Failure::new(reason, retry, error),
        event: FailureEvent::Prefixed(CONNECTION_FAILED),
    }
}

/// Whether the artifact lacks the directory. Its revision does not count as attempted then.
pub(super) const fn lacks_directory(error: &BuildError) -> bool {
    matches!(error, BuildError::Render(RenderError::Directory(_)))
}

/// Failure of a build.
pub(super) fn build_failure(error: &BuildError) -> ReportedFailure {
    let reason = match error {
        BuildError::Archive(_) | BuildError::Render(RenderError::Directory(_)) => {
            reason::ARTIFACT_FAILED
        }
        BuildError::Directory(_) => reason::DIRECTORY_CREATION_FAILED,
        BuildError::Render(_) => reason::BUILD_FAILED,
    };
    ReportedFailure::retry(reason, chain(error))
}

/// Failure of an apply, with the objects that it changed. As in Flux, each line ends with a line
/// feed.
pub(super) fn apply_failure(message: &str, changes: &ChangeSet) -> ReportedFailure {
    let mut message = format!("{message}\n");
    if changes.has_changes() {
        message.push_str(&lines(changes.changed()));
        message.push('\n');
    }
    ReportedFailure::retry(reason::RECONCILIATION_FAILED, message)
}

/// Failure of a deletion.
pub(super) fn prune_failure(error: &PruneError) -> ReportedFailure {
    ReportedFailure::retry(reason::PRUNE_FAILED, error.to_string())
}

/// The objects that the cluster may hold after a failed apply.
pub(super) fn after_failure(
    known: &Inventory,
    intended: &Inventory,
    failure: &ApplyFailure,
) -> Inventory {
    let settled = Inventory::of(&failure.changes);
    if failure.may_have_sent() {
        union([known, &settled, intended])
    } else {
        union([known, &settled])
    }
}

/// Rejects encrypted Secrets: applying one would replace a working Secret by ciphertext.
pub(super) fn refuse_encrypted(objects: &[Object]) -> Result<(), ReportedFailure> {
    let encrypted = |object: &&Object| {
        let fields = object.as_map();
        sluice_sops::is_encrypted_secret(fields) && !sluice_sops::is_decryption_disabled(fields)
    };
    match objects.iter().find(encrypted) {
        None => Ok(()),
        Some(object) => {
            let message = format!(
                "{} is SOPS encrypted, configuring decryption is required for this secret to be reconciled",
                object.id()
            );
            Err(ReportedFailure::retry(
                reason::RECONCILIATION_FAILED,
                message,
            ))
        }
    }
}

/// Formats one line per entry.
pub(super) fn lines<'a>(entries: impl IntoIterator<Item = &'a ChangeSetEntry>) -> String {
    let lines: Vec<String> = entries.into_iter().map(ToString::to_string).collect();
    lines.join("\n")
}
