//! The clock, the file system and permits, in forms that tests control and errors explain.
//!
//! Callers pass a [`Clock`], so a test can stop the time. Errors of [`fs`] name the action and the
//! path. Lints forbid `std::fs` and the machine's clock in the other crates. [`permits`] bounds work
//! at once, fairly between tenants, and [`budget`] the work of one run.

pub mod budget;
pub mod clock;
pub mod fs;
pub mod permits;

pub use clock::{Clock, ManualClock, SystemClock};
