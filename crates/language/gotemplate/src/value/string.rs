//! Strings of Go: bytes that are mostly, but not always, UTF-8.

use std::borrow::{Borrow, Cow};
use std::ops::Deref;
use std::sync::Arc;

/// An immutable string of bytes, cheap to clone and free to cross threads.
///
/// `b64dec`, `trunc` and `substr` make strings that are not UTF-8, and Go writes them out as
/// they are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoString(Arc<[u8]>);

impl GoString {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text, with every invalid byte replaced by U+FFFD.
    pub fn to_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// Whether both are the same allocation.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Default for GoString {
    fn default() -> Self {
        Self(Arc::from([]))
    }
}

impl Deref for GoString {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Borrow<[u8]> for GoString {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for GoString {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for GoString {
    fn from(text: &str) -> Self {
        Self(Arc::from(text.as_bytes()))
    }
}

impl From<String> for GoString {
    fn from(text: String) -> Self {
        Self(Arc::from(text.into_bytes()))
    }
}

impl From<&[u8]> for GoString {
    fn from(bytes: &[u8]) -> Self {
        Self(Arc::from(bytes))
    }
}

impl From<Vec<u8>> for GoString {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Arc::from(bytes))
    }
}

impl From<Cow<'_, [u8]>> for GoString {
    fn from(bytes: Cow<'_, [u8]>) -> Self {
        Self(Arc::from(bytes.as_ref()))
    }
}

impl std::fmt::Debug for GoString {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&sluice_golang::quote::quote_bytes(self))
    }
}

impl std::fmt::Display for GoString {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_text())
    }
}
