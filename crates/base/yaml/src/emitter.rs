//! Events to text, by the rules of libyaml for line breaks, indentation and scalar styles.
//!
//! The caller asks for a style, and the emitter chooses a more robust one if the text needs it:
//! `analysis` decides. The emitter looks a few events ahead. An empty collection is written
//! in brackets, and a short key without `?`. `scalar` writes scalars, and `comment` writes
//! comments, which only version 3 has.
//!
//! The file is long because all states are methods of one machine: each one names the next.
//!
//! Parity: go-yaml: emitterc.go of both versions, with an indentation of 2.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt::Write as _;

use crate::event::{CollectionStyle, Event, EventKind, Properties, Scalar, ScalarStyle};

mod analysis;
mod comment;
mod scalar;

use analysis::Analysis;
use comment::PendingComments;

/// Columns per level, unless version 3 sets another number.
const INDENT: usize = 2;

/// The column after which version 2 breaks a line at the next space.
const WIDTH: usize = 80;

/// The version of go-yaml whose format applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rules {
    /// Lines fold at column 80. Sequences start at the column of their key.
    V2,
    /// Lines do not fold. Comments are written.
    V3 {
        /// Sequences start at the column of their key.
        compact: bool,
        /// Columns per level.
        indent: usize,
    },
}

impl Rules {
    /// Returns the columns per level.
    fn indent(self) -> usize {
        match self {
            Self::V2 => INDENT,
            Self::V3 { indent, .. } => indent,
        }
    }
}

/// Maximum length in bytes of a key without `?`.
const SIMPLE_KEY_LENGTH: usize = 128;

/// The next element that the emitter expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    StreamStart,
    FirstDocumentStart,
    DocumentStart,
    DocumentContent,
    DocumentEnd,
    FlowSequenceFirstItem,
    FlowSequenceItem,
    FlowSequenceItemAfterComma,
    FlowMappingFirstKey,
    FlowMappingKey,
    FlowMappingKeyAfterComma,
    FlowMappingSimpleValue,
    FlowMappingValue,
    BlockSequenceFirstItem,
    BlockSequenceItem,
    BlockMappingFirstKey,
    BlockMappingKey,
    BlockMappingSimpleValue,
    BlockMappingValue,
    End,
}

/// The position of an entry in a flow collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    First,
    /// A comma must come before the entry.
    Next,
    /// The comma is written already, before a comment.
    AfterComma,
}

/// Writes one text.
pub(crate) struct Emitter<'a> {
    rules: Rules,
    /// The column after which a line breaks at the next space.
    width: usize,
    /// Comments to write.
    pending: PendingComments<'a>,
    /// Indentation of a foot comment, which needs an empty line before the next node.
    foot_indent: Option<usize>,
    out: String,
    events: VecDeque<Event<'a>>,
    state: State,
    states: Vec<State>,
    /// Current indentation; `None` outside of a node.
    indent: Option<usize>,
    indents: Vec<Option<usize>>,
    flow_level: usize,
    /// The current node is the key or value of a mapping.
    in_mapping: bool,
    /// The current node is a key without `?`.
    in_simple_key: bool,
    column: usize,
    /// The last character was white space.
    whitespace: bool,
    /// The line so far has only indentation, `-`, `?` and `:`.
    indention: bool,
}

