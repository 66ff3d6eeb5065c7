//! What a document is to SOPS: entries in order, comments among them.
//!
//! Keys and shapes are public, values and comments are secret: they print as
//! nothing and are overwritten when dropped. Texts are bytes, since what was
//! encrypted as a binary file need not be text.
//!
//! Start at [`Branch`]; [`walk()`] is the one walk that both directions take.

mod walk;

use std::fmt;

use sluice_dial::Sensitive;

pub(crate) use walk::{Leaf, Place, Replacement, WalkError, walk};

/// A text that may be secret, and need not be UTF-8.
pub(crate) type Text = Sensitive<Vec<u8>>;

/// Entries and comments in the order in which they are written; keys may occur twice.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Branch(pub(crate) Vec<Item>);

/// One thing in a [`Branch`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Item {
    /// A comment of its own.
    Comment(Comment),
    /// A key with its value.
    Entry(String, Value),
}

/// One line of comment, without its mark.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Comment {
    pub(crate) text: Text,
    /// It stands at the end of the line of what follows.
    pub(crate) inline: bool,
}

/// One thing in a list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Element {
    /// A comment of its own.
    Comment(Comment),
    /// An item.
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
    /// A time in the form of RFC 3339.
    Time(Text),
    List(Vec<Element>),
    Branch(Branch),
}

impl Branch {
    /// The value of a key; of several the first one.
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().find_map(|item| match item {
            Item::Entry(known, value) if known == key => Some(value),
            _ => None,
        })
    }

    /// The entries without the comments.
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

    /// Its text, as far as it is one.
    pub(crate) fn to_text(&self) -> String {
        String::from_utf8_lossy(self.text.expose()).into_owned()
    }
}

impl Value {
    /// A text.
    pub(crate) fn text(text: impl Into<Vec<u8>>) -> Self {
        Self::Text(Sensitive::new(text.into()))
    }

    /// The bytes that the message authentication code covers, and that are encrypted.
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

    /// What kind of value it is, for errors.
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

/// Without the value itself.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::List(items) => f.debug_tuple("List").field(items).finish(),
            Self::Branch(branch) => branch.fmt(f),
            scalar => f.write_str(scalar.kind()),
        }
    }
}

/// `strconv.FormatFloat(value, 'f', -1, 64)`
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
    fn floats_are_hashed_with_all_their_digits() {
        let bytes = |value| Value::Float(value).to_bytes().unwrap();
        assert_eq!(bytes(1e21), b"1000000000000000000000");
        assert_eq!(bytes(0.000_000_1), b"0.0000001");
        assert_eq!(bytes(3.0), b"3");
        assert_eq!(bytes(f64::INFINITY), b"+Inf");
    }

    #[test]
    fn debug_shows_keys_and_no_value() {
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
