//! Masks secret values in messages.
//!
//! The server quotes rejected values, so its message about a Secret may contain a password. This
//! module replaces every value of the desired Secret by `***`: plain or base64, whole or one of
//! its lines. [`SecretValues`] does the same for values from Secrets and encrypted files in objects
//! of any kind.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sluice_object::{Object, Value};

/// Replaces a masked value.
pub(crate) const MASK: &str = "***";

/// Shorter values are only masked in quotes. Replacing every `on` or `1` would make the message
/// unreadable and reveal the value.
const MIN_UNQUOTED_BYTES: usize = 4;

/// The fields of a Secret without secret values.
const PUBLIC: [&str; 4] = ["apiVersion", "kind", "metadata", "type"];

/// Shorter lines of a value are not masked on their own.
const MIN_LINE_BYTES: usize = 8;

/// Secret values that may occur in objects of any kind: substituted variables from Secrets, and
/// decrypted values.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SecretValues(Vec<String>);

/// Prints the number of values only.
impl fmt::Debug for SecretValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SecretValues").field(&self.0.len()).finish()
    }
}

impl SecretValues {
    /// Adds a value.
    pub fn add(&mut self, value: impl Into<String>) {
        self.0.push(value.into());
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Masks the values in a text. Values as short as a word are only masked in quotes.
    pub fn mask(&self, text: String) -> String {
        let mut needles = Vec::new();
        for value in &self.0 {
            needles.push(STANDARD.encode(value));
            add_plain(value, &mut needles);
            // A YAML parser quotes parts of a value: an alias, a tag or a key.
            let parts = value.split(|c: char| c.is_whitespace() || "*&!{}[],:\"'`".contains(c));
            let long = parts.filter(|part| part.len() >= MIN_LINE_BYTES);
            needles.extend(long.map(ToOwned::to_owned));
        }
        replace(text, needles, MIN_LINE_BYTES)
    }
}

/// Masks the values of a Secret in a text. Other objects have no secret values.
pub(crate) fn mask(object: &Object, text: String) -> String {
    if !object.is("", "Secret") {
        return text;
    }
    let mut needles = Vec::new();
    for value in values(object, "stringData") {
        needles.push(STANDARD.encode(&value));
        add_plain(&value, &mut needles);
    }
    for value in values(object, "data") {
        if let Ok(plain) = STANDARD.decode(&value) {
            add_plain(&String::from_utf8_lossy(&plain), &mut needles);
        }
        // The server also quotes data that it cannot decode.
        add_plain(&value, &mut needles);
    }
    // A value may be in the wrong field.
    let others = object.as_map().iter();
    for (_, value) in others.filter(|(field, _)| !PUBLIC.contains(&field.as_str())) {
        let mut found = Vec::new();
        collect(value, &mut found);
        for value in &found {
            add_plain(value, &mut needles);
        }
    }
    replace(text, needles, MIN_UNQUOTED_BYTES)
}

/// Collects the values of a field. The server also quotes values that are not strings.
fn values(object: &Object, field: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(value) = object.get(field) {
        collect(value, &mut found);
    }
    found
}

fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::Number(number) => found.push(number.to_string()),
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(fields) => fields.values().for_each(|value| collect(value, found)),
    }
}

/// Adds a value, its escaped forms and its lines.
fn add_plain(value: &str, needles: &mut Vec<String>) {
    let escaped = value.escape_default().to_string();
    let quoted = serde_json::to_string(value).unwrap_or_default();
    needles.push(quoted.trim_matches('"').to_owned());
    needles.push(escaped);
    needles.push(value.to_owned());
    needles.push(value.trim().to_owned());
    needles.extend(
        value
            .lines()
            .map(str::trim)
            .filter(|line| line.len() >= MIN_LINE_BYTES)
            .map(ToOwned::to_owned),
    );
}

