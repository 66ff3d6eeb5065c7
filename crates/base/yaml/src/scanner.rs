//! Characters to tokens, by the rules of libyaml.
//!
//! YAML's grammar depends on indentation and on knowing, one line too late,
//! that what was just read is a key. So the scanner keeps a stack of
//! indentations, turns changes of it into tokens, and holds tokens back while
//! the first of them may still turn out to be a *simple key* (a key without
//! `?`): only when its `:` arrives is a `Key` token put in front of it.
//!
//! Scalars are in `scalar`, anchors, tags and directives in `property`. Only the
//! third version has an eye for comments: `comment`.
//!
//! Parity: go-yaml: scannerc.go, limits included (10,000 levels of indentation
//! and of brackets; a simple key ends on its line and within 1,024 characters).
//! A byte order mark inside the text is content, as it is there in practice.
//!
//! One file, although a long one: whether a token may be a key is decided all over it.

use std::collections::VecDeque;

use crate::event::Mark;
use crate::{Dialect, Error, ErrorKind};

mod comment;
mod property;
mod scalar;
mod token;

pub(crate) use comment::Comment;
pub(crate) use token::{Token, TokenKind};

/// The deepest nesting of brackets, and separately of indentation.
const MAX_LEVELS: usize = 10_000;

/// How far a `:` may be from the start of a key that has no `?`.
const SIMPLE_KEY_LENGTH: usize = 1024;

pub(crate) struct Scanner<'a> {
    input: &'a [u8],
    position: usize,
    mark: Mark,
    tokens: VecDeque<Token>,
    dialect: Dialect,
    /// How many tokens are read before the first is handed out.
    lookahead: usize,
    /// How many tokens were taken, so that tokens can be numbered.
    taken: usize,
    /// The head of the tokens was looked at, so that nothing can change it any more.
    settled: bool,
    started: bool,
    ended: bool,
    /// The current indentation; -1 outside of any block collection.
    indent: isize,
    indents: Vec<isize>,
    /// One candidate for each level of brackets, the block level first.
    simple_keys: Vec<SimpleKey>,
    /// May a simple key start here?
    simple_key_allowed: bool,
    /// Line breaks since the last character that is no blank.
    newlines: usize,
    /// Comments that the parser has not taken yet.
    comments: VecDeque<Comment>,
}

