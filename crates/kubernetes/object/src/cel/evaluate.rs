//! Computing the value of an expression.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use super::Variables;
use super::cost;
use super::functions;
use super::scope::Scope;
use super::strings::{Pattern, Patterns};
use super::tree::{Kind, Loop, LoopKind, Node};
use super::value::{Map, TOLD, Value};

/// What an evaluation may cost: as much as the API server lets an expression of its own cost.
const MAX_COST: usize = 1_000_000;

/// A value, or what went wrong in cel-go's words.
pub(super) type Result<T> = std::result::Result<T, String>;

/// A list has no fields, and asking for one is worse than for one that is not there.
const TEXT_INDEX: &str = "unsupported index type 'string' in list";
/// Bytes cannot be a key in Go.
const UNHASHABLE: &str = "internal error: runtime error: hash of unhashable type types.Bytes";
/// How an error begins that is about a key that is not there.
pub(super) const NO_KEY: &str = "no such key: ";
/// What no value is told for: see [`Scope`].
const UNORDERED: &str = "the order of a list says nothing";
const NO_OVERLOAD: &str = "no such overload";
/// What ends an evaluation that does or makes too much.
pub(super) const INTERRUPTED: &str = "operation interrupted: actual cost limit exceeded";

/// Computes the value of an expression.
pub(super) fn evaluate(root: &Node, variables: &Variables) -> Result<Value> {
    Evaluation::of(variables).value(root)
}

/// Computes the value of an expression over values, and tells what that costs, however it ends.
pub(super) fn evaluate_over(root: &Node, scope: &Scope) -> (Result<Value>, usize) {
    let variables = Variables::new();
    let mut evaluation = Evaluation::of(&variables);
    evaluation.converted.extend(scope.names.iter().cloned());
    evaluation.scope = Some(scope);
    let value = evaluation.value(root);
    (value, evaluation.cost)
}

/// Tells what an evaluation costs, however it ends.
#[cfg(test)]
pub(super) fn cost_of(root: &Node, variables: &Variables) -> usize {
    let mut evaluation = Evaluation::of(variables);
    drop(evaluation.value(root));
    evaluation.cost
}

struct Evaluation<'a> {
    variables: &'a Variables,
    /// Those that were asked for so far, as values of the language.
    converted: HashMap<&'a str, Value>,
    /// The variables of loops, the innermost last.
    locals: Vec<(&'a str, Value)>,
    patterns: Patterns,
    scope: Option<&'a Scope>,
    cost: usize,
}

/// How an operand or a field was found.
enum Found {
    Value(Value),
    /// An optional came before it, so what it leads to is one as well.
    Optional(Option<Value>),
}

