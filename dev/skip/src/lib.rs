//! Records tests that this machine cannot run.
//!
//! The test runner hides the output of a test that passes. So a skipped test would look like one
//! that ran. Each skip is also a line in the file of `SLUICE_SKIP_LOG`, which `test.sh` prints at
//! its end.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "tests have no flags, and report a skip"
)]

use std::fs::OpenOptions;
use std::io::Write as _;

/// The variable with the path of the file of skips.
const LOG: &str = "SLUICE_SKIP_LOG";

/// A part that a machine may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// A program to compare with, which `REQUIRE_ORACLES=1` demands.
    Oracle,
    /// A real node, mounts or an image, which `REQUIRE_TIER2=1` demands.
    Node,
    /// A part that no variable demands.
    Optional,
}

impl Requirement {
    fn variable(self) -> Option<&'static str> {
        match self {
            Self::Oracle => Some("REQUIRE_ORACLES"),
            Self::Node => Some("REQUIRE_TIER2"),
            Self::Optional => None,
        }
    }
}

/// Records that the current test, or a part of it, is skipped.
///
/// # Panics
/// When the variable of the requirement is `1`.
#[track_caller]
pub fn skip(requirement: Requirement, reason: &str) {
    if let Some(variable) = requirement.variable() {
        let is_required = std::env::var(variable).is_ok_and(|value| value == "1");
        assert!(!is_required, "{variable} is set, but {reason}");
    }
    eprintln!("skipped: {reason}");
    let Some(path) = std::env::var_os(LOG) else {
        return;
    };
    let thread = std::thread::current();
    let line = format!("{}: {reason}\n", thread.name().unwrap_or("a test"));
    let log = OpenOptions::new().create(true).append(true).open(path);
    // One write per line, so that concurrent tests do not mix theirs.
    if let Err(error) = log.and_then(|mut log| log.write_all(line.as_bytes())) {
        eprintln!("failed to record the skip: {error}");
    }
}
