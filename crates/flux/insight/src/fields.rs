//! Fields of an untyped object, by JSON pointer.

use serde_json::Value;
use sluice_object::Object;

/// The text at a pointer, or an empty text.
pub fn text<'a>(object: &'a Object, pointer: &str) -> &'a str {
    at(object, pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The entries of `status.inventory`, as pairs of id and version.
pub fn inventory(object: &Object) -> impl Iterator<Item = (&str, &str)> {
    at(object, "/status/inventory/entries")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|entry| {
            let text = |field: &str| entry[field].as_str().unwrap_or_default();
            (text("id"), text("v"))
        })
}

/// The value at a pointer, such as `/status/history/0/digest`.
pub fn at<'a>(object: &'a Object, pointer: &str) -> Option<&'a Value> {
    let mut path = pointer.split('/').skip(1);
    let mut value = object.get(path.next()?)?;
    for step in path {
        value = match value {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            other => other.get(step)?,
        };
    }
    Some(value)
}
