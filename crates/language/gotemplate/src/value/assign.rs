//! Zero values, and values as parameters take them.

use super::{CompositeType, FloatType, GoString, List, Map, Type, UintType, Value};

impl Type {
    /// The zero value of the type; that of an interface is nil.
    pub(crate) fn zero(self) -> Value {
        match self {
            Self::Any | Self::Time | Self::Location | Self::Object(_) => Value::Nil,
            Self::Bool => Value::Bool(false),
            Self::Int => Value::int(0),
            Self::Int64 => Value::int64(0),
            Self::Uint8 => Value::Uint(UintType::Uint8, 0),
            Self::Uint32 => Value::Uint(UintType::Uint32, 0),
            Self::Float64 => Value::float(0.0),
            Self::String => Value::String(GoString::default()),
            Self::Bytes => Value::Bytes(GoString::default()),
            Self::Map => Value::Map(Map::nil(&CompositeType::ANY_MAP)),
            Self::List => Value::List(List::nil(&CompositeType::ANY_LIST)),
            Self::Strings => Value::List(List::nil(&CompositeType::STRING_LIST)),
            Self::Duration => Value::duration(0),
        }
    }

    /// The value as one of this type, where Go would assign it without a conversion.
    pub(crate) fn assign(self, value: &Value) -> Option<Value> {
        let fits = match (self, value) {
            (Self::Any, _)
            | (Self::Bool, Value::Bool(_))
            | (Self::Float64, Value::Float(FloatType::Float64, _))
            | (Self::String, Value::String(_))
            | (Self::Bytes, Value::Bytes(_))
            | (Self::Time, Value::Time(_)) => true,
            (Self::Int | Self::Int64 | Self::Duration, Value::Int(of, _)) => {
                of.name() == self.name()
            }
            (Self::Uint8 | Self::Uint32, Value::Uint(of, _)) => of.name() == self.name(),
            (Self::Map, Value::Map(map)) => map.of().elem == Self::Any,
            (Self::List, Value::List(list)) => list.of().elem == Self::Any,
            (Self::Strings, Value::List(list)) => list.of().elem == Self::String,
            (Self::Object(name), Value::Object(object)) => object.type_name() == name,
            (Self::Location, Value::Object(object)) => object.type_name() == self.name(),
            _ => false,
        };
        if fits {
            return Some(match value {
                // A named map becomes a plain one where a plain one is expected.
                Value::Map(map) if self == Self::Map => Value::Map(map.as_plain()),
                _ => value.clone(),
            });
        }
        match value {
            Value::Object(object) if !matches!(self, Self::Object(_)) => {
                object.underlying().and_then(|plain| self.assign(&plain))
            }
            _ => None,
        }
    }
}
