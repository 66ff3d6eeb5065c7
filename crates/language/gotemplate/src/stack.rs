//! Room on the machine stack for recursion that follows the input.

/// Left free at any time.
const RESERVE: usize = 256 * 1024;
/// Added when the reserve is reached.
const SEGMENT: usize = 4 * 1024 * 1024;

/// Runs a step of a recursion with enough stack; how deep it goes is limited elsewhere.
pub(crate) fn grow<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RESERVE, SEGMENT, step)
}
