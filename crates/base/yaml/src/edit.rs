//! Replaces scalars in a text and leaves every other byte as it is.
//!
//! A tree that is printed again loses blank lines, indentation and folds. People who maintain a
//! file by hand see each of these as noise in a diff. An [`Editor`] therefore reads the events of
//! a text, takes the new values, and splices them into the bytes: comments, quotes, anchors, line
//! ends and a byte order mark stay.
//!
//! ```
//! use sluice_yaml::edit::Editor;
//! use sluice_yaml::event::EventKind;
//!
//! let mut editor = Editor::new(b"image: 'app:1'   # keep\r\n")?;
//! for event in editor.events() {
//!     if let EventKind::Scalar(scalar) = event?.kind
//!         && scalar.value == "app:1"
//!     {
//!         editor.replace_scalar(&scalar, "app:2")?;
//!     }
//! }
//! assert_eq!(editor.finish(), b"image: 'app:2'   # keep\r\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashSet;

use crate::event::{Event, EventKind, Scalar, ScalarStyle, Span};
use crate::parser::Parser;
use crate::{Dialect, Error, ErrorKind, Value, reader, v2, v3};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The scalar cannot be replaced in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NotReplaceable {
    /// The scalar has the notation `|` or `>`.
    #[error("the value is a block scalar")]
    Block,
    /// The scalar continues on another line.
    #[error("the value has several lines")]
    MultiLine,
    /// The scalar is omitted where no value can stand, or belongs to another text.
    #[error("the value is omitted where none can be inserted")]
    NoPlace,
}

/// A text and the replacements for some of its scalars.
#[derive(Debug)]
pub struct Editor<'a> {
    bytes: &'a [u8],
    text: &'a str,
    replacements: Vec<(Span, String)>,
}

impl<'a> Editor<'a> {
    /// Starts with a text in UTF-8. A text in UTF-16 is an error.
    pub fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        let body = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let text = str::from_utf8(body).map_err(|_| {
            let problem = "only a text in UTF-8 can be edited";
            Error::yaml(ErrorKind::Syntax, 0, problem)
        })?;
        // Rejects characters that YAML forbids.
        reader::decode(text.as_bytes())?;
        Ok(Self {
            bytes,
            text,
            replacements: Vec::new(),
        })
    }

    /// Returns the events of all documents, in the dialect of go-yaml v3.
    pub fn events(&self) -> Events<'a> {
        Events {
            parser: Parser::new(self.text, Dialect::V3),
            anchors: HashSet::new(),
            ended: false,
        }
    }

    /// Replaces a scalar of [`Editor::events`]. The last replacement of a scalar counts.
    ///
    /// The notation stays. A plain scalar becomes double quoted if YAML 1.1 or 1.2 would not read
    /// it as that string: `1.10`, `yes`, `2024-01-01`.
    pub fn replace_scalar(
        &mut self,
        scalar: &Scalar<'_>,
        value: &str,
    ) -> Result<(), NotReplaceable> {
        let span = scalar.span.ok_or(NotReplaceable::NoPlace)?;
        if matches!(scalar.style, ScalarStyle::Literal | ScalarStyle::Folded) {
            return Err(NotReplaceable::Block);
        }
        let old = self
            .text
            .get(span.start..span.end)
            .ok_or(NotReplaceable::NoPlace)?;
        if old.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) {
            return Err(NotReplaceable::MultiLine);
        }
        let mut new = notation(value, scalar.style);
        if span.start == span.end {
            // An omitted value directly follows the indicator or the property before it.
            new.insert(0, ' ');
            let next = self.text[span.end..].chars().next();
            let is_separate = next.is_none_or(|next| next.is_whitespace() || ",]}".contains(next));
            if !is_separate {
                new.push(' ');
            }
        }
        self.replacements.retain(|(known, _)| *known != span);
        self.replacements.push((span, new));
        Ok(())
    }

    /// Reports whether a scalar is replaced.
    pub fn is_changed(&self) -> bool {
        !self.replacements.is_empty()
    }

    /// Returns the text with the replacements.
    pub fn finish(mut self) -> Vec<u8> {
        self.replacements.sort_by_key(|(span, _)| span.start);
        let mut out = Vec::with_capacity(self.bytes.len());
        let body = self.text.as_bytes();
        out.extend_from_slice(&self.bytes[..self.bytes.len() - body.len()]);
        let mut copied = 0;
        for (span, new) in &self.replacements {
            out.extend_from_slice(&body[copied..span.start]);
            out.extend_from_slice(new.as_bytes());
            copied = span.end;
        }
        out.extend_from_slice(&body[copied..]);
        out
    }
}

