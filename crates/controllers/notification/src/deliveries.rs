//! Runs the queues of all Providers.
//!
//! Each Provider with waiting notifications has its own task, so a slow Provider does not delay
//! others. The task ends when its queue is empty.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use prometheus::IntGauge;
use sluice_api::Event;
use sluice_api::notification::Alert;
use sluice_engine::{ObjectKey, Statusless};
use sluice_system::{Clock, timed};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::delivery::{Failure, Next, Queue};
use crate::event::Key;

/// Time limit of first attempts after shutdown starts.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum size of all queues. Above it, the largest queue gives up its oldest notification.
const MAX_BYTES: usize = 256 << 20;

/// A received event. All its notifications share it.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) event: Event,
    /// Key for the detection of duplicates.
    pub(crate) key: Key,
    /// Start of its window in the detection of duplicates.
    pub(crate) window: Timestamp,
    /// Size of the request.
    pub(crate) bytes: usize,
}

/// An event for one Alert. It shares all its data, because a Provider that is down collects many.
#[derive(Debug)]
pub(crate) struct Notification {
    pub(crate) arrival: Arc<Arrival>,
    pub(crate) alert: Arc<Statusless<Alert>>,
}

impl Notification {
    /// Returns the Provider, which is in the namespace of the Alert.
    pub(crate) fn provider(&self) -> ObjectKey {
        let alert = &self.alert.object;
        let namespace = alert.metadata.namespace.as_deref();
        ObjectKey::new(namespace.unwrap_or_default(), &alert.spec.provider_ref.name)
    }
}

/// A failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FailedAttempt {
    pub(crate) failure: Failure,
    /// Timeout of the Provider. The reference retries within it.
    pub(crate) timeout: Duration,
}

/// Makes attempts to deliver notifications.
pub(crate) trait Courier: Send + Sync + 'static {
    /// Makes one attempt.
    fn deliver(
        &self,
        notification: &Notification,
    ) -> impl Future<Output = Result<(), FailedAttempt>> + Send;

    /// Reports a notification that is not retried.
    fn give_up(&self, notification: &Notification);
}

/// The queues of all Providers.
pub(crate) struct Deliveries<C> {
    shared: Arc<Shared<C>>,
}

/// Queues of Providers, with their size.
#[derive(Default)]
struct Queues {
    by_provider: HashMap<ObjectKey, Queue<Arc<Notification>>>,
    bytes: usize,
}

impl Queues {
    /// Removes the size of a notification that left its queue.
    fn subtract(&mut self, notification: &Notification) {
        self.bytes = self.bytes.saturating_sub(notification.arrival.bytes);
    }

    /// Gives up notifications of the largest queues until all fit into the memory.
    fn shrink(&mut self) -> Vec<Arc<Notification>> {
        let mut evicted = Vec::new();
        while self.bytes > MAX_BYTES {
            let queues = self.by_provider.values_mut();
            let largest = queues.max_by_key(|queue| queue.bytes());
            let Some(notification) = largest.and_then(Queue::evict) else {
                break;
            };
            self.subtract(&notification);
            evicted.push(notification);
        }
        evicted
    }
}

struct Shared<C> {
    queues: Mutex<Queues>,
    courier: C,
    max_age: Duration,
    clock: Arc<dyn Clock>,
    waiting: IntGauge,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl<C: Courier> Deliveries<C> {
    /// Creates empty queues. A notification is retried for `max_age`, and at least for the timeout
    /// of its Provider.
    pub(crate) fn new(
        courier: C,
        max_age: Duration,
        clock: Arc<dyn Clock>,
        waiting: IntGauge,
        stop: CancellationToken,
    ) -> Self {
        Self {
            shared: Arc::new(Shared {
                queues: Mutex::default(),
                courier,
                max_age,
                clock,
                waiting,
                tasks: TaskTracker::new(),
                stop,
            }),
        }
    }

    pub(crate) fn courier(&self) -> &C {
        &self.shared.courier
    }

    /// Adds a notification to the queue of its Provider.
    pub(crate) fn push(&self, notification: Notification) {
        let shared = &self.shared;
        let (provider, now) = (notification.provider(), shared.clock.now());
        let bytes = notification.arrival.bytes;
        let mut queues = shared.queues();
        let is_new = !queues.by_provider.contains_key(&provider);
        let queue = queues.by_provider.entry(provider.clone()).or_default();
        let mut evicted = queue.push(Arc::new(notification), bytes, now);
        queues.bytes = queues.bytes.saturating_add(bytes);
        for evicted in &evicted {
            queues.subtract(evicted);
        }
        evicted.extend(queues.shrink());
        drop(queues);
        shared.waiting.inc();
        for evicted in &evicted {
            shared.waiting.dec();
            shared.courier.give_up(evicted);
        }
        if is_new {
            let shared = Arc::clone(shared);
            drop(
                self.shared
                    .tasks
                    .spawn(timed(async move { shared.empty(&provider).await })),
            );
        }
    }

    /// After shutdown starts, waits for running attempts up to a timeout.
    pub(crate) async fn drain(&self) {
        self.shared.tasks.close();
        drop(tokio::time::timeout(DRAIN_TIMEOUT, self.shared.tasks.wait()).await);
        let queues = self.shared.queues();
        let lost: usize = queues.by_provider.values().map(Queue::len).sum();
        drop(queues);
        if lost > 0 {
            tracing::warn!(
                count = lost,
                "notifications are lost at the end of the process"
            );
        }
    }
}

impl<C: Courier> Shared<C> {
    /// Delivers the notifications of a Provider until its queue is empty.
    async fn empty(&self, provider: &ObjectKey) {
        loop {
            let next = {
                let mut queues = self.queues();
                let now = self.clock.now();
                let queue = queues.by_provider.get(provider);
                match queue.map(|queue| queue.next(now)) {
                    Some(Next::Send(notification)) => Ok(Arc::clone(notification)),
                    Some(Next::WaitUntil(time)) => {
                        Err(Duration::try_from(time.duration_since(now)).unwrap_or_default())
                    }
                    Some(Next::Idle) | None => {
                        queues.by_provider.remove(provider);
                        return;
                    }
                }
            };
            match next {
                Ok(notification) => {
                    let result = self.courier.deliver(&notification).await;
                    self.record(provider, &notification, result);
                }
                Err(wait) => tokio::select! {
                    () = tokio::time::sleep(wait) => {}
                    () = self.stop.cancelled() => return,
                },
            }
        }
    }

    /// Records the result of an attempt.
    fn record(
        &self,
        provider: &ObjectKey,
        notification: &Arc<Notification>,
        result: Result<(), FailedAttempt>,
    ) {
        let removed = {
            let mut queues = self.queues();
            let queue = queues.by_provider.get_mut(provider);
            // During the attempt, a full queue may have dropped the notification.
            let is_first = |queue: &&mut Queue<Arc<Notification>>| {
                let first = queue.first();
                first.is_some_and(|first| Arc::ptr_eq(first, notification))
            };
            let Some(queue) = queue.filter(is_first) else {
                return;
            };
            let removed: Vec<_> = match result {
                Ok(()) => queue.delivered().into_iter().collect(),
                Err(attempt) => {
                    let max_age = self.max_age.max(attempt.timeout);
                    queue.failed(attempt.failure, max_age, self.clock.now())
                }
            };
            for notification in &removed {
                queues.subtract(notification);
            }
            removed
        };
        for notification in &removed {
            self.waiting.dec();
            if result.is_err() {
                self.courier.give_up(notification);
            }
        }
    }

    fn queues(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
