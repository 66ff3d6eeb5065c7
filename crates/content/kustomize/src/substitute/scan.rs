//! The scanner of the substitution grammar.
//!
//! Parity: `fluxcd/pkg`: `envsubst/parse/scan.go`. Before each token, the parser sets which
//! characters and other tokens are accepted. Its quirks are part of the language: a NUL ends
//! the text, and offsets count bytes.
//!
//! Upstream removes escape characters from its buffer. Here their positions are recorded and
//! left out of the token, so many escapes are not slower than few.

use sluice_golang::unicode;

/// Which tokens may come next.
#[derive(Clone, Copy, Default)]
pub(super) struct Mode {
    pub(super) identifier: bool,
    pub(super) open: bool,
    pub(super) close: bool,
    pub(super) escape: bool,
}

impl Mode {
    pub(super) const IDENTIFIER: Self = Self {
        identifier: true,
        open: false,
        close: false,
        escape: false,
    };

    pub(super) const CLOSE: Self = Self {
        identifier: false,
        open: false,
        close: true,
        escape: false,
    };
}

/// Which characters an identifier may have, some depending on their position.
#[derive(Clone, Copy)]
pub(super) enum Accept {
    Any,
    Name,
    Colon,
    OneColon,
    OneHash,
    OneEqual,
    Slash,
    NotSlash,
    NotClosing,
    NotColonOrClosing,
    Hashes,
    Percents,
    Casing,
    Default,
    Replace,
}

impl Accept {
    /// `offset` is the offset after the character, from the start of the token.
    fn takes(self, rune: char, offset: usize) -> bool {
        match self {
            Self::Any => true,
            Self::Name => unicode::is_letter(rune) || unicode::is_digit(rune) || rune == '_',
            Self::Colon => rune == ':',
            Self::OneColon => rune == ':' && offset == 1,
            Self::OneHash => rune == '#' && offset == 1,
            Self::OneEqual => rune == '=' && offset == 1,
            Self::Slash => rune == '/',
            Self::NotSlash => rune != '/',
            Self::NotClosing => rune != '}',
            Self::NotColonOrClosing => rune != ':' && rune != '}',
            Self::Hashes => rune == '#' && offset < 3,
            Self::Percents => rune == '%' && offset < 3,
            Self::Casing => matches!(rune, ',' | '^') && offset < 3,
            Self::Default => match offset {
                1 => rune == ':',
                2 => matches!(rune, '=' | '-' | '?' | '+'),
                _ => false,
            },
            Self::Replace => match offset {
                1 => rune == '/',
                2 => matches!(rune, '/' | '#' | '%'),
                _ => false,
            },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Illegal,
    End,
    Identifier,
    Open,
    Close,
}

/// The end of the text. A NUL in the text has the same effect.
const END: char = '\0';

pub(super) struct Scanner<'t> {
    text: &'t [u8],
    position: usize,
    start: usize,
    /// The width of the last character, in bytes.
    width: usize,
    /// The positions of escape characters in the token.
    removed: Vec<usize>,
    pub(super) accept: Accept,
    pub(super) mode: Mode,
    /// Whether a backslash escapes, in addition to a dollar.
    pub(super) backslash: bool,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            position: 0,
            start: 0,
            width: 0,
            removed: Vec::new(),
            accept: Accept::Any,
            mode: Mode::default(),
            backslash: false,
        }
    }

    pub(super) fn read(&mut self) -> char {
        let (rune, width) = match self.text.get(self.position..) {
            None | Some([]) => (END, 0),
            Some(rest) => decode(rest),
        };
        self.width = width;
        self.position += width;
        rune
    }

    /// Goes back by the width of the last character.
    pub(super) fn unread(&mut self) {
        self.position -= self.width;
    }

    pub(super) fn peek(&mut self) -> char {
        let rune = self.read();
        self.unread();
        rune
    }

    /// Returns the text of the last token.
    pub(super) fn text(&self) -> Vec<u8> {
        let mut text = Vec::with_capacity(self.position - self.start);
        let mut from = self.start;
        for removed in &self.removed {
            text.extend_from_slice(&self.text[from..*removed]);
            from = removed + 1;
        }
        text.extend_from_slice(&self.text[from..self.position]);
        text
    }

    pub(super) fn scan(&mut self) -> Token {
        self.start = self.position;
        self.removed.clear();
        let rune = self.read();
        if rune == END {
            Token::End
        } else if self.opens(rune) {
            Token::Open
        } else if self.mode.close && rune == '}' {
            Token::Close
        } else if self.identifies(rune) {
            Token::Identifier
        } else {
            Token::Illegal
        }
    }

    /// Scans the rest of an identifier.
    fn identifies(&mut self, first: char) -> bool {
        if !self.mode.identifier {
            return false;
        }
        if self.escapes(first) {
            self.skip_escape();
        } else if !self.accept.takes(first, self.offset()) {
            return false;
        }
        loop {
            let rune = self.read();
            if rune == END {
                self.unread();
                return true;
            }
            if self.opens(rune) {
                // Both characters have one byte.
                self.unread();
                self.unread();
                return true;
            }
            if self.escapes(rune) {
                self.skip_escape();
            } else if !self.accept.takes(rune, self.offset()) {
                self.unread();
                return true;
            }
        }
    }

    fn offset(&self) -> usize {
        self.position - self.start - self.removed.len()
    }

    fn opens(&mut self, rune: char) -> bool {
        if !self.mode.open || rune != '$' {
            return false;
        }
        if self.read() == '{' {
            return true;
        }
        self.unread();
        false
    }

    fn escapes(&mut self, rune: char) -> bool {
        if !self.mode.escape {
            return false;
        }
        match rune {
            '$' => self.peek() == '$',
            '\\' => self.backslash && matches!(self.peek(), '/' | '\\'),
            _ => false,
        }
    }

    /// Leaves out the escape character and accepts the escaped one.
    fn skip_escape(&mut self) {
        self.removed.push(self.position - 1);
        self.position += 1;
    }
}

/// Decodes the first character and its width; invalid UTF-8 counts byte by byte.
pub(super) fn decode(text: &[u8]) -> (char, usize) {
    let Some(first) = text.first() else {
        return (char::REPLACEMENT_CHARACTER, 0);
    };
    let length = match first {
        0..0x80 => return (char::from(*first), 1),
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return (char::REPLACEMENT_CHARACTER, 1),
    };
    let decoded = text.get(..length).map(std::str::from_utf8);
    match decoded {
        Some(Ok(decoded)) => (
            decoded
                .chars()
                .next()
                .expect("a decoded sequence is a character"),
            length,
        ),
        _ => (char::REPLACEMENT_CHARACTER, 1),
    }
}