/// The events of a text. After an error there are none.
pub struct Events<'a> {
    parser: Parser<'a>,
    anchors: HashSet<Box<str>>,
    ended: bool,
}

impl Iterator for Events<'_> {
    type Item = Result<Event<'static>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let event = self.parser.next().and_then(|event| self.check(event));
        self.ended = match &event {
            Ok(event) => event.kind == EventKind::StreamEnd,
            Err(_) => true,
        };
        Some(event.map_err(Error::into_v3))
    }
}

impl Events<'_> {
    /// Rejects an alias without an anchor. The parser does not know anchors.
    fn check(&mut self, event: Event<'static>) -> Result<Event<'static>, Error> {
        let properties = match &event.kind {
            EventKind::DocumentStart { .. } => {
                self.anchors.clear();
                return Ok(event);
            }
            EventKind::Alias { anchor } if !self.anchors.contains(anchor.as_ref()) => {
                let problem = format!("unknown anchor '{anchor}' referenced");
                return Err(Error::yaml(ErrorKind::Syntax, 0, problem));
            }
            EventKind::Scalar(scalar) => &scalar.properties,
            EventKind::SequenceStart { properties, .. }
            | EventKind::MappingStart { properties, .. } => properties,
            _ => return Ok(event),
        };
        if let Some(anchor) = &properties.anchor {
            self.anchors.insert(anchor.as_ref().into());
        }
        Ok(event)
    }
}

/// Returns the text of a value on one line.
fn notation(value: &str, style: ScalarStyle) -> String {
    let is_printable = |character: char| !character.is_control() && !is_break(character);
    match style {
        ScalarStyle::SingleQuoted if value.chars().all(is_printable) => {
            format!("'{}'", value.replace('\'', "''"))
        }
        ScalarStyle::Plain if is_plain(value) => value.to_owned(),
        _ => double_quoted(value),
    }
}

/// Reports whether a value without quotes reads as that string, in a block and in brackets.
fn is_plain(value: &str) -> bool {
    let is_first = |byte: u8| byte.is_ascii_alphanumeric() || b"_/.".contains(&byte);
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || b"_/.:@+=~-".contains(&byte);
    let reads =
        |read: Result<Value, Error>| matches!(read, Ok(Value::String(read)) if read == value);
    value.bytes().next().is_some_and(is_first)
        && value.bytes().all(is_inner)
        && !value.ends_with(':')
        && reads(v2::from_slice(value.as_bytes()))
        && reads(v3::from_str(value))
}

fn is_break(character: char) -> bool {
    matches!(character, '\u{2028}' | '\u{2029}')
}

fn double_quoted(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    out.push('"');
    for character in value.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            character
                if character.is_control() || is_break(character) || is_forbidden(character) =>
            {
                let code = u32::from(character);
                let escape = if code > 0xffff {
                    format!("\\U{code:08X}")
                } else {
                    format!("\\u{code:04X}")
                };
                out.push_str(&escape);
            }
            character => out.push(character),
        }
    }
    out.push('"');
    out
}

/// Reports whether YAML forbids the character, or a reader could take it for an encoding.
fn is_forbidden(character: char) -> bool {
    matches!(character, '\u{fffe}' | '\u{ffff}' | '\u{feff}')
}

#[cfg(test)]
mod tests;
