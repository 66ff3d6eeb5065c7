//! Performs the steps of an `ImagePolicy`: selects a tag and fetches its digest.

use std::sync::Arc;

use sluice_api::image::{ImagePolicy, ImageRef, reason as image_reason};
use sluice_api::meta::reason;
use sluice_engine::ready::Fault;
use sluice_engine::{ObjectKey, Run};
use sluice_golang::error::chain;
use sluice_images::budget::{Budget, TooSlow};
use sluice_images::digest::image_text;
use sluice_images::policy::Selector;
use sluice_images::scan::{self, Exclusions};
use sluice_oci::Version;
use sluice_system::blocking;

use super::ImagePolicyReconciler;
use super::model::{Facts, Selection, Step};
use crate::registry;
use crate::store::{Key, StoreError, TagStore};

/// Performs a step.
pub(super) async fn perform(
    reconciler: &ImagePolicyReconciler,
    step: Step,
    policy: &ImagePolicy,
    facts: &mut Facts,
    run: &Run<ImagePolicy>,
) -> Result<(), Fault> {
    match step {
        Step::Select => {
            let spec = facts.spec.as_ref().map_err(Clone::clone)?;
            let repository = facts.repository.as_ref().map_err(Clone::clone)?;
            let selector = Arc::clone(spec.selector.as_ref().map_err(Clone::clone)?);
            let key = Key::of(&ObjectKey::of(repository.object.as_ref()));
            let (store, previous) = (reconciler.store.clone(), facts.tag_to_keep(policy));
            let exclusions = scan::exclusions(&repository.object.spec);
            let selecting = blocking(move || {
                let selection = select(&store, &key, &selector)?;
                Ok::<_, Fault>(keep(previous, selection, &selector, &exclusions))
            });
            facts.selection = Some(selecting.await?);
        }
        Step::AwaitTags { delay } => {
            facts.attempts += 1;
            facts.selection = None;
            // A finished scan enqueues the policy again.
            let waiting = async {
                tokio::select! {
                    () = tokio::time::sleep(delay) => {}
                    _ = run.superseded() => {}
                }
            };
            run.release(waiting).await;
        }
        Step::FetchDigest { image } => {
            facts.fetched = Some(fetch(reconciler, image, facts, run).await?);
        }
    }
    Ok(())
}

/// Why the tags could not be read to their end.
enum ReadError {
    Store(StoreError),
    Slow(TooSlow),
}

/// Selects the latest tag of the store.
fn select(store: &TagStore, key: &Key, selector: &Selector) -> Result<Selection, Fault> {
    let failed = |why: &str| Fault::retried(image_reason::FAILURE, why);
    let unread = |error: &StoreError| {
        failed(&format!(
            "failed to read tags from database: {}",
            chain(error)
        ))
    };
    if !store.has_tags(key) {
        return Ok(Selection::NoTags);
    }
    let tags = store.read(key).map_err(|error| unread(&error))?;
    let budget = Budget::begin();
    let tags = tags.map(|tag| {
        budget.check().map_err(ReadError::Slow)?;
        tag.map_err(ReadError::Store)
    });
    match selector.select(tags) {
        Ok(latest) => Ok(Selection::Latest(latest)),
        Err(ReadError::Slow(error)) => Err(failed(&error.to_string())),
        // A scan replaces damaged tags.
        Err(ReadError::Store(StoreError::Corrupt { .. })) => Ok(Selection::NoTags),
        Err(ReadError::Store(error)) => Err(unread(&error)),
    }
}

/// Keeps the previous tag if the selected one is earlier by the rule.
///
/// An excluded tag did not vanish: the user withdrew it.
pub(super) fn keep(
    previous: Option<String>,
    selection: Selection,
    selector: &Selector,
    exclusions: &[String],
) -> Selection {
    match (previous, selection) {
        (Some(tag), Selection::Latest(Ok(listed)))
            if selector.is_downgrade(&tag, &listed) && !is_excluded(&tag, exclusions) =>
        {
            Selection::Kept { tag, listed }
        }
        (_, selection) => selection,
    }
}

/// Reports whether a pattern excludes a tag. Invalid patterns exclude nothing, because the scan
/// reports them.
fn is_excluded(tag: &str, exclusions: &[String]) -> bool {
    Exclusions::compile(exclusions).is_ok_and(|exclusions| exclusions.excludes(tag))
}

/// Asks the registry for the digest of a tag.
async fn fetch(
    reconciler: &ImagePolicyReconciler,
    image: ImageRef,
    facts: &Facts,
    run: &Run<ImagePolicy>,
) -> Result<ImageRef, Fault> {
    let repository = facts.repository.as_ref().map_err(Clone::clone)?;
    let text = image_text(&image);
    let action = format!("failed fetching digest of {text}");
    let registries = &reconciler.registries;
    let remote = registries.remote(&repository.object, &repository.image);
    let remote = remote.await.map_err(|Fault(failure)| {
        let message = format!("{action}: {}", failure.message);
        Fault(sluice_engine::Failure {
            reason: reason::FAILED.into(),
            message,
            ..failure
        })
    })?;
    let connecting = registries.connect(remote.clone(), repository.timeout);
    let connection = run.release(connecting).await;
    let version = Version::Tag(image.tag.clone());
    let client = &registries.client;
    let resolving = connection
        .deadline()
        .within(client.resolve(&remote, &version));
    let digest = run.release(resolving).await.map_err(|error| {
        let action = format!("{action}: failed fetching descriptor for \"{text}\"");
        registry::classify(&error, reason::FAILED, &action)
    })?;
    Ok(ImageRef {
        digest: Some(digest.to_string()),
        ..image
    })
}
