//! How many requests are under way at once.
//!
//! Each of them needs a connection of its own, which is kept when it ends: a burst of hundreds
//! leaves hundreds of them behind, at 50 KiB here and more on the server, and every one had its
//! handshake. So beyond [`LANES`] a request waits for its turn. One that takes long (an admission
//! webhook that hangs) lends its lane to the next in line, so that it does not hold up others: who
//! comes behind a crowd of them waits longer, but goes. The time limit of a request begins on its
//! lane.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use tokio::sync::Semaphore;

/// Requests that share their connections. Of a server that answers within 50 ms that is 640 each
/// second, where the flags of Flux allow 50; twice as many were no faster and held 3 MiB more.
const LANES: usize = 32;
/// How long a request has its lane to itself. Ordinary answers take less, also those of a server
/// that is at its limit: there more requests at once would only be more to wait for.
const PATIENCE: Duration = Duration::from_millis(500);

/// The connections of one server.
#[derive(Debug)]
pub(crate) struct Lanes(Semaphore);

impl Lanes {
    pub(crate) const fn new() -> Self {
        Self(Semaphore::const_new(LANES))
    }

    /// Waits for a lane, in order of arrival, and for the end of the request on it.
    pub(crate) async fn pass<F: Future>(&self, request: F) -> F::Output {
        // The semaphore is never closed.
        let lane = self.0.acquire().await.ok();
        let mut request = pin!(request);
        match tokio::time::timeout(PATIENCE, &mut request).await {
            Ok(answer) => answer,
            Err(_) => {
                drop(lane);
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

    /// When each request ends that comes after `first` have come, which take this long.
    async fn ends(first: usize, takes: Duration, then: usize) -> Vec<Duration> {
        let (lanes, start) = (Lanes::new(), Instant::now());
        let quick = Duration::from_millis(10);
        let requests: FuturesUnordered<_> = (0..first + then)
            .map(|number| {
                let takes = if number < first { takes } else { quick };
                lanes
                    .pass(async move { sleep(takes).await })
                    .map(move |()| (number >= first, start.elapsed()))
            })
            .collect();
        requests
            .filter_map(|(is_late, end)| std::future::ready(is_late.then_some(end)))
            .collect()
            .await
    }

    #[tokio::test(start_paused = true)]
    async fn one_too_many_waits_for_another_to_end() {
        let ms = Duration::from_millis;
        assert_eq!(ends(LANES - 1, ms(300), 1).await, [ms(10)]);
        assert_eq!(ends(LANES, ms(300), 1).await, [ms(310)]);
        assert_eq!(
            ends(LANES - 1, ms(300), 3).await,
            [ms(10), ms(20), ms(30)],
            "one after another"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn requests_that_hang_hold_up_the_next_ones_only_for_a_moment() {
        let (hour, ms) = (Duration::from_hours(1), Duration::from_millis);
        assert_eq!(ends(LANES, hour, 1).await, [PATIENCE + ms(10)]);
        // Behind twice as many it waits twice as long: those that lent their lanes go on.
        assert_eq!(ends(2 * LANES, hour, 1).await, [2 * PATIENCE + ms(10)]);
    }

    #[tokio::test(start_paused = true)]
    async fn who_does_not_wait_any_more_stands_in_nobodys_way() {
        let lanes = Lanes::new();
        let hanging: Vec<_> = (0..LANES)
            .map(|_| Box::pin(lanes.pass(std::future::pending::<()>())))
            .collect();
        let mut hanging: FuturesUnordered<_> = hanging.into_iter().collect();
        assert!(hanging.next().now_or_never().is_none());
        drop(hanging);
        assert!(lanes.pass(async {}).now_or_never().is_some());
    }
}
