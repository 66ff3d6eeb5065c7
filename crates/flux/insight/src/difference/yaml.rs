//! The YAML of entries that came or went: for eyes, not for parsers. Names come first, deep
//! fields last, texts of several lines stand as they are.
//!
//! Parity: `gonvenience/neat` v1.3.16, `gonvenience/ytbx` v1.4.7: `restructure.go`.

use serde_json::{Map, Value};
use sluice_golang::quote::quote;

use super::compare::scalar;

/// Keys that come first, in this order. A map uses the row with most of its
/// keys.
const KEY_ORDERS: [&[&str]; 13] = [
    &[
        "name",
        "director_uuid",
        "releases",
        "instance_groups",
        "networks",
        "resource_pools",
        "compilation",
    ],
    &["name", "url", "version", "sha1"],
    &["jobs", "resources", "resource_types"],
    &["name", "type", "source"],
    &["get"],
    &["put"],
    &["task"],
    &["releases", "instance_groups", "configuration", "variables"],
    &["auth", "templates"],
    &["name"],
    &["key"],
    &["id"],
    &[],
];

/// Writes a value, entries in the order of reading.
pub(super) fn write(value: &Value) -> String {
    let mut text = String::new();
    node(&reordered(value), "", false, &mut text);
    text
}

/// Writes a value with its own order of keys.
pub(super) fn write_as_is(value: &Value) -> String {
    if value.is_null() {
        return "<nil>".to_owned();
    }
    let mut text = String::new();
    node(value, "", false, &mut text);
    text
}

fn reordered(value: &Value) -> Value {
    match value {
        Value::Object(fields) => reordered_map(fields).into(),
        Value::Array(items) => items.iter().map(reordered).collect(),
        scalar => scalar.clone(),
    }
}

fn reordered_map(fields: &Map<String, Value>) -> Map<String, Value> {
    let hits = |order: &[&str]| {
        order
            .iter()
            .filter(|key| fields.contains_key(**key))
            .count()
    };
    let mut best: &[&str] = &[];
    for order in KEY_ORDERS {
        if hits(order) > hits(best) {
            best = order;
        }
    }
    let mut keys: Vec<&String> = fields.keys().collect();
    if !best.is_empty() {
        let place = |key: &str| best.iter().position(|first| *first == key);
        keys.sort_by_key(|key| match place(key) {
            Some(place) => (0, place),
            None => (1, depth(&fields[*key])),
        });
    }
    keys.into_iter()
        .map(|key| (key.clone(), reordered(&fields[key])))
        .collect()
}

/// How many steps lead to the deepest scalar. The name of an entry does not count as one.
fn depth(value: &Value) -> usize {
    match value {
        Value::Object(fields) => fields
            .values()
            .map(|value| leaf_depth(value, 1))
            .max()
            .unwrap_or_default(),
        Value::Array(items) => {
            let name = ["name", "key", "id"].into_iter().find(|key| {
                !items.is_empty()
                    && items
                        .iter()
                        .all(|item| item.as_object().is_some_and(|map| map.contains_key(*key)))
            });
            let is_counted = |key: &str| name != Some(key);
            let of_item = |item: &Value| match (item, name) {
                (Value::Object(fields), Some(_)) => fields
                    .iter()
                    .filter(|(key, _)| is_counted(key))
                    .map(|(_, value)| leaf_depth(value, 2))
                    .max()
                    .unwrap_or_default(),
                (item, _) => leaf_depth(item, 1),
            };
            items.iter().map(of_item).max().unwrap_or_default()
        }
        _ => 0,
    }
}

/// The depth of a value below some steps; an empty collection has no scalar to lead to.
fn leaf_depth(value: &Value, steps: usize) -> usize {
    match value {
        Value::Object(fields) if fields.is_empty() => 0,
        Value::Array(items) if items.is_empty() => 0,
        Value::Object(_) | Value::Array(_) => match depth(value) {
            0 => 0,
            depth => steps + depth,
        },
        _ => steps,
    }
}

/// Writes a value at an indentation; `started` if its first line is begun already.
fn node(value: &Value, indent: &str, started: bool, text: &mut String) {
    let deeper = format!("{indent}  ");
    match value {
        Value::Object(fields) if fields.is_empty() => text.push_str("{}\n"),
        Value::Array(items) if items.is_empty() => text.push_str("[]\n"),
        Value::Object(fields) => {
            for (index, (key, value)) in fields.iter().enumerate() {
                if index > 0 || !started {
                    text.push_str(indent);
                }
                text.push_str(key);
                text.push(':');
                match value {
                    Value::Object(fields) if !fields.is_empty() => {
                        text.push('\n');
                        node(value, &deeper, false, text);
                    }
                    Value::Array(items) if !items.is_empty() => {
                        text.push('\n');
                        node(value, indent, false, text);
                    }
                    _ => {
                        text.push(' ');
                        node(value, &deeper, true, text);
                    }
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                if index > 0 || !started {
                    text.push_str(indent);
                }
                text.push_str("- ");
                node(item, &deeper, true, text);
            }
        }
        Value::String(string) if string.contains('\n') => {
            text.push('|');
            for line in string.split('\n') {
                text.push('\n');
                text.push_str(indent);
                text.push_str(line);
            }
            text.push('\n');
        }
        Value::String(string) if needs_quotes(string) => {
            text.push_str(&quote(string));
            text.push('\n');
        }
        other => {
            text.push_str(&scalar(other));
            text.push('\n');
        }
    }
}

fn needs_quotes(text: &str) -> bool {
    matches!(text, "true" | "false" | "null")
        || text.starts_with('-')
        || text.contains([' ', '*', '&', ':', ','])
}
