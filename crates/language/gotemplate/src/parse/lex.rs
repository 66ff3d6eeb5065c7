//! Cuts a template into tokens. As in Go, the first fault is the last token.
//!
//! The file is long because all kinds of tokens move the position of one lexer.

use std::borrow::Cow;

use sluice_golang::quote::quote_bytes;
use sluice_golang::unicode::{is_digit, is_letter, is_print};

const LEFT_COMMENT: &[u8] = b"/*";
const RIGHT_COMMENT: &[u8] = b"*/";
/// The length of a trim marker with its space.
const MARKER: usize = 2;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Error,
    Bool,
    Char,
    CharConstant,
    Complex,
    Assign,
    Declare,
    Eof,
    Field,
    Identifier,
    LeftDelim,
    LeftParen,
    Number,
    Pipe,
    RawString,
    RightDelim,
    RightParen,
    Space,
    String,
    Text,
    Variable,
    Dot,
    Block,
    Break,
    Continue,
    Define,
    Else,
    End,
    If,
    Nil,
    Range,
    Template,
    With,
}

impl Kind {
    const fn is_keyword(self) -> bool {
        matches!(
            self,
            Self::Dot
                | Self::Block
                | Self::Break
                | Self::Continue
                | Self::Define
                | Self::Else
                | Self::End
                | Self::If
                | Self::Nil
                | Self::Range
                | Self::Template
                | Self::With
        )
    }
}

fn keyword(word: &[u8]) -> Option<Kind> {
    Some(match word {
        b"." => Kind::Dot,
        b"block" => Kind::Block,
        b"break" => Kind::Break,
        b"continue" => Kind::Continue,
        b"define" => Kind::Define,
        b"else" => Kind::Else,
        b"end" => Kind::End,
        b"if" => Kind::If,
        b"range" => Kind::Range,
        b"nil" => Kind::Nil,
        b"template" => Kind::Template,
        b"with" => Kind::With,
        _ => return None,
    })
}

/// A token, as a place in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) line: u32,
}

/// The left and right delimiter of actions.
#[derive(Debug, Clone)]
pub(super) struct Delimiters {
    pub(super) left: Vec<u8>,
    pub(super) right: Vec<u8>,
}

