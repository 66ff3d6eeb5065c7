//! Variables in manifests: `${name}`, with functions as in a shell.
//!
//! [`expand`] evaluates the language on any text. [`expand_object`] does what Flux does after
//! a build: it expands the YAML of an object and parses it again. So a value may become a
//! number or a structure. [`Variables`] checks names and removes line feeds from values, as
//! Flux does.
//!
//! Parity: `fluxcd/pkg`: `envsubst` v1.7 and `kustomize/kustomize_varsub.go`. There, all
//! five operators for defaults have the same effect, including `:+` and `:?`.
//!
//! Templates and values come from users, so depth, size and effort are limited, and every
//! failure is an [`Error`].

mod functions;
mod glob;
mod parse;
mod scan;

use std::collections::BTreeMap;

use sluice_golang::quote;
use sluice_yaml::{Map, Number, Value, json, v2};

use functions::MAX_BYTES;
use parse::Node;

/// The label or annotation that disables substitution for an object with value `disabled`.
pub const SUBSTITUTE_KEY: &str = "kustomize.toolkit.fluxcd.io/substitute";

/// The pattern for names, in Flux's words.
const NAME: &str = "^[_[:alpha:]][_[:alpha:][:digit:]]*$";

/// The maximum effort of a build: pattern matching steps and bytes that functions read.
const MAX_STEPS: u64 = 100_000_000;

/// The remaining cost of the expansions of a build. All its objects share one budget, because
/// tenants choose the number of objects.
#[derive(Debug, Clone)]
pub struct Budget {
    steps: u64,
    /// Bytes of results.
    bytes: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            steps: MAX_STEPS,
            bytes: MAX_BYTES,
        }
    }
}

impl Budget {
    fn take_steps(&mut self, steps: usize) -> Result<(), Error> {
        let left = self.steps.checked_sub(steps as u64);
        self.steps = left.ok_or(Error::TooComplex)?;
        Ok(())
    }

    fn take_bytes(&mut self, bytes: usize) -> Result<(), Error> {
        let left = self.bytes.checked_sub(bytes);
        self.bytes = left.ok_or(Error::TooLarge(MAX_BYTES))?;
        Ok(())
    }
}

/// Why a text cannot be expanded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// An expression has a syntax error.
    #[error("bad substitution")]
    BadSubstitution,
    /// An expression is not closed.
    #[error("missing closing brace")]
    MissingBrace,
    /// No name follows `${`.
    #[error("unable to parse variable name")]
    VariableName,
    /// An argument of a function has a syntax error.
    #[error("unable to parse substitution within function")]
    FunctionArgument,
    /// The operator of a default has a syntax error.
    #[error("unable to parse default function")]
    DefaultFunction,
    /// A variable has neither a value nor a default.
    #[error("variable not set (strict mode): {}", quote::quote(.0))]
    NotSet(String),
    /// A substring is outside of its value.
    #[error("substring out of range")]
    OutOfRange,
    /// The result is not UTF-8, because a substring ends within a character.
    #[error("substring splits a character")]
    SplitCharacter,
    /// Expressions are nested too deep.
    #[error("expressions are nested deeper than {0}")]
    TooDeep(usize),
    /// The results of a build are too large.
    #[error("the results are larger than {0} bytes")]
    TooLarge(usize),
    /// The functions of a build take too many steps.
    #[error("functions and patterns are too expensive to evaluate")]
    TooComplex,
}

/// Why the variables of an object cannot be substituted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SubstituteError {
    /// A variable has a name that no expression can refer to.
    #[error("'{0}' var name is invalid, must match '{NAME}'")]
    Name(String),
    /// The text cannot be expanded.
    #[error("variable substitution failed: {0}")]
    Expand(#[from] Error),
    /// The expanded text is not YAML. The message does not quote it, as it may hold secrets.
    #[error("YAMLToJSON: {0}")]
    Yaml(String),
    /// The expanded text is YAML, but not an object.
    #[error(
        "UnmarshalJSON: json: cannot unmarshal {0} into Go value of type map[string]interface {{}}"
    )]
    NoObject(&'static str),
}

/// The values of variables by name.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Variables(BTreeMap<String, String>);

/// Shows names only, because values may be secrets.
impl std::fmt::Debug for Variables {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}

impl Variables {
    /// Sets a variable, replacing an earlier value. Removes line feeds.
    pub fn set(&mut self, name: impl Into<String>, value: &str) {
        self.0.insert(name.into(), value.replace('\n', ""));
    }

    /// Returns the value of a variable.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Iterates over names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.0.iter();
        pairs.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks that expressions can refer to each name.
    pub fn check(&self) -> Result<(), SubstituteError> {
        let invalid = self.0.keys().find(|name| !is_name(name));
        match invalid {
            Some(name) => Err(SubstituteError::Name(name.clone())),
            None => Ok(()),
        }
    }
}

