//! Values: reading, merging and finding them.
//!
//! A number from YAML is a `float64` in Go, and one from `--set` an `int64`. [`Values`] keep the
//! first as floats and the second as integers.

mod table;

use serde_json::{Map as JsonMap, Number};
use sluice_yaml::{json, v2};

pub(crate) use table::{MissingTable, copy, path_value, table};

/// A JSON value.
pub use serde_json::Value as Json;

/// The values of a chart or of a user.
pub type Values = JsonMap<String, Json>;

/// Reads a file of values, whose documents are merged.
pub fn parse(text: &[u8]) -> Result<Values, String> {
    let mut values = Values::new();
    for document in documents(text) {
        let parsed = parse_document(document, "map[string]interface {}");
        let document =
            parsed.map_err(|error| format!("cannot unmarshal yaml document: {error}"))?;
        merge(&mut values, document);
    }
    Ok(values)
}

/// Reads the first document of a text.
pub fn read(text: &[u8]) -> Result<Values, String> {
    parse_document(text, "common.Values")
}

/// Reads a document. `go_type` is the type of Go for it, which errors name.
fn parse_document(text: &[u8], go_type: &str) -> Result<Values, String> {
    let value =
        v2::from_slice(text).map_err(|error| format!("error converting YAML to JSON: {error}"))?;
    let found = match value {
        Json::Object(entries) => return Ok(from_json(entries)),
        Json::Null => return Ok(Values::new()),
        other => json::kind(&other),
    };
    Err(format!(
        "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {found} into Go \
         value of type {go_type}"
    ))
}

/// The values that Go makes of JSON, where every number is a `float64`.
pub fn from_json(mut entries: Values) -> Values {
    entries.values_mut().for_each(float_numbers);
    entries
}

pub(crate) fn float_numbers(value: &mut Json) {
    match value {
        Json::Number(number) if !number.is_f64() => {
            if let Some(float) = number.as_f64().and_then(Number::from_f64) {
                *number = float;
            }
        }
        Json::Array(items) => items.iter_mut().for_each(float_numbers),
        Json::Object(entries) => entries.values_mut().for_each(float_numbers),
        _ => {}
    }
}

/// Merges values over others, where maps are merged and all else is replaced.
pub fn merge(into: &mut Values, over: Values) {
    for (key, value) in over {
        match (into.get_mut(&key), value) {
            (Some(Json::Object(into)), Json::Object(over)) => merge(into, over),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

/// The documents of a text, as the reader of Kubernetes splits them.
fn documents(text: &[u8]) -> Vec<&[u8]> {
    let mut documents = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let end = at + line.len();
        if let Some(rest) = line.strip_prefix(b"---") {
            let rest = rest.trim_ascii();
            if (rest.is_empty() || rest.starts_with(b"#")) && at > start {
                documents.push(&text[start..at]);
                start = end;
            }
        }
        at = end;
    }
    if start < text.len() {
        documents.push(&text[start..]);
    }
    documents
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Json, parse};

    #[test]
    fn later_document_is_merged_over_earlier_ones() {
        let values = parse(b"a: {b: 1, c: 2}\n---\na: {b: null}\nd: x\n").unwrap();
        assert_eq!(
            Json::Object(values),
            json!({"a": {"b": null, "c": 2.0}, "d": "x"})
        );
    }

    #[test]
    fn last_line_without_its_end_is_read() {
        // Helm loses it where its bytes end at a multiple of its buffer.
        let text = format!("a: {}", "x".repeat(4093));
        assert_eq!(parse(text.as_bytes()).unwrap()["a"], "x".repeat(4093));
    }

    #[test]
    fn list_at_the_root_is_rejected_in_go_words() {
        let error = parse(b"- a\n").unwrap_err();
        let end = "cannot unmarshal array into Go value of type map[string]interface {}";
        assert!(error.ends_with(end), "{error}");
    }
}
