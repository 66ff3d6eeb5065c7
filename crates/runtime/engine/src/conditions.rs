//! The conditions of an object: how a run sets them and how `Ready` summarizes them. Pure.
//!
//! Parity: fluxcd/pkg: runtime/conditions, runtime/reconcile; source-controller:
//! internal/reconcile/summarize.

use jiff::Timestamp;
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::meta::{Condition, ConditionStatus, Conditions, reason};

/// Whether a true condition is good or bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Polarity {
    /// True means healthy.
    Good,
    /// True means failing or in progress. The condition exists only while it is true.
    Bad,
    /// Like [`Polarity::Good`], but false outweighs all other conditions.
    Verdict,
}

/// The conditions that a kind's `Ready` summarizes, most important first. `Stalled` and
/// `Reconciling` follow implicitly.
pub type Table = &'static [(&'static str, Polarity)];

const IMPLICIT_CONDITIONS: Table = &[(STALLED, Polarity::Bad), (RECONCILING, Polarity::Bad)];

/// How a run ended, for the conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The run succeeded, or had nothing to do.
    Done,
    /// The run failed and will be retried.
    Failed,
    /// The run failed and will not be retried.
    Stalled {
        /// Reason of the `Stalled` condition.
        reason: String,
        /// Message of the `Stalled` condition.
        message: String,
    },
    /// The object is suspended.
    Suspended,
}

/// The conditions of one object during a run.
#[derive(Debug, Clone)]
pub struct ConditionSet {
    conditions: Conditions,
    before: Conditions,
    generation: i64,
    now: Timestamp,
}

impl ConditionSet {
    /// Starts from the conditions of the last run.
    pub fn new(conditions: Conditions, generation: i64, now: Timestamp) -> Self {
        Self {
            before: conditions.clone(),
            conditions,
            generation,
            now,
        }
    }

    /// The time of changes.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Sets the time of later changes, for runs that take long.
    pub fn set_now(&mut self, now: Timestamp) {
        self.now = now;
    }

    /// The current conditions.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// The conditions as the last run left them.
    pub fn before(&self) -> &Conditions {
        &self.before
    }

    /// Sets a condition to true.
    pub fn set_true(&mut self, type_: &str, reason: &str, message: impl Into<String>) {
        self.set(type_, ConditionStatus::True, reason, message.into());
    }

    /// Sets a condition to false.
    pub fn set_false(&mut self, type_: &str, reason: &str, message: impl Into<String>) {
        self.set(type_, ConditionStatus::False, reason, message.into());
    }

    /// Sets a condition to unknown.
    pub fn set_unknown(&mut self, type_: &str, reason: &str, message: impl Into<String>) {
        self.set(type_, ConditionStatus::Unknown, reason, message.into());
    }

    /// Removes a condition.
    pub fn remove(&mut self, type_: &str) {
        self.conditions.remove(type_);
    }

    /// Sets `Reconciling`. `Ready` becomes unknown if the advertised artifact is outdated, or if
    /// `Ready` is missing.
    pub fn set_progress(&mut self, outdated: bool, message: &str) {
        self.remove(STALLED);
        self.set_true(RECONCILING, reason::PROGRESSING, message);
        let unknown = self.conditions.find(READY).is_none_or(|ready| {
            ready.status == ConditionStatus::Unknown && ready.reason == reason::PROGRESSING
        });
        if outdated || unknown {
            self.set_unknown(READY, reason::PROGRESSING, message);
        }
    }

    /// The conditions of a kind that sets `Ready` itself.
    pub fn into_conditions(self) -> Conditions {
        self.conditions
    }

    /// Ends the run: settles `Reconciling` and `Stalled`, and summarizes `Ready`.
    pub fn finish(mut self, ending: &Ending, table: Table) -> Conditions {
        match ending {
            Ending::Done => {
                self.remove(RECONCILING);
                self.remove(STALLED);
            }
            Ending::Failed | Ending::Suspended => {
                self.remove(STALLED);
                self.set_retrying();
            }
            Ending::Stalled { reason, message } => {
                self.remove(RECONCILING);
                self.set_true(STALLED, reason, message);
            }
        }
        self.summarize(table);
        self.keep_transition_times();
        self.conditions
    }