/// Replaces the needles. Those shorter than `min_unquoted` are only replaced in quotes.
fn replace(mut text: String, mut needles: Vec<String>, min_unquoted: usize) -> String {
    needles.retain(|needle| !needle.is_empty());
    // The longest first, so that a part of a value does not split it.
    needles.sort_by(|left, right| right.len().cmp(&left.len()).then(left.cmp(right)));
    needles.dedup();
    for needle in needles {
        if needle.len() >= min_unquoted {
            if text.contains(&needle) {
                text = text.replace(&needle, MASK);
            }
        } else {
            for quote in ['"', '\'', '`'] {
                let quoted = format!("{quote}{needle}{quote}");
                text = text.replace(&quoted, &format!("{quote}{MASK}{quote}"));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn secret(body: &Value) -> Object {
        let mut value = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}});
        sluice_object::merge::apply(&mut value, body);
        Object::try_from(value).expect("complete")
    }

    #[test]
    fn values_are_masked_in_every_form() {
        let object = secret(&json!({"data": {
            "password": STANDARD.encode("canary-password"),
            "key": STANDARD.encode("-----BEGIN-----\ncanary-line-1\ncanary-line-2\n"),
            "broken": "canary not base64",
            "quoted": STANDARD.encode("canary \"with\" quotes"),
        }, "stringData": {"token": "canary-token"}}));
        for message in [
            "Invalid value: \"canary-password\": no",
            &format!("Invalid value: {}", STANDARD.encode("canary-password")),
            "line canary-line-2 is wrong",
            "got \"-----BEGIN-----\\ncanary-line-1\\ncanary-line-2\\n\"",
            "illegal base64 data in canary not base64",
            "got \"canary \\\"with\\\" quotes\"",
            "token canary-token",
            &format!("token {}", STANDARD.encode("canary-token")),
        ] {
            let masked = mask(&object, message.to_owned());
            assert!(masked.contains(MASK), "{masked}");
            assert!(!masked.contains("canary"), "{masked}");
        }
    }

    #[test]
    fn values_that_are_not_strings_are_masked() {
        let object = secret(&json!({"stringData": {"pin": 481_516, "deep": {"list": ["canary"]}}}));
        assert_eq!(
            mask(
                &object,
                "expected string, got Value{481516} and canary".to_owned()
            ),
            "expected string, got Value{***} and ***"
        );
    }

    #[test]
    fn values_in_the_wrong_field_are_masked() {
        let object =
            secret(&json!({"immutable": "canary-1", "password": "canary-2", "type": "Opaque"}));
        assert_eq!(
            mask(
                &object,
                "Opaque: expected boolean, got &{canary-1}, canary-2".to_owned()
            ),
            "Opaque: expected boolean, got &{***}, ***"
        );
    }

    #[test]
    fn short_value_is_only_masked_in_quotes() {
        let object = secret(&json!({"stringData": {"on": "on", "empty": ""}}));
        assert_eq!(
            mask(&object, "condition: \"on\" is wrong".to_owned()),
            "condition: \"***\" is wrong"
        );
    }

    #[test]
    fn secret_values_are_masked_in_any_kind() {
        let mut secrets = SecretValues::default();
        secrets.add("canary-password");
        secrets.add("prod");
        assert_eq!(
            secrets.mask("ConfigMap/prod/a: \"prod\" and canary-password are wrong".to_owned()),
            "ConfigMap/prod/a: \"***\" and *** are wrong"
        );
        let encoded = STANDARD.encode("canary-password");
        assert_eq!(secrets.mask(encoded), MASK);
        secrets.add("*canary-alias {canary-key: [");
        assert_eq!(
            secrets.mask("unknown anchor 'canary-alias' referenced by canary-key".to_owned()),
            "unknown anchor '***' referenced by ***"
        );
        assert_eq!(format!("{secrets:?}"), "SecretValues(3)");
        assert_eq!(
            SecretValues::default().mask("as it is".to_owned()),
            "as it is"
        );
    }

    #[test]
    fn other_kinds_are_not_masked() {
        let mut object = Object::new("v1", "ConfigMap", "", "a");
        object
            .as_map_mut()
            .insert("data".into(), json!({"k": "value"}));
        assert_eq!(mask(&object, "a value".to_owned()), "a value");
    }

    #[test]
    fn message_without_values_is_unchanged() {
        let object = secret(&json!({"stringData": {"password": "canary"}}));
        let message = "Secret \"a\" is invalid: type: Invalid value: \"x\": field is immutable";
        assert_eq!(mask(&object, message.to_owned()), message);
    }
}
