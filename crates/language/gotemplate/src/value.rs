//! The values that templates see, with the types that Go would give them.
//!
//! Static types of Go show through in templates: `printf "%T"`, `kindIs`, `eq` and every type
//! error name them. A [`Value`] therefore distinguishes an `int` from an `int64`, and a `[]string`
//! from a `[]interface {}`.
//!
//! Maps and lists are shared, not copied: `set $d "k" 1` is seen by every holder of the map, as
//! in Go. Values belong to one thread; templates do not.

mod assign;
mod composite;
mod deep;
pub mod func;
mod kind;
mod object;
mod string;

pub(crate) use composite::CycleGuard;
pub use composite::{CompositeType, List, Map};
pub use kind::{FloatType, IntType, Kind, Type, UintType};
pub use object::Object;
pub use string::GoString;

use std::borrow::Cow;
use std::rc::Rc;

use crate::time::Time;
use func::Func;

/// A value of a Go type.
#[derive(Clone, Default)]
pub enum Value {
    /// A nil interface.
    #[default]
    Nil,
    /// `bool`
    Bool(bool),
    /// A signed integer.
    Int(IntType, i64),
    /// An unsigned integer.
    Uint(UintType, u64),
    /// `float64` or `float32`
    Float(FloatType, f64),
    /// `complex128`
    Complex(f64, f64),
    /// `string`
    String(GoString),
    /// `[]byte`
    Bytes(GoString),
    /// A slice.
    List(List),
    /// A map with strings as keys.
    Map(Map),
    /// `time.Time`
    Time(Rc<Time>),
    /// A function, which `call` calls.
    Func(Rc<Func>),
    /// A struct, a pointer or a named map or list, with fields and methods.
    Object(Rc<dyn Object>),
}

impl Value {
    /// An `int`.
    pub const fn int(value: i64) -> Self {
        Self::Int(IntType::Int, value)
    }

    /// An `int64`.
    pub const fn int64(value: i64) -> Self {
        Self::Int(IntType::Int64, value)
    }

    /// A `float64`.
    pub const fn float(value: f64) -> Self {
        Self::Float(FloatType::Float64, value)
    }

    /// A `time.Duration` of so many nanoseconds.
    pub const fn duration(nanoseconds: i64) -> Self {
        Self::Int(IntType::Duration, nanoseconds)
    }

    /// A `string`.
    pub fn string(text: impl Into<GoString>) -> Self {
        Self::String(text.into())
    }

    /// A `[]interface {}`.
    pub fn list(items: Vec<Self>) -> Self {
        Self::List(List::new(&CompositeType::ANY_LIST, items))
    }

    /// A `[]string`.
    pub fn strings<T: Into<GoString>>(items: impl IntoIterator<Item = T>) -> Self {
        let items = items.into_iter().map(Self::string).collect();
        Self::List(List::new(&CompositeType::STRING_LIST, items))
    }

    /// Go's kind of the value, `Invalid` for nil.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Nil => Kind::Invalid,
            Self::Bool(_) => Kind::Bool,
            Self::Int(of, _) => of.kind(),
            Self::Uint(of, _) => of.kind(),
            Self::Float(of, _) => of.kind(),
            Self::Complex(..) => Kind::Complex128,
            Self::String(_) => Kind::String,
            Self::Bytes(_) | Self::List(_) => Kind::Slice,
            Self::Map(_) => Kind::Map,
            Self::Time(_) => Kind::Struct,
            Self::Func(_) => Kind::Func,
            Self::Object(object) => object.kind(),
        }
    }

    /// The name of the value's Go type, `<nil>` for nil.
    pub fn type_name(&self) -> Cow<'_, str> {
        Cow::Borrowed(match self {
            Self::Nil => "<nil>",
            Self::Bool(_) => "bool",
            Self::Int(of, _) => of.name(),
            Self::Uint(of, _) => of.name(),
            Self::Float(of, _) => of.name(),
            Self::Complex(..) => "complex128",
            Self::String(_) => "string",
            Self::Bytes(_) => "[]uint8",
            Self::List(list) => list.of().name,
            Self::Map(map) => map.of().name,
            Self::Time(_) => "time.Time",
            Self::Func(func) => return Cow::Owned(func.type_name()),
            Self::Object(object) => return object.type_name(),
        })
    }

    /// The name of the type behind a pointer; any other name as it is.
    pub(crate) fn pointee_name(&self) -> String {
        self.type_name().trim_start_matches('*').to_owned()
    }

    /// The plain map or list of an object that is a named one; any other value as it is.
    pub fn underlying(&self) -> Cow<'_, Self> {
        match self {
            Self::Object(object) => object.underlying().map_or(Cow::Borrowed(self), Cow::Owned),
            _ => Cow::Borrowed(self),
        }
    }

    /// The value's own text, as `String` or `Error` of Go would give it.
    pub fn stringer(&self) -> Option<GoString> {
        match self {
            Self::Int(of, value) => of.stringer(*value).map(GoString::from),
            Self::Time(time) => Some(time.to_string().into()),
            Self::Object(object) => object.stringer(),
            _ => None,
        }
    }

    /// Go's truth: false for zero, nil and everything empty.
    ///
    /// A struct is always true.
    pub fn is_true(&self) -> bool {
        match self {
            Self::Nil => false,
            Self::Bool(value) => *value,
            Self::Int(_, value) => *value != 0,
            Self::Uint(_, value) => *value != 0,
            Self::Float(_, value) => *value != 0.0,
            Self::Complex(real, imaginary) => *real != 0.0 || *imaginary != 0.0,
            Self::String(text) | Self::Bytes(text) => !text.is_empty(),
            Self::List(list) => !list.is_empty(),
            Self::Map(map) => !map.is_empty(),
            Self::Time(_) | Self::Func(_) => true,
            Self::Object(object) => match object.kind() {
                Kind::Map | Kind::Slice => !object.is_empty(),
                _ => true,
            },
        }
    }

    /// Whether a nil map or list, which has a type but no content.
    pub(crate) fn is_typed_nil(&self) -> bool {
        match self {
            Self::List(list) => list.is_nil(),
            Self::Map(map) => map.is_nil(),
            _ => false,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::string(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::string(text)
    }
}

impl From<GoString> for Value {
    fn from(text: GoString) -> Self {
        Self::String(text)
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Self {
        Self::Map(map)
    }
}

impl From<List> for Value {
    fn from(list: List) -> Self {
        Self::List(list)
    }
}
