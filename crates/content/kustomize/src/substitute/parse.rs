//! The parser of the substitution grammar: text with `${…}`.
//!
//! Parity: `fluxcd/pkg`: `envsubst/parse/parse.go`. Its README lists forms that its code
//! rejects; this parser follows the code.

use super::Error;
use super::functions::Function;
use super::scan::{Accept, Mode, Scanner, Token};

/// The maximum nesting depth of expressions.
const MAX_EXPRESSION_DEPTH: usize = 500;

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    Text(Vec<u8>),
    Call(Call),
}

/// `${parameter…}`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) parameter: String,
    pub(super) function: Function,
    pub(super) arguments: Vec<Node>,
}

/// Parses a template.
pub(super) fn parse(text: &[u8]) -> Result<Vec<Node>, Error> {
    let mut parser = Parser {
        scanner: Scanner::new(text),
        depth: 0,
    };
    let mut nodes = Vec::new();
    loop {
        parser.scanner.accept = Accept::Any;
        parser.scanner.mode = Mode {
            identifier: true,
            open: true,
            close: false,
            escape: true,
        };
        parser.scanner.backslash = false;
        nodes.push(match parser.scanner.scan() {
            Token::End => return Ok(nodes),
            Token::Identifier => Node::Text(parser.scanner.text()),
            Token::Open => parser.call()?,
            Token::Illegal | Token::Close => return Err(Error::BadSubstitution),
        });
    }
}

struct Parser<'t> {
    scanner: Scanner<'t>,
    depth: usize,
}

