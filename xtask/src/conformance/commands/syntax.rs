//! Reads the part of Go that tables of command-line tests use. Anything else is skipped.
//!
//! Start at [`parse`].

use std::collections::BTreeMap;

/// A function: the names of its parameters, and its body.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Function {
    pub(super) parameters: Vec<String>,
    pub(super) body: Vec<Statement>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Statement {
    Assign(Vec<Expression>, Expression),
    Evaluate(Expression),
    Range(String, Expression, Vec<Self>),
    If(Vec<Self>, Expression, Vec<Self>),
    Switch(Expression, Vec<(Vec<Expression>, Vec<Self>)>),
    Return(Expression),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    Text(String),
    Name(String),
    Field(Box<Self>, String),
    Index(Box<Self>, Box<Self>),
    Call(Box<Self>, Vec<Self>),
    Sum(Box<Self>, Box<Self>),
    /// A comparison; the flag is set for `==`.
    Compare(Box<Self>, Box<Self>, bool),
    /// A literal with the fields of its elements, if its type names them here.
    Literal(Vec<String>, Vec<(Option<Self>, Self)>),
    Closure(Function),
    Unknown,
}

/// The functions of a file, in their order, and its variables.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) functions: Vec<(String, Function)>,
    pub(super) variables: Vec<Statement>,
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Symbol(&'static str),
}

const SYMBOLS: [&str; 30] = [
    ":=", "==", "!=", "&&", "||", "...", "<-", "+=", "++", "--", "<=", ">=", "{", "}", "(", ")",
    "[", "]", ",", ";", ".", ":", "=", "+", "&", "!", "*", "-", "<", ">",
];

/// Parses a file.
pub(super) fn parse(text: &str) -> File {
    let mut parser = Parser {
        tokens: tokens(text),
        at: 0,
    };
    let mut file = File::default();
    while parser.at < parser.tokens.len() {
        if parser.takes_word("func") {
            // The receiver of a method.
            if parser.peeks("(") {
                parser.skip_group();
            }
            let name = parser.word().unwrap_or_default();
            let function = parser.function();
            file.functions.push((name, function));
        } else if parser.peeks_word("var") || parser.peeks_word("const") {
            let statement = parser.statement();
            file.variables.extend(statement);
        } else {
            parser.skip_statement();
        }
    }
    file
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("//") {
            rest = &after[after.find('\n').unwrap_or(after.len())..];
        } else if let Some(after) = rest.strip_prefix("/*") {
            rest = after.split_once("*/").map_or("", |(_, rest)| rest);
        } else if first == '\n' {
            // Go ends a statement here if it can end.
            let ends = match tokens.last() {
                Some(Token::Symbol(symbol)) => matches!(*symbol, ")" | "]" | "}" | "++" | "--"),
                last => last.is_some(),
            };
            if ends {
                tokens.push(Token::Symbol(";"));
            }
            rest = &rest[1..];
        } else if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
        } else if first == '`' {
            let (raw, after) = rest[1..]
                .split_once('`')
                .unwrap_or_else(|| (&rest[1..], ""));
            tokens.push(Token::Text(raw.to_owned()));
            rest = after;
        } else if first == '"' || first == '\'' {
            let (quoted, after) = quoted(&rest[1..], first);
            tokens.push(Token::Text(quoted));
            rest = after;
        } else if first.is_alphanumeric() || first == '_' {
            let is_part = |character: char| character.is_alphanumeric() || character == '_';
            let end = rest.find(|character| !is_part(character));
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            tokens.push(Token::Word(word.to_owned()));
            rest = after;
        } else {
            let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
            match symbol {
                Some(symbol) => {
                    tokens.push(Token::Symbol(symbol));
                    rest = &rest[symbol.len()..];
                }
                None => rest = &rest[first.len_utf8()..],
            }
        }
    }
    tokens
}

