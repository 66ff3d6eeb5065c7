//! Fails a test when a thread of the runtime computes instead of moving bytes.
//!
//! Controllers in the process of the test report here. Controllers in processes of their own write
//! to their log, which [`Running`](crate::Running) searches when it is dropped. A finding fails the
//! test that waits next, which may be another one: all tests of a process share its limit.

use std::sync::{Mutex, PoisonError};

use sluice_system::polls::{LongPoll, limit_polls, max_poll};

/// The variable of a controller process that sets its limit, in milliseconds.
pub(crate) const VARIABLE: &str = "SLUICE_MAX_POLL_MS";

static FOUND: Mutex<Vec<LongPoll>> = Mutex::new(Vec::new());

/// Sets the limit of this process.
pub(crate) fn limit() {
    limit_polls(max_poll(), |poll| {
        FOUND
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(poll);
    });
}

/// Fails if a poll was too long since the last call.
pub(crate) fn check() {
    let found = std::mem::take(&mut *FOUND.lock().unwrap_or_else(PoisonError::into_inner));
    let lines: Vec<String> = found
        .iter()
        .map(|LongPoll { future, time }| format!("{time:?} in {future}"))
        .collect();
    assert!(
        lines.is_empty(),
        "polls of runtime threads took more than {:?}; move the work to sluice_system::blocking:\n{}",
        max_poll(),
        lines.join("\n")
    );
}