impl Parser<'_> {
    /// Scans an identifier of the accepted characters.
    fn identifier(&mut self, accept: Accept, otherwise: Error) -> Result<Vec<u8>, Error> {
        self.scanner.accept = accept;
        self.scanner.mode = Mode::IDENTIFIER;
        match self.scanner.scan() {
            Token::Identifier => Ok(self.scanner.text()),
            _ => Err(otherwise),
        }
    }

    fn name(&mut self, otherwise: Error) -> Result<String, Error> {
        let name = self.identifier(Accept::Name, otherwise)?;
        // The name contains letters, digits and underscores only.
        Ok(String::from_utf8_lossy(&name).into_owned())
    }

    fn close(&mut self) -> Result<(), Error> {
        self.scanner.mode = Mode::CLOSE;
        match self.scanner.scan() {
            Token::Close => Ok(()),
            _ => Err(Error::BadSubstitution),
        }
    }

    /// Parses the rest of an expression after `${`.
    fn call(&mut self) -> Result<Node, Error> {
        self.depth += 1;
        if self.depth > MAX_EXPRESSION_DEPTH {
            return Err(Error::TooDeep(MAX_EXPRESSION_DEPTH));
        }
        self.scanner.backslash = true;
        let call = if self.scanner.peek() == '#' {
            self.length()
        } else {
            let parameter = self.name(Error::VariableName)?;
            match self.scanner.peek() {
                ':' => self.default_or_part(parameter),
                '=' => self.default(parameter),
                ',' | '^' => self.casing(parameter),
                '/' => self.replace(parameter),
                '#' => self.trim(parameter, Accept::Hashes),
                '%' => self.trim(parameter, Accept::Percents),
                _ => self.bare(parameter),
            }
        };
        self.depth -= 1;
        Ok(Node::Call(call?))
    }

    /// `${v}`
    fn bare(&mut self, parameter: String) -> Result<Call, Error> {
        self.scanner.mode = Mode::CLOSE;
        match self.scanner.scan() {
            Token::Close => Ok(Call {
                parameter,
                function: Function::named(b""),
                arguments: Vec::new(),
            }),
            _ => Err(Error::MissingBrace),
        }
    }

    /// `${#v}`
    fn length(&mut self) -> Result<Call, Error> {
        self.identifier(Accept::OneHash, Error::BadSubstitution)?;
        let parameter = self.name(Error::BadSubstitution)?;
        self.close()?;
        Ok(Call {
            parameter,
            function: Function::Length,
            arguments: Vec::new(),
        })
    }

    /// `${v,}` and `${v^^}`
    fn casing(&mut self, parameter: String) -> Result<Call, Error> {
        let name = self.identifier(Accept::Casing, Error::BadSubstitution)?;
        self.close()?;
        Ok(Call {
            parameter,
            function: Function::named(&name),
            arguments: Vec::new(),
        })
    }

    /// `${v:-d}` or `${v:1:2}`
    fn default_or_part(&mut self, parameter: String) -> Result<Call, Error> {
        self.scanner.read();
        let next = self.scanner.peek();
        // Upstream goes back by the width of the next character instead of the colon's. If
        // it is wider, the scanner does not find the colon.
        self.scanner.unread();
        match next {
            '=' | '-' | '?' | '+' => self.default(parameter),
            _ => self.part(parameter),
        }
    }

    /// `${v=d}`, `${v:=d}`, `${v:-d}`, `${v:?d}` and `${v:+d}`
    fn default(&mut self, parameter: String) -> Result<Call, Error> {
        let accept = if self.scanner.peek() == '=' {
            Accept::OneEqual
        } else {
            Accept::Default
        };
        let name = self.identifier(accept, Error::DefaultFunction)?;
        let mut arguments = Vec::new();
        while self.scanner.peek() != '}' {
            arguments.push(self.argument(Accept::NotClosing, false)?);
        }
        self.close()?;
        Ok(Call {
            parameter,
            function: Function::named(&name),
            arguments,
        })
    }

    /// `${v:1}` and `${v:1:2}`
    fn part(&mut self, parameter: String) -> Result<Call, Error> {
        let name = self.identifier(Accept::OneColon, Error::BadSubstitution)?;
        let mut call = Call {
            parameter,
            function: Function::named(&name),
            arguments: vec![self.argument(Accept::NotColonOrClosing, false)?],
        };
        self.scanner.accept = Accept::Colon;
        self.scanner.mode = Mode {
            close: true,
            ..Mode::IDENTIFIER
        };
        match self.scanner.scan() {
            Token::Close => return Ok(call),
            Token::Identifier => {}
            _ => return Err(Error::BadSubstitution),
        }
        call.arguments
            .push(self.argument(Accept::NotClosing, false)?);
        self.close()?;
        Ok(call)
    }

    /// `${v#p}`, `${v##p}`, `${v%p}` and `${v%%p}`
    fn trim(&mut self, parameter: String, accept: Accept) -> Result<Call, Error> {
        let name = self.identifier(accept, Error::BadSubstitution)?;
        let pattern = self.argument(Accept::NotClosing, false)?;
        self.close()?;
        Ok(Call {
            parameter,
            function: Function::named(&name),
            arguments: vec![pattern],
        })
    }

    /// `${v/a/b}`, `${v//a/b}`, `${v/#a/b}` and `${v/%a/b}`
    fn replace(&mut self, parameter: String) -> Result<Call, Error> {
        let name = self.identifier(Accept::Replace, Error::BadSubstitution)?;
        let mut arguments = vec![self.argument(Accept::NotSlash, true)?];
        self.identifier(Accept::Slash, Error::BadSubstitution)?;
        if self.scanner.peek() != '}' {
            arguments.push(self.argument(Accept::NotClosing, true)?);
        }
        self.close()?;
        Ok(Call {
            parameter,
            function: Function::named(&name),
            arguments,
        })
    }

    /// Parses an argument: a text or one expression.
    fn argument(&mut self, accept: Accept, escape: bool) -> Result<Node, Error> {
        self.scanner.accept = accept;
        self.scanner.mode = Mode {
            open: true,
            escape,
            ..Mode::IDENTIFIER
        };
        match self.scanner.scan() {
            Token::Open => self.call(),
            Token::Identifier => Ok(Node::Text(self.scanner.text())),
            _ => Err(Error::FunctionArgument),
        }
    }
}
