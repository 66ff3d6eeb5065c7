//! Secrets: never printed, and overwritten in memory after use.

use std::fmt;
use std::hash::{Hash, Hasher};

/// Overwrites a value before its memory is freed.
pub trait Wipe {
    /// Replaces every byte by zero.
    fn wipe(&mut self);
}

impl Wipe for Vec<u8> {
    fn wipe(&mut self) {
        self.fill(0);
        // Without `black_box` the optimizer would remove the writes.
        std::hint::black_box(self.as_slice());
        self.clear();
    }
}

impl Wipe for String {
    fn wipe(&mut self) {
        std::mem::take(self).into_bytes().wipe();
    }
}

/// A secret: prints as `[redacted]` and is overwritten when dropped.
///
/// Equality and hash use the content, because connections are cached by their credentials. Neither
/// is constant-time, so do not compare untrusted input with it.
pub struct Sensitive<T: Wipe>(T);

impl<T: Wipe> Sensitive<T> {
    /// Wraps a secret.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// Returns the secret. The name marks the places to review.
    pub const fn expose(&self) -> &T {
        &self.0
    }
}

impl<T: Wipe + Default> Default for Sensitive<T> {
    fn default() -> Self {
        Self(T::default())
    }
}

impl<T: Wipe> Drop for Sensitive<T> {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

impl<T: Wipe + Clone> Clone for Sensitive<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Wipe + PartialEq> PartialEq for Sensitive<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T: Wipe + Eq> Eq for Sensitive<T> {}

impl<T: Wipe + Hash> Hash for Sensitive<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

/// Removes secrets from a server's text, which may repeat them.
pub fn hide<'s>(text: &str, secrets: impl IntoIterator<Item = &'s str>) -> String {
    let secrets = secrets.into_iter().filter(|secret| !secret.is_empty());
    secrets.fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
}

impl<T: Wipe> From<T> for Sensitive<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl From<&str> for Sensitive<String> {
    fn from(value: &str) -> Self {
        Self(value.to_owned())
    }
}

impl<T: Wipe> fmt::Debug for Sensitive<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_hides_the_secret() {
        let secret = Sensitive::from("hunter2");
        assert_eq!(format!("{secret:?}"), "[redacted]");
        assert_eq!(format!("{:?}", Some(&secret)), "Some([redacted])");
    }

    #[test]
    fn wipe_clears_all_bytes() {
        let mut bytes = b"hunter2".to_vec();
        bytes.wipe();
        assert!(bytes.is_empty());
        // The allocation is still owned, and its content must be cleared.
        bytes.reserve(1);
        let mut text = "hunter2".to_owned();
        text.wipe();
        assert!(text.is_empty());
    }
}
