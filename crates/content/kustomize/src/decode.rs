//! Go's reading of JSON into a struct: what it accepts, and what it says.
//!
//! Names of fields match in any case, unknown ones are refused or vanish, null
//! leaves a field as it is, and a value of the wrong type is reported in Go's
//! words, the first fault in the order of the JSON. [`normalise`] checks a value
//! against a [`Struct`] and returns it with the names spelled as declared, so
//! that `serde` can take it from there.

use std::fmt::Write as _;

use serde::de::DeserializeOwned;
use sluice_golang::number;
use sluice_yaml::{Map, Value, json};

/// The type of a value in Go.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Type {
    Text,
    /// A string with a name of its own.
    Named(&'static str),
    Bool,
    Int,
    Int64,
    /// A map of anything.
    AnyMap,
    TextMap,
    List(&'static Self),
    Struct(&'static Struct),
}

/// A field of a struct.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    /// The structs, each with a dot after it, through which the field is embedded.
    pub(crate) embedded: &'static str,
    pub(crate) kind: Type,
}

/// A struct.
#[derive(Debug)]
pub(crate) struct Struct {
    pub(crate) package: &'static str,
    pub(crate) name: &'static str,
    pub(crate) fields: &'static [&'static [Field]],
}

pub(crate) const fn field(name: &'static str, kind: Type) -> Field {
    embedded(name, "", kind)
}

pub(crate) const fn embedded(name: &'static str, embedded: &'static str, kind: Type) -> Field {
    Field {
        name,
        embedded,
        kind,
    }
}

/// What to do about a field that the struct does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// An error.
    Refuse,
    /// It vanishes.
    Drop,
}

impl Type {
    fn name(&self) -> String {
        match self {
            Self::Text => "string".to_owned(),
            Self::Named(name) => (*name).to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Int => "int".to_owned(),
            Self::Int64 => "int64".to_owned(),
            Self::AnyMap => "map[string]interface {}".to_owned(),
            Self::TextMap => "map[string]string".to_owned(),
            Self::List(item) => format!("[]{}", item.name()),
            Self::Struct(inner) => format!("{}.{}", inner.package, inner.name),
        }
    }
}

impl Struct {
    /// Finds a field, first by its exact name, then in any case.
    fn find(&self, key: &str) -> Option<&'static Field> {
        let all = || self.fields.iter().copied().flatten();
        all()
            .find(|field| field.name == key)
            .or_else(|| all().find(|field| field.name.eq_ignore_ascii_case(key)))
    }
}

/// Checks a value, spells its fields as declared and drops what is null.
pub(crate) fn normalise(
    value: Value,
    of: &'static Struct,
    unknown: Unknown,
) -> Result<Map<String, Value>, String> {
    check(value, of, unknown, false)
}

/// As [`normalise`], but as upstream reads YAML straight into a struct: a
/// boolean or a number becomes the text that a field wants, unless the field is
/// one of an embedded struct, which the conversion does not find.
///
/// Parity: `sigs.k8s.io/yaml`: `convertToJSONableObject`.
pub(crate) fn normalise_yaml(
    value: Value,
    of: &'static Struct,
    unknown: Unknown,
) -> Result<Map<String, Value>, String> {
    check(value, of, unknown, true)
}

fn check(
    value: Value,
    of: &'static Struct,
    unknown: Unknown,
    coerces: bool,
) -> Result<Map<String, Value>, String> {
    let mut check = Check {
        unknown,
        coerces,
        fault: None,
    };
    let map = match value {
        Value::Null => Map::new(),
        Value::Object(map) => check.object(map, of, &Place::default()),
        other => {
            let found = found(&other);
            let wanted = Type::Struct(of).name();
            return Err(format!(
                "json: cannot unmarshal {found} into Go value of type {wanted}"
            ));
        }
    };
    match check.fault {
        Some(fault) => Err(fault),
        None => Ok(map),
    }
}

/// Reads what [`normalise`] returned.
pub(crate) fn typed<T: DeserializeOwned>(map: Map<String, Value>) -> Result<T, String> {
    serde_json::from_value(Value::Object(map)).map_err(|error| error.to_string())
}