/// What will be selected from a variable, the next field first.
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
    fn of(variables: &'a Variables) -> Self {
        Self {
            variables,
            converted: HashMap::new(),
            locals: Vec::new(),
            patterns: Patterns::default(),
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

    /// What is left to spend.
    fn budget(&self) -> usize {
        MAX_COST.saturating_sub(self.cost)
    }

    /// Passes an error on that nothing makes up for: the expression has run too long, or would
    /// make too much. Over values, so is any but that a key is missing: what we do not know might
    /// have been the better reason.
    fn forgive(&self, problem: &str) -> Result<()> {
        let is_doubt = self.scope.is_some() && !problem.starts_with(NO_KEY);
        if self.cost > MAX_COST || problem == INTERRUPTED || is_doubt {
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
                Found::Value(value) => value,
                Found::Optional(value) => optional(value),
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

    /// A variable; an error names what was to be selected from it as well.
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

    /// The operand of a selection.
    fn operand(&mut self, node: &'a Node, tail: &Tail<'_>) -> Result<Found> {
        match &node.kind {
            Kind::Name(name) => {
                self.charge(1)?;
                self.variable(name, Some(tail)).map(Found::Value)
            }
            Kind::Select { .. } => self.select(node, Some(tail)),
            _ => self.value(node).map(|value| match value {
                Value::Optional(held) => Found::Optional(held.map(|held| Value::clone(&held))),
                value => Found::Value(value),
            }),
        }
    }

    fn select(&mut self, node: &'a Node, rest: Option<&Tail<'_>>) -> Result<Found> {
        self.charge(1)?;
        let Kind::Select {
            operand,
            field,
            optional,
        } = &node.kind
        else {
            return self.value(node).map(Found::Value);
        };
        self.charge(cost::of_name(field))?;
        let found = self.operand(operand, &Tail { field, rest })?;
        let (value, is_optional) = match found {
            Found::Value(Value::Optional(held)) => (held.map(|held| Value::clone(&held)), true),
            Found::Value(value) => (Some(value), *optional),
            Found::Optional(value) => (value, true),
        };
        let Some(value) = value else {
            return Ok(Found::Optional(None));
        };
        match field_of(&value, field)? {
            found if is_optional => Ok(Found::Optional(found)),
            Some(found) => Ok(Found::Value(found)),
            None => Err(format!("no such key: {field}")),
        }
    }

    fn has(&mut self, operand: &'a Node, field: &str) -> Result<Value> {
        self.charge(cost::of_name(field))?;
        let found = match self.operand(operand, &Tail { field, rest: None })? {
            Found::Value(value) | Found::Optional(Some(value)) => field_of(&value, field)?,
            Found::Optional(None) => None,
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
            // What is not optional is there, and is all there is to it.
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
                let scope = self.scope.filter(|scope| scope.misleads(function, &values));
                if scope.is_some() {
                    return Err(UNORDERED.to_owned());
                }
                let value = functions::call(function, is_member, &values)?;
                // What is made takes memory, which nothing gives back before the end.
                self.charge(cost::size_of(&value))?;
                Ok(value)
            }
        }
    }

    /// `matches` with a pattern that was read with the expression.
    fn matches(&mut self, pattern: &Pattern, call: &'a Node) -> Result<Value> {
        let Kind::Call { arguments, .. } = &call.kind else {
            return self.value(call);
        };
        let mut value = self.value(&arguments[0])?;
        // Go looks at what the value is made of.
        while let Value::Optional(Some(held)) = value {
            value = Value::clone(&held);
        }
        let (Value::String(text) | Value::Type(text)) = &value else {
            return Err(NO_OVERLOAD.to_owned());
        };
        self.charge(pattern.cost(text))?;
        Ok(Value::Bool(pattern.is_match(text)))
    }

    /// `matches` with a pattern that is not known before.
    fn matches_computed(&mut self, text: &str, pattern: &Arc<str>) -> Result<Value> {
        let compiled = match self.patterns.get(pattern) {
            Some(known) => known,
            None => {
                let compiled = Pattern::new(pattern, |cost| self.charge(cost))?;
                let compiled = Rc::new(compiled);
                self.patterns.keep(pattern.clone(), compiled.clone());
                compiled
            }
        };
        self.charge(cost::of_search(text, pattern.len()))?;
        Ok(Value::Bool(compiled.is_match(text)))
    }

    /// `&&` and `||`: an operand that decides makes up for errors in others.
    fn logical(&mut self, operands: &'a [Node], decides: bool) -> Result<Value> {
        let mut first = None;
        for operand in operands {
            let problem = match self.value(operand) {
                Ok(Value::Bool(value)) if value == decides => return Ok(Value::Bool(decides)),
                Ok(Value::Bool(_)) => continue,
                Ok(_) => NO_OVERLOAD.to_owned(),
                Err(problem) => problem,
            };
            self.forgive(&problem)?;
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
                    let what = format!("entry {}", shown_key(&key));
                    return Err(not_optional(&what, &value));
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
                    // It is not over before the end, and of several errors the last one is told.
                    match self.admits(each, &item) {
                        Ok(admits) => count += usize::from(admits),
                        Err(found) => {
                            self.forgive(&found)?;
                            problem = Some(found);
                        }
                    }
                }
                problem.map_or(Ok(Value::Bool(count == 1)), Err)
            }
            LoopKind::Collect => self.collect(each, items),
        }
    }

    /// `filter` and `map`. Of several errors of the test the last one is told, of the rest the
    /// first.
    fn collect(&mut self, each: &'a Loop, items: Vec<Value>) -> Result<Value> {
        let mut collected = Vec::new();
        let mut problem = None;
        for item in items {
            match self.admits(each, &item) {
                Ok(false) => continue,
                Ok(true) => {}
                Err(found) => {
                    self.forgive(&found)?;
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
                    self.forgive(&found)?;
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

    /// `all` and `exists`: an element that decides makes up for errors in others.
    fn every(&mut self, each: &'a Loop, items: Vec<Value>, decides: bool) -> Result<Value> {
        let mut problem = None;
        for item in items {
            match self.admits(each, &item) {
                Ok(admits) if admits == decides => return Ok(Value::Bool(decides)),
                Ok(_) => {}
                Err(found) => {
                    self.forgive(&found)?;
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

pub(super) fn not_optional(what: &str, value: &Value) -> String {
    let value = match value {
        Value::Bytes(bytes) => {
            let numbers = bytes.iter().take(TOLD).map(u8::to_string);
            let rest = (bytes.len() > TOLD).then(|| "…".to_owned());
            let numbers: Vec<String> = numbers.chain(rest).collect();
            format!("[{}]", numbers.join(" "))
        }
        value => value.told(),
    };
    format!("cannot initialize optional {what} from non-optional value {value}")
}

/// The field of a value, if it is there.
fn field_of(value: &Value, field: &str) -> Result<Option<Value>> {
    match value {
        Value::Map(map) => Ok(map.text(field).cloned()),
        Value::List(_) => Err(TEXT_INDEX.to_owned()),
        _ => Ok(None),
    }
}

/// A key, as errors about its entry name it.
pub(super) fn shown_key(key: &Value) -> String {
    match key {
        Value::String(_) => format!("'{}'", key.told()),
        key => key.told(),
    }
}

/// How Go names the type of a value.
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
