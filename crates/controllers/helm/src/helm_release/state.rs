//! The state of a release: its last record compared with the history and the spec. Pure.
//!
//! Parity: `helm-controller: internal/reconcile/state.go`.

use std::time::Duration;

use jiff::Timestamp;
use sluice_helm::Status;

use super::draft::Draft;
use super::model::{Action, LastRecord, LoadedChart, State};
use super::strategy::{self, Remediation};
use super::{digest, history};

/// The record differs from the snapshot.
pub(super) const NOT_OBSERVED: &str = "release not observed to be made for object";
/// The digest of the snapshot is invalid.
pub(super) const DIGEST_ERROR: &str = "release digest verification error";

/// Compares the last record with the history and the spec. Drift is not part of it.
pub(super) fn determine(
    last: Option<&LastRecord>,
    draft: &Draft,
    loaded: &LoadedChart,
) -> Result<State, String> {
    let Some(last) = last else {
        return Ok(State::Absent("no release in storage for object".to_owned()));
    };
    let LastRecord {
        status, identity, ..
    } = last;
    if status.is_pending() {
        if let Some(since) = last.held_since
            && let Some(until) = held_until(since, draft)
        {
            let release = format!("release with status '{status}'");
            return Ok(State::Held(release, until));
        }
        return Ok(State::Locked(format!("release with status '{status}'")));
    }
    let uninstalled = || {
        Ok(State::Absent(
            "found uninstalled release in storage".to_owned(),
        ))
    };
    let Some(current) = history::latest(&draft.status.history) else {
        if *status == Status::UNINSTALLED {
            return uninstalled();
        }
        return Ok(State::Unmanaged(
            "found existing release in storage".to_owned(),
        ));
    };
    if let Err(why) = identity
        && last.unrecorded.is_none()
    {
        return Ok(State::Unmanaged((*why).to_owned()));
    }
    if *status == Status::FAILED {
        return Ok(State::Failed(String::new()));
    }
    if *status == Status::UNINSTALLED {
        return uninstalled();
    }
    if *status != Status::DEPLOYED {
        return Err(format!(
            "unable to determine state for release with status '{status}'"
        ));
    }
    if let Some(why) = changed(last, current, draft, loaded) {
        return Ok(State::OutOfSync(why.to_owned()));
    }
    let spec = draft.spec();
    if strategy::has_tests(spec) {
        if !history::has_been_tested(current) {
            return Ok(State::Untested);
        }
        let remediation = Remediation::active(spec, &draft.status);
        let counts = remediation.is_some_and(|remediation| !remediation.ignores_tests(spec));
        if counts && history::has_test_in_phase(current, "Failed") {
            let why = "release has test in failed phase";
            return Ok(State::Failed(why.to_owned()));
        }
    }
    Ok(State::InSync)
}

/// The time until which another client may perform an action that has begun at a time. A time in
/// the future is of a wrong clock, and says nothing.
fn held_until(since: Timestamp, draft: &Draft) -> Option<Timestamp> {
    let timeout = Action::Upgrade.timeout(draft.spec());
    let now = draft.condition_set.now();
    let age = Duration::try_from(now.duration_since(since)).ok()?;
    (age < timeout).then(|| since + timeout)
}

/// The reason why a release is outdated.
fn changed(
    last: &LastRecord,
    current: &sluice_api::helm::ReleaseSnapshot,
    draft: &Draft,
    loaded: &LoadedChart,
) -> Option<&'static str> {
    let metadata = &loaded.chart.metadata;
    if last.chart_name != metadata.name || last.chart_version != metadata.version {
        return Some("release chart changed");
    }
    if !digest::is_of_values(&current.config_digest, &loaded.values) {
        return Some("release config values changed");
    }
    let status = &draft.status;
    if status.observed_generation.unwrap_or_default() == draft.generation() {
        return None;
    }
    let (algorithm, spec) = (draft.algorithm(), draft.spec());
    if digest::of_post_renderers(algorithm, spec) != status.observed_post_renderers_digest {
        return Some("postrenderers digest has changed");
    }
    if digest::of_common_metadata(algorithm, spec) != status.observed_common_metadata_digest {
        return Some("common metadata digest has changed");
    }
    None
}

/// Why the release moves to another place, if its target has changed.
pub(super) fn changed_target(
    draft: &Draft,
    (storage_namespace, namespace, name): (&str, &str, &str),
    chart_name: &str,
) -> Option<&'static str> {
    let current = history::latest(&draft.status.history)?;
    let stored = draft.status.storage_namespace.as_deref();
    let stored = stored.filter(|namespace| !namespace.is_empty())?;
    if storage_namespace != stored {
        Some("storage namespace")
    } else if namespace != current.namespace {
        Some("release namespace")
    } else if name != current.name {
        Some("release name")
    } else if chart_name != current.chart_name && reinstalls_charts(draft) {
        Some("chart name")
    } else {
        None
    }
}

/// Whether a release of a chart with another name is replaced by a new installation.
fn reinstalls_charts(draft: &Draft) -> bool {
    use sluice_api::helm::ChartNameChangeStrategy;
    let upgrade = draft.spec().upgrade.as_ref();
    let strategy = upgrade.and_then(|upgrade| upgrade.chart_name_change_strategy.as_ref());
    strategy.is_none_or(|strategy| *strategy == ChartNameChangeStrategy::Reinstall)
}

/// Why the counts of failures are reset.
pub(super) fn resets_failures(draft: &mut Draft, loaded: &LoadedChart) -> Option<&'static str> {
    let is_requested = draft.takes_reset_request();
    let status = &draft.status;
    if status.last_attempted_generation.unwrap_or_default() != draft.generation() {
        return Some("generation differs from last attempt");
    }
    let revision = status.last_attempted_revision.as_deref();
    if revision.unwrap_or_default() != loaded.chart.metadata.version {
        return Some("chart version differs from last attempt");
    }
    let set = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let attempted = set(&status.last_attempted_config_digest)
        .or_else(|| set(&status.last_attempted_values_checksum).map(|sum| format!("sha1:{sum}")));
    if attempted.is_some_and(|attempted| !digest::is_of_values(&attempted, &loaded.values)) {
        return Some("values differ from last attempt");
    }
    is_requested.then_some("reset requested through annotation")
}
