//! Tables of decisions: state, next action, end of a run. Expectations are those of the reference:
//! `internal/reconcile/{state,atomic_release}_test.go`.
//! One file, because its tables share the objects at its beginning.

mod conclude;
mod lockdown;
mod model;
mod options;
mod plan;
mod steps;
mod waits;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::helm::{HelmRelease, ReleaseSnapshot};
use sluice_chart::{Chart, Values};
use sluice_digest::Algorithm;
use sluice_engine::Notice;
use sluice_helm::Status;

use super::digest;
use super::draft::Draft;
use super::fault::{Fault, RetryTime};
use super::model::{
    Action, ActionError, ActionReport, ActionType, Assessment, Facts, LastRecord, LateRecord,
    LoadedChart, State, Verification, Write,
};
use super::next::{self, NextAction};
use super::policy::Policy;
use super::{results, state};

/// A release with a chart reference.
fn release(spec: &Value, status: &Value) -> HelmRelease {
    let mut full = json!({"interval": "1h", "chartRef": {"kind": "HelmChart", "name": "chart"}});
    full.as_object_mut()
        .unwrap()
        .extend(spec.as_object().unwrap().clone());
    serde_json::from_value(json!({
        "apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
        "metadata": {"name": "web", "namespace": "apps", "generation": 2},
        "spec": full, "status": status,
    }))
    .unwrap()
}

#[expect(clippy::needless_pass_by_value, reason = "cases are made in place")]
fn draft(spec: Value, status: Value) -> Draft {
    let object = Arc::new(release(&spec, &status));
    Draft::begin(&object, Algorithm::Sha256, Timestamp::UNIX_EPOCH)
}

/// The defaults of the controller.
fn policy() -> Arc<Policy> {
    Arc::new(Policy {
        default_service_account: None,
        no_cross_namespace: false,
        external_artifacts: false,
        additive_expressions: false,
        retries_by_default: false,
        tracks_digest: true,
        helm3_defaults: false,
        allows_dns: false,
        cancels_waits: false,
        requeue_dependency: Duration::from_secs(30),
        algorithm: Algorithm::Sha256,
        overridden_managers: Vec::new(),
    })
}

/// The facts of a new run.
fn facts(object: &Arc<HelmRelease>) -> Facts {
    Facts::begin(object, &policy(), Timestamp::UNIX_EPOCH)
}

fn loaded() -> LoadedChart {
    let mut chart = Chart::default();
    chart.metadata.name = "web".to_owned();
    chart.metadata.version = "1.0.0".to_owned();
    LoadedChart {
        chart: Arc::new(chart),
        values: Values::new(),
        oci_digest: None,
    }
}

fn snapshot(version: i32, status: &str) -> Value {
    json!({"name": "web", "namespace": "apps", "version": version, "status": status,
        "chartName": "web", "chartVersion": "1.0.0", "digest": format!("sha256:{version}"),
        "configDigest": digest::of_values(Algorithm::Sha256, &Values::new()),
        "firstDeployed": "2026-01-01T00:00:00Z", "lastDeployed": "2026-01-01T00:00:00Z"})
}

fn with_history(history: &[Value]) -> Value {
    json!({"history": history, "observedGeneration": 2})
}

fn record(status: Status) -> LastRecord {
    LastRecord {
        status,
        unrecorded: None,
        held_since: None,
        identity: Ok(()),
        chart_name: "web".to_owned(),
        chart_version: "1.0.0".to_owned(),
    }
}

/// The name of a state.
fn name(state: &State) -> &'static str {
    match state {
        State::Absent(_) => "absent",
        State::Locked(_) => "locked",
        State::Held(..) => "held",
        State::Unmanaged(_) => "unmanaged",
        State::Failed(_) => "failed",
        State::OutOfSync(_) => "out of sync",
        State::Untested => "untested",
        State::Drifted(_) => "drifted",
        State::InSync => "in sync",
    }
}

