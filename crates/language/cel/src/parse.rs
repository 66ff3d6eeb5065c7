//! Parses an expression into a syntax tree.

use super::issues::Issue;
use super::macros;
use super::token::{Token, tokens};
use super::tree::{Kind, MAX_DEPTH, Node, too_deep};
use super::value::Value;

/// Maximum number of characters, as in cel-go.
const MAX_LENGTH: usize = 100_000;

/// Reserved words, which cannot be identifiers.
pub const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

const EXPECTED: &str = "expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

type Result<T> = std::result::Result<T, Issue>;

/// Parses an expression.
pub(super) fn parse(text: &str) -> Result<Node> {
    let length = text.chars().count();
    if length > MAX_LENGTH {
        return Err(Issue {
            at: 0,
            message: format!(
                "expression code point size exceeds limit: size: {length}, limit {MAX_LENGTH}"
            ),
        });
    }
    let mut parser = Parser {
        tokens: tokens(text)?,
        next: 0,
        depth: 0,
    };
    let node = parser.expression()?;
    match parser.peek() {
        Token::End => Ok(node),
        Token::Sign(":") => parser.syntax("mismatched", "expecting <EOF>"),
        _ => parser.syntax("extraneous", "expecting <EOF>"),
    }
}

fn integer(at: usize, digits: &str, radix: u32) -> Result<Node> {
    match i64::from_str_radix(digits, radix) {
        Ok(value) => Node::checked(at, Kind::Literal(Value::Int(value))),
        Err(_) => Issue::at(at, "invalid int literal"),
    }
}

/// A token as errors print it.
fn token_text(token: &Token) -> String {
    match token {
        Token::Word(word) => word.clone(),
        Token::Int(digits, _) => digits.clone(),
        Token::Literal(value) => value.to_string(),
        Token::Sign(sign) => (*sign).to_owned(),
        Token::End => "<EOF>".to_owned(),
    }
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    depth: usize,
}

