//! The effect of a step on the facts: when it begins, and by its report. Pure.
//!
//! Effects return plain reports. Only this file adds them to the facts and to the draft of the
//! status. The next plan and the final status thus see the same run.

use std::sync::Arc;

use jiff::Timestamp;
use sluice_api::artifact::Artifact;
use sluice_api::meta::condition::READY;
use sluice_api::meta::reason;
use sluice_api::source::HelmChart;
use sluice_chart::{Chart, Values};
use sluice_engine::{Notice, ObjectKey};
use sluice_golang::duration::GoDuration;
use sluice_release::digest_version;

use super::draft::{Draft, about};
use super::fault::{Fault, RetryTime};
use super::model::{
    Action, ActionReport, Assessment, ChartChange, Drift, Facts, LastRecord, LoadReport,
    LoadedChart, Removal, Report, State, Step, Verification,
};
use super::{chart_object, digest, drift, history, messages, next, results, spec, state};

/// Adds the begin of a step to the facts.
pub(super) fn begin(facts: &mut Facts, step: &Step, now: Timestamp) {
    facts.draft.condition_set.set_now(now);
    match step {
        // The dependencies and the source are ready.
        Step::Load(_) => facts.draft.clear_ready(&[
            reason::DEPENDENCY_NOT_READY,
            reason::ACCESS_DENIED,
            messages::ARTIFACT_FAILED,
            messages::SOURCE_NOT_READY,
        ]),
        Step::Determine if facts.performed.is_empty() => attempt(facts),
        Step::Determine => facts.reset = None,
        Step::Act(action) => {
            let retries_by_default = facts.policy.retries_by_default;
            let assessment = facts.assessment.as_ref();
            begin_action(&mut facts.draft, assessment, action, retries_by_default);
        }
        _ => {}
    }
}

/// Shows the begin of an action in a status.
pub(super) fn begin_action(
    draft: &mut Draft,
    assessment: Option<&Assessment>,
    action: &Action,
    retries_by_default: bool,
) {
    if let Some(assessment) = assessment {
        next::prepare(draft, assessment, retries_by_default);
    }
    results::begin(draft, action);
}

/// Records the attempt of a release.
fn attempt(facts: &mut Facts) {
    let Some(loaded) = &facts.loaded else {
        return;
    };
    let draft = &mut facts.draft;
    let namespace = spec::storage_namespace(draft.object()).to_owned();
    draft.status.storage_namespace = Some(namespace);
    facts.reset = state::resets_failures(draft, loaded);
    if facts.reset.is_some() {
        draft.clear_failures();
    }
    let (algorithm, generation) = (draft.algorithm(), draft.object().metadata.generation);
    let status = &mut draft.status;
    status.last_attempted_generation = generation;
    status.last_attempted_revision = Some(loaded.chart.metadata.version.clone());
    status
        .last_attempted_revision_digest
        .clone_from(&loaded.oci_digest);
    status.last_attempted_config_digest = Some(digest::of_values(algorithm, &loaded.values));
    status.last_attempted_values_checksum = None;
    status.last_release_revision = None;
}

/// Adds the report of a step to the facts. Fails if the run cannot go on.
pub(super) fn end(facts: &mut Facts, report: Report, now: Timestamp) -> Result<(), Fault> {
    facts.draft.condition_set.set_now(now);
    match report {
        Report::ChartDeleted { key, existed } => add_chart_deletion(facts, &key, existed),
        Report::ChartApplied { chart, change } => return add_chart_object(facts, &chart, change),
        Report::Observed(observation) => facts.observation = Some(observation),
        Report::Loaded(report) => return add_chart(facts, report),
        Report::Connected => {
            facts.draft.clear_ready(&[messages::REST_CLIENT_ERROR]);
            facts.is_connected = true;
        }
        Report::Removed(removal) => return add_removal(facts, removal),
        Report::Determined(last) => return add_record(facts, last.as_ref()),
        Report::Compared(found) => add_drift(facts, found),
        Report::Verified(verification) => add_verification(facts, verification),
        Report::HealthChecked(is_healthy) => add_health(facts, is_healthy),
        Report::Acted(action, report) => add_action(facts, &action, *report),
    }
    Ok(())
}

