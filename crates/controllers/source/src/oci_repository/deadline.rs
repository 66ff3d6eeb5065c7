//! The time limit of the answers of a registry.

use std::fmt::Display;
use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sluice_api::meta::reason::AUTHENTICATION_FAILED;
use sluice_golang::GoDuration;
use sluice_golang::error::chain;
use sluice_oci::ErrorKind;
use tokio::time::Instant;

use crate::fault::Fault;

/// The time limit for all answers of the registry in one run. Time between requests, while the run
/// waits for something else, does not count.
#[derive(Debug)]
pub(super) struct Deadline {
    left: Mutex<Duration>,
    limit: Duration,
    registry: String,
}

impl Deadline {
    pub(super) fn after(limit: Duration, registry: &str) -> Self {
        Self {
            left: Mutex::new(limit),
            limit,
            registry: registry.to_owned(),
        }
    }

    /// Waits for an answer. A timeout is an error of its own.
    pub(super) async fn within<T, E: Display>(
        &self,
        asking: impl Future<Output = Result<T, E>>,
    ) -> Result<T, RequestError<E>> {
        let (asked, left) = (Instant::now(), *self.left());
        let answer = tokio::time::timeout(left, asking).await;
        *self.left() = left.saturating_sub(asked.elapsed());
        match answer {
            Ok(answer) => answer.map_err(RequestError::Refused),
            Err(_) => Err(RequestError::TooLate {
                registry: self.registry.clone(),
                limit: GoDuration::from_std(self.limit),
            }),
        }
    }

    fn left(&self) -> MutexGuard<'_, Duration> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a request has no answer.
#[derive(Debug)]
pub(super) enum RequestError<E> {
    Refused(E),
    TooLate { registry: String, limit: GoDuration },
}

impl<E: Display> Display for RequestError<E> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(error) => error.fmt(formatter),
            Self::TooLate { registry, limit } => write!(
                formatter,
                "registry {registry} did not answer within spec.timeout of {limit}"
            ),
        }
    }
}

impl RequestError<sluice_oci::Error> {
    /// Converts the error to a failure of the object.
    pub(super) fn fault(&self, reason: &'static str, action: &str) -> Fault {
        if let Self::Refused(error @ sluice_oci::Error::Login { .. }) = self {
            return Fault::retry(AUTHENTICATION_FAILED, chain(error));
        }
        let hint = match self {
            Self::Refused(error) if error.kind() == ErrorKind::Denied => {
                ": check spec.secretRef and what its credentials may read"
            }
            _ => "",
        };
        Fault::retry(reason, format!("{action}: {self}{hint}"))
    }
}
