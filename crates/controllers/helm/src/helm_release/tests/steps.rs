//! Tables of reports. Expectations are those of the reference:
//! `internal/controller/helmrelease_controller.go` and `internal/reconcile/{atomic_release,
//! helmchart_template}.go`.

use sluice_api::helm::HelmReleaseStatus;
use sluice_engine::{Audience, ObjectKey};

use super::*;
use crate::helm_release::model::{
    Change, ChartChange, Drift, LoadReport, Removal, Report, SourceState, Step,
};
use crate::helm_release::{chart_object, steps};

/// The facts of a connected run with a chart.
fn facts_with(spec: &Value, status: &Value) -> Facts {
    let mut facts = facts(&Arc::new(release(spec, status)));
    facts.loaded = Some(Arc::new(loaded()));
    facts.is_connected = true;
    facts
}

/// Adds a report. Returns the status, and the error.
fn add(facts: &mut Facts, report: Report) -> (HelmReleaseStatus, Option<Fault>) {
    let fault = steps::end(facts, report, Timestamp::UNIX_EPOCH).err();
    (facts.draft.status(), fault)
}

fn begin(facts: &mut Facts, step: &Step) {
    steps::begin(facts, step, Timestamp::UNIX_EPOCH);
}

/// `Status/Reason` of `Ready`.
fn ready(status: &HelmReleaseStatus) -> String {
    let ready = status.conditions.find("Ready");
    ready.map_or_else(String::new, |ready| {
        format!("{}/{}", ready.status, ready.reason)
    })
}

fn not_ready(reason: &str) -> Value {
    let ready = json!({"type": "Ready", "status": "False", "reason": reason, "message": "no",
        "lastTransitionTime": "2026-01-01T00:00:00Z"});
    json!({"conditions": [ready]})
}

/// The lines of the log.
fn log(facts: &Facts) -> Vec<&str> {
    let notices = facts.draft.notices.iter();
    let lines = notices.filter(|notice| notice.audience == Audience::Log);
    lines.map(|notice| &*notice.message).collect()
}

#[test]
fn applied_chart_object_is_recorded_and_reported() {
    let source = json!({"kind": "HelmRepository", "name": "charts"});
    let template = json!({"spec": {"chart": "web", "sourceRef": source}});
    let spec = json!({"chartRef": null, "chart": template});
    let source = "HelmRepository/apps/charts";
    for (change, expected) in [
        (
            Some(ChartChange::Created),
            vec![(
                "HelmChartCreated",
                format!("Created HelmChart/apps/apps-web with SourceRef '{source}'"),
            )],
        ),
        (
            Some(ChartChange::Configured),
            vec![(
                "HelmChartConfigured",
                format!("Configured HelmChart/apps/apps-web with SourceRef '{source}'"),
            )],
        ),
        (None, Vec::new()),
    ] {
        let mut facts = facts_with(&spec, &json!({}));
        let chart = Box::new(chart_object::of_template(facts.draft.object()).unwrap());
        let change = Ok(change);
        let (status, fault) = add(&mut facts, Report::ChartApplied { chart, change });
        assert_eq!(fault, None);
        assert!(facts.has_chart);
        assert_eq!(status.helm_chart.as_deref(), Some("apps/apps-web"));
        let expected = expected
            .into_iter()
            .map(|(reason, message)| Notice::trace(reason, message));
        assert_eq!(facts.draft.notices, expected.collect::<Vec<_>>());
    }
}

#[test]
fn refused_chart_object_is_reported_and_not_recorded() {
    let mut facts = facts_with(&json!({}), &json!({}));
    let chart = Box::default();
    let change = Err("no answer".to_owned());
    let (status, fault) = add(&mut facts, Report::ChartApplied { chart, change });
    let message = "failed to run server-side apply: no answer";
    assert_eq!(fault, Some(Fault::returned(message)));
    assert_eq!(status.helm_chart, None);
    let notice = Notice::trace("HelmChartSyncErr", message);
    assert_eq!(facts.draft.notices, [notice]);
}

#[test]
fn deleted_chart_object_leaves_the_status() {
    for (existed, events) in [(true, 1), (false, 0)] {
        let mut facts = facts_with(&json!({}), &json!({"helmChart": "apps/apps-web"}));
        let key = ObjectKey::new("apps", "apps-web");
        let (status, fault) = add(&mut facts, Report::ChartDeleted { key, existed });
        assert_eq!((status.helm_chart, fault), (None, None));
        assert_eq!(facts.draft.notices.len(), events);
    }
}

#[test]
fn failed_load_keeps_the_reason_of_its_stage() {
    let missing = "Source not ready: artifact not found. Retrying in 30s";
    let error = || "no answer".to_owned();
    for (report, before, ready_after, expected) in [
        (
            LoadReport::ValuesFailed(error()),
            "ValuesError",
            "False/ValuesError",
            ("ValuesError", "no answer"),
        ),
        (
            LoadReport::ArtifactMissing,
            "ValuesError",
            "Unknown/Progressing",
            ("ArtifactFailed", missing),
        ),
        (
            LoadReport::ChartFailed(error()),
            "ValuesError",
            "Unknown/Progressing",
            ("ArtifactFailed", "Could not load chart: no answer"),
        ),
    ] {
        let mut facts = facts_with(&json!({}), &not_ready(before));
        let (status, fault) = add(&mut facts, Report::Loaded(report));
        assert_eq!(ready(&status), ready_after);
        let fault = fault.unwrap();
        assert_eq!((&*fault.reason, &*fault.message), expected);
    }
}

