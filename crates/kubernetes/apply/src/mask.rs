//! Secret values out of messages.
//!
//! The server quotes what it refuses. When the refused object is a Secret, its text would put a
//! password into conditions, events and logs. So what a server said of a Secret passes through
//! here: every value of the desired data, plain or base64, whole or one of its lines, becomes
//! `***`. The same holds for what came out of Secrets and encrypted files into objects of any
//! kind: see [`SecretValues`].

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sluice_object::{Object, Value};

/// What a masked value reads as.
pub(crate) const MASK: &str = "***";

/// Shorter values are masked only where they stand in quotes: replacing every `on` or `1` would
/// leave nothing of the sentence, and tells more than it hides.
const SHORT: usize = 4;

/// The fields of a Secret that keep nothing secret.
const PUBLIC: [&str; 4] = ["apiVersion", "kind", "metadata", "type"];

/// Lines of a value shorter than this are not looked for on their own.
const LINE: usize = 8;

/// Values that are secret wherever they stand: variables out of Secrets, and what was decrypted.
/// Who may read the object may read them; who reads a message about it may not.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SecretValues(Vec<String>);

/// Tells the number of values only.
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

    /// Whether there is nothing to hide.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Masks the values in a text. One that is as short as a word may be one, and is masked only
    /// where it is quoted, as servers quote what they refuse.
    pub fn mask(&self, text: String) -> String {
        let mut needles = Vec::new();
        for value in &self.0 {
            needles.push(STANDARD.encode(value));
            add_plain(value, &mut needles);
            // What reads a value as YAML quotes a part of it: an alias, a tag, a key.
            let parts = value.split(|c: char| c.is_whitespace() || "*&!{}[],:\"'`".contains(c));
            let long = parts.filter(|part| part.len() >= LINE);
            needles.extend(long.map(ToOwned::to_owned));
        }
        replace(text, needles, LINE)
    }
}

/// Masks in `text` what the object keeps secret; objects other than Secrets have nothing to hide.
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
        // The server quotes data that it cannot decode, too.
        add_plain(&value, &mut needles);
    }
    // A value may have been written beside the field that it belongs into.
    let others = object.as_map().iter();
    for (_, value) in others.filter(|(field, _)| !PUBLIC.contains(&field.as_str())) {
        let mut found = Vec::new();
        collect(value, &mut found);
        for value in &found {
            add_plain(value, &mut needles);
        }
    }
    replace(text, needles, SHORT)
}

/// Collects the values of a field. A Secret whose values are no texts is refused, and the refusal
/// quotes them.
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

/// Adds a value as it is, as a quoted string escapes it, and line by line.
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
            .filter(|line| line.len() >= LINE)
            .map(ToOwned::to_owned),
    );
}

/// Replaces the needles; those that are shorter than `short` only where they stand in quotes.
fn replace(mut text: String, mut needles: Vec<String>, short: usize) -> String {
    needles.retain(|needle| !needle.is_empty());
    // The longest first, so that a part does not break the whole.
    needles.sort_by(|left, right| right.len().cmp(&left.len()).then(left.cmp(right)));
    needles.dedup();
    for needle in needles {
        if needle.len() >= short {
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
    fn values_are_masked_plain_encoded_escaped_and_line_by_line() {
        let object = secret(&json!({"data": {
            "password": STANDARD.encode("canary-password"),
            "key": STANDARD.encode("-----BEGIN-----\ncanary-line-1\ncanary-line-2\n"),
            "broken": "canary not base64",
            "quoted": STANDARD.encode("canary \"with\" quotes"),
        }, "stringData": {"token": "canary-token"}}));
        for said in [
            "Invalid value: \"canary-password\": no",
            &format!("Invalid value: {}", STANDARD.encode("canary-password")),
            "line canary-line-2 is wrong",
            "got \"-----BEGIN-----\\ncanary-line-1\\ncanary-line-2\\n\"",
            "illegal base64 data in canary not base64",
            "got \"canary \\\"with\\\" quotes\"",
            "token canary-token",
            &format!("token {}", STANDARD.encode("canary-token")),
        ] {
            let masked = mask(&object, said.to_owned());
            assert!(masked.contains(MASK), "{masked}");
            assert!(!masked.contains("canary"), "{masked}");
        }
    }

    #[test]
    fn values_that_are_no_texts_are_masked_too() {
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
    fn a_value_that_stands_in_the_wrong_place_is_masked_all_the_same() {
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
    fn a_short_value_is_masked_in_quotes_only() {
        let object = secret(&json!({"stringData": {"on": "on", "empty": ""}}));
        assert_eq!(
            mask(&object, "condition: \"on\" is wrong".to_owned()),
            "condition: \"***\" is wrong"
        );
    }

    #[test]
    fn hidden_values_are_masked_whatever_the_kind_and_words_only_in_quotes() {
        let mut hidden = SecretValues::default();
        hidden.add("canary-password");
        hidden.add("prod");
        assert_eq!(
            hidden.mask("ConfigMap/prod/a: \"prod\" and canary-password are wrong".to_owned()),
            "ConfigMap/prod/a: \"***\" and *** are wrong"
        );
        let encoded = STANDARD.encode("canary-password");
        assert_eq!(hidden.mask(encoded), MASK);
        hidden.add("*canary-alias {canary-key: [");
        assert_eq!(
            hidden.mask("unknown anchor 'canary-alias' referenced by canary-key".to_owned()),
            "unknown anchor '***' referenced by ***"
        );
        assert_eq!(format!("{hidden:?}"), "SecretValues(3)");
        assert_eq!(
            SecretValues::default().mask("as it is".to_owned()),
            "as it is"
        );
    }

    #[test]
    fn other_kinds_have_nothing_to_hide() {
        let mut object = Object::new("v1", "ConfigMap", "", "a");
        object
            .as_map_mut()
            .insert("data".into(), json!({"k": "value"}));
        assert_eq!(mask(&object, "a value".to_owned()), "a value");
    }

    #[test]
    fn a_message_without_values_stays_as_it_is() {
        let object = secret(&json!({"stringData": {"password": "canary"}}));
        let said = "Secret \"a\" is invalid: type: Invalid value: \"x\": field is immutable";
        assert_eq!(mask(&object, said.to_owned()), said);
    }
}
