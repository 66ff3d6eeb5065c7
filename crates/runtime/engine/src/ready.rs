//! The failure and the end of a run of a kind that has no conditions besides `Ready`, `Reconciling` and `Stalled`.
//! Pure.
//!
//! Parity: fluxcd/pkg: runtime/reconcile `ResultFinalizer`; the `notify` of the image controllers.

use jiff::Timestamp;
use kube::core::object::HasStatus;
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::meta::{CommonStatus, Conditions, ToolkitResource, reason};

use crate::conditions::ConditionSet;
use crate::outcome::{Failure, Notice, Outcome, Requeue, Retry};
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

/// The status of an object during a run.
#[derive(Debug)]
pub struct ReadyDraft<S> {
    /// The status without its conditions.
    pub status: S,
    /// The conditions.
    pub condition_set: ConditionSet,
    generation: i64,
}

impl<S: CommonStatus + Clone + Default> ReadyDraft<S> {
    /// Begins a run of an object that is not suspended.
    pub fn begin<K>(object: &K, now: Timestamp) -> Self
    where
        K: ToolkitResource + HasStatus<Status = S>,
    {
        let mut status = object.status().cloned().unwrap_or_default();
        let generation = object.meta().generation.unwrap_or_default();
        let observed = object.observed_generation().unwrap_or_default();
        let before = std::mem::take(status.conditions_mut());
        let mut condition_set = ConditionSet::new(before, generation, now);
        let message = if observed == generation {
            "reconciliation in progress".to_owned()
        } else {
            format!("processing object: new generation {observed} -> {generation}")
        };
        condition_set.set_progress(false, &message);
        Self {
            status,
            condition_set,
            generation,
        }
    }

    /// The status to show during the run.
    pub fn into_status(self) -> S {
        let mut status = self.status;
        *status.conditions_mut() = self.condition_set.into_conditions();
        status
    }

    /// Ends a successful run. `message` is that of `Ready`. `unchanged` is the notice of a run
    /// without a transition.
    pub fn done(self, message: String, unchanged: Notice, next: Requeue) -> Outcome<S> {
        let (outcome, notice) = self.end(&ReadyEnding::Done(message), next);
        outcome.with_notice(notice.unwrap_or(unchanged))
    }

    /// Ends a failed run.
    pub fn failed(self, failure: Failure) -> Outcome<S> {
        let ending = ReadyEnding::Failed(failure.clone());
        let (outcome, notice) = self.end(&ending, failure.requeue());
        match notice {
            Some(notice) => outcome.with_notice(notice),
            None => outcome,
        }
    }

    fn end(self, ending: &ReadyEnding, next: Requeue) -> (Outcome<S>, Option<Notice>) {
        let mut status = self.status;
        if ending.is_final() {
            *status.observed_generation_mut() = Some(self.generation);
        }
        let before = self.condition_set.before().clone();
        let after = ending.finish(self.condition_set);
        let notice = transition(&before, &after);
        *status.conditions_mut() = after;
        (Outcome::new(status, next), notice)
    }
}

/// The outcome of a suspended object: only its request is handled.
pub fn suspended<K>(object: &K) -> Outcome<K::Status>
where
    K: HasStatus<Status: Clone + Default>,
{
    let status = object.status().cloned().unwrap_or_default();
    let message = "reconciliation is suspended for this object";
    Outcome::new(status, Requeue::Never)
        .with_notice(Notice::info(reason::SUSPENDED, message).only_log())
}

/// Whether the object was edited since the last run that settled it.
pub fn is_edited(object: &impl ToolkitResource) -> bool {
    let observed = object.observed_generation().unwrap_or_default();
    observed != object.meta().generation.unwrap_or_default()
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
