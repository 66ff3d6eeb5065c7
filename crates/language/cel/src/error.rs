//! Evaluation errors, in cel-go's words.

/// A value or an error message.
pub(super) type Result<T> = std::result::Result<T, String>;

/// Prefix of the error for a missing key.
pub(super) const NO_KEY: &str = "no such key: ";
/// The error of an evaluation that exceeds its budget or a size limit.
pub(super) const INTERRUPTED: &str = "operation interrupted: actual cost limit exceeded";
