//! Who runs next: a synchronous state machine without clock, lock or task.
//!
//! It knows, for every object of one controller, whether it waits, runs, has given
//! its worker back or sleeps until some moment, and answers one question,
//! [`Queue::next`]. Time comes in as a [`Moment`]; [`crate::workers`] is the thin
//! asynchronous shell around it.
//!
//! The rules:
//! - **Permits.** At most `permits` objects work at once. A run that waits for
//!   something else than the processor gives its permit back ([`Queue::release`])
//!   and stays the object's only run; afterwards it stands in line again
//!   ([`Queue::reclaim`]).
//! - **Fair across namespaces.** Namespaces with ready objects form a ring and are
//!   served in turn, one object each, so that a thousand objects of one tenant delay
//!   another tenant's by one object. Inside a namespace whoever wants his permit
//!   back goes first (he holds memory and is nearly done), then prompt causes (an
//!   edit, a request), then routine ones (the initial list, intervals); every few
//!   prompt ones a routine one, lest those starve.
//! - **One run per object.** Being enqueued while running marks the object; it runs
//!   again right after. Being enqueued twice while waiting is being enqueued once.
//! - **One alarm per object**, set by the end of a run and cleared by the start of
//!   the next: the latest run alone knows when to look again.
//! - **Back-off per object**, doubling from `min` to `max`, forgotten by the first
//!   run that ends otherwise.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use crate::key::ObjectKey;
use crate::reconcile::Cause;

#[cfg(test)]
mod tests;

/// Time since the queue began. Monotonic; only differences matter.
pub type Moment = Duration;

/// How many prompt objects of a namespace may overtake its waiting routine ones.
const PROMPTS_IN_ROW: u8 = 4;

/// How many times in a row an object may ask to run again at once before it is
/// slowed down like a failing one.
const HURRIES_IN_ROW: u8 = 5;

/// The numbers a queue works with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many objects may work at once.
    pub permits: usize,
    /// First back-off delay (`--min-retry-delay`).
    pub min_retry_delay: Duration,
    /// Longest back-off delay (`--max-retry-delay`).
    pub max_retry_delay: Duration,
}

/// What [`Queue::next`] hands out: the holder now has a permit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    /// Begin a run.
    Start {
        /// Of this object.
        key: ObjectKey,
        /// For this reason; the latest one when there were several.
        cause: Cause,
        /// How long it stood in line.
        waited: Duration,
    },
    /// Continue a run that had given its permit back.
    Resume {
        /// Of this object.
        key: ObjectKey,
    },
}

/// What the end of a run asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nothing.
    Never,
    /// Another run at once.
    Now,
    /// Another run after this time, for its interval's sake.
    Interval(Duration),
    /// Another run after this time.
    After(Duration),
    /// Another run after the back-off delay.
    Backoff,
}

/// What enqueuing met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It was idle or asleep and now stands in line.
    Queued,
    /// It already stood in line.
    Merged,
    /// It runs; it will run again afterwards, and the run may end early.
    Superseded,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lane {
    Prompt,
    Routine,
}

/// Where a run stands with its permit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seat {
    Holding,
    Released,
    Reclaiming,
}

#[derive(Debug)]
struct Pending {
    cause: Cause,
    lane: Lane,
    since: Moment,
}

#[derive(Debug, Default)]
struct Item {
    pending: Option<Pending>,
    seat: Option<Seat>,
    alarm: Option<(Moment, u64)>,
    failures: u32,
    hurries: u8,
}

impl Item {
    fn is_idle(&self) -> bool {
        self.pending.is_none()
            && self.seat.is_none()
            && self.alarm.is_none()
            && self.failures == 0
            && self.hurries == 0
    }
}

/// The ready objects of one namespace. Entries may be stale (the object moved to
/// another lane or was forgotten); whoever pops checks.
#[derive(Debug, Default)]
struct Lanes {
    resume: VecDeque<ObjectKey>,
    prompt: VecDeque<ObjectKey>,
    routine: VecDeque<ObjectKey>,
    prompts_in_row: u8,
}

/// See the module's documentation.
#[derive(Debug)]
pub struct Queue {
    limits: Limits,
    items: HashMap<ObjectKey, Item>,
    lanes: HashMap<Arc<str>, Lanes>,
    /// Namespaces that have a [`Lanes`] entry, in the order they will be served.
    ring: VecDeque<Arc<str>>,
    alarms: BTreeMap<(Moment, u64), (ObjectKey, Cause)>,
    sequence: u64,
    holding: usize,
    away: usize,
    depth: usize,
}

