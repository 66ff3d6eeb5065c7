//! Expressions of a schema (`x-kubernetes-validations`).
//!
//! What is declared decides what an expression sees: numbers are floats where the schema says so,
//! times and durations are such, names are written as the language can. Rules that compare with a
//! former value do not count for what is new. A rule that we cannot read, or that has no value
//! here, is passed over; but that a key is missing is a fault, as it is for the server.

use std::collections::HashMap;
use std::rc::Rc;

use super::faults::{Fault, Problem};
use super::metadata::child;
use super::schema::{Additional, Node, Rule};
use super::{Budget, Exhausted};
use crate::Value;
use crate::cel::{self, Expression, Scope};

const SELF: &str = "self";
const FORMER: &str = "oldSelf";

/// What stands for all rules where other faults leave them without a meaning.
const UNCHECKED: &str = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

/// How long a message may be that an expression makes.
const MAX_MESSAGE: usize = 5 << 10;

/// What it costs to read an expression, for each byte and for each pattern in it.
const READING: usize = 100;
const PATTERN: usize = 150_000;

/// Words that mean something by themselves, and so name no field either.
const MEANINGS: [&str; 4] = ["true", "false", "null", "in"];

type Result<T> = std::result::Result<T, Exhausted>;

/// Finds the rules that do not hold, beside the faults that were found before.
pub(super) fn check(
    schema: &Node,
    value: &Value,
    faults: &[Fault],
    budget: &mut Budget,
) -> Result<Vec<Fault>> {
    if !has_rules(schema) {
        return Ok(Vec::new());
    }
    if faults.iter().any(Fault::blocks_rules) {
        return Ok(vec![Fault::invalid("", &Value::Null, UNCHECKED)]);
    }
    let mut rules = Rules {
        budget,
        expressions: HashMap::new(),
        faults: Vec::new(),
    };
    rules.walk(schema, value, "")?;
    Ok(rules.faults)
}

/// Alternatives and the like cannot have rules.
fn has_rules(node: &Node) -> bool {
    let additional = match &node.additional {
        Additional::Of(below) => has_rules(below),
        _ => false,
    };
    !node.rules.is_empty()
        || additional
        || node.items.as_deref().is_some_and(has_rules)
        || node.properties.values().any(has_rules)
}

struct Rules<'b, 'n> {
    budget: &'b mut Budget,
    /// By their texts; none where it cannot be read.
    expressions: HashMap<&'n str, Option<Rc<Expression>>>,
    faults: Vec<Fault>,
}

