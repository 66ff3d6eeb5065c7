//! Splits the text of an expression into tokens.

use super::issues::Issue;
use super::value::Value;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    Literal(Value),
    /// Digits and base of an integer. The parser converts them, because the sign matters for
    /// the smallest integer.
    Int(String, u32),
    Sign(&'static str),
    End,
}

/// Operators and brackets. Longer ones precede their prefixes.
const SIGNS: [&str; 24] = [
    "==", "!=", "<=", ">=", "&&", "||", "[", "]", "{", "}", "(", ")", ".", ",", "?", ":", "-", "+",
    "*", "/", "%", "!", "<", ">",
];

/// Splits a text into tokens with their positions. The last token is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, Issue> {
    let mut lexer = Lexer {
        chars: text.chars().collect(),
        at: 0,
    };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank();
        let at = lexer.at;
        let token = lexer.token()?;
        let ends = token == Token::End;
        tokens.push((at, token));
        if ends {
            return Ok(tokens);
        }
    }
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn starts_with(&self, text: &str) -> bool {
        let mut texts = text.chars().enumerate();
        texts.all(|(ahead, wanted)| self.peek(ahead) == wanted)
    }

    fn skip_blank(&mut self) {
        loop {
            match self.peek(0) {
                ' ' | '\t' | '\r' | '\n' | '\u{c}' => self.at += 1,
                '/' if self.peek(1) == '/' => {
                    while self.at < self.chars.len() && self.peek(0) != '\n' {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    fn unknown<T>(&self, from: usize, to: usize) -> Result<T, Issue> {
        let found: String = self.chars[from..to.min(self.chars.len())].iter().collect();
        Issue::at(
            from,
            format!("Syntax error: token recognition error at: '{found}'"),
        )
    }

    fn token(&mut self) -> Result<Token, Issue> {
        let first = self.peek(0);
        if self.at >= self.chars.len() {
            return Ok(Token::End);
        }
        if first.is_ascii_digit() || (first == '.' && self.peek(1).is_ascii_digit()) {
            return self.number();
        }
        let prefix = (0..2)
            .take_while(|ahead| "rRbB".contains(self.peek(*ahead)))
            .count();
        if matches!(self.peek(prefix), '"' | '\'') && self.is_prefix(prefix) {
            return self.quoted(prefix);
        }
        if first.is_ascii_alphabetic() || first == '_' {
            let start = self.at;
            while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == '_' {
                self.at += 1;
            }
            return Ok(Token::Word(self.chars[start..self.at].iter().collect()));
        }
        match SIGNS.into_iter().find(|sign| self.starts_with(sign)) {
            Some(sign) => {
                self.at += sign.len();
                Ok(Token::Sign(sign))
            }
            None => self.unknown(self.at, self.at + 1),
        }
    }

    /// Whether the letters before a quote form a prefix: each of `r` and `b` at most once.
    fn is_prefix(&self, length: usize) -> bool {
        let letters = [self.peek(0), self.peek(1)].map(|letter| letter.to_ascii_lowercase());
        length < 2 || letters[0] != letters[1]
    }

    fn digits(&mut self, radix: u32) -> String {
        let start = self.at;
        while self.peek(0).is_digit(radix) {
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }

    fn number(&mut self) -> Result<Token, Issue> {
        let start = self.at;
        if self.starts_with("0x") && self.peek(2).is_ascii_hexdigit() {
            self.at += 2;
            let digits = self.digits(16);
            return self.integer(start, digits, 16);
        }
        let whole = self.digits(10);
        let mut is_float = false;
        if self.peek(0) == '.' && self.peek(1).is_ascii_digit() {
            is_float = true;
            self.at += 1;
            self.digits(10);
        }
        let signed = usize::from(matches!(self.peek(1), '+' | '-'));
        if matches!(self.peek(0), 'e' | 'E') && self.peek(1 + signed).is_ascii_digit() {
            is_float = true;
            self.at += 1 + signed;
            self.digits(10);
        }
        if !is_float {
            return self.integer(start, whole, 10);
        }
        let text: String = self.chars[start..self.at].iter().collect();
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Token::Literal(Value::Double(value))),
            _ => Issue::at(start, "invalid double literal"),
        }
    }

    fn integer(&mut self, start: usize, digits: String, radix: u32) -> Result<Token, Issue> {
        if !matches!(self.peek(0), 'u' | 'U') {
            return Ok(Token::Int(digits, radix));
        }
        self.at += 1;
        match u64::from_str_radix(&digits, radix) {
            Ok(value) => Ok(Token::Literal(Value::Uint(value))),
            Err(_) => Issue::at(start, "invalid uint literal"),
        }
    }

    fn quoted(&mut self, prefix: usize) -> Result<Token, Issue> {
        let start = self.at;
        let letters: String = self.chars[start..start + prefix].iter().collect();
        let has = |letter| letters.to_ascii_lowercase().contains(letter);
        let (is_raw, is_bytes) = (has('r'), has('b'));
        self.at += prefix;
        let quote = self.peek(0);
        let is_long = self.peek(1) == quote && self.peek(2) == quote;
        let width = if is_long { 3 } else { 1 };
        self.at += width;
        let mut bytes = Vec::new();
        loop {
            let next = self.peek(0);
            let ended = (0..width).all(|ahead| self.peek(ahead) == quote);
            if self.at >= self.chars.len() || (!is_long && matches!(next, '\n' | '\r')) {
                return self.unknown(start, self.at);
            }
            if ended {
                self.at += width;
                break;
            }
            self.at += 1;
            if next == '\\' && !is_raw {
                match self.escape(is_bytes) {
                    Some(escaped) => bytes.extend(escaped),
                    None => return self.unknown(start, self.at + 1),
                }
            } else {
                if next == '\\' {
                    // A raw string keeps the backslash, and the next character never ends it.
                    bytes.push(b'\\');
                    let after = self.peek(0);
                    self.at += 1;
                    push(&mut bytes, after);
                    continue;
                }
                push(&mut bytes, next);
            }
        }
        if is_bytes {
            return Ok(Token::Literal(Value::Bytes(bytes.into())));
        }
        let text = String::from_utf8_lossy(&bytes);
        Ok(Token::Literal(Value::string(&text)))
    }

    /// Reads the escape sequence after a backslash. A number is a byte in bytes literals and a
    /// character elsewhere.
    fn escape(&mut self, is_bytes: bool) -> Option<Vec<u8>> {
        let letter = self.peek(0);
        let single = match letter {
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'v' => 11,
            '\\' | '\'' | '"' | '`' | '?' => u8::try_from(letter).ok()?,
            _ => 0,
        };
        if single != 0 {
            self.at += 1;
            return Some(vec![single]);
        }
        let (skip, length, radix) = match letter {
            'x' | 'X' => (1, 2, 16),
            'u' if !is_bytes => (1, 4, 16),
            'U' if !is_bytes => (1, 8, 16),
            '0'..='3' => (0, 3, 8),
            _ => return None,
        };
        let from = self.at + skip;
        let digits: String = self.chars.get(from..from + length)?.iter().collect();
        let code = u32::from_str_radix(&digits, radix).ok()?;
        let mut bytes = Vec::new();
        if is_bytes {
            bytes.push(u8::try_from(code).ok()?);
        } else {
            push(&mut bytes, char::from_u32(code)?);
        }
        self.at = from + length;
        Some(bytes)
    }
}

fn push(bytes: &mut Vec<u8>, character: char) {
    let mut buffer = [0; 4];
    bytes.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
}