impl<'a> Emitter<'a> {
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            rules,
            width: match rules {
                Rules::V2 => WIDTH,
                Rules::V3 { .. } => usize::MAX,
            },
            pending: PendingComments::default(),
            foot_indent: None,
            out: String::new(),
            events: VecDeque::new(),
            state: State::StreamStart,
            states: Vec::new(),
            indent: None,
            indents: Vec::new(),
            flow_level: 0,
            in_mapping: false,
            in_simple_key: false,
            column: 0,
            whitespace: true,
            indention: true,
        }
    }

    /// Returns the text. All events must have been emitted.
    pub(crate) fn finish(self) -> String {
        debug_assert!(self.state == State::End, "the stream has not ended");
        self.out
    }

    /// Emits the next event. The order of events must be that of the parser.
    pub(crate) fn emit(&mut self, event: Event<'a>) {
        self.events.push_back(event);
        while !self.needs_more_events() {
            let event = self.events.pop_front().expect("the queue is not empty");
            if let Some(comments) = event.comments {
                self.pending.take(*comments);
            }
            self.step(event.kind);
        }
    }

    /// Reports whether more events are needed: the emitter must know whether a collection is empty.
    fn needs_more_events(&self) -> bool {
        let Some(first) = self.events.front() else {
            return true;
        };
        let ahead = match first.kind {
            EventKind::DocumentStart { .. } => 1,
            EventKind::SequenceStart { .. } => 2,
            EventKind::MappingStart { .. } => 3,
            _ => return false,
        };
        if self.events.len() > ahead {
            return false;
        }
        let mut level = 0_i32;
        for event in &self.events {
            level += match event.kind {
                EventKind::StreamStart
                | EventKind::DocumentStart { .. }
                | EventKind::SequenceStart { .. }
                | EventKind::MappingStart { .. } => 1,
                EventKind::StreamEnd
                | EventKind::DocumentEnd { .. }
                | EventKind::SequenceEnd
                | EventKind::MappingEnd => -1,
                EventKind::Scalar(_) | EventKind::Alias { .. } => 0,
            };
            if level == 0 {
                return false;
            }
        }
        true
    }

    fn step(&mut self, event: EventKind<'a>) {
        match self.state {
            State::StreamStart => self.state = State::FirstDocumentStart,
            State::FirstDocumentStart => self.document_start(&event, true),
            State::DocumentStart => self.document_start(&event, false),
            State::DocumentContent => {
                self.states.push(State::DocumentEnd);
                self.write_head_comment();
                self.node(event, false, false);
                self.write_line_comment();
                self.write_foot_comment();
            }
            State::DocumentEnd => {
                self.foot_indent = Some(0);
                self.write_foot_comment();
                self.foot_indent = None;
                self.write_indent();
                if let EventKind::DocumentEnd { implicit: false } = event {
                    self.write_indicator("...", true, false, false);
                    self.write_indent();
                }
                self.state = State::DocumentStart;
            }
            State::FlowSequenceFirstItem => self.flow_sequence_item(event, Entry::First),
            State::FlowSequenceItem => self.flow_sequence_item(event, Entry::Next),
            State::FlowSequenceItemAfterComma => self.flow_sequence_item(event, Entry::AfterComma),
            State::FlowMappingFirstKey => self.flow_mapping_key(event, Entry::First),
            State::FlowMappingKey => self.flow_mapping_key(event, Entry::Next),
            State::FlowMappingKeyAfterComma => self.flow_mapping_key(event, Entry::AfterComma),
            State::FlowMappingSimpleValue => self.flow_mapping_value(event, true),
            State::FlowMappingValue => self.flow_mapping_value(event, false),
            State::BlockSequenceFirstItem => self.block_sequence_item(event, true),
            State::BlockSequenceItem => self.block_sequence_item(event, false),
            State::BlockMappingFirstKey => self.block_mapping_key(event, true),
            State::BlockMappingKey => self.block_mapping_key(event, false),
            State::BlockMappingSimpleValue => self.block_mapping_value(event, true),
            State::BlockMappingValue => self.block_mapping_value(event, false),
            State::End => unreachable!("no event follows the end of the stream"),
        }
    }

    fn document_start(&mut self, event: &EventKind<'a>, first: bool) {
        match event {
            EventKind::DocumentStart { implicit } => {
                if !(first && *implicit) {
                    self.write_indent();
                    self.write_indicator("---", true, false, false);
                }
                if !self.pending.head.is_empty() {
                    self.write_head_comment();
                    self.put_break();
                }
                self.state = State::DocumentContent;
            }
            _ => self.state = State::End,
        }
    }

    // Collections

    fn flow_sequence_item(&mut self, event: EventKind<'a>, entry: Entry) {
        if entry == Entry::First {
            self.write_indicator("[", true, true, false);
            self.increase_indent(true, false);
            self.flow_level += 1;
        }
        if event == EventKind::SequenceEnd {
            self.flow_level -= 1;
            self.decrease_indent();
            if self.column == 0 {
                self.write_indent();
            }
            self.flow_end("]");
            return;
        }
        self.flow_separator(entry);
        self.states.push(if self.pending.follows() {
            State::FlowSequenceItemAfterComma
        } else {
            State::FlowSequenceItem
        });
        self.node(event, false, false);
        self.flow_comments();
    }

    /// Starts an entry of a flow collection.
    fn flow_separator(&mut self, entry: Entry) {
        if entry == Entry::Next {
            self.write_indicator(",", false, false, false);
        }
        self.write_head_comment();
        if self.column == 0 && self.rules != Rules::V2 || self.column > self.width {
            self.write_indent();
        }
    }

    /// Ends an entry of a flow collection. The comma goes before its comment.
    fn flow_comments(&mut self) {
        if self.pending.follows() {
            self.write_indicator(",", false, false, false);
        }
        self.write_line_comment();
        self.write_foot_comment();
    }

    fn flow_end(&mut self, bracket: &str) {
        self.write_indicator(bracket, false, false, false);
        self.write_line_comment();
        self.write_foot_comment();
        self.return_to_state();
    }

    fn flow_mapping_key(&mut self, event: EventKind<'a>, entry: Entry) {
        if entry == Entry::First {
            self.write_indicator("{", true, true, false);
            self.increase_indent(true, false);
            self.flow_level += 1;
        }
        if event == EventKind::MappingEnd {
            if self.pending.surrounds() && entry == Entry::Next {
                self.write_indicator(",", false, false, false);
            }
            self.write_head_comment();
            self.flow_level -= 1;
            self.decrease_indent();
            self.flow_end("}");
            return;
        }
        self.flow_separator(entry);
        if self.is_simple_key(&event) {
            self.states.push(State::FlowMappingSimpleValue);
            self.node(event, true, true);
        } else {
            self.write_indicator("?", true, false, false);
            self.states.push(State::FlowMappingValue);
            self.node(event, true, false);
        }
    }

    fn flow_mapping_value(&mut self, event: EventKind<'a>, simple: bool) {
        if simple {
            self.write_indicator(":", false, false, false);
        } else {
            if self.column > self.width {
                self.write_indent();
            }
            self.write_indicator(":", true, false, false);
        }
        self.states.push(if self.pending.follows() {
            State::FlowMappingKeyAfterComma
        } else {
            State::FlowMappingKey
        });
        self.node(event, true, false);
        self.flow_comments();
    }

    fn block_sequence_item(&mut self, event: EventKind<'a>, first: bool) {
        if first {
            // After `key:` the items start at the column of the key.
            let after_key = self.in_mapping
                && match self.rules {
                    Rules::V2 => !self.indention,
                    Rules::V3 { compact, .. } => compact && (self.column == 0 || !self.indention),
                };
            self.increase_indent(false, after_key);
        }
        if event == EventKind::SequenceEnd {
            self.decrease_indent();
            self.return_to_state();
            return;
        }
        self.write_head_comment();
        self.write_indent();
        self.write_indicator("-", true, false, true);
        self.states.push(State::BlockSequenceItem);
        self.node(event, false, false);
        self.write_line_comment();
        self.write_foot_comment();
    }

    fn block_mapping_key(&mut self, event: EventKind<'a>, first: bool) {
        if first {
            self.increase_indent(false, false);
        }
        self.write_head_comment();
        if event == EventKind::MappingEnd {
            self.decrease_indent();
            self.return_to_state();
            return;
        }
        self.write_indent();
        self.pending.set_aside_for_value();
        if self.is_simple_key(&event) {
            self.states.push(State::BlockMappingSimpleValue);
            self.node(event, true, true);
        } else {
            self.write_indicator("?", true, false, true);
            self.states.push(State::BlockMappingValue);
            self.node(event, true, false);
        }
    }

    fn block_mapping_value(&mut self, event: EventKind<'a>, simple: bool) {
        if simple {
            self.write_indicator(":", false, false, false);
        } else {
            self.write_indent();
            self.write_indicator(":", true, false, true);
        }
        self.write_comment_of_key(&event);
        self.states.push(State::BlockMappingKey);
        self.node(event, true, false);
        self.write_line_comment();
        self.write_foot_comment();
    }

    /// Reports whether the node can be a key without `?`: short, and on one line.
    fn is_simple_key(&self, event: &EventKind<'a>) -> bool {
        let length = |properties: &Properties<'_>| {
            let anchor = properties.anchor.as_ref().map_or(0, |anchor| anchor.len());
            anchor
                + properties
                    .tag
                    .as_deref()
                    .map_or(0, |tag| shorthand(tag).len())
        };
        let length = match event {
            EventKind::Alias { anchor } => anchor.len(),
            EventKind::Scalar(scalar) => {
                if Analysis::of(self.rules, &scalar.value).multiline {
                    return false;
                }
                length(&scalar.properties) + scalar.value.len()
            }
            EventKind::SequenceStart { properties, .. } if self.is_empty_sequence() => {
                length(properties)
            }
            EventKind::MappingStart { properties, .. } if self.is_empty_mapping() => {
                length(properties)
            }
            _ => return false,
        };
        length <= SIMPLE_KEY_LENGTH
    }

    fn is_empty_sequence(&self) -> bool {
        let next = self.events.front();
        next.is_some_and(|next| next.kind == EventKind::SequenceEnd)
    }

    fn is_empty_mapping(&self) -> bool {
        let next = self.events.front();
        next.is_some_and(|next| next.kind == EventKind::MappingEnd)
    }

    // Nodes

    fn node(&mut self, event: EventKind<'a>, mapping: bool, simple_key: bool) {
        self.in_mapping = mapping;
        self.in_simple_key = simple_key;
        match event {
            EventKind::Alias { anchor } => {
                self.write_anchor('*', &anchor);
                self.return_to_state();
            }
            EventKind::Scalar(scalar) => {
                self.scalar(scalar);
                self.return_to_state();
            }
            EventKind::SequenceStart { properties, style } => {
                self.write_properties(&properties);
                let flow = style == CollectionStyle::Flow || self.is_empty_sequence();
                self.state = if flow || self.flow_level > 0 {
                    State::FlowSequenceFirstItem
                } else {
                    State::BlockSequenceFirstItem
                };
            }
            EventKind::MappingStart { properties, style } => {
                self.write_properties(&properties);
                let flow = style == CollectionStyle::Flow || self.is_empty_mapping();
                self.state = if flow || self.flow_level > 0 {
                    State::FlowMappingFirstKey
                } else {
                    State::BlockMappingFirstKey
                };
            }
            _ => unreachable!("the event does not start a node"),
        }
    }

    fn scalar(&mut self, scalar: Scalar<'a>) {
        let Scalar {
            mut properties,
            value,
            style,
            implicit,
            ..
        } = scalar;
        if implicit {
            // The text alone determines the type, so the tag is redundant.
            properties.tag = None;
        }
        let style = self.choose(style, &value);
        self.write_properties(&properties);
        self.increase_indent(true, false);
        let may_break = !self.in_simple_key;
        match style {
            ScalarStyle::Plain => self.write_plain(&value, may_break),
            ScalarStyle::SingleQuoted => self.write_single_quoted(&value, may_break),
            ScalarStyle::DoubleQuoted => self.write_double_quoted(&value, may_break),
            ScalarStyle::Literal => self.write_literal(&value),
            ScalarStyle::Folded => self.write_folded(&value),
        }
        self.decrease_indent();
    }

    /// Returns the requested style, or the next more robust one that can represent the text.
    fn choose(&self, style: ScalarStyle, value: &str) -> ScalarStyle {
        let analysis = Analysis::of(self.rules, value);
        let mut style = style;
        if self.in_simple_key && analysis.multiline {
            style = ScalarStyle::DoubleQuoted;
        }
        if style == ScalarStyle::Plain {
            let allowed = if self.flow_level > 0 {
                analysis.flow_plain_allowed
            } else {
                analysis.block_plain_allowed
            };
            let invisible = value.is_empty() && (self.flow_level > 0 || self.in_simple_key);
            if !allowed || invisible {
                style = ScalarStyle::SingleQuoted;
            }
        }
        if style == ScalarStyle::SingleQuoted && !analysis.single_quoted_allowed {
            style = ScalarStyle::DoubleQuoted;
        }
        if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded)
            && (!analysis.block_allowed || self.flow_level > 0 || self.in_simple_key)
        {
            style = ScalarStyle::DoubleQuoted;
        }
        style
    }

    fn write_properties(&mut self, properties: &Properties<'_>) {
        if let Some(anchor) = &properties.anchor {
            self.write_anchor('&', anchor);
        }
        if let Some(tag) = &properties.tag {
            let short = shorthand(tag);
            let tag = if short.starts_with('!') {
                escape_tag(&short)
            } else {
                format!("!<{}>", escape_tag(&short))
            };
            self.write_indicator(&tag, true, false, false);
        }
    }

    fn write_anchor(&mut self, mark: char, name: &str) {
        self.write_indicator(&format!("{mark}{name}"), true, false, false);
    }

    // Output

    fn return_to_state(&mut self) {
        self.state = self.states.pop().expect("each node has a next state");
    }

    fn increase_indent(&mut self, flow: bool, indentless: bool) {
        self.indents.push(self.indent);
        self.indent = match self.indent {
            None if flow => Some(self.rules.indent()),
            None => Some(0),
            Some(indent) if indentless => Some(indent),
            // Inside an item, the indentation skips its `-`; other levels use whole steps.
            Some(indent) if self.states.last() == Some(&State::BlockSequenceItem) => {
                Some(indent + INDENT)
            }
            Some(indent) => {
                let columns = self.rules.indent();
                Some((indent / columns + 1) * columns)
            }
        };
    }

    fn decrease_indent(&mut self) {
        self.indent = self.indents.pop().expect("each indentation was pushed");
    }

    fn put(&mut self, character: char) {
        self.out.push(character);
        self.column += 1;
    }

    fn put_break(&mut self) {
        self.out.push('\n');
        self.column = 0;
        self.indention = true;
    }

    /// Starts a line at the current indentation, unless the current line is still empty there.
    fn write_indent(&mut self) {
        let indent = self.indent.unwrap_or(0);
        if !self.indention || self.column > indent || (self.column == indent && !self.whitespace) {
            self.put_break();
        }
        if self.foot_indent.take() == Some(indent) {
            self.put_break();
        }
        while self.column < indent {
            self.put(' ');
        }
        self.whitespace = true;
    }

    fn write_indicator(
        &mut self,
        indicator: &str,
        needs_whitespace: bool,
        is_whitespace: bool,
        is_indention: bool,
    ) {
        if needs_whitespace && !self.whitespace {
            self.put(' ');
        }
        for character in indicator.chars() {
            self.put(character);
        }
        self.whitespace = is_whitespace;
        self.indention = self.indention && is_indention;
    }
}

/// Shortens a tag with the default handle.
fn shorthand(tag: &str) -> Cow<'_, str> {
    match tag.strip_prefix("tag:yaml.org,2002:") {
        Some(name) => Cow::Owned(format!("!!{name}")),
        None => Cow::Borrowed(tag),
    }
}

/// Escapes the characters of a tag that are invalid in a URI. The handle at its start is not
/// escaped.
fn escape_tag(tag: &str) -> String {
    let handle = match tag.as_bytes() {
        [b'!', b'!', ..] => 2,
        [b'!', ..] => 1,
        _ => 0,
    };
    let mut out = tag[..handle].to_owned();
    for byte in tag.bytes().skip(handle) {
        let plain = byte.is_ascii_alphanumeric() || b";/?:@&=+$,_.~*'()[]-".contains(&byte);
        if plain {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
