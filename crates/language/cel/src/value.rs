//! The values of the language: equality, order and printing.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use jiff::civil::DateTime;
use serde_json::Value as Json;
use sluice_golang::number::format_g;
use sluice_golang::quote::quote;

use super::time;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer: `1u`.
    Uint(u64),
    /// A floating-point number.
    Double(f64),
    /// Text.
    String(Arc<str>),
    /// Arbitrary bytes: `b'a'`.
    Bytes(Arc<[u8]>),
    /// A list of values of any types.
    List(Arc<Vec<Self>>),
    /// A map.
    Map(Arc<Map>),
    /// A duration in nanoseconds.
    Duration(i64),
    /// A UTC time, and the offset in seconds of its original notation.
    Timestamp(DateTime, i32),
    /// The name of a type.
    Type(Arc<str>),
    /// A value that may be missing, as `optional.of` makes it.
    Optional(Option<Arc<Self>>),
}

/// A map. String keys are indexed, because most maps only have those.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    texts: BTreeMap<Arc<str>, Value>,
    others: Vec<(Value, Value)>,
}

impl Map {
    pub(super) fn insert(&mut self, key: Value, value: Value) {
        match key {
            Value::String(text) => {
                self.texts.insert(text, value);
            }
            key => match self.others.iter_mut().find(|(known, _)| known == &key) {
                Some((_, known)) => *known = value,
                None => self.others.push((key, value)),
            },
        }
    }

    pub(super) fn text(&self, key: &str) -> Option<&Value> {
        self.texts.get(key)
    }

    /// The value of a key. Numeric keys match across types.
    pub(super) fn get(&self, key: &Value) -> Option<&Value> {
        if let Value::String(text) = key {
            return self.texts.get(text);
        }
        let same = self.others.iter().find(|(known, _)| known == key);
        let equal = || self.others.iter().find(|(known, _)| known.equals(key));
        same.or_else(equal).map(|(_, value)| value)
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len() + self.others.len()
    }

    /// Number of keys that are not strings; a lookup scans all of them.
    pub(super) fn unindexed_len(&self) -> usize {
        self.others.len()
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = Value> {
        let texts = self.texts.keys().cloned().map(Value::String);
        texts.chain(self.others.iter().map(|(key, _)| key.clone()))
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = (Value, &Value)> {
        self.keys().zip(
            self.texts
                .values()
                .chain(self.others.iter().map(|(_, value)| value)),
        )
    }
}

impl Value {
    pub(super) fn string(text: &str) -> Self {
        Self::String(text.into())
    }

    pub(super) fn list(items: Vec<Self>) -> Self {
        Self::List(Arc::new(items))
    }

    /// Converts a JSON value. Integers beyond `i64` become floats, as in the decoder of
    /// Kubernetes objects.
    pub(super) fn of_json(json: &Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => match number.as_i64() {
                Some(value) => Self::Int(value),
                None => Self::Double(number.as_f64().unwrap_or(f64::INFINITY)),
            },
            Json::String(text) => Self::string(text),
            Json::Array(items) => Self::list(items.iter().map(Self::of_json).collect()),
            Json::Object(fields) => {
                let fields = fields.iter();
                let texts = fields.map(|(key, value)| (key.as_str().into(), Self::of_json(value)));
                Self::Map(Arc::new(Map {
                    texts: texts.collect(),
                    others: Vec::new(),
                }))
            }
        }
    }

    /// The name of the type.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::Timestamp(..) => "google.protobuf.Timestamp",
            Self::Type(_) => "type",
            Self::Optional(_) => "optional_type",
        }
    }

    /// The value as plain text, without quotes or type syntax.
    pub fn plain(&self) -> String {
        match self {
            Self::String(text) => text.to_string(),
            Self::Uint(number) => number.to_string(),
            Self::Double(number) => format_g(*number),
            Self::Duration(nanoseconds) => time::print_duration(*nanoseconds),
            Self::Timestamp(time, offset) => time::print(*time, *offset),
            other => other.to_string(),
        }
    }

    /// The value as text for an error message, truncated. Shared parts can make a value larger
    /// than memory.
    pub(super) fn excerpt(&self) -> String {
        let mut text = TruncatedText(String::new());
        let whole = match self {
            Self::String(string) => text.write_str(string),
            Self::List(_) | Self::Map(_) | Self::Bytes(_) | Self::Optional(_) => {
                write!(text, "{self}")
            }
            other => return other.plain(),
        };
        match whole {
            Ok(()) => text.0,
            Err(fmt::Error) => text.0 + "…",
        }
    }

    /// The value as a map key in an error message.
    pub(super) fn describe_key(&self) -> String {
        match self {
            Self::String(_) => format!("'{}'", self.excerpt()),
            key => key.excerpt(),
        }
    }

    /// Equality of the language: numbers compare across types, other values within their type.
    pub(super) fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(items), Self::List(others)) => {
                let mut pairs = items.iter().zip(&**others);
                items.len() == others.len() && pairs.all(|(item, other)| item.equals(other))
            }
            (Self::Map(map), Self::Map(others)) => {
                let equal = |(key, value): (Self, &Self)| {
                    others.get(&key).is_some_and(|other| value.equals(other))
                };
                map.len() == others.len() && map.entries().all(equal)
            }
            (Self::Optional(value), Self::Optional(other)) => match (value, other) {
                (Some(value), Some(other)) => value.equals(other),
                (value, other) => value.is_none() && other.is_none(),
            },
            (Self::Timestamp(time, _), Self::Timestamp(other, _)) => time == other,
            _ if self.is_number() && other.is_number() => {
                self.compare(other) == Some(Ordering::Equal)
            }
            _ => self == other,
        }
    }

    fn is_number(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Uint(_) | Self::Double(_))
    }

    /// The order of two values, or `None` when they have no order.
    pub(super) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Bool(value), Self::Bool(other)) => Some(value.cmp(other)),
            (Self::Int(value), Self::Int(other))
            | (Self::Duration(value), Self::Duration(other)) => Some(value.cmp(other)),
            (Self::Uint(value), Self::Uint(other)) => Some(value.cmp(other)),
            (Self::Double(value), Self::Double(other)) => value.partial_cmp(other),
            (Self::Int(value), Self::Uint(other)) => {
                Some(i128::from(*value).cmp(&i128::from(*other)))
            }
            (Self::Uint(value), Self::Int(other)) => {
                Some(i128::from(*value).cmp(&i128::from(*other)))
            }
            (Self::Int(value), Self::Double(other)) => compare_integer(i128::from(*value), *other),
            (Self::Uint(value), Self::Double(other)) => compare_integer(i128::from(*value), *other),
            (Self::Double(value), Self::Int(other)) => {
                compare_integer(i128::from(*other), *value).map(Ordering::reverse)
            }
            (Self::Double(value), Self::Uint(other)) => {
                compare_integer(i128::from(*other), *value).map(Ordering::reverse)
            }
            (Self::String(value), Self::String(other)) => Some(value.cmp(other)),
            (Self::Bytes(value), Self::Bytes(other)) => Some(value.cmp(other)),
            (Self::Timestamp(value, _), Self::Timestamp(other, _)) => Some(value.cmp(other)),
            _ => None,
        }
    }

    /// Whether the value is the zero value of its type.
    pub(super) fn is_zero(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Bool(value) => !value,
            Self::Int(value) => *value == 0,
            Self::Uint(value) => *value == 0,
            Self::Double(value) => *value == 0.0,
            Self::String(text) => text.is_empty(),
            Self::Bytes(bytes) => bytes.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Map(map) => map.len() == 0,
            Self::Duration(nanoseconds) => *nanoseconds == 0,
            Self::Timestamp(time, _) => *time == time::FIRST,
            Self::Type(_) | Self::Optional(_) => false,
        }
    }
}

