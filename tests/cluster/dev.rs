//! `sluice dev --once`: the loop of the README, on a control plane of its own.

use std::path::Path;

use crate::binary::sluice;

#[test]
fn demo_shows_commit_change_and_drift() {
    // No kubeconfig: it must not need a cluster, and not touch one that happens to be configured.
    let ended = sluice(Path::new("/nonexistent/kubeconfig"), "dev --once").well();
    for act in [
        "commit → ready in",
        "change → ready in",
        "drift → reverted in",
    ] {
        assert!(ended.stderr.contains(act), "{act}: {}", ended.stderr);
    }
    assert_eq!(ended.stdout, "");
}
