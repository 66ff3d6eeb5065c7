//! Parses the durations of a spec and applies their defaults.

use std::time::Duration;

use sluice_api::kustomize::KustomizationSpec;
use sluice_api::meta;
use sluice_engine::Requeue;
use sluice_golang::duration::GoDuration;

/// Difference between interval and default timeout, and the minimum timeout.
const TIMEOUT_MARGIN: Duration = Duration::from_secs(30);
/// Time that a step may take beyond `spec.timeout`. Its waits for objects end with the timeout.
const STEP_MARGIN: Duration = Duration::from_mins(5);
/// Minimum time between two runs.
const MIN_INTERVAL: Duration = Duration::from_secs(1);

/// Interval, retry interval and timeout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Timing {
    /// Time from a success to the next run; zero disables it.
    pub(super) interval: Duration,
    /// Time from a failure to the next run.
    pub(super) retry_interval: Duration,
    /// Maximum time for health checks and termination.
    pub(super) timeout: Duration,
}

impl Timing {
    /// Reads the durations of a spec. Objects that are older than the schema can hold invalid
    /// values, so the error names the field.
    pub(super) fn of(spec: &KustomizationSpec) -> Result<Self, String> {
        let read = |field: &str, duration: &meta::Duration| {
            duration
                .parse()
                .map_err(|error| format!("spec.{field}: {error}"))
        };
        let interval = read("interval", &spec.interval)?;
        let retry_interval = match &spec.retry_interval {
            Some(duration) => read("retryInterval", duration)?,
            None => interval,
        };
        let timeout = match &spec.timeout {
            Some(duration) => read("timeout", duration)?,
            None => interval.saturating_sub(TIMEOUT_MARGIN),
        };
        Ok(Self {
            interval: if interval.is_zero() {
                interval
            } else {
                interval.max(MIN_INTERVAL)
            },
            retry_interval: retry_interval.max(MIN_INTERVAL),
            timeout: timeout.max(TIMEOUT_MARGIN),
        })
    }

    /// The most time that a step may take. An object with an invalid spec can still be removed.
    pub(super) fn step_limit(spec: &KustomizationSpec) -> Duration {
        let timeout = Self::of(spec).map_or(Duration::ZERO, |timing| timing.timeout);
        timeout.saturating_add(STEP_MARGIN)
    }

    /// Requeue after a success. As in Flux, an interval of zero disables further runs.
    pub(super) fn after_success(&self) -> Requeue {
        if self.interval.is_zero() {
            Requeue::Never
        } else {
            Requeue::Interval(self.interval)
        }
    }
}

/// Formats a duration as Go does: `1m0s`.
pub(super) fn text(duration: Duration) -> GoDuration {
    GoDuration::from_std(duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(interval: &str, retry: Option<&str>, timeout: Option<&str>) -> KustomizationSpec {
        KustomizationSpec {
            interval: meta::Duration::new(interval),
            retry_interval: retry.map(meta::Duration::new),
            timeout: timeout.map(meta::Duration::new),
            ..KustomizationSpec::default()
        }
    }

    #[test]
    fn defaults_follow_the_interval() {
        let cases = [
            (spec("10m", None, None), (600, 600, 570)),
            (spec("10m", Some("1m"), Some("2m")), (600, 60, 120)),
            (spec("40s", None, None), (40, 40, 30)),
            (spec("10s", None, Some("1s")), (10, 10, 30)),
            (spec("0s", None, None), (0, 1, 30)),
            (spec("10m", Some("0s"), None), (600, 1, 570)),
            (spec("1ms", Some("1ms"), None), (1, 1, 30)),
        ];
        for (spec, (interval, retry, timeout)) in cases {
            let timing = Timing::of(&spec).unwrap();
            let seconds = (
                timing.interval.as_secs(),
                timing.retry_interval.as_secs(),
                timing.timeout.as_secs(),
            );
            assert_eq!(seconds, (interval, retry, timeout));
        }
    }

    #[test]
    fn step_ends_after_timeout_and_margin() {
        let limit = |timeout| Timing::step_limit(&spec("10m", None, Some(timeout))).as_secs();
        assert_eq!(limit("2m"), 120 + 300);
        assert_eq!(limit("a while"), 300);
    }

    #[test]
    fn zero_interval_is_never_requeued() {
        let next = |interval| {
            Timing::of(&spec(interval, None, None))
                .unwrap()
                .after_success()
        };
        assert_eq!(next("0s"), Requeue::Never);
        assert_eq!(next("1m"), Requeue::Interval(Duration::from_mins(1)));
    }

    #[test]
    fn malformed_duration_error_names_field() {
        for (spec, field) in [
            (spec("soon", None, None), "spec.interval"),
            (spec("1m", Some("-1m"), None), "spec.retryInterval"),
            (spec("1m", None, Some("1 minute")), "spec.timeout"),
        ] {
            let error = Timing::of(&spec).unwrap_err();
            assert!(error.starts_with(field), "{error}");
        }
    }
}
