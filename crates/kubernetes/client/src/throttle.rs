//! Limits the rate of requests by a token bucket.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The rate of requests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Requests per second.
    pub qps: f64,
    /// Requests in a burst.
    pub burst: u32,
}

impl Rate {
    /// The rate of `--kube-api-qps` and `--kube-api-burst`. Zero or less in either disables the
    /// limit.
    pub fn from_flags(qps: f64, burst: i64) -> Option<Self> {
        let burst = u32::try_from(burst).ok().filter(|burst| *burst > 0)?;
        (qps > 0.0).then_some(Self { qps, burst })
    }
}

/// Delays requests to a rate, in the order of arrival.
#[derive(Debug)]
pub(crate) struct Throttle {
    bucket: Mutex<Bucket>,
    /// Set when the server has API Priority and Fairness: a client-side limit would only add
    /// latency.
    lifted: AtomicBool,
}

impl Throttle {
    pub(crate) fn new(rate: Option<Rate>) -> Self {
        Self {
            lifted: AtomicBool::new(rate.is_none()),
            bucket: Mutex::new(Bucket::full(rate.unwrap_or(Rate { qps: 1.0, burst: 1 }))),
        }
    }

    /// Waits until the request may be sent.
    pub(crate) async fn acquire(&self) {
        if self.is_lifted() {
            return;
        }
        let wait = {
            let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
            bucket.take(Instant::now())
        };
        if !wait.is_zero() {
            tracing::debug!(?wait, "request delayed by the client-side rate limit");
            tokio::time::sleep(wait).await;
        }
    }

    /// Lifts the limit.
    pub(crate) fn lift(&self) {
        if !self.lifted.swap(true, Ordering::Relaxed) {
            tracing::debug!(
                "the API server has priority and fairness: client-side rate limit lifted"
            );
        }
    }

    pub(crate) fn is_lifted(&self) -> bool {
        self.lifted.load(Ordering::Relaxed)
    }
}

/// The token bucket. Negative tokens are reserved by waiting requests.
#[derive(Debug)]
struct Bucket {
    rate: Rate,
    tokens: f64,
    filled: Option<Instant>,
}

impl Bucket {
    fn full(rate: Rate) -> Self {
        Self {
            rate,
            tokens: f64::from(rate.burst),
            filled: None,
        }
    }

    /// Takes a token and returns the wait until it is available.
    fn take(&mut self, now: Instant) -> Duration {
        if let Some(filled) = self.filled {
            let gained = now.saturating_duration_since(filled).as_secs_f64() * self.rate.qps;
            self.tokens = (self.tokens + gained).min(f64::from(self.rate.burst));
        }
        self.filled = Some(now);
        self.tokens -= 1.0;
        if self.tokens >= 0.0 {
            return Duration::ZERO;
        }
        Duration::try_from_secs_f64(-self.tokens / self.rate.qps).unwrap_or(Duration::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn burst_passes_before_the_rate_limits() {
        let start = Instant::now();
        let mut bucket = Bucket::full(Rate {
            qps: 10.0,
            burst: 3,
        });
        let waits: Vec<u128> = (0..5).map(|_| bucket.take(start).as_millis()).collect();
        assert_eq!(waits, [0, 0, 0, 100, 200]);
        // The two reserved tokens come first: after 300 ms one token is left.
        assert_eq!(
            bucket.take(start + Duration::from_millis(300)).as_millis(),
            0
        );
        assert_eq!(
            bucket.take(start + Duration::from_millis(300)).as_millis(),
            100
        );
    }

    #[test]
    fn idle_time_earns_one_burst() {
        let start = Instant::now();
        let mut bucket = Bucket::full(Rate {
            qps: 10.0,
            burst: 2,
        });
        bucket.take(start);
        let later = start + Duration::from_hours(1);
        let waits: Vec<bool> = (0..3).map(|_| bucket.take(later).is_zero()).collect();
        assert_eq!(waits, [true, true, false]);
    }

    #[test]
    fn non_positive_flags_disable_the_limit() {
        for (qps, burst, limited) in [
            (50.0, 300, true),
            (0.0, 300, false),
            (-1.0, 300, false),
            (50.0, 0, false),
            (50.0, -1, false),
        ] {
            assert_eq!(
                Rate::from_flags(qps, burst).is_some(),
                limited,
                "{qps} {burst}"
            );
        }
    }
}
