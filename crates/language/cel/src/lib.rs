//! The Common Expression Language (CEL), in the environment of Flux.
//!
//! [`Expression::parse`] accepts any variables; Flux parses health checks this way, where every
//! top-level field of the object is a variable. [`Expression::compile`] also checks the types
//! over declared variables, as Flux does for `readyExpr`.
//!
//! The environment is the standard library with optional types, and the extensions for strings,
//! sets and base64. Numbers of different types compare. List and map literals are homogeneous in
//! checked expressions. Each evaluation has a budget that counts steps and sizes, so that it
//! ends and its memory is bounded.
//!
//! The pipeline: `token`, `parse` and `macros` produce a `tree`. `check` finds its type. `fold`
//! computes constants. `evaluate` runs it with `functions`, at the `cost` of each. [`Scope`]
//! holds variables for the validation rules of the Kubernetes API server.
//!
//! Parity: `google/cel-go` v0.26.1 as set up in `fluxcd/pkg: runtime/cel`. Syntax errors have
//! cel-go's positions but simpler texts, and Protocol Buffers messages are not supported.
//! `cargo xtask vectors` records cel-go's answers for the tests.

mod check;
mod cost;
mod error;
mod evaluate;
mod fold;
mod format;
mod functions;
mod issues;
mod limits;
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

pub use parse::RESERVED;
pub use scope::Scope;
pub use types::Type;
pub use value::{Map, Value};

use issues::Issues;
use tree::{Kind, Node};

/// A parsed expression, perhaps type-checked.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    root: Node,
}

/// Why an expression cannot be used or evaluated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CelError {
    /// Syntax or type errors.
    #[error("failed to parse the CEL expression '{text}': {issues}")]
    Invalid {
        /// The expression.
        text: String,
        /// The errors with their positions.
        issues: String,
    },
    /// The expression nests too deeply, or one of its constants is invalid.
    #[error("failed to create CEL program: {problem}")]
    Program {
        /// The expression.
        text: String,
        /// The cause.
        problem: String,
    },
    /// The result has another type than required.
    #[error("CEL expression output type mismatch: expected {wanted}, got {found}")]
    Output {
        /// The required type.
        wanted: String,
        /// The type of the expression.
        found: String,
    },
    /// The evaluation failed: a field is missing, or a function rejects its arguments.
    #[error("failed to evaluate the CEL expression '{text}': {problem}")]
    Failed {
        /// The expression.
        text: String,
        /// The cause.
        problem: String,
    },
    /// The value is not a boolean.
    #[error("failed to evaluate CEL expression as boolean: '{text}'")]
    NotBoolean {
        /// The expression.
        text: String,
    },
}
/// The variables of an expression.
pub type Variables = serde_json::Map<String, serde_json::Value>;

/// Expressions are equal when their texts are.
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
    /// Parses an expression over undeclared variables.
    pub fn parse(text: &str) -> Result<Self, CelError> {
        Self::folded(text, Self::read(text)?, false)
    }

    /// Parses and type-checks an expression over declared variables. Its type must be `output`.
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

    /// Parses and type-checks an expression over declared variables, and returns its type.
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

    /// The source text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Evaluates the expression.
    pub fn evaluate(&self, variables: &Variables) -> Result<Value, CelError> {
        evaluate::evaluate(&self.root, variables).map_err(|problem| CelError::Failed {
            text: self.text.clone(),
            problem,
        })
    }

    /// Evaluates the expression over a scope. Also returns the cost, in steps of about 0.1 µs.
    pub fn evaluate_over(&self, scope: &Scope) -> (Result<Value, String>, usize) {
        evaluate::evaluate_over(&self.root, scope)
    }

    /// Whether an error of [`Expression::evaluate_over`] is about a missing key.
    pub fn is_missing_key(problem: &str) -> bool {
        problem.starts_with(error::NO_KEY)
    }

    /// Whether the expression contains an identifier.
    pub fn mentions(&self, name: &str) -> bool {
        fn occurs(node: &Node, name: &str) -> bool {
            let mut found = matches!(&node.kind, Kind::Name(known) if known == name);
            node.kind
                .each_child(|child| found = found || occurs(child, name));
            found
        }
        occurs(&self.root, name)
    }

    /// Evaluates an expression that must return a boolean.
    pub fn evaluate_boolean(&self, variables: &Variables) -> Result<bool, CelError> {
        self.evaluate_boolean_with_cost(variables).0
    }

    /// Like [`Self::evaluate_boolean`]. Also returns the cost, in steps of about 0.1 µs.
    pub fn evaluate_boolean_with_cost(
        &self,
        variables: &Variables,
    ) -> (Result<bool, CelError>, usize) {
        let (value, cost) = evaluate::evaluate_with_cost(&self.root, variables);
        let boolean = match value {
            Ok(Value::Bool(value)) => Ok(value),
            Ok(_) => Err(CelError::NotBoolean {
                text: self.text.clone(),
            }),
            Err(problem) => Err(CelError::Failed {
                text: self.text.clone(),
                problem,
            }),
        };
        (boolean, cost)
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
