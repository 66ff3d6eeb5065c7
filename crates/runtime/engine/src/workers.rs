//! The asynchronous shell around [`crate::queue`]: one task per run, permits granted by the queue,
//! caught panics, and a drain that lets working runs finish.
//!
//! A run is a task of its own; the number of permits limits how many of them work at once. A run
//! that waits for the cluster releases its permit with [`Permit::release_during`], and another
//! object works meanwhile: `--concurrent` limits work, not waits.

use std::any::Any;
use std::collections::HashMap;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use tokio::sync::{Notify, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::cause::Cause;
use crate::journal::WorkEntry;
use crate::key::ObjectKey;
use crate::queue::{AddEffect, Grant, Limits, Moment, Next, Queue};

#[cfg(test)]
mod tests;

/// Receives the events of a queue, for metrics. The methods must be cheap: they are called under
/// the lock of the queue.
pub trait Observer: Send + Sync + 'static {
    /// An object was enqueued.
    fn added(&self) {}
    /// A run began after this time in the queue.
    fn started(&self, _waited: Duration) {}
    /// A run ended after this time.
    fn ended(&self, _lasted: Duration) {}
    /// A delayed run was planned.
    fn retried(&self) {}
    /// The depth and the numbers of runs with and without a permit, after a change.
    fn levels(&self, _depth: usize, _working: usize, _waiting: usize) {}
}

/// An observer that ignores all events.
impl Observer for () {}

/// The runs of one controller. Cheap to clone.
#[derive(Clone)]
pub struct Workers {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    wake: Notify,
    origin: Instant,
    draining: CancellationToken,
    observer: Box<dyn Observer>,
}

struct State {
    queue: Queue,
    runs: HashMap<ObjectKey, ActiveRun>,
}

struct ActiveRun {
    began: Instant,
    superseded: watch::Sender<Option<Cause>>,
    /// The waits of this run that are over and need the permit.
    resume: Vec<oneshot::Sender<()>>,
    /// The record of its work.
    entry: Option<Arc<WorkEntry>>,
    /// Whether the run waits, and records its end when the process drains.
    records_end: bool,
}

/// The end of a run.
#[derive(Debug)]
pub enum WorkResult {
    /// It returned.
    Returned(Next),
    /// It panicked with this message.
    Panicked(String),
}

impl ActiveRun {
    /// Records that the run works.
    fn work(&self) {
        if let Some(entry) = &self.entry {
            entry.work();
        }
    }

    /// Records that the run waits.
    fn rest(&self) {
        if let Some(entry) = &self.entry {
            entry.rest();
        }
    }
}

impl Workers {
    /// Makes the workers of one controller. Runs begin with [`Workers::run`].
    pub fn new(limits: Limits, observer: impl Observer) -> Self {
        Self {
            shared: Arc::new(Shared {
                state: Mutex::new(State {
                    queue: Queue::new(limits),
                    runs: HashMap::new(),
                }),
                wake: Notify::new(),
                origin: Instant::now(),
                draining: CancellationToken::new(),
                observer: Box::new(observer),
            }),
        }
    }

    /// Enqueues an object, and notifies a run of it that is in progress.
    pub fn add(&self, key: &ObjectKey, cause: Cause) {
        let now = self.shared.now();
        let mut state = self.shared.lock();
        self.shared.observer.added();
        if state.queue.add(key, cause.clone(), now) == AddEffect::Superseded
            && let Some(active) = state.runs.get(key)
        {
            active.superseded.send_replace(Some(cause));
        }
        self.shared.changed(state);
    }

    /// Forgets an object that no longer exists.
    pub fn forget(&self, key: &ObjectKey) {
        let mut state = self.shared.lock();
        state.queue.forget(key);
        self.shared.changed(state);
    }

    /// The total age of all runs in progress, and the age of the oldest.
    pub fn unfinished(&self) -> (Duration, Duration) {
        let now = Instant::now();
        let state = self.shared.lock();
        let ages = state
            .runs
            .values()
            .map(|active| now.saturating_duration_since(active.began));
        ages.fold((Duration::ZERO, Duration::ZERO), |(sum, longest), age| {
            (sum + age, longest.max(age))
        })
    }

    /// Runs objects until `stop`. Then it waits for runs that hold a permit, for at most `grace`,
    /// and drops the others.
    ///
    /// `work` is one run. `ended` returns when the object runs next, also after a panic.
    pub async fn run<W, R, E>(&self, work: W, ended: E, stop: CancellationToken, grace: Duration)
    where
        W: Fn(Permit) -> R,
        R: Future<Output = Next> + Send + 'static,
        E: Fn(&ObjectKey, &WorkResult) -> Next + Clone + Send + 'static,
    {
        let mut tasks = JoinSet::new();
        loop {
            let due = self.start_runs(&work, &ended, &mut tasks);
            tokio::select! {
                () = self.shared.wake.notified() => {}
                Some(_) = tasks.join_next() => {}
                () = sleep_until(due) => {}
                () = stop.cancelled() => break,
            }
        }
        self.shared.draining.cancel();
        let deadline = Instant::now() + grace;
        while self.shared.lock().is_working() {
            tokio::select! {
                () = self.shared.wake.notified() => {}
                Some(_) = tasks.join_next() => {}
                () = tokio::time::sleep_until(deadline) => break,
            }
        }
        tasks.shutdown().await;
    }

