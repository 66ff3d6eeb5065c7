//! Functions that templates call, with the parameters that Go would check.

use std::any::Any;
use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;

use sluice_golang::regexp::{Pattern, PatternError};

use super::{CompositeType, GoString, List, Map, Type, Value};
use crate::budget::ExceededLimit;
use crate::time::{Location, Time};

/// Why a function failed; a panic of Go's function is one, too.
pub type Failure = Box<dyn Error + Send + Sync>;

/// The result of a function.
pub type Outcome = Result<Value, Failure>;

/// The parameters of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    /// The types of the parameters.
    pub params: &'static [Type],
    /// Whether the last parameter takes any number of arguments.
    pub is_variadic: bool,
}

impl Signature {
    /// A fixed number of parameters.
    pub const fn fixed(params: &'static [Type]) -> Self {
        Self {
            params,
            is_variadic: false,
        }
    }

    /// Any number of arguments for the last parameter.
    pub const fn variadic(params: &'static [Type]) -> Self {
        Self {
            params,
            is_variadic: true,
        }
    }
}

/// A function in Rust.
pub type Native = fn(&mut Call<'_, '_>, &Args<'_>) -> Outcome;

/// The functions that the executor itself runs, as they see more than plain values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Builtin {
    And,
    Or,
    Not,
    Len,
    Index,
    Slice,
    Call,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Copy)]
pub(crate) enum Body {
    Native(Native),
    Builtin(Builtin),
}

/// A function and its parameters.
#[derive(Clone, Copy)]
pub struct Func {
    pub(crate) signature: Signature,
    pub(crate) body: Body,
    /// The type of what it gives back, which only the name of its own type shows.
    result: Type,
}

impl Func {
    /// A function of a fixed number of parameters.
    pub const fn fixed(params: &'static [Type], run: Native) -> Self {
        Self {
            signature: Signature::fixed(params),
            body: Body::Native(run),
            result: Type::Any,
        }
    }

    /// A function that takes any number of arguments for its last parameter.
    pub const fn variadic(params: &'static [Type], run: Native) -> Self {
        Self {
            signature: Signature::variadic(params),
            body: Body::Native(run),
            result: Type::Any,
        }
    }

    pub(crate) const fn builtin(signature: Signature, builtin: Builtin) -> Self {
        Self {
            signature,
            body: Body::Builtin(builtin),
            result: Type::Any,
        }
    }

    /// Names the type of what the function gives back; it matters where the function is a value.
    #[must_use]
    pub const fn returning(mut self, result: Type) -> Self {
        self.result = result;
        self
    }

    pub(crate) fn type_name(&self) -> String {
        let mut names: Vec<String> = self
            .signature
            .params
            .iter()
            .map(|of| of.name().into())
            .collect();
        if self.signature.is_variadic
            && let Some(last) = names.last_mut()
        {
            last.insert_str(0, "...");
        }
        format!("func({}) {}", names.join(", "), self.result.name())
    }
}