#[test]
fn state_follows_record_history_and_spec() {
    let deployed = || with_history(&[snapshot(1, "deployed")]);
    let tested = |phase: &str| {
        let mut snapshot = snapshot(1, "deployed");
        snapshot["testHooks"] = json!({"test": {"phase": phase}});
        json!({"history": [snapshot], "observedGeneration": 2, "lastAttemptedReleaseAction": "upgrade"})
    };
    let mut other_chart = record(Status::DEPLOYED);
    other_chart.chart_version = "0.9.0".to_owned();
    let mut changed = record(Status::DEPLOYED);
    changed.identity = Err(state::NOT_OBSERVED);
    let mut old_values = snapshot(1, "deployed");
    old_values["configDigest"] = json!("sha256:1");
    let old_values = with_history(&[old_values]);
    let with_tests = || json!({"test": {"enable": true}});
    let metadata = || json!({"commonMetadata": {"labels": {"a": "b"}}});
    let mut new_generation = deployed();
    new_generation["observedGeneration"] = json!(1);
    let ok = || Some(record(Status::DEPLOYED));
    let cases = [
        (None, json!({}), deployed(), "absent"),
        (
            Some(record(Status::UNINSTALLED)),
            json!({}),
            with_history(&[]),
            "absent",
        ),
        (
            Some(record(Status::UNINSTALLED)),
            json!({}),
            deployed(),
            "absent",
        ),
        (
            Some(record(Status::PENDING_INSTALL)),
            json!({}),
            deployed(),
            "locked",
        ),
        (
            Some(record(Status::PENDING_UPGRADE)),
            json!({}),
            with_history(&[]),
            "locked",
        ),
        (
            Some(record(Status::PENDING_ROLLBACK)),
            json!({}),
            deployed(),
            "locked",
        ),
        (ok(), json!({}), with_history(&[]), "unmanaged"),
        (Some(changed), json!({}), deployed(), "unmanaged"),
        (
            Some(record(Status::FAILED)),
            json!({}),
            deployed(),
            "failed",
        ),
        (Some(other_chart), json!({}), deployed(), "out of sync"),
        (ok(), json!({}), old_values, "out of sync"),
        (ok(), metadata(), deployed(), "in sync"),
        (ok(), metadata(), new_generation, "out of sync"),
        (ok(), with_tests(), deployed(), "untested"),
        (ok(), with_tests(), tested("Succeeded"), "in sync"),
        (ok(), with_tests(), tested("Failed"), "failed"),
        (
            ok(),
            json!({"test": {"enable": true, "ignoreFailures": true}}),
            tested("Failed"),
            "in sync",
        ),
        (ok(), json!({}), deployed(), "in sync"),
    ];
    for (last, spec, status, expected) in cases {
        let shown = format!("{last:?} {spec} {status}");
        let draft = draft(spec, status);
        let found = state::determine(last.as_ref(), &draft, &loaded()).unwrap();
        assert_eq!(name(&found), expected, "{shown}");
    }
    let draft = draft(json!({}), deployed());
    let unknown = record(Status::UNKNOWN);
    let error = state::determine(Some(&unknown), &draft, &loaded()).unwrap_err();
    assert_eq!(
        error,
        "unable to determine state for release with status 'unknown'"
    );
}

/// The word for a next move.
fn shown(next: &NextAction) -> String {
    match next {
        NextAction::Done => "done".to_owned(),
        NextAction::Act(action) => action.name().to_owned(),
        NextAction::Verify(_) => "verify".to_owned(),
        NextAction::Stop(fault) => match &fault.stalled {
            Some(stalled) => format!("stalled: {}", stalled.0),
            None if fault.is_pause() => format!("{:?}", fault.next),
            None => format!("error: {}", fault.message),
        },
    }
}

#[expect(clippy::needless_pass_by_value, reason = "cases are made in place")]
fn decide(
    state: State,
    spec: &Value,
    status: &Value,
    verification: Option<Verification>,
    is_forced: bool,
) -> String {
    let draft = draft(spec.clone(), status.clone());
    let assessment = Assessment { state, is_forced };
    let next = next::action(&draft, &assessment, verification.as_ref(), false);
    shown(&next)
}

