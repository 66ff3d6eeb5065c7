//! Limits the requests in flight.
//!
//! Each request in flight needs a connection of its own, which stays open afterwards: 50 KiB here
//! and more on the server. So a request beyond [`MAX_CONNECTIONS`] waits for a permit. A slow
//! request (an admission webhook that hangs) returns its permit after [`EXCLUSIVE_TIME`] and goes
//! on. It does not block the others. The time limit of a request begins with its permit.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use tokio::sync::{Notify, Semaphore, SemaphorePermit};

/// Requests that share their connections. A server that answers within 50 ms serves 640 of them
/// per second, where the flags of Flux allow 50. Twice as many were not faster and took 3 MiB more.
const MAX_CONNECTIONS: usize = 32;
/// How long a request keeps its permit. Ordinary answers take less, also from a server at its
/// limit, where more requests in flight would only be slower.
const EXCLUSIVE_TIME: Duration = Duration::from_millis(500);

/// The connections of one server.
#[derive(Debug)]
pub(crate) struct ConnectionLimit {
    permits: Semaphore,
    /// Wakes when the last permit returns.
    idle: Notify,
}

/// A permit. The last one to return wakes [`ConnectionLimit::idle`].
struct Permit<'a> {
    permit: Option<SemaphorePermit<'a>>,
    limit: &'a ConnectionLimit,
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        drop(self.permit.take());
        if self.limit.is_idle() {
            self.limit.idle.notify_waiters();
        }
    }
}

impl ConnectionLimit {
    pub(crate) const fn new() -> Self {
        Self {
            permits: Semaphore::const_new(MAX_CONNECTIONS),
            idle: Notify::const_new(),
        }
    }

    /// Waits until no request holds a permit.
    pub(crate) async fn idle(&self) {
        loop {
            let mut idle = pin!(self.idle.notified());
            // The wake-up is missed otherwise if it comes before the first poll.
            idle.as_mut().enable();
            if self.is_idle() {
                return;
            }
            idle.await;
        }
    }

    fn is_idle(&self) -> bool {
        self.permits.available_permits() == MAX_CONNECTIONS
    }

    /// Waits for a permit, in order of arrival, and for the end of the request.
    pub(crate) async fn run<F: Future>(&self, request: F) -> F::Output {
        // The semaphore is never closed.
        let permit = Permit {
            permit: self.permits.acquire().await.ok(),
            limit: self,
        };
        let mut request = pin!(request);
        match tokio::time::timeout(EXCLUSIVE_TIME, &mut request).await {
            Ok(answer) => answer,
            Err(_) => {
                drop(permit);
                request.await
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;
    use futures::stream::{FuturesUnordered, StreamExt as _};
    use tokio::time::{Instant, sleep};

    use super::*;

    /// The end of each quick request that comes after `first` requests of this duration.
    async fn ends(first: usize, takes: Duration, then: usize) -> Vec<Duration> {
        let (limit, start) = (ConnectionLimit::new(), Instant::now());
        let quick = Duration::from_millis(10);
        let requests: FuturesUnordered<_> = (0..first + then)
            .map(|number| {
                let takes = if number < first { takes } else { quick };
                limit
                    .run(async move { sleep(takes).await })
                    .map(move |()| (number >= first, start.elapsed()))
            })
            .collect();
        requests
            .filter_map(|(is_late, end)| std::future::ready(is_late.then_some(end)))
            .collect()
            .await
    }

    #[tokio::test(start_paused = true)]
    async fn request_beyond_the_limit_waits() {
        let ms = Duration::from_millis;
        assert_eq!(ends(MAX_CONNECTIONS - 1, ms(300), 1).await, [ms(10)]);
        assert_eq!(ends(MAX_CONNECTIONS, ms(300), 1).await, [ms(310)]);
        assert_eq!(
            ends(MAX_CONNECTIONS - 1, ms(300), 3).await,
            [ms(10), ms(20), ms(30)],
            "one after another"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn hanging_requests_return_their_permits() {
        let (hour, ms) = (Duration::from_hours(1), Duration::from_millis);
        assert_eq!(
            ends(MAX_CONNECTIONS, hour, 1).await,
            [EXCLUSIVE_TIME + ms(10)]
        );
        // Behind twice as many it waits twice as long: those that lent their limit go on.
        assert_eq!(
            ends(2 * MAX_CONNECTIONS, hour, 1).await,
            [2 * EXCLUSIVE_TIME + ms(10)]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn limit_is_idle_after_its_last_request() {
        let (limit, start) = (ConnectionLimit::new(), Instant::now());
        limit.idle().await;
        let ms = Duration::from_millis;
        let requests: FuturesUnordered<_> = [ms(10), ms(30)]
            .map(|takes| limit.run(sleep(takes)))
            .into_iter()
            .collect();
        let (_, idle) = tokio::join!(requests.collect::<Vec<_>>(), async {
            tokio::task::yield_now().await;
            limit.idle().await;
            start.elapsed()
        });
        assert_eq!(idle, ms(30));
    }

    #[tokio::test(start_paused = true)]
    async fn dropped_request_returns_its_permit() {
        let limit = ConnectionLimit::new();
        let hanging: Vec<_> = (0..MAX_CONNECTIONS)
            .map(|_| Box::pin(limit.run(std::future::pending::<()>())))
            .collect();
        let mut hanging: FuturesUnordered<_> = hanging.into_iter().collect();
        assert!(hanging.next().now_or_never().is_none());
        drop(hanging);
        assert!(limit.run(async {}).now_or_never().is_some());
    }
}
