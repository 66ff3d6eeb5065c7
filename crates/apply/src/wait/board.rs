//! Where a wait stands: one row per object, and the verdict over all of them. Pure.
//!
//! Parity: `pkg: ssa/manager_wait.go`.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use sluice_object::status::{Health, Status};
use sluice_object::{ObjectId, order};

use crate::target::Seen;

/// How long a custom object that looks Current without any status must stay so. Its controller
/// may not have seen it yet; we are quicker than Flux, whose wait begins later for being slower.
pub(crate) const SETTLE: Duration = Duration::from_millis(500);

/// Where a wait stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Pending,
    /// Everything was Current when it was last seen, but not all of it at one time: while some was
    /// awaited, the rest may have changed.
    Unsure,
    /// Everything is Current.
    Done,
    /// Something is Failed, and nothing that is awaited can change that.
    Failed,
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Everything is healthy; with `fail_fast` the first failure ends the wait.
    Current { fail_fast: bool },
    /// Nothing is there any more.
    Gone,
}

#[derive(Clone, Debug)]
struct Row {
    health: Option<Health>,
    /// Failed pods of a workload, where they have a say.
    failed_pods: usize,
    expires: bool,
    silent: bool,
}

/// The rows of a wait.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    rows: BTreeMap<ObjectId, Row>,
    goal: Goal,
    /// Whether silent objects are believed by now.
    settled: bool,
    /// Whether anything was awaited since the rows were last doubted.
    awaited: bool,
}

impl Board {
    pub(crate) fn new(goal: Goal) -> Self {
        Self {
            rows: BTreeMap::new(),
            goal,
            settled: false,
            awaited: false,
        }
    }

    pub(crate) fn goal(&self) -> Goal {
        self.goal
    }

    pub(crate) fn add(&mut self, id: ObjectId, expires: bool) {
        self.rows.entry(id).or_insert(Row {
            health: None,
            failed_pods: 0,
            expires,
            silent: false,
        });
    }

    /// Writes down what was seen of an object.
    pub(crate) fn see(&mut self, id: &ObjectId, seen: &Seen) {
        if let Some(row) = self.rows.get_mut(id) {
            row.health = Some(seen.health.clone());
            row.silent = seen.silent;
        }
    }

    pub(crate) fn see_failed_pods(&mut self, id: &ObjectId, failed: usize) {
        if let Some(row) = self.rows.get_mut(id) {
            row.failed_pods = failed;
        }
    }

    /// Believes silent objects from now on.
    pub(crate) fn settle(&mut self) {
        self.settled = true;
    }

    /// Tells whether the verdict waits for nothing but [`Board::settle`].
    pub(crate) fn waits_to_settle(&self) -> bool {
        !self.settled && self.judge(false) == Verdict::Pending && self.judge(true) == Verdict::Done
    }

    pub(crate) fn verdict(&self) -> Verdict {
        match self.judge(self.settled) {
            Verdict::Done if self.awaited => Verdict::Unsure,
            verdict => verdict,
        }
    }

    /// Remembers that time is spent. The moment until silent objects are believed does not count:
    /// it ends by itself, and every run has it whose set has such objects.
    pub(crate) fn spend(&mut self) {
        self.awaited |= self.goal != Goal::Gone && self.judge(true) == Verdict::Pending;
    }

    /// Forgets what was seen of these objects, which are about to be looked at again.
    pub(crate) fn doubt<'a>(&mut self, ids: impl IntoIterator<Item = &'a ObjectId>) {
        self.awaited = false;
        for id in ids {
            if let Some(row) = self.rows.get_mut(id) {
                row.health = None;
                row.silent = false;
            }
        }
    }

    fn judge(&self, settled: bool) -> Verdict {
        let (mut failed, mut pending) = (false, false);
        for row in self.rows.values() {
            match row.effective(self.goal, settled) {
                Some(Status::Failed) => failed = true,
                Some(Status::Current) => {}
                _ => pending = true,
            }
        }
        match (failed, pending) {
            (true, false) => Verdict::Failed,
            (true, true) if self.goal == (Goal::Current { fail_fast: true }) => Verdict::Failed,
            (_, true) => Verdict::Pending,
            (false, false) => Verdict::Done,
        }
    }

    /// Returns when the first object will be judged otherwise without having changed.
    pub(crate) fn next_recheck(&self) -> Option<Timestamp> {
        self.rows
            .values()
            .filter_map(|row| row.health.as_ref()?.holds_until)
            .min()
    }

    /// Lists the objects whose judgement does not hold any more.
    pub(crate) fn due(&self, now: Timestamp) -> Vec<ObjectId> {
        self.rows
            .iter()
            .filter(|(_, row)| {
                row.health
                    .as_ref()
                    .and_then(|health| health.holds_until)
                    .is_some_and(|until| until <= now)
            })
            .map(|(id, _)| id.clone())
            .collect()
    }

    /// Tells whether an object can still change the verdict.
    pub(crate) fn is_settled(&self, id: &ObjectId) -> bool {
        self.rows
            .get(id)
            .is_none_or(|row| row.effective(self.goal, self.settled) == Some(Status::Current))
    }

    /// Lists what stood in the way: everything that is not Current after a time-out, what has
    /// failed otherwise.
    pub(crate) fn complaints(&self, timed_out: bool) -> String {
        let mut rows: Vec<(&ObjectId, &Row)> = self
            .rows
            .iter()
            .filter(|(_, row)| match row.effective(self.goal, self.settled) {
                Some(Status::Failed) => true,
                Some(Status::Current) => false,
                None if row.expires => false,
                _ => timed_out,
            })
            .collect();
        rows.sort_by(|(left, _), (right, _)| order::compare(left, right));
        let texts: Vec<String> = rows
            .into_iter()
            .map(|(id, row)| match (&row.health, row.shown()) {
                (Some(health), Some(Status::Unknown)) if !health.message.is_empty() => {
                    format!("{id} status: 'Unknown': {}", health.message)
                }
                (_, Some(status)) => format!("{id} status: '{status}'"),
                (_, None) => format!("can't determine status for {id}"),
            })
            .collect();
        texts.join(", ")
    }
}