#[test]
#[expect(clippy::too_many_lines, reason = "one table")]
fn action_follows_state_strategy_and_failures() {
    let none = json!({});
    let text = String::new;
    let rollback = |retries: i32, last: bool| json!({"upgrade": {"remediation": {"retries": retries, "remediateLastFailure": last}}});
    let failed = |action: &str, failures: i64| {
        let mut status = with_history(&[snapshot(2, "failed"), snapshot(1, "superseded")]);
        status["lastAttemptedReleaseAction"] = json!(action);
        status["installFailures"] = json!(failures);
        status["upgradeFailures"] = json!(failures);
        status
    };
    let alone = |failures: i64| {
        let mut status = failed("upgrade", failures);
        status["history"] = json!([snapshot(2, "failed")]);
        status
    };
    let install = |retries: i32| json!({"install": {"remediation": {"retries": retries}}});
    let uninstall = json!({"upgrade": {"remediation": {"retries": 1, "strategy": "uninstall"}}});
    let retry = json!({"upgrade": {"strategy": {"name": "RetryOnFailure"}}});
    let exceeded = "stalled: RetriesExceeded";
    let cases = [
        (State::InSync, &none, none.clone(), false, "done"),
        (State::InSync, &none, none.clone(), true, "upgrade"),
        (State::Locked(text()), &none, none.clone(), false, "unlock"),
        (State::Absent(text()), &none, none.clone(), false, "install"),
        (
            State::Absent(text()),
            &none,
            failed("install", 1),
            false,
            exceeded,
        ),
        (
            State::Absent(text()),
            &none,
            failed("install", 1),
            true,
            "install",
        ),
        (
            State::Absent(text()),
            &install(1),
            failed("install", 1),
            false,
            "install",
        ),
        (
            State::Absent(text()),
            &install(-1),
            failed("install", 9),
            false,
            "install",
        ),
        (
            State::Unmanaged(text()),
            &none,
            none.clone(),
            false,
            "upgrade",
        ),
        (
            State::OutOfSync(text()),
            &none,
            none.clone(),
            false,
            "upgrade",
        ),
        (
            State::OutOfSync(text()),
            &none,
            failed("upgrade", 1),
            false,
            exceeded,
        ),
        (
            State::OutOfSync(text()),
            &none,
            failed("upgrade", 1),
            true,
            "upgrade",
        ),
        (State::Untested, &none, none.clone(), false, "test"),
        (
            State::Drifted(Vec::new()),
            &none,
            none.clone(),
            false,
            "done",
        ),
        (State::Failed(text()), &none, none.clone(), false, "upgrade"),
        (
            State::Failed(text()),
            &none,
            failed("upgrade", 0),
            false,
            "upgrade",
        ),
        (
            State::Failed(text()),
            &none,
            failed("upgrade", 1),
            false,
            exceeded,
        ),
        (
            State::Failed(text()),
            &none,
            failed("upgrade", 1),
            true,
            "upgrade",
        ),
        (
            State::Failed(text()),
            &retry,
            failed("upgrade", 5),
            false,
            "upgrade",
        ),
        (
            State::Failed(text()),
            &rollback(1, true),
            failed("upgrade", 1),
            false,
            "verify",
        ),
        (
            State::Failed(text()),
            &rollback(0, true),
            failed("upgrade", 1),
            false,
            "verify",
        ),
        (
            State::Failed(text()),
            &rollback(1, false),
            failed("upgrade", 2),
            false,
            exceeded,
        ),
        (
            State::Failed(text()),
            &rollback(1, true),
            alone(1),
            false,
            "stalled: MissingRollbackTarget",
        ),
        (
            State::Failed(text()),
            &uninstall,
            failed("upgrade", 1),
            false,
            "uninstall",
        ),
        (
            State::Failed(text()),
            &install(1),
            failed("install", 1),
            false,
            "uninstall",
        ),
    ];
    for (state, spec, status, is_forced, expected) in cases {
        let case = format!("{state:?} {spec} {status} {is_forced}");
        assert_eq!(
            decide(state, spec, &status, None, is_forced),
            expected,
            "{case}"
        );
    }
    for (verification, expected) in [
        (Verification::Verified, "rollback"),
        (
            Verification::Changed("release disappeared from storage"),
            "upgrade",
        ),
        (
            Verification::Failed("no answer".to_owned()),
            "error: cannot verify previous release to roll back to: no answer",
        ),
    ] {
        let (spec, status) = (rollback(1, true), failed("upgrade", 1));
        let found = decide(
            State::Failed(text()),
            &spec,
            &status,
            Some(verification),
            false,
        );
        assert_eq!(found, expected);
    }
}

