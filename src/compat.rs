//! `FLUX_COMPAT=strict`: Flux's exit codes in place of ours, for scripts that rely on them.
//!
//! Only codes change, and both modes report all failures. Where a code differs, the command asks
//! [`is_strict`]. Every such place is a row of `docs/differences.md` and of `tests/cluster/exit_codes/table.md`.

use crate::Exit;

/// Whether scripts written for Flux's exit codes are to find them.
#[expect(
    clippy::disallowed_methods,
    reason = "it holds for bad usage too, when there are no parsed flags yet"
)]
pub fn is_strict() -> bool {
    std::env::var_os("FLUX_COMPAT").is_some_and(|mode| mode == "strict")
}

/// The exit code of a comparison that was asked for in a way that cannot be followed: Flux ends with
/// the 1 that means a difference.
pub fn misused_comparison() -> u8 {
    if is_strict() { 1 } else { 2 }
}

/// The exit code after a reported failure that Flux ends with 0.
pub fn reported_failure() -> Exit {
    if is_strict() {
        Exit::SUCCESS
    } else {
        Exit::FAILURE
    }
}
