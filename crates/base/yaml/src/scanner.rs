//! Characters to tokens, by the rules of libyaml.
//!
//! YAML's grammar depends on indentation, and a key is known as a key only at its `:`. The
//! scanner keeps a stack of indentations and turns changes into tokens. It holds tokens back
//! while the first one can still become a *simple key* (a key without `?`). At the `:` it inserts
//! a `Key` token before the key.
//!
//! Scalars are in `scalar`; anchors, tags and directives in `property`; comments, which only
//! go-yaml v3 reads, in `comment`.
//!
//! The file is long because every token changes the same stacks of indentations and keys.
//!
//! Parity: go-yaml: scannerc.go, including its limits: 10,000 levels of indentation and of
//! brackets; a simple key is on one line and has at most 1,024 characters. A byte order mark
//! inside the text is content.

use std::collections::VecDeque;

use crate::event::Mark;
use crate::{Dialect, Error, ErrorKind};

mod comment;
mod property;
mod scalar;
mod token;

pub(crate) use comment::Comment;
pub(crate) use token::{Token, TokenKind};

/// Maximum nesting of brackets, and separately of indentation.
const MAX_LEVELS: usize = 10_000;

/// Maximum distance between the start of a simple key and its `:`.
const SIMPLE_KEY_LENGTH: usize = 1024;

pub(crate) struct Scanner<'a> {
    input: &'a [u8],
    mark: Mark,
    tokens: VecDeque<Token>,
    dialect: Dialect,
    /// Number of tokens to read before the first is returned.
    lookahead: usize,
    /// Number of tokens taken, which numbers the tokens.
    taken: usize,
    /// The first token is final: no `Key` can be inserted before it.
    head_is_final: bool,
    started: bool,
    ended: bool,
    /// Current indentation; -1 outside of block collections.
    indent: isize,
    indents: Vec<isize>,
    /// One candidate per bracket level, with the block level first.
    simple_keys: Vec<SimpleKey>,
    /// A simple key may start here.
    simple_key_allowed: bool,
    /// Number of line breaks since the last character other than white space.
    newlines: usize,
    /// Comments that the parser has not taken.
    comments: VecDeque<Comment>,
}

