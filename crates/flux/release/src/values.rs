//! Composes the values of a release from references and inline values. Pure.
//!
//! The reference merges Go maps without copying them. A value that is written into an uncopied map
//! also changes the inline values. [`Shared`] tracks which parts are uncopied.
//!
//! Parity: `fluxcd/pkg: chartutil/values.go`.

use std::collections::BTreeMap;

use serde_json::Value;
use sluice_api::helm::{ValuesReference, ValuesReferenceKind};
use sluice_chart::{Values, strvals, values};

/// Key of the values if a reference names none.
const DEFAULT_KEY: &str = "values.yaml";

/// The data that a reference resolves to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValuesLookup {
    /// The text under the key.
    Data(Vec<u8>),
    /// The object has no such key.
    NoKey,
    /// The object does not exist, with the message of the API server.
    NoObject(String),
}

/// The key of a reference.
pub fn key_of(reference: &ValuesReference) -> &str {
    let key = reference.values_key.as_deref();
    key.filter(|key| !key.is_empty()).unwrap_or(DEFAULT_KEY)
}

/// Composes values from references, in their order, and inline values.
#[derive(Debug)]
pub struct Composer {
    namespace: String,
    inline: Values,
    result: Values,
    shared: Shared,
}

/// Why a value of a Secret cannot be set.
const UNREADABLE: &str =
    "the value is not in the notation of --set; literal: true takes it as it is";

impl Composer {
    /// Begins with the inline values of a spec.
    pub fn new(namespace: &str, inline: Option<&Value>) -> Self {
        let inline = match inline {
            Some(Value::Object(inline)) => values::from_json(inline.clone()),
            _ => Values::new(),
        };
        Self {
            namespace: namespace.to_owned(),
            inline,
            result: Values::new(),
            shared: Shared::default(),
        }
    }

    /// Adds the data of a reference. A missing optional one is skipped.
    pub fn add(&mut self, reference: &ValuesReference, found: ValuesLookup) -> Result<(), String> {
        let failed = |reason: &str| self.message(reference, reason);
        let data = match (found, reference.optional) {
            (_, _) if matches!(reference.kind, ValuesReferenceKind::Other(_)) => {
                return Err(failed("unsupported values reference kind"));
            }
            (ValuesLookup::Data(data), _) => data,
            (ValuesLookup::NoKey | ValuesLookup::NoObject(_), true) => {
                tracing::info!("{}", failed("not found"));
                return Ok(());
            }
            (ValuesLookup::NoKey, false) => return Err(failed("key not found")),
            (ValuesLookup::NoObject(why), false) => return Err(failed(&why)),
        };
        let path = reference.target_path.as_deref().unwrap_or_default();
        if path.is_empty() {
            let read = values::read(&data).map_err(|error| failed(&error))?;
            merge(&mut self.result, &read, &mut self.shared, false);
            return Ok(());
        }
        merge(&mut self.result, &self.inline, &mut self.shared, true);
        let text = String::from_utf8_lossy(&data);
        let line = Line::new(path, &text, reference.literal);
        let written = line.set(&mut self.result);
        written.map_err(|error| {
            // The reason quotes the value.
            let is_secret = reference.kind == ValuesReferenceKind::Secret;
            let reason = if is_secret {
                UNREADABLE
            } else {
                error.reason()
            };
            self.message(reference, reason)
        })?;
        if self.shared.is_written(path) {
            // The same write on the same map, which succeeded.
            drop(line.set(&mut self.inline));
        } else {
            self.shared.forget(path);
        }
        Ok(())
    }

    /// The composed values.
    pub fn finish(mut self) -> Values {
        merge(&mut self.result, &self.inline, &mut self.shared, true);
        self.result
    }

    fn message(&self, reference: &ValuesReference, reason: &str) -> String {
        let optional = if reference.optional { " optional" } else { "" };
        let (kind, namespace, name) = (&reference.kind, &self.namespace, &reference.name);
        let key = key_of(reference);
        format!(
            "could not resolve{optional} {kind} chart values reference '{namespace}/{name}' with \
             key '{key}': {reason}"
        )
    }
}

