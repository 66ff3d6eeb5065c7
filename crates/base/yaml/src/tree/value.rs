//! A tree as the value that leaves kustomize.
//!
//! Upstream prints the tree by the rules of go-yaml v3, reads that text back and
//! passes the result through JSON. Most trees need none of this: [`direct`] makes
//! the same value from the tree itself, and gives up on whatever the way through
//! text changes or refuses.

use crate::decode::{Resolved, resolve_plain, timestamp};
use crate::tree::write::{Indent, to_string};
use crate::tree::{Content, Node, Style, Tag};
use crate::{Dialect, Error, Map, Value, json, v3};

impl Node {
    /// The value that kustomize prints for the tree: through the writer and the
    /// reader of go-yaml v3, and through JSON. Keys that occur twice, numbers that
    /// JSON cannot hold and the like are errors in upstream's words; the lines in
    /// them are those of the text that was written in between.
    pub fn to_value(&self) -> Result<Value, Error> {
        match direct(self, false) {
            Some(value) => Ok(value),
            None => v3::from_str(&to_string(self, Indent::Compact)),
        }
    }
}

/// The value without the way through text, if that makes no difference.
fn direct(node: &Node, in_flow: bool) -> Option<Value> {
    // Two comments at the end of a line end up on two, the second maybe in a text;
    // and a comment in brackets may cut them short.
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
                // A key that occurs twice is an error, which names lines.
                if map.insert(key, direct(value, in_flow)?).is_some() {
                    return None;
                }
            }
            Some(Value::Object(map))
        }
        Content::Sequence(_) | Content::Mapping(_) => None,
    }
}

/// May the text be another one once it was written and read? Blocks of text lose
/// or win line breaks at their ends, and folded ones anywhere.
fn is_fragile(style: Style, text: &str) -> bool {
    if style.has(Style::DOUBLE_QUOTED) || !text.contains(['\n', '\t']) {
        return false;
    }
    style.has(Style::FOLDED.with(Style::SINGLE_QUOTED))
        || text.starts_with([' ', '\t', '\n'])
        || text.ends_with("\n\n")
}

/// `narrow`: within brackets or as a key, where a plain scalar may hold less.
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
        Resolved::Null => Tag::Null,
        Resolved::Bool(_) => Tag::Bool,
        Resolved::Int(_) | Resolved::Uint(_) => Tag::Int,
        Resolved::Float(_) => Tag::Float,
        Resolved::Timestamp => Tag::Timestamp,
        Resolved::Str | Resolved::Binary => Tag::Str,
    };
    if node.tag != tag && node.tag != Tag::Unset {
        return None;
    }
    Some(match resolved {
        // Here nothing is written as `''`, which is text.
        Resolved::Null if narrow && text.is_empty() => return None,
        Resolved::Null => Value::Null,
        Resolved::Bool(value) => value.into(),
        Resolved::Int(value) => value.into(),
        Resolved::Uint(value) => value.into(),
        Resolved::Float(value) => Value::Number(json::number(value)?),
        Resolved::Timestamp if narrow => return None,
        Resolved::Timestamp => timestamp::canonical(text)?.into(),
        Resolved::Str | Resolved::Binary => text.into(),
    })
}
