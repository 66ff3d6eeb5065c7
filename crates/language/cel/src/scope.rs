//! Variables that are not plain JSON, for validation rules of the Kubernetes API server.
//!
//! A list of the API may be a set or a map. The server ignores the order of such a list in
//! comparisons and merges by key on `+`. This implementation only has plain lists. So an
//! expression that compares or concatenates such a list fails instead of giving a wrong result.

use std::collections::HashSet;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::time;
use super::value::{Map, Value};

/// Variables of an expression, with the lists whose order is not significant.
#[derive(Debug, Default)]
pub struct Scope {
    pub(super) names: Vec<(&'static str, Value)>,
    /// Addresses of the unordered lists.
    unordered: HashSet<usize>,
}

impl Scope {
    /// Declares a variable.
    pub fn insert(&mut self, name: &'static str, value: Value) {
        self.names.push((name, value));
    }

    /// Creates a list and records whether its order is significant.
    pub fn list(&mut self, items: Vec<Value>, is_ordered: bool) -> Value {
        let items = Arc::new(items);
        if !is_ordered {
            self.unordered.insert(Arc::as_ptr(&items).addr());
        }
        Value::List(items)
    }

    /// Whether the result of a function depends on the order of an unordered list.
    pub(super) fn depends_on_list_order(&self, function: &str, arguments: &[Value]) -> bool {
        if self.unordered.is_empty() {
            return false;
        }
        match function {
            "_==_" | "_!=_" | "_+_" => arguments.iter().any(|value| self.is_unordered(value)),
            "@in" | "sets.contains" | "sets.equivalent" | "sets.intersects" => {
                arguments.iter().any(|value| match value {
                    Value::List(items) => items.iter().any(|item| self.is_unordered(item)),
                    value => self.is_unordered(value),
                })
            }
            _ => false,
        }
    }

    fn is_unordered(&self, value: &Value) -> bool {
        match value {
            Value::List(items) => {
                self.unordered.contains(&Arc::as_ptr(items).addr())
                    || items.iter().any(|item| self.is_unordered(item))
            }
            Value::Map(map) => map.entries().any(|(_, value)| self.is_unordered(value)),
            Value::Optional(Some(value)) => self.is_unordered(value),
            _ => false,
        }
    }
}

impl Value {
    /// Converts a JSON value.
    pub fn of(json: &serde_json::Value) -> Self {
        Self::of_json(json)
    }

    /// Creates a map with string keys.
    pub fn map(entries: impl Iterator<Item = (String, Self)>) -> Self {
        let mut map = Map::default();
        for (key, value) in entries {
            map.insert(Self::string(&key), value);
        }
        Self::Map(Arc::new(map))
    }

    /// Parses an RFC 3339 timestamp.
    pub fn read_timestamp(text: &str) -> Option<Self> {
        let (time, offset) = time::parse(text)?;
        Some(Self::Timestamp(time, offset))
    }

    /// Parses a duration in Go's syntax.
    pub fn read_duration(text: &str) -> Option<Self> {
        time::parse_duration(text).map(Self::Duration)
    }

    /// Decodes base64.
    pub fn read_bytes(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text).ok()?;
        Some(Self::Bytes(bytes.into()))
    }
}
