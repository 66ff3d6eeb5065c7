//! Sets fields in the text of a scalar that holds YAML or JSON.
//!
//! Upstream tries this first for every path, and silently falls back on any error. Delimiters
//! do not apply. JSON is written on one line, or indented if the text had several lines and
//! two spaces. YAML is rendered and trimmed.

use sluice_yaml::tree::{self, Content, Indent, Node, Text};
use sluice_yaml::{json, v3};

use crate::error::Error;
use crate::resource_map::ResourceMap;
use crate::transform::path::{self, Create, Location, Match};
use crate::transform::twins;

/// Sets a field in the text of a scalar. Returns `None` if no scalar is on the path, or on any
/// error.
pub(super) fn set(
    resources: &mut ResourceMap,
    place: usize,
    value: &Node,
    parts: &[String],
    create: Option<Create<'_>>,
) -> Result<Option<()>, Error> {
    let root = resources.get(place).node();
    let Some((location, text, rest)) = scalar_on_the_way(root, parts) else {
        return Ok(None);
    };
    let Some(changed) = changed(&text, value, rest, create) else {
        return Ok(None);
    };
    let more = changed.len().saturating_sub(text.len());
    resources.growth().add(more as u64)?;
    Ok(resources.edit(place, |resource| {
        let root = resource.node_mut();
        let scalar = path::at_mut(root, &location)?;
        scalar.content = Content::Scalar(Text::from(changed));
        let written = scalar.clone();
        twins::copy_to_twins(root, &written);
        Some(())
    }))
}

/// Finds the first scalar before the end of the path.
fn scalar_on_the_way<'a>(
    root: &Node,
    parts: &'a [String],
) -> Option<(Location, Text, &'a [String])> {
    for length in 1..parts.len() {
        let (start, rest) = parts.split_at(length);
        // A blank part does not lead further.
        if start.last().is_some_and(|part| part.trim().is_empty()) {
            continue;
        }
        // A missing node ends the path.
        let Ok(Some(location)) = path::locate(root, start) else {
            return None;
        };
        if let Some(Content::Scalar(text)) = path::at(root, &location).map(|node| &node.content)
            && tree::parse_document(text.as_bytes()).is_ok()
        {
            return Some((location, text.clone(), rest));
        }
    }
    None
}

fn changed(
    text: &str,
    value: &Node,
    rest: &[String],
    create: Option<Create<'_>>,
) -> Option<String> {
    let mut document = tree::parse_document(text.as_bytes()).ok()??;
    let found = path::matches(&mut document.root, rest, create).ok()?;
    if found.is_empty() {
        return None;
    }
    for found in found {
        // A change in a nested text is lost, as in upstream.
        if let Match::At(location) = found {
            let node = path::at_mut(&mut document.root, &location)?;
            super::assign(node, value.clone());
        }
    }
    let yaml = tree::document_to_string(&document, Indent::Compact);
    if !text.trim_start().starts_with(['{', '[']) {
        return Some(yaml.trim().to_owned());
    }
    let value = v3::from_str(&yaml).ok()?;
    let compact = json::to_string(&value);
    if text.contains('\n') && text.contains("  ") {
        Some(indented(&compact))
    } else {
        Some(compact)
    }
}

/// Indents compact JSON by two spaces, like Go.
fn indented(compact: &str) -> String {
    let mut out = String::with_capacity(compact.len() * 2);
    let mut depth = 0;
    let mut is_text = false;
    let mut is_escaped = false;
    let mut previous = ' ';
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    for character in compact.chars() {
        if is_text {
            out.push(character);
            is_text = character != '"' || is_escaped;
            is_escaped = character == '\\' && !is_escaped;
            previous = character;
            continue;
        }
        if matches!(character, '}' | ']') {
            depth -= 1;
            if !matches!(previous, '{' | '[') {
                line(&mut out, depth);
            }
        } else if matches!(previous, '{' | '[') {
            line(&mut out, depth);
        }
        out.push(character);
        match character {
            '{' | '[' => depth += 1,
            ',' => line(&mut out, depth),
            ':' => out.push(' '),
            '"' => is_text = true,
            _ => {}
        }
        previous = character;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn json_is_indented_as_in_go() {
        let compact = r#"{"a":[1,{"b":"x,{\"}"}],"c":{},"d":[]}"#;
        assert_eq!(
            indented(compact),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"x,{\\\"}\"\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}"
        );
        assert_eq!(indented("[]"), "[]");
        assert_eq!(indented("\"a\""), "\"a\"");
    }
}
