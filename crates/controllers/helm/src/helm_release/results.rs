//! The effect of an action's report on the status. Pure.
//!
//! Parity: `helm-controller: internal/reconcile/{install,upgrade,test,rollback_remediation,
//! uninstall,uninstall_remediation,unlock,correct_cluster_drift}.go`.

mod remediation;
mod snapshots;

use std::collections::BTreeMap;

use sluice_api::helm::condition::{RELEASED, REMEDIATED, TEST_SUCCESS};
use sluice_api::helm::{ReleaseAction, ReleaseSnapshot, TestFilter};
use sluice_api::meta::Duration;
use sluice_api::meta::condition::READY;
use sluice_api::meta::reason;
use sluice_engine::Notice;
use sluice_golang::duration::GoDuration;
use sluice_helm::Status;

use super::draft::{Draft, about, with_metadata};
use super::model::{Action, ActionError, ActionReport, LateRecord, LoadedChart, Write};
use super::strategy::{self, Remediation, has_tests};
use super::{digest, history, journal, messages, spec};
use remediation::{remediated, rolled_back, unlocked};
use snapshots::{mismatch, prepend, record, update};

pub(super) use remediation::uninstalled;

/// The action of a snapshot that a roll-back has written.
const ROLLBACK: &str = "rollback";

/// Shows the attempt of an action.
pub(super) fn begin(draft: &mut Draft, action: &Action) {
    let timeout = action.timeout(draft.spec());
    let (name, timeout) = (action.name(), GoDuration::from_std(timeout));
    let message = journal::message(name, timeout);
    draft.set_reconciling(reason::PROGRESSING, message.clone());
    let attempted = match action {
        Action::Install => ReleaseAction::Install,
        Action::Upgrade => ReleaseAction::Upgrade,
        _ => return,
    };
    draft
        .condition_set
        .set_unknown(READY, reason::PROGRESSING, message);
    if attempted == ReleaseAction::Install {
        // An install begins a new history, so that nothing older is rolled back to.
        draft.clear_history();
    }
    draft.status.last_attempted_release_action = Some(attempted);
    draft.condition_set.remove(TEST_SUCCESS);
    draft.condition_set.remove(REMEDIATED);
}

/// Applies the report of an action. Returns the error of an action that has not changed the record.
pub(super) fn apply(
    draft: &mut Draft,
    action: &Action,
    report: ActionReport,
    loaded: &LoadedChart,
    retries_by_default: bool,
) -> Result<(), String> {
    apply_inventory(draft, &report);
    let result = match action {
        Action::Install => released(
            draft,
            &ReleaseAction::Install,
            report,
            loaded,
            retries_by_default,
        ),
        Action::Upgrade => released(
            draft,
            &ReleaseAction::Upgrade,
            report,
            loaded,
            retries_by_default,
        ),
        Action::Test => tested(draft, report),
        Action::Rollback(to) => rolled_back(draft, to, report, loaded),
        // `Ready` keeps the reason of the failed action, as in the reference.
        Action::Uninstall => return remediated(draft, report),
        Action::Unlock => unlocked(draft, report),
        Action::Correct(_) => {
            corrected(draft, &report);
            return Ok(());
        }
    };
    draft.summarize();
    result
}

fn apply_inventory(draft: &mut Draft, report: &ActionReport) {
    match &report.inventory {
        None => {}
        Some(Ok((inventory, warnings))) => {
            if !warnings.is_empty() {
                let notice = Notice::error("NamespaceCheckSkipped", warnings.join("; "));
                draft.notices.push(notice);
            }
            draft.status.inventory = Some(inventory.clone());
        }
        Some(Err(message)) => {
            draft
                .notices
                .push(Notice::error("InventoryBuildFailed", message.clone()));
        }
    }
}

