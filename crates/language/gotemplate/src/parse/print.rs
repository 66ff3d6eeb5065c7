//! Prints parts of a tree as Go's nodes print themselves: one space between arguments.

use super::tree::{Command, Node, Pipe, PipeId, Term, TermKind, Tree};
use crate::stack;
use crate::value::GoString;
use sluice_golang::quote::quote_bytes;

/// The longest node or name that an error quotes. Go has no limit, but each level of a recursion
/// has an error.
const MAX_BYTES: usize = 8 << 10;

/// The part of a text that an error quotes.
pub(crate) fn cut(text: &[u8]) -> &[u8] {
    &text[..text.len().min(MAX_BYTES)]
}

/// Appends the part of a text that there is room for.
fn push(out: &mut Vec<u8>, text: &[u8]) {
    let left = MAX_BYTES.saturating_sub(out.len());
    out.extend_from_slice(&text[..text.len().min(left)]);
}

/// Prints an action, a `template` or the head of a branch.
pub(crate) fn node(tree: &Tree, node: &Node) -> String {
    let mut out = Vec::new();
    let mut control = |word: &str, id: Option<PipeId>| {
        out.extend_from_slice(b"{{");
        out.extend_from_slice(word.as_bytes());
        if let Some(id) = id {
            if !word.is_empty() {
                out.push(b' ');
            }
            write_pipe(tree, tree.pipe(id), &mut out);
        }
        out.extend_from_slice(b"}}");
    };
    match node {
        Node::Text(text) => out.extend_from_slice(cut(text)),
        Node::Action { pipe, .. } => control("", Some(*pipe)),
        Node::If(branch) => control("if", Some(branch.pipe)),
        Node::Range(branch) => control("range", Some(branch.pipe)),
        Node::With(branch) => control("with", Some(branch.pipe)),
        Node::Template { name, pipe, .. } => {
            control(&format!("template {}", quote_bytes(cut(name))), *pipe);
        }
        Node::Break(_) => control("break", None),
        Node::Continue(_) => control("continue", None),
    }
    text(out)
}

/// Prints a pipeline without its delimiters.
pub(crate) fn pipe(tree: &Tree, pipe: &Pipe) -> String {
    let mut out = Vec::new();
    write_pipe(tree, pipe, &mut out);
    text(out)
}

/// Prints a command.
pub(crate) fn command(tree: &Tree, command: &Command) -> String {
    let mut out = Vec::new();
    write_command(tree, command, &mut out);
    text(out)
}

/// Prints an operand.
pub(crate) fn term(tree: &Tree, term: &Term) -> String {
    let mut out = Vec::new();
    write_term(tree, term, &mut out);
    text(out)
}

fn text(out: Vec<u8>) -> String {
    GoString::from(out).to_text().into_owned()
}

fn write_pipe(tree: &Tree, pipe: &Pipe, out: &mut Vec<u8>) {
    for (index, name) in pipe.variables.iter().enumerate() {
        if index > 0 {
            out.extend_from_slice(b", ");
        }
        push(out, name);
    }
    if !pipe.variables.is_empty() {
        let sign: &[u8] = if pipe.is_assign { b" = " } else { b" := " };
        out.extend_from_slice(sign);
    }
    for (index, command) in pipe.commands.iter().enumerate() {
        if index > 0 {
            out.extend_from_slice(b" | ");
        }
        write_command(tree, command, out);
        if out.len() > MAX_BYTES {
            return;
        }
    }
}

fn write_command(tree: &Tree, command: &Command, out: &mut Vec<u8>) {
    for (index, term) in command.terms.iter().enumerate() {
        if index > 0 {
            out.push(b' ');
        }
        write_enclosed(tree, term, out);
    }
}

/// A pipeline needs parentheses where it is a part of something.
fn write_enclosed(tree: &Tree, term: &Term, out: &mut Vec<u8>) {
    let is_pipe = matches!(term.kind, TermKind::Pipe(_));
    if is_pipe {
        out.push(b'(');
    }
    write_term(tree, term, out);
    if is_pipe {
        out.push(b')');
    }
}

fn write_fields(fields: &[GoString], out: &mut Vec<u8>) {
    for field in fields {
        out.push(b'.');
        push(out, field);
    }
}

fn write_term(tree: &Tree, term: &Term, out: &mut Vec<u8>) {
    match &term.kind {
        TermKind::Bool(value) => out.extend_from_slice(if *value { b"true" } else { b"false" }),
        TermKind::Dot => out.push(b'.'),
        TermKind::Nil => out.extend_from_slice(b"nil"),
        TermKind::Number(number) => push(out, &number.text),
        TermKind::String { quoted, .. } => push(out, quoted),
        TermKind::Field(fields) => write_fields(fields, out),
        TermKind::Variable { name, fields } => {
            push(out, name);
            write_fields(fields, out);
        }
        TermKind::Function { name, .. } => push(out, name),
        TermKind::Chain { term, fields } => {
            write_enclosed(tree, term, out);
            write_fields(fields, out);
        }
        TermKind::Pipe(id) => stack::grow(|| write_pipe(tree, tree.pipe(*id), out)),
    }
}