fn add_chart_deletion(facts: &mut Facts, key: &ObjectKey, existed: bool) {
    let draft = &mut facts.draft;
    if existed {
        let message = format!("deleted HelmChart '{key}'");
        let notice = Notice::trace("HelmChartDeleted", message);
        draft.notices.push(notice);
    }
    draft.status.helm_chart = None;
}

fn add_chart_object(
    facts: &mut Facts,
    chart: &HelmChart,
    change: Result<Option<ChartChange>, String>,
) -> Result<(), Fault> {
    let (name, draft) = (ObjectKey::of(chart), &mut facts.draft);
    let change = change.map_err(|error| {
        let message = format!("failed to run server-side apply: {error}");
        let notice = Notice::trace("HelmChartSyncErr", message.clone());
        draft.notices.push(notice);
        Fault::returned(message)
    })?;
    if let Some(change) = change {
        facts.written_chart = Some(name.clone());
        let source = chart_object::source_name(chart);
        let verb = match change {
            ChartChange::Created => "Created",
            ChartChange::Configured => "Configured",
        };
        let message = format!("{verb} HelmChart/{name} with SourceRef '{source}'");
        let notice = Notice::trace(format!("HelmChart{verb}"), message);
        draft.notices.push(notice);
    }
    draft.status.helm_chart = Some(name.to_string());
    facts.has_chart = true;
    Ok(())
}

fn add_chart(facts: &mut Facts, report: LoadReport) -> Result<(), Fault> {
    if !matches!(report, LoadReport::ValuesFailed(_)) {
        facts.draft.clear_ready(&[messages::VALUES_ERROR]);
    }
    match report {
        LoadReport::ValuesFailed(error) => {
            Err(Fault::retry(messages::VALUES_ERROR, error).with_event())
        }
        LoadReport::ArtifactMissing => Err(missing_artifact(facts)),
        LoadReport::ChartFailed(error) => {
            let message = format!("Could not load chart: {error}");
            let notice = Notice::error(messages::ARTIFACT_FAILED, error);
            Err(Fault::retry(messages::ARTIFACT_FAILED, message).with_notice(notice))
        }
        LoadReport::Loaded {
            artifact,
            chart,
            values,
        } => {
            facts.draft.clear_ready(&[messages::ARTIFACT_FAILED]);
            let loaded = loaded_chart(facts, &artifact, *chart, values)?;
            facts.loaded = Some(Arc::new(loaded));
            Ok(())
        }
    }
}

fn missing_artifact(facts: &Facts) -> Fault {
    let after = facts.policy.requeue_dependency;
    let message = format!(
        "Source not ready: artifact not found. Retrying in {}",
        GoDuration::from_std(after)
    );
    Fault::prerequisite(messages::ARTIFACT_FAILED, message, RetryTime::After(after))
}

/// A loaded chart, whose version may name the digest of its artifact.
fn loaded_chart(
    facts: &Facts,
    artifact: &Artifact,
    mut chart: Chart,
    values: Values,
) -> Result<LoadedChart, Fault> {
    let kind = &facts.spec.as_ref().map_err(Clone::clone)?.source.kind;
    let versioned = digest_version(kind, &artifact.revision, &chart.metadata.version);
    let versioned = versioned.map_err(|error| Fault::retry(messages::CHART_MUTATE_ERROR, error))?;
    let mut oci_digest = None;
    if let Some((digest, version)) = versioned {
        oci_digest = Some(digest);
        if facts.policy.tracks_digest {
            chart.metadata.version = version;
        }
    }
    Ok(LoadedChart {
        chart: Arc::new(chart),
        values,
        oci_digest,
    })
}

