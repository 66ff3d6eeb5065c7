//! The clock and the file system, in forms that tests control and errors explain.
//!
//! Callers pass a [`Clock`], so a test can stop the time. Errors of [`fs`] name the action and the
//! path. Lints forbid `std::fs` and the machine's clock in the other crates.

pub mod clock;
pub mod fs;

pub use clock::{Clock, ManualClock, SystemClock};
