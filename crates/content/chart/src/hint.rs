//! Explains which value a template lacks: Helm names the last field only.

use sluice_gotemplate::{Map, Value};

/// The most keys of a map that a hint lists.
const MAX_KEYS: usize = 8;
/// The most characters of a key.
const MAX_KEY_CHARS: usize = 40;
/// Go's errors about a field of a value that has none.
const REASONS: [&str; 2] = [
    "nil pointer evaluating interface {}.",
    "can't evaluate field ",
];

/// Finds the first value on the path of a failed expression that is not a map.
///
/// The hint names keys and types, never the content of a value, which may be secret.
pub(crate) fn missing_value_hint(text: &str, values: &Map) -> Option<String> {
    let (_, rest) = text.rsplit_once(" at <")?;
    let (node, reason) = rest.split_once(">:")?;
    let reason = reason.trim_start();
    let field = REASONS
        .iter()
        .find_map(|start| reason.strip_prefix(start))?;
    let field = field.split([' ', '\n']).next()?;
    let path = node.strip_prefix('$').unwrap_or(node);
    let path = path.strip_prefix(".Values.")?;
    let mut at = values.clone();
    let mut shown = ".Values".to_owned();
    let mut parts = path.split('.').peekable();
    while let Some(part) = parts.next() {
        let next = *parts.peek()?;
        match at.get(part.as_bytes()) {
            Some(Value::Map(map)) => {
                shown = format!("{shown}.{part}");
                at = map;
            }
            // Another chart's values lead elsewhere; then the template was called with them.
            _ if next != field => return None,
            None | Some(Value::Nil) => {
                let keys = keys(&at);
                return Some(format!("{shown}.{part} is not set; {shown} has {keys}"));
            }
            Some(other) => {
                let kind = kind(&other);
                return Some(format!("{shown}.{part} is {kind}, not a map"));
            }
        }
    }
    None
}

fn keys(map: &Map) -> String {
    let keys = map.keys();
    if keys.is_empty() {
        return "no keys".to_owned();
    }
    let shown = keys.iter().take(MAX_KEYS);
    let shown: Vec<String> = shown
        .map(|key| key.to_text().chars().take(MAX_KEY_CHARS).collect())
        .collect();
    let more = if keys.len() > MAX_KEYS { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "a boolean",
        Value::Int(..) | Value::Uint(..) | Value::Float(..) => "a number",
        Value::String(_) => "a string",
        Value::List(_) => "a list",
        _ => "another value",
    }
}

#[cfg(test)]
mod tests {
    use sluice_gotemplate::{Map, Value};

    use super::missing_value_hint;

    fn values() -> Map {
        let image = Map::new();
        image.set("tag", "s3cret");
        image.set("name", "web");
        let values = Map::new();
        values.set("image", Value::Map(image));
        values
    }

    fn text(node: &str, reason: &str) -> String {
        format!("web/templates/a.yaml:1:2\n  executing \"a\" at <{node}>:\n    {reason}")
    }

    #[test]
    fn unset_value_is_named_with_its_neighbours() {
        let nil = "nil pointer evaluating interface {}.digest";
        let hint = missing_value_hint(&text("$.Values.image.pull.digest", nil), &values());
        let expected = ".Values.image.pull is not set; .Values.image has name, tag";
        assert_eq!(hint.as_deref(), Some(expected));
    }

    #[test]
    fn value_of_another_kind_is_named_without_content() {
        let reason = "can't evaluate field x in type interface {}";
        let hint = missing_value_hint(&text(".Values.image.tag.x", reason), &values());
        let expected = ".Values.image.tag is a string, not a map";
        assert_eq!(hint.as_deref(), Some(expected));
    }

    #[test]
    fn expression_over_other_values_has_no_hint() {
        let nil = "nil pointer evaluating interface {}.digest";
        for node in [".Values.other.image.digest", ".image.digest", ".Values"] {
            assert_eq!(
                missing_value_hint(&text(node, nil), &values()),
                None,
                "{node}"
            );
        }
        assert_eq!(missing_value_hint("no trace", &values()), None);
    }
}
