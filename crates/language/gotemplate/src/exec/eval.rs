//! Evaluates pipelines, commands and operands.

use super::{At, Frame, Operand, Result};
use crate::parse::print;
use crate::parse::tree::{Command, Number, PipeId, Term, TermKind};
use crate::stack;
use crate::value::{GoString, Type, UintType, Value};

/// The value that the command before hands on as the last argument, if there is one.
pub(super) type Final = Option<Operand>;

impl<'t> Frame<'_, '_, 't> {
    pub(super) fn eval_pipe(&mut self, dot: &Operand, id: PipeId) -> Result<Operand> {
        let tree = self.tree;
        let pipe = tree.pipe(id);
        self.at = At::Pipe(pipe);
        let mut last: Final = None;
        for command in &pipe.commands {
            let mut value = self.eval_command(dot, command, last.take())?;
            value.is_interface = false;
            last = Some(value);
        }
        let value = last.unwrap_or_default();
        for name in &pipe.variables {
            if pipe.is_assign {
                self.assign(name, value.clone())?;
            } else {
                self.variables.push((name.clone(), value.clone()));
            }
        }
        Ok(value)
    }

    /// Sets the innermost variable of a name.
    pub(super) fn assign(&mut self, name: &GoString, value: Operand) -> Result<()> {
        for (known, slot) in self.variables.iter_mut().rev() {
            if known == name {
                *slot = value;
                return Ok(());
            }
        }
        self.fail(format!("undefined variable: {name}"))
    }

    fn variable(&self, name: &GoString) -> Result<Operand> {
        for (known, value) in self.variables.iter().rev() {
            if known.is_same(name) || known == name {
                return Ok(value.clone());
            }
        }
        self.fail(format!("undefined variable: {name}"))
    }

    fn not_a_function(&self, terms: &[Term], last: &Final) -> Result<()> {
        if terms.len() > 1 || last.is_some() {
            let term = print::term(self.tree, &terms[0]);
            return self.fail(format!("can't give argument to non-function {term}"));
        }
        Ok(())
    }

    fn eval_command(
        &mut self,
        dot: &Operand,
        command: &'t Command,
        last: Final,
    ) -> Result<Operand> {
        self.step(1)?;
        let terms = &command.terms;
        let first = &terms[0];
        match &first.kind {
            TermKind::Field(fields) => {
                self.at = At::Term(first);
                return self.eval_fields(dot, dot.clone(), first, fields, terms, last);
            }
            TermKind::Chain { term, fields } => {
                return self.eval_chain(dot, first, term, fields, terms, last);
            }
            TermKind::Function { name, func } => {
                self.at = At::Term(first);
                return self.eval_call(dot, func, At::Command(command), name, &terms[1..], last);
            }
            TermKind::Pipe(pipe) => {
                self.not_a_function(terms, &last)?;
                return stack::grow(|| self.eval_pipe(dot, *pipe));
            }
            TermKind::Variable { name, fields } => {
                return self.eval_variable(dot, first, (name, fields), terms, last);
            }
            _ => {}
        }
        self.at = At::Term(first);
        self.not_a_function(terms, &last)?;
        match &first.kind {
            TermKind::Dot => Ok(dot.clone()),
            TermKind::Nil => self.fail("nil is not a command"),
            _ => self.constant(first),
        }
    }

    /// A constant of its default type.
    fn constant(&mut self, term: &'t Term) -> Result<Operand> {
        Ok(Operand::plain(match &term.kind {
            TermKind::Bool(value) => Value::Bool(*value),
            TermKind::String { text, .. } => Value::String(text.clone()),
            TermKind::Number(number) => {
                self.at = At::Term(term);
                self.ideal(number)?
            }
            _ => {
                let term = print::term(self.tree, term);
                let term = sluice_golang::quote::quote(&term);
                return self.fail(format!("can't evaluate command {term}"));
            }
        }))
    }

    fn ideal(&self, number: &Number) -> Result<Value> {
        let text: &[u8] = &number.text;
        let has = |signs: &[u8]| text.iter().any(|byte| signs.contains(byte));
        let is_hexadecimal =
            text.len() > 2 && matches!(text, [b'0', b'x' | b'X', ..]) && !has(b"pP");
        let is_rune = text.first() == Some(&b'\'');
        if let Some((real, imaginary)) = number.complex {
            return Ok(Value::Complex(real, imaginary));
        }
        if let Some(float) = number
            .float
            .filter(|_| !is_hexadecimal && !is_rune && has(b".eEpP"))
        {
            return Ok(Value::float(float));
        }
        match number.int {
            Some(int) => Ok(Value::int(int)),
            None => self.fail(format!("{} overflows int", number.text)),
        }
    }