pub(super) struct Lexer<'t> {
    text: &'t [u8],
    delimiters: Delimiters,
    position: usize,
    start: usize,
    line: u32,
    start_line: u32,
    parens: u32,
    is_inside: bool,
    error: Option<String>,
    /// Whether `break` and `continue` are words of the language, not functions.
    pub(super) has_break: bool,
    pub(super) has_continue: bool,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t [u8], delimiters: Delimiters) -> Self {
        Self {
            text,
            delimiters,
            position: 0,
            start: 0,
            line: 1,
            start_line: 1,
            parens: 0,
            is_inside: false,
            error: None,
            has_break: true,
            has_continue: true,
        }
    }

    /// The text of a token.
    pub(super) fn text(&self, token: Token) -> &'t [u8] {
        &self.text[token.start as usize..token.end as usize]
    }

    /// The token as errors show it.
    pub(super) fn display_token(&self, token: Token) -> String {
        let text = self.text(token);
        match token.kind {
            Kind::Eof => "EOF".to_owned(),
            Kind::Error => self.error.clone().unwrap_or_default(),
            kind if kind.is_keyword() => format!("<{}>", String::from_utf8_lossy(text)),
            _ if text.len() > 10 => format!("{}...", quote_bytes(first_runes(text, 10))),
            _ => quote_bytes(text),
        }
    }

    pub(super) fn next_token(&mut self) -> Token {
        if self.error.is_some() {
            return self.token(Kind::Eof, self.start_line);
        }
        if self.is_inside {
            self.inside_action()
        } else {
            self.outside()
        }
    }

    fn rest(&self) -> &'t [u8] {
        &self.text[self.position.min(self.text.len())..]
    }

    fn peek(&self) -> Option<char> {
        decode(self.rest()).map(|(next, _)| next)
    }

    fn next(&mut self) -> Option<char> {
        let (next, width) = decode(self.rest())?;
        self.position += width;
        if next == '\n' {
            self.line += 1;
        }
        Some(next)
    }

    fn token(&mut self, kind: Kind, line: u32) -> Token {
        let token = Token {
            kind,
            start: narrow(self.start),
            end: narrow(self.position),
            line,
        };
        self.start = self.position;
        self.start_line = self.line;
        token
    }

    fn emit(&mut self, kind: Kind) -> Token {
        self.token(kind, self.start_line)
    }

    fn count_lines(&mut self) {
        let skipped = &self.text[self.start..self.position];
        let lines = skipped.split(|byte| *byte == b'\n').count() - 1;
        self.line += narrow(lines);
    }

    /// Skips what was read since the last token.
    fn ignore(&mut self) {
        self.count_lines();
        self.start = self.position;
        self.start_line = self.line;
    }

    fn fail(&mut self, message: impl Into<String>) -> Token {
        self.error = Some(message.into());
        Token {
            kind: Kind::Error,
            start: narrow(self.start),
            end: narrow(self.start),
            line: self.start_line,
        }
    }

    /// Text up to the next action, and the comments in between.
    fn outside(&mut self) -> Token {
        loop {
            let rest = self.rest();
            let Some(found) = find(rest, &self.delimiters.left) else {
                self.position = self.text.len();
                if self.position > self.start {
                    self.count_lines();
                    return self.emit(Kind::Text);
                }
                return self.emit(Kind::Eof);
            };
            if found > 0 {
                self.position += found;
                let after = self.position + self.delimiters.left.len();
                let trimmed = if has_left_marker(&self.text[after..]) {
                    trailing_spaces(&self.text[self.start..self.position])
                } else {
                    0
                };
                self.position -= trimmed;
                self.count_lines();
                let text = self.emit(Kind::Text);
                self.position += trimmed;
                self.ignore();
                if text.end > text.start {
                    return text;
                }
            }
            if let Some(token) = self.left_delimiter() {
                return token;
            }
        }
    }

    /// The left delimiter; `None` after a comment, which gives no token.
    fn left_delimiter(&mut self) -> Option<Token> {
        self.position += self.delimiters.left.len();
        let marker = if has_left_marker(self.rest()) {
            MARKER
        } else {
            0
        };
        if self.text[self.position + marker..].starts_with(LEFT_COMMENT) {
            self.position += marker;
            self.ignore();
            return self.comment();
        }
        let token = self.emit(Kind::LeftDelim);
        self.is_inside = true;
        self.position += marker;
        self.ignore();
        self.parens = 0;
        Some(token)
    }

    /// Skips a comment; a token only if it is not ended well.
    fn comment(&mut self) -> Option<Token> {
        self.position += LEFT_COMMENT.len();
        let Some(end) = find(self.rest(), RIGHT_COMMENT) else {
            return Some(self.fail("unclosed comment"));
        };
        self.position += end + RIGHT_COMMENT.len();
        let Some(trims) = self.at_right_delimiter() else {
            return Some(self.fail("comment ends before closing delimiter"));
        };
        self.count_lines();
        self.start = self.position;
        if trims {
            self.position += MARKER;
        }
        self.position += self.delimiters.right.len();
        if trims {
            self.position += leading_spaces(self.rest());
        }
        self.ignore();
        None
    }

    /// Whether a right delimiter is next, and if so whether it trims.
    fn at_right_delimiter(&self) -> Option<bool> {
        let rest = self.rest();
        if has_right_marker(rest) && rest[MARKER..].starts_with(&self.delimiters.right) {
            Some(true)
        } else if rest.starts_with(&self.delimiters.right) {
            Some(false)
        } else {
            None
        }
    }

    fn right_delimiter(&mut self) -> Token {
        let trims = self.at_right_delimiter() == Some(true);
        if trims {
            self.position += MARKER;
            self.ignore();
        }
        self.position += self.delimiters.right.len();
        let token = self.emit(Kind::RightDelim);
        if trims {
            self.position += leading_spaces(self.rest());
            self.ignore();
        }
        self.is_inside = false;
        token
    }

    fn inside_action(&mut self) -> Token {
        if self.at_right_delimiter().is_some() {
            if self.parens == 0 {
                return self.right_delimiter();
            }
            return self.fail("unclosed left paren");
        }
        let Some(next) = self.peek() else {
            return self.fail("unclosed action");
        };
        if is_space(next) {
            return self.space();
        }
        if matches!(next, '+' | '-' | '0'..='9') {
            return self.number();
        }
        if next == '.' {
            let after = self.rest().get(1);
            if after.is_some_and(|byte| !byte.is_ascii_digit()) {
                self.next();
                return self.field_or_variable(Kind::Field);
            }
            return self.number();
        }
        if is_alphanumeric(next) {
            return self.identifier();
        }
        self.next();
        match next {
            '=' => self.emit(Kind::Assign),
            ':' => {
                if self.next() == Some('=') {
                    self.emit(Kind::Declare)
                } else {
                    self.fail("expected :=")
                }
            }
            '|' => self.emit(Kind::Pipe),
            '"' => self.quoted('"', Kind::String, "unterminated quoted string"),
            '\'' => self.quoted('\'', Kind::CharConstant, "unterminated character constant"),
            '`' => self.raw(),
            '$' => self.field_or_variable(Kind::Variable),
            '(' => {
                self.parens += 1;
                self.emit(Kind::LeftParen)
            }
            ')' => match self.parens.checked_sub(1) {
                Some(parens) => {
                    self.parens = parens;
                    self.emit(Kind::RightParen)
                }
                None => self.fail("unexpected right paren"),
            },
            next if next.is_ascii() && is_print(next) => self.emit(Kind::Char),
            next => self.fail(format!(
                "unrecognized character in action: {}",
                unicode(next)
            )),
        }
    }

    /// Spaces between arguments; the last one may belong to a trim marker.
    fn space(&mut self) -> Token {
        let mut count = 0;
        while self.peek().is_some_and(is_space) {
            self.next();
            count += 1;
        }
        let before = &self.text[self.position - 1..];
        if has_right_marker(before) && before[MARKER..].starts_with(&self.delimiters.right) {
            self.position -= 1;
            if self.text[self.position] == b'\n' {
                self.line -= 1;
            }
            if count == 1 {
                return self.right_delimiter();
            }
        }
        self.emit(Kind::Space)
    }

    fn skip_alphanumeric(&mut self) {
        while self.peek().is_some_and(is_alphanumeric) {
            self.next();
        }
    }

    fn bad_character(&mut self) -> Token {
        let next = self.peek().unwrap_or(char::REPLACEMENT_CHARACTER);
        self.fail(format!("bad character {}", unicode(next)))
    }

    fn identifier(&mut self) -> Token {
        self.skip_alphanumeric();
        if !self.at_terminator() {
            return self.bad_character();
        }
        let word = &self.text[self.start..self.position];
        let kind = match keyword(word) {
            Some(Kind::Break) if !self.has_break => Kind::Identifier,
            Some(Kind::Continue) if !self.has_continue => Kind::Identifier,
            Some(kind) => kind,
            None if word == b"true" || word == b"false" => Kind::Bool,
            None => Kind::Identifier,
        };
        self.emit(kind)
    }

    fn field_or_variable(&mut self, kind: Kind) -> Token {
        if self.at_terminator() {
            return self.emit(if kind == Kind::Field { Kind::Dot } else { kind });
        }
        self.skip_alphanumeric();
        if !self.at_terminator() {
            return self.bad_character();
        }
        self.emit(kind)
    }

    /// Whether a word ends here.
    fn at_terminator(&self) -> bool {
        match self.peek() {
            None | Some('.' | ',' | '|' | ':' | ')' | '(') => true,
            Some(next) => is_space(next) || self.rest().starts_with(&self.delimiters.right),
        }
    }

    fn quoted(&mut self, quote: char, kind: Kind, message: &str) -> Token {
        loop {
            match self.next() {
                Some('\\') => {
                    if matches!(self.next(), None | Some('\n')) {
                        return self.fail(message);
                    }
                }
                None | Some('\n') => return self.fail(message),
                Some(next) if next == quote => return self.emit(kind),
                Some(_) => {}
            }
        }
    }

    fn raw(&mut self) -> Token {
        loop {
            match self.next() {
                None => return self.fail("unterminated raw quoted string"),
                Some('`') => return self.emit(Kind::RawString),
                Some(_) => {}
            }
        }
    }

    fn number(&mut self) -> Token {
        let mut is_sound = self.scan_number();
        let mut kind = Kind::Number;
        if is_sound && matches!(self.peek(), Some('+' | '-')) {
            kind = Kind::Complex;
            is_sound = self.scan_number() && self.text[self.position - 1] == b'i';
        }
        if is_sound {
            return self.emit(kind);
        }
        let text = quote_bytes(&self.text[self.start..self.position]);
        self.fail(format!("bad number syntax: {text}"))
    }

    fn accept(&mut self, valid: &str) -> bool {
        let accepted = self.peek().is_some_and(|next| valid.contains(next));
        if accepted {
            self.next();
        }
        accepted
    }

    fn accept_run(&mut self, valid: &str) {
        while self.accept(valid) {}
    }

    fn scan_number(&mut self) -> bool {
        const DECIMAL: &str = "0123456789_";
        const HEXADECIMAL: &str = "0123456789abcdefABCDEF_";
        self.accept("+-");
        let mut digits = DECIMAL;
        if self.accept("0") {
            if self.accept("xX") {
                digits = HEXADECIMAL;
            } else if self.accept("oO") {
                digits = "01234567_";
            } else if self.accept("bB") {
                digits = "01_";
            }
        }
        self.accept_run(digits);
        if self.accept(".") {
            self.accept_run(digits);
        }
        let exponent = match digits {
            DECIMAL => "eE",
            HEXADECIMAL => "pP",
            _ => "",
        };
        if self.accept(exponent) {
            self.accept("+-");
            self.accept_run(DECIMAL);
        }
        self.accept("i");
        if self.peek().is_some_and(is_alphanumeric) {
            self.next();
            return false;
        }
        true
    }
}

