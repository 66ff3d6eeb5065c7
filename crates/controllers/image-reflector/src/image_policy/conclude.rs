//! The status and the notices of an `ImagePolicy`, from the facts of a run. Pure.

use jiff::Timestamp;
use sluice_api::image::{ImagePolicy, ImagePolicyStatus};
use sluice_api::meta::condition::READY;
use sluice_api::meta::reason;
use sluice_client::typed::Resource as _;
use sluice_engine::draft::is_edited;
use sluice_engine::ready::{self, Fault};
use sluice_engine::{End, Notice, Outcome, Progress, Requeue, Retry, Times};
use sluice_images::digest::{ready_message, record};

use super::model::{Facts, Selection};

/// The status to show before the first step after an edit.
pub(super) fn progress(
    policy: &ImagePolicy,
    facts: &Facts,
    times: Times,
) -> Progress<ImagePolicyStatus> {
    let is_first = facts.selection.is_none() && facts.attempts == 0;
    if is_first && is_edited(policy) {
        return Progress::Show(ready::begin(policy, times.now).into_status());
    }
    Progress::Silent
}

/// Returns the outcome of a run.
pub(super) fn conclude(
    policy: &ImagePolicy,
    end: End<Facts, Fault>,
    times: Times,
) -> Outcome<ImagePolicyStatus> {
    let now = times.now;
    if policy.meta().deletion_timestamp.is_some() {
        return match end {
            End::Stopped(_, Fault(failure)) => Outcome::untouched(failure.requeue()),
            _ => Outcome::untouched(Requeue::Never),
        };
    }
    match end {
        End::Suspended => ready::suspend(policy),
        End::Stopped(facts, Fault(failure)) => match failure.retry {
            Retry::After(delay) if is_refilling(policy, &facts) => {
                let status = policy.status.clone().unwrap_or_default();
                let notice = Notice::info(reason::DEPENDENCY_NOT_READY, failure.message);
                Outcome::new(status, Requeue::After(delay)).with_notice(notice.only_log())
            }
            _ => ready::fail(ready::begin(policy, now), failure),
        },
        End::Settled(facts) => settle(policy, &facts, now),
    }
}

/// Whether the store lost the tags of a ready policy, and a scan refills it. The policy stays
/// ready, because the selection is still the last one of the repository.
fn is_refilling(policy: &ImagePolicy, facts: &Facts) -> bool {
    let status = policy.status.as_ref();
    let is_ready = status.is_some_and(|status| {
        status.latest_ref.is_some() && status.conditions.is_true(READY) && !is_edited(policy)
    });
    let repository = facts.repository.as_ref().ok();
    let scanned = repository.and_then(|repository| {
        let status = repository.object.status.as_ref()?;
        status.last_scan_result.as_ref()
    });
    is_ready
        && facts.selection == Some(Selection::NoTags)
        && scanned.is_some_and(|result| result.tag_count > 0)
}

/// Ends a run with a selected image.
fn settle(policy: &ImagePolicy, facts: &Facts, now: Timestamp) -> Outcome<ImagePolicyStatus> {
    let mut draft = ready::begin(policy, now);
    if let Some(image) = facts.selected(policy) {
        record(&mut draft.status, image);
    }
    let mut message = ready_message(&draft.status).unwrap_or_default();
    if let Some(Selection::Kept { listed, .. }) = &facts.selection {
        message = format!("{message}, which is kept: the latest listed tag is {listed}");
    }
    let interval = facts.spec.as_ref().ok().and_then(|spec| spec.interval);
    let next = interval.map_or(Requeue::Never, Requeue::Interval);
    let trace = Notice::trace(reason::SUCCEEDED, &message);
    // A timer must not cause the only writes of an idle cluster.
    let trace = if facts.is_prompt {
        trace
    } else {
        trace.only_log()
    };
    ready::succeed(draft, message, trace, next)
}