/// A line of `strvals`.
struct Line {
    text: String,
    is_string: bool,
}

impl Line {
    fn new(path: &str, value: &str, literal: bool) -> Self {
        if literal {
            let mut escaped = String::with_capacity(value.len());
            for character in value.chars() {
                if matches!(character, '\\' | ',' | '[' | ']' | '{' | '}') {
                    escaped.push('\\');
                }
                escaped.push(character);
            }
            return Self {
                text: format!("{path}={escaped}"),
                is_string: true,
            };
        }
        let is_quoted = |quote: char| value.starts_with(quote) && value.ends_with(quote);
        let is_string = is_quoted('\'') || is_quoted('"');
        let value = if is_string {
            value.trim_matches(['\'', '"'])
        } else {
            value
        };
        Self {
            text: format!("{path}={value}"),
            is_string,
        }
    }

    fn set(&self, values: &mut Values) -> Result<(), strvals::Error> {
        if self.is_string {
            strvals::set_string(&self.text, values)
        } else {
            strvals::set(&self.text, values)
        }
    }
}

/// Merges values over others. Maps are merged; other values replace, and are shared with `over` if
/// that is the inline values.
fn merge(into: &mut Values, over: &Values, shared: &mut Shared, is_inline: bool) {
    // The merged map is a new one, whose entries stay shared.
    let parts = shared.open(into);
    for (key, value) in over {
        if let (Value::Object(over), Some(Value::Object(into))) = (value, into.get_mut(key)) {
            merge(into, over, parts.entry(key.clone()).or_default(), is_inline);
            continue;
        }
        into.insert(key.clone(), value.clone());
        let is_container = value.is_object() || value.is_array();
        if is_inline && is_container {
            parts.insert(key.clone(), Shared::Whole);
        } else {
            parts.remove(key);
        }
    }
}

/// The part of a map that is the same object as in the inline values.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Shared {
    Whole,
    Parts(BTreeMap<String, Self>),
}

impl Default for Shared {
    fn default() -> Self {
        Self::Parts(BTreeMap::new())
    }
}

impl Shared {
    /// The parts of a map that was copied.
    fn open(&mut self, map: &Values) -> &mut BTreeMap<String, Self> {
        if *self == Self::Whole {
            let containers = map
                .iter()
                .filter(|(_, value)| value.is_object() || value.is_array());
            let parts = containers.map(|(key, _)| (key.clone(), Self::Whole));
            *self = Self::Parts(parts.collect());
        }
        match self {
            Self::Parts(parts) => parts,
            Self::Whole => unreachable!("it was opened above"),
        }
    }

    /// Whether a write to a path changes a map or a list that is shared with the inline values.
    fn is_written(&self, path: &str) -> bool {
        let (keys, has_index) = keys(path);
        let parents = if has_index {
            keys.len()
        } else {
            keys.len() - 1
        };
        let mut shared = self;
        for key in keys.iter().take(parents) {
            let Self::Parts(parts) = shared else {
                return true;
            };
            let Some(next) = parts.get(key) else {
                return false;
            };
            shared = next;
        }
        *shared == Self::Whole
    }

    /// A path was written that is not shared.
    fn forget(&mut self, path: &str) {
        let (keys, _) = keys(path);
        let mut shared = self;
        let Some((last, parents)) = keys.split_last() else {
            return;
        };
        for key in parents {
            let Self::Parts(parts) = shared else { return };
            let Some(next) = parts.get_mut(key) else {
                return;
            };
            shared = next;
        }
        if let Self::Parts(parts) = shared {
            parts.remove(last);
        }
    }
}

