//! Decides which object runs next: a synchronous state machine without clock, lock or task.
//!
//! It knows the state of each object of one controller: waits, runs, released its permit, sleeps.
//! Its one question is [`Queue::next`]. The caller passes the time as a [`Moment`];
//! [`crate::workers`] is the asynchronous shell.
//!
//! The rules:
//! - **Permits.** At most `permits` objects work at once. A run that waits for something else than
//!   the processor releases its permit ([`Queue::release`]). It stays the only run of its object.
//!   Afterwards it queues for a permit ([`Queue::reclaim`]).
//! - **A reserve.** One more object works if its namespace has no object at work. So a tenant whose
//!   objects take long cannot occupy all workers.
//! - **Fair across namespaces.** Namespaces with ready objects form a ring. Each turn serves one
//!   object of one namespace. So a thousand objects of a tenant delay another tenant by one object.
//!   Within a namespace, runs that reclaim their permit go first: they hold memory and are nearly
//!   done. Prompt causes (an edit, a request) follow, then routine causes (a snapshot, an
//!   interval). After a few prompt objects a routine one is served, so that these do not starve.
//! - **One run per object.** An object that is enqueued while it runs is marked and runs again. An
//!   object that is enqueued twice while it waits runs once.
//! - **One timer per object**, set at the end of a run and cleared by the start of the next.
//! - **Back-off per object**, doubling from `min` to `max`, reset by the first run that succeeds.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use crate::cause::Cause;
use crate::key::ObjectKey;

#[cfg(test)]
mod tests;

/// Monotonic time since the queue was created.
pub type Moment = Duration;

/// Prompt objects of a namespace that may overtake its routine objects in a row.
const MAX_PROMPT_IN_ROW: u8 = 4;

/// Permits for namespaces that have no object at work.
const RESERVED_PERMITS: usize = 1;

/// Immediate reruns of an object in a row before it is delayed like a failing one.
const MAX_IMMEDIATE_IN_ROW: u8 = 5;

/// The settings of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Objects that may work at once.
    pub permits: usize,
    /// First back-off delay (`--min-retry-delay`).
    pub min_retry_delay: Duration,
    /// Longest back-off delay (`--max-retry-delay`).
    pub max_retry_delay: Duration,
}

/// A permit that the queue grants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grant {
    /// Start a run.
    Start {
        /// The object.
        key: ObjectKey,
        /// The cause; the latest one if there were several.
        cause: Cause,
        /// Time in the queue.
        waited: Duration,
    },
    /// Resume a run that had released its permit.
    Resume {
        /// The object.
        key: ObjectKey,
    },
}

/// When an object runs after the end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Only after an event.
    Never,
    /// At once.
    Now,
    /// After this time, by its interval.
    Interval(Duration),
    /// After this time.
    After(Duration),
    /// After the back-off delay.
    Backoff,
}

/// The effect of [`Queue::add`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddEffect {
    /// The object was idle and waits now.
    Queued,
    /// The object waited already.
    Merged,
    /// The object runs. It runs again afterwards, and the current run may end early.
    Superseded,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Priority {
    Prompt,
    Routine,
}

/// The permit of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PermitState {
    Held,
    Released,
    /// Released, and queued for a new one.
    Reclaiming,
}

#[derive(Debug)]
struct Pending {
    cause: Cause,
    priority: Priority,
    since: Moment,
}

#[derive(Debug, Default)]
struct Item {
    pending: Option<Pending>,
    permit: Option<PermitState>,
    timer: Option<(Moment, u64)>,
    failures: u32,
    immediate_reruns: u8,
}

impl Item {
    fn is_idle(&self) -> bool {
        self.pending.is_none()
            && self.permit.is_none()
            && self.timer.is_none()
            && self.failures == 0
            && self.immediate_reruns == 0
    }
}

/// The ready objects of one namespace. Entries may be stale (the priority changed, or the object
/// was forgotten). So each one is checked when it is taken.
#[derive(Debug, Default)]
struct NamespaceQueue {
    resume: VecDeque<ObjectKey>,
    prompt: VecDeque<ObjectKey>,
    routine: VecDeque<ObjectKey>,
    prompt_in_row: u8,
}

/// See the module's documentation.
#[derive(Debug)]
pub struct Queue {
    limits: Limits,
    items: HashMap<ObjectKey, Item>,
    namespaces: HashMap<Arc<str>, NamespaceQueue>,
    /// Namespaces that have a [`NamespaceQueue`], in the order in which they are served.
    ring: VecDeque<Arc<str>>,
    timers: BTreeMap<(Moment, u64), (ObjectKey, Cause)>,
    sequence: u64,
    working: usize,
    /// The objects at work of each namespace that has some.
    working_in: HashMap<Arc<str>, usize>,
    waiting: usize,
    depth: usize,
}

