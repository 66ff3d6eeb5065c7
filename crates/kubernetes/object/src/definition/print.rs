//! Values as they are sent, and as Go prints them where the server hands them to its printer as they are.

use std::fmt::Write as _;

use serde_json::{Map, Number};
use sluice_golang::number::format_g;
use sluice_golang::quote::quote;
use sluice_yaml::json;

use crate::Value;

/// How much of a value is printed: the rest would help nobody.
const MOST: usize = 16 << 10;

/// Makes numbers those that the server reads: a float without a fraction is printed as an integer
/// on its way.
pub(super) fn as_sent(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let sent = number.as_f64().and_then(json::number);
            *number = sent.unwrap_or_else(|| number.clone());
        }
        Value::Array(items) => items.iter_mut().for_each(as_sent),
        Value::Object(fields) => fields.values_mut().for_each(as_sent),
        _ => {}
    }
}

/// As `%v` prints the value.
pub(super) fn bare(value: &Value) -> String {
    let mut out = String::new();
    write_plain(value, &mut out);
    out
}

/// As `%v` prints what holds the value.
pub(super) fn plain(value: &Value) -> String {
    format!("&{{{}}}", bare(value))
}

/// As `%#v` does.
pub(super) fn literal(value: &Value) -> String {
    let mut out = String::from("&value.valueUnstructured{Value:");
    write_literal(value, &mut out);
    out.push('}');
    out
}

/// The type, as `%T` names it.
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

/// As a part of a path names a key or a value.
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

/// A number, however it is printed.
pub(super) fn number(number: &Number) -> String {
    match (number.as_i64(), number.as_f64()) {
        (Some(whole), _) => whole.to_string(),
        (None, Some(float)) => format_g(float),
        (None, None) => number.to_string(),
    }
}

fn write_plain(value: &Value, out: &mut String) {
    if out.len() > MOST {
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
    if out.len() > MOST {
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
