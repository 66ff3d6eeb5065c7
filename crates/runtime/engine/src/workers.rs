//! The asynchronous shell around [`crate::queue`]: one task per run, permits handed
//! out as the queue says, panics caught, and a drain that lets working runs finish.
//!
//! There is no pool. A run is a task from its first to its last line; what is
//! limited is how many of them hold a permit at once. A run that waits for the
//! cluster gives its permit back with [`Permit::released`] and another object works
//! meanwhile: `--concurrent` bounds work, never waiting.

use std::any::Any;
use std::collections::HashMap;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use tokio::sync::{Notify, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::key::ObjectKey;
use crate::queue::{Added, Limits, Moment, Next, Queue, Turn};
use crate::reconcile::Cause;

#[cfg(test)]
mod tests;

/// What is told about the queue's life, for metrics. All of it is cheap and called
/// under the queue's lock.
pub trait Observer: Send + Sync + 'static {
    /// An object was enqueued, anew or once more.
    fn added(&self) {}
    /// A run began after this time in line.
    fn started(&self, _waited: Duration) {}
    /// A run ended after this time.
    fn ended(&self, _lasted: Duration) {}
    /// A delayed run was planned.
    fn retried(&self) {}
    /// Depth, runs with a permit and runs without, after a change.
    fn levels(&self, _depth: usize, _working: usize, _away: usize) {}
}

/// An observer that looks away.
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
    runs: HashMap<ObjectKey, Active>,
}

struct Active {
    began: Instant,
    superseded: watch::Sender<Option<Cause>>,
    /// Whoever of this run waits for its permit.
    resume: Vec<oneshot::Sender<()>>,
}

/// How a run ended, as the shell sees it.
#[derive(Debug)]
pub enum Ended {
    /// It returned.
    Returned(Next),
    /// It panicked with this message.
    Panicked(String),
}

impl Workers {
    /// Makes the workers of one controller; nothing runs before [`Workers::run`].
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

    /// Enqueues an object; a run of it that is under way learns of it.
    pub fn add(&self, key: &ObjectKey, cause: Cause) {
        let now = self.shared.now();
        let mut state = self.shared.lock();
        self.shared.observer.added();
        if state.queue.add(key, cause.clone(), now) == Added::Superseded
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

    /// Seconds of all runs under way together, and of the longest.
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

    /// Runs objects until `stop`, then lets those that hold a permit finish, for at
    /// most `grace`, and drops those that only wait.
    ///
    /// `work` is one run; `ended` judges its end, also after a panic, and says when
    /// the object runs next.
    pub async fn run<W, R, E>(&self, work: W, ended: E, stop: CancellationToken, grace: Duration)
    where
        W: Fn(Permit) -> R,
        R: Future<Output = Next> + Send + 'static,
        E: Fn(&ObjectKey, &Ended) -> Next + Clone + Send + 'static,
    {
        let mut tasks = JoinSet::new();
        loop {
            let due = self.hand_out(&work, &ended, &mut tasks);
            tokio::select! {
                () = self.shared.wake.notified() => {}
                Some(_) = tasks.join_next() => {}
                () = sleep_until(due) => {}
                () = stop.cancelled() => break,
            }
        }
        self.shared.draining.cancel();
        let deadline = Instant::now() + grace;
        while self.shared.lock().queue.working() > 0 {
            tokio::select! {
                () = self.shared.wake.notified() => {}
                Some(_) = tasks.join_next() => {}
                () = tokio::time::sleep_until(deadline) => break,
            }
        }
        tasks.shutdown().await;
    }

    fn hand_out<W, R, E>(&self, work: &W, ended: &E, tasks: &mut JoinSet<()>) -> Option<Instant>
    where
        W: Fn(Permit) -> R,
        R: Future<Output = Next> + Send + 'static,
        E: Fn(&ObjectKey, &Ended) -> Next + Clone + Send + 'static,
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
                Some(Turn::Resume { key }) => {
                    let active = state.runs.get_mut(&key);
                    let line = active.map(|active| std::mem::take(&mut active.resume));
                    for waiting in line.unwrap_or_default() {
                        // Nobody listens when the wait was given up half-way: the run works
                        // already, and has its permit from now on.
                        let _gone = waiting.send(());
                    }
                }
                Some(Turn::Start { key, cause, waited }) => {
                    let (superseded, seen) = watch::channel(None);
                    let began = Instant::now();
                    state.runs.insert(
                        key.clone(),
                        Active {
                            began,
                            superseded,
                            resume: Vec::new(),
                        },
                    );
                    drop(state);
                    self.shared.observer.started(waited);
                    let seat = Seat {
                        shared: Arc::clone(&self.shared),
                        key: key.clone(),
                        next: Next::Never,
                    };
                    let permit = Permit {
                        shared: Arc::clone(&self.shared),
                        key,
                        cause,
                        seen,
                    };
                    // In a box, as what awaits it would keep room for it twice.
                    let run = Box::pin(AssertUnwindSafe(work(permit)).catch_unwind());
                    tasks.spawn(supervise(run, seat, ended.clone()));
                }
            }
        }
    }
}

