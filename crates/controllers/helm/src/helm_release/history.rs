//! The snapshots of a release in `status.history`. Pure.
//!
//! Parity: `helm-controller: api/v2/snapshot_types.go`.

use sluice_api::helm::ReleaseSnapshot;

/// The most snapshots without a deployed one among them.
const MAX_SNAPSHOTS: usize = 5;
/// The version of the digests of snapshots.
pub(super) const API_VERSION: &str = "v2";

/// The newest snapshot.
pub(super) fn latest(history: &[ReleaseSnapshot]) -> Option<&ReleaseSnapshot> {
    history.iter().max_by_key(|snapshot| snapshot.version)
}

/// The newest snapshot before the latest one that was deployed. Those with failed tests only count
/// if failed tests are ignored.
pub(super) fn previous(
    history: &[ReleaseSnapshot],
    ignores_tests: bool,
) -> Option<&ReleaseSnapshot> {
    let mut sorted: Vec<&ReleaseSnapshot> = history.iter().collect();
    sorted.sort_by_key(|snapshot| -snapshot.version);
    let mut older = sorted.into_iter().skip(1);
    older.find(|snapshot| was_deployed(snapshot, ignores_tests))
}

fn was_deployed(snapshot: &ReleaseSnapshot, ignores_tests: bool) -> bool {
    matches!(&*snapshot.status, "deployed" | "superseded")
        && (ignores_tests || !has_test_in_phase(snapshot, "Failed"))
}

/// Removes the snapshots before the previous deployed one.
pub(super) fn truncate(history: &mut Vec<ReleaseSnapshot>, ignores_tests: bool) {
    if history.len() < 2 {
        return;
    }
    sort(history);
    let mut older = history.iter().skip(1);
    let previous = older.position(|snapshot| was_deployed(snapshot, ignores_tests));
    history.truncate(previous.map_or(MAX_SNAPSHOTS, |position| position + 2));
}

/// Removes all but the newest snapshots.
pub(super) fn truncate_to_newest(history: &mut Vec<ReleaseSnapshot>) {
    sort(history);
    history.truncate(MAX_SNAPSHOTS);
}

fn sort(history: &mut [ReleaseSnapshot]) {
    history.sort_by_key(|snapshot| -snapshot.version);
}

/// Whether a snapshot is of a revision.
pub(super) fn targets(snapshot: &ReleaseSnapshot, other: &ReleaseSnapshot) -> bool {
    (&snapshot.name, &snapshot.namespace, snapshot.version)
        == (&other.name, &other.namespace, other.version)
}

/// The release of a snapshot: `apps/web.v1`.
pub(super) fn release_name(snapshot: &ReleaseSnapshot) -> String {
    format!(
        "{}/{}.v{}",
        snapshot.namespace, snapshot.name, snapshot.version
    )
}

/// The chart of a snapshot: `web@1.0.0`.
pub(super) fn chart_name(snapshot: &ReleaseSnapshot) -> String {
    format!("{}@{}", snapshot.chart_name, snapshot.chart_version)
}

/// Whether the tests of a snapshot have run. A chart without tests counts as tested.
pub(super) fn has_been_tested(snapshot: &ReleaseSnapshot) -> bool {
    let Some(hooks) = &snapshot.test_hooks else {
        return false;
    };
    let mut phases = hooks.values().map(|hook| hook.phase.as_deref());
    has_test_in_phase(snapshot, "Failed") || phases.all(|phase| phase == Some("Succeeded"))
}

/// Whether a test of a snapshot has a phase.
pub(super) fn has_test_in_phase(snapshot: &ReleaseSnapshot, phase: &str) -> bool {
    let hooks = snapshot.test_hooks.iter().flat_map(|hooks| hooks.values());
    hooks
        .into_iter()
        .any(|hook| hook.phase.as_deref() == Some(phase))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use sluice_api::helm::TestHookStatus;

    use super::*;

    fn snapshot(version: i32, status: &str) -> ReleaseSnapshot {
        ReleaseSnapshot {
            version,
            status: status.to_owned(),
            ..ReleaseSnapshot::default()
        }
    }

    fn tested(version: i32, status: &str, phases: &[&str]) -> ReleaseSnapshot {
        let hooks = phases.iter().enumerate().map(|(index, phase)| {
            let hook = TestHookStatus {
                phase: Some((*phase).to_owned()),
                ..TestHookStatus::default()
            };
            (index.to_string(), hook)
        });
        ReleaseSnapshot {
            test_hooks: Some(hooks.collect::<BTreeMap<_, _>>()),
            ..snapshot(version, status)
        }
    }

    fn versions(history: &[ReleaseSnapshot]) -> Vec<i32> {
        history.iter().map(|snapshot| snapshot.version).collect()
    }

    /// Cases of `TestSnapshots_Previous`.
    #[test]
    fn previous_was_deployed_and_passed_its_tests() {
        let history = [
            snapshot(2, "deployed"),
            snapshot(3, "failed"),
            snapshot(1, "superseded"),
        ];
        assert_eq!(previous(&history, false).unwrap().version, 2);
        assert!(previous(&history[..1], false).is_none());
        let history = [
            tested(1, "superseded", &["Succeeded"]),
            tested(2, "superseded", &["Failed"]),
            snapshot(3, "deployed"),
        ];
        assert_eq!(previous(&history, false).unwrap().version, 1);
        assert_eq!(previous(&history, true).unwrap().version, 2);
    }

    /// Cases of `TestSnapshots_Truncate`.
    #[test]
    fn truncation_ends_at_previous_deployed_snapshot() {
        let mut history = vec![
            snapshot(1, "superseded"),
            snapshot(3, "failed"),
            snapshot(2, "superseded"),
            snapshot(4, "deployed"),
        ];
        truncate(&mut history, false);
        assert_eq!(versions(&history), [4, 3, 2]);
        let mut history: Vec<_> = (1..=6).map(|version| snapshot(version, "failed")).collect();
        truncate(&mut history, false);
        assert_eq!(versions(&history), [6, 5, 4, 3, 2]);
        let mut history = vec![
            snapshot(1, "superseded"),
            tested(2, "superseded", &["Failed"]),
            snapshot(3, "deployed"),
        ];
        truncate(&mut history, true);
        assert_eq!(versions(&history), [3, 2]);
    }

    /// Cases of `TestSnapshot_HasBeenTested`.
    #[test]
    fn tests_are_done_when_all_passed_or_one_failed() {
        assert!(!has_been_tested(&snapshot(1, "deployed")));
        let of = |phases: &[&str]| has_been_tested(&tested(1, "deployed", phases));
        assert!(of(&[]));
        assert!(of(&["Succeeded"]));
        assert!(of(&["Failed", "Running"]));
        assert!(!of(&["Succeeded", "Running"]));
        assert!(!of(&[""]));
    }
}