/// The functions that templates may call, by name.
#[derive(Clone, Default)]
pub struct FuncMap(HashMap<&'static str, Func>);

impl FuncMap {
    /// No functions beyond those of the language.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces a function.
    pub fn insert(&mut self, name: &'static str, func: Func) {
        self.0.insert(name, func);
    }

    /// Adds a table of functions.
    pub fn extend(&mut self, functions: &[(&'static str, Func)]) {
        self.0.extend(functions.iter().copied());
    }

    /// Removes a function, so that templates which name it do not parse.
    pub fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Finds a function.
    pub fn get(&self, name: &str) -> Option<&Func> {
        self.0.get(name)
    }

    /// All names, in no order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.0.keys().copied()
    }
}

/// The part of a render that functions use. A trait, because values do not know the executor.
pub(crate) trait Services {
    fn steps(&mut self, count: u64) -> Result<(), ExceededLimit>;
    fn reserve(&self, bytes: u64) -> Result<(), ExceededLimit>;
    fn value_limit(&self) -> u64;
    fn host(&mut self) -> Option<&mut dyn Any>;
    fn execute(&mut self, name: &[u8], data: &Value) -> Result<GoString, Failure>;
    fn execute_text(
        &mut self,
        name: &str,
        text: &GoString,
        data: &Value,
    ) -> Result<GoString, TextError>;
    fn now(&self) -> Time;
    fn local(&self) -> &Location;
    fn pattern(&mut self, pattern: &GoString) -> Result<Arc<Pattern>, PatternError>;
    fn random(&mut self, buffer: &mut [u8]) -> Result<(), Failure>;
}

/// Why a text could not be executed as a template.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// The text is not a template.
    #[error("{0}")]
    Parse(#[source] Failure),
    /// The template failed.
    #[error("{0}")]
    Execute(#[source] Failure),
}

/// The services of a render that a function may use.
pub struct Call<'c, 'h>(&'c mut (dyn Services + 'h));

impl<'c, 'h> Call<'c, 'h> {
    pub(crate) fn new(services: &'c mut (dyn Services + 'h)) -> Self {
        Self(services)
    }
}

impl Call<'_, '_> {
    /// Charges visits to elements of a value.
    pub fn steps(&mut self, count: usize) -> Result<(), ExceededLimit> {
        self.0.steps(count as u64)
    }

    /// Refuses a string or a list that would become too large, before it is made.
    pub fn reserve(&self, bytes: usize) -> Result<(), ExceededLimit> {
        self.0.reserve(bytes as u64)
    }

    /// The most bytes that one value may have.
    pub fn value_limit(&self) -> usize {
        usize::try_from(self.0.value_limit()).unwrap_or(usize::MAX)
    }

    /// The state that the caller of the render passed, such as that of an engine.
    pub fn host<T: Any>(&mut self) -> Option<&mut T> {
        self.0.host().and_then(|host| host.downcast_mut())
    }

    /// Executes a template of the set by its name.
    pub fn execute(&mut self, name: &[u8], data: &Value) -> Result<GoString, Failure> {
        self.0.execute(name, data)
    }

    /// Executes a text as a template of a name, in a set of its own below that of the caller.
    ///
    /// The render keeps the parsed text for the next call.
    pub fn execute_text(
        &mut self,
        name: &str,
        text: &GoString,
        data: &Value,
    ) -> Result<GoString, TextError> {
        self.0.execute_text(name, text, data)
    }

    /// The present, which a caller may fix.
    pub fn now(&self) -> Time {
        self.0.now()
    }

    /// The local zone.
    pub fn local(&self) -> &Location {
        self.0.local()
    }

    /// A compiled regular expression, which the render keeps for the next call.
    pub(crate) fn pattern(&mut self, pattern: &GoString) -> Result<Arc<Pattern>, PatternError> {
        self.0.pattern(pattern)
    }

    /// Fills a buffer with random bytes, from a seed if the caller gave one.
    pub fn random(&mut self, buffer: &mut [u8]) -> Result<(), Failure> {
        self.0.random(buffer)
    }
}

/// The arguments of a call, of the types that the signature asks for.
pub struct Args<'a>(pub(crate) &'a [Value]);

impl<'a> Args<'a> {
    /// The number of arguments.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// An argument, nil if it is missing.
    pub fn value(&self, index: usize) -> &'a Value {
        self.0.get(index).unwrap_or(&Value::Nil)
    }

    /// All arguments from one on.
    pub fn rest(&self, from: usize) -> &'a [Value] {
        self.0.get(from..).unwrap_or_default()
    }

    /// A `string`.
    pub fn text(&self, index: usize) -> &'a [u8] {
        match self.value(index) {
            Value::String(text) | Value::Bytes(text) => text,
            _ => &[],
        }
    }

    /// A `string`, without a copy.
    pub fn string(&self, index: usize) -> GoString {
        match self.value(index) {
            Value::String(text) | Value::Bytes(text) => text.clone(),
            _ => GoString::default(),
        }
    }

    /// An integer.
    pub fn int(&self, index: usize) -> i64 {
        match self.value(index) {
            Value::Int(_, value) => *value,
            Value::Uint(_, value) => i64::try_from(*value).unwrap_or(i64::MAX),
            _ => 0,
        }
    }

    /// A `float64`.
    pub fn float(&self, index: usize) -> f64 {
        match self.value(index) {
            Value::Float(_, value) => *value,
            _ => 0.0,
        }
    }

    /// A `bool`.
    pub fn bool(&self, index: usize) -> bool {
        matches!(self.value(index), Value::Bool(true))
    }

    /// A map.
    pub fn map(&self, index: usize) -> Map {
        match self.value(index) {
            Value::Map(map) => map.clone(),
            _ => Map::nil(&CompositeType::ANY_MAP),
        }
    }

    /// A list.
    pub fn list(&self, index: usize) -> List {
        match self.value(index) {
            Value::List(list) => list.clone(),
            _ => List::nil(&CompositeType::ANY_LIST),
        }
    }

    /// A `time.Time`, the zero time if it is missing.
    pub fn time(&self, index: usize) -> Time {
        match self.value(index) {
            Value::Time(time) => (**time).clone(),
            _ => Time::zero(),
        }
    }
}
