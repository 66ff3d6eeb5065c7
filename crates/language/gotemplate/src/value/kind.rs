//! Kinds and names of Go types.

use sluice_golang::GoDuration;

/// Go's `reflect.Kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named after the kind of Go")]
pub enum Kind {
    Invalid,
    Bool,
    Int,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Float32,
    Float64,
    Complex128,
    Func,
    Interface,
    Map,
    Pointer,
    Slice,
    String,
    Struct,
}

impl Kind {
    /// The name that `reflect.Kind.String` gives.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Int8 => "int8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Uint => "uint",
            Self::Uint8 => "uint8",
            Self::Uint16 => "uint16",
            Self::Uint32 => "uint32",
            Self::Uint64 => "uint64",
            Self::Float32 => "float32",
            Self::Float64 => "float64",
            Self::Complex128 => "complex128",
            Self::Func => "func",
            Self::Interface => "interface",
            Self::Map => "map",
            Self::Pointer => "ptr",
            Self::Slice => "slice",
            Self::String => "string",
            Self::Struct => "struct",
        }
    }
}

/// The signed integer types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named after the type of Go")]
pub enum IntType {
    Int,
    Int8,
    Int16,
    Int32,
    Int64,
    /// `time.Duration`, in nanoseconds.
    Duration,
    /// `time.Month`, from 1.
    Month,
    /// `time.Weekday`, from Sunday as 0.
    Weekday,
}

impl IntType {
    /// The name of the type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::Int8 => "int8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Duration => "time.Duration",
            Self::Month => "time.Month",
            Self::Weekday => "time.Weekday",
        }
    }

    /// The kind of the type.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Int | Self::Month | Self::Weekday => Kind::Int,
            Self::Int8 => Kind::Int8,
            Self::Int16 => Kind::Int16,
            Self::Int32 => Kind::Int32,
            Self::Int64 | Self::Duration => Kind::Int64,
        }
    }

    pub(crate) fn stringer(self, value: i64) -> Option<String> {
        match self {
            Self::Duration => Some(GoDuration(value).to_string()),
            Self::Month => Some(crate::time::month_name(value)),
            Self::Weekday => Some(crate::time::weekday_name(value)),
            _ => None,
        }
    }
}

/// The unsigned integer types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named after the type of Go")]
pub enum UintType {
    Uint,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
}

impl UintType {
    /// The name of the type.
    pub const fn name(self) -> &'static str {
        self.kind().name()
    }

    /// The kind of the type.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Uint => Kind::Uint,
            Self::Uint8 => Kind::Uint8,
            Self::Uint16 => Kind::Uint16,
            Self::Uint32 => Kind::Uint32,
            Self::Uint64 => Kind::Uint64,
        }
    }
}

/// The floating-point types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named after the type of Go")]
pub enum FloatType {
    Float32,
    Float64,
}

impl FloatType {
    /// The name of the type.
    pub const fn name(self) -> &'static str {
        self.kind().name()
    }

    /// The kind of the type.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Float32 => Kind::Float32,
            Self::Float64 => Kind::Float64,
        }
    }
}

/// The type of a parameter of a function, or of the elements of a map or list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// `interface {}`
    Any,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `int64`
    Int64,
    /// `uint8`
    Uint8,
    /// `uint32`
    Uint32,
    /// `float64`
    Float64,
    /// `string`
    String,
    /// `[]uint8`
    Bytes,
    /// `map[string]interface {}`
    Map,
    /// `[]interface {}`
    List,
    /// `[]string`
    Strings,
    /// `time.Time`
    Time,
    /// `time.Duration`
    Duration,
    /// `*time.Location`
    Location,
    /// An object by the name of its type.
    Object(&'static str),
}

impl Type {
    /// The name of the type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Any => "interface {}",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Int64 => "int64",
            Self::Uint8 => "uint8",
            Self::Uint32 => "uint32",
            Self::Float64 => "float64",
            Self::String => "string",
            Self::Bytes => "[]uint8",
            Self::Map => "map[string]interface {}",
            Self::List => "[]interface {}",
            Self::Strings => "[]string",
            Self::Time => "time.Time",
            Self::Duration => "time.Duration",
            Self::Location => "*time.Location",
            Self::Object(name) => name,
        }
    }

    /// Whether nil is a value of the type.
    pub(crate) fn can_be_nil(self) -> bool {
        match self {
            Self::Any | Self::Bytes | Self::Map | Self::List | Self::Strings | Self::Location => {
                true
            }
            Self::Object(name) => name.starts_with('*'),
            _ => false,
        }
    }
}
