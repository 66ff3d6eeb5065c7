//! From and to JSON values, which charts and custom resources arrive as.

use serde_json::{Map as JsonMap, Number, Value as Json};

use crate::value::{Map, Value};

impl Value {
    /// The value that Go's `encoding/json` makes of JSON: every number becomes a `float64`.
    pub fn from_json(json: &Json) -> Self {
        match json {
            Json::Null => Self::Nil,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => Self::float(number.as_f64().unwrap_or(f64::NAN)),
            Json::String(text) => Self::string(text.as_str()),
            Json::Array(items) => Self::list(items.iter().map(Self::from_json).collect()),
            Json::Object(entries) => Self::Map(Map::from_json(entries)),
        }
    }

    /// The value with whole numbers as `int64`, as client-go reads objects.
    pub fn from_object(json: &Json) -> Self {
        match json {
            Json::Number(number) => match number.as_i64() {
                Some(value) => Self::int64(value),
                None => Self::float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Json::Array(items) => Self::list(items.iter().map(Self::from_object).collect()),
            Json::Object(entries) => {
                let pairs = entries.iter();
                let pairs = pairs.map(|(key, value)| (key.as_str(), Self::from_object(value)));
                Self::Map(pairs.collect())
            }
            _ => Self::from_json(json),
        }
    }

    /// The value as JSON; `None` for functions, NaN and infinities, which JSON lacks.
    pub fn to_json(&self) -> Option<Json> {
        Some(match self {
            Self::Nil => Json::Null,
            Self::Bool(value) => Json::Bool(*value),
            Self::Int(_, value) => Json::Number((*value).into()),
            Self::Uint(_, value) => Json::Number((*value).into()),
            Self::Float(_, value) => Json::Number(Number::from_f64(*value)?),
            Self::String(text) => Json::String(text.to_text().into_owned()),
            Self::List(list) if list.is_nil() => Json::Null,
            Self::List(list) => {
                let items = list.items();
                Json::Array(items.iter().map(Self::to_json).collect::<Option<_>>()?)
            }
            Self::Map(map) if map.is_nil() => Json::Null,
            Self::Map(map) => {
                let mut entries = JsonMap::new();
                for (key, value) in map.entries() {
                    entries.insert(key.to_text().into_owned(), value.to_json()?);
                }
                Json::Object(entries)
            }
            _ => serde_json::from_slice(&super::to_string(self).ok()?).ok()?,
        })
    }
}

impl Map {
    /// The map that Go's `encoding/json` makes of a JSON object.
    pub fn from_json(entries: &JsonMap<String, Json>) -> Self {
        let pairs = entries.iter();
        pairs
            .map(|(key, value)| (key.as_str(), Value::from_json(value)))
            .collect()
    }
}
