//! The effect of a roll-back, an uninstall and an unlock on the status. Pure.

use sluice_api::helm::ReleaseSnapshot;
use sluice_api::helm::condition::{RELEASED, REMEDIATED};
use sluice_engine::Notice;

use super::super::draft::{Draft, about, with_metadata};
use super::super::model::{ActionError, ActionReport, LoadedChart};
use super::super::{digest, history, messages};
use super::snapshots::{latest_digest, mismatch, prepend, update};
use super::{ROLLBACK, fail, succeed};

/// An uninstall ended without a change of the record.
const NO_STORAGE_UPDATE: &str =
    "uninstall completed with error: release not updated in Helm storage";

pub(super) fn rolled_back(
    draft: &mut Draft,
    to: &ReleaseSnapshot,
    report: ActionReport,
    loaded: &LoadedChart,
) -> Result<(), String> {
    let before = latest_digest(draft);
    let new = update(draft, report.writes, Some(ROLLBACK), true);
    prepend(draft, new, Some(ROLLBACK));
    let error = report.error.map(|error| error.text().to_owned());
    let message = messages::rolled_back(to, error.as_deref());
    let token = digest::of_values(draft.algorithm(), &loaded.values);
    let about_target = |notice| {
        let (app, oci) = (to.app_version.as_deref(), to.oci_digest.as_deref());
        with_metadata(notice, &to.chart_version, &token, app, oci)
    };
    let Some(error) = error else {
        let reason = messages::ROLLBACK_SUCCEEDED;
        succeed(draft, REMEDIATED, reason, message, about_target);
        return Ok(());
    };
    let reason = messages::ROLLBACK_FAILED;
    fail(
        draft,
        REMEDIATED,
        reason,
        (message, &report.log),
        about_target,
    );
    if latest_digest(draft) == before {
        return Err(error);
    }
    Ok(())
}

pub(super) fn remediated(draft: &mut Draft, report: ActionReport) -> Result<(), String> {
    let Some(before) = history::latest(&draft.status.history).cloned() else {
        return Err("no latest release: required to uninstall".to_owned());
    };
    update(draft, report.writes, Some("uninstall-remediation"), true);
    let is_unchanged = latest_digest(draft).as_ref() == Some(&before.digest);
    let error = uninstall_error(&before, report.error.as_ref(), report.target.as_ref());
    let error = error.or_else(|| is_unchanged.then(|| NO_STORAGE_UPDATE.to_owned()));
    let current = history::latest(&draft.status.history).cloned();
    let current = current.unwrap_or_default();
    let message = messages::remediated(&current, error.as_deref());
    let Some(error) = error else {
        let reason = messages::UNINSTALL_SUCCEEDED;
        let about_current = |notice| about(&current, notice);
        succeed(draft, REMEDIATED, reason, message, about_current);
        return Ok(());
    };
    let reason = messages::UNINSTALL_FAILED;
    let about_current = |notice| about(&current, notice);
    fail(
        draft,
        REMEDIATED,
        reason,
        (message, &report.log),
        about_current,
    );
    if is_unchanged { Err(error) } else { Ok(()) }
}

/// The error of an uninstall, or that it met another release than the latest.
fn uninstall_error(
    latest: &ReleaseSnapshot,
    error: Option<&ActionError>,
    target: Option<&(String, String, i64)>,
) -> Option<String> {
    let other = mismatch(latest, target).map(|found| {
        let current = history::release_name(latest);
        format!("release mismatch: uninstalled release {found} != current release {current}")
    });
    other.or_else(|| error.map(|error| error.text().to_owned()))
}

/// The effect of an uninstall for a deletion or a move.
pub(in super::super) fn uninstalled(draft: &mut Draft, report: ActionReport) -> Result<(), String> {
    let Some(before) = history::latest(&draft.status.history).cloned() else {
        return Ok(());
    };
    update(draft, report.writes, Some("uninstall"), true);
    let is_unchanged = latest_digest(draft).as_ref() == Some(&before.digest);
    let keeps_history = draft.spec().uninstall.as_ref();
    let keeps_history = keeps_history.is_some_and(|uninstall| uninstall.keep_history);
    let release = history::release_name(&before);
    let reason = messages::UNINSTALL_SUCCEEDED;
    let absent = match &report.error {
        Some(ActionError::NotFound(_)) => Some(format!(
            "Release {release} was not found, assuming it is uninstalled"
        )),
        Some(error) if keeps_history && error.text().contains("is already deleted") => {
            Some(format!("Release {release} was already uninstalled"))
        }
        _ => None,
    };
    if let Some(message) = absent {
        draft.condition_set.set_false(RELEASED, reason, message);
        draft.summarize();
        return Ok(());
    }
    let lacks_update = is_unchanged && before.status != "uninstalled";
    let error = uninstall_error(&before, report.error.as_ref(), report.target.as_ref());
    let error = error.or_else(|| lacks_update.then(|| NO_STORAGE_UPDATE.to_owned()));
    let current = history::latest(&draft.status.history).cloned();
    let current = current.unwrap_or_default();
    let (release, chart) = (
        history::release_name(&current),
        history::chart_name(&current),
    );
    if let Some(error) = error {
        let message = messages::failed("uninstall", &release, &chart, &error);
        let reason = messages::UNINSTALL_FAILED;
        let about_current = |notice| about(&current, notice);
        fail(
            draft,
            RELEASED,
            reason,
            (message, &report.log),
            about_current,
        );
        draft.summarize();
        return Err(error);
    }
    draft.status.inventory = None;
    let message = messages::succeeded("uninstall", &current);
    draft
        .condition_set
        .set_false(RELEASED, reason, message.clone());
    draft
        .notices
        .push(about(&current, Notice::info(reason, message)));
    draft.summarize();
    Ok(())
}

pub(super) fn unlocked(draft: &mut Draft, report: ActionReport) -> Result<(), String> {
    update(draft, report.writes, None, false);
    let error = report.error.map(|error| error.text().to_owned());
    // Without a pending record there was nothing to unlock.
    let Some((status, snapshot)) = report.unlocked else {
        return error.map_or(Ok(()), Err);
    };
    let known = draft.status.history.iter();
    let mut known = known.filter(|known| history::targets(known, &snapshot));
    let snapshot = ReleaseSnapshot {
        oci_digest: known.next().and_then(|known| known.oci_digest.clone()),
        ..snapshot
    };
    let (release, chart) = (
        history::release_name(&snapshot),
        history::chart_name(&snapshot),
    );
    let reason = messages::PENDING_RELEASE;
    if let Some(error) = error {
        let message = format!(
            "Unlock of Helm release {release} with chart {chart} in {status} state failed: {error}"
        );
        let about_snapshot = |notice| about(&snapshot, notice);
        fail(draft, RELEASED, reason, (message, ""), about_snapshot);
        return Err(error);
    }
    let message = format!("Unlocked Helm release {release} with chart {chart} in {status} state");
    draft
        .condition_set
        .set_false(RELEASED, reason, message.clone());
    draft
        .notices
        .push(about(&snapshot, Notice::info(reason, message)));
    Ok(())
}
