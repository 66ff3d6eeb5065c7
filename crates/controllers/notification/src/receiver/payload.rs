//! Parses the bodies of calls: media types, forms, and the formats of registries.

use serde_json::{Map, Value};
use sluice_yaml::limits::JsonNodeCount;

/// Returns the media type in lower case without parameters, or `None` if it is malformed.
pub(super) fn media_type(text: &str) -> Option<String> {
    let mut parts = text.split(';');
    let name = parts.next()?.trim().to_lowercase();
    let is_token = |text: &str| {
        let is_part = |c: char| c.is_ascii_graphic() && !"()<>@,;:\\\"/[]?=".contains(c);
        !text.is_empty() && text.chars().all(is_part)
    };
    let is_type = match name.split_once('/') {
        Some((main, sub)) => is_token(main) && is_token(sub),
        None => is_token(&name),
    };
    let is_parameter = |text: &str| {
        let text = text.trim();
        let quoted = |text: &str| text.len() >= 2 && text.starts_with('"') && text.ends_with('"');
        text.is_empty()
            || text
                .split_once('=')
                .is_some_and(|(name, value)| is_token(name) && (is_token(value) || quoted(value)))
    };
    (is_type && parts.all(is_parameter)).then_some(name)
}

/// Returns the JSON of a call in GitHub's format: the body itself, or the field `payload` of a
/// form.
pub(super) fn github_payload(content_type: &str, body: &[u8]) -> Result<Vec<u8>, String> {
    match media_type(content_type).as_deref() {
        Some("application/json") => Ok(body.to_vec()),
        Some("application/x-www-form-urlencoded") => {
            let mut pairs = url::form_urlencoded::parse(body);
            let payload = pairs.find(|(key, _)| key == "payload");
            Ok(payload.map_or_else(Vec::new, |(_, value)| value.into_owned().into_bytes()))
        }
        Some(other) => {
            let start: String = other.chars().take(100).collect();
            Err(format!(
                "webhook request has unsupported Content-Type {start:?}"
            ))
        }
        None => Err("webhook request has a malformed Content-Type".to_owned()),
    }
}

/// Maximum nodes of a body. A push of a thousand commits has a tenth of them.
const MAX_NODES: usize = 200_000;

/// Parses a body. A tree takes thirty times the memory of its text, so its nodes are limited.
pub(super) fn parse(body: &[u8]) -> Result<Value, String> {
    check_nodes(body)?;
    serde_json::from_slice(body).map_err(|error| error.to_string())
}

fn check_nodes(body: &[u8]) -> Result<(), String> {
    let counted = JsonNodeCount::up_to(MAX_NODES).add(body);
    counted.map_err(|_| format!("the body has more than {MAX_NODES} nodes"))
}

/// Parses the first JSON value of a body. Registries may append more.
pub(super) fn first_value(body: &[u8]) -> Result<Value, String> {
    check_nodes(body)?;
    let mut values = serde_json::Deserializer::from_slice(body).into_iter();
    match values.next() {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) => Err(error.to_string()),
        None => Err("EOF".to_owned()),
    }
}

/// Fields of a JSON object, with case-insensitive names as in Go. `null` is an empty object.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    /// Takes an object.
    pub(super) fn of(value: Value) -> Result<Self, String> {
        match value {
            Value::Object(fields) => Ok(Self(fields)),
            Value::Null => Ok(Self(Map::new())),
            _ => Err("the body is not a JSON object".to_owned()),
        }
    }

    fn get(&self, name: &str) -> &Value {
        let exact = self.0.get(name);
        let folded = || {
            let mut fields = self.0.iter();
            fields.find(|(key, _)| key.eq_ignore_ascii_case(name))
        };
        exact
            .or_else(|| folded().map(|(_, value)| value))
            .unwrap_or(&Value::Null)
    }

    /// Returns a field of type string, or an empty one.
    pub(super) fn text(&self, name: &str) -> Result<String, String> {
        match self.get(name) {
            Value::String(text) => Ok(text.clone()),
            Value::Null => Ok(String::new()),
            _ => Err(format!("field {name} is not a string")),
        }
    }

    /// Checks a field of type list of strings.
    pub(super) fn check_texts(&self, name: &str) -> Result<(), String> {
        let is_text = |value: &Value| value.is_string() || value.is_null();
        match self.get(name) {
            Value::Array(items) if items.iter().all(is_text) => Ok(()),
            Value::Null => Ok(()),
            _ => Err(format!("field {name} is not a list of strings")),
        }
    }

    /// Returns a field of type object, or an empty one.
    pub(super) fn object(&self, name: &str) -> Result<Self, String> {
        Self::of(self.get(name).clone()).map_err(|_| format!("field {name} is not an object"))
    }
}