impl<N: Into<String>, V: AsRef<str>> FromIterator<(N, V)> for Variables {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut variables = Self::default();
        for (name, value) in pairs {
            variables.set(name, value.as_ref());
        }
        variables
    }
}

fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    let first = bytes.next();
    first.is_some_and(|byte| byte == b'_' || byte.is_ascii_alphabetic())
        && bytes.all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// How to substitute variables of an object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Return an error for a variable with neither a value nor a default.
    pub strict: bool,
    /// Expand expressions even without variables.
    pub always: bool,
}

/// Evaluates every expression of a text. `value` returns the value of a variable.
pub fn expand<'v>(
    text: &[u8],
    strict: bool,
    value: impl Fn(&str) -> Option<&'v str>,
    budget: &mut Budget,
) -> Result<Vec<u8>, Error> {
    let mut evaluation = Evaluation {
        value: &value,
        strict,
        budget,
    };
    let mut result = Vec::with_capacity(text.len());
    for node in parse::parse(text)? {
        evaluation.evaluate(&node, &mut result)?;
    }
    evaluation.budget.take_bytes(result.len())?;
    Ok(result)
}

struct Evaluation<'e, 'v> {
    value: &'e dyn Fn(&str) -> Option<&'v str>,
    strict: bool,
    budget: &'e mut Budget,
}

impl Evaluation<'_, '_> {
    fn evaluate(&mut self, node: &Node, result: &mut Vec<u8>) -> Result<(), Error> {
        match node {
            Node::Text(text) => result.extend_from_slice(text),
            Node::Call(call) => {
                let mut arguments = Vec::with_capacity(call.arguments.len());
                for argument in &call.arguments {
                    let mut text = Vec::new();
                    self.evaluate(argument, &mut text)?;
                    arguments.push(text);
                }
                let value = (self.value)(&call.parameter);
                if value.is_none() && self.strict && !call.function.accepts_unset() {
                    return Err(Error::NotSet(call.parameter.clone()));
                }
                let value = value.unwrap_or_default().as_bytes();
                let read = arguments.iter().map(Vec::len).sum::<usize>() + value.len();
                self.budget.take_steps(read)?;
                let steps = &mut self.budget.steps;
                let text = call.function.apply(value, &arguments, steps)?;
                result.extend_from_slice(&text);
            }
        }
        if result.len() > self.budget.bytes {
            return Err(Error::TooLarge(MAX_BYTES));
        }
        Ok(())
    }
}

/// Expands the YAML of an object and parses it again. Returns `None` if there is nothing to
/// do, or if the result is empty.
///
/// The caller checks whether substitution is disabled for the object ([`SUBSTITUTE_KEY`]).
pub fn expand_object(
    yaml: &str,
    variables: &Variables,
    options: Options,
    budget: &mut Budget,
) -> Result<Option<Map<String, Value>>, SubstituteError> {
    if variables.is_empty() && !options.always {
        return Ok(None);
    }
    variables.check()?;
    let value = |name: &str| variables.value(name);
    let text = expand(yaml.as_bytes(), options.strict, value, budget)?;
    let text = String::from_utf8(text).map_err(|_| Error::SplitCharacter)?;
    let value = v2::from_str(&text).map_err(|error| SubstituteError::Yaml(error.to_string()))?;
    match as_go_decodes(value) {
        Value::Object(map) if map.is_empty() => Ok(None),
        Value::Object(map) => Ok(Some(map)),
        Value::Null => Ok(None),
        other => Err(SubstituteError::NoObject(json::kind(&other))),
    }
}

/// Converts numbers as Go does, which decodes untyped JSON numbers as floats. A large integer
/// loses precision.
fn as_go_decodes(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(as_float(number)),
        Value::Array(items) => items.into_iter().map(as_go_decodes).collect(),
        Value::Object(map) => {
            let pairs = map.into_iter();
            Value::Object(
                pairs
                    .map(|(key, value)| (key, as_go_decodes(value)))
                    .collect(),
            )
        }
        other => other,
    }
}

fn as_float(number: Number) -> Number {
    /// The largest integer up to which a float represents all integers.
    const EXACT: u64 = 1 << 53;
    let exact = match (number.as_i64(), number.as_u64()) {
        (Some(integer), _) => integer.unsigned_abs() <= EXACT,
        (None, Some(_)) => false,
        (None, None) => true,
    };
    if exact {
        return number;
    }
    let printed = number.as_f64().and_then(sluice_golang::number::format_json);
    let read = printed.and_then(|text| match v2::from_str(&text) {
        Ok(Value::Number(number)) => Some(number),
        _ => None,
    });
    read.unwrap_or(number)
}

#[cfg(test)]
mod tests;