#[test]
fn run_performs_each_type_of_action_once() {
    let next = |spec: Value, status: Value| {
        let draft = draft(spec, status);
        let state = State::OutOfSync(String::new());
        let assessment = Assessment {
            state,
            is_forced: false,
        };
        shown(&next::next(
            &draft,
            &assessment,
            None,
            &[ActionType::Release],
            false,
        ))
    };
    let upgraded = |failures: i64| json!({"lastAttemptedReleaseAction": "upgrade", "upgradeFailures": failures});
    assert_eq!(next(json!({}), upgraded(0)), "Now");
    let many = json!({"upgrade": {"remediation": {"retries": 3}}});
    assert_eq!(next(many, upgraded(2)), "Now");
    let retry = json!({"upgrade": {"strategy": {"name": "RetryOnFailure", "retryInterval": "7s"}}});
    assert_eq!(next(retry, upgraded(0)), "Interval(7s)");
}

#[test]
fn run_ends_after_remediation() {
    let after = |spec: Value, failures: i64| {
        let status = json!({"lastAttemptedReleaseAction": "upgrade", "upgradeFailures": failures});
        let mut draft = draft(spec, status);
        let fault = next::after_action(&mut draft, &Action::Uninstall, None, false);
        let fault = fault.unwrap();
        (fault.next, fault.stalled.map(|stalled| stalled.1))
    };
    let retries =
        |strategy: &str| json!({"upgrade": {"remediation": {"retries": 1, "strategy": strategy}}});
    assert_eq!(after(retries("rollback"), 1), (RetryTime::Now, None));
    let stalled = "Failed to upgrade after 2 attempt(s)".to_owned();
    assert_eq!(
        after(retries("rollback"), 2),
        (RetryTime::Edit, Some(stalled))
    );
    // The next run is a first installation, and has its own retries.
    assert_eq!(after(retries("uninstall"), 2), (RetryTime::Now, None));
    let retry = json!({"upgrade": {"strategy": {"name": "RetryOnFailure"}}});
    let five_minutes = RetryTime::Interval(Duration::from_mins(5));
    assert_eq!(after(retry, 2), (five_minutes, None));
}

#[test]
fn error_of_a_retried_action_is_logged() {
    let retry = json!({"upgrade": {"strategy": {"name": "RetryOnFailure"}}});
    let mut draft = draft(retry, json!({"lastAttemptedReleaseAction": "upgrade"}));
    let error = Some("no answer".to_owned());
    let fault = next::after_action(&mut draft, &Action::Upgrade, error, false).unwrap();
    assert_eq!(fault.next, RetryTime::Interval(Duration::from_mins(5)));
    let message = "failed to run 'upgrade' action: no answer";
    let expected = Notice::error("ReconcileError", message).only_log();
    assert_eq!(draft.notices, [expected]);
}

fn write(version: i32, status: &str) -> Write {
    Write {
        snapshot: serde_json::from_value::<ReleaseSnapshot>(snapshot(version, status)).unwrap(),
        tests: std::collections::BTreeMap::default(),
    }
}

#[test]
fn only_stored_failures_count_for_remediation() {
    let fail = |writes: Vec<Write>| {
        let mut draft = draft(json!({}), with_history(&[snapshot(1, "deployed")]));
        let report = ActionReport {
            writes,
            error: Some(ActionError::Failed("no answer\n".to_owned())),
            ..ActionReport::default()
        };
        results::begin(&mut draft, &Action::Upgrade);
        let result = results::apply(&mut draft, &Action::Upgrade, report, &loaded(), false);
        let status = draft.status();
        (result, status.failures, status.upgrade_failures, status)
    };
    let (result, failures, counted, _) = fail(Vec::new());
    assert_eq!(
        (result, failures, counted),
        (Err("no answer".to_owned()), 1, 0)
    );
    let (result, failures, counted, status) = fail(vec![write(1, "deployed"), write(2, "failed")]);
    assert_eq!((result, failures, counted), (Ok(()), 1, 1));
    let ready = status.conditions.find("Ready").unwrap();
    assert_eq!(ready.reason, "UpgradeFailed");
    assert_eq!(
        ready.message,
        "Helm upgrade failed for release apps/web with chart web@1.0.0: no answer"
    );
    let versions: Vec<i32> = status.history.iter().map(|one| one.version).collect();
    assert_eq!(versions, [2, 1]);
    assert_eq!(status.history[0].action.as_deref(), Some("upgrade"));
}

