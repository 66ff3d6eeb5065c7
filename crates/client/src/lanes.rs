//! How many requests are under way at once.
//!
//! Each of them needs a connection of its own, which is kept when it ends: a burst of hundreds
//! leaves hundreds of them behind, at 25 KiB here and more on the server, and every one had its
//! handshake. So beyond [`LANES`] a request waits for another one to end, but only for a moment: a
//! server that takes its time over some (an admission webhook that hangs) does not hold up others.

use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

/// Requests that share their connections.
const LANES: usize = 32;
/// Longest that a request waits for the end of another one. An ordinary answer takes less.
const PATIENCE: Duration = Duration::from_millis(100);

/// The connections of one server.
#[derive(Debug)]
pub(crate) struct Lanes(Semaphore);

impl Lanes {
    pub(crate) const fn new() -> Self {
        Self(Semaphore::const_new(LANES))
    }

    /// Waits for the end of another request where too many are under way. What it gives is kept
    /// until this one has ended.
    pub(crate) async fn enter(&self) -> Option<SemaphorePermit<'_>> {
        tokio::time::timeout(PATIENCE, self.0.acquire())
            .await
            .ok()?
            .ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_too_many_waits_for_another_to_end() {
        let lanes = Lanes::new();
        let mut inside = Vec::new();
        for _ in 0..LANES {
            inside.push(lanes.enter().await.unwrap());
        }
        let start = tokio::time::Instant::now();
        let (entered, ()) = tokio::join!(lanes.enter(), async {
            tokio::time::sleep(PATIENCE / 2).await;
            inside.pop();
        });
        assert!(entered.is_some());
        assert_eq!(start.elapsed(), PATIENCE / 2);
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_waited_long_enough_goes() {
        let lanes = Lanes::new();
        let mut inside = Vec::new();
        for _ in 0..LANES {
            inside.push(lanes.enter().await.unwrap());
        }
        let start = tokio::time::Instant::now();
        assert!(lanes.enter().await.is_none());
        assert_eq!(start.elapsed(), PATIENCE);
    }
}
