//! The clock and the file system as values.
//!
//! Two things a program reaches for from anywhere, and which then make it hard
//! to test and its errors hard to read: "what time is it" and "read that file".
//! Here the first is a [`Clock`] that a caller is given, so that a test can hold
//! it still; the second is [`fs`], whose errors say what was attempted and on
//! which path. The rest of the house uses these instead of `std::fs` and of the
//! platform's clock, which lints forbid elsewhere.
//!
//! It knows nothing of Kubernetes, of async runtimes or of any sibling crate.

pub mod clock;
pub mod fs;

pub use clock::{Clock, ManualClock, SystemClock};