impl Queue {
    /// Makes an empty queue.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            items: HashMap::new(),
            lanes: HashMap::new(),
            ring: VecDeque::new(),
            alarms: BTreeMap::new(),
            sequence: 0,
            holding: 0,
            away: 0,
            depth: 0,
        }
    }

    /// Enqueues an object.
    pub fn add(&mut self, key: &ObjectKey, cause: Cause, now: Moment) -> Added {
        let item = self.items.entry(key.clone()).or_default();
        let lane = if cause.is_prompt() {
            Lane::Prompt
        } else {
            Lane::Routine
        };
        let running = item.seat.is_some();
        match &mut item.pending {
            Some(pending) => {
                let overtakes = lane == Lane::Prompt && pending.lane == Lane::Routine;
                if overtakes {
                    pending.lane = Lane::Prompt;
                }
                // A timer says less about why we run than the edit it coincides with.
                if lane == Lane::Prompt || pending.lane == Lane::Routine {
                    pending.cause = cause;
                }
                if running {
                    return Added::Superseded;
                }
                if overtakes {
                    self.line_up(key, Lane::Prompt);
                }
                Added::Merged
            }
            None => {
                item.pending = Some(Pending {
                    cause,
                    lane,
                    since: now,
                });
                if running {
                    return Added::Superseded;
                }
                self.depth += 1;
                self.line_up(key, lane);
                Added::Queued
            }
        }
    }

    /// Forgets an object that no longer exists: its place in line, its alarm and its
    /// failures. A run under way is left to end.
    pub fn forget(&mut self, key: &ObjectKey) {
        let Some(item) = self.items.get_mut(key) else {
            return;
        };
        if let Some(alarm) = item.alarm.take() {
            self.alarms.remove(&alarm);
        }
        if item.pending.take().is_some() && item.seat.is_none() {
            self.depth -= 1;
        }
        item.failures = 0;
        item.hurries = 0;
        self.drop_if_idle(key);
    }

    /// Hands out the next permit, if one is free and somebody wants it.
    pub fn next(&mut self, now: Moment) -> Option<Turn> {
        self.ring_alarms(now);
        while self.holding < self.limits.permits {
            let namespace = self.ring.pop_front()?;
            let Some(lanes) = self.lanes.get_mut(&namespace) else {
                continue;
            };
            let turn = Self::take(lanes, &mut self.items, now);
            if lanes.is_empty() {
                self.lanes.remove(&namespace);
            } else {
                self.ring.push_back(namespace);
            }
            let Some(turn) = turn else { continue };
            self.holding += 1;
            match &turn {
                Turn::Resume { .. } => self.away -= 1,
                Turn::Start { key, .. } => {
                    self.depth -= 1;
                    if let Some(alarm) = self.items.get_mut(key).and_then(|item| item.alarm.take())
                    {
                        self.alarms.remove(&alarm);
                    }
                }
            }
            return Some(turn);
        }
        None
    }

    /// Gives the permit of a running object back without ending its run. One that stands
    /// in line for its permit steps out of it.
    pub fn release(&mut self, key: &ObjectKey) {
        let Some(item) = self.items.get_mut(key) else {
            return;
        };
        match item.seat {
            Some(Seat::Holding) => {
                item.seat = Some(Seat::Released);
                self.holding -= 1;
                self.away += 1;
            }
            // Its place in line is stale from now on, and whoever comes to it passes on.
            Some(Seat::Reclaiming) => item.seat = Some(Seat::Released),
            Some(Seat::Released) | None => {}
        }
    }

    /// Whether a run has its permit.
    pub fn holds(&self, key: &ObjectKey) -> bool {
        self.items
            .get(key)
            .is_some_and(|item| item.seat == Some(Seat::Holding))
    }

    /// Lines a run up for a permit after [`Queue::release`].
    pub fn reclaim(&mut self, key: &ObjectKey) {
        if let Some(item) = self.items.get_mut(key)
            && item.seat == Some(Seat::Released)
        {
            item.seat = Some(Seat::Reclaiming);
            self.lanes_of(key).resume.push_back(key.clone());
        }
    }

    /// Ends a run, whether it holds a permit at that moment or not. Returns the delay
    /// until the next one, if one is planned.
    pub fn done(&mut self, key: &ObjectKey, next: Next, now: Moment) -> Option<Duration> {
        let item = self.items.get_mut(key)?;
        match item.seat.take()? {
            Seat::Holding => self.holding -= 1,
            Seat::Released | Seat::Reclaiming => self.away -= 1,
        }
        let next = match next {
            Next::Now if item.hurries >= HURRIES_IN_ROW => Next::Backoff,
            other => other,
        };
        match next {
            Next::Now => item.hurries += 1,
            Next::Backoff => {}
            Next::Never | Next::Interval(_) | Next::After(_) => {
                item.failures = 0;
                item.hurries = 0;
            }
        }
        let plan = match next {
            Next::Never => None,
            Next::Now => Some((Duration::ZERO, Cause::Retry)),
            Next::Interval(delay) => Some((delay, Cause::Interval)),
            Next::After(delay) => Some((delay, Cause::Retry)),
            Next::Backoff => {
                let delay = backoff(&self.limits, item.failures);
                item.failures = item.failures.saturating_add(1);
                Some((delay, Cause::Retry))
            }
        };
        if let Some(pending) = &mut item.pending {
            // Superseded meanwhile: what the next run finds decides, not this one.
            pending.since = now;
            let lane = pending.lane;
            self.depth += 1;
            self.line_up(key, lane);
            return Some(Duration::ZERO);
        }
        let Some((delay, cause)) = plan else {
            self.drop_if_idle(key);
            return None;
        };
        if delay.is_zero() {
            self.add(key, cause, now);
        } else {
            self.sequence += 1;
            let alarm = (now.saturating_add(delay), self.sequence);
            item.alarm = Some(alarm);
            self.alarms.insert(alarm, (key.clone(), cause));
        }
        Some(delay)
    }

    /// The moment at which [`Queue::next`] may have more to say without anything
    /// else happening.
    pub fn due(&self) -> Option<Moment> {
        self.alarms
            .first_key_value()
            .map(|((moment, _), _)| *moment)
    }

    /// How many objects stand in line to start.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// How many runs hold a permit.
    pub fn working(&self) -> usize {
        self.holding
    }

    /// How many runs have given their permit back and have not got it again.
    pub fn away(&self) -> usize {
        self.away
    }

    fn ring_alarms(&mut self, now: Moment) {
        while let Some(entry) = self.alarms.first_entry() {
            if entry.key().0 > now {
                break;
            }
            let (key, cause) = entry.remove();
            if let Some(item) = self.items.get_mut(&key) {
                item.alarm = None;
                self.add(&key, cause, now);
            }
        }
    }

    fn take(lanes: &mut Lanes, items: &mut HashMap<ObjectKey, Item>, now: Moment) -> Option<Turn> {
        while let Some(key) = lanes.resume.pop_front() {
            if let Some(item) = items.get_mut(&key)
                && item.seat == Some(Seat::Reclaiming)
            {
                item.seat = Some(Seat::Holding);
                return Some(Turn::Resume { key });
            }
        }
        let routine_is_due = lanes.prompts_in_row >= PROMPTS_IN_ROW;
        let order = if routine_is_due {
            [Lane::Routine, Lane::Prompt]
        } else {
            [Lane::Prompt, Lane::Routine]
        };
        for lane in order {
            let line = match lane {
                Lane::Prompt => &mut lanes.prompt,
                Lane::Routine => &mut lanes.routine,
            };
            while let Some(key) = line.pop_front() {
                let Some(item) = items.get_mut(&key) else {
                    continue;
                };
                if item.seat.is_some()
                    || item
                        .pending
                        .as_ref()
                        .is_none_or(|pending| pending.lane != lane)
                {
                    continue;
                }
                let Some(pending) = item.pending.take() else {
                    continue;
                };
                item.seat = Some(Seat::Holding);
                lanes.prompts_in_row = match lane {
                    Lane::Prompt => lanes.prompts_in_row.saturating_add(1),
                    Lane::Routine => 0,
                };
                let waited = now.saturating_sub(pending.since);
                return Some(Turn::Start {
                    key,
                    cause: pending.cause,
                    waited,
                });
            }
        }
        None
    }

    fn line_up(&mut self, key: &ObjectKey, lane: Lane) {
        let lanes = self.lanes_of(key);
        match lane {
            Lane::Prompt => lanes.prompt.push_back(key.clone()),
            Lane::Routine => lanes.routine.push_back(key.clone()),
        }
    }

    fn lanes_of(&mut self, key: &ObjectKey) -> &mut Lanes {
        let namespace = key.shared_namespace();
        self.lanes.entry(Arc::clone(&namespace)).or_insert_with(|| {
            self.ring.push_back(namespace);
            Lanes::default()
        })
    }

    fn drop_if_idle(&mut self, key: &ObjectKey) {
        if self.items.get(key).is_some_and(Item::is_idle) {
            self.items.remove(key);
        }
    }
}

impl Lanes {
    fn is_empty(&self) -> bool {
        self.resume.is_empty() && self.prompt.is_empty() && self.routine.is_empty()
    }
}

/// The delay after `failures` earlier ones: `min`, doubled each time, at most `max`.
pub fn backoff(limits: &Limits, failures: u32) -> Duration {
    2_u32
        .checked_pow(failures)
        .and_then(|factor| limits.min_retry_delay.checked_mul(factor))
        .map_or(limits.max_retry_delay, |delay| {
            delay.min(limits.max_retry_delay)
        })
}
