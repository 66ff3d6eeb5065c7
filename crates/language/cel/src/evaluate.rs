//! Evaluates expressions.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use super::Variables;
use super::cost;
use super::error::{INTERRUPTED, NO_KEY, Result};
use super::functions;
use super::scope::Scope;
use super::strings::{Pattern, PatternCache};
use super::tree::{Kind, Loop, LoopKind, Node};
use super::value::{Map, Value, not_optional};

/// Maximum cost of an evaluation, equal to the API server's limit per expression.
const MAX_COST: usize = 1_000_000;

/// A list has no fields; selecting one is an error that `has` does not hide.
const TEXT_INDEX: &str = "unsupported index type 'string' in list";
/// Go cannot hash bytes, so they cannot be map keys.
const UNHASHABLE: &str = "internal error: runtime error: hash of unhashable type types.Bytes";
/// The result would depend on the order of an unordered list; see [`Scope`].
const UNORDERED: &str = "the order of the list is not significant";
const NO_OVERLOAD: &str = "no such overload";

/// Evaluates an expression.
pub(super) fn evaluate(root: &Node, variables: &Variables) -> Result<Value> {
    Evaluation::new(variables).value(root)
}

/// Evaluates an expression. Returns the cost in every case.
pub(super) fn evaluate_with_cost(root: &Node, variables: &Variables) -> (Result<Value>, usize) {
    let mut evaluation = Evaluation::new(variables);
    let value = evaluation.value(root);
    (value, evaluation.cost)
}

/// Evaluates an expression over a scope. Returns the cost in every case.
pub(super) fn evaluate_over(root: &Node, scope: &Scope) -> (Result<Value>, usize) {
    let variables = Variables::new();
    let mut evaluation = Evaluation::new(&variables);
    evaluation.converted.extend(scope.names.iter().cloned());
    evaluation.scope = Some(scope);
    let value = evaluation.value(root);
    (value, evaluation.cost)
}

/// The cost of an evaluation, whether it succeeds or not.
#[cfg(test)]
pub(super) fn cost_of(root: &Node, variables: &Variables) -> usize {
    let mut evaluation = Evaluation::new(variables);
    drop(evaluation.value(root));
    evaluation.cost
}

struct Evaluation<'a> {
    variables: &'a Variables,
    /// Converted variables, filled on first use.
    converted: HashMap<&'a str, Value>,
    /// Loop variables, innermost last.
    locals: Vec<(&'a str, Value)>,
    patterns: PatternCache,
    scope: Option<&'a Scope>,
    cost: usize,
}

/// The result of an operand or a field selection.
enum SelectionResult {
    Value(Value),
    /// The selection passed through an optional, so its result is optional.
    Optional(Option<Value>),
}

/// The rest of a chain of selections, in order.
struct Tail<'t> {
    field: &'t str,
    rest: Option<&'t Self>,
}

impl fmt::Display for Tail<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut next = Some(self);
        while let Some(Tail { field, rest }) = next {
            write!(out, ".{field}")?;
            next = *rest;
        }
        Ok(())
    }
}

impl<'a> Evaluation<'a> {
    fn new(variables: &'a Variables) -> Self {
        Self {
            variables,
            converted: HashMap::new(),
            locals: Vec::new(),
            patterns: PatternCache::default(),
            scope: None,
            cost: 0,
        }
    }

    fn charge(&mut self, cost: usize) -> Result<()> {
        self.cost = self.cost.saturating_add(cost);
        if self.cost > MAX_COST {
            return Err(INTERRUPTED.to_owned());
        }
        Ok(())
    }

    /// The remaining budget.
    fn budget(&self) -> usize {
        MAX_COST.saturating_sub(self.cost)
    }

    /// Returns the errors that no other operand can absorb: an exceeded budget or size limit.
    /// Over a scope, that is every error except a missing key. This implementation may lack
    /// a function that the server has.
    fn check_absorbable(&self, problem: &str) -> Result<()> {
        let is_uncertain = self.scope.is_some() && !problem.starts_with(NO_KEY);
        if self.cost > MAX_COST || problem == INTERRUPTED || is_uncertain {
            return Err(problem.to_owned());
        }
        Ok(())
    }