/// The function name and precedence of a binary operator.
fn operator(token: &Token) -> Option<(&'static str, usize)> {
    Some(match token {
        Token::Word(word) if word == "in" => ("@in", 2),
        Token::Sign(sign) => match *sign {
            "||" => ("_||_", 0),
            "&&" => ("_&&_", 1),
            "<" => ("_<_", 2),
            "<=" => ("_<=_", 2),
            ">" => ("_>_", 2),
            ">=" => ("_>=_", 2),
            "==" => ("_==_", 2),
            "!=" => ("_!=_", 2),
            "+" => ("_+_", 3),
            "-" => ("_-_", 3),
            "*" => ("_*_", 4),
            "/" => ("_/_", 4),
            "%" => ("_%_", 4),
            _ => return None,
        },
        _ => return None,
    })
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].1
    }

    fn at(&self) -> usize {
        self.tokens[self.next].0
    }

    fn advance(&mut self) -> (usize, Token) {
        let token = self.tokens[self.next].clone();
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
        token
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(next) if *next == sign);
        if found {
            self.advance();
        }
        found
    }

    fn peek_text(&self) -> String {
        token_text(self.peek())
    }

    fn syntax<T>(&self, what: &str, expected: &str) -> Result<T> {
        Issue::at(
            self.at(),
            format!(
                "Syntax error: {what} input '{}' {expected}",
                self.peek_text()
            ),
        )
    }

    fn expect(&mut self, sign: &str) -> Result<()> {
        if self.take(sign) {
            return Ok(());
        }
        let message = format!("Syntax error: missing '{sign}' at '{}'", self.peek_text());
        Issue::at(self.at(), message)
    }

    /// Enters a nested level. The caller decrements `depth` when it returns.
    fn descend(&mut self) -> Result<()> {
        if self.depth == MAX_DEPTH {
            return too_deep(self.at());
        }
        self.depth += 1;
        Ok(())
    }

    // The parser recurses once per level of the expression. Functions on that path are kept
    // small, because each of their locals multiplies by the depth.

    fn expression(&mut self) -> Result<Node> {
        self.descend()?;
        let mut node = self.binary(0)?;
        if matches!(self.peek(), Token::Sign("?")) {
            node = self.conditional(node)?;
        }
        self.depth -= 1;
        Ok(node)
    }

    fn conditional(&mut self, condition: Node) -> Result<Node> {
        let (at, _) = self.advance();
        let first = self.binary(0)?;
        if !self.take(":") {
            return self.syntax("mismatched", "expecting ':'");
        }
        let second = self.expression()?;
        Node::call(at, "_?_:_", vec![condition, first, second])
    }

    /// Parses operators of at least this precedence.
    fn binary(&mut self, level: usize) -> Result<Node> {
        let mut left = self.unary()?;
        while let Some(found) = operator(self.peek()).filter(|(_, found)| *found >= level) {
            left = self.operation(found, left)?;
        }
        Ok(left)
    }

    fn operation(&mut self, (function, level): (&str, usize), mut left: Node) -> Result<Node> {
        let (at, _) = self.advance();
        self.descend()?;
        let right = self.binary(level + 1)?;
        self.depth -= 1;
        let is_chain = |known: &str| known == function && level < 2;
        match &left.kind {
            Kind::Call { function, .. } if is_chain(function) => {
                left.push_operand(right);
                Ok(left)
            }
            _ => Node::call(at, function, vec![left, right]),
        }
    }

    fn unary(&mut self) -> Result<Node> {
        let operand = match self.peek() {
            Token::Sign("!") => self.signed("!", "!_")?,
            Token::Sign("-") => self.signed("-", "-_")?,
            Token::Sign("(") => self.nested()?,
            _ => self.primary()?,
        };
        self.postfix(operand)
    }

    fn nested(&mut self) -> Result<Node> {
        self.advance();
        let inner = self.expression()?;
        self.expect(")")?;
        Ok(inner)
    }

    fn signed(&mut self, sign: &str, function: &str) -> Result<Node> {
        let (at, _) = self.advance();
        if let ("-", Token::Int(digits, radix)) = (sign, self.peek().clone()) {
            self.advance();
            return integer(at, &format!("-{digits}"), radix);
        }
        if let ("-", Token::Literal(Value::Double(value))) = (sign, self.peek()) {
            let value = -value;
            self.advance();
            return Node::checked(at, Kind::Literal(Value::Double(value)));
        }
        // Pairs of signs cancel out.
        let mut is_odd = true;
        let mut last = at;
        while matches!(self.peek(), Token::Sign(next) if *next == sign) {
            (last, _) = self.advance();
            is_odd = !is_odd;
        }
        self.not_mixed(sign, last)?;
        self.descend()?;
        let operand = self.unary()?;
        self.depth -= 1;
        if is_odd {
            Node::call(at, function, vec![operand])
        } else {
            Ok(operand)
        }
    }

    /// Rejects a mix of `!` and `-` before one operand, except before a negative number.
    fn not_mixed(&self, sign: &str, last: usize) -> Result<()> {
        let following = |ahead: usize| self.tokens.get(self.next + ahead);
        let (minus, wrong) = match (sign, self.peek(), following(1)) {
            ("-", Token::Sign("!"), _) => (last, following(0)),
            (
                _,
                Token::Sign("-"),
                Some((_, Token::Int(..) | Token::End | Token::Literal(Value::Double(_)))),
            ) => return Ok(()),
            ("!", Token::Sign("-"), wrong) => (self.at(), wrong),
            _ => return Ok(()),
        };
        let Some((at, token)) = wrong else {
            return Ok(());
        };
        let gap = " ".repeat(at.saturating_sub(minus + 1));
        let shown = token_text(token);
        let message = format!("Syntax error: no viable alternative at input '-{gap}{shown}'");
        Issue::at(*at, message)
    }

    fn primary(&mut self) -> Result<Node> {
        let at = self.at();
        match self.peek() {
            Token::Sign("[") => self.list(at),
            Token::Sign("{") => self.map(at),
            // A leading dot names the root container, the only one here.
            Token::Sign(".")
                if matches!(self.tokens.get(self.next + 1), Some((_, Token::Word(_)))) =>
            {
                self.advance();
                self.name()
            }
            Token::Word(word) if !matches!(word.as_str(), "true" | "false" | "null" | "in") => {
                self.name()
            }
            _ => self.literal(at),
        }
    }

    fn list(&mut self, at: usize) -> Result<Node> {
        self.advance();
        let elements = self.elements()?;
        Node::checked(at, Kind::List(elements))
    }

    fn map(&mut self, at: usize) -> Result<Node> {
        self.advance();
        let entries = self.entries()?;
        Node::checked(at, Kind::Map(entries))
    }

    fn literal(&mut self, at: usize) -> Result<Node> {
        let value = match self.peek().clone() {
            Token::Literal(value) => value,
            Token::Int(digits, radix) => {
                self.advance();
                return integer(at, &digits, radix);
            }
            Token::Word(word) if word == "null" => Value::Null,
            Token::Word(word) if word != "in" => Value::Bool(word == "true"),
            Token::Word(_) | Token::End => return self.syntax("mismatched", EXPECTED),
            Token::Sign(_) => return self.syntax("extraneous", EXPECTED),
        };
        self.advance();
        Node::checked(at, Kind::Literal(value))
    }

    fn name(&mut self) -> Result<Node> {
        let (at, token) = self.advance();
        let Token::Word(word) = token else {
            return Issue::at(at, "Syntax error: a name is missing");
        };
        if RESERVED.contains(&word.as_str()) {
            return Issue::at(at, format!("reserved identifier: {word}"));
        }
        let opened = self.at();
        if self.take("(") {
            let arguments = self.arguments()?;
            return macros::call(opened, None, word, arguments);
        }
        Node::checked(at, Kind::Name(word))
    }

    fn arguments(&mut self) -> Result<Vec<Node>> {
        let mut arguments = Vec::new();
        if self.take(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression()?);
            if !self.take(",") {
                self.expect(")")?;
                return Ok(arguments);
            }
        }
    }

    fn elements(&mut self) -> Result<Vec<(bool, Node)>> {
        let mut elements = Vec::new();
        while !self.take("]") {
            let optional = self.take("?");
            elements.push((optional, self.expression()?));
            if !self.take(",") {
                self.expect("]")?;
                break;
            }
            if *self.peek() == Token::End {
                self.expect("]")?;
            }
        }
        Ok(elements)
    }

    fn entries(&mut self) -> Result<Vec<(bool, Node, Node)>> {
        let mut entries = Vec::new();
        while !self.take("}") {
            let optional = self.take("?");
            let key = self.expression()?;
            self.expect(":")?;
            entries.push((optional, key, self.expression()?));
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(entries)
    }

    fn postfix(&mut self, mut node: Node) -> Result<Node> {
        loop {
            let at = self.at();
            node = if self.take(".") {
                self.member(node)?
            } else if self.take("[") {
                self.index(at, node)?
            } else if matches!(self.peek(), Token::Sign("{"))
                && matches!(node.kind, Kind::Name(_) | Kind::Select { .. })
            {
                return Issue::at(at, "Protocol Buffers messages are not supported");
            } else {
                return Ok(node);
            };
        }
    }

    fn index(&mut self, at: usize, operand: Node) -> Result<Node> {
        let function = if self.take("?") { "_[?_]" } else { "_[_]" };
        let index = self.expression()?;
        self.expect("]")?;
        Node::call(at, function, vec![operand, index])
    }

    /// Parses a field or a method call after a dot.
    fn member(&mut self, operand: Node) -> Result<Node> {
        let at = self.tokens[self.next - 1].0;
        let optional = self.take("?");
        let Token::Word(field) = self.peek().clone() else {
            let found = match self.peek() {
                Token::End => ".".to_owned(),
                _ => format!(".{}", self.peek_text()),
            };
            let message = format!("Syntax error: no viable alternative at input '{found}'");
            return Issue::at(self.at(), message);
        };
        self.advance();
        let opened = self.at();
        if !optional && self.take("(") {
            let arguments = self.arguments()?;
            return macros::call(opened, Some(operand), field, arguments);
        }
        let operand = Box::new(operand);
        let kind = Kind::Select {
            operand,
            field,
            optional,
        };
        Node::checked(at, kind)
    }
}
