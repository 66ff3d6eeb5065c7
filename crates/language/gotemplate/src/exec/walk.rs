//! Goes through the nodes of a template.

use super::observe::{Finding, has_exponent};
use super::{At, Frame, Operand, Result};
use crate::fmt;
use crate::parse::print;
use crate::parse::tree::{Branch, ListId, Node, PipeId};
use crate::stack;
use crate::value::{Kind, Type, Value};

/// No printed number is longer.
const MAX_NUMBER_BYTES: usize = 32;

/// How a loop goes on after a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
}

impl<'t> Frame<'_, '_, 't> {
    pub(super) fn walk_list(&mut self, dot: &Operand, list: ListId) -> Result<Flow> {
        let tree = self.tree;
        for node in tree.list(list) {
            self.step(1)?;
            let flow = self.walk(dot, node)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    /// Charges the budget.
    pub(super) fn step(&mut self, count: u64) -> Result<()> {
        match self.render.meter.steps(count) {
            Ok(()) => Ok(()),
            Err(exceeded) => self.fail_for("", exceeded.into()),
        }
    }

    /// Charges bytes that were written.
    fn charge_output(&mut self, count: usize) -> Result<()> {
        match self.render.meter.bytes(count as u64) {
            Ok(()) => Ok(()),
            Err(exceeded) => self.fail_for("", exceeded.into()),
        }
    }

    fn walk(&mut self, dot: &Operand, node: &'t Node) -> Result<Flow> {
        match node {
            Node::Text(text) => {
                self.at = At::Node(node);
                self.out.extend_from_slice(text);
                self.charge_output(text.len())?;
            }
            Node::Action { pipe, .. } => {
                self.at = At::Node(node);
                let value = self.eval_pipe(dot, *pipe)?;
                if self.tree.pipe(*pipe).variables.is_empty() {
                    self.at = At::Node(node);
                    self.print_value(node, &value)?;
                }
            }
            Node::If(branch) => return self.walk_if(dot, branch, false),
            Node::With(branch) => return self.walk_if(dot, branch, true),
            Node::Range(branch) => {
                self.at = At::Node(node);
                return self.walk_range(dot, branch);
            }
            Node::Template { name, pipe, .. } => {
                self.at = At::Node(node);
                self.walk_template(dot, name, *pipe)?;
            }
            Node::Break(_) => return Ok(Flow::Break),
            Node::Continue(_) => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    fn walk_if(&mut self, dot: &Operand, branch: &'t Branch, is_with: bool) -> Result<Flow> {
        let mark = self.variables.len();
        let value = self.eval_pipe(dot, branch.pipe)?;
        let flow = if value.value.is_true() {
            let dot = if is_with { &value } else { dot };
            stack::grow(|| self.walk_list(dot, branch.list))?
        } else if let Some(otherwise) = branch.otherwise {
            stack::grow(|| self.walk_list(dot, otherwise))?
        } else {
            Flow::Next
        };
        self.variables.truncate(mark);
        Ok(flow)
    }

    fn walk_range(&mut self, dot: &Operand, branch: &'t Branch) -> Result<Flow> {
        let mark = self.variables.len();
        let value = self.eval_pipe(dot, branch.pipe)?.value;
        let is_walked = self.range_over(&value, branch)?;
        let mut flow = Flow::Next;
        if !is_walked && let Some(otherwise) = branch.otherwise {
            flow = stack::grow(|| self.walk_list(dot, otherwise))?;
        }
        self.variables.truncate(mark);
        // A break in the else list ends this range, as its panic does in Go.
        Ok(match flow {
            Flow::Break => Flow::Next,
            other => other,
        })
    }

    /// Runs the body for each element; false if there are none.
    fn range_over(&mut self, value: &Value, branch: &'t Branch) -> Result<bool> {
        match value {
            Value::Nil => Ok(false),
            Value::Int(of, count) => {
                self.check_one_variable(value, branch)?;
                for index in 0..*count {
                    let element = Operand::plain(Value::Int(*of, index));
                    if !self.iterate(branch, Operand::default(), &element)? {
                        break;
                    }
                }
                Ok(*count > 0)
            }
            Value::Uint(of, count) => {
                self.check_one_variable(value, branch)?;
                for index in 0..*count {
                    let element = Operand::plain(Value::Uint(*of, index));
                    if !self.iterate(branch, Operand::default(), &element)? {
                        break;
                    }
                }
                Ok(*count > 0)
            }
            Value::List(list) => {
                let is_interface = list.of().elem == Type::Any;
                let mut index = 0;
                // The length is that of the list as it was.
                let length = list.len();
                while index < length {
                    let Some(value) = list.get(index) else {
                        break;
                    };
                    let element = Operand {
                        value,
                        is_interface,
                    };
                    let position = Value::int(i64::try_from(index).unwrap_or(i64::MAX));
                    if !self.iterate(branch, Operand::plain(position), &element)? {
                        break;
                    }
                    index += 1;
                }
                Ok(length > 0)
            }
            Value::Bytes(bytes) => {
                for (index, byte) in (0_i64..).zip(bytes.iter()) {
                    let byte = Value::Uint(crate::value::UintType::Uint8, u64::from(*byte));
                    let position = Operand::plain(Value::int(index));
                    if !self.iterate(branch, position, &Operand::plain(byte))? {
                        break;
                    }
                }
                Ok(!bytes.is_empty())
            }
            Value::Map(map) => {
                let is_interface = map.of().elem == Type::Any;
                let entries = map.entries();
                let is_walked = !entries.is_empty();
                for (key, value) in entries {
                    let element = Operand {
                        value,
                        is_interface,
                    };
                    if !self.iterate(branch, Operand::plain(Value::String(key)), &element)? {
                        break;
                    }
                }
                Ok(is_walked)
            }
            Value::Object(object) if matches!(object.kind(), Kind::Map | Kind::Slice) => {
                if let Some(plain) = object.underlying() {
                    return self.range_over(&plain, branch);
                }
                let entries = object.entries();
                let is_walked = !entries.is_empty();
                for (key, value) in entries {
                    if !self.iterate(branch, Operand::plain(key), &Operand::plain(value))? {
                        break;
                    }
                }
                Ok(is_walked)
            }
            _ => {
                let shown = fmt::excerpt(value);
                self.fail(format!("range can't iterate over {shown}"))
            }
        }
    }

    fn check_one_variable(&self, value: &Value, branch: &Branch) -> Result<()> {
        if self.tree.pipe(branch.pipe).variables.len() > 1 {
            let shown = fmt::excerpt(value);
            return self.fail(format!(
                "can't use {shown} to iterate over more than one variable"
            ));
        }
        Ok(())
    }

    /// Runs the body for one element; false after a break.
    fn iterate(&mut self, branch: &'t Branch, index: Operand, element: &Operand) -> Result<bool> {
        self.step(1)?;
        let tree = self.tree;
        let pipe = tree.pipe(branch.pipe);
        let mark = self.variables.len();
        match (pipe.variables.as_slice(), pipe.is_assign) {
            ([], _) => {}
            ([name], true) => self.assign(name, element.clone())?,
            ([first, second, ..], true) => {
                self.assign(first, index)?;
                self.assign(second, element.clone())?;
            }
            ([_], false) => self.variables[mark - 1].1 = element.clone(),
            ([_, _, ..], false) => {
                self.variables[mark - 1].1 = element.clone();
                self.variables[mark - 2].1 = index;
            }
        }
        let flow = stack::grow(|| self.walk_list(element, branch.list))?;
        self.variables.truncate(mark);
        Ok(flow != Flow::Break)
    }

    fn walk_template(&mut self, dot: &Operand, name: &[u8], pipe: Option<PipeId>) -> Result<()> {
        let Some(tree) = self.set.lookup(name) else {
            let name = sluice_golang::quote::quote_bytes(name);
            return self.fail(format!("template {name} not defined"));
        };
        if self.render.depth >= self.render.meter.depth {
            let depth = self.render.meter.depth;
            return self.fail(format!("exceeded maximum template depth ({depth})"));
        }
        let data = match pipe {
            Some(pipe) => self.eval_pipe(dot, pipe)?,
            None => Operand::default(),
        };
        super::run(self.render, self.set, tree, &data, self.out)
    }

    fn print_value(&mut self, node: &Node, operand: &Operand) -> Result<()> {
        let before = self.out.len();
        self.print_to_out(node, operand)?;
        if self.render.findings.is_some() {
            self.look_at_number(node, &operand.value, before);
        }
        self.charge_output(self.out.len() - before)
    }

    /// Notes a number that was printed with an exponent.
    fn look_at_number(&mut self, node: &Node, value: &Value, before: usize) {
        let text = &self.out[before..];
        let is_number = match value {
            Value::Float(..) => true,
            Value::String(_) => text.starts_with(b"\""),
            _ => false,
        };
        if let Node::Action { position, .. } = node
            && is_number
            && text.len() <= MAX_NUMBER_BYTES
            && has_exponent(text)
        {
            let finding = Finding::Exponent {
                place: self.tree.location(*position),
                text: String::from_utf8_lossy(text).into_owned(),
            };
            if let Some(findings) = &mut self.render.findings {
                findings.add(finding);
            }
        }
    }

    fn print_to_out(&mut self, node: &Node, operand: &Operand) -> Result<()> {
        match &operand.value {
            Value::Nil => self.out.extend_from_slice(b"<no value>"),
            Value::String(text) => self.out.extend_from_slice(text),
            Value::Func(_) => {
                let node = print::node(self.tree, node);
                let of = operand.value.type_name();
                return self.fail(format!("can't print {node} of type {of}"));
            }
            value => {
                let printed = match value {
                    Value::Object(object) => object.printed(),
                    _ => None,
                };
                if let Some(text) = printed {
                    self.out.extend_from_slice(&text);
                    return Ok(());
                }
                let limit = usize::try_from(self.render.meter.value_bytes).unwrap_or(usize::MAX);
                if let Err(exceeded) = fmt::printable(value, self.out, limit) {
                    return self.fail_for("", exceeded.into());
                }
            }
        }
        Ok(())
    }
}
