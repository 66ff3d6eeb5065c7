//! The tree of a document: entries and comments, in order.
//!
//! Keys and shapes are public. Values and comments are secret, so debug output hides them and
//! they are overwritten when dropped. Texts are bytes, because binary files need not be UTF-8.
//!
//! Start at [`Branch`]. Encryption and decryption use [`walk()`].

mod walk;

use std::fmt;

use sluice_dial::Sensitive;

pub(crate) use walk::{Leaf, Position, Replacement, WalkError, walk};

/// A text that may be secret and need not be UTF-8.
pub(crate) type Text = Sensitive<Vec<u8>>;

/// Entries and comments in order; keys may repeat.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Branch(pub(crate) Vec<Item>);

/// An item of a [`Branch`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Item {
    /// A comment.
    Comment(Comment),
    /// A key and its value.
    Entry(String, Value),
}

/// A line of a comment, without the comment character.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Comment {
    pub(crate) text: Text,
    /// Whether it is at the end of the line of the next item.
    pub(crate) inline: bool,
}

/// An element of a list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Element {
    /// A comment.
    Comment(Comment),
    /// A value.
    Value(Value),
}

/// A value.
#[derive(Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Text),
    /// A time in RFC 3339 format.
    Time(Text),
    List(Vec<Element>),
    Branch(Branch),
}

impl Branch {
    /// Returns the first value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().find_map(|item| match item {
            Item::Entry(known, value) if known == key => Some(value),
            _ => None,
        })
    }

    /// Iterates over the entries, without comments.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().filter_map(|item| match item {
            Item::Entry(key, value) => Some((key.as_str(), value)),
            Item::Comment(_) => None,
        })
    }

    /// Appends an entry.
    pub(crate) fn push(&mut self, key: impl Into<String>, value: Value) {
        self.0.push(Item::Entry(key.into(), value));
    }
}

impl Comment {
    pub(crate) fn new(text: impl Into<Vec<u8>>, inline: bool) -> Self {
        Self {
            text: Sensitive::new(text.into()),
            inline,
        }
    }

    /// Returns its text, with invalid UTF-8 replaced.
    pub(crate) fn to_text(&self) -> String {
        String::from_utf8_lossy(self.text.expose()).into_owned()
    }
}

impl Value {
    /// Creates a text.
    pub(crate) fn text(text: impl Into<Vec<u8>>) -> Self {
        Self::Text(Sensitive::new(text.into()))
    }

    /// Returns the bytes to encrypt and authenticate.
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        Some(match self {
            Self::Null | Self::List(_) | Self::Branch(_) => return None,
            Self::Bool(true) => b"True".to_vec(),
            Self::Bool(false) => b"False".to_vec(),
            Self::Int(value) => value.to_string().into_bytes(),
            Self::Float(value) => positional(*value).into_bytes(),
            Self::Text(text) | Self::Time(text) => text.expose().clone(),
        })
    }

    /// Returns the kind of the value, for errors.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) => "an integer",
            Self::Float(_) => "a float",
            Self::Text(_) => "a text",
            Self::Time(_) => "a time",
            Self::List(_) => "a list",
            Self::Branch(_) => "a mapping",
        }
    }
}

/// Hides the value itself.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::List(items) => f.debug_tuple("List").field(items).finish(),
            Self::Branch(branch) => branch.fmt(f),
            scalar => f.write_str(scalar.kind()),
        }
    }
}

/// Formats a float like `strconv.FormatFloat(value, 'f', -1, 64)`.
fn positional(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned()
    } else {
        value.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_formatted_with_all_digits() {
        let bytes = |value| Value::Float(value).to_bytes().unwrap();
        assert_eq!(bytes(1e21), b"1000000000000000000000");
        assert_eq!(bytes(0.000_000_1), b"0.0000001");
        assert_eq!(bytes(3.0), b"3");
        assert_eq!(bytes(f64::INFINITY), b"+Inf");
    }

    #[test]
    fn debug_output_shows_keys_but_not_values() {
        let mut branch = Branch::default();
        branch.push("password", Value::text("canary"));
        branch.push("pin", Value::Int(4711));
        branch.0.push(Item::Comment(Comment::new("canary", false)));
        let shown = format!("{branch:?}");
        assert!(shown.contains("password"), "{shown}");
        assert!(
            !shown.contains("canary") && !shown.contains("4711"),
            "{shown}"
        );
    }
}