impl Queue {
    /// Makes an empty queue.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            items: HashMap::new(),
            namespaces: HashMap::new(),
            ring: VecDeque::new(),
            timers: BTreeMap::new(),
            sequence: 0,
            working: 0,
            working_in: HashMap::new(),
            waiting: 0,
            depth: 0,
        }
    }

    /// Enqueues an object.
    pub fn add(&mut self, key: &ObjectKey, cause: Cause, now: Moment) -> AddEffect {
        let item = self.items.entry(key.clone()).or_default();
        let priority = if cause.is_prompt() {
            Priority::Prompt
        } else {
            Priority::Routine
        };
        let running = item.permit.is_some();
        match &mut item.pending {
            Some(pending) => {
                let overtakes =
                    priority == Priority::Prompt && pending.priority == Priority::Routine;
                if overtakes {
                    pending.priority = Priority::Prompt;
                }
                // An edit explains the run better than a timer of the same moment.
                if priority == Priority::Prompt || pending.priority == Priority::Routine {
                    pending.cause = cause;
                }
                if running {
                    return AddEffect::Superseded;
                }
                if overtakes {
                    self.enqueue(key, Priority::Prompt);
                }
                AddEffect::Merged
            }
            None => {
                item.pending = Some(Pending {
                    cause,
                    priority,
                    since: now,
                });
                if running {
                    return AddEffect::Superseded;
                }
                self.depth += 1;
                self.enqueue(key, priority);
                AddEffect::Queued
            }
        }
    }

    /// Forgets an object that no longer exists. A run in progress goes on.
    pub fn forget(&mut self, key: &ObjectKey) {
        let Some(item) = self.items.get_mut(key) else {
            return;
        };
        if let Some(timer) = item.timer.take() {
            self.timers.remove(&timer);
        }
        if item.pending.take().is_some() && item.permit.is_none() {
            self.depth -= 1;
        }
        item.failures = 0;
        item.immediate_reruns = 0;
        self.drop_if_idle(key);
    }

    /// Grants the next permit, if one is free and an object waits for it.
    pub fn next(&mut self, now: Moment) -> Option<Grant> {
        self.fire_timers(now);
        while let Some(namespace) = self.next_namespace() {
            let Some(namespace_queue) = self.namespaces.get_mut(&namespace) else {
                continue;
            };
            let grant = Self::take(namespace_queue, &mut self.items, now);
            if namespace_queue.is_empty() {
                self.namespaces.remove(&namespace);
            } else {
                self.ring.push_back(Arc::clone(&namespace));
            }
            let Some(grant) = grant else { continue };
            self.working += 1;
            *self.working_in.entry(namespace).or_default() += 1;
            match &grant {
                Grant::Resume { .. } => self.waiting -= 1,
                Grant::Start { key, .. } => {
                    self.depth -= 1;
                    if let Some(timer) = self.items.get_mut(key).and_then(|item| item.timer.take())
                    {
                        self.timers.remove(&timer);
                    }
                }
            }
            return Some(grant);
        }
        None
    }

    /// Takes the namespace whose turn it is, if it may use a permit.
    fn next_namespace(&mut self) -> Option<Arc<str>> {
        if self.working < self.limits.permits {
            return self.ring.pop_front();
        }
        if self.working >= self.limits.permits + RESERVED_PERMITS {
            return None;
        }
        let is_idle = |namespace: &Arc<str>| !self.working_in.contains_key(namespace);
        let position = self.ring.iter().position(is_idle)?;
        self.ring.remove(position)
    }

    /// Counts an object that no longer works.
    fn stop_working(&mut self, namespace: &Arc<str>) {
        self.working -= 1;
        if let Some(working) = self.working_in.get_mut(namespace) {
            *working -= 1;
            if *working == 0 {
                self.working_in.remove(namespace);
            }
        }
    }

    /// Releases the permit of a run without ending the run. A run that reclaims its permit leaves
    /// the queue.
    pub fn release(&mut self, key: &ObjectKey) {
        let Some(item) = self.items.get_mut(key) else {
            return;
        };
        match item.permit {
            Some(PermitState::Held) => {
                item.permit = Some(PermitState::Released);
                self.waiting += 1;
                self.stop_working(&key.shared_namespace());
            }
            // Its entry in the queue is stale now and will be skipped.
            Some(PermitState::Reclaiming) => item.permit = Some(PermitState::Released),
            Some(PermitState::Released) | None => {}
        }
    }

    /// Whether a run holds its permit.
    pub fn holds_permit(&self, key: &ObjectKey) -> bool {
        self.items
            .get(key)
            .is_some_and(|item| item.permit == Some(PermitState::Held))
    }

    /// Queues a run for a permit after [`Queue::release`].
    pub fn reclaim(&mut self, key: &ObjectKey) {
        if let Some(item) = self.items.get_mut(key)
            && item.permit == Some(PermitState::Released)
        {
            item.permit = Some(PermitState::Reclaiming);
            self.namespace_queue(key).resume.push_back(key.clone());
        }
    }

    /// Ends a run, with or without its permit. Returns the delay until the next run, if one is
    /// planned.
    pub fn finish_run(&mut self, key: &ObjectKey, next: Next, now: Moment) -> Option<Duration> {
        match self.items.get_mut(key)?.permit.take()? {
            PermitState::Held => self.stop_working(&key.shared_namespace()),
            PermitState::Released | PermitState::Reclaiming => self.waiting -= 1,
        }
        let item = self.items.get_mut(key)?;
        let next = match next {
            Next::Now if item.immediate_reruns >= MAX_IMMEDIATE_IN_ROW => Next::Backoff,
            other => other,
        };
        match next {
            Next::Now => item.immediate_reruns += 1,
            Next::Backoff => {}
            Next::Never | Next::Interval(_) | Next::After(_) => {
                item.failures = 0;
                item.immediate_reruns = 0;
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
            // The run was superseded, so the next run decides when the object runs again.
            pending.since = now;
            let priority = pending.priority;
            self.depth += 1;
            self.enqueue(key, priority);
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
            let timer = (now.saturating_add(delay), self.sequence);
            item.timer = Some(timer);
            self.timers.insert(timer, (key.clone(), cause));
        }
        Some(delay)
    }

    /// The moment of the next timer, at which [`Queue::next`] may grant a permit.
    pub fn due(&self) -> Option<Moment> {
        self.timers
            .first_key_value()
            .map(|((moment, _), _)| *moment)
    }

    /// The number of objects that wait for their start.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The number of runs that hold a permit.
    pub fn working_count(&self) -> usize {
        self.working
    }

    /// The number of runs without a permit.
    pub fn waiting_count(&self) -> usize {
        self.waiting
    }

    fn fire_timers(&mut self, now: Moment) {
        while let Some(entry) = self.timers.first_entry() {
            if entry.key().0 > now {
                break;
            }
            let (key, cause) = entry.remove();
            if let Some(item) = self.items.get_mut(&key) {
                item.timer = None;
                self.add(&key, cause, now);
            }
        }
    }

    fn take(
        namespace_queue: &mut NamespaceQueue,
        items: &mut HashMap<ObjectKey, Item>,
        now: Moment,
    ) -> Option<Grant> {
        while let Some(key) = namespace_queue.resume.pop_front() {
            if let Some(item) = items.get_mut(&key)
                && item.permit == Some(PermitState::Reclaiming)
            {
                item.permit = Some(PermitState::Held);
                return Some(Grant::Resume { key });
            }
        }
        let routine_is_due = namespace_queue.prompt_in_row >= MAX_PROMPT_IN_ROW;
        let order = if routine_is_due {
            [Priority::Routine, Priority::Prompt]
        } else {
            [Priority::Prompt, Priority::Routine]
        };
        for priority in order {
            let line = match priority {
                Priority::Prompt => &mut namespace_queue.prompt,
                Priority::Routine => &mut namespace_queue.routine,
            };
            while let Some(key) = line.pop_front() {
                let Some(item) = items.get_mut(&key) else {
                    continue;
                };
                if item.permit.is_some()
                    || item
                        .pending
                        .as_ref()
                        .is_none_or(|pending| pending.priority != priority)
                {
                    continue;
                }
                let Some(pending) = item.pending.take() else {
                    continue;
                };
                item.permit = Some(PermitState::Held);
                namespace_queue.prompt_in_row = match priority {
                    Priority::Prompt => namespace_queue.prompt_in_row.saturating_add(1),
                    Priority::Routine => 0,
                };
                let waited = now.saturating_sub(pending.since);
                return Some(Grant::Start {
                    key,
                    cause: pending.cause,
                    waited,
                });
            }
        }
        None
    }

    fn enqueue(&mut self, key: &ObjectKey, priority: Priority) {
        let namespace_queue = self.namespace_queue(key);
        match priority {
            Priority::Prompt => namespace_queue.prompt.push_back(key.clone()),
            Priority::Routine => namespace_queue.routine.push_back(key.clone()),
        }
    }

    fn namespace_queue(&mut self, key: &ObjectKey) -> &mut NamespaceQueue {
        let namespace = key.shared_namespace();
        self.namespaces
            .entry(Arc::clone(&namespace))
            .or_insert_with(|| {
                self.ring.push_back(namespace);
                NamespaceQueue::default()
            })
    }

    fn drop_if_idle(&mut self, key: &ObjectKey) {
        if self.items.get(key).is_some_and(Item::is_idle) {
            self.items.remove(key);
        }
    }
}

impl NamespaceQueue {
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
