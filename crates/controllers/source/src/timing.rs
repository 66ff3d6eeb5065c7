//! The durations of a spec. Pure.
//!
//! The schema validates durations, but a stored object may predate or bypass it.

use std::time::Duration;

use sluice_api::meta::{self, DurationError, reason};
use sluice_engine::{Failure, Retry};

/// For stored objects older than the schema's default.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);
/// Time of a step beyond its requests.
const STEP_MARGIN: Duration = Duration::from_mins(10);
/// Minimum interval and timeout.
const MIN_DURATION: Duration = Duration::from_secs(1);

/// The most time that a step may take: some requests, and work on a busy disk.
pub(crate) fn step_limit(timeout: Duration) -> Duration {
    timeout.saturating_mul(2).saturating_add(STEP_MARGIN)
}

/// Parses `spec.interval`. Zero disables polling.
pub(crate) fn interval(value: &meta::Duration) -> Result<Duration, Failure> {
    let interval = duration("spec.interval", value)?;
    Ok(if interval.is_zero() {
        interval
    } else {
        interval.max(MIN_DURATION)
    })
}

/// Parses `spec.timeout`.
pub(crate) fn timeout(value: Option<&meta::Duration>) -> Result<Duration, Failure> {
    match value {
        None => Ok(DEFAULT_TIMEOUT),
        Some(timeout) => Ok(duration("spec.timeout", timeout)?.max(MIN_DURATION)),
    }
}

fn duration(field: &str, value: &meta::Duration) -> Result<Duration, Failure> {
    value.parse().map_err(|error: DurationError| {
        let message = format!("{field}: {error}");
        Failure::message(reason::VALIDATION_FAILED, Retry::Stalled, message)
    })
}
