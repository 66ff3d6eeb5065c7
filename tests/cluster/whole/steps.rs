//! The changes of the life of a fleet, each with its only effects.

use super::kills::Step;
use super::{Effects, Whole};
use crate::binary::Call;
use crate::images::moves_from;

/// A commit changes a config map.
pub(super) async fn change(whole: &Whole) {
    let begun = whole.begin(Step::Change).await;
    whole.change("tenants/note.yaml", "2", &begun).await;
    whole.converges(&whole.servers.head()).await;
    whole.has("team-b", "note", "2").await;
    let effects = Effects {
        writes: &["patch configmaps team-b/note"],
        ..Effects::default()
    };
    whole.end(begun, effects).await;
}

/// A commit changes the values of a release.
pub(super) async fn upgrade(whole: &Whole) {
    let begun = whole.begin(Step::Upgrade).await;
    whole.change("releases/releases.yaml", "2", &begun).await;
    whole.converges(&whole.servers.head()).await;
    whole.has("apps", "database", "2").await;
    whole
        .alerted("HelmRelease", "database", "UpgradeSucceeded")
        .await;
    let effects = Effects {
        writes: &[
            "patch configmaps apps/database",
            "patch helmreleases apps/database",
        ],
        upgraded: Some("database"),
        ..Effects::default()
    };
    whole.end(begun, effects).await;
}

/// A commit changes a file that is copied into an artifact.
pub(super) async fn generate(whole: &Whole) {
    let begun = whole.begin(Step::Artifact).await;
    whole.change("apps/web/config.yaml", "2", &begun).await;
    whole.has("apps", "web", "2").await;
    whole.converges(&whole.servers.head()).await;
    let reason = "ReconciliationSucceeded";
    whole.alerted("Kustomization", "web", reason).await;
    let effects = Effects {
        writes: &["patch configmaps apps/web"],
        ..Effects::default()
    };
    whole.end(begun, effects).await;
}

/// A new tag is pushed, which the automation commits.
pub(super) async fn update_image(whole: &Whole) {
    whole.servers.push("web", "1.1.0", "1").await;
    let old = whole.servers.head();
    let begun = whole.begin(Step::Image).await;
    whole.call().await;
    whole.pods.strike(begun.strike);
    moves_from(&whole.servers.fleet, &old).await;
    whole.deliver().await;
    whole.runs_image("1.1.0").await;
    let effects = Effects {
        writes: &["patch deployments apps/web"],
        updates: 1,
        ..Effects::default()
    };
    whole.end(begun, effects).await;
}

/// A commit waits until its suspended Kustomization is resumed.
pub(super) async fn suspend(whole: &Whole) {
    let call = Call::new(&whole.world.bed.kubeconfig());
    let begun = whole.begin(Step::Suspension).await;
    call.run_beside("suspend kustomization tenants")
        .await
        .well();
    whole.change("tenants/note.yaml", "3", &begun).await;
    let head = whole.servers.head();
    whole.converges_without(&head, Some("tenants")).await;
    whole.has("team-b", "note", "2").await;
    call.run_beside("resume kustomization tenants").await.well();
    whole.converges(&head).await;
    whole.has("team-b", "note", "3").await;
    let effects = Effects {
        writes: &["patch configmaps team-b/note"],
        ..Effects::default()
    };
    whole.end(begun, effects).await;
}