/// A position where a simple key may have started.
#[derive(Debug, Clone, Copy)]
struct SimpleKey {
    possible: bool,
    /// The indentation requires a key here; otherwise the text is invalid.
    required: bool,
    /// Tokens are held back for this candidate.
    awaited: bool,
    token_number: usize,
    mark: Mark,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str, dialect: Dialect) -> Self {
        Self {
            input: text.as_bytes(),
            mark: Mark::default(),
            tokens: VecDeque::new(),
            dialect,
            // Version 3 searches for comments two tokens ahead, so it reports scanner errors
            // there before parser errors here.
            lookahead: if dialect == Dialect::V3 { 3 } else { 1 },
            taken: 0,
            head_is_final: false,
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

    /// Returns the next token without taking it.
    pub(crate) fn peek(&mut self) -> Result<&Token, Error> {
        self.finish_head()?;
        Ok(self.tokens.front().expect("finish_head leaves a token"))
    }

    /// Takes the next token.
    pub(crate) fn take(&mut self) -> Result<Token, Error> {
        self.finish_head()?;
        self.head_is_final = false;
        self.taken += 1;
        Ok(self.tokens.pop_front().expect("finish_head leaves a token"))
    }

    // Characters

    /// Returns a byte by its distance from here, or zero past the end. Texts contain no zero byte.
    fn byte(&self, ahead: usize) -> u8 {
        self.input
            .get(self.mark.offset + ahead)
            .copied()
            .unwrap_or(0)
    }

    fn is_end(&self) -> bool {
        self.mark.offset >= self.input.len()
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

    /// Reports whether the character may be part of an anchor name: a letter, a digit, `_` or `-`.
    fn is_word(&self) -> bool {
        matches!(self.byte(0), b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-')
    }

    fn skip(&mut self) {
        if !self.is_blank(0) {
            self.newlines = 0;
        }
        self.mark.offset += width(self.byte(0));
        self.mark.index += 1;
        self.mark.column += 1;
    }

    fn skip_line(&mut self) {
        if self.byte(0) == b'\r' && self.byte(1) == b'\n' {
            self.mark.offset += 2;
            self.mark.index += 2;
        } else if self.is_break(0) {
            self.mark.offset += width(self.byte(0));
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

    /// Appends the current character and moves past it.
    fn read(&mut self, out: &mut Vec<u8>) {
        let end = self.input.len().min(self.mark.offset + width(self.byte(0)));
        out.extend_from_slice(&self.input[self.mark.offset..end]);
        self.skip();
    }

    /// Moves past the ASCII characters from here on that a rule takes, and returns them.
    fn take_run(&mut self, is_taken: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = &self.input[self.mark.offset.min(self.input.len())..];
        let is_end = |byte: &u8| !byte.is_ascii() || !is_taken(*byte);
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        let run = &rest[..length];
        if run.iter().any(|byte| !matches!(byte, b' ' | b'\t')) {
            self.newlines = 0;
        }
        self.mark.offset += length;
        self.mark.index += length;
        self.mark.column += length;
        run
    }

    /// Appends the current line break, normalized, and moves past it.
    fn read_line(&mut self, out: &mut Vec<u8>) {
        match self.byte(0) {
            // The line and paragraph separators are kept.
            0xe2 => out.extend_from_slice(&self.input[self.mark.offset..self.mark.offset + 3]),
            _ => out.push(b'\n'),
        }
        self.skip_line();
    }

    /// Reports whether a line starts here with `---` or `...`.
    fn is_document_indicator(&self) -> bool {
        self.mark.column == 0
            && matches!(
                self.input.get(self.mark.offset..self.mark.offset + 3),
                Some(b"---" | b"...")
            )
            && self.is_blank_or_end(3)
    }

    /// Returns an error at this position.
    fn error_here(&self, problem: &str) -> Error {
        self.error_in(self.mark, problem)
    }

    /// Returns an error at this position in a construct that started earlier.
    fn error_in(&self, began: Mark, problem: &str) -> Error {
        Error::between(ErrorKind::Syntax, began.line, self.mark.line, 1, problem)
    }

    // Tokens

    /// Reads until the first token is final. The flag matters: a parser peeks at each token often.
    fn finish_head(&mut self) -> Result<(), Error> {
        if !self.head_is_final {
            self.fetch_more()?;
            self.head_is_final = true;
        }
        Ok(())
    }

    fn fetch_more(&mut self) -> Result<(), Error> {
        loop {
            if self.tokens.len() >= self.lookahead {
                // The first token can be returned once it cannot become a key.
                let Some(index) = self.candidate(self.taken) else {
                    break;
                };
                if !self.is_valid(index)? {
                    break;
                }
            } else if self.ended {
                // A parser that reads past the end gets the end token again.
                self.tokens.push_back(TokenKind::StreamEnd.at(self.mark));
                continue;
            }
            self.fetch_next()?;
        }
        Ok(())
    }

    /// Returns the level whose candidate is the given token. Token numbers never decrease along
    /// the stack, because a level is frozen while deeper ones exist.
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

    /// Adds the token of an indicator with `length` characters.
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
        // A comment after `:` or `,` belongs to the token before it.
        let owner = match (self.byte(0), self.flow_level() > 0, self.tokens.back()) {
            (b':', false, Some(last)) | (b',', true, Some(last)) => last.start,
            _ => self.mark,
        };
        self.fetch_content()?;
        // A comment after `-` is the head comment of the item.
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
                Err(self.error_here("found character that cannot start any token"))
            }
            _ => self.fetch_plain_scalar(),
        }
    }

    /// Skips white space and comments. In a block, a tab is not skipped where a key may start,
    /// because it would count as indentation.
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
            // Parity: go-yaml: closing brackets without a simple key inside forgets that tokens
            // are held back for the brackets. So `[]: a` is a list, and the rest is lost.
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
        // Inside brackets the parser reports the better error.
        if self.flow_level() == 0 {
            if !self.simple_key_allowed {
                return Err(
                    self.error_here("block sequence entries are not allowed in this context")
                );
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
                return Err(self.error_here("mapping keys are not allowed in this context"));
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
            // The candidate is a key: insert its token and open the mapping.
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
                    return Err(self.error_here("mapping values are not allowed in this context"));
                }
                self.roll_indent(None, TokenKind::BlockMappingStart, self.mark)?;
            }
            self.simple_key_allowed = level == 0;
        }
        self.push_indicator(TokenKind::Value, 1);
        Ok(())
    }

    // Levels and simple keys

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

    /// Reports whether the candidate of a level can still become a key. Fails if it must be a key
    /// but cannot.
    fn is_valid(&mut self, level: usize) -> Result<bool, Error> {
        let key = self.simple_keys[level];
        if !key.possible {
            return Ok(false);
        }
        if key.mark.line < self.mark.line || key.mark.index + SIMPLE_KEY_LENGTH < self.mark.index {
            if key.required {
                return Err(self.error_in(key.mark, "could not find expected ':'"));
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
            return Err(self.error_in(key.mark, "could not find expected ':'"));
        }
        if key.possible {
            self.simple_keys[level].possible = false;
            self.simple_keys[level].awaited = false;
        }
        Ok(())
    }

    /// Opens a block collection if the column is beyond the indentation. The token goes before
    /// the given token, or last.
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

    /// Inserts a token before the given token, or adds it last if that one is taken.
    fn insert(&mut self, before: Option<usize>, token: Token) {
        match before.and_then(|number| number.checked_sub(self.taken)) {
            Some(index) => self.tokens.insert(index, token),
            None => self.tokens.push_back(token),
        }
    }

    /// Closes the block collections indented beyond the column. `scan` is the start of the white
    /// space before this position.
    fn unroll_indent(&mut self, column: isize, scan: Mark) {
        if self.flow_level() > 0 {
            return;
        }
        let mut end = Mark {
            index: scan.index.saturating_sub(1),
            offset: scan.offset.saturating_sub(1),
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

/// Returns the length of a character in bytes from its first byte.
fn width(first: u8) -> usize {
    match first {
        ..0x80 => 1,
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    }
}
