//! A tree as the value that kustomize prints.
//!
//! Upstream prints the tree as go-yaml v3 does, reads the text back and passes the result through
//! JSON. [`direct`] converts most trees without the text. It returns `None` if the text could
//! change or reject anything.

use crate::decode::{ResolvedScalar, resolve_plain, timestamp};
use crate::tree::write::{Indent, to_string};
use crate::tree::{Content, Node, Style, Tag};
use crate::{Dialect, Error, Map, Value, json, v3};

impl Node {
    /// Returns the value that kustomize prints for the tree.
    ///
    /// Duplicate keys and numbers that JSON cannot represent are errors with upstream's messages.
    /// Their lines refer to the intermediate text.
    pub fn to_value(&self) -> Result<Value, Error> {
        match direct(self, false) {
            Some(value) => Ok(value),
            None => v3::from_str(&to_string(self, Indent::Compact)),
        }
    }
}

/// Converts without the intermediate text. Returns `None` if the text could make a difference.
fn direct(node: &Node, in_flow: bool) -> Option<Value> {
    // A second comment at the end of a line moves to the next line. It may end up in a text. A
    // comment in brackets can cut text off.
    let comments = node.comments.as_deref();
    if comments.is_some_and(|comments| in_flow || comments.line.contains('\n')) {
        return None;
    }
    match &node.content {
        Content::Alias(_) => None,
        Content::Scalar(text) => scalar(node, text, in_flow),
        _ if node.anchor.is_some() => None,
        Content::Sequence(items) if matches!(node.tag, Tag::Seq | Tag::Unset) => {
            let in_flow = in_flow || node.style.has(Style::FLOW);
            let items = items.iter().map(|item| direct(item, in_flow));
            items.collect::<Option<_>>().map(Value::Array)
        }
        Content::Mapping(entries) if matches!(node.tag, Tag::Map | Tag::Unset) => {
            let in_flow = in_flow || node.style.has(Style::FLOW);
            let mut map = Map::with_capacity(entries.len());
            for (key, value) in entries {
                let key = match &key.content {
                    _ if in_flow && key.comments.is_some() => return None,
                    Content::Scalar(text) if text == "<<" => return None,
                    Content::Scalar(text) => scalar(key, text, true)?,
                    _ => return None,
                };
                let Value::String(key) = key else { return None };
                // A duplicate key is an error with line numbers, so the text is needed.
                if map.insert(key, direct(value, in_flow)?).is_some() {
                    return None;
                }
            }
            Some(Value::Object(map))
        }
        Content::Sequence(_) | Content::Mapping(_) => None,
    }
}

/// Reports whether a text can change when it is written and read: block scalars lose or gain line
/// breaks at their ends, folded ones anywhere.
fn is_fragile(style: Style, text: &str) -> bool {
    if style.has(Style::DOUBLE_QUOTED) || !text.contains(['\n', '\t']) {
        return false;
    }
    style.has(Style::FOLDED.with(Style::SINGLE_QUOTED))
        || text.starts_with([' ', '\t', '\n'])
        || text.ends_with("\n\n")
}

/// Converts a scalar. `narrow` means in brackets or as a key, where plain scalars are restricted.
fn scalar(node: &Node, text: &str, narrow: bool) -> Option<Value> {
    if node.anchor.is_some() || text.contains(['\u{2028}', '\u{2029}', '\u{85}', '\u{feff}']) {
        return None;
    }
    if node.tag == Tag::Str {
        return (!is_fragile(node.style, text)).then(|| text.into());
    }
    if node.style.has(Style::TAGGED.with(Style::TEXT)) {
        return None;
    }
    let resolved = resolve_plain(Dialect::V3, text);
    let tag = match resolved {
        ResolvedScalar::Null => Tag::Null,
        ResolvedScalar::Bool(_) => Tag::Bool,
        ResolvedScalar::Int(_) | ResolvedScalar::Uint(_) => Tag::Int,
        ResolvedScalar::Float(_) => Tag::Float,
        ResolvedScalar::Timestamp => Tag::Timestamp,
        ResolvedScalar::Str | ResolvedScalar::Binary => Tag::Str,
    };
    if node.tag != tag && node.tag != Tag::Unset {
        return None;
    }
    Some(match resolved {
        // The writer prints an empty text here as `''`, which is a string.
        ResolvedScalar::Null if narrow && text.is_empty() => return None,
        ResolvedScalar::Null => Value::Null,
        ResolvedScalar::Bool(value) => value.into(),
        ResolvedScalar::Int(value) => value.into(),
        ResolvedScalar::Uint(value) => value.into(),
        ResolvedScalar::Float(value) => Value::Number(json::number(value)?),
        ResolvedScalar::Timestamp if narrow => return None,
        ResolvedScalar::Timestamp => timestamp::canonical(text)?.into(),
        ResolvedScalar::Str | ResolvedScalar::Binary => text.into(),
    })
}