/// Maximum size of a value in an error message.
const MAX_EXCERPT_BYTES: usize = 4096;

/// A text that stops growing at [`MAX_EXCERPT_BYTES`].
struct TruncatedText(String);

impl fmt::Write for TruncatedText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = MAX_EXCERPT_BYTES.saturating_sub(self.0.len());
        let fits = text.floor_char_boundary(room);
        self.0.push_str(&text[..fits]);
        if fits < text.len() {
            return Err(fmt::Error);
        }
        Ok(())
    }
}

/// Compares an integer with a float without rounding the integer.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the float has no fraction and is within the bounds of the integer"
)]
fn compare_integer(integer: i128, float: f64) -> Option<Ordering> {
    const BEYOND: f64 = 1e20;
    if float.is_nan() {
        return None;
    }
    if float.abs() >= BEYOND {
        return Some(if float > 0.0 {
            Ordering::Less
        } else {
            Ordering::Greater
        });
    }
    let whole = float.trunc();
    let by_whole = integer.cmp(&(whole as i128));
    Some(by_whole.then_with(|| whole.partial_cmp(&float).unwrap_or(Ordering::Equal)))
}

/// The error of an optional entry whose value is not an optional.
pub(super) fn not_optional(entry: &str, value: &Value) -> String {
    let value = match value {
        Value::Bytes(bytes) => {
            let numbers = bytes.iter().take(MAX_EXCERPT_BYTES).map(u8::to_string);
            let rest = (bytes.len() > MAX_EXCERPT_BYTES).then(|| "…".to_owned());
            let numbers: Vec<String> = numbers.chain(rest).collect();
            format!("[{}]", numbers.join(" "))
        }
        value => value.excerpt(),
    };
    format!("cannot initialize optional {entry} from non-optional value {value}")
}

/// Prints the value as a literal of the language.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Uint(value) => write!(f, "{value}u"),
            Self::Double(value) if value.is_nan() => f.write_str("double(\"NaN\")"),
            Self::Double(value) if value.is_infinite() => {
                let sign = if *value < 0.0 { "-" } else { "" };
                write!(f, "double(\"{sign}Infinity\")")
            }
            Self::Double(value) if value.fract() == 0.0 => write!(f, "{value}.0"),
            Self::Double(value) => write!(f, "{value}"),
            Self::String(text) => f.write_str(&quote(text)),
            Self::Bytes(bytes) => {
                f.write_str("b\"")?;
                for byte in &**bytes {
                    write!(f, "\\{byte:03o}")?;
                }
                f.write_str("\"")
            }
            Self::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    write!(f, "{comma}{item}")?;
                }
                f.write_str("]")
            }
            Self::Map(map) => {
                f.write_str("{")?;
                for (index, (key, value)) in map.entries().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    write!(f, "{comma}{key}: {value}")?;
                }
                f.write_str("}")
            }
            Self::Duration(nanoseconds) => {
                write!(f, "duration(\"{}\")", time::print_duration(*nanoseconds))
            }
            Self::Timestamp(time, _) => {
                write!(f, "timestamp(\"{}\")", time::print(*time, 0))
            }
            Self::Type(name) => f.write_str(name),
            Self::Optional(None) => f.write_str("optional.none()"),
            Self::Optional(Some(value)) => write!(f, "optional.of({value})"),
        }
    }
}
