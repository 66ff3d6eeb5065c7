//! The types that expressions are checked for.

use std::borrow::Borrow;
use std::fmt;

/// A type of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Anything.
    Dyn,
    /// That of `null`.
    Null,
    /// True or false.
    Bool,
    /// Whole numbers of 64 bits with a sign.
    Int,
    /// Whole numbers of 64 bits without one.
    Uint,
    /// Floating-point numbers of 64 bits.
    Double,
    /// Texts.
    String,
    /// Bytes that need be no text.
    Bytes,
    /// Moments in time.
    Timestamp,
    /// Spans of time.
    Duration,
    /// That of a type itself, which is a value too.
    Type(Box<Self>),
    /// Lists of one type.
    List(Box<Self>),
    /// Maps from one type to another.
    Map(Box<Self>, Box<Self>),
    /// A value of a type, or none.
    Optional(Box<Self>),
    /// A type that is still open.
    Open(usize),
    /// That of what is wrong; it fits anywhere, so that nothing is found wrong twice.
    Error,
}

impl Type {
    /// The name, as errors or as the reports of a result have it.
    fn write(&self, f: &mut fmt::Formatter<'_>, short: bool) -> fmt::Result {
        let inner = |inner| Shown::<&Self> { inner, short };
        match self {
            Self::Dyn | Self::Open(_) => f.write_str("dyn"),
            Self::Error => f.write_str("!error!"),
            Self::Null if short => f.write_str("null"),
            Self::Null => f.write_str("null_type"),
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Uint => f.write_str("uint"),
            Self::Double => f.write_str("double"),
            Self::String => f.write_str("string"),
            Self::Bytes => f.write_str("bytes"),
            Self::Timestamp if short => f.write_str("timestamp"),
            Self::Timestamp => f.write_str("google.protobuf.Timestamp"),
            Self::Duration if short => f.write_str("duration"),
            Self::Duration => f.write_str("google.protobuf.Duration"),
            Self::Type(of) => write!(f, "type({})", inner(of)),
            Self::List(of) => write!(f, "list({})", inner(of)),
            Self::Map(key, value) => write!(f, "map({}, {})", inner(key), inner(value)),
            Self::Optional(of) => write!(f, "optional_type({})", inner(of)),
        }
    }

    /// The name that values of the type have for it.
    pub(super) fn runtime_name(&self) -> &'static str {
        match self {
            Self::Dyn | Self::Open(_) | Self::Error => "dyn",
            Self::Null => "null_type",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Timestamp => "google.protobuf.Timestamp",
            Self::Duration => "google.protobuf.Duration",
            Self::Type(_) => "type",
            Self::List(_) => "list",
            Self::Map(..) => "map",
            Self::Optional(_) => "optional_type",
        }
    }

    /// Replaces what is still open by anything.
    pub(super) fn closed(self) -> Self {
        let close = |inner: Box<Self>| Box::new(inner.closed());
        match self {
            Self::Open(_) => Self::Dyn,
            Self::Type(of) => Self::Type(close(of)),
            Self::List(of) => Self::List(close(of)),
            Self::Map(key, value) => Self::Map(close(key), close(value)),
            Self::Optional(of) => Self::Optional(close(of)),
            other => other,
        }
    }

    /// Tells whether it says as much as another type, or less.
    pub(super) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Dyn | Self::Open(_), _) | (Self::Type(_), Self::Type(_)) => true,
            (_, Self::Dyn | Self::Open(_)) => false,
            (Self::List(of), Self::List(other)) | (Self::Optional(of), Self::Optional(other)) => {
                of.covers(other)
            }
            (Self::Map(key, value), Self::Map(other_key, other_value)) => {
                key.covers(other_key) && value.covers(other_value)
            }
            _ => self == other,
        }
    }

    pub(super) fn list(of: Self) -> Self {
        Self::List(Box::new(of))
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, false)
    }
}

/// A type in the words of one of the two kinds of texts.
pub(super) struct Shown<T> {
    pub(super) inner: T,
    pub(super) short: bool,
}

impl<T: Borrow<Type>> fmt::Display for Shown<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.borrow().write(f, self.short)
    }
}
