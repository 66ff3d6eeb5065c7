//! The written revisions in the history of the status. Pure.

use sluice_api::helm::{ReleaseAction, ReleaseSnapshot};

use super::super::draft::Draft;
use super::super::history;
use super::super::model::Write;

/// Adds the newest written revision to the history, and updates one that it has replaced.
pub(super) fn record(draft: &mut Draft, action: &ReleaseAction, mut writes: Vec<Write>) {
    writes.sort_by_key(|write| -write.snapshot.version);
    let mut writes = writes.into_iter();
    let Some(newest) = writes.next() else {
        return;
    };
    draft.prepend(ReleaseSnapshot {
        action: Some(action.as_str().to_owned()),
        oci_digest: draft.status.last_attempted_revision_digest.clone(),
        ..newest.snapshot
    });
    for write in writes {
        let mut known = draft.status.history.iter_mut();
        let known = known.find(|known| history::targets(known, &write.snapshot));
        if let Some(known) = known {
            let tests = known.test_hooks.take();
            *known = ReleaseSnapshot {
                test_hooks: tests,
                ..write.snapshot
            };
            return;
        }
    }
}

/// Updates the snapshots of written revisions. Returns those that the history lacks.
pub(super) fn update(
    draft: &mut Draft,
    writes: Vec<Write>,
    action: Option<&str>,
    keeps_tests: bool,
) -> Vec<ReleaseSnapshot> {
    let mut new = Vec::new();
    for write in writes {
        let mut known = draft.status.history.iter_mut();
        let known = known.find(|known| history::targets(known, &write.snapshot));
        let Some(known) = known else {
            new.push(write.snapshot);
            continue;
        };
        let action = action.map(str::to_owned).or_else(|| known.action.clone());
        let test_hooks = known.test_hooks.take().filter(|_| keeps_tests);
        *known = ReleaseSnapshot {
            action,
            test_hooks,
            ..write.snapshot
        };
    }
    new
}

/// Adds new snapshots of an action.
pub(super) fn prepend(draft: &mut Draft, snapshots: Vec<ReleaseSnapshot>, action: Option<&str>) {
    for snapshot in snapshots {
        draft.prepend(ReleaseSnapshot {
            action: action.map(str::to_owned),
            ..snapshot
        });
    }
}

/// The release that an action was performed on, if it is another one than the latest.
pub(super) fn mismatch(
    current: &ReleaseSnapshot,
    target: Option<&(String, String, i64)>,
) -> Option<String> {
    let (name, namespace, version) = target?;
    let is_current = (name, namespace, *version)
        == (
            &current.name,
            &current.namespace,
            i64::from(current.version),
        );
    (!is_current).then(|| format!("{namespace}/{name}.v{version}"))
}

pub(super) fn latest_digest(draft: &Draft) -> Option<String> {
    history::latest(&draft.status.history).map(|snapshot| snapshot.digest.clone())
}
