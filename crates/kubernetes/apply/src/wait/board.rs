//! Where a wait stands: one row per object, and the verdict over all of them. Pure.
//!
//! Parity: `pkg: ssa/manager_wait.go`.

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
    id: ObjectId,
    health: Option<Health>,
    /// Failed pods of a workload, where they have a say.
    failed_pods: usize,
    expires: bool,
    silent: bool,
}

/// The rows of a wait.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// Sorted by what they are about.
    rows: Vec<Row>,
    goal: Goal,
    /// Whether silent objects are believed by now.
    settled: bool,
    /// Whether anything was awaited since the rows were last doubted.
    awaited: bool,
}

/// A place on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place(usize);

impl Board {
    /// A board with a row for each object; with it comes whether the object may vanish once it is
    /// done.
    pub(crate) fn new(goal: Goal, objects: impl IntoIterator<Item = (ObjectId, bool)>) -> Self {
        let mut rows: Vec<Row> = objects
            .into_iter()
            .map(|(id, expires)| Row {
                id,
                health: None,
                failed_pods: 0,
                expires,
                silent: false,
            })
            .collect();
        rows.sort_by(|left, right| left.id.cmp(&right.id));
        rows.dedup_by(|again, first| again.id == first.id);
        Self {
            rows,
            goal,
            settled: false,
            awaited: false,
        }
    }

    pub(crate) fn goal(&self) -> Goal {
        self.goal
    }

    /// The place of an object that is on this board.
    pub(crate) fn place(&self, id: &ObjectId) -> Option<Place> {
        self.rows
            .binary_search_by(|row| row.id.cmp(id))
            .ok()
            .map(Place)
    }

    /// What is at a place.
    pub(crate) fn id(&self, place: Place) -> Option<&ObjectId> {
        self.rows.get(place.0).map(|row| &row.id)
    }

    pub(crate) fn name(&self, place: Place) -> Option<&str> {
        self.id(place).map(|id| id.name.as_str())
    }

    /// Writes down what was seen of an object.
    pub(crate) fn see(&mut self, place: Place, seen: &Seen) {
        if let Some(row) = self.rows.get_mut(place.0) {
            row.health = Some(seen.health.clone());
            row.silent = seen.silent;
        }
    }