    fn start_runs<W, R, E>(&self, work: &W, ended: &E, tasks: &mut JoinSet<()>) -> Option<Instant>
    where
        W: Fn(Permit) -> R,
        R: Future<Output = Next> + Send + 'static,
        E: Fn(&ObjectKey, &WorkResult) -> Next + Clone + Send + 'static,
    {
        let now = self.shared.now();
        loop {
            let mut state = self.shared.lock();
            match state.queue.next(now) {
                None => {
                    let due = state.queue.due();
                    self.shared.observe(&state);
                    return due.map(|moment| self.shared.origin + moment);
                }
                Some(Grant::Resume { key }) => {
                    let active = state.runs.get_mut(&key);
                    let resumed = active.map(|active| {
                        active.work();
                        std::mem::take(&mut active.resume)
                    });
                    for waiting in resumed.unwrap_or_default() {
                        // The receiver is gone if the wait was dropped: the run works already and
                        // holds its permit from now on.
                        let _gone = waiting.send(());
                    }
                }
                Some(Grant::Start { key, cause, waited }) => {
                    let (superseded, seen) = watch::channel(None);
                    let began = Instant::now();
                    state.runs.insert(
                        key.clone(),
                        ActiveRun {
                            began,
                            superseded,
                            resume: Vec::new(),
                            entry: None,
                            records_end: false,
                        },
                    );
                    drop(state);
                    self.shared.observer.started(waited);
                    let guard = RunGuard {
                        shared: Arc::clone(&self.shared),
                        key: key.clone(),
                        next: Next::Never,
                    };
                    let permit = Permit {
                        shared: Arc::clone(&self.shared),
                        key,
                        cause,
                        seen,
                        entry: OnceLock::new(),
                    };
                    // In a box: the awaiting future would otherwise reserve its size twice.
                    let run = Box::pin(AssertUnwindSafe(work(permit)).catch_unwind());
                    tasks.spawn(sluice_system::timed(supervise(run, guard, ended.clone())));
                }
            }
        }
    }
}

/// Awaits one run and ends it in the queue.
async fn supervise<R, E>(run: R, mut guard: RunGuard, ended: E)
where
    R: Future<Output = Result<Next, Box<dyn Any + Send>>>,
    E: Fn(&ObjectKey, &WorkResult) -> Next,
{
    let end = match run.await {
        Ok(next) => WorkResult::Returned(next),
        Err(panic) => WorkResult::Panicked(panic_message(panic.as_ref())),
    };
    guard.next = ended(&guard.key, &end);
    if matches!(end, WorkResult::Returned(Next::Interval(_) | Next::Never)) {
        guard.clear();
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a value that is not text".to_owned())
}

async fn sleep_until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}

/// Ends the run in the queue when dropped: on return, after a panic, and when the task is aborted.
struct RunGuard {
    shared: Arc<Shared>,
    key: ObjectKey,
    next: Next,
}

impl RunGuard {
    /// Clears the object of the suspicion that it kills the process. A failed run does not: it may
    /// have ended before the step that kills.
    fn clear(&self) {
        let entry = self.entry();
        if let Some(entry) = entry {
            entry.clear();
        }
    }

    fn entry(&self) -> Option<Arc<WorkEntry>> {
        self.shared.lock().runs.get(&self.key)?.entry.clone()
    }
}

impl Drop for RunGuard {
    fn drop(&mut self) {
        let now = self.shared.now();
        let mut state = self.shared.lock();
        if let Some(active) = state.runs.remove(&self.key) {
            active.rest();
            self.shared.observer.ended(active.began.elapsed());
        }
        if state.queue.finish_run(&self.key, self.next, now).is_some() {
            self.shared.observer.retried();
        }
        self.shared.changed(state);
    }
}

/// The permit of one run to work.
pub struct Permit {
    shared: Arc<Shared>,
    key: ObjectKey,
    cause: Cause,
    seen: watch::Receiver<Option<Cause>>,
    entry: OnceLock<Arc<WorkEntry>>,
}

impl Permit {
    /// The object.
    pub fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// The cause of the run.
    pub fn cause(&self) -> &Cause {
        &self.cause
    }

    /// Records the work of this run from now on. A suspect waits until no other one works.
    pub(crate) async fn record(&self, entry: Box<WorkEntry>) {
        let entry: Arc<WorkEntry> = entry.into();
        if !entry.try_take_turn() {
            self.release_during(entry.take_turn()).await;
        }
        let entry = self.entry.get_or_init(|| entry);
        let mut state = self.shared.lock();
        if let Some(active) = state.runs.get_mut(&self.key) {
            active.entry = Some(Arc::clone(entry));
            active.work();
        }
    }

