//! Limits of a render: Go has none, and a template of a tenant may be hostile.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The steps between two looks at the clock.
const STEPS_PER_CHECK: u64 = 1 << 12;

/// The bytes of a process without a memory limit, such as the command line.
const DEFAULT_BYTES: u64 = 4 << 30;
/// The bytes of a process with little memory.
const MIN_BYTES: u64 = 256 << 20;
/// The share of the memory that one render may fill. Two may run on one core, and their results are
/// copied into a manifest and a record.
const MEMORY_SHARE: u64 = 4;

static BYTES: AtomicU64 = AtomicU64::new(DEFAULT_BYTES);

/// Derives [`Budget::bytes`] from the memory of the process: a template may keep all that it makes.
pub fn set_memory(bytes: u64) {
    BYTES.store(bytes_for(bytes), Ordering::Relaxed);
}

fn bytes_for(memory: u64) -> u64 {
    (memory / MEMORY_SHARE).clamp(MIN_BYTES, DEFAULT_BYTES)
}

/// Limits of a render.
#[derive(Debug, Clone)]
pub struct Budget {
    /// The nodes that may be executed, and the elements that functions may visit.
    pub steps: u64,
    /// The bytes that may be written and the bytes of all strings and lists that may be made.
    pub bytes: u64,
    /// The bytes of one string or list.
    pub value_bytes: u64,
    /// How deep templates may call each other.
    pub depth: u32,
    /// When the render ends at the latest.
    pub deadline: Option<Instant>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            steps: 500_000_000,
            bytes: BYTES.load(Ordering::Relaxed),
            value_bytes: 64 << 20,
            depth: 10_000,
            deadline: None,
        }
    }
}

/// The limit that a render reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ExceededLimit {
    /// Too many steps.
    #[error("render budget exceeded: too many steps")]
    Steps,
    /// Too many bytes in all.
    #[error("output limit exceeded: too many bytes")]
    Bytes,
    /// Too many bytes in one value.
    #[error("output limit exceeded: the value is too large")]
    Value,
    /// Values nested too deep.
    #[error("render budget exceeded: the value is nested too deep")]
    Nesting,
    /// Too late.
    #[error("render budget exceeded: deadline reached")]
    Deadline,
}

/// The rest of a budget.
#[derive(Debug)]
pub(crate) struct Meter {
    all_steps: u64,
    steps: u64,
    bytes: u64,
    until_check: u64,
    pub(crate) value_bytes: u64,
    pub(crate) depth: u32,
    deadline: Option<Instant>,
}

impl Meter {
    pub(crate) fn new(budget: &Budget) -> Self {
        Self {
            all_steps: budget.steps,
            steps: budget.steps,
            bytes: budget.bytes,
            until_check: STEPS_PER_CHECK,
            value_bytes: budget.value_bytes,
            depth: budget.depth,
            deadline: budget.deadline,
        }
    }

    /// The steps that were charged.
    pub(crate) const fn used_steps(&self) -> u64 {
        self.all_steps - self.steps
    }

    /// Charges the execution of nodes or visits to elements.
    pub(crate) fn steps(&mut self, count: u64) -> Result<(), ExceededLimit> {
        self.steps = self.steps.checked_sub(count).ok_or(ExceededLimit::Steps)?;
        self.until_check = self.until_check.saturating_sub(count);
        if self.until_check == 0 {
            self.until_check = STEPS_PER_CHECK;
            if self
                .deadline
                .is_some_and(|deadline| Instant::now() > deadline)
            {
                return Err(ExceededLimit::Deadline);
            }
        }
        Ok(())
    }

    /// Charges output, or a value that is made.
    pub(crate) fn bytes(&mut self, count: u64) -> Result<(), ExceededLimit> {
        self.bytes = self.bytes.checked_sub(count).ok_or(ExceededLimit::Bytes)?;
        Ok(())
    }

    /// Refuses a value before it is made; its bytes are charged once it exists.
    pub(crate) fn reserve(&self, count: u64) -> Result<(), ExceededLimit> {
        if count > self.value_bytes {
            return Err(ExceededLimit::Value);
        }
        if count > self.bytes {
            return Err(ExceededLimit::Bytes);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_follow_the_memory() {
        assert_eq!(bytes_for(2 << 30), 512 << 20);
        assert_eq!(bytes_for(1 << 20), MIN_BYTES);
        assert_eq!(bytes_for(u64::MAX), DEFAULT_BYTES);
    }
}
