//! The failure and the end of a run of a kind that has no conditions besides `Ready`, `Reconciling`
//! and `Stalled`. Pure.
//!
//! Parity: fluxcd/pkg: runtime/reconcile `ResultFinalizer`; the `notify` of the image controllers.

use jiff::Timestamp;
use kube::core::object::HasStatus;
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::meta::{CommonStatus, Conditions, ToolkitResource, reason};

use crate::conditions::ConditionSet;
use crate::draft::{Draft, progress_message};
use crate::outcome::{Failure, Notice, Outcome, Requeue, Retry};
use crate::reconcile::StepTimeout;
use crate::report::ReportError;

/// A failure of a run. `Ready` reports it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault(pub Failure);

impl Fault {
    /// A failure that stands until an edit.
    pub fn stalled(reason: &'static str, message: impl Into<String>) -> Self {
        Self(Failure::message(reason, Retry::Stalled, message))
    }

    /// A failure that is retried with back-off.
    pub fn retried(reason: &'static str, message: impl Into<String>) -> Self {
        Self(Failure::message(reason, Retry::Backoff, message))
    }
}

impl From<ReportError> for Fault {
    fn from(error: ReportError) -> Self {
        Self(Failure::new(reason::FAILED, Retry::Backoff, &error))
    }
}

impl From<StepTimeout> for Fault {
    fn from(error: StepTimeout) -> Self {
        Self(Failure::new(reason::FAILED, Retry::Backoff, &error))
    }
}

/// Begins a run of an object that is not suspended.
pub fn begin<K>(object: &K, now: Timestamp) -> Draft<K::Status>
where
    K: ToolkitResource + HasStatus<Status: CommonStatus + Clone + Default>,
{
    let mut draft = Draft::begin(object, now);
    let message = progress_message(object);
    draft.condition_set.set_progress(false, &message);
    draft
}

/// Ends a successful run. `message` is that of `Ready`. `unchanged` is the notice of a run without
/// a transition.
pub fn succeed<S>(draft: Draft<S>, message: String, unchanged: Notice, next: Requeue) -> Outcome<S>
where
    S: CommonStatus + Clone + Default,
{
    let (outcome, notice) = end(draft, &ReadyEnding::Done(message), next);
    outcome.with_notice(notice.unwrap_or(unchanged))
}

/// Ends a failed run.
pub fn fail<S>(draft: Draft<S>, failure: Failure) -> Outcome<S>
where
    S: CommonStatus + Clone + Default,
{
    let next = failure.clone().requeue();
    let (outcome, notice) = end(draft, &ReadyEnding::Failed(failure), next);
    match notice {
        Some(notice) => outcome.with_notice(notice),
        None => outcome,
    }
}

fn end<S>(mut draft: Draft<S>, ending: &ReadyEnding, next: Requeue) -> (Outcome<S>, Option<Notice>)
where
    S: CommonStatus + Clone + Default,
{
    if ending.is_final() {
        draft.observe_generation();
    }
    let Draft {
        mut status,
        condition_set,
        ..
    } = draft;
    let before = condition_set.before().clone();
    let after = ending.finish(condition_set);
    let notice = transition(&before, &after);
    *status.conditions_mut() = after;
    (Outcome::new(status, next), notice)
}

