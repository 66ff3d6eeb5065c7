//! Tests `sluice dev --once` with its own control plane. The full demonstration begins with the
//! short one of the README.

use std::path::Path;

use crate::binary::sluice;

#[test]
fn full_demo_shows_commit_drift_release_image_and_alert() {
    // The command must not use a configured cluster.
    let ended = sluice(
        Path::new("/nonexistent/kubeconfig"),
        "dev --once --demo full",
    )
    .well();
    for act in [
        "commit → ready in",
        "change → ready in",
        "drift → reverted in",
        "release → installed in",
        "tag → rolled out in",
        "not sent: Alert demo to Provider flux-system/demo (generic)",
        "tag → alert in",
    ] {
        assert!(ended.stderr.contains(act), "{act}: {}", ended.stderr);
    }
    assert_eq!(ended.stdout, "");
}
