//! Compact strings of a tree: texts that are cheap to clone, and names that few nodes have.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;

use smol_str::SmolStr;

/// A text that is cheap to clone. Short texts, as most keys and values are, are stored inline.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Text(SmolStr);

impl Text {
    /// Wraps a static text without a copy.
    pub const fn from_static(text: &'static str) -> Self {
        Self(SmolStr::new_static(text))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(SmolStr::new(text))
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(SmolStr::from(text))
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        Self(SmolStr::new(text))
    }
}

impl From<Cow<'_, str>> for Text {
    fn from(text: Cow<'_, str>) -> Self {
        Self(SmolStr::from(text))
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.0.into()
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

/// The name of an anchor or of an unusual tag. A double pointer makes an absent name take eight
/// bytes instead of sixteen: a tree has many nodes and few names.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Name(Box<Inner>);

/// A type of its own, because Clippy rejects a box of a box.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Inner(Box<str>);

impl Name {
    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0.0
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        self
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Self(Box::new(Inner(name.into())))
    }
}

impl From<String> for Name {
    fn from(name: String) -> Self {
        Self(Box::new(Inner(name.into())))
    }
}

impl From<Cow<'_, str>> for Name {
    fn from(name: Cow<'_, str>) -> Self {
        name.into_owned().into()
    }
}
