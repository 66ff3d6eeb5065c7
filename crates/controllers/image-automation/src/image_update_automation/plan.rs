//! Plans the steps of an `ImageUpdateAutomation`. No client, no clock.

use sluice_api::image::ImageUpdateAutomation;
use sluice_client::typed::Resource as _;
use sluice_engine::Decision;
use sluice_engine::ready::Fault;

use super::model::{Facts, Step};

/// Returns the next step.
pub(super) fn plan(automation: &ImageUpdateAutomation, facts: &Facts) -> Decision<Step, Fault> {
    if automation.meta().deletion_timestamp.is_some() {
        return plan_deletion(facts);
    }
    let faults = [
        facts.spec.as_ref().err(),
        facts.images.as_ref().err(),
        facts.source.as_ref().err(),
    ];
    if let Some(fault) = faults.into_iter().flatten().next() {
        return Decision::Stop(fault.clone());
    }
    if facts.is_overtaken {
        return Decision::Work(Step::StartAgain);
    }
    if facts.connection.is_none() {
        return Decision::Work(Step::Connect);
    }
    if facts.resolved.is_none() {
        return Decision::Work(Step::Resolve);
    }
    if facts.is_unchanged(automation) {
        return Decision::Settled;
    }
    let is_proposed = facts.has_pull_request();
    if is_proposed && facts.found.is_none() {
        return Decision::Work(Step::FindProposal);
    }
    if facts.base.is_none() {
        return Decision::Work(Step::Fetch);
    }
    match &facts.update {
        None => Decision::Work(Step::Edit),
        Some(update) if !update.files.is_empty() && facts.pushed.is_none() => {
            Decision::Work(Step::Push)
        }
        Some(_) if is_proposed && facts.proposed.is_none() => Decision::Work(Step::Propose),
        Some(_) => Decision::Settled,
    }
}

/// Returns the next step of a deletion. A failure must not keep the object.
fn plan_deletion(facts: &Facts) -> Decision<Step, Fault> {
    if facts.has_pull_request() && facts.withdrawn.is_none() {
        Decision::Work(Step::Withdraw)
    } else {
        Decision::Settled
    }
}

impl Facts {
    /// Whether the automation asks for a pull request.
    fn has_pull_request(&self) -> bool {
        let source = self.source.as_ref();
        source.is_ok_and(|source| source.pull_request.is_some())
    }

    /// Whether neither the policies nor the remote changed since the last run.
    pub(super) fn is_unchanged(&self, automation: &ImageUpdateAutomation) -> bool {
        let (Ok(images), Ok(source), Some(resolved)) = (&self.images, &self.source, &self.resolved)
        else {
            return false;
        };
        let status = automation.status.as_ref();
        status.is_some_and(|status| {
            !source.source.target.needs_full_sync()
                && status.observed_policies == images.observed
                && status.observed_source_revision.as_deref() == Some(&*resolved.revision())
        })
    }
}
