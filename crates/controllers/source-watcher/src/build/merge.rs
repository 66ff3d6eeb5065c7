//! Merges YAML files as Helm merges values. Pure.
//!
//! All documents of a file are one map. Maps are merged, and any other value is replaced. Numbers
//! take the form of Go's `float64`, because Flux decodes them so.
//!
//! Parity: source-watcher: internal/builder/merge.go; k8s.io/apimachinery: util/yaml `YAMLReader`.

use sluice_yaml::{Map, Value, json, v2};

/// The line between two documents.
const SEPARATOR: &[u8] = b"---";

/// Why two files cannot be merged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MergeError {
    /// The rest of a line of dashes is not a comment.
    #[error("error reading YAML document: invalid Yaml document separator: {0}")]
    Separator(String),
    /// A document is not YAML.
    #[error("cannot unmarshal YAML document")]
    Parse(#[from] sluice_yaml::Error),
    /// A document is not a map.
    #[error("cannot unmarshal YAML document: a map is expected, not {0}")]
    Kind(&'static str),
    /// A file is too large.
    #[error("'{path}' is larger than {limit} bytes, and cannot be merged")]
    TooLarge { path: String, limit: u64 },
}

/// Merges `overlay` into `base`.
pub(super) fn merge(base: &[u8], overlay: &[u8]) -> Result<String, MergeError> {
    let mut merged = load(base)?;
    let overlay = load(overlay)?;
    merge_maps(&mut merged, overlay);
    Ok(v2::to_string(&Value::Object(merged)))
}

/// Reads all documents of a file into one map.
fn load(text: &[u8]) -> Result<Map<String, Value>, MergeError> {
    let mut merged = Map::new();
    for document in documents(text)? {
        match v2::from_slice(&document)? {
            Value::Null => {}
            Value::Object(mut map) => {
                for value in map.values_mut() {
                    round_numbers(value);
                }
                merge_maps(&mut merged, map);
            }
            other => return Err(MergeError::Kind(kind(&other))),
        }
    }
    Ok(merged)
}

/// Splits a file at the separators of documents.
fn documents(text: &[u8]) -> Result<Vec<Vec<u8>>, MergeError> {
    let mut documents = Vec::new();
    let mut document = Vec::new();
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Some(rest) = line.strip_prefix(SEPARATOR) {
            let rest = rest.trim_ascii();
            if !rest.is_empty() && !rest.starts_with(b"#") {
                let rest = String::from_utf8_lossy(rest).into_owned();
                return Err(MergeError::Separator(rest));
            }
            if !document.is_empty() {
                documents.push(std::mem::take(&mut document));
                continue;
            }
        }
        document.extend_from_slice(line);
        document.push(b'\n');
    }
    if !document.is_empty() {
        documents.push(document);
    }
    Ok(documents)
}

fn merge_maps(base: &mut Map<String, Value>, overlay: Map<String, Value>) {
    for (key, value) in overlay {
        match (base.get_mut(&key), value) {
            (Some(Value::Object(below)), Value::Object(above)) => merge_maps(below, above),
            (_, value) => drop(base.insert(key, value)),
        }
    }
}

/// Gives each number the form that it has after a round trip through Go's `float64`.
fn round_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(rounded) = number.as_f64().and_then(json::number) {
                *number = rounded;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(round_numbers),
        Value::Object(map) => map.values_mut().for_each(round_numbers),
        _ => {}
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    }
}
