//! The state of a wait: one entry per object, and the progress over all of them. Pure.
//!
//! Parity: `pkg: ssa/manager_wait.go`.

use std::time::Duration;

use jiff::Timestamp;
use sluice_object::status::{Health, Status};
use sluice_object::{ObjectId, order};

use crate::target::ObservedState;

/// How long a custom object without a status must stay so until it counts as Current. Its
/// controller may not have seen it yet; Flux needs no such time, because its wait begins later.
pub(crate) const STATUS_TIMEOUT: Duration = Duration::from_millis(500);

/// The progress of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Pending,
    /// Every object was Current, but at different times: some may have changed during the wait for
    /// others.
    Unconfirmed,
    /// Every object is Current.
    Done,
    /// An object has failed, and waiting longer does not help.
    Failed,
}

/// The goal of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Every object is Current. With `fail_fast` the first failure ends the wait.
    Current { fail_fast: bool },
    /// Every object is deleted.
    Gone,
}

#[derive(Clone, Debug)]
struct Entry {
    id: ObjectId,
    health: Option<Health>,
    /// Number of failed pods of a workload.
    failed_pods: usize,
    expires: bool,
    lacks_status: bool,
}

/// The state of a wait.
#[derive(Clone, Debug)]
pub(crate) struct WaitState {
    /// Sorted by id.
    entries: Vec<Entry>,
    goal: Goal,
    /// Whether objects without a status count as Current.
    accepts_missing_status: bool,
    /// Whether the wait has waited since states were last discarded.
    has_waited: bool,
}

/// The index of an object in the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ObjectIndex(usize);

impl WaitState {
    /// Creates the state. The flag of an object shows whether it expires after completion.
    pub(crate) fn new(goal: Goal, objects: impl IntoIterator<Item = (ObjectId, bool)>) -> Self {
        let mut entries: Vec<Entry> = objects
            .into_iter()
            .map(|(id, expires)| Entry {
                id,
                health: None,
                failed_pods: 0,
                expires,
                lacks_status: false,
            })
            .collect();
        entries.sort_by(|left, right| left.id.cmp(&right.id));
        entries.dedup_by(|again, first| again.id == first.id);
        Self {
            entries,
            goal,
            accepts_missing_status: false,
            has_waited: false,
        }
    }

    pub(crate) fn goal(&self) -> Goal {
        self.goal
    }

    /// The index of an object.
    pub(crate) fn index(&self, id: &ObjectId) -> Option<ObjectIndex> {
        self.entries
            .binary_search_by(|entry| entry.id.cmp(id))
            .ok()
            .map(ObjectIndex)
    }

    pub(crate) fn id(&self, index: ObjectIndex) -> Option<&ObjectId> {
        self.entries.get(index.0).map(|entry| &entry.id)
    }

    pub(crate) fn name(&self, index: ObjectIndex) -> Option<&str> {
        self.id(index).map(|id| id.name.as_str())
    }

    /// Sets the observed state of an object.
    pub(crate) fn set(&mut self, index: ObjectIndex, observed: &ObservedState) {
        if let Some(entry) = self.entries.get_mut(index.0) {
            entry.health = Some(observed.health.clone());
            entry.lacks_status = observed.lacks_status;
        }
    }

    pub(crate) fn set_failed_pods(&mut self, index: ObjectIndex, failed: usize) {
        if let Some(entry) = self.entries.get_mut(index.0) {
            entry.failed_pods = failed;
        }
    }

    /// Lets objects without a status count as Current from here on.
    pub(crate) fn accept_missing_status(&mut self) {
        self.accepts_missing_status = true;
    }

    /// Whether only objects without a status keep the wait from its end.
    pub(crate) fn only_awaits_status(&self) -> bool {
        !self.accepts_missing_status
            && self.progress_with(false) == Progress::Pending
            && self.progress_with(true) == Progress::Done
    }

    pub(crate) fn progress(&self) -> Progress {
        match self.progress_with(self.accepts_missing_status) {
            Progress::Done if self.has_waited => Progress::Unconfirmed,
            progress => progress,
        }
    }

    /// Records that the wait waits. Waiting only for a missing status does not count. It is
    /// short and happens in every run with such objects.
    pub(crate) fn mark_waited(&mut self) {
        self.has_waited |= self.goal != Goal::Gone && self.progress_with(true) == Progress::Pending;
    }

