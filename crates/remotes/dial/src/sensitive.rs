//! A value that must never be printed and does not outlive its use in memory.

use std::fmt;
use std::hash::{Hash, Hasher};

/// Overwrites what a value holds, before its memory is given back.
pub trait Wipe {
    /// Replaces every byte by zero.
    fn wipe(&mut self);
}

impl Wipe for Vec<u8> {
    fn wipe(&mut self) {
        self.fill(0);
        // Without an observer the writes above are dead stores to the optimizer.
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
/// Equality and hash are those of the content, since connections are cached by
/// the credentials they were made with. Neither is constant-time: do not compare
/// what a stranger sent with it.
pub struct Sensitive<T: Wipe>(T);

impl<T: Wipe> Sensitive<T> {
    /// Takes a secret in.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// Gives the secret itself; the name marks the places to look at in a review.
    pub const fn expose(&self) -> &T {
        &self.0
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

/// A text that a stranger wrote, without secrets that he knows of us.
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
    fn debug_of_a_secret_shows_nothing_of_it() {
        let secret = Sensitive::from("hunter2");
        assert_eq!(format!("{secret:?}"), "[redacted]");
        assert_eq!(format!("{:?}", Some(&secret)), "Some([redacted])");
    }

    #[test]
    fn wiping_leaves_no_bytes() {
        let mut bytes = b"hunter2".to_vec();
        bytes.wipe();
        assert!(bytes.is_empty());
        // The allocation is still ours: what it held must be gone.
        bytes.reserve(1);
        let mut text = "hunter2".to_owned();
        text.wipe();
        assert!(text.is_empty());
    }
}