    /// Marks a present `Reconciling` condition as retrying.
    pub fn set_retrying(&mut self) {
        if let Some(reconciling) = self.conditions.find(RECONCILING) {
            let message = reconciling.message.clone();
            self.set_true(RECONCILING, reason::PROGRESSING_WITH_RETRY, message);
        }
    }

    /// Sets `Ready` from the gravest group: bad and true, good and false, good and true. Within a
    /// group, the first of the table wins.
    fn summarize(&mut self, table: Table) {
        let verdict = |condition: &Condition, polarity| match (&condition.status, polarity) {
            (ConditionStatus::True, Polarity::Bad) => (0, ConditionStatus::False),
            (ConditionStatus::False, Polarity::Good | Polarity::Verdict) => {
                (1, ConditionStatus::False)
            }
            (ConditionStatus::True, Polarity::Good | Polarity::Verdict) => {
                (2, ConditionStatus::True)
            }
            (ConditionStatus::False, Polarity::Bad) => (3, ConditionStatus::True),
            _ => (4, ConditionStatus::Unknown),
        };
        let summary = table
            .iter()
            .chain(IMPLICIT_CONDITIONS)
            .filter_map(|(type_, polarity)| {
                let condition = self.conditions.find(type_)?;
                let (rank, status) = verdict(condition, *polarity);
                Some((
                    rank,
                    status,
                    condition.reason.clone(),
                    condition.message.clone(),
                ))
            })
            .min_by_key(|(rank, ..)| *rank);
        if let Some((_, status, reason, message)) = summary {
            self.set(READY, status, &reason, message);
        }
        let verdicts = table
            .iter()
            .filter(|(_, polarity)| *polarity == Polarity::Verdict);
        for (type_, _) in verdicts {
            if let Some(verdict) = self.conditions.find(type_)
                && verdict.is_false()
            {
                let (reason, message) = (verdict.reason.clone(), verdict.message.clone());
                self.set(READY, ConditionStatus::False, &reason, message);
            }
        }
    }

    /// Keeps the transition time of a condition that was removed and set again during the run.
    pub fn keep_transition_times(&mut self) {
        let conditions = std::mem::take(&mut self.conditions);
        let kept = conditions.into_iter().map(|mut condition| {
            if let Some(before) = self.before.find(&condition.type_)
                && before.status == condition.status
                && before.last_transition_time.parse().is_ok()
            {
                condition.last_transition_time = before.last_transition_time.clone();
            }
            condition
        });
        self.conditions = Conditions::from(kept.collect::<Vec<_>>());
    }

