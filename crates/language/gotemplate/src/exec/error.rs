//! Errors of an execution, with their causes.

use std::error::Error;

use super::{At, Frame, Result};
use crate::parse::print;
use crate::parse::tree::Node;
use crate::stack;
use crate::value::GoString;
use crate::value::func::Failure;

/// Why a template could not be executed, in Go's words.
///
/// The source of an error is that of the function which failed. A function that executes a
/// template itself, such as Helm's `include`, has an `ExecError` there again.
#[derive(Debug)]
pub struct ExecError {
    message: String,
    template: Option<GoString>,
    cause: Option<Failure>,
}

impl ExecError {
    pub(super) const fn new(message: String) -> Self {
        Self {
            message,
            template: None,
            cause: None,
        }
    }

    /// The name of the template that was executed; `None` if the set lacks it.
    pub fn template(&self) -> Option<&GoString> {
        self.template.as_ref()
    }
}

/// The text of the cause is at the end, and only made when it is asked for: a deep recursion
/// would otherwise hold the text of each level at each level above.
impl std::fmt::Display for ExecError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        match &self.cause {
            Some(cause) => stack::grow(|| cause.fmt(f)),
            None => Ok(()),
        }
    }
}

impl Drop for ExecError {
    fn drop(&mut self) {
        if let Some(cause) = self.cause.take() {
            stack::grow(|| drop(cause));
        }
    }
}

impl Error for ExecError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let cause = self.cause.as_deref();
        cause.map(|cause| cause as &(dyn Error + 'static))
    }
}

impl Frame<'_, '_, '_> {
    /// An error at the current node.
    pub(super) fn fail<T>(&self, message: impl std::fmt::Display) -> Result<T> {
        Err(Box::new(self.error(&message.to_string(), None)))
    }

    /// An error whose cause is another one.
    pub(super) fn fail_for<T>(&self, message: &str, cause: Failure) -> Result<T> {
        Err(Box::new(self.error(message, Some(cause))))
    }

    fn error(&self, message: &str, cause: Option<Failure>) -> ExecError {
        let name = print::cut(&self.tree.name);
        let message = match self.context() {
            None => format!("template: {}: {message}", String::from_utf8_lossy(name)),
            Some((location, node)) => {
                let name = sluice_golang::quote::quote_bytes(name);
                format!("template: {location}: executing {name} at <{node}>: {message}")
            }
        };
        ExecError {
            message,
            template: Some(self.tree.name.clone()),
            cause,
        }
    }

    fn context(&self) -> Option<(String, String)> {
        let tree = self.tree;
        let (position, text) = match self.at {
            At::Nothing => return None,
            At::Node(node) => (node_position(node), print::node(tree, node)),
            At::Pipe(pipe) => (pipe.position, print::pipe(tree, pipe)),
            At::Command(command) => (command.position, print::command(tree, command)),
            At::Term(term) => (term.position, print::term(tree, term)),
        };
        Some((tree.location(position), text))
    }
}

const fn node_position(node: &Node) -> u32 {
    match node {
        Node::Text(_) => 0,
        Node::Action { position, .. }
        | Node::Template { position, .. }
        | Node::Break(position)
        | Node::Continue(position) => *position,
        Node::If(branch) | Node::Range(branch) | Node::With(branch) => branch.position,
    }
}
