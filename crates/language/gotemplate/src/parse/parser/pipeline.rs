//! Pipelines: declarations, commands, operands.

use sluice_golang::quote::quote_bytes;

use super::{Kind, MAX_DEPTH, Parser, Result, Token};
use crate::parse::number;
use crate::parse::tree::{Command, Pipe, PipeId, Term, TermKind};
use crate::stack;
use crate::value::GoString;

impl Parser<'_> {
    fn declare(&mut self, pipe: &mut Pipe, token: Token) {
        let name = GoString::from(self.text(token));
        pipe.variables.push(name.clone());
        self.building.variables.push(name);
    }

    pub(super) fn pipeline(&mut self, context: &str, end: Kind) -> Result<PipeId> {
        let mut pipe = Pipe {
            position: self.peek_non_space().start,
            is_assign: false,
            variables: Vec::new(),
            commands: Vec::new(),
        };
        self.declarations(&mut pipe, context)?;
        loop {
            let token = self.next_non_space();
            match token.kind {
                kind if kind == end => {
                    self.check_pipeline(&pipe, context)?;
                    return Ok(self.building.add_pipe(pipe));
                }
                Kind::Bool
                | Kind::CharConstant
                | Kind::Complex
                | Kind::Dot
                | Kind::Field
                | Kind::Identifier
                | Kind::Number
                | Kind::Nil
                | Kind::RawString
                | Kind::String
                | Kind::Variable
                | Kind::LeftParen => {
                    self.backup();
                    let command = self.command()?;
                    pipe.commands.push(command);
                }
                _ => return self.unexpected(token, context),
            }
        }
    }

    /// Reads `$x :=`, `$x =` or, of a range, `$x, $y :=`.
    fn declarations(&mut self, pipe: &mut Pipe, context: &str) -> Result<()> {
        loop {
            let variable = self.peek_non_space();
            if variable.kind != Kind::Variable {
                return Ok(());
            }
            self.next();
            // Spaces are significant before a field: "$x .y" is not "$x.y".
            let after = self.peek();
            let next = self.peek_non_space();
            match next.kind {
                Kind::Assign | Kind::Declare => {
                    pipe.is_assign = next.kind == Kind::Assign;
                    self.next_non_space();
                    self.declare(pipe, variable);
                    return Ok(());
                }
                Kind::Char if self.text(next) == b"," => {
                    self.next_non_space();
                    self.declare(pipe, variable);
                    if context != "range" || pipe.variables.len() >= 2 {
                        return self.fail(format!("too many declarations in {context}"));
                    }
                    match self.peek_non_space().kind {
                        Kind::Variable | Kind::RightDelim | Kind::RightParen => {}
                        _ => return self.fail("range can only initialize variables"),
                    }
                }
                _ if after.kind == Kind::Space => {
                    self.backup3(variable, after);
                    return Ok(());
                }
                _ => {
                    self.backup2(variable);
                    return Ok(());
                }
            }
        }
    }

    fn check_pipeline(&self, pipe: &Pipe, context: &str) -> Result<()> {
        if pipe.commands.is_empty() {
            return self.fail(format!("missing value for {context}"));
        }
        for (index, command) in pipe.commands.iter().enumerate().skip(1) {
            let is_constant = matches!(
                command.terms[0].kind,
                TermKind::Bool(_)
                    | TermKind::Dot
                    | TermKind::Nil
                    | TermKind::Number(_)
                    | TermKind::String { .. }
            );
            if is_constant {
                let stage = index + 1;
                return self.fail(format!("non executable command in pipeline stage {stage}"));
            }
        }
        Ok(())
    }

    fn command(&mut self) -> Result<Command> {
        let position = self.peek_non_space().start;
        let mut terms = Vec::new();
        loop {
            self.peek_non_space();
            if let Some(term) = self.operand()? {
                terms.push(term);
            }
            let token = self.next();
            match token.kind {
                Kind::Space => continue,
                Kind::RightDelim | Kind::RightParen => self.backup(),
                Kind::Pipe => {}
                _ => return self.unexpected(token, "operand"),
            }
            break;
        }
        if terms.is_empty() {
            return self.fail("empty command");
        }
        Ok(Command { position, terms })
    }

    /// A term and the fields behind it.
    fn operand(&mut self) -> Result<Option<Term>> {
        let Some(term) = self.term()? else {
            return Ok(None);
        };
        let next = self.peek();
        if next.kind != Kind::Field {
            return Ok(Some(term));
        }
        let mut more = Vec::new();
        while self.peek().kind == Kind::Field {
            let token = self.next();
            more.push(GoString::from(&self.text(token)[1..]));
        }
        let position = next.start;
        let kind = match term.kind {
            TermKind::Field(mut fields) => {
                fields.append(&mut more);
                TermKind::Field(fields)
            }
            TermKind::Variable { name, mut fields } => {
                fields.append(&mut more);
                TermKind::Variable { name, fields }
            }
            TermKind::Bool(_)
            | TermKind::Dot
            | TermKind::Nil
            | TermKind::Number(_)
            | TermKind::String { .. } => {
                let text = constant_text(&term);
                return self.fail(format!("unexpected . after term {}", quote_bytes(&text)));
            }
            _ => TermKind::Chain {
                term: Box::new(term),
                fields: more,
            },
        };
        Ok(Some(Term { position, kind }))
    }

    fn term(&mut self) -> Result<Option<Term>> {
        let token = self.next_non_space();
        let text = self.text(token);
        let kind = match token.kind {
            Kind::Identifier => {
                let found = std::str::from_utf8(text).ok().and_then(self.find);
                let Some(func) = found else {
                    return self.fail(format!("function {} not defined", quote_bytes(text)));
                };
                TermKind::Function {
                    name: text.into(),
                    func,
                }
            }
            Kind::Dot => TermKind::Dot,
            Kind::Nil => TermKind::Nil,
            Kind::Variable => {
                if !self.building.variables.iter().any(|name| &**name == text) {
                    return self.fail(format!("undefined variable {}", quote_bytes(text)));
                }
                TermKind::Variable {
                    name: text.into(),
                    fields: Vec::new(),
                }
            }
            Kind::Field => TermKind::Field(vec![GoString::from(&text[1..])]),
            Kind::Bool => TermKind::Bool(text == b"true"),
            Kind::CharConstant | Kind::Complex | Kind::Number => {
                match number::parse(text, token.kind) {
                    Ok(number) => TermKind::Number(Box::new(number)),
                    Err(message) => return self.fail(message),
                }
            }
            Kind::LeftParen => {
                if self.building.parens >= MAX_DEPTH {
                    return self.fail("max expression depth exceeded");
                }
                self.building.parens += 1;
                let pipe =
                    stack::grow(|| self.pipeline("parenthesized pipeline", Kind::RightParen))?;
                self.building.parens -= 1;
                let position = self.building.pipes[pipe.0 as usize].position;
                return Ok(Some(Term {
                    position,
                    kind: TermKind::Pipe(pipe),
                }));
            }
            Kind::String | Kind::RawString => TermKind::String {
                quoted: text.into(),
                text: self.unquoted(token)?,
            },
            _ => {
                self.backup();
                return Ok(None);
            }
        };
        Ok(Some(Term {
            position: token.start,
            kind,
        }))
    }
}

fn constant_text(term: &Term) -> GoString {
    match &term.kind {
        TermKind::Bool(value) => GoString::from(if *value { "true" } else { "false" }),
        TermKind::Dot => GoString::from("."),
        TermKind::Number(number) => number.text.clone(),
        TermKind::String { quoted, .. } => quoted.clone(),
        _ => GoString::from("nil"),
    }
}
