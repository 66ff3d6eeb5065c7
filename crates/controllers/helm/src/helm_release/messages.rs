//! The reasons and messages of actions, which users search for. They are Flux's.

use std::collections::BTreeMap;

use jiff::Timestamp;
use sluice_api::helm::ReleaseSnapshot;

use super::history::{chart_name, release_name};

pub(super) const INSTALL_SUCCEEDED: &str = "InstallSucceeded";
pub(super) const INSTALL_FAILED: &str = "InstallFailed";
pub(super) const UPGRADE_SUCCEEDED: &str = "UpgradeSucceeded";
pub(super) const UPGRADE_FAILED: &str = "UpgradeFailed";
pub(super) const TEST_SUCCEEDED: &str = "TestSucceeded";
pub(super) const TEST_FAILED: &str = "TestFailed";
pub(super) const ROLLBACK_SUCCEEDED: &str = "RollbackSucceeded";
pub(super) const ROLLBACK_FAILED: &str = "RollbackFailed";
pub(super) const UNINSTALL_SUCCEEDED: &str = "UninstallSucceeded";
pub(super) const UNINSTALL_FAILED: &str = "UninstallFailed";
pub(super) const PENDING_RELEASE: &str = "PendingRelease";
pub(super) const HEALTH_RECOVERED: &str = "HealthRecovered";
pub(super) const AWAITING_TESTS: &str = "AwaitingTests";
pub(super) const ARTIFACT_FAILED: &str = "ArtifactFailed";
pub(super) const SOURCE_NOT_READY: &str = "SourceNotReady";
pub(super) const VALUES_ERROR: &str = "ValuesError";
pub(super) const CHART_MUTATE_ERROR: &str = "ChartMutateError";
pub(super) const REST_CLIENT_ERROR: &str = "RESTClientError";
pub(super) const STATE_ERROR: &str = "StateError";

/// A successful install or upgrade.
pub(super) fn succeeded(action: &str, snapshot: &ReleaseSnapshot) -> String {
    let (release, chart) = (release_name(snapshot), chart_name(snapshot));
    format!("Helm {action} succeeded for release {release} with chart {chart}")
}

/// A failed install or upgrade.
pub(super) fn failed(action: &str, release: &str, chart: &str, error: &str) -> String {
    format!("Helm {action} failed for release {release} with chart {chart}: {error}")
}

/// The error in the message of a failed install or upgrade.
pub(super) fn error_of_failed(message: &str) -> Option<&str> {
    let (_, chart) = message.split_once(" with chart ")?;
    chart.split_once(": ").map(|(_, error)| error)
}

/// A release whose tests have not run.
pub(super) fn awaiting_tests(snapshot: &ReleaseSnapshot) -> String {
    let (release, chart) = (release_name(snapshot), chart_name(snapshot));
    format!("Helm release {release} with chart {chart} is awaiting tests")
}

/// A failed release whose objects have become healthy.
pub(super) fn recovered(snapshot: &ReleaseSnapshot) -> String {
    let (release, chart) = (release_name(snapshot), chart_name(snapshot));
    format!(
        "Objects of Helm release {release} with chart {chart} have become healthy: retries begin \
         again"
    )
}

/// A record that another client may still work on.
pub(super) fn locked_record(why: &str, until: Timestamp) -> String {
    format!("{why} was not written for this object: it is unlocked at {until:.0}")
}

/// A test that has passed.
pub(super) fn test_succeeded(snapshot: &ReleaseSnapshot) -> String {
    let hooks = snapshot.test_hooks.as_ref().map_or(0, BTreeMap::len);
    let result = match hooks {
        0 => "no test hooks".to_owned(),
        1 => "1 test hook completed successfully".to_owned(),
        hooks => format!("{hooks} test hooks completed successfully"),
    };
    let (release, chart) = (release_name(snapshot), chart_name(snapshot));
    format!("Helm test succeeded for release {release} with chart {chart}: {result}")
}

/// The end of a roll-back to a snapshot.
pub(super) fn rolled_back(snapshot: &ReleaseSnapshot, error: Option<&str>) -> String {
    let (release, chart) = (release_name(snapshot), chart_name(snapshot));
    let end = end(error);
    format!("Helm rollback to previous release {release} with chart {chart} {end}")
}

/// The end of an uninstall that remediates a failure.
pub(super) fn remediated(snapshot: &ReleaseSnapshot, error: Option<&str>) -> String {
    let (release, chart) = (release_name(snapshot), chart_name(snapshot));
    let end = end(error);
    format!("Helm uninstall remediation for release {release} with chart {chart} {end}")
}

fn end(error: Option<&str>) -> String {
    match error {
        None => "succeeded".to_owned(),
        Some(error) => format!("failed: {error}"),
    }
}

/// The message of a failure, with the last lines that Helm has logged.
pub(super) fn with_log(message: String, log: &str) -> String {
    if log.is_empty() {
        return message;
    }
    format!("{message}\n\nLast Helm logs:\n\n{log}")
}
