//! The time limit of all requests to a registry in one run of the caller.

use std::fmt::{self, Display};
use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sluice_golang::GoDuration;
use sluice_golang::error::chain;
use tokio::time::Instant;

use crate::{Error, ErrorKind};

/// The time left for requests to a registry. Time between requests does not count.
#[derive(Debug)]
pub struct Deadline {
    left: Mutex<Duration>,
    limit: Duration,
    registry: String,
}

/// Why a request has no answer.
#[derive(Debug)]
pub enum RequestError<E = Error> {
    /// The request failed.
    Refused(E),
    /// The time limit ended first.
    TooLate {
        /// The registry.
        registry: String,
        /// The time limit of all requests.
        limit: Duration,
    },
}

impl Deadline {
    /// Creates the time limit of requests to a registry.
    pub fn after(limit: Duration, registry: impl Into<String>) -> Self {
        Self {
            left: Mutex::new(limit),
            limit,
            registry: registry.into(),
        }
    }

    /// Waits for an answer, and subtracts the time from what is left.
    ///
    /// # Errors
    ///
    /// Returns the error of the request, or that the time limit ended.
    pub async fn within<T, E>(
        &self,
        request: impl Future<Output = Result<T, E>>,
    ) -> Result<T, RequestError<E>> {
        let (began, left) = (Instant::now(), *self.left());
        // In a box: the future of a request is large, and many callers may wait for a permit.
        let answer = tokio::time::timeout(left, Box::pin(request)).await;
        *self.left() = left.saturating_sub(began.elapsed());
        match answer {
            Ok(answer) => answer.map_err(RequestError::Refused),
            Err(_) => Err(RequestError::TooLate {
                registry: self.registry.clone(),
                limit: self.limit,
            }),
        }
    }

    fn left(&self) -> MutexGuard<'_, Duration> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Display> Display for RequestError<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => error.fmt(formatter),
            Self::TooLate { registry, limit } => {
                let limit = GoDuration::from_std(*limit);
                write!(
                    formatter,
                    "registry {registry} did not answer within {limit}"
                )
            }
        }
    }
}

impl RequestError {
    /// Describes the error with all its causes.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Refused(error) => chain(error),
            Self::TooLate { .. } => self.to_string(),
        }
    }

    /// Whether the registry refused the credentials, or demands some.
    #[must_use]
    pub fn is_denied(&self) -> bool {
        matches!(self, Self::Refused(error) if error.kind() == ErrorKind::Denied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn requests_share_one_limit_and_pauses_are_free() {
        let deadline = Deadline::after(Duration::from_secs(3), "registry.example.com");
        let request = |seconds| async move {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            Ok::<_, Error>(())
        };
        deadline.within(request(2)).await.unwrap();
        tokio::time::sleep(Duration::from_mins(1)).await;
        let error = deadline.within(request(2)).await.unwrap_err();
        assert_eq!(
            error.describe(),
            "registry registry.example.com did not answer within 3s"
        );
        assert!(!error.is_denied());
    }
}
