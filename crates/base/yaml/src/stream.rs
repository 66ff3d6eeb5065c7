//! Reads a large document part by part, so that its values never coexist in memory.
//!
//! [`Stream`] enters mappings and sequences one by one, and reads the values in them whole. It
//! reads the first document of a text, in the strict dialect of go-yaml v2. An alias can only refer
//! to an anchor of the same value.

use std::borrow::Cow;

use crate::decode::Decoder;
use crate::event::{Event, EventKind};
use crate::limits::NodeCount;
use crate::node::compose;
use crate::parser::Parser;
use crate::{Dialect, Error, ErrorKind, Value, reader};

const DIALECT: Dialect = Dialect::V2Strict;

/// A decoded text, which a [`Stream`] borrows.
#[derive(Debug)]
pub struct Text<'a>(Cow<'a, str>);

/// The next node of a [`Stream`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A mapping.
    Mapping,
    /// A sequence.
    Sequence,
    /// A scalar or an alias.
    Other,
}

/// A key of a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Its text.
    pub text: String,
    /// Its line, counted from one.
    pub line: usize,
}

/// A document during its reading.
pub struct Stream<'a> {
    parser: Parser<'a>,
    next: Event<'a>,
}

impl<'a> Text<'a> {
    /// Decodes a text in UTF-8, or in UTF-16 with a byte order mark.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Error> {
        reader::decode(bytes).map(Self)
    }

    /// Starts reading the first document. `None` if there is none.
    pub fn stream(&self) -> Result<Option<Stream<'_>>, Error> {
        let mut parser = Parser::new(&self.0, DIALECT);
        loop {
            match parser.next()?.kind {
                EventKind::StreamEnd => return Ok(None),
                EventKind::DocumentStart { .. } => break,
                _ => {}
            }
        }
        let next = parser.next()?;
        Ok(Some(Stream { parser, next }))
    }
}

impl<'a> Stream<'a> {
    /// The shape of the next node.
    pub fn shape(&self) -> Shape {
        match self.next.kind {
            EventKind::MappingStart { .. } => Shape::Mapping,
            EventKind::SequenceStart { .. } => Shape::Sequence,
            _ => Shape::Other,
        }
    }

    /// Enters the next node, which is a mapping or a sequence.
    pub fn enter(&mut self) -> Result<(), Error> {
        debug_assert!(self.shape() != Shape::Other, "only collections are entered");
        self.advance().map(drop)
    }

    /// The next key of the mapping, or `None` after its end. Its value is the next node.
    pub fn next_key(&mut self) -> Result<Option<Key>, Error> {
        let event = self.advance()?;
        let line = event.start.line + 1;
        match event.kind {
            EventKind::MappingEnd => Ok(None),
            EventKind::Scalar(scalar) => Ok(Some(Key {
                text: scalar.value.into_owned(),
                line,
            })),
            _ => {
                let problem = "a key is not a scalar";
                Err(Error::yaml(ErrorKind::Syntax, line, problem))
            }
        }
    }

    /// Whether the sequence has another item, which is the next node.
    pub fn next_item(&mut self) -> Result<bool, Error> {
        if matches!(self.next.kind, EventKind::SequenceEnd) {
            self.advance()?;
            return Ok(false);
        }
        Ok(true)
    }

    /// Reads the next node whole, with at most `max_nodes` nodes.
    pub fn value(&mut self, max_nodes: usize) -> Result<Value, Error> {
        let first = std::mem::replace(&mut self.next, EventKind::StreamEnd.into());
        let document = compose(
            &mut self.parser,
            first,
            &mut NodeCount::up_to(max_nodes, "value"),
        )?;
        self.next = self.parser.next()?;
        Decoder::new(&document, DIALECT).decode()
    }

    fn advance(&mut self) -> Result<Event<'a>, Error> {
        let next = self.parser.next()?;
        Ok(std::mem::replace(&mut self.next, next))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parts_have_the_values_of_the_whole_document() {
        let text = "a: 1\nb:\n  - {x: yes}\n  - [2, '3']\nc: {d: &e 4, f: *e}\n";
        let text = Text::decode(text.as_bytes()).unwrap();
        let mut stream = text.stream().unwrap().unwrap();
        assert_eq!(stream.shape(), Shape::Mapping);
        stream.enter().unwrap();
        let key = |stream: &mut Stream<'_>| stream.next_key().unwrap().map(|key| key.text);
        assert_eq!(key(&mut stream).as_deref(), Some("a"));
        assert_eq!(stream.value(10).unwrap(), json!(1));
        assert_eq!(key(&mut stream).as_deref(), Some("b"));
        assert_eq!(stream.shape(), Shape::Sequence);
        stream.enter().unwrap();
        assert!(stream.next_item().unwrap());
        assert_eq!(stream.value(10).unwrap(), json!({"x": true}));
        assert!(stream.next_item().unwrap());
        assert_eq!(stream.value(10).unwrap(), json!([2, "3"]));
        assert!(!stream.next_item().unwrap());
        assert_eq!(key(&mut stream).as_deref(), Some("c"));
        assert_eq!(stream.value(10).unwrap(), json!({"d": 4, "f": 4}));
        assert_eq!(key(&mut stream), None);
    }

    #[test]
    fn value_above_the_limit_is_an_error() {
        let text = Text::decode(b"[[], [], [], []]").unwrap();
        let mut stream = text.stream().unwrap().unwrap();
        let error = stream.value(3).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
    }

    #[test]
    fn empty_text_has_no_document() {
        assert!(
            Text::decode(b"# nothing\n")
                .unwrap()
                .stream()
                .unwrap()
                .is_none()
        );
    }
}
