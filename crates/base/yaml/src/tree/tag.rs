//! What a node is: YAML's own types by name, everything else as it is written.

use std::borrow::Cow;
use std::fmt;

use crate::Dialect;
use crate::decode::{Resolved, resolve_plain};
use crate::tree::Name;

/// The long form of YAML's own tags, which the parser speaks.
const PREFIX: &str = "tag:yaml.org,2002:";

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Tag {
    /// Not said: the writer leaves it to the text, the readers to the content.
    #[default]
    Unset,
    /// `!!null`
    Null,
    /// `!!bool`
    Bool,
    /// `!!int`
    Int,
    /// `!!float`
    Float,
    /// `!!str`
    Str,
    /// `!!timestamp`
    Timestamp,
    /// `!!binary`
    Binary,
    /// `!!merge`, the tag of the key `<<`
    Merge,
    /// `!!map`
    Map,
    /// `!!seq`
    Seq,
    /// Any other: `!mine`, `!!omap`, a URI.
    Other(Name),
}

impl Tag {
    /// The tag with that name, be it short (`!!str`) or long.
    pub fn named(name: &str) -> Self {
        let short = name
            .strip_prefix(PREFIX)
            .or_else(|| name.strip_prefix("!!"));
        match short {
            _ if name.is_empty() => Self::Unset,
            Some("null") => Self::Null,
            Some("bool") => Self::Bool,
            Some("int") => Self::Int,
            Some("float") => Self::Float,
            Some("str") => Self::Str,
            Some("timestamp") => Self::Timestamp,
            Some("binary") => Self::Binary,
            Some("merge") => Self::Merge,
            Some("map") => Self::Map,
            Some("seq") => Self::Seq,
            Some(short) => Self::Other(format!("!!{short}").into()),
            None => Self::Other(name.into()),
        }
    }

    /// Its short form: `!!str`; empty if it is not set.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Unset => "",
            Self::Null => "!!null",
            Self::Bool => "!!bool",
            Self::Int => "!!int",
            Self::Float => "!!float",
            Self::Str => "!!str",
            Self::Timestamp => "!!timestamp",
            Self::Binary => "!!binary",
            Self::Merge => "!!merge",
            Self::Map => "!!map",
            Self::Seq => "!!seq",
            Self::Other(name) => name,
        }
    }

    /// Its long form, which the emitter takes.
    pub(super) fn long(&self) -> Cow<'_, str> {
        let short = self.as_str();
        match short.strip_prefix("!!") {
            Some(name) => Cow::Owned(format!("{PREFIX}{name}")),
            None => Cow::Borrowed(short),
        }
    }

    /// The type that a plain scalar has by its text.
    pub fn of_plain(text: &str) -> Self {
        if text == "<<" {
            return Self::Merge;
        }
        Self::of_text(text)
    }

    /// The same for a text of which nothing is known but itself; here the merge
    /// key is a string, as its first character says nothing to go-yaml.
    pub(super) fn of_text(text: &str) -> Self {
        match resolve_plain(Dialect::V3, text) {
            Resolved::Null => Self::Null,
            Resolved::Bool(_) => Self::Bool,
            Resolved::Int(_) | Resolved::Uint(_) => Self::Int,
            Resolved::Float(_) => Self::Float,
            Resolved::Timestamp => Self::Timestamp,
            Resolved::Str | Resolved::Binary => Self::Str,
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