fn add_removal(facts: &mut Facts, removal: Removal) -> Result<(), Fault> {
    let draft = &mut facts.draft;
    match removal {
        Removal::Skipped => {}
        Removal::NoConnection(error) => {
            let message =
                format!("failed to build REST client getter to uninstall release: {error}");
            let reason = messages::UNINSTALL_FAILED;
            draft
                .condition_set
                .set_false(READY, reason, message.clone());
            return Err(Fault::returned(message));
        }
        Removal::Ended(report) => {
            if let Some(report) = report {
                results::uninstalled(draft, *report).map_err(Fault::returned)?;
                draft.log("uninstalled Helm release");
            }
            draft.clear_history();
            if draft.object().metadata.deletion_timestamp.is_none() {
                draft.clear_failures();
            }
            draft.status.storage_namespace = None;
        }
    }
    facts.is_uninstalled = true;
    Ok(())
}

fn add_record(facts: &mut Facts, last: Option<&LastRecord>) -> Result<(), Fault> {
    let Some(loaded) = &facts.loaded else {
        return Err(Fault::unknown_state("the chart is not loaded"));
    };
    if let Some(record) = last.and_then(|last| last.unrecorded.as_deref()) {
        let retries_by_default = facts.policy.retries_by_default;
        results::adopt(&mut facts.draft, record, loaded, retries_by_default);
    }
    let state = state::determine(last, &facts.draft, loaded);
    let state = state.map_err(|error| Fault::unknown_state(&error))?;
    if let Some(line) = describe(&state) {
        facts.draft.log(line);
    }
    let is_forced = facts.draft.takes_force_request();
    facts.assessment = Some(Assessment { state, is_forced });
    Ok(())
}

/// The line of the log about a state.
fn describe(state: &State) -> Option<String> {
    Some(match state {
        State::InSync => "release in-sync with desired state".to_owned(),
        State::Locked(why) | State::Held(why, _) => format!("release locked: {why}"),
        State::Absent(why) => format!("release not installed: {why}"),
        State::Unmanaged(why) => format!("release not managed by controller: {why}"),
        State::OutOfSync(why) => format!("release out-of-sync with desired state: {why}"),
        State::Failed(why) => format!("release is in a failed state: {why}"),
        State::Untested => "release has not been tested".to_owned(),
        State::Drifted(_) => return None,
    })
}

fn add_drift(facts: &mut Facts, found: Vec<Drift>) {
    if found.iter().any(Drift::is_change) {
        let changes = drift::brief(&found);
        let line = format!("detected changes in cluster state: {changes}");
        facts.draft.log(line);
        if let Some(assessment) = &mut facts.assessment {
            assessment.state = State::Drifted(found.clone());
        }
    }
    facts.drift = Some(found);
}

fn add_verification(facts: &mut Facts, verification: Verification) {
    if let Verification::Changed(why) = &verification {
        facts.draft.log(format!(
            "unable to verify previous release in storage to roll back to: {why}"
        ));
    }
    facts.verification = Some(verification);
}

/// Healthy objects reset the counts of failures.
fn add_health(facts: &mut Facts, is_healthy: bool) {
    facts.is_healthy = Some(is_healthy);
    if !is_healthy {
        return;
    }
    let draft = &mut facts.draft;
    draft.clear_failures();
    if let Some(current) = history::latest(&draft.status.history).cloned() {
        let message = messages::recovered(&current);
        let notice = Notice::info(messages::HEALTH_RECOVERED, message);
        draft.notices.push(about(&current, notice));
    }
}

fn add_action(facts: &mut Facts, action: &Action, report: ActionReport) {
    let Some(loaded) = &facts.loaded else {
        return;
    };
    let retries_by_default = facts.policy.retries_by_default;
    let superseded_by = report.superseded_by.clone();
    let draft = &mut facts.draft;
    let applied = results::apply(draft, action, report, loaded, retries_by_default);
    facts.halt = match superseded_by {
        Some(origin) => Some(superseded(&origin)),
        None => next::after_action(draft, action, applied.err(), retries_by_default),
    };
    facts.performed.push(action.kind());
    facts.assessment = None;
    facts.drift = None;
    facts.verification = None;
}

/// The run ends, because another one follows at once.
fn superseded(origin: &str) -> Fault {
    let reason = reason::HEALTH_CHECK_CANCELED;
    let message = format!("New reconciliation triggered by {origin}");
    let event = format!("Health checks canceled due to new reconciliation triggered by {origin}");
    Fault::prerequisite(reason, message, RetryTime::Now).with_notice(Notice::info(reason, event))
}