    /// Awaits `waiting` without the permit, then queues for it again.
    ///
    /// While the process drains this never returns, and the run is dropped here.
    ///
    /// A run has one permit, and its waits may overlap. The first wait releases the permit, and the
    /// first that ends reclaims it. A wait that ends while the run holds the permit goes on at
    /// once. Work beside a wait of the same run is not counted, so it should be small. A dropped
    /// wait reclaims the permit in the background.
    pub async fn release_during<F: Future>(&self, waiting: F) -> F::Output {
        let released = ReleasedPermit::release(&self.shared, &self.key);
        let output = tokio::select! {
            biased;
            () = self.shared.draining.cancelled() => std::future::pending().await,
            output = waiting => output,
        };
        if let Some(entry) = self.entry.get() {
            entry.take_turn().await;
        }
        released.reclaim().await;
        output
    }

    /// Like [`Permit::release_during`], but returns `None` when the process drains. The run then
    /// has the time of the grace to record its end.
    pub async fn release_until_drain<F: Future>(&self, waiting: F) -> Option<F::Output> {
        self.set_records_end(true);
        let waited = tokio::select! {
            biased;
            () = self.shared.draining.cancelled() => None,
            output = self.release_during(waiting) => Some(output),
        };
        if waited.is_some() {
            self.set_records_end(false);
        }
        waited
    }

    fn set_records_end(&self, records_end: bool) {
        if let Some(active) = self.shared.lock().runs.get_mut(&self.key) {
            active.records_end = records_end;
        }
    }

    /// Resolves when the object was enqueued again during this run, with the reason.
    pub async fn superseded(&self) -> Cause {
        let mut seen = self.seen.clone();
        loop {
            if let Some(cause) = seen.borrow_and_update().clone() {
                return cause;
            }
            if seen.changed().await.is_err() {
                return std::future::pending().await;
            }
        }
    }

    /// Whether the object was enqueued again during this run.
    pub fn is_superseded(&self) -> bool {
        self.seen.borrow().is_some()
    }

    /// Resolves when the process begins to drain.
    pub async fn draining(&self) {
        self.shared.draining.cancelled().await;
    }
}

/// A released permit. When it is dropped early (a `select!` took another branch), it reclaims the
/// permit in the background. The run works again.
struct ReleasedPermit<'a> {
    shared: &'a Arc<Shared>,
    key: &'a ObjectKey,
    is_reclaimed: bool,
}

impl<'a> ReleasedPermit<'a> {
    fn release(shared: &'a Arc<Shared>, key: &'a ObjectKey) -> Self {
        let mut state = shared.lock();
        // Another wait of this run may be over and queue for the permit; it stays in the queue.
        // The request of a dropped wait is removed, so that the permit is not granted to a run
        // that waits.
        let is_awaited = state.runs.get_mut(key).is_some_and(|active| {
            active.resume.retain(|waiting| !waiting.is_closed());
            !active.resume.is_empty()
        });
        if !is_awaited {
            state.queue.release(key);
            if let Some(active) = state.runs.get(key) {
                active.rest();
            }
        }
        shared.changed(state);
        Self {
            shared,
            key,
            is_reclaimed: false,
        }
    }

    async fn reclaim(mut self) {
        let granted = self.enqueue();
        self.is_reclaimed = true;
        if let Some(granted) = granted {
            // An error means that the queue is gone; this run is dropped next.
            let _gone = granted.await;
        }
    }

    /// Queues for the permit; `None` if the run holds it already.
    fn enqueue(&self) -> Option<oneshot::Receiver<()>> {
        let mut state = self.shared.lock();
        if state.queue.holds_permit(self.key) {
            return None;
        }
        let (resume, granted) = oneshot::channel();
        if let Some(active) = state.runs.get_mut(self.key) {
            active.resume.push(resume);
        }
        state.queue.reclaim(self.key);
        self.shared.changed(state);
        Some(granted)
    }
}

impl Drop for ReleasedPermit<'_> {
    fn drop(&mut self) {
        if !self.is_reclaimed {
            drop(self.enqueue());
        }
    }
}

impl State {
    /// Whether a run works, or has to record its end.
    fn is_working(&self) -> bool {
        self.queue.working_count() > 0 || self.runs.values().any(|active| active.records_end)
    }
}

impl Shared {
    fn now(&self) -> Moment {
        self.origin.elapsed()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No foreign code runs under this lock, so a poisoned state is consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self, state: MutexGuard<'_, State>) {
        self.observe(&state);
        drop(state);
        self.wake.notify_one();
    }

    fn observe(&self, state: &State) {
        self.observer.levels(
            state.queue.depth(),
            state.queue.working_count(),
            state.queue.waiting_count(),
        );
    }
}
