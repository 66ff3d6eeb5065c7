//! Values that an expression names, where they are no fields of an object.
//!
//! A list of the API may be a set or a map: then no order counts when it is compared, and what is
//! added to it replaces what is there. The language here knows plain lists only, so an expression
//! that would compare or join such a list has no value rather than a wrong one.

use std::collections::HashSet;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::time;
use super::value::{Map, Value};

/// What an expression names.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(super) names: Vec<(&'static str, Value)>,
    /// Where the lists lie whose order says nothing.
    unordered: HashSet<usize>,
}

impl Scope {
    pub(crate) fn insert(&mut self, name: &'static str, value: Value) {
        self.names.push((name, value));
    }

    /// A list, of which the order may say nothing.
    pub(crate) fn list(&mut self, items: Vec<Value>, is_ordered: bool) -> Value {
        let items = Arc::new(items);
        if !is_ordered {
            self.unordered.insert(Arc::as_ptr(&items).addr());
        }
        Value::List(items)
    }

    /// Whether the outcome of a function would depend on an order that says nothing.
    pub(super) fn misleads(&self, function: &str, arguments: &[Value]) -> bool {
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
    /// A value as JSON has it.
    pub(crate) fn of(json: &crate::Value) -> Self {
        Self::of_json(json)
    }

    /// A map with texts for keys.
    pub(crate) fn map(entries: impl Iterator<Item = (String, Self)>) -> Self {
        let mut map = Map::default();
        for (key, value) in entries {
            map.insert(Self::string(&key), value);
        }
        Self::Map(Arc::new(map))
    }

    pub(crate) fn read_timestamp(text: &str) -> Option<Self> {
        time::parse(text)
    }

    pub(crate) fn read_duration(text: &str) -> Option<Self> {
        time::parse_duration(text)
    }

    pub(crate) fn read_bytes(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text).ok()?;
        Some(Self::Bytes(bytes.into()))
    }
}
