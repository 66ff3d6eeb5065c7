//! Prints values in the formats of Go's `fmt` that the server's messages use.

use std::fmt::Write as _;

use serde_json::{Map, Number};
use sluice_golang::number::format_g;
use sluice_golang::quote::quote;
use sluice_yaml::json;

use sluice_object::Value;

/// Printing stops at this size.
const MAX_BYTES: usize = 16 << 10;

/// Converts floats without a fraction to integers, as encoding for the request does.
pub(super) fn normalize_numbers(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let sent = number.as_f64().and_then(json::number);
            *number = sent.unwrap_or_else(|| number.clone());
        }
        Value::Array(items) => items.iter_mut().for_each(normalize_numbers),
        Value::Object(fields) => fields.values_mut().for_each(normalize_numbers),
        _ => {}
    }
}

/// Prints the value like `%v`.
pub(super) fn verb_v(value: &Value) -> String {
    let mut out = String::new();
    write_plain(value, &mut out);
    out
}

/// Prints a pointer to a struct with the value like `%v`.
pub(super) fn verb_v_of_struct(value: &Value) -> String {
    format!("&{{{}}}", verb_v(value))
}

/// Prints the server's wrapper of the value like `%#v`.
pub(super) fn verb_sharp_v(value: &Value) -> String {
    let mut out = String::from("&value.valueUnstructured{Value:");
    write_literal(value, &mut out);
    out.push('}');
    out
}

/// The name of the type like `%T`.
pub(super) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

/// Prints a key or a value in a field path.
pub(super) fn key(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => number(value),
        Value::String(text) => quote(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(key).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(fields) => fields.iter().fold(String::new(), |mut out, (name, value)| {
            write!(out, "{name}={}", key(value)).expect("a String accepts all writes");
            out
        }),
    }
}

/// Prints a number.
pub(super) fn number(number: &Number) -> String {
    match (number.as_i64(), number.as_f64()) {
        (Some(whole), _) => whole.to_string(),
        (None, Some(float)) => format_g(float),
        (None, None) => number.to_string(),
    }
}

fn write_plain(value: &Value, out: &mut String) {
    if out.len() > MAX_BYTES {
        return;
    }
    match value {
        Value::Null => out.push_str("<nil>"),
        Value::Bool(value) => write!(out, "{value}").expect("a String accepts all writes"),
        Value::Number(value) => out.push_str(&number(value)),
        Value::String(text) => out.push_str(text),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                write_plain(item, out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            out.push_str("map[");
            for (index, (name, value)) in sorted(fields).into_iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                out.push_str(name);
                out.push(':');
                write_plain(value, out);
            }
            out.push(']');
        }
    }
}

fn write_literal(value: &Value, out: &mut String) {
    if out.len() > MAX_BYTES {
        return;
    }
    match value {
        Value::Null => out.push_str("interface {}(nil)"),
        Value::Bool(value) => write!(out, "{value}").expect("a String accepts all writes"),
        Value::Number(value) => out.push_str(&number(value)),
        Value::String(text) => out.push_str(&quote(text)),
        Value::Array(items) => {
            out.push_str("[]interface {}{");
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_literal(item, out);
            }
            out.push('}');
        }
        Value::Object(fields) => {
            out.push_str("map[string]interface {}{");
            for (index, (name, value)) in sorted(fields).into_iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                out.push_str(&quote(name));
                out.push(':');
                write_literal(value, out);
            }
            out.push('}');
        }
    }
}

fn sorted(fields: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut sorted: Vec<_> = fields.iter().collect();
    sorted.sort_unstable_by_key(|(name, _)| *name);
    sorted
}
