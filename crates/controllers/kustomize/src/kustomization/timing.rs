//! The times of a Kustomization, read once and with their defaults.

use std::time::Duration;

use sluice_api::kustomize::KustomizationSpec;
use sluice_api::meta;
use sluice_engine::Requeue;
use sluice_golang::duration::GoDuration;

/// What the timeout is shorter than the interval by, and its least value.
const MARGIN: Duration = Duration::from_secs(30);
/// No run follows another sooner, whatever a spec says.
const LEAST: Duration = Duration::from_secs(1);

/// Interval, retry interval and timeout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Timing {
    /// From one success to the next run; zero is never.
    pub(super) interval: Duration,
    /// From a failure to the next run.
    pub(super) retry_interval: Duration,
    /// For health and termination.
    pub(super) timeout: Duration,
}

impl Timing {
    /// Reads the times of a spec. What the API server's schema would refuse may
    /// still be stored, from before it was there: the error names the field.
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
            None => interval.saturating_sub(MARGIN),
        };
        Ok(Self {
            interval: if interval.is_zero() {
                interval
            } else {
                interval.max(LEAST)
            },
            retry_interval: retry_interval.max(LEAST),
            timeout: timeout.max(MARGIN),
        })
    }

    /// What follows a success. As in Flux, an interval of zero asks for no further run.
    pub(super) fn after_success(&self) -> Requeue {
        if self.interval.is_zero() {
            Requeue::Never
        } else {
            Requeue::Interval(self.interval)
        }
    }
}

/// Prints a time as Go does: `1m0s`.
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
    fn an_interval_of_zero_asks_for_no_further_run() {
        let next = |interval| {
            Timing::of(&spec(interval, None, None))
                .unwrap()
                .after_success()
        };
        assert_eq!(next("0s"), Requeue::Never);
        assert_eq!(next("1m"), Requeue::Interval(Duration::from_mins(1)));
    }

    #[test]
    fn a_malformed_time_is_named_by_its_field() {
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