    fn value(&mut self, node: &'a Node) -> Result<Value> {
        self.charge(1)?;
        match &node.kind {
            Kind::Literal(value) => Ok(value.clone()),
            Kind::Name(name) => self.variable(name, None),
            Kind::Select { .. } => Ok(match self.select(node, None)? {
                SelectionResult::Value(value) => value,
                SelectionResult::Optional(value) => optional(value),
            }),
            Kind::Has { operand, field } => self.has(operand, field),
            Kind::Call {
                function,
                arguments,
                is_member,
            } => self.call(function, *is_member, arguments),
            Kind::Matches { pattern, call } => self.matches(pattern, call),
            Kind::List(elements) => self.list(elements),
            Kind::Map(entries) => self.map(entries),
            Kind::Loop(each) => self.run(each),
            Kind::OptionalMap {
                target,
                variable,
                body,
                is_flat,
            } => {
                let held = match self.value(target)? {
                    Value::Optional(held) => held,
                    other => {
                        let name = other.type_name();
                        return Err(format!("no such overload: hasValue({name})"));
                    }
                };
                let Some(held) = held else {
                    return Ok(Value::Optional(None));
                };
                let value = self.with(variable, Value::clone(&held), body)?;
                Ok(if *is_flat {
                    value
                } else {
                    optional(Some(value))
                })
            }
        }
    }

    fn with(&mut self, variable: &'a str, value: Value, body: &'a Node) -> Result<Value> {
        self.locals.push((variable, value));
        let value = self.value(body);
        self.locals.pop();
        value
    }

    /// Looks up a variable. The error includes the selections that follow it.
    fn variable(&mut self, name: &'a str, tail: Option<&Tail<'_>>) -> Result<Value> {
        self.charge(cost::of_name(name))?;
        let mut locals = self.locals.iter().rev();
        if let Some((_, value)) = locals.find(|(local, _)| *local == name) {
            return Ok(value.clone());
        }
        if let Some(value) = self.converted.get(name) {
            return Ok(value.clone());
        }
        match self.variables.get(name) {
            Some(json) => {
                let value = Value::of_json(json);
                self.converted.insert(name, value.clone());
                Ok(value)
            }
            None => functions::type_named(name).ok_or_else(|| {
                let tail = tail.map(Tail::to_string).unwrap_or_default();
                format!("no such attribute(s): {name}{tail}")
            }),
        }
    }

    /// Evaluates the operand of a selection.
    fn operand(&mut self, node: &'a Node, tail: &Tail<'_>) -> Result<SelectionResult> {
        match &node.kind {
            Kind::Name(name) => {
                self.charge(1)?;
                self.variable(name, Some(tail)).map(SelectionResult::Value)
            }
            Kind::Select { .. } => self.select(node, Some(tail)),
            _ => self.value(node).map(|value| match value {
                Value::Optional(held) => {
                    SelectionResult::Optional(held.map(|held| Value::clone(&held)))
                }
                value => SelectionResult::Value(value),
            }),
        }
    }

    fn select(&mut self, node: &'a Node, rest: Option<&Tail<'_>>) -> Result<SelectionResult> {
        self.charge(1)?;
        let Kind::Select {
            operand,
            field,
            optional,
        } = &node.kind
        else {
            return self.value(node).map(SelectionResult::Value);
        };
        self.charge(cost::of_name(field))?;
        let selected = self.operand(operand, &Tail { field, rest })?;
        let (value, is_optional) = match selected {
            SelectionResult::Value(Value::Optional(held)) => {
                (held.map(|held| Value::clone(&held)), true)
            }
            SelectionResult::Value(value) => (Some(value), *optional),
            SelectionResult::Optional(value) => (value, true),
        };
        let Some(value) = value else {
            return Ok(SelectionResult::Optional(None));
        };
        match field_of(&value, field)? {
            found if is_optional => Ok(SelectionResult::Optional(found)),
            Some(found) => Ok(SelectionResult::Value(found)),
            None => Err(format!("no such key: {field}")),
        }
    }

    fn has(&mut self, operand: &'a Node, field: &str) -> Result<Value> {
        self.charge(cost::of_name(field))?;
        let found = match self.operand(operand, &Tail { field, rest: None })? {
            SelectionResult::Value(value) | SelectionResult::Optional(Some(value)) => {
                field_of(&value, field)?
            }
            SelectionResult::Optional(None) => None,
        };
        Ok(Value::Bool(found.is_some()))
    }

