//! Reads whether the store has tags of an `ImageRepository`.

use sluice_api::image::ImageRepository;
use sluice_engine::Run;
use sluice_system::blocking;

use super::ImageRepositoryReconciler;
use super::model::Facts;
use super::spec::Spec;
use crate::store::Key;

/// Returns the facts for the first plan.
pub(super) async fn observe(
    reconciler: &ImageRepositoryReconciler,
    repository: &ImageRepository,
    run: &Run<ImageRepository>,
) -> Facts {
    let (store, key) = (reconciler.store.clone(), Key::of(run.key()));
    Facts {
        spec: Spec::parse(repository, reconciler.has_workload_identity),
        now: run.started(),
        tag_count_warning: reconciler.tag_count_warning,
        is_prompt: run.cause().is_prompt(),
        has_tags: blocking(move || store.has_tags(&key)).await,
        is_configured: false,
        connection: None,
        scan_reason: None,
        listing: None,
        scanned: None,
        is_removed: false,
    }
}
