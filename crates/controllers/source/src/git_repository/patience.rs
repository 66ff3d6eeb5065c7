//! How long a remote is left alone that asks for time (`Retry-After`).
//!
//! As long as it says, but no longer than any failure may wait, and no shorter than the back-off of
//! an object that fails again and again: a remote that always says "in a second" would have it
//! told, and users alerted, every second.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sluice_api::source::condition::FETCH_FAILED;
use sluice_engine::{ObjectKey, Retry};

use crate::shelf::{Fault, Told};

pub(super) struct Patience {
    least: Duration,
    most: Duration,
    /// How often in a row each object was asked to wait.
    refusals: Mutex<HashMap<ObjectKey, u32>>,
}

impl Patience {
    pub(super) fn new(least: Duration, most: Duration) -> Self {
        Self {
            least,
            most,
            refusals: Mutex::default(),
        }
    }

    /// Bounds the time that a remote asks for. Every other failure stays as it is, and ends the
    /// row.
    pub(super) fn judge(&self, object: &ObjectKey, mut fault: Fault) -> Fault {
        let Retry::After(asked) = fault.failure.retry else {
            self.forget(object);
            return fault;
        };
        // Whoever waits for another object knows for how long.
        if fault.told != Told::True(FETCH_FAILED) {
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

    /// Ends the row of an object.
    pub(super) fn forget(&self, object: &ObjectKey) {
        let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        refusals.remove(object);
    }
}

#[cfg(test)]
mod tests {
    use sluice_api::source::condition::INCLUDE_UNAVAILABLE;
    use sluice_engine::Failure;

    use super::*;

    fn waits(patience: &Patience, told: &'static str, retry: Retry) -> Retry {
        let fault = Fault {
            told: Told::True(told),
            failure: Failure::message("GitOperationFailed", retry, "busy"),
        };
        let object = ObjectKey::new("tenant", "app");
        patience.judge(&object, fault).failure.retry
    }

    #[test]
    fn a_remote_gets_the_time_it_asks_for_within_bounds() {
        let patience = Patience::new(Duration::from_secs(1), Duration::from_mins(15));
        let asked = |seconds| {
            let retry = Retry::After(Duration::from_secs(seconds));
            match waits(&patience, FETCH_FAILED, retry) {
                Retry::After(time) => time.as_secs(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(asked(60), 60);
        assert_eq!(asked(3600), 900);
        // The third in a row, and so on.
        assert_eq!([asked(0), asked(1), asked(60), asked(1)], [4, 8, 60, 32]);
        for _ in 0..40 {
            assert!(asked(0) <= 900);
        }
        assert_eq!(asked(0), 900);
        patience.forget(&ObjectKey::new("tenant", "app"));
        assert_eq!([asked(0), asked(0)], [1, 2]);
        // Another failure ends the row, too.
        assert_eq!(
            waits(&patience, FETCH_FAILED, Retry::Backoff),
            Retry::Backoff
        );
        assert_eq!(asked(0), 1);
    }

    #[test]
    fn who_waits_for_an_include_waits_as_configured() {
        let patience = Patience::new(Duration::from_secs(1), Duration::from_secs(5));
        let configured = Retry::After(Duration::from_secs(30));
        let waits = || waits(&patience, INCLUDE_UNAVAILABLE, configured);
        assert_eq!([waits(), waits()], [configured, configured]);
    }
}