    fn call(&mut self, function: &str, is_member: bool, arguments: &'a [Node]) -> Result<Value> {
        match (function, arguments) {
            ("_&&_", operands) => self.logical(operands, false),
            ("_||_", operands) => self.logical(operands, true),
            ("_?_:_", [condition, first, second]) => match self.value(condition)? {
                Value::Bool(true) => self.value(first),
                Value::Bool(false) => self.value(second),
                _ => Err(NO_OVERLOAD.to_owned()),
            },
            // A value that is not an optional counts as present.
            ("or" | "orValue", [target, other]) if is_member => match self.value(target)? {
                Value::Optional(Some(held)) if function == "orValue" => Ok(Value::clone(&held)),
                Value::Optional(None) => self.value(other),
                value => Ok(value),
            },
            _ => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.value(argument)?);
                }
                if let ("matches", [Value::String(text), Value::String(pattern)]) =
                    (function, &*values)
                {
                    return self.matches_computed(text, pattern);
                }
                self.charge(cost::of_call(function, &values, self.budget()))?;
                let scope = self
                    .scope
                    .filter(|scope| scope.depends_on_list_order(function, &values));
                if scope.is_some() {
                    return Err(UNORDERED.to_owned());
                }
                let value = functions::call(function, is_member, &values)?;
                // Values stay allocated until the evaluation ends.
                self.charge(cost::size_of(&value))?;
                Ok(value)
            }
        }
    }

    /// `matches` with a pattern that was compiled with the expression.
    fn matches(&mut self, pattern: &Pattern, call: &'a Node) -> Result<Value> {
        let Kind::Call { arguments, .. } = &call.kind else {
            return self.value(call);
        };
        let mut value = self.value(&arguments[0])?;
        // cel-go unwraps optionals here.
        while let Value::Optional(Some(held)) = value {
            value = Value::clone(&held);
        }
        let (Value::String(text) | Value::Type(text)) = &value else {
            return Err(NO_OVERLOAD.to_owned());
        };
        self.charge(pattern.cost(text))?;
        Ok(Value::Bool(pattern.is_match(text)))
    }

    /// `matches` with a computed pattern.
    fn matches_computed(&mut self, text: &str, pattern: &Arc<str>) -> Result<Value> {
        let compiled = match self.patterns.get(pattern) {
            Some(known) => known,
            None => {
                let compiled = Pattern::new(pattern, |cost| self.charge(cost))?;
                let compiled = Rc::new(compiled);
                self.patterns.insert(pattern.clone(), compiled.clone());
                compiled
            }
        };
        self.charge(cost::of_search(text, pattern.len()))?;
        Ok(Value::Bool(compiled.is_match(text)))
    }

    /// `&&` and `||`: an operand that decides the result absorbs errors of other operands.
    fn logical(&mut self, operands: &'a [Node], decides: bool) -> Result<Value> {
        let mut first = None;
        for operand in operands {
            let problem = match self.value(operand) {
                Ok(Value::Bool(value)) if value == decides => return Ok(Value::Bool(decides)),
                Ok(Value::Bool(_)) => continue,
                Ok(_) => NO_OVERLOAD.to_owned(),
                Err(problem) => problem,
            };
            self.check_absorbable(&problem)?;
            first.get_or_insert(problem);
        }
        first.map_or(Ok(Value::Bool(!decides)), Err)
    }

    fn list(&mut self, elements: &'a [(bool, Node)]) -> Result<Value> {
        let mut items = Vec::with_capacity(elements.len());
        for (is_optional, element) in elements {
            match (is_optional, self.value(element)?) {
                (false, value) => items.push(value),
                (true, Value::Optional(held)) => {
                    items.extend(held.map(|held| Value::clone(&held)));
                }
                (true, value) => return Err(not_optional("list element", &value)),
            }
        }
        Ok(Value::list(items))
    }

    fn map(&mut self, entries: &'a [(bool, Node, Node)]) -> Result<Value> {
        let mut map = Map::default();
        for (is_optional, key, value) in entries {
            let key = self.value(key)?;
            if matches!(key, Value::Bytes(_)) {
                self.value(value)?;
                return Err(UNHASHABLE.to_owned());
            }
            let value = match (is_optional, self.value(value)?) {
                (false, value) => value,
                (true, Value::Optional(Some(held))) => Value::clone(&held),
                (true, Value::Optional(None)) => continue,
                (true, value) => {
                    let entry = format!("entry {}", key.describe_key());
                    return Err(not_optional(&entry, &value));
                }
            };
            self.charge(cost::of_entry(&map, &key, self.budget()))?;
            map.insert(key, value);
        }
        Ok(Value::Map(Arc::new(map)))
    }

    fn run(&mut self, each: &'a Loop) -> Result<Value> {
        let items: Vec<Value> = match self.value(&each.range)? {
            Value::List(items) => {
                self.charge(items.len())?;
                Vec::clone(&items)
            }
            Value::Map(map) => {
                self.charge(map.len())?;
                map.keys().collect()
            }
            other => {
                let name = go_name(&other);
                return Err(format!("got '{name}', expected iterable type"));
            }
        };
        match each.kind {
            LoopKind::All => self.every(each, items, false),
            LoopKind::Exists => self.every(each, items, true),
            LoopKind::ExistsOne => {
                let mut count = 0;
                let mut problem = None;
                for item in items {
                    // Every element is tested, and the last of several errors is returned.
                    match self.admits(each, &item) {
                        Ok(admits) => count += usize::from(admits),
                        Err(found) => {
                            self.check_absorbable(&found)?;
                            problem = Some(found);
                        }
                    }
                }
                problem.map_or(Ok(Value::Bool(count == 1)), Err)
            }
            LoopKind::Collect => self.collect(each, items),
        }
    }

    /// `filter` and `map`: returns the last error of the predicate, or the first of the
    /// transformation.
    fn collect(&mut self, each: &'a Loop, items: Vec<Value>) -> Result<Value> {
        let mut collected = Vec::new();
        let mut problem = None;
        for item in items {
            match self.admits(each, &item) {
                Ok(false) => continue,
                Ok(true) => {}
                Err(found) => {
                    self.check_absorbable(&found)?;
                    problem = Some(found);
                    continue;
                }
            }
            let made = match &each.transform {
                Some(transform) => self.with(&each.variable, item, transform),
                None => Ok(item),
            };
            match made {
                Ok(value) => collected.push(value),
                Err(found) => {
                    self.check_absorbable(&found)?;
                    problem.get_or_insert(found);
                }
            }
        }
        problem.map_or_else(|| Ok(Value::list(collected)), Err)
    }

    fn admits(&mut self, each: &'a Loop, item: &Value) -> Result<bool> {
        let Some(predicate) = &each.predicate else {
            return Ok(true);
        };
        match self.with(&each.variable, item.clone(), predicate)? {
            Value::Bool(admits) => Ok(admits),
            _ => Err(NO_OVERLOAD.to_owned()),
        }
    }

    /// `all` and `exists`: an element that decides the result absorbs errors of other elements.
    fn every(&mut self, each: &'a Loop, items: Vec<Value>, decides: bool) -> Result<Value> {
        let mut problem = None;
        for item in items {
            match self.admits(each, &item) {
                Ok(admits) if admits == decides => return Ok(Value::Bool(decides)),
                Ok(_) => {}
                Err(found) => {
                    self.check_absorbable(&found)?;
                    problem.get_or_insert(found);
                }
            }
        }
        match problem {
            Some(problem) => Err(problem),
            None => Ok(Value::Bool(!decides)),
        }
    }
}

fn optional(value: Option<Value>) -> Value {
    Value::Optional(value.map(Arc::new))
}

/// A field of a value, or `None` when it is absent.
fn field_of(value: &Value, field: &str) -> Result<Option<Value>> {
    match value {
        Value::Map(map) => Ok(map.text(field).cloned()),
        Value::List(_) => Err(TEXT_INDEX.to_owned()),
        _ => Ok(None),
    }
}

/// Go's name of the type of a value.
fn go_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "types.Null",
        Value::Bool(_) => "types.Bool",
        Value::Int(_) => "types.Int",
        Value::Uint(_) => "types.Uint",
        Value::Double(_) => "types.Double",
        Value::String(_) => "types.String",
        Value::Bytes(_) => "types.Bytes",
        Value::Duration(_) => "types.Duration",
        Value::Timestamp(..) => "types.Timestamp",
        Value::Optional(_) => "*types.Optional",
        _ => "*types.Type",
    }
}
