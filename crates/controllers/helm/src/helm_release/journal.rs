//! The action that a status names as running. Pure.
//!
//! A status names each action before it begins. A killed process does not write the result, so the
//! next run finds a record that the history lacks. Such a record is added to the history.

use sluice_api::helm::{HelmReleaseStatus, ReleaseSnapshot};
use sluice_api::meta::condition::RECONCILING;
use sluice_api::meta::{Conditions, reason};
use sluice_golang::quote::quote;
use sluice_helm::Status;
use sluice_helm::cluster::ClusterError;

use super::history;

/// The message of a status while an action runs.
pub(super) fn message(action: &str, timeout: impl std::fmt::Display) -> String {
    format!("Running '{action}' action with timeout of {timeout}")
}

/// The action that ran when the conditions were written.
pub(super) fn running(conditions: &Conditions) -> Option<&str> {
    let condition = conditions.find(RECONCILING)?;
    if condition.reason != reason::PROGRESSING {
        return None;
    }
    let rest = condition.message.strip_prefix("Running '")?;
    rest.split_once('\'').map(|(action, _)| action)
}

/// The action that has written a record without a result in the status. `is_unlocked` says whether
/// the record is pending or was pending.
pub(super) fn writer<'s>(
    status: &'s HelmReleaseStatus,
    record: &ReleaseSnapshot,
    is_unlocked: bool,
) -> Option<&'s str> {
    let action = running(&status.conditions)?;
    let latest = history::latest(&status.history).map_or(0, |latest| latest.version);
    let (is_latest, is_next) = (record.version == latest, record.version == latest + 1);
    let is_attempted = status.last_attempted_revision.as_ref() == Some(&record.chart_version)
        && status.last_attempted_config_digest.as_ref() == Some(&record.config_digest);
    let wrote = match action {
        // An install follows any record, and begins a new history.
        "install" => is_attempted,
        "upgrade" => is_attempted && is_next,
        "rollback" => is_next && target(&status.history, record).is_some(),
        "unlock" => is_unlocked && (is_latest || is_next),
        "test" => is_latest,
        _ => false,
    };
    wrote.then_some(action)
}

/// The error of an action, by the description of the record that it has marked as failed.
pub(super) fn failure(action: &str, name: &str, description: &str) -> Option<String> {
    let subjects: &[&str] = match action {
        "install" => &["Release"],
        "upgrade" => &["Upgrade"],
        "rollback" => &["Rollback", "Release"],
        _ => return None,
    };
    let name = quote(name);
    let mut errors = subjects.iter().filter_map(|subject| {
        let rest = description.strip_prefix(*subject)?.strip_prefix(' ')?;
        rest.strip_prefix(&*name)?.strip_prefix(" failed: ")
    });
    errors.next().map(str::to_owned)
}

/// Whether an action failed because the process stopped.
pub(super) fn is_stop(error: &str) -> bool {
    error.ends_with(&ClusterError::Cancelled.to_string())
}

/// Whether the history has a record of this version or a newer one. Another client writes newer
/// records.
pub(super) fn has_record(history: &[ReleaseSnapshot], version: i64) -> bool {
    history
        .iter()
        .any(|known| i64::from(known.version) >= version)
}

/// The snapshot that a rollback has repeated.
pub(super) fn target<'h>(
    history: &'h [ReleaseSnapshot],
    record: &ReleaseSnapshot,
) -> Option<&'h ReleaseSnapshot> {
    let older = history
        .iter()
        .filter(|known| known.version < record.version);
    let same = older.filter(|known| {
        (&known.chart_version, &known.config_digest)
            == (&record.chart_version, &record.config_digest)
    });
    same.max_by_key(|known| known.version)
}

/// The deployed snapshot that a running action replaces by a newer record.
pub(super) fn replaced(status: &HelmReleaseStatus, newer: i64) -> Option<&ReleaseSnapshot> {
    running(&status.conditions)?;
    let deployed = |known: &&ReleaseSnapshot| {
        known.status == Status::DEPLOYED.as_str() && i64::from(known.version) < newer
    };
    status.history.iter().find(deployed)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn description_has_the_error_of_the_action() {
        for (action, description, expected) in [
            (
                "install",
                "Release \"web\" failed: no answer",
                Some("no answer"),
            ),
            (
                "upgrade",
                "Upgrade \"web\" failed: no answer",
                Some("no answer"),
            ),
            ("rollback", "Rollback \"web\" failed: no", Some("no")),
            ("rollback", "Release \"web\" failed: no", Some("no")),
            ("install", "Release \"other\" failed: no", None),
            ("upgrade", "Upgrade complete", None),
            (
                "upgrade",
                "Release unlocked from stale 'pending-upgrade' state",
                None,
            ),
            ("test", "Release \"web\" failed: no", None),
        ] {
            let found = failure(action, "web", description);
            assert_eq!(found.as_deref(), expected, "{action}: {description}");
        }
        assert!(is_stop("pre-upgrade hooks failed: context canceled"));
        assert!(!is_stop("context deadline exceeded"));
    }

    #[test]
    fn record_is_of_the_action_that_ran() {
        let status = |action: &str, latest: i32| -> HelmReleaseStatus {
            let history = (latest > 0).then(|| {
                json!({"name": "web", "namespace": "apps", "version": latest, "status": "deployed",
                    "digest": "", "chartName": "web", "chartVersion": "1.0.0", "configDigest": "a",
                    "firstDeployed": "2026-01-01T00:00:00Z",
                    "lastDeployed": "2026-01-01T00:00:00Z"})
            });
            let history: Vec<_> = history.into_iter().collect();
            serde_json::from_value(json!({"history": history,
                "lastAttemptedRevision": "2.0.0", "lastAttemptedConfigDigest": "b",
                "conditions": [{"type": "Reconciling", "status": "True", "reason": "Progressing",
                    "message": message(action, "5m0s"),
                    "lastTransitionTime": "2026-01-01T00:00:00Z"}]}))
            .unwrap()
        };
        let record = |version: i32, chart: &str, config: &str| ReleaseSnapshot {
            version,
            chart_version: chart.to_owned(),
            config_digest: config.to_owned(),
            ..ReleaseSnapshot::default()
        };
        for (status, record, expected) in [
            (
                status("install", 0),
                record(4, "2.0.0", "b"),
                Some("install"),
            ),
            (status("install", 0), record(1, "2.0.0", "c"), None),
            (
                status("upgrade", 1),
                record(2, "2.0.0", "b"),
                Some("upgrade"),
            ),
            (status("upgrade", 1), record(2, "1.9.0", "b"), None),
            (status("upgrade", 1), record(3, "2.0.0", "b"), None),
            (
                status("rollback", 2),
                record(3, "1.0.0", "a"),
                Some("rollback"),
            ),
            (status("rollback", 2), record(3, "1.5.0", "a"), None),
            (status("unlock", 2), record(3, "2.0.0", "b"), Some("unlock")),
            (status("test", 1), record(1, "1.0.0", "a"), Some("test")),
            (status("test", 1), record(2, "1.0.0", "a"), None),
            (
                status("correct cluster drift", 1),
                record(2, "2.0.0", "b"),
                None,
            ),
            (HelmReleaseStatus::default(), record(1, "2.0.0", "b"), None),
        ] {
            let found = writer(&status, &record, true);
            assert_eq!(found, expected, "{status:?} {record:?}");
            let is_unlock = expected == Some("unlock");
            let other = expected.filter(|_| !is_unlock);
            assert_eq!(writer(&status, &record, false), other);
        }
    }
}
