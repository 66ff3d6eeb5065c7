//! The Common Expression Language, in the environment that Flux gives it.
//!
//! Health checks are only parsed ([`Expression::parse`]): every top-level field of the object
//! is a variable, and what does not exist is found out on evaluation. `readyExpr` is checked
//! as well ([`Expression::compile`]): its variables are declared, and a reference to anything
//! else, a clash of types or a result that is no boolean is refused before it is used.
//! [`health`] puts the expressions of a health check together.
//!
//! The environment is the standard library with optional types, the extensions for strings,
//! sets and base64, comparison of numbers across their types, and lists and maps of one type
//! where types are checked. An expression is read once and evaluated as often as one likes;
//! each evaluation has a budget that counts steps, and how much is read and made, so that none
//! runs for ever or takes the memory of the process.
//!
//! A text is read by `token`, `parse` and `macros` into a `tree`, checked by `check`, prepared by `fold`, and computed
//! by `evaluate` with `functions`, at the `cost` of each. Values are [`Value`]s.
//!
//! Parity: `google/cel-go` v0.26.1 as set up in `fluxcd/pkg: runtime/cel`. Syntax errors stand
//! where cel-go has them but are worded plainly, and messages of Protocol Buffers cannot be
//! made.

mod check;
mod cost;
mod evaluate;
mod fold;
mod format;
mod functions;
pub mod health;
mod issues;
mod macros;
mod nesting;
mod parse;
mod scope;
mod strings;
mod time;
mod token;
mod tree;
mod types;
mod value;

use std::hash::{Hash, Hasher};

pub use types::Type;
pub use value::Value;

use issues::Issues;
use tree::{Kind, Node};

pub(crate) use parse::RESERVED;
pub(crate) use scope::Scope;

/// An expression that was parsed, and perhaps checked.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    root: Node,
}

/// Why an expression cannot be used, or has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CelError {
    /// It is no expression, or one whose types do not fit.
    #[error("failed to parse the CEL expression '{text}': {issues}")]
    Invalid {
        /// As it is written.
        text: String,
        /// What is wrong, with the places.
        issues: String,
    },
    /// It is one, but is nested too deep, or a constant in it makes no sense.
    #[error("failed to create CEL program: {problem}")]
    Program {
        /// As it is written.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Its values are of another type than is asked for.
    #[error("CEL expression output type mismatch: expected {wanted}, got {found}")]
    Output {
        /// The type that is asked for.
        wanted: String,
        /// The type that it has.
        found: String,
    },
    /// It has no value for these objects: a field is missing, or a function refuses.
    #[error("failed to evaluate the CEL expression '{text}': {problem}")]
    Failed {
        /// As it is written.
        text: String,
        /// Why there is none.
        problem: String,
    },
    /// It has a value, which is neither true nor false.
    #[error("failed to evaluate CEL expression as boolean: '{text}'")]
    NotBoolean {
        /// As it is written.
        text: String,
    },
}

/// The objects or fields that an expression names.
pub type Variables = serde_json::Map<String, crate::Value>;

/// Two expressions are one if they read the same.
impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Expression {}

impl Hash for Expression {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl Expression {
    /// Reads an expression whose variables are not known.
    pub fn parse(text: &str) -> Result<Self, CelError> {
        Self::folded(text, Self::read(text)?, false)
    }

    /// Reads and checks an expression over objects of these names; it must be of the type.
    pub fn compile(text: &str, variables: &[&str], output: &Type) -> Result<Self, CelError> {
        let (root, found) = Self::typed(text, variables)?;
        if found != *output {
            return Err(CelError::Output {
                wanted: output.to_string(),
                found: found.to_string(),
            });
        }
        Self::folded(text, root, true)
    }

    /// Reads and checks an expression over objects of these names, and tells its type.
    pub fn check(text: &str, variables: &[&str]) -> Result<(Self, Type), CelError> {
        let (root, found) = Self::typed(text, variables)?;
        Ok((Self::folded(text, root, true)?, found))
    }

    fn read(text: &str) -> Result<Node, CelError> {
        parse::parse(text).map_err(|issue| invalid(text, issue.into()))
    }

    fn typed(text: &str, variables: &[&str]) -> Result<(Node, Type), CelError> {
        let root = Self::read(text)?;
        match check::check(&root, variables) {
            Ok(found) => Ok((root, found)),
            Err(issues) => Err(invalid(text, issues)),
        }
    }

    fn folded(text: &str, mut root: Node, is_checked: bool) -> Result<Self, CelError> {
        let text = text.to_owned();
        match nesting::check(&root).and_then(|()| fold::fold(&mut root, is_checked)) {
            Ok(()) => Ok(Self { text, root }),
            Err(problem) => Err(CelError::Program { text, problem }),
        }
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Computes the value.
    pub fn evaluate(&self, variables: &Variables) -> Result<Value, CelError> {
        evaluate::evaluate(&self.root, variables).map_err(|problem| CelError::Failed {
            text: self.text.clone(),
            problem,
        })
    }

    /// Computes the value over values that are no fields of an object. Tells what it costs, too,
    /// in steps of some 0.1 µs.
    pub(crate) fn evaluate_over(&self, scope: &Scope) -> (Result<Value, String>, usize) {
        evaluate::evaluate_over(&self.root, scope)
    }

    /// Whether an error of [`Expression::evaluate_over`] is that a key is not there.
    pub(crate) fn is_missing_key(problem: &str) -> bool {
        problem.starts_with(evaluate::NO_KEY)
    }

    /// Whether a name occurs.
    pub(crate) fn names(&self, name: &str) -> bool {
        fn occurs(node: &Node, name: &str) -> bool {
            let mut found = matches!(&node.kind, Kind::Name(known) if known == name);
            node.kind
                .each_child(|child| found = found || occurs(child, name));
            found
        }
        occurs(&self.root, name)
    }

    /// Computes the value, which must be a boolean.
    pub fn evaluate_boolean(&self, variables: &Variables) -> Result<bool, CelError> {
        match self.evaluate(variables)? {
            Value::Bool(value) => Ok(value),
            _ => Err(CelError::NotBoolean {
                text: self.text.clone(),
            }),
        }
    }
}

fn invalid(text: &str, issues: Issues) -> CelError {
    CelError::Invalid {
        text: text.to_owned(),
        issues: issues.printed(text),
    }
}

#[cfg(test)]
mod tests;
