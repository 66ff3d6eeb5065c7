//! The work that one run may do with input of a tenant.
//!
//! A small input may cause hours of work or gigabytes of memory. So parsers and interpreters charge
//! their steps and bytes. The parts of a run share one [`Budget`].

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Steps between two readings of the clock.
const CLOCK_STEPS: u64 = 1 << 16;

/// Steps, bytes and a deadline. Clones share them.
#[derive(Debug, Clone)]
pub struct Budget {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    steps: Account,
    bytes: Account,
    deadline: Option<Instant>,
}

#[derive(Debug)]
struct Account {
    limit: u64,
    used: AtomicU64,
}

/// The work exceeds its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BudgetExceeded {
    /// Too many steps.
    #[error("more than {0} steps")]
    Steps(u64),
    /// Too many bytes.
    #[error("more than {0} bytes")]
    Bytes(u64),
    /// The deadline has passed.
    #[error("the time limit is exceeded")]
    Deadline,
}

impl Budget {
    /// Makes a budget without a deadline.
    pub fn new(steps: u64, bytes: u64) -> Self {
        Self::of(steps, bytes, None)
    }

    /// Makes a budget that also ends at a time.
    pub fn until(steps: u64, bytes: u64, deadline: Instant) -> Self {
        Self::of(steps, bytes, Some(deadline))
    }

    fn of(steps: u64, bytes: u64, deadline: Option<Instant>) -> Self {
        let account = |limit| Account {
            limit,
            used: AtomicU64::new(0),
        };
        Self {
            shared: Arc::new(Shared {
                steps: account(steps),
                bytes: account(bytes),
                deadline,
            }),
        }
    }

    /// Charges steps. Reads the clock now and then.
    pub fn charge_steps(&self, steps: u64) -> Result<(), BudgetExceeded> {
        let Shared {
            steps: account,
            deadline,
            ..
        } = &*self.shared;
        let used = account
            .charge(steps)
            .ok_or(BudgetExceeded::Steps(account.limit))?;
        let reads_clock = used / CLOCK_STEPS != used.saturating_sub(steps) / CLOCK_STEPS;
        match deadline {
            Some(deadline) if reads_clock && Instant::now() >= *deadline => {
                Err(BudgetExceeded::Deadline)
            }
            _ => Ok(()),
        }
    }

    /// Whether anything is left. Fails like the charge that exceeded the budget, or by the clock.
    pub fn check(&self) -> Result<(), BudgetExceeded> {
        let Shared {
            steps,
            bytes,
            deadline,
        } = &*self.shared;
        if steps.is_exceeded() {
            return Err(BudgetExceeded::Steps(steps.limit));
        }
        if bytes.is_exceeded() {
            return Err(BudgetExceeded::Bytes(bytes.limit));
        }
        match deadline {
            Some(deadline) if Instant::now() >= *deadline => Err(BudgetExceeded::Deadline),
            _ => Ok(()),
        }
    }

    /// Waits for a result, at most until the deadline.
    pub async fn bound<T>(&self, work: impl Future<Output = T>) -> Result<T, BudgetExceeded> {
        let Some(deadline) = self.shared.deadline else {
            return Ok(work.await);
        };
        let bounded = tokio::time::timeout_at(deadline.into(), work).await;
        bounded.map_err(|_| BudgetExceeded::Deadline)
    }

    /// Charges bytes.
    pub fn charge_bytes(&self, bytes: u64) -> Result<(), BudgetExceeded> {
        let account = &self.shared.bytes;
        let charged = account.charge(bytes);
        charged
            .map(drop)
            .ok_or(BudgetExceeded::Bytes(account.limit))
    }
}

impl Account {
    /// Returns the sum; `None` beyond the limit.
    fn charge(&self, amount: u64) -> Option<u64> {
        let before = self.used.fetch_add(amount, Ordering::Relaxed);
        let used = before.saturating_add(amount);
        (used <= self.limit).then_some(used)
    }

    fn is_exceeded(&self) -> bool {
        self.used.load(Ordering::Relaxed) > self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_steps_and_bytes() {
        let budget = Budget::new(10, 20);
        let clone = budget.clone();
        assert_eq!(budget.charge_steps(6), Ok(()));
        assert_eq!(clone.charge_steps(4), Ok(()));
        assert_eq!(clone.charge_steps(1), Err(BudgetExceeded::Steps(10)));
        assert_eq!(budget.charge_bytes(20), Ok(()));
        assert_eq!(budget.charge_bytes(1), Err(BudgetExceeded::Bytes(20)));
    }

    #[test]
    fn check_reports_exceeded_budget() {
        let budget = Budget::new(10, 20);
        assert_eq!(budget.charge_steps(10), Ok(()));
        assert_eq!(budget.check(), Ok(()));
        assert_eq!(budget.charge_bytes(21), Err(BudgetExceeded::Bytes(20)));
        assert_eq!(budget.check(), Err(BudgetExceeded::Bytes(20)));
        let late = Budget::until(10, 20, Instant::now());
        assert_eq!(late.check(), Err(BudgetExceeded::Deadline));
    }

    #[test]
    fn deadline_ends_long_work() {
        let budget = Budget::until(u64::MAX, 0, Instant::now());
        assert_eq!(budget.charge_steps(1), Ok(()));
        assert_eq!(
            budget.charge_steps(CLOCK_STEPS),
            Err(BudgetExceeded::Deadline)
        );
    }
}
