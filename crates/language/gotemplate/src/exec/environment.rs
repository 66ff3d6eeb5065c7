//! The parts of the machine that templates see: the clock, the local zone and random numbers.

use std::sync::Arc;

use fastrand::Rng;
use sluice_system::clock::{Clock, SystemClock};

use crate::time::{Location, Time};
use crate::value::func::Failure;

/// The clock, the local zone and the source of random numbers of a render.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    local: Location,
    clock: Option<Arc<dyn Clock>>,
    seed: Option<Rng>,
}

impl Environment {
    /// Sets the local zone, which is UTC by default, as in a container.
    #[must_use]
    pub fn with_local(mut self, local: Location) -> Self {
        self.local = local;
        self
    }

    /// Sets the clock, which is that of the machine by default.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Makes random numbers repeatable; they are then not fit for secrets.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = Some(Rng::with_seed(seed));
        self
    }

    pub(crate) const fn is_seeded(&self) -> bool {
        self.seed.is_some()
    }

    /// The local zone.
    pub const fn local(&self) -> &Location {
        &self.local
    }

    pub(crate) fn now(&self) -> Time {
        let now = match &self.clock {
            Some(clock) => clock.now(),
            None => SystemClock.now(),
        };
        Time::from_timestamp(now, self.local.clone())
    }

    pub(crate) fn random(&mut self, buffer: &mut [u8]) -> Result<(), Failure> {
        match &mut self.seed {
            Some(seed) => seed.fill(buffer),
            None => getrandom::fill(buffer).map_err(|_| "the system has no random numbers")?,
        }
        Ok(())
    }
}
