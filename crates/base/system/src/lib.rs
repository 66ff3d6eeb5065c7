//! The clock, the file system and permits, in forms that tests control and errors explain.
//!
//! Callers pass a [`Clock`], so a test can stop the time. Errors of [`fs`] name the action and the
//! path. Lints forbid `std::fs` and the machine's clock in the other crates. [`permits`] bounds
//! work at once, fairly between tenants, and [`budget`] the work of one run. [`blocking()`] runs
//! work beside the runtime's threads, and [`polls`] finds work that is not.

mod blocking;
pub mod budget;
pub mod clock;
pub mod fs;
pub mod permits;
pub mod polls;

pub use blocking::blocking;
pub use clock::{Clock, ManualClock, SystemClock};
pub use polls::{spawn, timed};