    fn eval_variable(
        &mut self,
        dot: &Operand,
        term: &'t Term,
        variable: (&GoString, &'t [GoString]),
        terms: &'t [Term],
        last: Final,
    ) -> Result<Operand> {
        self.at = At::Term(term);
        let (name, fields) = variable;
        let value = self.variable(name)?;
        if fields.is_empty() {
            if !terms.is_empty() {
                self.not_a_function(terms, &last)?;
            }
            return Ok(value);
        }
        self.eval_fields(dot, value, term, fields, terms, last)
    }

    fn eval_chain(
        &mut self,
        dot: &Operand,
        chain: &'t Term,
        term: &'t Term,
        fields: &'t [GoString],
        terms: &'t [Term],
        last: Final,
    ) -> Result<Operand> {
        self.at = At::Term(chain);
        let mut value = self.eval_operand(dot, term)?;
        if value.is_nil_interface() {
            value.is_interface = false;
        }
        self.eval_fields(dot, value, chain, fields, terms, last)
    }

    /// An argument for a parameter that takes any value with its static type.
    pub(super) fn eval_operand(&mut self, dot: &Operand, term: &'t Term) -> Result<Operand> {
        self.at = At::Term(term);
        match &term.kind {
            TermKind::Dot => Ok(dot.clone()),
            TermKind::Nil => Ok(Operand::default()),
            TermKind::Field(fields) => self.eval_fields(dot, dot.clone(), term, fields, &[], None),
            TermKind::Variable { name, fields } => {
                self.eval_variable(dot, term, (name, fields), &[], None)
            }
            TermKind::Pipe(pipe) => stack::grow(|| self.eval_pipe(dot, *pipe)),
            TermKind::Function { name, func } => {
                self.eval_call(dot, func, At::Term(term), name, &[], None)
            }
            TermKind::Chain {
                term: inner,
                fields,
            } => self.eval_chain(dot, term, inner, fields, &[], None),
            _ => self.constant(term),
        }
    }

    /// An argument of the type that a parameter has.
    pub(super) fn eval_arg(&mut self, dot: &Operand, of: Type, term: &'t Term) -> Result<Value> {
        match &term.kind {
            TermKind::Nil => {
                self.at = At::Term(term);
                if of.can_be_nil() {
                    Ok(of.zero())
                } else {
                    self.fail(format!("cannot assign nil to {}", of.name()))
                }
            }
            TermKind::Bool(_) | TermKind::Number(_) | TermKind::String { .. } => {
                self.at = At::Term(term);
                self.eval_literal(of, term)
            }
            _ => {
                let operand = self.eval_operand(dot, term)?;
                self.validate(operand, of)
            }
        }
    }

    fn eval_literal(&mut self, of: Type, term: &'t Term) -> Result<Value> {
        let number = match &term.kind {
            TermKind::Number(number) => Some(number),
            _ => None,
        };
        let (found, expected) = match of {
            Type::Any => return Ok(self.constant(term)?.value),
            Type::Bool => match term.kind {
                TermKind::Bool(value) => (Some(Value::Bool(value)), "bool"),
                _ => (None, "bool"),
            },
            Type::String => match &term.kind {
                TermKind::String { text, .. } => (Some(Value::String(text.clone())), "string"),
                _ => (None, "string"),
            },
            Type::Int => (
                number.and_then(|number| number.int).map(Value::int),
                "integer",
            ),
            Type::Int64 => (
                number.and_then(|number| number.int).map(Value::int64),
                "integer",
            ),
            Type::Duration => (
                number.and_then(|number| number.int).map(Value::duration),
                "integer",
            ),
            Type::Uint8 | Type::Uint32 => {
                let unsigned = number.and_then(|number| number.uint);
                let value = unsigned.map(|value| match of {
                    Type::Uint8 => Value::Uint(UintType::Uint8, value & 0xff),
                    _ => Value::Uint(UintType::Uint32, value & 0xffff_ffff),
                });
                (value, "unsigned integer")
            }
            Type::Float64 => (
                number.and_then(|number| number.float).map(Value::float),
                "float",
            ),
            _ => {
                let term = print::term(self.tree, term);
                return self.fail(format!("can't handle {term} for arg of type {}", of.name()));
            }
        };
        match found {
            Some(value) => Ok(value),
            None => {
                let term = print::term(self.tree, term);
                self.fail(format!("expected {expected}; found {term}"))
            }
        }
    }

    /// Checks that a value can be an argument of a type.
    pub(super) fn validate(&self, operand: Operand, of: Type) -> Result<Value> {
        if operand.is_invalid() {
            if of.can_be_nil() {
                return Ok(of.zero());
            }
            return self.fail(format!("invalid value; expected {}", of.name()));
        }
        if of == Type::Any {
            return Ok(operand.value);
        }
        if operand.is_nil_interface() {
            return self.fail(format!(
                "wrong type for value; expected {}; got interface {{}}",
                of.name()
            ));
        }
        match of.assign(&operand.value) {
            Some(value) => Ok(value),
            None => self.fail(format!(
                "wrong type for value; expected {}; got {}",
                of.name(),
                operand.value.type_name()
            )),
        }
    }
}