/// Where a value stands: the innermost struct and the way to the field.
#[derive(Debug, Clone, Default)]
struct Place {
    holder: &'static str,
    path: String,
}

struct Check {
    unknown: Unknown,
    /// Do plain values become texts?
    coerces: bool,
    /// Go reads on after a fault, and reports the first.
    fault: Option<String>,
}

impl Check {
    fn object(
        &mut self,
        map: Map<String, Value>,
        of: &'static Struct,
        place: &Place,
    ) -> Map<String, Value> {
        // Go meets the keys in the order of its JSON.
        let mut entries: Vec<_> = map.into_iter().collect();
        entries.sort_unstable_by(|(left, _), (right, _)| left.cmp(right));
        let mut checked = Map::new();
        for (key, value) in entries {
            let Some(field) = of.find(&key) else {
                if self.unknown == Unknown::Refuse {
                    let message = format!("json: unknown field {}", json::quote(&key));
                    self.fault.get_or_insert(message);
                }
                continue;
            };
            let mut path = place.path.clone();
            if !path.is_empty() {
                path.push('.');
            }
            write!(path, "{}{}", field.embedded, field.name).expect("a String accepts all writes");
            let place = Place {
                holder: of.name,
                path,
            };
            if value.is_null() {
                continue;
            }
            let coerces = self.coerces;
            self.coerces &= field.embedded.is_empty();
            let value = self.value(value, &field.kind, &place);
            self.coerces = coerces;
            if let Some(value) = value {
                checked.insert(field.name.to_owned(), value);
            }
        }
        checked
    }

    fn value(&mut self, value: Value, kind: &'static Type, place: &Place) -> Option<Value> {
        let value = match kind {
            Type::Text | Type::Named(_) if self.coerces => plain_text(value),
            _ => value,
        };
        match (kind, value) {
            (Type::Text | Type::Named(_), value @ Value::String(_))
            | (Type::Bool, value @ Value::Bool(_))
            | (Type::AnyMap, value @ Value::Object(_)) => Some(value),
            (Type::Int | Type::Int64, Value::Number(number)) => {
                // It is the text that counts: 1.0 is written as 1.
                let text = json::to_string(&Value::Number(number));
                if let Ok(number) = text.parse::<i64>() {
                    return Some(number.into());
                }
                self.mismatch(&format!("number {text}"), kind, place);
                None
            }
            (Type::TextMap, Value::Object(map)) => {
                let mut checked = Map::new();
                for (key, value) in map {
                    let value = if self.coerces {
                        plain_text(value)
                    } else {
                        value
                    };
                    match value {
                        Value::Null => checked.insert(key, "".into()),
                        Value::String(text) => checked.insert(key, text.into()),
                        other => {
                            self.mismatch(found(&other), &Type::Text, place);
                            None
                        }
                    };
                }
                Some(Value::Object(checked))
            }
            (Type::List(item), Value::Array(items)) => {
                let items = items.into_iter().filter_map(|value| match (item, value) {
                    (Type::Text | Type::Named(_), Value::Null) => Some("".into()),
                    (Type::Struct(_), Value::Null) => Some(Value::Object(Map::new())),
                    (_, value) => self.value(value, item, place),
                });
                Some(Value::Array(items.collect()))
            }
            (Type::Struct(of), Value::Object(map)) => {
                Some(Value::Object(self.object(map, of, place)))
            }
            (_, other) => {
                self.mismatch(found(&other), kind, place);
                None
            }
        }
    }

    fn mismatch(&mut self, found: &str, kind: &Type, place: &Place) {
        let Place { holder, path } = place;
        let wanted = kind.name();
        self.fault.get_or_insert_with(|| {
            format!(
                "json: cannot unmarshal {found} into Go struct field {holder}.{path} of type {wanted}"
            )
        });
    }
}

/// A plain value as a text.
fn plain_text(value: Value) -> Value {
    match value {
        Value::Bool(value) => value.to_string().into(),
        Value::Number(number) if number.is_f64() => number
            .as_f64()
            .map(number::format_g)
            .unwrap_or_default()
            .into(),
        Value::Number(number) => number.to_string().into(),
        other => other,
    }
}

fn found(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