    fn set(&mut self, type_: &str, status: ConditionStatus, reason: &str, message: String) {
        let condition = Condition::new(type_, status, reason, message).observed_at(self.generation);
        self.conditions.set(condition, self.now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sluice_api::source::condition::{
        ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, SOURCE_VERIFIED,
    };

    const TABLE: Table = &[
        (FETCH_FAILED, Polarity::Bad),
        (ARTIFACT_OUTDATED, Polarity::Bad),
        (ARTIFACT_IN_STORAGE, Polarity::Good),
        (SOURCE_VERIFIED, Polarity::Verdict),
    ];

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn condition_set() -> ConditionSet {
        ConditionSet::new(Conditions::new(), 1, at(0))
    }

    fn statuses(conditions: &Conditions) -> Vec<(&str, &str, &str)> {
        conditions
            .iter()
            .map(|condition| {
                (
                    condition.type_.as_str(),
                    condition.status.as_str(),
                    condition.reason.as_str(),
                )
            })
            .collect()
    }

    #[test]
    fn summary_prefers_first_bad_condition() {
        let mut condition_set = condition_set();
        condition_set.set_true(ARTIFACT_IN_STORAGE, "Succeeded", "stored");
        condition_set.set_true(ARTIFACT_OUTDATED, "NewRevision", "new");
        condition_set.set_progress(false, "working");
        condition_set.set_true(FETCH_FAILED, "GitOperationFailed", "refused");
        let closed = condition_set.finish(&Ending::Failed, TABLE);
        assert_eq!(
            statuses(&closed),
            [
                ("Reconciling", "True", "ProgressingWithRetry"),
                ("Ready", "False", "GitOperationFailed"),
                ("ArtifactInStorage", "True", "Succeeded"),
                ("ArtifactOutdated", "True", "NewRevision"),
                ("FetchFailed", "True", "GitOperationFailed"),
            ]
        );
        assert_eq!(closed.find("Reconciling").unwrap().message, "working");
        assert_eq!(closed.find("Ready").unwrap().message, "refused");
    }

    #[test]
    fn summary_of_success_reports_stored_artifact() {
        let mut condition_set = condition_set();
        condition_set.set_progress(true, "working");
        assert_eq!(
            statuses(condition_set.conditions()),
            [
                ("Reconciling", "True", "Progressing"),
                ("Ready", "Unknown", "Progressing"),
            ]
        );
        condition_set.set_true(ARTIFACT_IN_STORAGE, "Succeeded", "stored");
        let closed = condition_set.finish(&Ending::Done, TABLE);
        assert_eq!(
            statuses(&closed),
            [
                ("Ready", "True", "Succeeded"),
                ("ArtifactInStorage", "True", "Succeeded"),
            ]
        );
    }

    #[test]
    fn repeated_stall_leaves_conditions_unchanged() {
        let mut condition_set = condition_set();
        condition_set.set_progress(false, "working");
        condition_set.set_true(FETCH_FAILED, "URLInvalid", "bad");
        let ending = Ending::Stalled {
            reason: "URLInvalid".to_owned(),
            message: "bad".to_owned(),
        };
        let closed = condition_set.finish(&ending, TABLE);
        assert_eq!(
            statuses(&closed),
            [
                ("Stalled", "True", "URLInvalid"),
                ("Ready", "False", "URLInvalid"),
                ("FetchFailed", "True", "URLInvalid"),
            ]
        );
        let mut again = ConditionSet::new(closed.clone(), 1, at(500));
        again.set_progress(false, "working");
        again.set_true(FETCH_FAILED, "URLInvalid", "bad");
        assert_eq!(again.finish(&ending, TABLE), closed);
    }

    #[test]
    fn progress_resets_ready_only_when_outdated() {
        let mut ready = condition_set();
        ready.set_true(ARTIFACT_IN_STORAGE, "Succeeded", "stored");
        let closed = ready.finish(&Ending::Done, TABLE);
        let mut condition_set = ConditionSet::new(closed, 1, at(10));
        condition_set.set_progress(false, "reconciliation in progress");
        assert!(condition_set.conditions().is_true(READY));
        condition_set.set_progress(true, "building artifact");
        assert!(!condition_set.conditions().is_true(READY));
    }

    #[test]
    fn unchanged_run_leaves_conditions_unchanged() {
        let mut first = condition_set();
        first.set_true(ARTIFACT_IN_STORAGE, "Succeeded", "stored");
        let closed = first.finish(&Ending::Done, TABLE);
        let mut second = ConditionSet::new(closed.clone(), 1, at(1000));
        second.set_progress(false, "reconciliation in progress");
        second.set_true(ARTIFACT_IN_STORAGE, "Succeeded", "stored");
        assert_eq!(second.finish(&Ending::Done, TABLE), closed);
    }

    #[test]
    fn failed_verification_sets_ready_false() {
        let mut condition_set = condition_set();
        condition_set.set_true(ARTIFACT_IN_STORAGE, "Succeeded", "stored");
        condition_set.set(
            SOURCE_VERIFIED,
            ConditionStatus::False,
            "InvalidCommitSignature",
            "bad".to_owned(),
        );
        let closed = condition_set.finish(&Ending::Failed, TABLE);
        assert_eq!(closed.find(READY).unwrap().reason, "InvalidCommitSignature");
    }
}
