//! Decodes JSON as Go decodes it into a struct, with the same errors.
//!
//! Field names match in any case, unknown fields are rejected or dropped, and null leaves
//! a field unset. The first value of a wrong type, in the order of the JSON, is reported
//! in Go's words. [`normalise`] checks a value against a [`Struct`] and returns it with
//! the declared field names. Then `serde` can read it.

use std::fmt::Write as _;

use serde::de::DeserializeOwned;
use sluice_golang::number;
use sluice_yaml::{Map, Value, json};

/// The Go type of a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Type {
    Text,
    /// A named string type.
    Named(&'static str),
    Bool,
    Int,
    Int64,
    /// A map with values of any type.
    AnyMap,
    TextMap,
    List(&'static Self),
    Struct(&'static Struct),
}

/// A field of a struct.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    /// The embedded structs on the path to the field, each followed by a dot.
    pub(crate) embedded: &'static str,
    pub(crate) kind: Type,
}

/// A Go struct.
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

/// How to treat a field that the struct does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnknownFields {
    /// Return an error.
    Refuse,
    /// Drop the field.
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

/// Checks a value, renames its fields as declared and drops nulls.
pub(crate) fn normalise(
    value: Value,
    of: &'static Struct,
    unknown: UnknownFields,
) -> Result<Map<String, Value>, String> {
    check(value, of, unknown, false)
}

/// Like [`normalise`], but as upstream reads YAML into a struct: a text field also accepts
/// a boolean or a number. Upstream's conversion does not see fields of embedded structs, so
/// these are not converted.
///
/// Parity: `sigs.k8s.io/yaml`: `convertToJSONableObject`.
pub(crate) fn normalise_yaml(
    value: Value,
    of: &'static Struct,
    unknown: UnknownFields,
) -> Result<Map<String, Value>, String> {
    check(value, of, unknown, true)
}

fn check(
    value: Value,
    of: &'static Struct,
    unknown: UnknownFields,
    converts_scalars: bool,
) -> Result<Map<String, Value>, String> {
    let mut check = Check {
        unknown,
        converts_scalars,
        first_error: None,
    };
    let map = match value {
        Value::Null => Map::new(),
        Value::Object(map) => check.object(map, of, &Position::default()),
        other => {
            let found = json::kind(&other);
            let wanted = Type::Struct(of).name();
            return Err(format!(
                "json: cannot unmarshal {found} into Go value of type {wanted}"
            ));
        }
    };
    match check.first_error {
        Some(first_error) => Err(first_error),
        None => Ok(map),
    }
}

/// Deserializes the result of [`normalise`].
pub(crate) fn typed<T: DeserializeOwned>(map: Map<String, Value>) -> Result<T, String> {
    serde_json::from_value(Value::Object(map)).map_err(|error| error.to_string())
}

/// The position of a value: the innermost struct and the path of the field.
#[derive(Debug, Clone, Default)]
struct Position {
    holder: &'static str,
    path: String,
}

struct Check {
    unknown: UnknownFields,
    /// Whether text fields accept booleans and numbers.
    converts_scalars: bool,
    /// The first error. Go continues after an error and reports the first.
    first_error: Option<String>,
}

impl Check {
    fn object(
        &mut self,
        map: Map<String, Value>,
        of: &'static Struct,
        place: &Position,
    ) -> Map<String, Value> {
        // Go's JSON has sorted keys.
        let mut entries: Vec<_> = map.into_iter().collect();
        entries.sort_unstable_by(|(left, _), (right, _)| left.cmp(right));
        let mut checked = Map::new();
        for (key, value) in entries {
            let Some(field) = of.find(&key) else {
                if self.unknown == UnknownFields::Refuse {
                    let message = format!("json: unknown field {}", json::quote(&key));
                    self.first_error.get_or_insert(message);
                }
                continue;
            };
            let mut path = place.path.clone();
            if !path.is_empty() {
                path.push('.');
            }
            write!(path, "{}{}", field.embedded, field.name).expect("a String accepts all writes");
            let place = Position {
                holder: of.name,
                path,
            };
            if value.is_null() {
                continue;
            }
            let converts_scalars = self.converts_scalars;
            self.converts_scalars &= field.embedded.is_empty();
            let value = self.value(value, &field.kind, &place);
            self.converts_scalars = converts_scalars;
            if let Some(value) = value {
                checked.insert(field.name.to_owned(), value);
            }
        }
        checked
    }

    fn value(&mut self, value: Value, kind: &'static Type, place: &Position) -> Option<Value> {
        let value = match kind {
            Type::Text | Type::Named(_) if self.converts_scalars => plain_text(value),
            _ => value,
        };
        match (kind, value) {
            (Type::Text | Type::Named(_), value @ Value::String(_))
            | (Type::Bool, value @ Value::Bool(_))
            | (Type::AnyMap, value @ Value::Object(_)) => Some(value),
            (Type::Int | Type::Int64, Value::Number(number)) => {
                // The text decides: 1.0 is written as 1.
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
                    let value = if self.converts_scalars {
                        plain_text(value)
                    } else {
                        value
                    };
                    match value {
                        Value::Null => checked.insert(key, "".into()),
                        Value::String(text) => checked.insert(key, text.into()),
                        other => {
                            self.mismatch(json::kind(&other), &Type::Text, place);
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
                self.mismatch(json::kind(&other), kind, place);
                None
            }
        }
    }

    fn mismatch(&mut self, found: &str, kind: &Type, place: &Position) {
        let Position { holder, path } = place;
        let wanted = kind.name();
        self.first_error.get_or_insert_with(|| {
            format!(
                "json: cannot unmarshal {found} into Go struct field {holder}.{path} of type {wanted}"
            )
        });
    }
}

/// Converts a boolean or a number into a text.
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
