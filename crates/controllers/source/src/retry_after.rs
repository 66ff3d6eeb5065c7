//! Limits the delay that a remote asks for with `Retry-After`.
//!
//! The maximum is the maximum back-off. The minimum is the back-off of repeated failures:
//! otherwise a remote that always answers "in a second" causes an alert every second.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sluice_api::source::condition::FETCH_FAILED;
use sluice_engine::{ObjectKey, Retry};

use crate::fault::{FailureCondition, Fault};

pub(crate) struct RetryAfterLimit {
    least: Duration,
    most: Duration,
    /// Number of consecutive delays of each object.
    refusals: Mutex<HashMap<ObjectKey, u32>>,
}

impl RetryAfterLimit {
    pub(crate) fn new(least: Duration, most: Duration) -> Self {
        Self {
            least,
            most,
            refusals: Mutex::default(),
        }
    }

    /// Bounds the delay that a remote asks for. Any other failure is unchanged and resets the
    /// count.
    pub(crate) fn bound_delay(&self, object: &ObjectKey, mut fault: Fault) -> Fault {
        let Retry::After(asked) = fault.failure.retry else {
            self.forget(object);
            return fault;
        };
        // A wait for another object has its own delay.
        if fault.condition != FailureCondition::True(FETCH_FAILED) {
            self.forget(object);
            return fault;
        }
        let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        let before = refusals.entry(object.clone()).or_default();
        let own = self
            .least
            .saturating_mul(2_u32.checked_pow(*before).unwrap_or(u32::MAX));
        *before = before.saturating_add(1);
        fault.failure.retry = Retry::After(asked.max(own).min(self.most));
        fault
    }

    /// Resets the count of an object.
    pub(crate) fn forget(&self, object: &ObjectKey) {
        let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        refusals.remove(object);
    }
}

#[cfg(test)]
mod tests {
    use sluice_api::source::condition::INCLUDE_UNAVAILABLE;
    use sluice_engine::Failure;

    use super::*;

    fn waits(retry_after: &RetryAfterLimit, condition: &'static str, retry: Retry) -> Retry {
        let fault = Fault {
            condition: FailureCondition::True(condition),
            failure: Failure::message("GitOperationFailed", retry, "busy"),
        };
        let object = ObjectKey::new("tenant", "app");
        retry_after.bound_delay(&object, fault).failure.retry
    }

    #[test]
    fn requested_delay_is_bounded() {
        let retry_after = RetryAfterLimit::new(Duration::from_secs(1), Duration::from_mins(15));
        let asked = |seconds| {
            let retry = Retry::After(Duration::from_secs(seconds));
            match waits(&retry_after, FETCH_FAILED, retry) {
                Retry::After(time) => time.as_secs(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(asked(60), 60);
        assert_eq!(asked(3600), 900);
        // The third and later consecutive delays.
        assert_eq!([asked(0), asked(1), asked(60), asked(1)], [4, 8, 60, 32]);
        for _ in 0..40 {
            assert!(asked(0) <= 900);
        }
        assert_eq!(asked(0), 900);
        retry_after.forget(&ObjectKey::new("tenant", "app"));
        assert_eq!([asked(0), asked(0)], [1, 2]);
        // Another failure also resets the count.
        assert_eq!(
            waits(&retry_after, FETCH_FAILED, Retry::Backoff),
            Retry::Backoff
        );
        assert_eq!(asked(0), 1);
    }

    #[test]
    fn include_wait_keeps_configured_delay() {
        let retry_after = RetryAfterLimit::new(Duration::from_secs(1), Duration::from_secs(5));
        let configured = Retry::After(Duration::from_secs(30));
        let waits = || waits(&retry_after, INCLUDE_UNAVAILABLE, configured);
        assert_eq!([waits(), waits()], [configured, configured]);
    }
}