/// The keys of a path, up to its first index, and whether it has one.
fn keys(path: &str) -> (Vec<String>, bool) {
    let mut keys = vec![String::new()];
    let mut characters = path.chars();
    while let Some(character) = characters.next() {
        let last = keys.last_mut().expect("there is always a key");
        match character {
            '\\' => last.extend(characters.next()),
            '.' => keys.push(String::new()),
            '[' => return (keys, true),
            other => last.push(other),
        }
    }
    (keys, false)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reference(fields: &Value) -> ValuesReference {
        let mut full = json!({"kind": "Secret", "name": "values"});
        let fields = fields.as_object().unwrap().clone();
        full.as_object_mut().unwrap().extend(fields);
        serde_json::from_value(full).unwrap()
    }

    fn compose(inline: &Value, references: &[(Value, &str)]) -> Result<Value, String> {
        let mut composer = Composer::new("apps", Some(inline));
        for (fields, data) in references {
            let found = match *data {
                "-" => ValuesLookup::NoKey,
                "--" => ValuesLookup::NoObject("secrets \"values\" not found".to_owned()),
                data => ValuesLookup::Data(data.as_bytes().to_vec()),
            };
            composer.add(&reference(fields), found)?;
        }
        Ok(Value::Object(composer.finish()))
    }

    #[test]
    fn references_merge_below_inline_values() {
        let inline = json!({"merge": {"at": "inline"}, "other": true});
        let references = [
            (json!({}), "flat: value\nnested: {configuration: value}\n"),
            (
                json!({}),
                "flat:\n  nested: value\nnested: {configuration: {list: [1]}}\nmerge: {at: x, more: z}\n",
            ),
        ];
        assert_eq!(
            compose(&inline, &references).unwrap(),
            json!({"flat": {"nested": "value"}, "nested": {"configuration": {"list": [1.0]}},
                "merge": {"at": "inline", "more": "z"}, "other": true})
        );
    }

    /// The outcomes that were observed in the reference.
    #[test]
    fn written_value_survives_in_uncopied_maps_only() {
        let path = |path: &str| json!({"targetPath": path});
        let inline = json!({"a": 1});
        assert_eq!(
            compose(&inline, &[(path("a"), "2")]).unwrap(),
            json!({"a": 1.0})
        );
        let inline = json!({"a": {"b": 1}});
        assert_eq!(
            compose(&inline, &[(path("a.b"), "2")]).unwrap(),
            json!({"a": {"b": 2}})
        );
        let references = [(json!({}), "a: {c: 3}"), (path("a.b"), "2")];
        assert_eq!(
            compose(&inline, &references).unwrap(),
            json!({"a": {"c": 3.0, "b": 1.0}})
        );
    }

    #[test]
    fn target_path_reads_types_and_quotes() {
        let of = |path: &str, data: &str| {
            let references = [(json!({"targetPath": path}), data)];
            compose(&json!({}), &references).unwrap()
        };
        assert_eq!(of("a.b", "true"), json!({"a": {"b": true}}));
        assert_eq!(of("a", "'true'"), json!({"a": "true"}));
        assert_eq!(of("a", "\"3\""), json!({"a": "3"}));
        assert_eq!(of("a[1].b", "x"), json!({"a": [null, {"b": "x"}]}));
        assert_eq!(of("a\\.b", "x"), json!({"a.b": "x"}));
        let literal = [(json!({"targetPath": "a", "literal": true}), "x,{y}[z]=\\")];
        assert_eq!(
            compose(&json!({}), &literal).unwrap(),
            json!({"a": "x,{y}[z]=\\"})
        );
    }

    #[test]
    fn missing_reference_fails_unless_optional() {
        let error = |fields: Value, data| compose(&json!({}), &[(fields, data)]).unwrap_err();
        assert_eq!(
            error(json!({}), "-"),
            "could not resolve Secret chart values reference 'apps/values' with key \
             'values.yaml': key not found"
        );
        assert_eq!(
            error(json!({"kind": "ConfigMap", "valuesKey": "a"}), "--"),
            "could not resolve ConfigMap chart values reference 'apps/values' with key 'a': \
             secrets \"values\" not found"
        );
        for data in ["-", "--"] {
            let optional = [(json!({"optional": true}), data)];
            assert_eq!(compose(&json!({}), &optional).unwrap(), json!({}));
        }
        let unreadable = error(json!({}), "- a\n");
        assert!(
            unreadable.contains("error unmarshaling JSON"),
            "{unreadable}"
        );
    }
}