/// Awaits one run and gives its seat back, whatever happens to it.
async fn supervise<R, E>(run: R, mut seat: Seat, ended: E)
where
    R: Future<Output = Result<Next, Box<dyn Any + Send>>>,
    E: Fn(&ObjectKey, &Ended) -> Next,
{
    let end = match run.await {
        Ok(next) => Ended::Returned(next),
        Err(panic) => Ended::Panicked(panic_message(panic.as_ref())),
    };
    seat.next = ended(&seat.key, &end);
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

/// Ends the run in the queue when dropped: on return, after a panic, and when the
/// task is aborted.
struct Seat {
    shared: Arc<Shared>,
    key: ObjectKey,
    next: Next,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let now = self.shared.now();
        let mut state = self.shared.lock();
        if let Some(active) = state.runs.remove(&self.key) {
            self.shared.observer.ended(active.began.elapsed());
        }
        if state.queue.done(&self.key, self.next, now).is_some() {
            self.shared.observer.retried();
        }
        self.shared.changed(state);
    }
}

/// The right of one run to work.
pub struct Permit {
    shared: Arc<Shared>,
    key: ObjectKey,
    cause: Cause,
    seen: watch::Receiver<Option<Cause>>,
}

impl Permit {
    /// The object.
    pub fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// Why it runs.
    pub fn cause(&self) -> &Cause {
        &self.cause
    }

    /// Awaits `waiting` without holding a permit, then stands in line for one.
    ///
    /// While the process drains it never returns: the run is dropped at this point.
    ///
    /// A run has one permit, and who gives it back speaks for the whole run. Waits of one
    /// run may overlap all the same: the first gives the permit back, the first that ends
    /// takes it again, and one that ends while the run has it goes on at once. What a run
    /// does beside a wait of its own is work that nobody counts, so it should be little. A
    /// wait that is dropped half-way asks for the permit in the background.
    pub async fn released<F: Future>(&self, waiting: F) -> F::Output {
        let away = Away::leave(&self.shared, &self.key);
        let output = tokio::select! {
            biased;
            () = self.shared.draining.cancelled() => std::future::pending().await,
            output = waiting => output,
        };
        away.come_back().await;
        output
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

/// A permit given back. Dropped half-way (a `select!` that moved on), it asks for
/// the permit again in the background: a run must not go on working uncounted.
struct Away<'a> {
    shared: &'a Arc<Shared>,
    key: &'a ObjectKey,
    back: bool,
}

impl<'a> Away<'a> {
    fn leave(shared: &'a Arc<Shared>, key: &'a ObjectKey) -> Self {
        let mut state = shared.lock();
        // Another wait of this run may be over and in line for the permit: it stays there.
        // A request that nobody waits for (its wait was dropped) is taken back, lest the
        // permit came while we are away.
        let is_awaited = state.runs.get_mut(key).is_some_and(|active| {
            active.resume.retain(|waiting| !waiting.is_closed());
            !active.resume.is_empty()
        });
        if !is_awaited {
            state.queue.release(key);
        }
        shared.changed(state);
        Self {
            shared,
            key,
            back: false,
        }
    }

    async fn come_back(mut self) {
        let turn = self.stand_in_line();
        self.back = true;
        if let Some(turn) = turn {
            // An error means that the queue is gone, and so will this run be.
            let _gone = turn.await;
        }
    }

    /// Asks for the permit; nothing to wait for if another wait of this run brought it back.
    fn stand_in_line(&self) -> Option<oneshot::Receiver<()>> {
        let mut state = self.shared.lock();
        if state.queue.holds(self.key) {
            return None;
        }
        let (resume, turn) = oneshot::channel();
        if let Some(active) = state.runs.get_mut(self.key) {
            active.resume.push(resume);
        }
        state.queue.reclaim(self.key);
        self.shared.changed(state);
        Some(turn)
    }
}

impl Drop for Away<'_> {
    fn drop(&mut self) {
        if !self.back {
            drop(self.stand_in_line());
        }
    }
}

impl Shared {
    fn now(&self) -> Moment {
        self.origin.elapsed()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing under this lock runs foreign code, so a poisoned state is whole.
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
            state.queue.working(),
            state.queue.away(),
        );
    }
}