fn released(
    draft: &mut Draft,
    action: &ReleaseAction,
    report: ActionReport,
    loaded: &LoadedChart,
    retries_by_default: bool,
) -> Result<(), String> {
    draft.status.last_attempted_release_action_duration = Some(Duration::from(report.elapsed));
    let has_written = !report.writes.is_empty();
    record(draft, action, report.writes);
    let (succeeded, failed) = match action {
        ReleaseAction::Install => (messages::INSTALL_SUCCEEDED, messages::INSTALL_FAILED),
        _ => (messages::UPGRADE_SUCCEEDED, messages::UPGRADE_FAILED),
    };
    if let Some(error) = report.error {
        let metadata = &loaded.chart.metadata;
        let object = draft.object();
        let release = format!(
            "{}/{}",
            spec::release_namespace(object),
            spec::release_name(object)
        );
        let chart = format!("{}@{}", metadata.name, metadata.version);
        let message = messages::failed(action.as_str(), &release, &chart, error.text());
        let token = digest::of_values(draft.algorithm(), &loaded.values);
        let attempted = draft.status.last_attempted_revision_digest.clone();
        let about_chart = |notice| {
            let (app, oci) = (Some(&*metadata.app_version), attempted.as_deref());
            with_metadata(notice, &metadata.version, &token, app, oci)
        };
        fail(draft, RELEASED, failed, (message, &report.log), about_chart);
        if !has_written {
            return Err(error.text().to_owned());
        }
        // The end of the process says nothing about the release.
        if !report.is_stopped {
            let remediation = match action {
                ReleaseAction::Install => Remediation::of_install(draft.spec()),
                _ => Remediation::of_upgrade(draft.spec()),
            };
            remediation.count(&mut draft.status);
        }
        return Ok(());
    }
    let Some(current) = history::latest(&draft.status.history).cloned() else {
        return Err("no latest release".to_owned());
    };
    let message = messages::succeeded(action.as_str(), &current);
    draft
        .condition_set
        .set_true(RELEASED, succeeded, message.clone());
    if has_tests(draft.spec()) && !history::has_been_tested(&current) {
        let message = messages::awaiting_tests(&current);
        draft
            .condition_set
            .set_unknown(TEST_SUCCESS, messages::AWAITING_TESTS, message);
    }
    if strategy::retry_of(action, draft.spec(), retries_by_default).is_some() {
        draft.clear_failures();
    }
    draft
        .notices
        .push(about(&current, Notice::info(succeeded, message)));
    Ok(())
}

/// Applies the record of a killed run. Its success or failure counts if the object was not edited
/// since; all else only joins the history.
pub(super) fn adopt(
    draft: &mut Draft,
    late: &LateRecord,
    loaded: &LoadedChart,
    retries_by_default: bool,
) {
    let release = history::release_name(&late.record);
    let (action, record_status) = (&*late.action, &*late.record.status);
    draft.log(format!(
        "found release {release} with status '{record_status}' of an interrupted {action}"
    ));
    let is_success = late.is_current && record_status == Status::DEPLOYED.as_str();
    let failure = late.failure.clone().filter(|_| late.is_current);
    let written = std::iter::once(&late.record).chain(&late.superseded);
    let report = ActionReport {
        writes: written
            .map(|snapshot| Write {
                snapshot: snapshot.clone(),
                tests: BTreeMap::new(),
            })
            .collect(),
        inventory: late.inventory.clone(),
        is_stopped: failure.as_deref().is_some_and(journal::is_stop),
        error: failure.map(ActionError::Failed),
        ..ActionReport::default()
    };
    let has_result = is_success || report.error.is_some();
    let released_by = match action {
        "install" => Some(ReleaseAction::Install),
        "upgrade" => Some(ReleaseAction::Upgrade),
        _ => None,
    };
    apply_inventory(draft, &report);
    let target = journal::target(&draft.status.history, &late.record).cloned();
    let applied = match (released_by, target) {
        (Some(action), _) if has_result => {
            released(draft, &action, report, loaded, retries_by_default)
        }
        (Some(action), _) => {
            record(draft, &action, report.writes);
            Ok(())
        }
        (None, Some(target)) if has_result && action == ROLLBACK => {
            rolled_back(draft, &target, report, loaded)
        }
        (None, _) => {
            let action = (action == ROLLBACK).then_some(action);
            let new = update(draft, report.writes, action, true);
            prepend(draft, new, action);
            Ok(())
        }
    };
    if let Err(error) = applied {
        draft.log(error);
    }
}

