//! The calls of a key service.

/// The direction of a call.
#[derive(Debug, Clone, Copy)]
pub enum KeyCall<'a> {
    /// Unwraps bytes.
    Decrypt(&'a [u8]),
    /// Wraps bytes.
    Encrypt(&'a [u8]),
}