/// The outcome of a suspended object: only its request is handled.
pub fn suspend<K>(object: &K) -> Outcome<K::Status>
where
    K: HasStatus<Status: Clone + Default>,
{
    let status = object.status().cloned().unwrap_or_default();
    let message = "reconciliation is suspended for this object";
    Outcome::new(status, Requeue::Never)
        .with_notice(Notice::info(reason::SUSPENDED, message).only_log())
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
enum ReadyEnding {
    /// The run succeeded, with this message of `Ready`.
    Done(String),
    /// The run failed. A failure without retries stalls the object.
    Failed(Failure),
}

impl ReadyEnding {
    /// Whether the run settles the generation of the object.
    fn is_final(&self) -> bool {
        match self {
            Self::Done(_) => true,
            Self::Failed(failure) => failure.retry == Retry::Stalled,
        }
    }

    /// Ends the run.
    fn finish(&self, mut conditions: ConditionSet) -> Conditions {
        match self {
            Self::Done(message) => {
                conditions.remove(RECONCILING);
                conditions.remove(STALLED);
                conditions.set_true(READY, reason::SUCCEEDED, message);
            }
            Self::Failed(Failure {
                reason,
                message,
                retry,
            }) => {
                if *retry == Retry::Stalled {
                    conditions.remove(RECONCILING);
                    conditions.set_true(STALLED, reason, message);
                } else {
                    conditions.remove(STALLED);
                    conditions.set_retrying();
                }
                conditions.set_false(READY, reason, message);
            }
        }
        conditions.into_conditions()
    }
}

/// Whether an object is ready: neither in progress nor stalled.
fn is_ready(conditions: &Conditions) -> bool {
    conditions.is_true(READY) && !conditions.is_true(RECONCILING) && !conditions.is_true(STALLED)
}

/// The notice of a run: a failure, a recovery or a new message of `Ready`. `None` if nothing
/// changed.
fn transition(before: &Conditions, after: &Conditions) -> Option<Notice> {
    let ready = after.find(READY)?;
    if !is_ready(after) {
        return Some(Notice::error(ready.reason.clone(), &ready.message));
    }
    let was = before.find(READY).filter(|_| is_ready(before));
    let is_same = was.is_some_and(|was| was.message == ready.message);
    (!is_same).then(|| Notice::info(ready.reason.clone(), &ready.message))
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::outcome::Severity;

    fn end(before: &Conditions, ending: &ReadyEnding) -> Conditions {
        let mut conditions = ConditionSet::new(before.clone(), 1, Timestamp::UNIX_EPOCH);
        conditions.set_progress(false, "reconciliation in progress");
        ending.finish(conditions)
    }

    fn words(conditions: &Conditions) -> Vec<(&str, &str, &str)> {
        let words = |it: &sluice_api::meta::Condition| {
            let found = conditions.find(&it.type_);
            found.map(|found| (&*found.type_, found.status.as_str(), &*found.reason))
        };
        conditions.iter().filter_map(words).collect()
    }

    fn failed(retry: Retry) -> ReadyEnding {
        ReadyEnding::Failed(Failure::message("Reason", retry, "it broke"))
    }

    #[test]
    fn ending_sets_the_conditions_of_flux() {
        let done = end(&Conditions::new(), &ReadyEnding::Done("found".to_owned()));
        assert_eq!(words(&done), [("Ready", "True", "Succeeded")]);
        let retried = end(&done, &failed(Retry::Backoff));
        assert_eq!(
            words(&retried),
            [
                ("Reconciling", "True", "ProgressingWithRetry"),
                ("Ready", "False", "Reason")
            ]
        );
        let stalled = end(&retried, &failed(Retry::Stalled));
        assert_eq!(
            words(&stalled),
            [("Stalled", "True", "Reason"), ("Ready", "False", "Reason")]
        );
        assert!(failed(Retry::Stalled).is_final() && !failed(Retry::Backoff).is_final());
        assert_eq!(
            words(&end(&stalled, &ReadyEnding::Done("found".to_owned()))),
            [("Ready", "True", "Succeeded")]
        );
    }

    #[test]
    fn transition_reports_only_changes() {
        let none = Conditions::new();
        let done = end(&none, &ReadyEnding::Done("one".to_owned()));
        let other = end(&done, &ReadyEnding::Done("two".to_owned()));
        let broken = end(&done, &failed(Retry::Backoff));
        for (before, after, expected) in [
            (&none, &done, Some((Severity::Info, "one"))),
            (&done, &done, None),
            (&done, &other, Some((Severity::Info, "two"))),
            (&done, &broken, Some((Severity::Error, "it broke"))),
            (&broken, &broken, Some((Severity::Error, "it broke"))),
            (&broken, &done, Some((Severity::Info, "one"))),
            (&none, &none, None),
        ] {
            let notice = transition(before, after);
            let found = notice.as_ref().map(|it| (it.severity, it.message.as_str()));
            assert_eq!(found, expected);
        }
    }
}
