//! Tokens to events: YAML's grammar as a state machine with a stack of states. Nesting uses heap
//! memory and not the thread's stack.
//!
//! ```text
//! stream    = document*
//! document  = directive* "---"? node "..."?
//! node      = alias | (anchor | tag)* content?
//! content   = scalar | block sequence | block mapping | flow sequence | flow mapping
//! ```
//!
//! A sequence in a mapping may start at the column of its key ("indentless"). A pair in a flow
//! sequence, `[a: b]`, is a mapping of one entry.
//!
//! The file is long because all states are methods of one machine: each one names the next.
//!
//! Parity: go-yaml: parserc.go. The line of an error counts from zero, one less than in an
//! editor, because Flux prints that number.

use std::borrow::Cow;

use crate::event::{
    CollectionStyle, Comments, Event, EventKind, Mark, Properties, Scalar, ScalarStyle, Span,
};
use crate::scanner::{Scanner, Token, TokenKind};
use crate::{Dialect, Error, ErrorKind};

/// The next element that the parser expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    StreamStart,
    ImplicitDocumentStart,
    DocumentStart,
    DocumentContent,
    DocumentEnd,
    BlockNode,
    BlockSequenceFirstEntry,
    BlockSequenceEntry,
    IndentlessSequenceEntry,
    BlockMappingFirstKey,
    BlockMappingKey,
    BlockMappingValue,
    FlowSequenceFirstEntry,
    FlowSequenceEntry,
    FlowPairKey,
    FlowPairValue,
    FlowPairEnd,
    FlowMappingFirstKey,
    FlowMappingKey,
    FlowMappingValue,
    FlowMappingEmptyValue,
    End,
}

/// The context of a node, which decides on the content it may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Block,
    /// A block mapping, where a sequence need not be indented.
    BlockOrIndentlessSequence,
    Flow,
}

/// `!` is itself, `!!` the prefix of YAML's own tags.
const DEFAULT_HANDLES: [(&str, &str); 2] = [("!", "!"), ("!!", "tag:yaml.org,2002:")];

pub(crate) struct Parser<'a> {
    scanner: Scanner<'a>,
    state: State,
    states: Vec<State>,
    /// Start positions of the open collections.
    marks: Vec<Mark>,
    handles: Vec<(String, String)>,
    /// Comments that have come by and belong to the next event that takes any.
    /// Comments for the next event that accepts comments.
    comments: PendingComments,
    /// Parity: go-yaml: an error after a `-` is reported only after the complete event, and only if
    /// no other error occurs before.
    deferred_error: Option<Error>,
}

#[derive(Default)]
struct PendingComments {
    head: String,
    line: String,
    foot: String,
    /// Head comment of a sequence item that is a collection.
    stem: Option<String>,
}

impl PendingComments {
    /// Splits the comment at the top of a text at its last empty line. The first part belongs to
    /// the document.
    fn split_head(&mut self) -> Option<String> {
        let bytes = self.head.as_bytes();
        let last = bytes.len().checked_sub(1)?;
        let is_cut = |at: usize| bytes[at] == b'\n' && (at == last || bytes[at - 1] == b'\n');
        let at = (1..=last).rev().find(|at| is_cut(*at))?;
        let rest = self.head.split_off(at + 1);
        // Drops two line feeds, or one if the comment ends with the empty line.
        self.head.truncate(if at == last { at } else { at - 1 });
        Some(std::mem::replace(&mut self.head, rest))
    }
}

type Step = Result<Event<'static>, Error>;

fn event(kind: EventKind<'static>, start: Mark) -> Event<'static> {
    Event {
        kind,
        start,
        comments: None,
    }
}

/// Returns an empty plain scalar, for a node that is omitted between two indicators. A value can
/// be inserted after the given position, if any.
fn empty_scalar(mark: Mark, after: Option<Mark>) -> Event<'static> {
    let scalar = Scalar {
        properties: Properties::default(),
        value: Cow::Borrowed(""),
        style: ScalarStyle::Plain,
        implicit: true,
        span: after.map(empty_span),
    };
    event(EventKind::Scalar(scalar), mark)
}

fn empty_span(at: Mark) -> Span {
    Span {
        start: at.offset,
        end: at.offset,
    }
}

