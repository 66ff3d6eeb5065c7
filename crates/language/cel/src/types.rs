//! The types of the language.

use std::borrow::Borrow;
use std::fmt;

/// A type of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Any type.
    Dyn,
    /// The type of `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// Signed 64-bit integers.
    Int,
    /// Unsigned 64-bit integers.
    Uint,
    /// 64-bit floating-point numbers.
    Double,
    /// Text.
    String,
    /// Arbitrary bytes.
    Bytes,
    /// Points in time.
    Timestamp,
    /// Spans of time.
    Duration,
    /// The type of a type, since types are values.
    Type(Box<Self>),
    /// Lists with one element type.
    List(Box<Self>),
    /// Maps with one key type and one value type.
    Map(Box<Self>, Box<Self>),
    /// An optional value of a type.
    Optional(Box<Self>),
    /// A type variable.
    Open(usize),
    /// Error type. It unifies with every type, so one mistake is reported once.
    Error,
}

impl Type {
    /// Writes the name: the short form for errors, the long form for result types.
    fn write(&self, f: &mut fmt::Formatter<'_>, short: bool) -> fmt::Result {
        let inner = |inner| TypeDisplay::<&Self> { inner, short };
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

    /// The type name that values of this type report.
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

    /// Replaces type variables by `dyn`.
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

    /// Whether this type is at least as general as the other.
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

/// Formats a type in its short or its long form.
pub(super) struct TypeDisplay<T> {
    pub(super) inner: T,
    pub(super) short: bool,
}

impl<T: Borrow<Type>> fmt::Display for TypeDisplay<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.borrow().write(f, self.short)
    }
}
