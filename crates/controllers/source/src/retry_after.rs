//! Limits the delay that a remote asks for with `Retry-After`.
//!
//! The maximum is the maximum back-off. The minimum is the back-off of repeated failures:
//! otherwise a remote that always answers "in a second" causes an alert every second.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sluice_api::source::condition::FETCH_FAILED;
use sluice_engine::{ObjectKey, Retry};

use crate::fault::{FailureCondition, Fault};

pub(crate) struct RetryAfterLimit {
    least: Duration,
    most: Duration,
    /// Number of consecutive delays of each object.
    delays: Mutex<HashMap<ObjectKey, u32>>,
}

impl RetryAfterLimit {
    pub(crate) fn new(least: Duration, most: Duration) -> Self {
        Self {
            least,
            most,
            delays: Mutex::default(),
        }
    }

    /// Whether the remote asked for a delay. A wait for another object has its own delay.
    pub(crate) fn is_delay(fault: &Fault) -> bool {
        matches!(fault.failure.retry, Retry::After(_))
            && fault.condition == FailureCondition::True(FETCH_FAILED)
    }

    /// Bounds the delay that a remote asks for, after so many consecutive ones. Pure. Any other
    /// failure is unchanged.
    pub(crate) fn bound_delay(&self, mut fault: Fault, delays: u32) -> Fault {
        if let Retry::After(asked) = fault.failure.retry
            && Self::is_delay(&fault)
        {
            let factor = 2_u32.checked_pow(delays).unwrap_or(u32::MAX);
            let own = self.least.saturating_mul(factor);
            fault.failure.retry = Retry::After(asked.max(own).min(self.most));
        }
        fault
    }

    /// The number of consecutive delays of an object.
    pub(crate) fn delays(&self, object: &ObjectKey) -> u32 {
        self.lock().get(object).copied().unwrap_or_default()
    }

    /// Counts a delay of an object.
    pub(crate) fn count(&self, object: &ObjectKey) {
        let mut delays = self.lock();
        let count = delays.entry(object.clone()).or_default();
        *count = count.saturating_add(1);
    }

    /// Resets the count of an object.
    pub(crate) fn forget(&self, object: &ObjectKey) {
        self.lock().remove(object);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ObjectKey, u32>> {
        self.delays.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use sluice_api::source::condition::INCLUDE_UNAVAILABLE;
    use sluice_engine::Failure;

    use super::*;

    fn fault(condition: &'static str, retry: Retry) -> Fault {
        Fault {
            condition: FailureCondition::True(condition),
            failure: Failure::message("GitOperationFailed", retry, "busy"),
        }
    }

    #[test]
    fn requested_delay_is_bounded() {
        let limit = RetryAfterLimit::new(Duration::from_secs(1), Duration::from_mins(15));
        let bounded = |asked, delays| {
            let retry = Retry::After(Duration::from_secs(asked));
            let fault = limit.bound_delay(fault(FETCH_FAILED, retry), delays);
            match fault.failure.retry {
                Retry::After(time) => time.as_secs(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(bounded(60, 0), 60);
        assert_eq!(bounded(3600, 1), 900);
        let delays = [(0, 2), (1, 3), (60, 4), (1, 5), (0, 0), (0, 1)];
        let bounds = delays.map(|(asked, delays)| bounded(asked, delays));
        assert_eq!(bounds, [4, 8, 60, 32, 1, 2]);
        assert_eq!([bounded(0, 40), bounded(0, u32::MAX)], [900, 900]);
    }

    #[test]
    fn other_failures_keep_their_retry() {
        let limit = RetryAfterLimit::new(Duration::from_secs(1), Duration::from_secs(5));
        let configured = Retry::After(Duration::from_secs(30));
        for fault in [
            fault(INCLUDE_UNAVAILABLE, configured),
            fault(FETCH_FAILED, Retry::Backoff),
        ] {
            assert!(!RetryAfterLimit::is_delay(&fault));
            assert_eq!(limit.bound_delay(fault.clone(), 7), fault);
        }
    }

    #[test]
    fn delays_are_counted_until_forgotten() {
        let limit = RetryAfterLimit::new(Duration::from_secs(1), Duration::from_secs(5));
        let object = ObjectKey::new("tenant", "app");
        assert_eq!(limit.delays(&object), 0);
        limit.count(&object);
        limit.count(&object);
        assert_eq!(limit.delays(&object), 2);
        limit.forget(&object);
        assert_eq!(limit.delays(&object), 0);
    }
}