#[test]
fn stopped_action_counts_no_failure() {
    let status = with_history(&[snapshot(1, "deployed")]);
    let mut draft = draft(json!({}), status);
    let report = ActionReport {
        writes: vec![write(2, "failed")],
        error: Some(ActionError::Failed("context canceled".to_owned())),
        is_stopped: true,
        ..ActionReport::default()
    };
    results::begin(&mut draft, &Action::Upgrade);
    let result = results::apply(&mut draft, &Action::Upgrade, report, &loaded(), false);
    let status = draft.status();
    assert_eq!(result, Ok(()));
    assert_eq!((status.failures, status.upgrade_failures), (1, 0));
    assert!(status.conditions.is_false("Released"));
}

/// A run that was killed after its record and before its status.
#[test]
fn failure_of_a_killed_run_counts() {
    let adopt = |action: &str, failure: &str, is_current: bool| {
        let status = with_history(&[snapshot(2, "deployed"), snapshot(1, "superseded")]);
        let mut draft = draft(json!({}), status);
        let late = LateRecord {
            action: action.to_owned(),
            record: serde_json::from_value(snapshot(3, "failed")).unwrap(),
            superseded: None,
            inventory: None,
            failure: Some(failure.to_owned()),
            is_current,
        };
        results::adopt(&mut draft, &late, &loaded(), false);
        draft.status()
    };
    let status = adopt("upgrade", "no answer", true);
    assert_eq!((status.failures, status.upgrade_failures), (1, 1));
    let released = status.conditions.find("Released").unwrap();
    assert_eq!(
        (&*released.reason, released.is_false()),
        ("UpgradeFailed", true)
    );
    assert_eq!(
        released.message,
        "Helm upgrade failed for release apps/web with chart web@1.0.0: no answer"
    );
    assert_eq!(status.history[0].version, 3);
    let status = adopt("rollback", "no answer", true);
    assert_eq!((status.failures, status.upgrade_failures), (1, 0));
    assert_eq!(
        status.conditions.find("Remediated").unwrap().reason,
        "RollbackFailed"
    );
    // The process stopped, or the object was edited since.
    let status = adopt("upgrade", "context canceled", true);
    assert_eq!((status.failures, status.upgrade_failures), (1, 0));
    let status = adopt("upgrade", "no answer", false);
    assert_eq!((status.failures, status.upgrade_failures), (0, 0));
    assert_eq!(status.history[0].version, 3);
}

#[test]
fn remediated_release_is_never_ready() {
    let mut draft = draft(json!({}), json!({}));
    draft
        .condition_set
        .set_true("Released", "UpgradeSucceeded", "released");
    draft.summarize();
    assert!(draft.is_true("Ready"));
    draft
        .condition_set
        .set_true("Remediated", "RollbackSucceeded", "rolled back");
    draft.summarize();
    assert!(!draft.is_true("Ready"));
    assert_eq!(draft.ready_message(), "rolled back");
}

#[test]
fn sync_repairs_conditions_that_were_not_recorded() {
    let mut draft = draft(json!({}), with_history(&[snapshot(1, "deployed")]));
    draft
        .condition_set
        .set_false("Released", "InstallFailed", "failed");
    draft.summarize();
    next::settle(&mut draft, &State::InSync, false);
    assert!(draft.is_true("Ready"));
    assert_eq!(
        draft.ready_message(),
        "Helm install succeeded for release apps/web.v1 with chart web@1.0.0"
    );
}

#[test]
fn moved_target_is_named() {
    let mut status = with_history(&[snapshot(1, "deployed")]);
    status["storageNamespace"] = json!("apps");
    let of = |target: (&str, &str, &str), chart: &str, spec: Value| {
        state::changed_target(&draft(spec, status.clone()), target, chart)
    };
    let none = || json!({});
    assert_eq!(of(("apps", "apps", "web"), "web", none()), None);
    assert_eq!(
        of(("other", "apps", "web"), "web", none()),
        Some("storage namespace")
    );
    assert_eq!(
        of(("apps", "other", "web"), "web", none()),
        Some("release namespace")
    );
    assert_eq!(
        of(("apps", "apps", "other"), "web", none()),
        Some("release name")
    );
    assert_eq!(
        of(("apps", "apps", "web"), "other", none()),
        Some("chart name")
    );
    let in_place = json!({"upgrade": {"chartNameChangeStrategy": "InPlaceUpdate"}});
    assert_eq!(of(("apps", "apps", "web"), "other", in_place), None);
}
