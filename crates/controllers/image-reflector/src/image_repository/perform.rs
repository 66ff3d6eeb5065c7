//! Performs the steps of an `ImageRepository`: connects, lists, confirms and stores.

use std::time::Duration;

use sluice_api::image::{ImageRepository, ScanResult};
use sluice_api::meta::reason;
use sluice_engine::Run;
use sluice_engine::ready::Fault;
use sluice_golang::error::chain;
use sluice_images::budget::Budget;
use sluice_images::revision::revision;
use sluice_images::scan::{Exclusions, LATEST_TAGS, ScannedTags, Suspicion, suspicion};
use sluice_system::blocking;

use super::ImageRepositoryReconciler;
use super::model::{Facts, Listing, ScanRecord, Step};
use super::spec::Spec;
use crate::registry;
use crate::store::Key;

/// Time before a suspicious listing is repeated.
const CONFIRM_AFTER: Duration = Duration::from_secs(2);
const CONNECTED: &str = "the plan connects before it lists";
const LISTED: &str = "the plan lists before it stores";

/// Performs a step.
pub(super) async fn perform(
    reconciler: &ImageRepositoryReconciler,
    step: Step,
    repository: &ImageRepository,
    facts: &mut Facts,
    run: &Run<ImageRepository>,
) -> Result<(), Fault> {
    let (store, key) = (reconciler.store.clone(), Key::of(run.key()));
    match step {
        Step::Remove => {
            let removed = blocking(move || store.remove(&key)).await;
            removed.map_err(|error| Fault::retried(reason::FAILED, chain(&error)))?;
            facts.is_removed = true;
        }
        Step::Connect { is_scan_due } => {
            let spec = facts.spec.clone()?;
            let registries = &reconciler.registries;
            let remote = registries.remote(repository, &spec.image).await?;
            facts.is_configured = true;
            if is_scan_due {
                // From here on the run waits for the registry and gives its worker back.
                let connecting = registries.connect(remote, spec.timeout);
                facts.connection = Some(run.release(connecting).await);
            }
        }
        Step::List { reason } => {
            let spec = facts.spec.clone()?;
            facts.scan_reason = Some(reason);
            let tags = list(reconciler, &spec, facts, run).await?;
            let (tags, suspicion) = blocking(move || {
                let suspicion = match store.read(&key) {
                    Ok(stored) => suspicion(stored, &tags.tags),
                    Err(_) => None,
                };
                (tags, suspicion)
            })
            .await;
            facts.listing = Some(Listing { tags, suspicion });
        }
        Step::Confirm { suspicion } => {
            let spec = facts.spec.clone()?;
            confirm(reconciler, &spec, suspicion, facts, run).await?;
        }
        Step::Store => {
            let spec = facts.spec.clone()?;
            let Listing { tags, .. } = facts.listing.take().expect(LISTED);
            let form = reconciler.revision_form;
            let storing = blocking(move || {
                store.write(&key, &tags.tags)?;
                let revision = revision(form, tags.tags.iter().map(String::as_str));
                Ok::<_, crate::store::StoreError>((tags, revision))
            });
            let (tags, revision) = storing.await.map_err(|error| {
                let name = &spec.image;
                failed(&format!(
                    "failed to set tags for \"{name}\": {}",
                    chain(&error)
                ))
            })?;
            reconciler.metrics.set_tags(run.key(), tags.tags.len());
            facts.scanned = Some(ScanRecord {
                result: ScanResult {
                    latest_tags: tags.latest(LATEST_TAGS),
                    revision: Some(revision),
                    scan_time: Some(run.times().now.into()),
                    tag_count: i32::try_from(tags.tags.len()).unwrap_or(i32::MAX),
                },
                rejected: tags.rejected,
            });
        }
    }
    Ok(())
}

/// Repeats a listing that lost tags. The second one counts.
async fn confirm(
    reconciler: &ImageRepositoryReconciler,
    spec: &Spec,
    suspicion: Suspicion,
    facts: &mut Facts,
    run: &Run<ImageRepository>,
) -> Result<(), Fault> {
    tracing::warn!(%suspicion, "the tags are listed again before they are stored");
    run.release(tokio::time::sleep(CONFIRM_AFTER)).await;
    let tags = list(reconciler, spec, facts, run).await?;
    facts.listing = Some(Listing {
        tags,
        suspicion: None,
    });
    Ok(())
}

/// Lists the tags of the registry, without the excluded ones.
async fn list(
    reconciler: &ImageRepositoryReconciler,
    spec: &Spec,
    facts: &mut Facts,
    run: &Run<ImageRepository>,
) -> Result<ScannedTags, Fault> {
    let exclusions = spec.exclusions.clone();
    let exclusions = blocking(move || Exclusions::compile(&exclusions)).await;
    let exclusions = exclusions.map_err(|error| failed(&error.to_string()))?;
    let client = &reconciler.registries.client;
    let connection = facts.connection.as_ref().expect(CONNECTED);
    let timer = reconciler.metrics.start_scan();
    let remote = connection.remote();
    let listing = connection.deadline().within(client.tags(&remote));
    let listed = run.release(listing).await;
    timer.observe_duration();
    let listed = listed.map_err(|error| {
        reconciler.metrics.count_failure(&error);
        registry::classify(&error, reason::READ_OPERATION_FAILED, "scan failed")
    })?;
    let budget = Budget::begin();
    let scanned = blocking(move || ScannedTags::of(listed, &exclusions, budget)).await;
    scanned.map_err(|error| failed(&error.to_string()))
}

fn failed(why: &str) -> Fault {
    Fault::retried(reason::READ_OPERATION_FAILED, format!("scan failed: {why}"))
}
