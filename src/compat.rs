//! Maps exit codes to Flux's under `FLUX_COMPAT=strict`, for scripts that rely on them.
//!
//! Both modes report all failures. Certificates and keys that `create secret` stores are not read
//! in this mode, as Flux takes them unread. Where a code differs, the command calls [`is_strict`].
//! `docs/differences.md` and `tests/cluster/exit_codes/table.md` list every such place.

use crate::Exit;

/// Whether `FLUX_COMPAT=strict` is set.
#[expect(
    clippy::disallowed_methods,
    reason = "the variable also applies to bad usage, where parsed flags do not exist yet"
)]
pub fn is_strict() -> bool {
    std::env::var_os("FLUX_COMPAT").is_some_and(|mode| mode == "strict")
}

/// Returns the exit code of a diff command with bad usage. Flux uses 1, its code for a difference.
pub fn misused_comparison() -> u8 {
    if is_strict() { 1 } else { 2 }
}

/// Returns the exit code of a reported failure that Flux ends with 0.
pub fn reported_failure() -> Exit {
    if is_strict() {
        Exit::SUCCESS
    } else {
        Exit::FAILURE
    }
}