    /// Discards the states of objects that will be read again.
    pub(crate) fn discard(&mut self, indexes: impl IntoIterator<Item = ObjectIndex>) {
        self.has_waited = false;
        for index in indexes {
            if let Some(entry) = self.entries.get_mut(index.0) {
                entry.health = None;
                entry.lacks_status = false;
            }
        }
    }

    fn progress_with(&self, accepts_missing_status: bool) -> Progress {
        let (mut failed, mut pending) = (false, false);
        for entry in &self.entries {
            match entry.effective_status(self.goal, accepts_missing_status) {
                Some(Status::Failed) => failed = true,
                Some(Status::Current) => {}
                _ => pending = true,
            }
        }
        match (failed, pending) {
            (true, false) => Progress::Failed,
            (true, true) if self.goal == (Goal::Current { fail_fast: true }) => Progress::Failed,
            (_, true) => Progress::Pending,
            (false, false) => Progress::Done,
        }
    }

    /// When the status of the first object is not valid any more.
    pub(crate) fn next_recheck(&self) -> Option<Timestamp> {
        self.entries
            .iter()
            .filter_map(|entry| entry.health.as_ref()?.valid_until)
            .min()
    }

    /// Whether the status of an object is not valid any more.
    pub(crate) fn needs_recheck(&self, index: ObjectIndex, now: Timestamp) -> bool {
        self.entries
            .get(index.0)
            .and_then(|entry| entry.health.as_ref()?.valid_until)
            .is_some_and(|until| until <= now)
    }

    /// Whether an object has reached the goal.
    pub(crate) fn is_ready(&self, index: ObjectIndex) -> bool {
        self.entries.get(index.0).is_none_or(|entry| {
            entry.effective_status(self.goal, self.accepts_missing_status) == Some(Status::Current)
        })
    }

    /// Lists the objects that keep the wait from its goal: all that are not Current after a
    /// timeout, otherwise the failed ones.
    pub(crate) fn describe_unready(&self, timed_out: bool) -> String {
        let status = |entry: &Entry| entry.effective_status(self.goal, self.accepts_missing_status);
        let mut entries: Vec<&Entry> = self
            .entries
            .iter()
            .filter(|entry| match status(entry) {
                Some(Status::Failed) => true,
                Some(Status::Current) => false,
                None if entry.expires => false,
                _ => timed_out,
            })
            .collect();
        entries.sort_by(|left, right| order::compare(&left.id, &right.id));
        let texts: Vec<String> = entries
            .into_iter()
            .map(|entry| {
                let id = &entry.id;
                match (&entry.health, entry.status()) {
                    (Some(health), Some(Status::Unknown)) if !health.message.is_empty() => {
                        format!("{id} status: 'Unknown': {}", health.message)
                    }
                    (_, Some(status)) => format!("{id} status: '{status}'"),
                    (_, None) => format!("can't determine status for {id}"),
                }
            })
            .collect();
        texts.join(", ")
    }
}

impl Entry {
    /// The status with respect to the goal.
    fn effective_status(&self, goal: Goal, accepts_missing_status: bool) -> Option<Status> {
        let status = self.status()?;
        if goal == Goal::Gone {
            return Some(match status {
                Status::NotFound => Status::Current,
                _ => Status::InProgress,
            });
        }
        match status {
            // The TTL controller only removes finished objects.
            Status::NotFound if self.expires => Some(Status::Current),
            Status::Current if self.lacks_status && !accepts_missing_status => {
                Some(Status::InProgress)
            }
            status => Some(status),
        }
    }

    /// The status of the object with its pods.
    fn status(&self) -> Option<Status> {
        let health = self.health.as_ref()?;
        Some(match health.status {
            Status::InProgress if self.failed_pods > 0 => Status::Failed,
            status => status,
        })
    }
}

#[cfg(test)]
mod tests {
    use sluice_object::Object;

    use super::*;

    fn id(kind: &str, name: &str) -> ObjectId {
        Object::new("v1", kind, "shop", name).id()
    }

    fn observed(health: Health) -> ObservedState {
        ObservedState {
            health,
            ..ObservedState::unknown("")
        }
    }

