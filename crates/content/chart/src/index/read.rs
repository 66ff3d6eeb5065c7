//! Reads an index version by version, from YAML or JSON.

mod json;
mod yaml;

use crate::index::IndexError;
use crate::values::Json;

/// Maximum number of nodes of one version or of another field. Real ones have hundreds.
const MAX_NODES: usize = 100_000;

/// The root keys of an index besides `entries`.
const ROOT_KEYS: &[&str] = &[
    "serverInfo",
    "apiVersion",
    "generated",
    "entries",
    "publicKeys",
    "annotations",
];

/// Receives the parts of an index in the order of the text.
pub(super) trait Visit {
    /// A root field besides `entries`.
    fn field(&mut self, key: &str, value: Json) -> Result<(), IndexError>;

    /// The start of a chart. Returns whether its versions are wanted.
    fn chart(&mut self, name: &str) -> Result<bool, IndexError>;

    /// The next version of the chart. An index in YAML must not have unknown keys.
    fn version(&mut self, entry: &Json, is_strict: bool) -> Result<(), IndexError>;

    /// The end of the chart. `is_null` if it has no list.
    fn end_chart(&mut self, is_null: bool) -> Result<(), IndexError>;
}

/// Reads an index.
pub(super) fn read(text: &[u8], visit: &mut impl Visit) -> Result<(), IndexError> {
    if text.is_empty() {
        return Err(IndexError::Empty);
    }
    // Like Flux, which tries JSON first.
    if text.trim_ascii_start().starts_with(b"{") && json::is_valid(text) {
        json::read(text, visit)
    } else {
        yaml::read(text, visit)
    }
}

pub(super) use json::read_stored;

fn mismatch(found: &str, of: &str) -> IndexError {
    IndexError::Content(format!(
        "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {found} into Go \
         struct field IndexFile.entries of type {of}"
    ))
}
