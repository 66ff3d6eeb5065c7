//! Runs the queues of all Providers.
//!
//! Each Provider with waiting notifications has its own task, so a slow Provider does not delay
//! others. The task ends when its queue is empty.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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

/// A received event. All its notifications share it.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) event: Event,
    /// Key for the detection of duplicates.
    pub(crate) key: Key,
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

/// Makes attempts to deliver notifications.
pub(crate) trait Courier: Send + Sync + 'static {
    /// Makes one attempt.
    fn deliver(
        &self,
        notification: &Notification,
    ) -> impl Future<Output = Result<(), Failure>> + Send;

    /// Reports a notification that is not retried.
    fn give_up(&self, notification: &Notification);
}

/// The queues of all Providers.
pub(crate) struct Deliveries<C> {
    shared: Arc<Shared<C>>,
}

struct Shared<C> {
    queues: Mutex<HashMap<ObjectKey, Queue<Arc<Notification>>>>,
    courier: C,
    max_age: Duration,
    clock: Arc<dyn Clock>,
    waiting: IntGauge,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl<C: Courier> Deliveries<C> {
    /// Creates empty queues. A notification older than `max_age` is given up after its next
    /// failure.
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
        let mut queues = shared.queues();
        let is_new = !queues.contains_key(&provider);
        let queue = queues
            .entry(provider.clone())
            .or_insert_with(|| Queue::new(shared.max_age));
        let evicted = queue.push(Arc::new(notification), now);
        drop(queues);
        match evicted {
            Some(evicted) => shared.courier.give_up(&evicted),
            None => shared.waiting.inc(),
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
        let lost: usize = self.shared.queues().values().map(Queue::len).sum();
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
                match queues.get(provider).map(|queue| queue.next(now)) {
                    Some(Next::Send(notification)) => Ok(Arc::clone(notification)),
                    Some(Next::WaitUntil(time)) => {
                        Err(Duration::try_from(time.duration_since(now)).unwrap_or_default())
                    }
                    Some(Next::Idle) | None => {
                        queues.remove(provider);
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
        result: Result<(), Failure>,
    ) {
        let given_up = {
            let mut queues = self.queues();
            let queue = queues.get_mut(provider);
            // During the attempt, a full queue may have dropped the notification.
            let is_first = |queue: &&mut Queue<Arc<Notification>>| {
                let first = queue.first();
                first.is_some_and(|first| Arc::ptr_eq(first, notification))
            };
            let Some(queue) = queue.filter(is_first) else {
                return;
            };
            match result {
                Ok(()) => {
                    queue.delivered();
                    self.waiting.dec();
                    None
                }
                Err(failure) => {
                    let given_up = queue.failed(failure, self.clock.now());
                    if given_up.is_some() {
                        self.waiting.dec();
                    }
                    given_up
                }
            }
        };
        if let Some(notification) = given_up {
            self.courier.give_up(&notification);
        }
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<ObjectKey, Queue<Arc<Notification>>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