impl<'n> Rules<'_, 'n> {
    /// Goes through the places of a value.
    fn walk(&mut self, node: &'n Node, value: &Value, path: &str) -> Result<()> {
        self.budget.charge(10 + path.len())?;
        if value.is_null() {
            return Ok(());
        }
        self.hold(node, value, path)?;
        match value {
            Value::Array(items) => {
                if let Some(below) = &node.items {
                    for (index, item) in items.iter().enumerate() {
                        self.walk(below, item, &format!("{path}[{index}]"))?;
                    }
                }
            }
            Value::Object(fields) => {
                if let Additional::Of(below) = &node.additional {
                    for (name, value) in fields {
                        self.walk(below, value, &format!("{path}[{name}]"))?;
                    }
                }
                for (name, below) in &node.properties {
                    self.budget.charge(1)?;
                    if let Some(value) = fields.get(name) {
                        self.walk(below, value, &child(path, name))?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Evaluates the rules of one place.
    fn hold(&mut self, node: &'n Node, value: &Value, path: &str) -> Result<()> {
        if node.rules.is_empty() {
            return Ok(());
        }
        let mut scope = Scope::default();
        let is_object = path.is_empty() || node.is_embedded;
        let Some(own) = self.seen(node, value, is_object, &mut scope)? else {
            return Ok(());
        };
        scope.insert(SELF, own);
        scope.insert(FORMER, cel::Value::Optional(None));
        for rule in &node.rules {
            let Some(expression) = self.read(&rule.expression)? else {
                continue;
            };
            if expression.names(FORMER) && !rule.has_optional_old_self {
                continue;
            }
            let (outcome, cost) = expression.evaluate_over(&scope);
            self.budget.charge(cost)?;
            let text = match rule.message.trim() {
                "" => rule.expression.trim(),
                message => message,
            };
            match outcome {
                Ok(cel::Value::Bool(false)) => {
                    let fault = self.told(rule, node, value, path, &scope)?;
                    self.fault(fault)?;
                }
                Err(problem) if Expression::is_missing_key(&problem) => {
                    let detail = format!("{problem} evaluating rule: {text}");
                    self.fault(Fault::invalid(path, &node.kind.as_str().into(), detail))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn fault(&mut self, fault: Fault) -> Result<()> {
        self.budget.charge(1000)?;
        self.faults.push(fault);
        Ok(())
    }

    fn read(&mut self, text: &'n str) -> Result<Option<Rc<Expression>>> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        if let Some(known) = self.expressions.get(text) {
            return Ok(known.clone());
        }
        let patterns = text.matches("matches").count();
        self.budget
            .charge(text.len() * READING + patterns * PATTERN)?;
        let expression = Expression::parse(text).ok().map(Rc::new);
        self.expressions.insert(text, expression.clone());
        Ok(expression)
    }

    /// What is said of a rule that does not hold.
    fn told(
        &mut self,
        rule: &'n Rule,
        node: &Node,
        value: &Value,
        path: &str,
        scope: &Scope,
    ) -> Result<Fault> {
        let mut message = None;
        if let Some(expression) = self.read(&rule.message_expression)? {
            let (made, cost) = expression.evaluate_over(scope);
            self.budget.charge(cost)?;
            if let Ok(cel::Value::String(made)) = made {
                let made = made.trim();
                let is_message =
                    !made.is_empty() && made.len() <= MAX_MESSAGE && !made.contains('\n');
                message = is_message.then(|| made.to_owned());
            }
        }
        let detail = message.unwrap_or_else(|| match rule.message.trim() {
            "" => format!("failed rule: {}", rule.expression.trim()),
            message => message.to_owned(),
        });
        let path = match normalized(&rule.field_path, node) {
            Some(below) if !below.is_empty() => child(path, &below),
            _ => path.to_owned(),
        };
        let shown = !matches!(node.kind.as_str(), "object" | "array");
        let value = shown.then_some(value);
        Ok(match rule.reason.as_deref() {
            Some("FieldValueForbidden") => Fault::new(&path, Problem::Forbidden, None, detail),
            Some("FieldValueRequired") => Fault::required(&path, &detail),
            Some("FieldValueDuplicate") => Fault::new(&path, Problem::Duplicate, value, ""),
            _ => Fault::new(&path, Problem::Invalid, value, detail),
        })
    }

    /// A value as expressions see it; none if a text in it is not what its format says.
    fn seen(
        &mut self,
        node: &Node,
        value: &Value,
        is_object: bool,
        scope: &mut Scope,
    ) -> Result<Option<cel::Value>> {
        self.budget.charge(10)?;
        Ok(match value {
            Value::String(text) if !node.is_int_or_string => {
                self.budget.charge(text.len() / 16)?;
                match node.format.as_deref() {
                    Some("byte") => cel::Value::read_bytes(text),
                    Some("duration") => cel::Value::read_duration(text),
                    Some("date") => cel::Value::read_timestamp(&format!("{text}T00:00:00Z")),
                    Some("date-time") => cel::Value::read_timestamp(text),
                    _ => Some(cel::Value::of(value)),
                }
            }
            Value::Number(number) if node.kind == "number" => {
                number.as_f64().map(cel::Value::Double)
            }
            Value::Array(items) => {
                let nothing = Node::default();
                let below = node.items.as_deref().unwrap_or(&nothing);
                let mut seen = Vec::with_capacity(items.len());
                for item in items {
                    let Some(item) = self.seen(below, item, below.is_embedded, scope)? else {
                        return Ok(None);
                    };
                    seen.push(item);
                }
                Some(scope.list(seen, !node.is_associative()))
            }
            Value::Object(fields) => {
                let nothing = Node::default();
                let mut seen = Vec::with_capacity(fields.len());
                for (name, value) in fields {
                    let property = node.properties.get(name);
                    let below = property.or_else(|| node.field(name)).unwrap_or(&nothing);
                    let Some(value) = self.seen(below, value, below.is_embedded, scope)? else {
                        return Ok(None);
                    };
                    let is_declared = property.is_some() || is_object;
                    let name = if is_declared {
                        escaped(name)
                    } else {
                        name.clone()
                    };
                    seen.push((name, value));
                }
                Some(cel::Value::map(seen.into_iter()))
            }
            _ => Some(cel::Value::of(value)),
        })
    }
}

/// A name of a field as expressions write it.
fn escaped(name: &str) -> String {
    if MEANINGS.contains(&name) || cel::RESERVED.contains(&name) {
        return format!("__{name}__");
    }
    // All at once: what one replacement writes is not for the next to read.
    let mut escaped = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(next) = rest.chars().next() {
        let (length, written) = match next {
            '_' if rest.starts_with("__") => (2, "__underscores__"),
            '.' => (1, "__dot__"),
            '-' => (1, "__dash__"),
            '/' => (1, "__slash__"),
            other => (other.len_utf8(), &rest[..other.len_utf8()]),
        };
        escaped.push_str(written);
        rest = &rest[length..];
    }
    escaped
}

/// The path of a field below a place, if it leads to one: `.a['b']`.
fn normalized(path: &str, mut node: &Node) -> Option<String> {
    let mut found = String::new();
    let mut rest = path;
    while !rest.is_empty() {
        let name;
        if let Some(quoted) = rest.strip_prefix("['") {
            let (inside, after) = quoted.split_once("']")?;
            // Nobody quotes quotes in names.
            if inside.contains('\\') {
                return None;
            }
            (name, rest) = (inside, after);
        } else {
            let plain = rest.strip_prefix('.')?;
            let end = plain.find(['.', '[', ']']).unwrap_or(plain.len());
            (name, rest) = plain.split_at(end);
        }
        if node.properties.is_empty() {
            let Additional::Of(below) = &node.additional else {
                return None;
            };
            node = below;
            found = format!("{found}[{name}]");
        } else {
            node = node.properties.get(name)?;
            found = child(&found, name);
        }
    }
    Some(found)
}
