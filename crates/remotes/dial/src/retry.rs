//! Retry policies.
//!
//! The rules are those of Flux's HTTP client: the wait doubles after each failure between a minimum
//! and a maximum, and `Retry-After` is honored.

use std::future::Future;
use std::time::Duration;

use ::http::{HeaderMap, StatusCode, header};

/// A retry policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// Number of retries.
    pub retries: u32,
    /// Minimum wait.
    pub wait_min: Duration,
    /// Maximum wait, also for `Retry-After`.
    pub wait_max: Duration,
}

impl Retry {
    /// Artifact downloads: nine retries, 5 s to 30 s apart.
    pub const ARTIFACT: Self = Self {
        retries: 9,
        wait_min: Duration::from_secs(5),
        wait_max: Duration::from_secs(30),
    };
    /// Events to the notification controller: two retries, 1 s to 30 s apart.
    pub const EVENT: Self = Self {
        retries: 2,
        wait_min: Duration::from_secs(1),
        wait_max: Duration::from_secs(30),
    };
    /// No retries.
    pub const NEVER: Self = Self {
        retries: 0,
        wait_min: Duration::ZERO,
        wait_max: Duration::ZERO,
    };

    /// Returns the policy with another number of retries (`--http-retry`).
    #[must_use]
    pub const fn times(self, retries: u32) -> Self {
        Self { retries, ..self }
    }

    /// Returns the wait after a failed attempt, counted from zero.
    pub fn wait(&self, attempt: u32, retry_after: Option<Duration>) -> Duration {
        if let Some(retry_after) = retry_after {
            return retry_after.min(self.wait_max);
        }
        let factor = 1_u32.checked_shl(attempt.min(31)).unwrap_or(u32::MAX);
        self.wait_min.saturating_mul(factor).min(self.wait_max)
    }

    /// Runs `attempt` and retries while it returns [`Attempt::Again`]. If all retries fail, the
    /// first failure is returned: later ones are often consequences with less information. A
    /// permanent failure is returned at once.
    pub async fn run<T, E, F, Fut>(&self, mut attempt: F) -> Result<T, E>
    where
        F: FnMut(u32) -> Fut,
        Fut: Future<Output = Attempt<T, E>>,
    {
        let mut count = 0;
        let mut first = None;
        loop {
            let (error, after) = match attempt(count).await {
                Attempt::Done(value) => return Ok(value),
                Attempt::Failed(error) => return Err(error),
                Attempt::Again { error, after } => (error, after),
            };
            let error = first.take().unwrap_or(error);
            if count >= self.retries {
                return Err(error);
            }
            first = Some(error);
            tokio::time::sleep(self.wait(count, after)).await;
            count += 1;
        }
    }
}

/// The result of an attempt.
#[derive(Debug)]
pub enum Attempt<T, E> {
    /// Success.
    Done(T),
    /// Permanent failure.
    Failed(E),
    /// Transient failure.
    Again {
        /// Error.
        error: E,
        /// Value of `Retry-After`.
        after: Option<Duration>,
    },
}

/// Reports whether a status is transient: too many requests, and server errors other than "not
/// implemented".
pub fn is_transient(status: StatusCode) -> bool {
    status == StatusCode::TOO_MANY_REQUESTS
        || (status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED)
}

/// Reports whether a request without a response can be retried. Refused redirects, malformed
/// requests and untrusted certificates are permanent.
pub fn is_transient_failure(error: &reqwest::Error) -> bool {
    if error.is_builder() || error.is_redirect() {
        return false;
    }
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        if cause.downcast_ref::<rustls::Error>().is_some()
            || cause.to_string().contains("invalid peer certificate")
        {
            return false;
        }
        source = cause.source();
    }
    true
}

/// Parses `Retry-After` in seconds. A date is ignored, because the wait would depend on two clocks.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    headers
        .get(header::RETRY_AFTER)?
        .to_str()
        .ok()?
        .trim()
        .parse()
        .ok()
        .map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_from_minimum_to_maximum() {
        let waits: Vec<u64> = (0..6)
            .map(|n| Retry::ARTIFACT.wait(n, None).as_secs())
            .collect();
        assert_eq!(waits, [5, 10, 20, 30, 30, 30]);
        assert_eq!(Retry::ARTIFACT.wait(4_000_000, None).as_secs(), 30);
    }

    #[test]
    fn retry_after_is_capped_at_maximum_wait() {
        let retry_after = |seconds| Retry::ARTIFACT.wait(0, Some(Duration::from_secs(seconds)));
        assert_eq!(retry_after(1), Duration::from_secs(1));
        assert_eq!(retry_after(86_400), Duration::from_secs(30));
    }

    #[test]
    fn status_codes_determine_transience() {
        for (status, transient) in [
            (200, false),
            (301, false),
            (400, false),
            (401, false),
            (404, false),
            (429, true),
            (500, true),
            (501, false),
            (503, true),
        ] {
            let status = StatusCode::from_u16(status).expect("status");
            assert_eq!(is_transient(status), transient, "{status}");
        }
    }

    #[tokio::test]
    async fn first_transient_failure_is_reported() {
        let patient = Retry {
            retries: 2,
            ..Retry::NEVER
        };
        let result: Result<(), String> = patient
            .run(|n| async move {
                Attempt::Again {
                    error: format!("failure {n}"),
                    after: None,
                }
            })
            .await;
        assert_eq!(result, Err("failure 0".to_owned()));
    }

    #[tokio::test]
    async fn permanent_failure_is_reported_after_transient_ones() {
        let patient = Retry {
            retries: 2,
            ..Retry::NEVER
        };
        let result: Result<(), &str> = patient
            .run(|n| async move {
                if n == 0 {
                    let (error, after) = ("busy", None);
                    Attempt::Again { error, after }
                } else {
                    Attempt::Failed("gone")
                }
            })
            .await;
        assert_eq!(result, Err("gone"));
    }

    #[tokio::test]
    async fn permanent_failure_is_not_retried() {
        let patient = Retry {
            retries: 2,
            ..Retry::NEVER
        };
        let result: Result<(), u32> = patient.run(|n| async move { Attempt::Failed(n) }).await;
        assert_eq!(result, Err(0));
    }
}
