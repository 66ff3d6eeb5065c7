//! Finds polls that keep a thread of the runtime busy.
//!
//! The threads of the runtime only move bytes. A computation on one of them holds up the tasks of
//! all tenants. Tests set a limit, and a poll beyond it is reported with the name of its future.
//! Production sets none.
//!
//! The measure is the CPU time of the thread. So a machine that runs other programs causes no
//! findings. A poll that sleeps or waits for a disk causes none either.

use std::cell::Cell;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};
use std::task::{Context, Poll};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tokio::task::JoinHandle;

/// The limit of a release build.
pub const MAX_POLL: Duration = Duration::from_millis(50);

/// The message of a report in a log.
pub const MESSAGE: &str = "a poll keeps a runtime thread busy";

/// How many times slower a build without optimisation may be.
pub const DEBUG_FACTOR: u32 = 4;

/// The limit for programs of the same build profile as this one.
pub const fn max_poll() -> Duration {
    if cfg!(debug_assertions) {
        MAX_POLL.saturating_mul(DEBUG_FACTOR)
    } else {
        MAX_POLL
    }
}

/// The limit in nanoseconds; 0 without a limit.
static LIMIT: AtomicU64 = AtomicU64::new(0);

static REPORT: OnceLock<RwLock<fn(LongPoll)>> = OnceLock::new();

thread_local! {
    /// CPU time of this thread in polls that were reported.
    static REPORTED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// A poll beyond the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LongPoll {
    /// The type of the future, which names its function.
    pub future: &'static str,
    /// The CPU time of the poll.
    pub time: Duration,
}

/// Reports each poll of [`timed`] futures that takes more CPU time than `limit`.
pub fn limit_polls(limit: Duration, report: fn(LongPoll)) {
    let reports = REPORT.get_or_init(|| RwLock::new(report));
    *reports.write().unwrap_or_else(PoisonError::into_inner) = report;
    let limit = u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX);
    LIMIT.store(limit, Ordering::Relaxed);
}

/// Measures the polls of a future if [`limit_polls`] was called.
///
/// Such futures may be nested. A long poll is reported for the innermost one that exceeds the
/// limit.
pub fn timed<F: Future>(future: F) -> TimedPolls<F> {
    TimedPolls {
        future: Box::pin(future),
    }
}

/// Starts a task whose polls are measured.
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    tokio::spawn(timed(future))
}

/// See [`timed`].
#[derive(Debug)]
pub struct TimedPolls<F> {
    /// In a box, so that this type can be moved and stays small.
    future: Pin<Box<F>>,
}

impl<F: Future> Future for TimedPolls<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let limit = Duration::from_nanos(LIMIT.load(Ordering::Relaxed));
        if limit.is_zero() {
            return self.future.as_mut().poll(context);
        }
        let (began, reported) = (thread_time(), REPORTED.get());
        let polled = self.future.as_mut().poll(context);
        let time = thread_time().saturating_sub(began);
        // The time of inner polls that are reported already does not count twice.
        let own = time.saturating_sub(REPORTED.get().saturating_sub(reported));
        if own > limit {
            REPORTED.set(reported + time);
            report(LongPoll {
                future: std::any::type_name::<F>(),
                time: own,
            });
        }
        polled
    }
}

fn report(poll: LongPoll) {
    if let Some(report) = REPORT.get() {
        let report = *report.read().unwrap_or_else(PoisonError::into_inner);
        report(poll);
    }
}

fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::future::ready;
    use std::sync::Mutex;
    use std::task::Waker;
    use std::time::Instant;

    use super::*;

    static FOUND: Mutex<Vec<LongPoll>> = Mutex::new(Vec::new());

    fn compute(time: Duration) {
        let began = thread_time();
        while thread_time().saturating_sub(began) < time {
            std::hint::spin_loop();
        }
    }

    async fn busy(time: Duration) {
        compute(ready(time).await);
    }

    async fn waiting() {
        std::thread::sleep(ready(Duration::from_millis(30)).await);
    }

    fn poll<F: Future>(future: F) -> Vec<LongPoll> {
        let mut future = timed(future);
        let polled = Pin::new(&mut future).poll(&mut Context::from_waker(Waker::noop()));
        assert!(polled.is_ready());
        std::mem::take(&mut FOUND.lock().unwrap())
    }

    // One test, because the limit is that of the process.
    #[test]
    fn long_poll_is_reported_for_the_innermost_future() {
        let (short, long) = (Duration::from_millis(12), Duration::from_millis(25));
        assert_eq!(poll(busy(long)), []);

        limit_polls(Duration::from_millis(20), |poll| {
            FOUND.lock().unwrap().push(poll);
        });
        let began = Instant::now();
        assert_eq!(poll(waiting()), []);
        assert!(began.elapsed() >= Duration::from_millis(30));

        let [found] = poll(busy(long))[..] else {
            panic!("the poll is reported once");
        };
        assert!(found.future.contains("tests::busy"), "{}", found.future);
        assert!(found.time >= long);

        let outer = async {
            compute(short);
            timed(busy(long)).await;
        };
        let [found] = poll(outer)[..] else {
            panic!("the poll is reported once");
        };
        assert!(found.future.contains("tests::busy"), "{}", found.future);

        // Each part is short, and the thread is busy all the same.
        let outer = async {
            timed(busy(short)).await;
            timed(busy(short)).await;
        };
        let [found] = poll(outer)[..] else {
            panic!("the poll is reported once");
        };
        assert!(!found.future.contains("tests::busy"), "{}", found.future);
        LIMIT.store(0, Ordering::Relaxed);
    }
}
