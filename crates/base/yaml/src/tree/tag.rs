//! Types of nodes: YAML's own tags as variants, all others by name.

use std::borrow::Cow;
use std::fmt;

use crate::Dialect;
use crate::decode::{ResolvedScalar, resolve_plain};
use crate::tree::Name;

/// The long form of YAML's own tags, which the parser returns.
const PREFIX: &str = "tag:yaml.org,2002:";

/// The type of a node.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Tag {
    /// Unset: the content determines the type.
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
    /// Any other tag: `!mine`, `!!omap`, a URI.
    Other(Name),
}

impl Tag {
    /// Returns the tag with a short (`!!str`) or long name.
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

    /// Returns the short form, such as `!!str`; empty if unset.
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

    /// Returns the long form, which the emitter takes.
    pub(super) fn long(&self) -> Cow<'_, str> {
        let short = self.as_str();
        match short.strip_prefix("!!") {
            Some(name) => Cow::Owned(format!("{PREFIX}{name}")),
            None => Cow::Borrowed(short),
        }
    }

    /// Returns the type of a plain scalar.
    pub fn of_plain(text: &str) -> Self {
        if text == "<<" {
            return Self::Merge;
        }
        Self::of_text(text)
    }

    /// Returns the type of a text outside of a document, where go-yaml reads `<<` as a string.
    pub(super) fn of_text(text: &str) -> Self {
        match resolve_plain(Dialect::V3, text) {
            ResolvedScalar::Null => Self::Null,
            ResolvedScalar::Bool(_) => Self::Bool,
            ResolvedScalar::Int(_) | ResolvedScalar::Uint(_) => Self::Int,
            ResolvedScalar::Float(_) => Self::Float,
            ResolvedScalar::Timestamp => Self::Timestamp,
            ResolvedScalar::Str | ResolvedScalar::Binary => Self::Str,
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
