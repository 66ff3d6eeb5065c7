//! Tests `sluice dev --once` with its own control plane, as in the README.

use std::path::Path;

use crate::binary::sluice;

#[test]
fn demo_shows_commit_change_drift_and_release() {
    // The command must not use a configured cluster.
    let ended = sluice(Path::new("/nonexistent/kubeconfig"), "dev --once").well();
    for act in [
        "commit → ready in",
        "change → ready in",
        "drift → reverted in",
        "release → installed in",
    ] {
        assert!(ended.stderr.contains(act), "{act}: {}", ended.stderr);
    }
    assert_eq!(ended.stdout, "");
}