/// Places are kept in 32 bits; a template of 4 GiB does not get here.
fn narrow(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// The next character, U+FFFD for a byte that begins none.
fn decode(text: &[u8]) -> Option<(char, usize)> {
    let first = *text.first()?;
    if first.is_ascii() {
        return Some((char::from(first), 1));
    }
    let head = &text[..text.len().min(4)];
    let chunk = head.utf8_chunks().next()?;
    Some(match chunk.valid().chars().next() {
        Some(next) => (next, next.len_utf8()),
        None => (char::REPLACEMENT_CHARACTER, 1),
    })
}

fn first_runes(text: &[u8], count: usize) -> &[u8] {
    let mut end = 0;
    for _ in 0..count {
        match decode(&text[end..]) {
            Some((_, width)) => end += width,
            None => break,
        }
    }
    &text[..end]
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    let (first, rest) = part.split_first()?;
    let mut from = 0;
    while let Some(at) = text[from..].iter().position(|byte| byte == first) {
        let found = from + at;
        if text[found + 1..].starts_with(rest) {
            return Some(found);
        }
        from = found + 1;
    }
    None
}

fn has_left_marker(text: &[u8]) -> bool {
    matches!(text, [b'-', space, ..] if is_space(char::from(*space)))
}

fn has_right_marker(text: &[u8]) -> bool {
    matches!(text, [space, b'-', ..] if is_space(char::from(*space)))
}

fn trailing_spaces(text: &[u8]) -> usize {
    let spaces = text.iter().rev();
    spaces
        .take_while(|byte| is_space(char::from(**byte)))
        .count()
}

fn leading_spaces(text: &[u8]) -> usize {
    let spaces = text.iter();
    spaces
        .take_while(|byte| is_space(char::from(**byte)))
        .count()
}

const fn is_space(next: char) -> bool {
    matches!(next, ' ' | '\t' | '\r' | '\n')
}

fn is_alphanumeric(next: char) -> bool {
    next == '_' || is_letter(next) || is_digit(next)
}

/// A character as `%#U` shows it.
fn unicode(next: char) -> Cow<'static, str> {
    let code = format!("U+{:04X}", u32::from(next));
    if is_print(next) {
        Cow::Owned(format!("{code} '{next}'"))
    } else {
        Cow::Owned(code)
    }
}
