//! Limits the time of computations over the tags of tenants.
//!
//! A pattern runs in linear time, but a large one over many tags can still take hours.

use std::time::{Duration, Instant};

/// Maximum time to match the tags of one object.
const LIMIT: Duration = Duration::from_secs(20);

/// The computation takes too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the tags were not matched within {}s: simplify the regular expressions", LIMIT.as_secs())]
pub struct TooSlow;

/// The time that is left of a computation.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    end: Option<Instant>,
}

impl Budget {
    /// Begins a computation.
    pub fn begin() -> Self {
        Self {
            end: Instant::now().checked_add(LIMIT),
        }
    }

    /// A computation without a limit.
    pub const fn unlimited() -> Self {
        Self { end: None }
    }

    /// Checks the time before the next tag.
    pub fn check(&self) -> Result<(), TooSlow> {
        match self.end {
            Some(end) if Instant::now() >= end => Err(TooSlow),
            _ => Ok(()),
        }
    }

    /// A computation without time, for tests.
    #[cfg(test)]
    pub(crate) fn spent() -> Self {
        Self {
            end: Some(Instant::now()),
        }
    }
}
