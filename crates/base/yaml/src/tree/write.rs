//! Trees to text, as kyaml prints them: lines do not fold, and each node has its own style, tag,
//! anchor and comments.
//!
//! Parity: go-yaml v3: the `node` half of encode.go, with kyaml's settings; kyaml:
//! `DeriveSeqIndentStyle`.

use std::borrow::Cow;

use crate::emitter::{Emitter, Rules};
use crate::event::{
    CollectionStyle, Comments as EventComments, Event, EventKind, Properties, Scalar, ScalarStyle,
};
use crate::tree::{Content, Document, Node, Style, Tag};

/// The position of sequence items below their key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Indent {
    /// At the column of the key.
    #[default]
    Compact,
    /// Two columns to the right.
    Wide,
    /// Four columns to the right, and four per level: the default of go-yaml v3.
    Four,
}

/// Prints a document.
pub fn document_to_string(document: &Document, indent: Indent) -> String {
    to_string(&document.root, indent)
}

/// Returns the indentation of the first sequence in a text that is the value of a key.
pub fn indent_of(text: &str) -> Indent {
    let mut key = None;
    for line in text.split('\n') {
        if let Some((before, _)) = line.split_once("- ")
            && before.trim_matches(' ').is_empty()
            && let Some(key) = key
            && let Some(indent) = compare(key, before.len())
        {
            return indent;
        }
        if !line.trim_matches(' ').starts_with('#') {
            key = Some(line.split_once('#').map_or(line, |(line, _)| line));
        }
    }
    Indent::Compact
}

/// Returns the indentation of an item relative to the line of its key.
fn compare(key: &str, item: usize) -> Option<Indent> {
    let trimmed = key.trim_matches(' ');
    if !trimmed.ends_with(':') || trimmed.matches(':').count() != 1 {
        return None;
    }
    let column = key.len() - key.trim_start_matches(' ').len();
    match item.checked_sub(column) {
        Some(0) => Some(Indent::Compact),
        Some(2) => Some(Indent::Wide),
        _ => None,
    }
}

/// Prints a tree with a final line feed. Anchors are printed unchecked, so they must be words.
pub fn to_string(node: &Node, indent: Indent) -> String {
    let document = node.comments.as_deref();
    let document = document.and_then(|comments| comments.document.as_deref());
    let (head, foot) = match document {
        Some(margins) => (margins.head.as_str(), margins.foot.as_str()),
        None => ("", ""),
    };
    let mut emitter = Emitter::new(Rules::V3 {
        compact: indent == Indent::Compact,
        indent: if indent == Indent::Four { 4 } else { 2 },
    });
    emitter.emit(EventKind::StreamStart.into());
    let mut start: Event<'_> = EventKind::DocumentStart { implicit: true }.into();
    start.comments = comments(head, "", "", "");
    emitter.emit(start);
    write(&mut emitter, node, "", true);
    let mut end: Event<'_> = EventKind::DocumentEnd { implicit: true }.into();
    end.comments = comments("", "", foot, "");
    emitter.emit(end);
    emitter.emit(EventKind::StreamEnd.into());
    emitter.finish()
}

fn comments<'a>(
    head: &'a str,
    line: &'a str,
    foot: &'a str,
    tail: &'a str,
) -> Option<Box<EventComments<'a>>> {
    let none = head.is_empty() && line.is_empty() && foot.is_empty() && tail.is_empty();
    (!none).then(|| {
        Box::new(EventComments {
            head: head.into(),
            line: line.into(),
            foot: foot.into(),
            tail: tail.into(),
        })
    })
}

/// Writes a node. `tail` is the foot comment of the previous entry, which is written after its
/// whole value. The foot comment of a key waits for the next key in the same way.
fn write<'a>(emitter: &mut Emitter<'a>, node: &'a Node, tail: &'a str, with_foot: bool) {
    let (head, line, foot) = match node.comments.as_deref() {
        Some(comments) => (
            comments.head.as_str(),
            comments.line.as_str(),
            comments.foot.as_str(),
        ),
        None => ("", "", ""),
    };
    let foot = if with_foot { foot } else { "" };
    let (tag, quoted) = shown_tag(node);
    let properties = Properties {
        anchor: node.anchor.as_deref().map(Cow::Borrowed),
        tag,
    };
    let style = if node.style.has(Style::FLOW) {
        CollectionStyle::Flow
    } else {
        CollectionStyle::Block
    };
    let event = |kind, comments| Event {
        comments,
        ..Event::from(kind)
    };
    match &node.content {
        Content::Alias(name) => {
            let anchor = Cow::Borrowed(name.as_ref());
            let kind = EventKind::Alias { anchor };
            emitter.emit(event(kind, comments(head, line, foot, "")));
        }
        Content::Scalar(text) => {
            let style = scalar_style(node.style, text, quoted);
            let scalar = Scalar {
                implicit: properties.tag.is_none(),
                properties,
                value: Cow::Borrowed(text),
                style,
                span: None,
            };
            let kind = EventKind::Scalar(scalar);
            emitter.emit(event(kind, comments(head, line, foot, tail)));
        }
        Content::Sequence(items) => {
            let kind = EventKind::SequenceStart { properties, style };
            emitter.emit(event(kind, comments(head, "", "", "")));
            for item in items {
                write(emitter, item, "", true);
            }
            emitter.emit(event(EventKind::SequenceEnd, comments("", line, foot, "")));
        }
        Content::Mapping(entries) => {
            let kind = EventKind::MappingStart { properties, style };
            emitter.emit(event(kind, comments(head, "", "", tail)));
            let mut tail = "";
            for (key, value) in entries {
                write(emitter, key, tail, false);
                tail = key
                    .comments
                    .as_deref()
                    .map_or("", |comments| &comments.foot);
                write(emitter, value, "", true);
            }
            emitter.emit(event(EventKind::MappingEnd, comments("", line, foot, tail)));
        }
    }
}

/// Returns the tag that must be printed, because the text would read as another type. The flag
/// says whether quotes have the same effect.
fn shown_tag(node: &Node) -> (Option<Cow<'_, str>>, bool) {
    let implied = match &node.content {
        _ if node.tag == Tag::Unset => return (None, false),
        _ if node.style.has(Style::TAGGED) => false,
        Content::Scalar(_) if node.tag == Tag::Str && node.style.has(Style::TEXT) => true,
        Content::Scalar(text) => {
            let is_text = Tag::of_text(text) == node.tag;
            if !is_text && node.tag == Tag::Str {
                return (None, true);
            }
            is_text
        }
        Content::Mapping(_) => node.tag == Tag::Map,
        Content::Sequence(_) => node.tag == Tag::Seq,
        Content::Alias(_) => true,
    };
    ((!implied).then(|| node.tag.long()), false)
}

fn scalar_style(style: Style, text: &str, quoted: bool) -> ScalarStyle {
    if style.has(Style::DOUBLE_QUOTED) {
        ScalarStyle::DoubleQuoted
    } else if style.has(Style::SINGLE_QUOTED) {
        ScalarStyle::SingleQuoted
    } else if style.has(Style::LITERAL) {
        ScalarStyle::Literal
    } else if style.has(Style::FOLDED) {
        ScalarStyle::Folded
    } else if text.contains('\n') {
        ScalarStyle::Literal
    } else if quoted {
        ScalarStyle::DoubleQuoted
    } else {
        ScalarStyle::Plain
    }
}

#[cfg(test)]
mod tests;