fn error_at(problem: &str, at: Mark) -> Error {
    error_in(Mark::default(), problem, at)
}

/// Returns an error in a construct that started earlier.
fn error_in(began: Mark, problem: &str, at: Mark) -> Error {
    Error::between(ErrorKind::Syntax, began.line, at.line, 0, problem)
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a str, dialect: Dialect) -> Self {
        Self {
            scanner: Scanner::new(text, dialect),
            state: State::StreamStart,
            states: Vec::new(),
            marks: Vec::new(),
            handles: Vec::new(),
            comments: PendingComments::default(),
            deferred_error: None,
        }
    }

    /// Returns the next token without taking it. Collects the comments before it.
    fn peek(&mut self) -> Result<&Token, Error> {
        let token = self.scanner.peek()?;
        let (start, is_end) = (token.start, token.kind == TokenKind::BlockEnd);
        if self.scanner.has_comments() {
            while let Some(comment) = self.scanner.take_comment(start, is_end) {
                for (waiting, new) in [
                    (&mut self.comments.head, comment.head),
                    (&mut self.comments.foot, comment.foot),
                    (&mut self.comments.line, comment.line),
                ] {
                    if waiting.is_empty() {
                        *waiting = new;
                    } else if !new.is_empty() {
                        waiting.push('\n');
                        waiting.push_str(&new);
                    }
                }
            }
        }
        self.scanner.peek()
    }

    fn take(&mut self) -> Result<Token, Error> {
        self.peek()?;
        self.scanner.take()
    }

    /// Moves the pending comments into an event.
    fn with_comments(&mut self, mut event: Event<'static>) -> Event<'static> {
        let PendingComments {
            head,
            line,
            foot,
            stem,
        } = &mut self.comments;
        *stem = None;
        if head.is_empty() && line.is_empty() && foot.is_empty() {
            return event;
        }
        event.comments = Some(Box::new(Comments {
            head: Cow::Owned(std::mem::take(head)),
            line: Cow::Owned(std::mem::take(line)),
            foot: Cow::Owned(std::mem::take(foot)),
            tail: Cow::Borrowed(""),
        }));
        event
    }

    /// Returns the next event. After the end of the stream, returns that end again.
    pub(crate) fn next(&mut self) -> Step {
        let event = self.step()?;
        match self.deferred_error.take() {
            Some(error) => Err(error),
            None => Ok(event),
        }
    }

    fn step(&mut self) -> Step {
        match self.state {
            State::StreamStart => {
                let start = self.take()?.start;
                self.state = State::ImplicitDocumentStart;
                Ok(event(EventKind::StreamStart, start))
            }
            State::ImplicitDocumentStart => self.document_start(true),
            State::DocumentStart => self.document_start(false),
            State::DocumentContent => self.document_content(),
            State::DocumentEnd => self.document_end(),
            State::BlockNode => self.node(Place::Block),
            State::BlockSequenceFirstEntry => {
                self.open()?;
                self.block_sequence_entry()
            }
            State::BlockSequenceEntry => self.block_sequence_entry(),
            State::IndentlessSequenceEntry => self.indentless_sequence_entry(),
            State::BlockMappingFirstKey => {
                self.open()?;
                self.block_mapping_key()
            }
            State::BlockMappingKey => self.block_mapping_key(),
            State::BlockMappingValue => self.block_mapping_value(),
            State::FlowSequenceFirstEntry => {
                self.open()?;
                self.flow_sequence_entry(true)
            }
            State::FlowSequenceEntry => self.flow_sequence_entry(false),
            State::FlowPairKey => self.flow_pair_key(),
            State::FlowPairValue => self.flow_pair_value(),
            State::FlowPairEnd => {
                let start = self.peek()?.start;
                self.state = State::FlowSequenceEntry;
                Ok(event(EventKind::MappingEnd, start))
            }
            State::FlowMappingFirstKey => {
                self.open()?;
                self.flow_mapping_key(true)
            }
            State::FlowMappingKey => self.flow_mapping_key(false),
            State::FlowMappingValue => self.flow_mapping_value(),
            State::FlowMappingEmptyValue => {
                let start = self.peek()?.start;
                self.state = State::FlowMappingKey;
                Ok(empty_scalar(start, None))
            }
            State::End => Ok(event(EventKind::StreamEnd, self.peek()?.start)),
        }
    }

    fn return_to_state(&mut self) {
        self.state = self.states.pop().expect("each node has a next state");
    }

    /// Takes the first token of a collection.
    fn open(&mut self) -> Result<(), Error> {
        let start = self.take()?.start;
        self.marks.push(start);
        Ok(())
    }

    /// Takes the last token of a collection.
    fn close(&mut self, kind: EventKind<'static>) -> Step {
        let start = self.take()?.start;
        self.return_to_state();
        self.marks.pop();
        Ok(event(kind, start))
    }

    fn close_with_comments(&mut self, kind: EventKind<'static>) -> Step {
        let event = self.close(kind)?;
        Ok(self.with_comments(event))
    }

    fn opened_at(&self) -> Mark {
        *self.marks.last().expect("a collection is open")
    }

    /// Parses a node. The given state follows it.
    fn node_then(&mut self, state: State, place: Place) -> Step {
        self.states.push(state);
        self.node(place)
    }

    /// Returns an omitted node. The given state follows it.
    fn empty_then(&mut self, state: State, mark: Mark, after: Option<Mark>) -> Event<'static> {
        self.state = state;
        empty_scalar(mark, after)
    }

    // Documents

    fn document_start(&mut self, first: bool) -> Step {
        if !first {
            while self.peek()?.kind == TokenKind::DocumentEnd {
                self.take()?;
            }
        }
        let token = self.peek()?;
        let start = token.start;
        match token.kind {
            TokenKind::StreamEnd => {
                self.state = State::End;
                Ok(event(EventKind::StreamEnd, start))
            }
            TokenKind::VersionDirective { .. }
            | TokenKind::TagDirective { .. }
            | TokenKind::DocumentStart => self.explicit_document(start),
            _ if first => {
                self.directives()?;
                self.states.push(State::DocumentEnd);
                self.state = State::BlockNode;
                let mut event = event(EventKind::DocumentStart { implicit: true }, start);
                if let Some(head) = self.comments.split_head() {
                    let head = Cow::Owned(head);
                    event.comments = Some(Box::new(Comments {
                        head,
                        ..Comments::default()
                    }));
                }
                Ok(event)
            }
            _ => self.explicit_document(start),
        }
    }

    fn explicit_document(&mut self, start: Mark) -> Step {
        self.directives()?;
        let token = self.peek()?;
        if token.kind != TokenKind::DocumentStart {
            return Err(error_at(
                "did not find expected <document start>",
                token.start,
            ));
        }
        self.take()?;
        self.states.push(State::DocumentEnd);
        self.state = State::DocumentContent;
        Ok(event(EventKind::DocumentStart { implicit: false }, start))
    }

    fn document_content(&mut self) -> Step {
        let token = self.peek()?;
        let start = token.start;
        match token.kind {
            TokenKind::VersionDirective { .. }
            | TokenKind::TagDirective { .. }
            | TokenKind::DocumentStart
            | TokenKind::DocumentEnd
            | TokenKind::StreamEnd => {
                self.return_to_state();
                Ok(empty_scalar(start, None))
            }
            _ => self.node(Place::Block),
        }
    }

    fn document_end(&mut self) -> Step {
        let token = self.peek()?;
        let start = token.start;
        let implicit = token.kind != TokenKind::DocumentEnd;
        if !implicit {
            self.take()?;
        }
        self.handles.clear();
        self.state = State::DocumentStart;
        let mut event = self.with_comments(event(EventKind::DocumentEnd { implicit }, start));
        if let Some(comments) = &mut event.comments
            && comments.foot.is_empty()
        {
            // No node follows, so the comment cannot be a head comment.
            comments.foot = std::mem::take(&mut comments.head);
        }
        Ok(event)
    }

    fn directives(&mut self) -> Result<(), Error> {
        let mut versioned = false;
        while matches!(
            self.peek()?.kind,
            TokenKind::VersionDirective { .. } | TokenKind::TagDirective { .. }
        ) {
            let Token { kind, start, .. } = self.take()?;
            match kind {
                TokenKind::VersionDirective { .. } if versioned => {
                    return Err(error_at("found duplicate %YAML directive", start));
                }
                TokenKind::VersionDirective { major: 1, minor: 1 } => versioned = true,
                TokenKind::TagDirective { handle, prefix } => {
                    if self.handles.iter().any(|(known, _)| *known == handle) {
                        return Err(error_at("found duplicate %TAG directive", start));
                    }
                    self.handles.push((handle, prefix));
                }
                _ => return Err(error_at("found incompatible YAML document", start)),
            }
        }
        for (handle, prefix) in DEFAULT_HANDLES {
            if !self.handles.iter().any(|(known, _)| known == handle) {
                self.handles.push((handle.to_owned(), prefix.to_owned()));
            }
        }
        Ok(())
    }

    // Nodes

    fn node(&mut self, place: Place) -> Step {
        let start = self.peek()?.start;
        if let TokenKind::Alias(_) = self.peek()?.kind {
            self.return_to_state();
            let TokenKind::Alias(anchor) = self.take()?.kind else {
                unreachable!("the caller has checked the token")
            };
            let anchor = Cow::Owned(anchor);
            return Ok(self.with_comments(event(EventKind::Alias { anchor }, start)));
        }
        let (properties, end) = self.properties(start)?;
        let token = self.peek()?;
        let at = token.start;
        let block = place != Place::Flow;
        let sequence = |style| EventKind::SequenceStart {
            properties: properties.clone(),
            style,
        };
        let mapping = |style| EventKind::MappingStart {
            properties: properties.clone(),
            style,
        };
        let (state, kind) = match token.kind {
            TokenKind::BlockEntry if place == Place::BlockOrIndentlessSequence => (
                State::IndentlessSequenceEntry,
                sequence(CollectionStyle::Block),
            ),
            TokenKind::Scalar { .. } => return self.scalar(properties, start),
            TokenKind::FlowSequenceStart => (
                State::FlowSequenceFirstEntry,
                sequence(CollectionStyle::Flow),
            ),
            TokenKind::FlowMappingStart => {
                (State::FlowMappingFirstKey, mapping(CollectionStyle::Flow))
            }
            TokenKind::BlockSequenceStart if block => (
                State::BlockSequenceFirstEntry,
                sequence(CollectionStyle::Block),
            ),
            TokenKind::BlockMappingStart if block => {
                (State::BlockMappingFirstKey, mapping(CollectionStyle::Block))
            }
            _ if properties.anchor.is_some() || properties.tag.is_some() => {
                self.return_to_state();
                let scalar = Scalar {
                    implicit: properties.tag.is_none(),
                    properties,
                    value: Cow::Borrowed(""),
                    style: ScalarStyle::Plain,
                    span: Some(empty_span(end)),
                };
                return Ok(event(EventKind::Scalar(scalar), start));
            }
            _ => return Err(error_in(start, "did not find expected node content", at)),
        };
        self.state = state;
        let mut event = event(kind, start);
        match state {
            State::FlowSequenceFirstEntry | State::FlowMappingFirstKey => {
                event = self.with_comments(event);
            }
            State::BlockSequenceFirstEntry | State::BlockMappingFirstKey => {
                if let Some(stem) = self.comments.stem.take() {
                    let head = Cow::Owned(stem);
                    event.comments = Some(Box::new(Comments {
                        head,
                        ..Comments::default()
                    }));
                }
            }
            _ => {}
        }
        Ok(event)
    }

    fn scalar(&mut self, properties: Properties<'static>, start: Mark) -> Step {
        self.return_to_state();
        let token = self.take()?;
        let span = Span {
            start: token.start.offset,
            end: token.end.offset,
        };
        let TokenKind::Scalar { value, style } = token.kind else {
            unreachable!("the caller has checked the token")
        };
        let implicit = match properties.tag.as_deref() {
            None => style == ScalarStyle::Plain,
            Some(tag) => tag == "!",
        };
        let scalar = Scalar {
            properties,
            value: Cow::Owned(value),
            style,
            implicit,
            span: Some(span),
        };
        Ok(self.with_comments(event(EventKind::Scalar(scalar), start)))
    }

    /// Takes an optional anchor and an optional tag, in any order.
    ///
    /// The second part of the result is the end of the last property.
    fn properties(&mut self, start: Mark) -> Result<(Properties<'static>, Mark), Error> {
        let mut anchor = None;
        let mut tag = None;
        let mut end = start;
        loop {
            match self.peek()?.kind {
                TokenKind::Anchor(_) if anchor.is_none() => {}
                TokenKind::Tag { .. } if tag.is_none() => {}
                _ => break,
            }
            let token = self.take()?;
            end = token.end;
            match token.kind {
                TokenKind::Anchor(name) => anchor = Some(Cow::Owned(name)),
                TokenKind::Tag { handle, suffix } => tag = Some((handle, suffix, token.start)),
                _ => unreachable!("the loop has checked the token"),
            }
        }
        let tag = match tag {
            Some((handle, suffix, at)) => self.resolve_tag(&handle, suffix, start, at)?,
            None => None,
        };
        Ok((Properties { anchor, tag }, end))
    }

    fn resolve_tag(
        &self,
        handle: &str,
        suffix: String,
        start: Mark,
        at: Mark,
    ) -> Result<Option<Cow<'static, str>>, Error> {
        let tag = if handle.is_empty() {
            suffix
        } else {
            let known = self.handles.iter().find(|(known, _)| known == handle);
            let tag = known.map(|(_, prefix)| format!("{prefix}{suffix}"));
            tag.filter(|tag| !tag.is_empty())
                .ok_or_else(|| error_in(start, "found undefined tag handle", at))?
        };
        Ok((!tag.is_empty()).then_some(Cow::Owned(tag)))
    }

    // Block collections

    fn block_sequence_entry(&mut self) -> Step {
        let token = self.peek()?;
        let at = token.start;
        match token.kind {
            TokenKind::BlockEntry => {
                let mark = self.take_dash()?;
                match self.peek()?.kind {
                    TokenKind::BlockEntry | TokenKind::BlockEnd => {
                        Ok(self.empty_then(State::BlockSequenceEntry, mark, Some(mark)))
                    }
                    _ => self.node_then(State::BlockSequenceEntry, Place::Block),
                }
            }
            TokenKind::BlockEnd => self.close(EventKind::SequenceEnd),
            _ => Err(error_in(
                self.opened_at(),
                "did not find expected '-' indicator",
                at,
            )),
        }
    }

    /// Takes the `-` of an item. The comment before it is the head comment of the item. If the
    /// item is a collection, the comment belongs to it and not to its first entry.
    fn take_dash(&mut self) -> Result<Mark, Error> {
        let mark = self.take()?.end;
        let before = self.comments.head.len();
        let is_collection = before > 0
            && match self.peek() {
                Ok(token) => matches!(
                    token.kind,
                    TokenKind::BlockSequenceStart | TokenKind::BlockMappingStart
                ),
                Err(error) => {
                    self.deferred_error = Some(error);
                    false
                }
            };
        if is_collection {
            let head = &mut self.comments.head;
            let rest = head.get(before + 1..).unwrap_or_default().to_owned();
            head.truncate(before);
            self.comments.stem = Some(std::mem::replace(head, rest));
        }
        Ok(mark)
    }

    fn indentless_sequence_entry(&mut self) -> Step {
        let token = self.peek()?;
        if token.kind != TokenKind::BlockEntry {
            let start = token.start;
            self.return_to_state();
            return Ok(event(EventKind::SequenceEnd, start));
        }
        let mark = self.take_dash()?;
        match self.peek()?.kind {
            TokenKind::BlockEntry | TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd => {
                Ok(self.empty_then(State::IndentlessSequenceEntry, mark, Some(mark)))
            }
            _ => self.node_then(State::IndentlessSequenceEntry, Place::Block),
        }
    }

    fn block_mapping_key(&mut self) -> Step {
        let token = self.peek()?;
        let at = token.start;
        match token.kind {
            TokenKind::Key => self.block_mapping_node(State::BlockMappingValue),
            TokenKind::BlockEnd => self.close_with_comments(EventKind::MappingEnd),
            _ => Err(error_in(self.opened_at(), "did not find expected key", at)),
        }
    }

    fn block_mapping_value(&mut self) -> Step {
        let token = self.peek()?;
        if token.kind == TokenKind::Value {
            return self.block_mapping_node(State::BlockMappingKey);
        }
        let start = token.start;
        Ok(self.empty_then(State::BlockMappingKey, start, None))
    }

    /// Takes `?` or `:` and the node after it, if any.
    fn block_mapping_node(&mut self, state: State) -> Step {
        let mark = self.take()?.end;
        match self.peek()?.kind {
            TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd => {
                Ok(self.empty_then(state, mark, Some(mark)))
            }
            _ => self.node_then(state, Place::BlockOrIndentlessSequence),
        }
    }

    // Flow collections

    fn flow_sequence_entry(&mut self, first: bool) -> Step {
        if self.peek()?.kind == TokenKind::FlowSequenceEnd {
            return self.close_with_comments(EventKind::SequenceEnd);
        }
        if !first {
            self.flow_separator("did not find expected ',' or ']'")?;
        }
        let token = self.peek()?;
        let start = token.start;
        match token.kind {
            TokenKind::Key => {
                self.take()?;
                self.state = State::FlowPairKey;
                let kind = EventKind::MappingStart {
                    properties: Properties::default(),
                    style: CollectionStyle::Flow,
                };
                Ok(event(kind, start))
            }
            TokenKind::FlowSequenceEnd => self.close_with_comments(EventKind::SequenceEnd),
            _ => self.node_then(State::FlowSequenceEntry, Place::Flow),
        }
    }

    /// Takes the `,` between two entries.
    fn flow_separator(&mut self, problem: &str) -> Result<(), Error> {
        let token = self.peek()?;
        if token.kind != TokenKind::FlowEntry {
            let at = token.start;
            return Err(error_in(self.opened_at(), problem, at));
        }
        self.take()?;
        Ok(())
    }

    fn flow_pair_key(&mut self) -> Step {
        match self.peek()?.kind {
            TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowSequenceEnd => {
                // Parity: libyaml takes the `:` here and loses the value of `[? : a]`.
                let mark = self.take()?.end;
                Ok(self.empty_then(State::FlowPairValue, mark, None))
            }
            _ => self.node_then(State::FlowPairValue, Place::Flow),
        }
    }

    fn flow_pair_value(&mut self) -> Step {
        let token = self.peek()?;
        let mut mark = token.start;
        let mut after = None;
        if token.kind == TokenKind::Value {
            after = Some(self.take()?.end);
            let token = self.peek()?;
            mark = token.start;
            if !matches!(
                token.kind,
                TokenKind::FlowEntry | TokenKind::FlowSequenceEnd
            ) {
                return self.node_then(State::FlowPairEnd, Place::Flow);
            }
        }
        Ok(self.empty_then(State::FlowPairEnd, mark, after))
    }

    fn flow_mapping_key(&mut self, first: bool) -> Step {
        if self.peek()?.kind == TokenKind::FlowMappingEnd {
            return self.close_with_comments(EventKind::MappingEnd);
        }
        if !first {
            self.flow_separator("did not find expected ',' or '}'")?;
        }
        match self.peek()?.kind {
            TokenKind::Key => {
                self.take()?;
                let token = self.peek()?;
                let start = token.start;
                match token.kind {
                    TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowMappingEnd => {
                        Ok(self.empty_then(State::FlowMappingValue, start, None))
                    }
                    _ => self.node_then(State::FlowMappingValue, Place::Flow),
                }
            }
            TokenKind::FlowMappingEnd => self.close_with_comments(EventKind::MappingEnd),
            _ => self.node_then(State::FlowMappingEmptyValue, Place::Flow),
        }
    }

    fn flow_mapping_value(&mut self) -> Step {
        let token = self.peek()?;
        let mut mark = token.start;
        let mut after = None;
        if token.kind == TokenKind::Value {
            after = Some(self.take()?.end);
            let token = self.peek()?;
            mark = token.start;
            if !matches!(token.kind, TokenKind::FlowEntry | TokenKind::FlowMappingEnd) {
                return self.node_then(State::FlowMappingKey, Place::Flow);
            }
        }
        Ok(self.empty_then(State::FlowMappingKey, mark, after))
    }
}
