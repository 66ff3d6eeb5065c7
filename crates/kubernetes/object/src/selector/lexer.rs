//! Splits a selector into tokens.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    End,
    Word,
    In,
    NotIn,
    Open,
    Close,
    Comma,
    Not,
    Equal,
    NotEqual,
    Above,
    Below,
}

#[derive(Debug)]
pub(super) struct Token<'a> {
    pub(super) symbol: Symbol,
    pub(super) text: &'a str,
}

/// Splits a text into tokens. The last one is `End`, and a NUL ends the text as in Go.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut rest = text.split('\0').next().unwrap_or("");
    let mut tokens = Vec::new();
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        let Some(first) = rest.chars().next() else {
            break;
        };
        let (symbol, length) = match first {
            '(' => (Symbol::Open, 1),
            ')' => (Symbol::Close, 1),
            ',' => (Symbol::Comma, 1),
            '>' => (Symbol::Above, 1),
            '<' => (Symbol::Below, 1),
            '!' if rest.starts_with("!=") => (Symbol::NotEqual, 2),
            '!' => (Symbol::Not, 1),
            '=' if rest.starts_with("==") => (Symbol::Equal, 2),
            '=' => (Symbol::Equal, 1),
            _ => {
                let length = rest.find(is_delimiter).unwrap_or(rest.len());
                let symbol = match &rest[..length] {
                    "in" => Symbol::In,
                    "notin" => Symbol::NotIn,
                    _ => Symbol::Word,
                };
                (symbol, length)
            }
        };
        let (text, after) = rest.split_at(length);
        tokens.push(Token { symbol, text });
        rest = after;
    }
    tokens.push(Token {
        symbol: Symbol::End,
        text: "",
    });
    tokens
}

fn is_delimiter(character: char) -> bool {
    matches!(
        character,
        ' ' | '\t' | '\r' | '\n' | '=' | '!' | '(' | ')' | ',' | '>' | '<'
    )
}