    /// A state with one pod per status; `None` was not observed.
    fn pods(fail_fast: bool, pods: &[(&str, Option<Status>)]) -> WaitState {
        let entries = pods.iter().map(|(name, status)| {
            (
                id("Pod", name),
                status.map(|status| Health::new(status, "")),
            )
        });
        state_of(fail_fast, entries.collect())
    }

    fn state_of(fail_fast: bool, entries: Vec<(ObjectId, Option<Health>)>) -> WaitState {
        let ids = entries.iter().map(|(id, _)| (id.clone(), false));
        let mut state = WaitState::new(Goal::Current { fail_fast }, ids);
        for (id, health) in entries {
            if let Some(health) = health {
                let index = state.index(&id).expect("an entry");
                state.set(index, &observed(health));
            }
        }
        state
    }

    /// A state with one pod that was not observed.
    fn pod(goal: Goal) -> (WaitState, ObjectIndex) {
        let state = WaitState::new(goal, [(id("Pod", "a"), false)]);
        let index = at(&state, "a");
        (state, index)
    }

    fn at(state: &WaitState, pod: &str) -> ObjectIndex {
        state.index(&id("Pod", pod)).expect("an entry")
    }

    use Status::{Current, Failed, InProgress, NotFound, Terminating, Unknown};

    #[test]
    fn progress_follows_the_statuses() {
        for (fail_fast, entries, progress) in [
            (true, vec![], Progress::Done),
            (
                true,
                vec![("a", Some(Current)), ("b", Some(Current))],
                Progress::Done,
            ),
            (
                true,
                vec![("a", Some(Current)), ("b", None)],
                Progress::Pending,
            ),
            (
                true,
                vec![("a", Some(Current)), ("b", Some(InProgress))],
                Progress::Pending,
            ),
            (true, vec![("a", Some(NotFound))], Progress::Pending),
            (true, vec![("a", Some(Terminating))], Progress::Pending),
            (true, vec![("a", Some(Unknown))], Progress::Pending),
            (
                true,
                vec![("a", Some(Failed)), ("b", Some(InProgress))],
                Progress::Failed,
            ),
            (
                false,
                vec![("a", Some(Failed)), ("b", Some(InProgress))],
                Progress::Pending,
            ),
            (
                false,
                vec![("a", Some(Failed)), ("b", None)],
                Progress::Pending,
            ),
            (
                false,
                vec![("a", Some(Failed)), ("b", Some(Current))],
                Progress::Failed,
            ),
        ] {
            assert_eq!(
                pods(fail_fast, &entries).progress(),
                progress,
                "{fail_fast} {entries:?}"
            );
        }
    }

    #[test]
    fn expired_job_is_current() {
        let job = id("Job", "a");
        let mut state = WaitState::new(Goal::Current { fail_fast: true }, [(job.clone(), true)]);
        assert_eq!(state.progress(), Progress::Pending);
        assert_eq!(state.describe_unready(true), "");
        let job = state.index(&job).expect("an entry");
        state.set(job, &observed(Health::not_found()));
        assert_eq!(state.progress(), Progress::Done);
    }

    #[test]
    fn wait_for_deletion_ends_when_objects_are_gone() {
        let (mut state, pod) = pod(Goal::Gone);
        for status in [Current, Failed, InProgress, Terminating, Unknown] {
            state.set(pod, &observed(Health::new(status, "")));
            assert_eq!(state.progress(), Progress::Pending, "{status}");
        }
        assert_eq!(state.describe_unready(true), "Pod/shop/a status: 'Unknown'");
        state.set(pod, &observed(Health::not_found()));
        assert_eq!(state.progress(), Progress::Done);
    }

    #[test]
    fn status_with_time_limit_is_rechecked() {
        let mut state = pods(true, &[("a", Some(InProgress)), ("b", Some(InProgress))]);
        assert_eq!(state.next_recheck(), None);
        let until: Timestamp = "2026-01-01T00:00:10Z".parse().expect("a timestamp");
        let mut passing = observed(Health::in_progress(""));
        passing.health.valid_until = Some(until);
        let [lasting, short] = ["a", "b"].map(|pod| at(&state, pod));
        state.set(short, &passing);
        assert_eq!(state.next_recheck(), Some(until));
        assert!(!state.needs_recheck(short, until - jiff::SignedDuration::from_secs(1)));
        assert!(state.needs_recheck(short, until));
        assert!(!state.needs_recheck(lasting, until));
    }

