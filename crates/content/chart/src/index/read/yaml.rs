//! An index in YAML, read strictly.

use std::collections::HashSet;

use sluice_golang::quote::quote;
use sluice_yaml::stream::{Shape, Stream, Text};

use super::{MAX_NODES, ROOT_KEYS, Visit, mismatch};
use crate::index::IndexError;
use crate::index::entry::check_key;

const ENTRIES: &str = "map[string]repo.ChartVersions";
const VERSIONS: &str = "repo.ChartVersions";

pub(super) fn read(text: &[u8], visit: &mut impl Visit) -> Result<(), IndexError> {
    let text = Text::decode(text).map_err(invalid)?;
    let Some(mut stream) = text.stream().map_err(invalid)? else {
        return Ok(());
    };
    match stream.shape() {
        Shape::Mapping => stream.enter().map_err(invalid)?,
        Shape::Sequence => return Err(not_an_index("array")),
        Shape::Other => {
            return match stream.value(MAX_NODES).map_err(invalid)? {
                serde_json::Value::Null => Ok(()),
                serde_json::Value::Bool(_) => Err(not_an_index("bool")),
                serde_json::Value::Number(_) => Err(not_an_index("number")),
                _ => Err(not_an_index("string")),
            };
        }
    }
    let mut keys = Keys::default();
    while let Some(key) = keys.next(&mut stream)? {
        if key == "entries" {
            entries(&mut stream, visit)?;
            continue;
        }
        check_key(&key, &[ROOT_KEYS]).map_err(decoding)?;
        visit.field(&key, stream.value(MAX_NODES).map_err(invalid)?)?;
    }
    Ok(())
}

fn entries(stream: &mut Stream<'_>, visit: &mut impl Visit) -> Result<(), IndexError> {
    match stream.shape() {
        Shape::Mapping => stream.enter().map_err(invalid)?,
        Shape::Sequence => return Err(mismatch("array", ENTRIES)),
        Shape::Other => {
            return match stream.value(MAX_NODES).map_err(invalid)? {
                serde_json::Value::Null => Ok(()),
                _ => Err(mismatch("string", ENTRIES)),
            };
        }
    }
    let mut keys = Keys::default();
    while let Some(name) = keys.next(stream)? {
        let is_wanted = visit.chart(&name)?;
        let is_null = match stream.shape() {
            Shape::Sequence => {
                stream.enter().map_err(invalid)?;
                while stream.next_item().map_err(invalid)? {
                    let entry = stream.value(MAX_NODES).map_err(invalid)?;
                    if is_wanted {
                        visit.version(&entry, true)?;
                    }
                }
                false
            }
            Shape::Mapping => return Err(mismatch("object", VERSIONS)),
            Shape::Other => match stream.value(MAX_NODES).map_err(invalid)? {
                serde_json::Value::Null => true,
                _ => return Err(mismatch("string", VERSIONS)),
            },
        };
        visit.end_chart(is_null)?;
    }
    Ok(())
}

/// The keys of one mapping, of which none may occur twice.
#[derive(Default)]
struct Keys(HashSet<String>);

impl Keys {
    fn next(&mut self, stream: &mut Stream<'_>) -> Result<Option<String>, IndexError> {
        let Some(key) = stream.next_key().map_err(invalid)? else {
            return Ok(None);
        };
        if !self.0.insert(key.text.clone()) {
            let (line, key) = (key.line, quote(&key.text));
            return Err(IndexError::Content(format!(
                "error converting YAML to JSON: yaml: unmarshal errors:\n  line {line}: key {key} \
                 already set in map"
            )));
        }
        Ok(Some(key.text))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "used as a map_err function")]
fn invalid(error: sluice_yaml::Error) -> IndexError {
    IndexError::Content(format!("error converting YAML to JSON: {error}"))
}

pub(super) fn decoding(error: impl std::fmt::Display) -> IndexError {
    IndexError::Content(format!(
        "error unmarshaling JSON: while decoding JSON: {error}"
    ))
}

fn not_an_index(found: &str) -> IndexError {
    decoding(format!(
        "json: cannot unmarshal {found} into Go value of type repo.IndexFile"
    ))
}