#[test]
fn begun_load_clears_reasons_of_met_prerequisites() {
    for (reason, expected) in [
        ("DependencyNotReady", "Unknown/Progressing"),
        ("SourceNotReady", "Unknown/Progressing"),
        ("ArtifactFailed", "Unknown/Progressing"),
        ("UpgradeFailed", "False/UpgradeFailed"),
    ] {
        let mut facts = facts_with(&json!({}), &not_ready(reason));
        begin(&mut facts, &Step::Load(Box::default()));
        assert_eq!(ready(&facts.draft.status()), expected);
    }
}

#[test]
fn loaded_chart_names_the_digest_of_its_artifact() {
    let spec = json!({"chartRef": {"kind": "OCIRepository", "name": "chart"}});
    let digest = format!("sha256:{}", "ab".repeat(32));
    let artifact: sluice_api::artifact::Artifact = serde_json::from_value(json!({
        "path": "", "url": "", "revision": format!("1.0.0@{digest}"), "digest": digest,
        "lastUpdateTime": "2026-01-01T00:00:00Z",
    }))
    .unwrap();
    for (tracks_digest, expected) in [(true, "1.0.0+abababababab"), (false, "1.0.0")] {
        let mut facts = facts_with(&spec, &json!({}));
        Arc::make_mut(&mut facts.policy).tracks_digest = tracks_digest;
        let report = LoadReport::Loaded {
            artifact: Box::new(artifact.clone()),
            chart: Box::new(Chart::clone(&loaded().chart)),
            values: Values::new(),
        };
        let (_, fault) = add(&mut facts, Report::Loaded(report));
        assert_eq!(fault, None);
        let chart = facts.loaded.unwrap();
        assert_eq!(chart.chart.metadata.version, expected);
        assert_eq!(chart.oci_digest.as_deref(), Some(&*digest));
    }
}

#[test]
fn first_attempt_records_inputs_and_resets_failures() {
    let failures = json!({"failures": 2, "upgradeFailures": 2, "lastAttemptedGeneration": 1});
    let mut facts = facts_with(&json!({}), &failures);
    begin(&mut facts, &Step::Determine);
    let status = facts.draft.status();
    assert_eq!((status.failures, status.upgrade_failures), (0, 0));
    assert_eq!(facts.reset, Some("generation differs from last attempt"));
    assert_eq!(status.last_attempted_generation, Some(2));
    assert_eq!(status.last_attempted_revision.as_deref(), Some("1.0.0"));
    assert_eq!(status.storage_namespace.as_deref(), Some("apps"));
    // The attempt is recorded once in a run.
    let mut facts = facts_with(&json!({}), &failures);
    facts.performed.push(ActionType::Release);
    begin(&mut facts, &Step::Determine);
    assert_eq!(facts.draft.status().failures, 2);
}

#[test]
fn record_yields_the_state_of_the_release() {
    let mut facts = facts_with(&json!({}), &with_history(&[snapshot(1, "deployed")]));
    let last = Some(record(Status::DEPLOYED));
    let (_, fault) = add(&mut facts, Report::Determined(last));
    assert_eq!(fault, None);
    let assessment = facts.assessment.as_ref().unwrap();
    assert_eq!(assessment.state, State::InSync);
    assert_eq!(log(&facts), ["release in-sync with desired state"]);
    let unknown = Some(record(Status::UNKNOWN));
    let (_, fault) = add(&mut facts, Report::Determined(unknown));
    let message = "Could not determine release state: unable to determine state for release with \
        status 'unknown'";
    assert_eq!(fault, Some(Fault::retry("StateError", message)));
}

#[test]
fn drift_replaces_the_state_if_the_cluster_has_to_change() {
    let drift = |change: Change| {
        let desired = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}});
        let desired = desired.try_into().unwrap();
        Drift { desired, change }
    };
    for (change, expected) in [(Change::Create, "drifted"), (Change::Excluded, "in sync")] {
        let mut facts = facts_with(&json!({}), &json!({}));
        facts.assessment = Some(Assessment {
            state: State::InSync,
            is_forced: false,
        });
        add(&mut facts, Report::Compared(vec![drift(change)]));
        assert_eq!(name(&facts.assessment.unwrap().state), expected);
        assert_eq!(facts.drift.unwrap().len(), 1);
    }
}