    #[test]
    fn missing_status_is_accepted_after_its_timeout() {
        let mut state = pods(true, &[("a", Some(Current))]);
        let silent = ObservedState {
            lacks_status: true,
            ..observed(Health::current(""))
        };
        let pod = at(&state, "a");
        state.set(pod, &silent);
        assert_eq!(state.progress(), Progress::Pending);
        assert!(state.only_awaits_status());
        state.accept_missing_status();
        assert_eq!(state.progress(), Progress::Done);
        assert!(!state.only_awaits_status());
    }

    #[test]
    fn objects_are_confirmed_after_a_wait_for_others() {
        let mut state = pods(
            true,
            &[("kept", Some(Current)), ("awaited", Some(InProgress))],
        );
        let [kept, awaited] = ["kept", "awaited"].map(|pod| at(&state, pod));
        assert_eq!(state.progress(), Progress::Pending);
        state.mark_waited();
        state.set(awaited, &observed(Health::current("")));
        assert_eq!(state.progress(), Progress::Unconfirmed);
        state.discard([kept]);
        assert_eq!(
            state.describe_unready(true),
            "can't determine status for Pod/shop/kept"
        );

        // An unchanged object ends the wait. A changed one is awaited and confirmed again.
        let mut healthy = state.clone();
        healthy.set(kept, &observed(Health::current("")));
        assert_eq!(healthy.progress(), Progress::Done);
        state.set(kept, &observed(Health::not_found()));
        assert_eq!(state.progress(), Progress::Pending);
        state.mark_waited();
        state.set(kept, &observed(Health::current("")));
        assert_eq!(state.progress(), Progress::Unconfirmed);
        state.discard([]);
        assert_eq!(state.progress(), Progress::Done);
    }

    #[test]
    fn immediately_current_objects_need_no_confirmation() {
        let at_once = pods(true, &[("a", Some(Current)), ("b", Some(Current))]);
        assert_eq!(at_once.progress(), Progress::Done);

        let mut silent = pods(true, &[("a", Some(Current)), ("b", None)]);
        let pod = at(&silent, "b");
        silent.set(
            pod,
            &ObservedState {
                lacks_status: true,
                ..observed(Health::current(""))
            },
        );
        assert_eq!(silent.progress(), Progress::Pending);
        silent.mark_waited();
        silent.accept_missing_status();
        assert_eq!(silent.progress(), Progress::Done);
    }

    #[test]
    fn deleted_objects_need_no_confirmation() {
        let (mut state, pod) = pod(Goal::Gone);
        state.set(pod, &observed(Health::current("")));
        assert_eq!(state.progress(), Progress::Pending);
        state.mark_waited();
        state.set(pod, &observed(Health::not_found()));
        assert_eq!(state.progress(), Progress::Done);
    }

    #[test]
    fn failed_pods_only_fail_a_workload_in_progress() {
        let mut state = pods(true, &[("a", Some(InProgress))]);
        let pod = at(&state, "a");
        state.set_failed_pods(pod, 2);
        assert_eq!(state.progress(), Progress::Failed);
        state.set(pod, &observed(Health::current("")));
        assert_eq!(state.progress(), Progress::Done);
    }

    #[test]
    fn unready_objects_are_sorted_with_their_status() {
        let pod = |name, status| (id("Pod", name), Some(Health::new(status, "")));
        let config = (id("ConfigMap", "z"), Some(Health::unknown("forbidden")));
        let entries = vec![
            pod("d", InProgress),
            pod("a", Failed),
            (id("Pod", "c"), None),
            pod("b", Current),
            config,
        ];
        let state = state_of(false, entries);
        assert_eq!(
            state.describe_unready(true),
            "ConfigMap/shop/z status: 'Unknown': forbidden, Pod/shop/a status: 'Failed', \
             can't determine status for Pod/shop/c, Pod/shop/d status: 'InProgress'"
        );
        assert_eq!(state.describe_unready(false), "Pod/shop/a status: 'Failed'");
    }
}