/// The place where a simple key may have started.
#[derive(Debug, Clone, Copy)]
struct SimpleKey {
    possible: bool,
    /// The indentation says that this is a key: it is an error if it is not.
    required: bool,
    /// Tokens are held back for it.
    awaited: bool,
    token_number: usize,
    mark: Mark,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str, dialect: Dialect) -> Self {
        Self {
            input: text.as_bytes(),
            position: 0,
            mark: Mark::default(),
            tokens: VecDeque::new(),
            dialect,
            // The third version looks for comments two tokens ahead, so a fault
            // there comes before one in the grammar here.
            lookahead: if dialect == Dialect::V3 { 3 } else { 1 },
            taken: 0,
            settled: false,
            started: false,
            ended: false,
            indent: -1,
            indents: Vec::new(),
            simple_keys: Vec::new(),
            simple_key_allowed: true,
            newlines: 0,
            comments: VecDeque::new(),
        }
    }

    /// Looks at the next token.
    pub(crate) fn peek(&mut self) -> Result<&Token, Error> {
        self.settle()?;
        Ok(self.tokens.front().expect("settle leaves a token"))
    }

    /// Takes the next token.
    pub(crate) fn take(&mut self) -> Result<Token, Error> {
        self.settle()?;
        self.settled = false;
        self.taken += 1;
        Ok(self.tokens.pop_front().expect("settle leaves a token"))
    }

    // ---- characters ----

    /// The byte so many bytes ahead; zero past the end, which no text contains.
    fn byte(&self, ahead: usize) -> u8 {
        self.input.get(self.position + ahead).copied().unwrap_or(0)
    }

    fn is_end(&self) -> bool {
        self.position >= self.input.len()
    }

    fn is_blank(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), b' ' | b'\t')
    }

    fn is_break(&self, ahead: usize) -> bool {
        match self.byte(ahead) {
            b'\r' | b'\n' => true,
            0xc2 => self.byte(ahead + 1) == 0x85,
            0xe2 => self.byte(ahead + 1) == 0x80 && matches!(self.byte(ahead + 2), 0xa8 | 0xa9),
            _ => false,
        }
    }

    fn is_break_or_end(&self, ahead: usize) -> bool {
        self.byte(ahead) == 0 || self.is_break(ahead)
    }

    fn is_blank_or_end(&self, ahead: usize) -> bool {
        self.is_blank(ahead) || self.is_break_or_end(ahead)
    }

    /// Letters, digits, `_` and `-`: what names of anchors are made of.
    fn is_word(&self) -> bool {
        matches!(self.byte(0), b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-')
    }

    fn skip(&mut self) {
        if !self.is_blank(0) {
            self.newlines = 0;
        }
        self.position += width(self.byte(0));
        self.mark.index += 1;
        self.mark.column += 1;
    }

    fn skip_line(&mut self) {
        if self.byte(0) == b'\r' && self.byte(1) == b'\n' {
            self.position += 2;
            self.mark.index += 2;
        } else if self.is_break(0) {
            self.position += width(self.byte(0));
            self.mark.index += 1;
        } else {
            return;
        }
        self.mark.column = 0;
        self.mark.line += 1;
        self.newlines += 1;
    }

    fn skip_blanks(&mut self) {
        while self.is_blank(0) {
            self.skip();
        }
    }

    /// Appends the character at hand and passes it.
    fn read(&mut self, out: &mut Vec<u8>) {
        let end = self.input.len().min(self.position + width(self.byte(0)));
        out.extend_from_slice(&self.input[self.position..end]);
        self.skip();
    }

    /// Appends the line break at hand, normalised, and passes it.
    fn read_line(&mut self, out: &mut Vec<u8>) {
        match self.byte(0) {
            // The line and paragraph separators stay themselves.
            0xe2 => out.extend_from_slice(&self.input[self.position..self.position + 3]),
            _ => out.push(b'\n'),
        }
        self.skip_line();
    }

    /// `---` or `...` at the start of a line.
    fn is_document_indicator(&self) -> bool {
        self.mark.column == 0
            && matches!(
                self.input.get(self.position..self.position + 3),
                Some(b"---" | b"...")
            )
            && self.is_blank_or_end(3)
    }

    /// A fault at this place.
    fn fault(&self, problem: &str) -> Error {
        self.fault_since(self.mark, problem)
    }

    /// A fault at this place, in something that began earlier.
    fn fault_since(&self, began: Mark, problem: &str) -> Error {
        Error::between(ErrorKind::Syntax, began.line, self.mark.line, 1, problem)
    }

    // ---- tokens ----

    /// Reads as far as it takes to know the next token. A parser looks at each a dozen times.
    fn settle(&mut self) -> Result<(), Error> {
        if !self.settled {
            self.fetch_more()?;
            self.settled = true;
        }
        Ok(())
    }

    fn fetch_more(&mut self) -> Result<(), Error> {
        loop {
            if self.tokens.len() >= self.lookahead {
                // The head may be handed out once it cannot become a key.
                let Some(index) = self.candidate(self.taken) else {
                    break;
                };
                if !self.is_valid(index)? {
                    break;
                }
            } else if self.ended {
                // A parser that reads on gets the end once more.
                self.tokens.push_back(TokenKind::StreamEnd.at(self.mark));
                continue;
            }
            self.fetch_next()?;
        }
        Ok(())
    }

    /// The level whose candidate is the token of that number. The numbers never
    /// decrease along the stack, as a level is frozen while deeper ones exist.
    fn candidate(&self, token_number: usize) -> Option<usize> {
        let index = self
            .simple_keys
            .partition_point(|key| key.token_number < token_number);
        self.simple_keys
            .get(index)
            .filter(|key| key.awaited && key.token_number == token_number)
            .map(|_| index)
    }

    fn push(&mut self, kind: TokenKind, start: Mark) {
        self.tokens.push_back(Token {
            kind,
            start,
            end: self.mark,
        });
    }

    /// Makes a token of the indicator at hand, which is so many characters long.
    fn push_indicator(&mut self, kind: TokenKind, length: usize) {
        let start = self.mark;
        for _ in 0..length {
            self.skip();
        }
        self.push(kind, start);
    }

    fn fetch_next(&mut self) -> Result<(), Error> {
        if !self.started {
            self.started = true;
            self.simple_keys.push(SimpleKey {
                possible: false,
                required: false,
                awaited: false,
                token_number: 0,
                mark: self.mark,
            });
            self.push(TokenKind::StreamStart, self.mark);
            return Ok(());
        }

        let scan = self.mark;
        self.skip_to_next_token();
        self.unroll_indent(
            isize::try_from(self.mark.column).unwrap_or(isize::MAX),
            scan,
        );

        if self.is_end() {
            return self.fetch_stream_end();
        }
        if self.mark.column == 0 && self.byte(0) == b'%' {
            return self.fetch_directive();
        }
        if self.is_document_indicator() {
            let kind = if self.byte(0) == b'-' {
                TokenKind::DocumentStart
            } else {
                TokenKind::DocumentEnd
            };
            return self.fetch_document_indicator(kind);
        }

        if self.dialect.is_v2() {
            return self.fetch_content();
        }
        // A comment behind `:` or `,` belongs to what stands before that.
        let owner = match (self.byte(0), self.flow_level() > 0, self.tokens.back()) {
            (b':', false, Some(last)) | (b',', true, Some(last)) => last.start,
            _ => self.mark,
        };
        self.fetch_content()?;
        // A comment behind `-` is the head of what follows.
        let last = self.tokens.back();
        if last.is_none_or(|last| last.kind != TokenKind::BlockEntry) {
            self.scan_line_comment(owner);
        }
        Ok(())
    }

    fn fetch_content(&mut self) -> Result<(), Error> {
        let in_flow = self.flow_level() > 0;
        match self.byte(0) {
            b'[' => self.fetch_flow_start(TokenKind::FlowSequenceStart),
            b'{' => self.fetch_flow_start(TokenKind::FlowMappingStart),
            b']' => self.fetch_flow_end(TokenKind::FlowSequenceEnd),
            b'}' => self.fetch_flow_end(TokenKind::FlowMappingEnd),
            b',' => self.fetch_flow_entry(),
            b'-' if self.is_blank_or_end(1) => self.fetch_block_entry(),
            b'?' if in_flow || self.is_blank_or_end(1) => self.fetch_key(),
            b':' if in_flow || self.is_blank_or_end(1) => self.fetch_value(),
            b'*' => self.fetch_anchor(true),
            b'&' => self.fetch_anchor(false),
            b'!' => self.fetch_tag(),
            b'|' if !in_flow => self.fetch_block_scalar(true),
            b'>' if !in_flow => self.fetch_block_scalar(false),
            b'\'' => self.fetch_quoted_scalar(true),
            b'"' => self.fetch_quoted_scalar(false),
            b'\t' | b'#' | b'|' | b'>' | b'%' | b'@' | b'`' => {
                Err(self.fault("found character that cannot start any token"))
            }
            _ => self.fetch_plain_scalar(),
        }
    }

    /// Passes white space and comments. A tab may not stand where a key may
    /// start in a block, because it would pass for indentation.
    fn skip_to_next_token(&mut self) {
        let scan = self.mark;
        loop {
            while self.byte(0) == b' '
                || (self.byte(0) == b'\t' && (self.flow_level() > 0 || !self.simple_key_allowed))
            {
                self.skip();
            }
            if self.dialect.is_v2() {
                self.skip_comment();
            } else {
                if !self.is_break(0) {
                    self.turn_line_comment_into_head();
                }
                if self.byte(0) == b'#' {
                    self.scan_comments(scan);
                }
            }
            if !self.is_break(0) {
                return;
            }
            self.skip_line();
            if self.flow_level() == 0 {
                self.simple_key_allowed = true;
            }
        }
    }

    fn fetch_stream_end(&mut self) -> Result<(), Error> {
        if self.mark.column != 0 {
            self.mark.column = 0;
            self.mark.line += 1;
        }
        self.unroll_indent(-1, self.mark);
        self.remove_simple_key()?;
        self.simple_key_allowed = false;
        self.ended = true;
        self.push(TokenKind::StreamEnd, self.mark);
        Ok(())
    }

    fn fetch_document_indicator(&mut self, kind: TokenKind) -> Result<(), Error> {
        self.unroll_indent(-1, self.mark);
        self.remove_simple_key()?;
        self.simple_key_allowed = false;
        self.push_indicator(kind, 3);
        Ok(())
    }

    fn fetch_flow_start(&mut self, kind: TokenKind) -> Result<(), Error> {
        self.save_simple_key()?;
        let token_number = self.next_token_number();
        self.simple_keys.push(SimpleKey {
            possible: false,
            required: false,
            awaited: false,
            token_number,
            mark: self.mark,
        });
        if self.flow_level() > MAX_LEVELS {
            return Err(self.too_deep());
        }
        self.simple_key_allowed = true;
        self.push_indicator(kind, 1);
        Ok(())
    }

    fn fetch_flow_end(&mut self, kind: TokenKind) -> Result<(), Error> {
        self.remove_simple_key()?;
        if self.flow_level() > 0 {
            let closed = self.simple_keys.pop();
            // Parity: go-yaml: closing brackets without a key in them forgets
            // that tokens were held back for the brackets: `[]: a` is a list,
            // and what follows it is cut off.
            if let (Some(closed), Some(around)) = (closed, self.simple_keys.last_mut()) {
                around.awaited &= around.token_number != closed.token_number;
            }
        }
        self.simple_key_allowed = false;
        self.push_indicator(kind, 1);
        Ok(())
    }

    fn fetch_flow_entry(&mut self) -> Result<(), Error> {
        self.remove_simple_key()?;
        self.simple_key_allowed = true;
        self.push_indicator(TokenKind::FlowEntry, 1);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Result<(), Error> {
        // Inside brackets it is an error too, which the parser words better.
        if self.flow_level() == 0 {
            if !self.simple_key_allowed {
                return Err(self.fault("block sequence entries are not allowed in this context"));
            }
            self.roll_indent(None, TokenKind::BlockSequenceStart, self.mark)?;
        }
        self.remove_simple_key()?;
        self.simple_key_allowed = true;
        self.push_indicator(TokenKind::BlockEntry, 1);
        Ok(())
    }

    fn fetch_key(&mut self) -> Result<(), Error> {
        if self.flow_level() == 0 {
            if !self.simple_key_allowed {
                return Err(self.fault("mapping keys are not allowed in this context"));
            }
            self.roll_indent(None, TokenKind::BlockMappingStart, self.mark)?;
        }
        self.remove_simple_key()?;
        self.simple_key_allowed = self.flow_level() == 0;
        self.push_indicator(TokenKind::Key, 1);
        Ok(())
    }

    fn fetch_value(&mut self) -> Result<(), Error> {
        let level = self.flow_level();
        let key = self.simple_keys[level];
        if self.is_valid(level)? {
            // What was read is a key: say so before it, and open its mapping.
            self.insert(Some(key.token_number), TokenKind::Key.at(key.mark));
            self.roll_indent(
                Some(key.token_number),
                TokenKind::BlockMappingStart,
                key.mark,
            )?;
            self.simple_keys[level].possible = false;
            self.simple_keys[level].awaited = false;
            self.simple_key_allowed = false;
        } else {
            if level == 0 {
                if !self.simple_key_allowed {
                    return Err(self.fault("mapping values are not allowed in this context"));
                }
                self.roll_indent(None, TokenKind::BlockMappingStart, self.mark)?;
            }
            self.simple_key_allowed = level == 0;
        }
        self.push_indicator(TokenKind::Value, 1);
        Ok(())
    }

    // ---- levels and simple keys ----

    fn flow_level(&self) -> usize {
        self.simple_keys.len().saturating_sub(1)
    }

    fn next_token_number(&self) -> usize {
        self.taken + self.tokens.len()
    }

    fn too_deep(&self) -> Error {
        let problem = format!("exceeded max depth of {MAX_LEVELS}");
        let line = self.mark.line;
        Error::between(ErrorKind::Limit, line, line, 1, problem)
    }

    /// Can the candidate of that level still become a key? It is an error if it
    /// cannot but had to.
    fn is_valid(&mut self, level: usize) -> Result<bool, Error> {
        let key = self.simple_keys[level];
        if !key.possible {
            return Ok(false);
        }
        if key.mark.line < self.mark.line || key.mark.index + SIMPLE_KEY_LENGTH < self.mark.index {
            if key.required {
                return Err(self.fault_since(key.mark, "could not find expected ':'"));
            }
            self.simple_keys[level].possible = false;
            return Ok(false);
        }
        Ok(true)
    }

    /// Remembers that a simple key may start here.
    fn save_simple_key(&mut self) -> Result<(), Error> {
        if !self.simple_key_allowed {
            return Ok(());
        }
        let level = self.flow_level();
        let required = level == 0 && usize::try_from(self.indent) == Ok(self.mark.column);
        let token_number = self.next_token_number();
        self.remove_simple_key()?;
        self.simple_keys[level] = SimpleKey {
            possible: true,
            required,
            awaited: true,
            token_number,
            mark: self.mark,
        };
        Ok(())
    }

    fn remove_simple_key(&mut self) -> Result<(), Error> {
        let level = self.flow_level();
        let key = self.simple_keys[level];
        if key.possible && key.required {
            return Err(self.fault_since(key.mark, "could not find expected ':'"));
        }
        if key.possible {
            self.simple_keys[level].possible = false;
            self.simple_keys[level].awaited = false;
        }
        Ok(())
    }

    /// Opens a block collection if the column is beyond the indentation. The
    /// token goes before the one of that number, or last.
    fn roll_indent(
        &mut self,
        before: Option<usize>,
        kind: TokenKind,
        mark: Mark,
    ) -> Result<(), Error> {
        let column = isize::try_from(mark.column).unwrap_or(isize::MAX);
        if self.flow_level() > 0 || self.indent >= column {
            return Ok(());
        }
        self.indents.push(self.indent);
        self.indent = column;
        if self.indents.len() > MAX_LEVELS {
            return Err(self.too_deep());
        }
        self.insert(before, kind.at(mark));
        Ok(())
    }

    /// Puts a token before the one of that number, or last if that is gone.
    fn insert(&mut self, before: Option<usize>, token: Token) {
        match before.and_then(|number| number.checked_sub(self.taken)) {
            Some(index) => self.tokens.insert(index, token),
            None => self.tokens.push_back(token),
        }
    }

    /// Closes the block collections that are indented beyond the column. `scan` is
    /// where the white space before this place began.
    fn unroll_indent(&mut self, column: isize, scan: Mark) {
        if self.flow_level() > 0 {
            return;
        }
        let mut end = Mark {
            index: scan.index.saturating_sub(1),
            ..scan
        };
        while self.indent > column {
            let mark = if self.dialect.is_v2() {
                self.mark
            } else {
                end = self.end_of_block(end);
                end
            };
            self.tokens.push_back(TokenKind::BlockEnd.at(mark));
            self.indent = self.indents.pop().expect("each indentation was pushed");
        }
    }
}

/// The length of a character from its first byte.
fn width(first: u8) -> usize {
    match first {
        ..0x80 => 1,
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    }
}