impl Row {
    /// The status that counts for the verdict.
    fn effective(&self, goal: Goal, settled: bool) -> Option<Status> {
        let shown = self.shown()?;
        if goal == Goal::Gone {
            return Some(match shown {
                Status::NotFound => Status::Current,
                _ => Status::InProgress,
            });
        }
        match shown {
            // The TTL controller removed it, and it only removes what has finished.
            Status::NotFound if self.expires => Some(Status::Current),
            Status::Current if self.silent && !settled => Some(Status::InProgress),
            status => Some(status),
        }
    }

    /// The status that is printed.
    fn shown(&self) -> Option<Status> {
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

    fn seen(health: Health) -> Seen {
        Seen {
            health,
            ..Seen::unknown("")
        }
    }

    /// A board with one row per status; `None` was never seen.
    fn board(fail_fast: bool, rows: &[(&str, Option<Status>)]) -> Board {
        let mut board = Board::new(Goal::Current { fail_fast });
        for (name, status) in rows {
            board.add(id("Pod", name), false);
            if let Some(status) = status {
                board.see(&id("Pod", name), &seen(Health::new(*status, "")));
            }
        }
        board
    }

    use Status::{Current, Failed, InProgress, NotFound, Terminating, Unknown};

    #[test]
    fn a_wait_ends_when_all_is_current_or_nothing_else_can_come() {
        for (fail_fast, rows, verdict) in [
            (true, vec![], Verdict::Done),
            (
                true,
                vec![("a", Some(Current)), ("b", Some(Current))],
                Verdict::Done,
            ),
            (
                true,
                vec![("a", Some(Current)), ("b", None)],
                Verdict::Pending,
            ),
            (
                true,
                vec![("a", Some(Current)), ("b", Some(InProgress))],
                Verdict::Pending,
            ),
            (true, vec![("a", Some(NotFound))], Verdict::Pending),
            (true, vec![("a", Some(Terminating))], Verdict::Pending),
            (true, vec![("a", Some(Unknown))], Verdict::Pending),
            (
                true,
                vec![("a", Some(Failed)), ("b", Some(InProgress))],
                Verdict::Failed,
            ),
            (
                false,
                vec![("a", Some(Failed)), ("b", Some(InProgress))],
                Verdict::Pending,
            ),
            (
                false,
                vec![("a", Some(Failed)), ("b", None)],
                Verdict::Pending,
            ),
            (
                false,
                vec![("a", Some(Failed)), ("b", Some(Current))],
                Verdict::Failed,
            ),
        ] {
            assert_eq!(
                board(fail_fast, &rows).verdict(),
                verdict,
                "{fail_fast} {rows:?}"
            );
        }
    }

    #[test]
    fn a_job_that_its_ttl_removed_is_current() {
        let mut board = Board::new(Goal::Current { fail_fast: true });
        board.add(id("Job", "a"), true);
        assert_eq!(board.verdict(), Verdict::Pending);
        assert_eq!(board.complaints(true), "");
        board.see(&id("Job", "a"), &seen(Health::not_found()));
        assert_eq!(board.verdict(), Verdict::Done);
    }

    #[test]
    fn a_termination_ends_when_nothing_is_left() {
        let mut board = Board::new(Goal::Gone);
        board.add(id("Pod", "a"), false);
        for status in [Current, Failed, InProgress, Terminating, Unknown] {
            board.see(&id("Pod", "a"), &seen(Health::new(status, "")));
            assert_eq!(board.verdict(), Verdict::Pending, "{status}");
        }
        assert_eq!(board.complaints(true), "Pod/shop/a status: 'Unknown'");
        board.see(&id("Pod", "a"), &seen(Health::not_found()));
        assert_eq!(board.verdict(), Verdict::Done);
    }

    #[test]
    fn a_judgement_that_expires_is_due_at_its_time() {
        let mut board = board(true, &[("a", Some(InProgress)), ("b", Some(InProgress))]);
        assert_eq!(board.next_recheck(), None);
        let until: Timestamp = "2026-01-01T00:00:10Z".parse().expect("a timestamp");
        let mut passing = seen(Health::in_progress(""));
        passing.health.holds_until = Some(until);
        board.see(&id("Pod", "b"), &passing);
        assert_eq!(board.next_recheck(), Some(until));
        assert!(
            board
                .due(until - jiff::SignedDuration::from_secs(1))
                .is_empty()
        );
        assert_eq!(board.due(until), [id("Pod", "b")]);
    }

    #[test]
    fn a_silent_object_is_believed_only_after_it_settled() {
        let mut board = board(true, &[("a", Some(Current))]);
        let silent = Seen {
            silent: true,
            ..seen(Health::current(""))
        };
        board.see(&id("Pod", "a"), &silent);
        assert_eq!(board.verdict(), Verdict::Pending);
        assert!(board.waits_to_settle());
        board.settle();
        assert_eq!(board.verdict(), Verdict::Done);
        assert!(!board.waits_to_settle());
    }

    #[test]
    fn what_is_current_only_after_others_were_awaited_is_doubted() {
        let (kept, awaited) = (id("Pod", "kept"), id("Pod", "awaited"));
        let mut board = board(
            true,
            &[("kept", Some(Current)), ("awaited", Some(InProgress))],
        );
        assert_eq!(board.verdict(), Verdict::Pending);
        board.spend();
        board.see(&awaited, &seen(Health::current("")));
        assert_eq!(board.verdict(), Verdict::Unsure);
        board.doubt([&kept]);
        assert_eq!(
            board.complaints(true),
            "can't determine status for Pod/shop/kept"
        );

        // What is as it was ends the wait; what is not is awaited, and the others doubted again.
        let mut healthy = board.clone();
        healthy.see(&kept, &seen(Health::current("")));
        assert_eq!(healthy.verdict(), Verdict::Done);
        board.see(&kept, &seen(Health::not_found()));
        assert_eq!(board.verdict(), Verdict::Pending);
        board.spend();
        board.see(&kept, &seen(Health::current("")));
        assert_eq!(board.verdict(), Verdict::Unsure);
        board.doubt([]);
        assert_eq!(board.verdict(), Verdict::Done);
    }

    #[test]
    fn nothing_is_doubted_that_was_current_at_once_or_waited_for_silence_only() {
        let at_once = board(true, &[("a", Some(Current)), ("b", Some(Current))]);
        assert_eq!(at_once.verdict(), Verdict::Done);

        let mut silent = board(true, &[("a", Some(Current)), ("b", None)]);
        silent.see(
            &id("Pod", "b"),
            &Seen {
                silent: true,
                ..seen(Health::current(""))
            },
        );
        assert_eq!(silent.verdict(), Verdict::Pending);
        silent.spend();
        silent.settle();
        assert_eq!(silent.verdict(), Verdict::Done);
    }

    #[test]
    fn what_is_gone_is_not_doubted() {
        let mut board = Board::new(Goal::Gone);
        board.add(id("Pod", "a"), false);
        board.see(&id("Pod", "a"), &seen(Health::current("")));
        assert_eq!(board.verdict(), Verdict::Pending);
        board.spend();
        board.see(&id("Pod", "a"), &seen(Health::not_found()));
        assert_eq!(board.verdict(), Verdict::Done);
    }

    #[test]
    fn failed_pods_fail_a_workload_in_progress_only() {
        let mut board = board(true, &[("a", Some(InProgress))]);
        board.see_failed_pods(&id("Pod", "a"), 2);
        assert_eq!(board.verdict(), Verdict::Failed);
        board.see(&id("Pod", "a"), &seen(Health::current("")));
        assert_eq!(board.verdict(), Verdict::Done);
    }

    #[test]
    fn complaints_are_sorted_and_name_the_status() {
        let mut board = board(
            false,
            &[
                ("d", Some(InProgress)),
                ("a", Some(Failed)),
                ("c", None),
                ("b", Some(Current)),
            ],
        );
        board.add(id("ConfigMap", "z"), false);
        board.see(&id("ConfigMap", "z"), &seen(Health::unknown("forbidden")));
        assert_eq!(
            board.complaints(true),
            "ConfigMap/shop/z status: 'Unknown': forbidden, Pod/shop/a status: 'Failed', \
             can't determine status for Pod/shop/c, Pod/shop/d status: 'InProgress'"
        );
        assert_eq!(board.complaints(false), "Pod/shop/a status: 'Failed'");
    }
}