/// The text up to the closing quote, and the rest behind it.
fn quoted(text: &str, quote: char) -> (String, &str) {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            _ if character == quote => return (value, &text[at + 1..]),
            '\\' => match characters.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, 't')) => value.push('\t'),
                Some((_, other)) => value.push(other),
                None => {}
            },
            other => value.push(other),
        }
    }
    (value, "")
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn peeks(&self, symbol: &str) -> bool {
        matches!(self.peek(), Some(Token::Symbol(found)) if *found == symbol)
    }

    fn takes(&mut self, symbol: &str) -> bool {
        let found = self.peeks(symbol);
        self.at += usize::from(found);
        found
    }

    fn peeks_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(found)) if found == word)
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let found = self.peeks_word(word);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self) -> Option<String> {
        let Some(Token::Word(word)) = self.peek() else {
            return None;
        };
        let word = word.clone();
        self.at += 1;
        Some(word)
    }

    /// Skips a group in brackets.
    fn skip_group(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            match token {
                Token::Symbol("(" | "[" | "{") => depth += 1,
                Token::Symbol(")" | "]" | "}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips to the end of a statement.
    fn skip_statement(&mut self) {
        while let Some(token) = self.peek() {
            match token {
                Token::Symbol("(" | "[" | "{") => self.skip_group(),
                Token::Symbol(";") => {
                    self.at += 1;
                    return;
                }
                Token::Symbol("}") => return,
                _ => self.at += 1,
            }
        }
    }

    /// Reads parameters, results and body.
    fn function(&mut self) -> Function {
        let start = self.at;
        self.skip_group();
        let mut parameters = Vec::new();
        for pair in self.tokens[start..self.at].windows(2) {
            if let [Token::Symbol("(" | ","), Token::Word(name)] = pair {
                parameters.push(name.clone());
            }
        }
        while !self.peeks("{") && !self.peeks(";") && self.peek().is_some() {
            if self.peeks("(") {
                self.skip_group();
            } else {
                self.at += 1;
            }
        }
        let body = self.block();
        Function { parameters, body }
    }

    fn block(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        if !self.takes("{") {
            return body;
        }
        while self.peek().is_some() && !self.takes("}") {
            let before = self.at;
            body.extend(self.statement());
            if self.at == before {
                self.at += 1;
            }
        }
        body
    }

    fn statement(&mut self) -> Option<Statement> {
        if self.takes_word("for") {
            return self.range();
        }
        if self.takes_word("if") {
            return Some(self.condition());
        }
        if self.takes_word("switch") {
            return Some(self.switch());
        }
        if self.takes_word("return") {
            let value = if self.peeks(";") || self.peeks("}") {
                Expression::Unknown
            } else {
                self.expression(true)
            };
            self.skip_statement();
            return Some(Statement::Return(value));
        }
        if self.takes_word("defer") || self.takes_word("go") || self.takes_word("type") {
            self.skip_statement();
            return None;
        }
        let is_declared = self.takes_word("var") || self.takes_word("const");
        if is_declared && self.peeks("(") {
            self.skip_group();
            return None;
        }
        let statement = self.simple(is_declared);
        self.skip_statement();
        statement
    }

    /// An assignment or an expression.
    fn simple(&mut self, is_declared: bool) -> Option<Statement> {
        let mut left = vec![self.expression(true)];
        while self.takes(",") {
            left.push(self.expression(true));
        }
        // The type of a declaration.
        while is_declared && !self.peeks("=") && !self.peeks(";") && self.peek().is_some() {
            self.at += 1;
        }
        if self.takes(":=") || self.takes("=") {
            return Some(Statement::Assign(left, self.expression(true)));
        }
        (!is_declared).then(|| Statement::Evaluate(left.swap_remove(0)))
    }

    fn range(&mut self) -> Option<Statement> {
        let mut name = String::new();
        while !self.peeks("{") && self.peek().is_some() {
            if self.takes_word("range") {
                let list = self.expression(false);
                let body = self.block();
                return Some(Statement::Range(name, list, body));
            }
            match self.word() {
                Some(word) => name = word,
                None => self.at += 1,
            }
        }
        self.skip_group();
        None
    }

    fn condition(&mut self) -> Statement {
        let mut first = Vec::new();
        let mut condition = Expression::Unknown;
        match self.header() {
            Statement::Evaluate(found) if !self.peeks(";") => condition = found,
            statement => {
                first.push(statement);
                if self.takes(";") {
                    condition = self.expression(false);
                }
            }
        }
        while !self.peeks("{") && self.peek().is_some() {
            self.at += 1;
        }
        let body = self.block();
        while self.takes_word("else") {
            while !self.peeks("{") && self.peek().is_some() {
                self.at += 1;
            }
            self.skip_group();
        }
        Statement::If(first, condition, body)
    }

    /// The first statement of a header, where a brace begins the body.
    fn header(&mut self) -> Statement {
        let mut left = vec![self.expression(false)];
        while self.takes(",") {
            left.push(self.expression(false));
        }
        if self.takes(":=") || self.takes("=") {
            return Statement::Assign(left, self.expression(false));
        }
        Statement::Evaluate(left.swap_remove(0))
    }

    fn switch(&mut self) -> Statement {
        let subject = self.expression(false);
        let mut cases = Vec::new();
        self.takes("{");
        while self.peek().is_some() && !self.takes("}") {
            let mut values = Vec::new();
            if self.takes_word("case") {
                values.push(self.expression(true));
                while self.takes(",") {
                    values.push(self.expression(true));
                }
            } else if !self.takes_word("default") {
                self.at += 1;
                continue;
            }
            self.takes(":");
            let mut body = Vec::new();
            while self.peek().is_some()
                && !self.peeks("}")
                && !self.peeks_word("case")
                && !self.peeks_word("default")
            {
                let before = self.at;
                body.extend(self.statement());
                if self.at == before {
                    self.at += 1;
                }
            }
            cases.push((values, body));
        }
        Statement::Switch(subject, cases)
    }

    /// Reads an expression. Without `literals` a brace ends it.
    fn expression(&mut self, literals: bool) -> Expression {
        let mut left = self.operand(literals);
        loop {
            if self.takes("+") {
                let right = self.operand(literals);
                left = Expression::Sum(Box::new(left), Box::new(right));
            } else if self.peeks("==") || self.peeks("!=") {
                let is_equal = self.takes("==") || !self.takes("!=");
                let right = self.operand(literals);
                left = Expression::Compare(Box::new(left), Box::new(right), is_equal);
            } else if ["&&", "||", "-", "*", "<", ">", "<=", ">="]
                .iter()
                .any(|symbol| self.takes(symbol))
            {
                self.operand(literals);
                left = Expression::Unknown;
            } else {
                return left;
            }
        }
    }

    fn operand(&mut self, literals: bool) -> Expression {
        let mut operand = match self.peek().cloned() {
            Some(Token::Text(text)) => {
                self.at += 1;
                Expression::Text(text)
            }
            Some(Token::Word(word)) => {
                self.at += 1;
                match word.as_str() {
                    "func" => Expression::Closure(self.function()),
                    "map" => {
                        self.skip_group();
                        self.skip_type();
                        self.literal(Vec::new())
                    }
                    _ => Expression::Name(word),
                }
            }
            Some(Token::Symbol("[")) => {
                self.skip_group();
                let fields = self.skip_type();
                if self.peeks("{") {
                    self.literal(fields)
                } else {
                    Expression::Unknown
                }
            }
            Some(Token::Symbol("{")) => self.literal(Vec::new()),
            Some(Token::Symbol("(")) => {
                self.at += 1;
                let inner = self.expression(true);
                self.takes(")");
                inner
            }
            Some(Token::Symbol("&")) => {
                self.at += 1;
                self.operand(literals)
            }
            Some(Token::Symbol("!" | "-" | "*" | "<-")) => {
                self.at += 1;
                self.operand(literals);
                Expression::Unknown
            }
            _ => return Expression::Unknown,
        };
        loop {
            if self.takes(".") {
                match self.word() {
                    Some(field) => operand = Expression::Field(Box::new(operand), field),
                    // A type assertion.
                    None => {
                        self.skip_group();
                        operand = Expression::Unknown;
                    }
                }
            } else if self.peeks("(") {
                let arguments = self.arguments();
                operand = Expression::Call(Box::new(operand), arguments);
            } else if self.takes("[") {
                let index = self.expression(true);
                operand = if self.takes("]") {
                    Expression::Index(Box::new(operand), Box::new(index))
                } else {
                    while self.peek().is_some() && !self.takes("]") {
                        self.at += 1;
                    }
                    Expression::Unknown
                };
            } else if literals && self.peeks("{") && is_type(&operand) {
                operand = self.literal(Vec::new());
            } else {
                return operand;
            }
        }
    }

    fn arguments(&mut self) -> Vec<Expression> {
        let mut arguments = Vec::new();
        self.takes("(");
        while self.peek().is_some() && !self.takes(")") {
            let before = self.at;
            arguments.push(self.expression(true));
            self.takes("...");
            if !self.takes(",") && self.at == before {
                self.at += 1;
            }
        }
        arguments
    }

    /// Skips a type and returns the fields of a struct.
    fn skip_type(&mut self) -> Vec<String> {
        while self.takes("*") || self.takes("&") {}
        if self.peeks("[") {
            self.skip_group();
            return self.skip_type();
        }
        if !self.takes_word("struct") {
            while self.word().is_some() {
                if !self.takes(".") {
                    break;
                }
            }
            return Vec::new();
        }
        let mut fields = Vec::new();
        self.takes("{");
        while self.peek().is_some() && !self.takes("}") {
            // One line: names, then their type.
            let mut names = vec![self.word().unwrap_or_default()];
            while self.takes(",") {
                names.extend(self.word());
            }
            fields.append(&mut names);
            self.skip_statement();
        }
        fields
    }

    fn literal(&mut self, fields: Vec<String>) -> Expression {
        let mut items = Vec::new();
        self.takes("{");
        while self.peek().is_some() && !self.takes("}") {
            let before = self.at;
            let first = self.expression(true);
            if self.takes(":") {
                items.push((Some(first), self.expression(true)));
            } else {
                items.push((None, first));
            }
            self.takes(",");
            self.takes(";");
            if self.at == before {
                self.at += 1;
            }
        }
        Expression::Literal(fields, items)
    }
}

/// Whether an operand may be the type of a literal.
fn is_type(operand: &Expression) -> bool {
    match operand {
        Expression::Name(_) => true,
        Expression::Field(owner, _) => matches!(**owner, Expression::Name(_)),
        _ => false,
    }
}

/// The functions of several files, by name.
pub(super) fn by_name(files: &[File]) -> BTreeMap<String, Function> {
    let functions = files.iter().flat_map(|file| file.functions.clone());
    functions.collect()
}