    pub(crate) fn see_failed_pods(&mut self, place: Place, failed: usize) {
        if let Some(row) = self.rows.get_mut(place.0) {
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
    pub(crate) fn doubt(&mut self, places: impl IntoIterator<Item = Place>) {
        self.awaited = false;
        for place in places {
            if let Some(row) = self.rows.get_mut(place.0) {
                row.health = None;
                row.silent = false;
            }
        }
    }

    fn judge(&self, settled: bool) -> Verdict {
        let (mut failed, mut pending) = (false, false);
        for row in &self.rows {
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
            .iter()
            .filter_map(|row| row.health.as_ref()?.valid_until)
            .min()
    }

    /// Whether the judgement of an object does not hold any more.
    pub(crate) fn is_due(&self, place: Place, now: Timestamp) -> bool {
        self.rows
            .get(place.0)
            .and_then(|row| row.health.as_ref()?.valid_until)
            .is_some_and(|until| until <= now)
    }

    /// Tells whether an object cannot change the verdict any more.
    pub(crate) fn is_settled(&self, place: Place) -> bool {
        self.rows
            .get(place.0)
            .is_none_or(|row| row.effective(self.goal, self.settled) == Some(Status::Current))
    }

    /// Lists what stood in the way: everything that is not Current after a time-out, what has
    /// failed otherwise.
    pub(crate) fn complaints(&self, timed_out: bool) -> String {
        let mut rows: Vec<&Row> = self
            .rows
            .iter()
            .filter(|row| match row.effective(self.goal, self.settled) {
                Some(Status::Failed) => true,
                Some(Status::Current) => false,
                None if row.expires => false,
                _ => timed_out,
            })
            .collect();
        rows.sort_by(|left, right| order::compare(&left.id, &right.id));
        let texts: Vec<String> = rows
            .into_iter()
            .map(|row| {
                let id = &row.id;
                match (&row.health, row.shown()) {
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

    /// A board with one pod per status; `None` was never seen.
    fn board(fail_fast: bool, pods: &[(&str, Option<Status>)]) -> Board {
        let rows = pods.iter().map(|(name, status)| {
            (
                id("Pod", name),
                status.map(|status| Health::new(status, "")),
            )
        });
        board_of(fail_fast, rows.collect())
    }

    fn board_of(fail_fast: bool, rows: Vec<(ObjectId, Option<Health>)>) -> Board {
        let ids = rows.iter().map(|(id, _)| (id.clone(), false));
        let mut board = Board::new(Goal::Current { fail_fast }, ids);
        for (id, health) in rows {
            if let Some(health) = health {
                let place = board.place(&id).expect("a row");
                board.see(place, &seen(health));
            }
        }
        board
    }

    /// A board with one pod, of which nothing is known.
    fn pod(goal: Goal) -> (Board, Place) {
        let board = Board::new(goal, [(id("Pod", "a"), false)]);
        let place = at(&board, "a");
        (board, place)
    }

    fn at(board: &Board, pod: &str) -> Place {
        board.place(&id("Pod", pod)).expect("a row")
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
        let job = id("Job", "a");
        let mut board = Board::new(Goal::Current { fail_fast: true }, [(job.clone(), true)]);
        assert_eq!(board.verdict(), Verdict::Pending);
        assert_eq!(board.complaints(true), "");
        let job = board.place(&job).expect("a row");
        board.see(job, &seen(Health::not_found()));
        assert_eq!(board.verdict(), Verdict::Done);
    }

    #[test]
    fn a_termination_ends_when_nothing_is_left() {
        let (mut board, pod) = pod(Goal::Gone);
        for status in [Current, Failed, InProgress, Terminating, Unknown] {
            board.see(pod, &seen(Health::new(status, "")));
            assert_eq!(board.verdict(), Verdict::Pending, "{status}");
        }
        assert_eq!(board.complaints(true), "Pod/shop/a status: 'Unknown'");
        board.see(pod, &seen(Health::not_found()));
        assert_eq!(board.verdict(), Verdict::Done);
    }

    #[test]
    fn a_judgement_that_expires_is_due_at_its_time() {
        let mut board = board(true, &[("a", Some(InProgress)), ("b", Some(InProgress))]);
        assert_eq!(board.next_recheck(), None);
        let until: Timestamp = "2026-01-01T00:00:10Z".parse().expect("a timestamp");
        let mut passing = seen(Health::in_progress(""));
        passing.health.valid_until = Some(until);
        let [lasting, short] = ["a", "b"].map(|pod| at(&board, pod));
        board.see(short, &passing);
        assert_eq!(board.next_recheck(), Some(until));
        assert!(!board.is_due(short, until - jiff::SignedDuration::from_secs(1)));
        assert!(board.is_due(short, until));
        assert!(!board.is_due(lasting, until));
    }

    #[test]
    fn a_silent_object_is_believed_only_after_it_settled() {
        let mut board = board(true, &[("a", Some(Current))]);
        let silent = Seen {
            silent: true,
            ..seen(Health::current(""))
        };
        let pod = at(&board, "a");
        board.see(pod, &silent);
        assert_eq!(board.verdict(), Verdict::Pending);
        assert!(board.waits_to_settle());
        board.settle();
        assert_eq!(board.verdict(), Verdict::Done);
        assert!(!board.waits_to_settle());
    }

    #[test]
    fn what_is_current_only_after_others_were_awaited_is_doubted() {
        let mut board = board(
            true,
            &[("kept", Some(Current)), ("awaited", Some(InProgress))],
        );
        let [kept, awaited] = ["kept", "awaited"].map(|pod| at(&board, pod));
        assert_eq!(board.verdict(), Verdict::Pending);
        board.spend();
        board.see(awaited, &seen(Health::current("")));
        assert_eq!(board.verdict(), Verdict::Unsure);
        board.doubt([kept]);
        assert_eq!(
            board.complaints(true),
            "can't determine status for Pod/shop/kept"
        );

        // What is as it was ends the wait; what is not is awaited, and the others doubted again.
        let mut healthy = board.clone();
        healthy.see(kept, &seen(Health::current("")));
        assert_eq!(healthy.verdict(), Verdict::Done);
        board.see(kept, &seen(Health::not_found()));
        assert_eq!(board.verdict(), Verdict::Pending);
        board.spend();
        board.see(kept, &seen(Health::current("")));
        assert_eq!(board.verdict(), Verdict::Unsure);
        board.doubt([]);
        assert_eq!(board.verdict(), Verdict::Done);
    }

    #[test]
    fn nothing_is_doubted_that_was_current_at_once_or_waited_for_silence_only() {
        let at_once = board(true, &[("a", Some(Current)), ("b", Some(Current))]);
        assert_eq!(at_once.verdict(), Verdict::Done);

        let mut silent = board(true, &[("a", Some(Current)), ("b", None)]);
        let pod = at(&silent, "b");
        silent.see(
            pod,
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
        let (mut board, pod) = pod(Goal::Gone);
        board.see(pod, &seen(Health::current("")));
        assert_eq!(board.verdict(), Verdict::Pending);
        board.spend();
        board.see(pod, &seen(Health::not_found()));
        assert_eq!(board.verdict(), Verdict::Done);
    }

    #[test]
    fn failed_pods_fail_a_workload_in_progress_only() {
        let mut board = board(true, &[("a", Some(InProgress))]);
        let pod = at(&board, "a");
        board.see_failed_pods(pod, 2);
        assert_eq!(board.verdict(), Verdict::Failed);
        board.see(pod, &seen(Health::current("")));
        assert_eq!(board.verdict(), Verdict::Done);
    }

    #[test]
    fn complaints_are_sorted_and_name_the_status() {
        let pod = |name, status| (id("Pod", name), Some(Health::new(status, "")));
        let config = (id("ConfigMap", "z"), Some(Health::unknown("forbidden")));
        let rows = vec![
            pod("d", InProgress),
            pod("a", Failed),
            (id("Pod", "c"), None),
            pod("b", Current),
            config,
        ];
        let board = board_of(false, rows);
        assert_eq!(
            board.complaints(true),
            "ConfigMap/shop/z status: 'Unknown': forbidden, Pod/shop/a status: 'Failed', \
             can't determine status for Pod/shop/c, Pod/shop/d status: 'InProgress'"
        );
        assert_eq!(board.complaints(false), "Pod/shop/a status: 'Failed'");
    }
}
