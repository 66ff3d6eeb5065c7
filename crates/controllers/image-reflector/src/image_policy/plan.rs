//! Plans the steps of an `ImagePolicy`. No client, no clock.

use std::time::Duration;

use sluice_api::image::{ImagePolicy, ImageRef, reason as image_reason};
use sluice_api::meta::reason;
use sluice_client::typed::Resource as _;
use sluice_engine::ready::Fault;
use sluice_engine::{Decision, Failure, Retry};
use sluice_golang::GoDuration;
use sluice_images::digest::{self, DigestStep};

use super::model::{Facts, Selection, Step};

/// Waits between reads of an empty store. The scan of the repository may be at work.
const WAITS: [Duration; 3] = [
    Duration::from_secs(1),
    Duration::from_millis(1500),
    Duration::from_millis(2250),
];

/// Returns the next step.
pub(super) fn plan(policy: &ImagePolicy, facts: &Facts) -> Decision<Step, Fault> {
    if policy.meta().deletion_timestamp.is_some() {
        return Decision::Settled;
    }
    let faults = [
        facts.spec.as_ref().err(),
        facts.repository.as_ref().err(),
        facts
            .spec
            .as_ref()
            .ok()
            .and_then(|spec| spec.selector.as_ref().err()),
    ];
    if let Some(fault) = faults.into_iter().flatten().next() {
        return Decision::Stop(fault.clone());
    }
    match &facts.selection {
        None => Decision::Work(Step::Select),
        Some(Selection::NoTags) => match WAITS.get(facts.attempts) {
            Some(delay) => Decision::Work(Step::AwaitTags { delay: *delay }),
            None => Decision::Stop(no_tags(facts.requeue_dependency)),
        },
        Some(Selection::Latest(Err(error))) => {
            Decision::Stop(Fault::retried(image_reason::FAILURE, error.to_string()))
        }
        Some(Selection::Latest(Ok(tag)) | Selection::Kept { tag, .. }) => {
            match digest(policy, facts, tag) {
                DigestStep::Fetch(image) if facts.fetched.is_none() => {
                    Decision::Work(Step::FetchDigest { image })
                }
                _ => Decision::Settled,
            }
        }
    }
}

/// The store has no tags of the repository.
fn no_tags(requeue_dependency: Duration) -> Fault {
    let rounded = Duration::from_secs(
        (requeue_dependency.as_millis().saturating_add(500) / 1000)
            .try_into()
            .unwrap_or(u64::MAX),
    );
    let message = format!(
        "retrying in {} error: no tags in database",
        GoDuration::from_std(rounded)
    );
    Fault(Failure::message(
        reason::DEPENDENCY_NOT_READY,
        Retry::After(requeue_dependency),
        message,
    ))
}

/// The image of a selected tag, or the request for its digest.
fn digest(policy: &ImagePolicy, facts: &Facts, tag: &str) -> DigestStep {
    let status = policy.status.as_ref();
    digest::plan(
        policy.spec.digest_reflection_policy.as_ref(),
        status.and_then(|status| status.latest_ref.as_ref()),
        facts.image_name(),
        tag,
    )
}

impl Facts {
    /// The image as the repository spells it.
    fn image_name(&self) -> &str {
        let repository = self.repository.as_ref().ok();
        repository.map_or("", |repository| &repository.object.spec.image)
    }

    /// The tag that stays selected if all listed ones are earlier, and no exclusion matches it.
    pub(super) fn tag_to_keep(&self, policy: &ImagePolicy) -> Option<String> {
        let spec = self.spec.as_ref().ok().filter(|it| it.prevents_downgrade);
        let previous = policy.status.as_ref()?.latest_ref.as_ref()?;
        let is_same_image = previous.name == self.image_name();
        (spec.is_some() && is_same_image).then(|| previous.tag.clone())
    }

    /// The selected image with its digest, if the policy wants it.
    pub(super) fn selected(&self, policy: &ImagePolicy) -> Option<ImageRef> {
        let (Selection::Latest(Ok(tag)) | Selection::Kept { tag, .. }) = self.selection.as_ref()?
        else {
            return None;
        };
        match digest(policy, self, tag) {
            DigestStep::Use(image) => Some(image),
            DigestStep::Fetch(_) => self.fetched.clone(),
        }
    }
}
