//! When to ask again, and how long to wait before.
//!
//! The rules are those of the HTTP client that Flux uses: wait twice as long
//! after each failure, between a least and a most, and believe `Retry-After`.

use std::future::Future;
use std::time::Duration;

use ::http::{HeaderMap, StatusCode, header};

/// How often and how patiently a request is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// Repeats after the first attempt.
    pub retries: u32,
    /// First wait.
    pub wait_min: Duration,
    /// Longest wait, also when the server asks for more.
    pub wait_max: Duration,
}

impl Retry {
    /// Artifact downloads: nine repeats, from 5 s to 30 s apart.
    pub const ARTIFACT: Self = Self {
        retries: 9,
        wait_min: Duration::from_secs(5),
        wait_max: Duration::from_secs(30),
    };
    /// Events to the notification controller: two repeats, from 1 s to 30 s apart.
    pub const EVENT: Self = Self {
        retries: 2,
        wait_min: Duration::from_secs(1),
        wait_max: Duration::from_secs(30),
    };
    /// One attempt.
    pub const NEVER: Self = Self {
        retries: 0,
        wait_min: Duration::ZERO,
        wait_max: Duration::ZERO,
    };

    /// The same rules with another number of repeats (`--http-retry`).
    #[must_use]
    pub const fn times(self, retries: u32) -> Self {
        Self { retries, ..self }
    }

    /// How long to wait after the `attempt`-th failure, counted from zero.
    pub fn wait(&self, attempt: u32, asked: Option<Duration>) -> Duration {
        if let Some(asked) = asked {
            return asked.min(self.wait_max);
        }
        let factor = 1_u32.checked_shl(attempt.min(31)).unwrap_or(u32::MAX);
        self.wait_min.saturating_mul(factor).min(self.wait_max)
    }

    /// Repeats `attempt` while it says [`Attempt::Again`]. When that does not help, the
    /// caller gets the first failure: later ones are often its consequences, and say less
    /// (a full queue, a server that is being restarted). A failure that would not pass is
    /// news, whenever it comes.
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

/// What became of one attempt.
#[derive(Debug)]
pub enum Attempt<T, E> {
    /// It worked.
    Done(T),
    /// It failed, and would fail again.
    Failed(E),
    /// It failed in a way that may pass.
    Again {
        /// The failure.
        error: E,
        /// How long the server asked us to wait.
        after: Option<Duration>,
    },
}

/// Tells whether an answer is worth asking again for: too many requests, and
/// server faults other than "not implemented".
pub fn is_transient(status: StatusCode) -> bool {
    status == StatusCode::TOO_MANY_REQUESTS
        || (status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED)
}

/// Tells whether a request that got no answer is worth repeating: everything but
/// a refused redirect, a malformed request and an untrusted certificate.
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

/// Reads `Retry-After`, in seconds. The form with a date is left to the usual
/// back-off: it would make the wait depend on two clocks.
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
    fn waits_double_from_least_to_most() {
        let waits: Vec<u64> = (0..6)
            .map(|n| Retry::ARTIFACT.wait(n, None).as_secs())
            .collect();
        assert_eq!(waits, [5, 10, 20, 30, 30, 30]);
        assert_eq!(Retry::ARTIFACT.wait(4_000_000, None).as_secs(), 30);
    }

    #[test]
    fn retry_after_is_believed_up_to_the_longest_wait() {
        let asked = |seconds| Retry::ARTIFACT.wait(0, Some(Duration::from_secs(seconds)));
        assert_eq!(asked(1), Duration::from_secs(1));
        assert_eq!(asked(86_400), Duration::from_secs(30));
    }

    #[test]
    fn transient_answers_follow_one_table() {
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
    async fn the_first_failure_is_the_one_reported() {
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
    async fn what_would_fail_again_is_reported_whatever_came_before() {
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
    async fn what_would_fail_again_is_not_repeated() {
        let patient = Retry {
            retries: 2,
            ..Retry::NEVER
        };
        let result: Result<(), u32> = patient.run(|n| async move { Attempt::Failed(n) }).await;
        assert_eq!(result, Err(0));
    }
}