#[test]
fn action_ends_what_was_known_of_the_release() {
    let mut facts = facts_with(&json!({}), &json!({}));
    facts.assessment = Some(Assessment {
        state: State::Absent(String::new()),
        is_forced: false,
    });
    facts.drift = Some(Vec::new());
    facts.verification = Some(Verification::Verified);
    begin(&mut facts, &Step::Act(Action::Install));
    let report = ActionReport {
        writes: vec![write(1, "deployed")],
        ..ActionReport::default()
    };
    let (status, fault) = add(&mut facts, Report::Acted(Action::Install, Box::new(report)));
    assert_eq!((fault, facts.halt.take()), (None, None));
    assert_eq!(ready(&status), "True/InstallSucceeded");
    assert_eq!(facts.performed, [ActionType::Release]);
    assert_eq!(facts.assessment, None);
    assert_eq!((facts.drift, facts.verification), (None, None));
}

#[test]
fn superseded_action_halts_the_run() {
    let mut facts = facts_with(&json!({}), &with_history(&[snapshot(1, "deployed")]));
    let report = ActionReport {
        superseded_by: Some("HelmRelease/apps/web".to_owned()),
        error: Some(ActionError::Failed("cancelled".to_owned())),
        ..ActionReport::default()
    };
    add(&mut facts, Report::Acted(Action::Upgrade, Box::new(report)));
    let fault = facts.halt.unwrap();
    assert_eq!(fault.next, RetryTime::Now);
    assert_eq!(fault.reason, "HealthCheckCanceled");
    assert_eq!(
        fault.message,
        "New reconciliation triggered by HelmRelease/apps/web"
    );
}

#[test]
fn removal_clears_history_but_only_a_move_clears_failures() {
    let status = || {
        let mut status = with_history(&[snapshot(1, "deployed")]);
        status["failures"] = json!(2);
        status["storageNamespace"] = json!("apps");
        status
    };
    for (is_deletion, failures) in [(true, 2), (false, 0)] {
        let mut object = release(&json!({}), &status());
        if is_deletion {
            let deleted_at = json!("2026-01-01T00:00:00Z");
            object.metadata.deletion_timestamp = Some(serde_json::from_value(deleted_at).unwrap());
        }
        let mut facts = facts(&Arc::new(object));
        let (status, fault) = add(&mut facts, Report::Removed(Removal::Ended(None)));
        assert_eq!(fault, None);
        assert!(facts.is_uninstalled && status.history.is_empty());
        assert_eq!(status.storage_namespace, None);
        assert_eq!(status.failures, failures);
    }
    let mut facts = facts_with(&json!({}), &status());
    let (kept, _) = add(&mut facts, Report::Removed(Removal::Skipped));
    assert!(facts.is_uninstalled);
    assert_eq!(kept.history.len(), 1);
    let mut facts = facts_with(&json!({}), &status());
    let no_connection = Removal::NoConnection("no answer".to_owned());
    let (kept, fault) = add(&mut facts, Report::Removed(no_connection));
    assert_eq!(ready(&kept), "False/UninstallFailed");
    let message = "failed to build REST client getter to uninstall release: no answer";
    assert_eq!(fault, Some(Fault::returned(message)));
    assert!(!facts.is_uninstalled);
}

#[test]
fn observation_and_connection_are_facts() {
    let mut facts = facts_with(&json!({}), &not_ready("RESTClientError"));
    facts.is_connected = false;
    let (status, _) = add(&mut facts, Report::Connected);
    assert!(facts.is_connected);
    assert_eq!(ready(&status), "Unknown/Progressing");
    let source = SourceState::NotReady("no artifact".to_owned());
    let observation = crate::helm_release::model::Observation {
        unmet: None,
        source,
    };
    add(&mut facts, Report::Observed(observation.clone()));
    assert_eq!(facts.observation, Some(observation));
}

/// `internal/reconcile/correct_cluster_drift_test.go`.
#[test]
fn correction_reports_its_changes_and_its_failures() {
    let correct = |corrections: &[&str], error: Option<&str>| {
        let mut facts = facts_with(&json!({}), &with_history(&[snapshot(1, "deployed")]));
        let report = ActionReport {
            corrections: corrections.iter().copied().map(str::to_owned).collect(),
            error: error.map(|error| ActionError::Failed(error.to_owned())),
            ..ActionReport::default()
        };
        let action = Action::Correct(Vec::new());
        add(&mut facts, Report::Acted(action, Box::new(report)));
        let mut notices = facts.draft.notices.drain(..);
        let notice = notices.next()?;
        Some(format!("{}: {}", notice.reason, notice.message))
    };
    let (created, failed) = (
        "ConfigMap/apps/a created",
        "Secret/apps/b patch failure: forbidden",
    );
    let release = "cluster state of release apps/web.v1";
    assert_eq!(
        correct(&[created], Some(failed)).unwrap(),
        format!(
            "DriftCorrectionFailed: Failed to partially correct {release}:\n{failed}\n\n\
             Successful corrections:\n{created}"
        )
    );
    assert_eq!(
        correct(&[], Some(failed)).unwrap(),
        format!("DriftCorrectionFailed: Failed to correct {release}:\n{failed}")
    );
    assert_eq!(
        correct(&[created], None).unwrap(),
        format!(
            "DriftCorrected: Cluster state of release apps/web.v1 has been corrected:\n{created}"
        )
    );
    assert_eq!(correct(&[], None), None);
}