fn tested(draft: &mut Draft, report: ActionReport) -> Result<(), String> {
    let Some(current) = history::latest(&draft.status.history).cloned() else {
        return Err("no latest release: required for test".to_owned());
    };
    let is_stopped = report.is_stopped;
    let filters = draft.spec().test.as_ref();
    let filters = filters.map(|test| test.filters.clone()).unwrap_or_default();
    for write in report.writes {
        if !history::targets(&current, &write.snapshot) {
            continue;
        }
        let mut tests = write.tests;
        tests.retain(|name, _| is_selected(name, &filters));
        let mut known = draft.status.history.iter_mut();
        if let Some(known) = known.find(|known| history::targets(known, &write.snapshot)) {
            *known = ReleaseSnapshot {
                action: known.action.clone(),
                test_hooks: Some(tests),
                ..write.snapshot
            };
        }
    }
    let mut error = report.error.map(|error| error.text().to_owned());
    if let Some(tested) = mismatch(&current, report.target.as_ref()) {
        let current = history::release_name(&current);
        error = Some(format!(
            "release mismatch: tested release {tested} != current release {current}"
        ));
    }
    let current = history::latest(&draft.status.history).cloned();
    let current = current.unwrap_or_default();
    let Some(error) = error else {
        let message = messages::test_succeeded(&current);
        let reason = messages::TEST_SUCCEEDED;
        let about_current = |notice| about(&current, notice);
        succeed(draft, TEST_SUCCESS, reason, message, about_current);
        return Ok(());
    };
    let (release, chart) = (
        history::release_name(&current),
        history::chart_name(&current),
    );
    let message = messages::failed("test", &release, &chart, &error);
    let reason = messages::TEST_FAILED;
    let about_current = |notice| about(&current, notice);
    fail(draft, TEST_SUCCESS, reason, (message, ""), about_current);
    if !history::has_been_tested(&current) {
        return Err(error);
    }
    if let Some(remediation) = Remediation::active(draft.spec(), &draft.status)
        && !remediation.ignores_tests(draft.spec())
        && !is_stopped
    {
        remediation.count(&mut draft.status);
    }
    Ok(())
}

fn is_selected(name: &str, filters: &[TestFilter]) -> bool {
    let named = |filter: &&TestFilter| filter.name == name;
    if filters
        .iter()
        .filter(|own| own.exclude)
        .any(|own| named(&own))
    {
        return false;
    }
    let mut includes = filters.iter().filter(|own| !own.exclude).peekable();
    includes.peek().is_none() || includes.any(|own| named(&own))
}

/// Sets a condition to true and reports it. `about` adds the release to the event.
fn succeed(
    draft: &mut Draft,
    condition: &'static str,
    reason: &'static str,
    message: String,
    about: impl FnOnce(Notice) -> Notice,
) {
    draft
        .condition_set
        .set_true(condition, reason, message.clone());
    draft.notices.push(about(Notice::info(reason, message)));
}

/// Counts a failure, sets a condition to false and reports it with the log of the action. `about`
/// adds the release to the event.
fn fail(
    draft: &mut Draft,
    condition: &'static str,
    reason: &'static str,
    (message, log): (String, &str),
    about: impl FnOnce(Notice) -> Notice,
) {
    draft.status.failures += 1;
    draft
        .condition_set
        .set_false(condition, reason, message.clone());
    let message = messages::with_log(message, log);
    draft.notices.push(about(Notice::error(reason, message)));
}

fn corrected(draft: &mut Draft, report: &ActionReport) {
    let message = "correcting cluster drift";
    draft
        .condition_set
        .set_unknown(READY, reason::PROGRESSING, message);
    let current = history::latest(&draft.status.history).cloned();
    let current = current.unwrap_or_default();
    let release = history::release_name(&current);
    let corrections = report.corrections.join("\n");
    let has_corrections = !report.corrections.is_empty();
    let notice = match &report.error {
        Some(error) => {
            let partially = if has_corrections { "partially " } else { "" };
            let mut message = format!(
                "Failed to {partially}correct cluster state of release {release}:\n{}",
                error.text()
            );
            if has_corrections {
                message = format!("{message}\n\nSuccessful corrections:\n{corrections}");
            }
            Notice::error("DriftCorrectionFailed", message)
        }
        None if has_corrections => Notice::info(
            "DriftCorrected",
            format!("Cluster state of release {release} has been corrected:\n{corrections}"),
        ),
        None => return,
    };
    draft.notices.push(about(&current, notice));
}
