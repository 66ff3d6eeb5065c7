//! Releases whose retries are used up, and whose objects become healthy later. Pure.
//!
//! Flux leaves such a release until an edit. An image that can be pulled again, or a database that
//! answers again, needs none. So the health is checked at each interval, without a change of the
//! status. Healthy objects reset the counts of failures, and the release is upgraded once.

use sluice_api::helm::condition::RELEASED;
use sluice_api::meta::Conditions;
use sluice_engine::Decision;

use super::fault::{Fault, RetryTime};
use super::messages;
use super::model::{Assessment, Facts, State, Step};

/// Starts of the errors of a wait for health: of watches, then of the strategy `legacy`.
const UNHEALTHY: [&str; 3] = [
    "timeout waiting for: [",
    "failed early due to stalled resources: [",
    "context deadline exceeded",
];

/// The next step of a release that cannot go on because of a fault.
pub(super) fn stop(facts: &Facts, assessment: &Assessment, fault: Fault) -> Decision<Step, Fault> {
    let conditions = facts.draft.condition_set.conditions();
    let is_rechecked = matches!(assessment.state, State::Failed(_))
        && fault.is_for_retries()
        && was_unhealthy(conditions);
    if !is_rechecked {
        return Decision::Stop(fault);
    }
    // The wait of an action of this run has just failed.
    if facts.performed.is_empty() && facts.is_healthy.is_none() {
        return Decision::Work(Step::CheckHealth);
    }
    Decision::Stop(Fault {
        next: RetryTime::Recheck,
        ..fault
    })
}

/// Whether the last action has failed because objects were not healthy.
fn was_unhealthy(conditions: &Conditions) -> bool {
    let Some(released) = conditions.find(RELEASED) else {
        return false;
    };
    let is_failed = matches!(
        &*released.reason,
        messages::INSTALL_FAILED | messages::UPGRADE_FAILED
    );
    let error = messages::error_of_failed(&released.message);
    is_failed && error.is_some_and(|error| UNHEALTHY.iter().any(|start| error.starts_with(start)))
}

/// Whether a run has found what the run before has found, so that it reports nothing.
pub(super) fn is_unchanged(facts: &Facts, fault: &Fault) -> bool {
    fault.next == RetryTime::Recheck && facts.is_healthy == Some(false)
}

#[cfg(test)]
mod tests {
    use sluice_api::meta::{Condition, ConditionStatus};

    use super::*;

    #[test]
    fn only_a_failed_wait_for_health_is_rechecked() {
        let prefix = "Helm upgrade failed for release apps/web with chart web@1.0.0: ";
        for (reason, error, expected) in [
            (
                "UpgradeFailed",
                "timeout waiting for: [Deployment/apps/web status: 'InProgress']",
                true,
            ),
            (
                "InstallFailed",
                "failed early due to stalled resources: [Job/apps/web status: 'Failed']",
                true,
            ),
            ("UpgradeFailed", "context deadline exceeded", true),
            (
                "PendingRelease",
                "timeout waiting for: [Deployment/apps/web status: 'InProgress']",
                false,
            ),
            (
                "UpgradeFailed",
                "pre-upgrade hooks failed: timeout waiting for: [Pod/apps/hook]",
                false,
            ),
            ("UpgradeFailed", "field is immutable", false),
        ] {
            let message = format!("{prefix}{error}");
            let released = Condition::new(RELEASED, ConditionStatus::False, reason, message);
            let conditions = Conditions::from(vec![released]);
            assert_eq!(was_unhealthy(&conditions), expected, "{reason}: {error}");
        }
        assert!(!was_unhealthy(&Conditions::default()));
    }
}
