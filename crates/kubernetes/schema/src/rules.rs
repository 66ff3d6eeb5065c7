//! Evaluates the expressions of a schema (`x-kubernetes-validations`).
//!
//! The declared types decide the values in an expression: numbers are floats if the schema
//! says so, strings with a time format are timestamps, and field names are escaped.
//! Rules that compare with the old value are skipped, because the object is new. A rule that
//! cannot be parsed or evaluated is skipped, too. A missing key is an error, as for the
//! server.

use std::collections::HashMap;
use std::rc::Rc;

use sluice_cel::{self as cel, Expression, Scope};
use sluice_object::Value;

use super::field_error::{ErrorType, FieldError};
use super::metadata::child;
use super::node::{AdditionalFields, Node, Rule};
use super::{Budget, BudgetExceeded};

const SELF: &str = "self";
const OLD_SELF: &str = "oldSelf";

/// Replaces all rule errors when other errors make the rules meaningless.
const UNCHECKED: &str = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

/// Maximum length of a computed message.
const MAX_MESSAGE_BYTES: usize = 5 << 10;

/// Cost of parsing an expression, per byte and per pattern.
const PARSE_COST_PER_BYTE: usize = 100;
const PATTERN_COST: usize = 150_000;

/// Keywords, which are escaped in field names.
const KEYWORDS: [&str; 4] = ["true", "false", "null", "in"];

type Result<T> = std::result::Result<T, BudgetExceeded>;

/// Returns the rules that fail. `errors` are the errors of the earlier checks.
pub(super) fn check(
    schema: &Node,
    value: &Value,
    errors: &[FieldError],
    budget: &mut Budget,
) -> Result<Vec<FieldError>> {
    if !has_rules(schema) {
        return Ok(Vec::new());
    }
    if errors.iter().any(FieldError::blocks_rules) {
        return Ok(vec![FieldError::invalid("", &Value::Null, UNCHECKED)]);
    }
    let mut rules = Rules {
        budget,
        expressions: HashMap::new(),
        errors: Vec::new(),
    };
    rules.walk(schema, value, "")?;
    Ok(rules.errors)
}

/// Whether a schema has rules. Rules inside `anyOf` and the like are not allowed.
fn has_rules(node: &Node) -> bool {
    let additional = match &node.additional {
        AdditionalFields::Of(below) => has_rules(below),
        _ => false,
    };
    !node.rules.is_empty()
        || additional
        || node.items.as_deref().is_some_and(has_rules)
        || node.properties.values().any(has_rules)
}

struct Rules<'b, 'n> {
    budget: &'b mut Budget,
    /// Parsed expressions by text; `None` for invalid ones.
    expressions: HashMap<&'n str, Option<Rc<Expression>>>,
    errors: Vec<FieldError>,
}

impl<'n> Rules<'_, 'n> {
    /// Checks the rules of a value and of its nested values.
    fn walk(&mut self, node: &'n Node, value: &Value, path: &str) -> Result<()> {
        self.budget.charge(10 + path.len())?;
        if value.is_null() {
            return Ok(());
        }
        self.check_rules(node, value, path)?;
        match value {
            Value::Array(items) => {
                if let Some(below) = &node.items {
                    for (index, item) in items.iter().enumerate() {
                        self.walk(below, item, &format!("{path}[{index}]"))?;
                    }
                }
            }
            Value::Object(fields) => {
                if let AdditionalFields::Of(below) = &node.additional {
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

    /// Checks the rules of one value.
    fn check_rules(&mut self, node: &'n Node, value: &Value, path: &str) -> Result<()> {
        if node.rules.is_empty() {
            return Ok(());
        }
        let mut scope = Scope::default();
        let is_object = path.is_empty() || node.is_embedded;
        let Some(own) = self.convert(node, value, is_object, &mut scope)? else {
            return Ok(());
        };
        scope.insert(SELF, own);
        scope.insert(OLD_SELF, cel::Value::Optional(None));
        for rule in &node.rules {
            let Some(expression) = self.parse(&rule.expression)? else {
                continue;
            };
            if expression.mentions(OLD_SELF) && !rule.has_optional_old_self {
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
                    let error = self.rule_error(rule, node, value, path, &scope)?;
                    self.add_error(error)?;
                }
                Err(problem) if Expression::is_missing_key(&problem) => {
                    let detail = format!("{problem} evaluating rule: {text}");
                    self.add_error(FieldError::invalid(
                        path,
                        &node.kind.as_str().into(),
                        detail,
                    ))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn add_error(&mut self, error: FieldError) -> Result<()> {
        self.budget.charge(1000)?;
        self.errors.push(error);
        Ok(())
    }

    fn parse(&mut self, text: &'n str) -> Result<Option<Rc<Expression>>> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        if let Some(known) = self.expressions.get(text) {
            return Ok(known.clone());
        }
        let patterns = text.matches("matches").count();
        self.budget
            .charge(text.len() * PARSE_COST_PER_BYTE + patterns * PATTERN_COST)?;
        let expression = Expression::parse(text).ok().map(Rc::new);
        self.expressions.insert(text, expression.clone());
        Ok(expression)
    }

    /// The error of a failed rule.
    fn rule_error(
        &mut self,
        rule: &'n Rule,
        node: &Node,
        value: &Value,
        path: &str,
        scope: &Scope,
    ) -> Result<FieldError> {
        let mut message = None;
        if let Some(expression) = self.parse(&rule.message_expression)? {
            let (made, cost) = expression.evaluate_over(scope);
            self.budget.charge(cost)?;
            if let Ok(cel::Value::String(made)) = made {
                let made = made.trim();
                let is_message =
                    !made.is_empty() && made.len() <= MAX_MESSAGE_BYTES && !made.contains('\n');
                message = is_message.then(|| made.to_owned());
            }
        }
        let detail = message.unwrap_or_else(|| match rule.message.trim() {
            "" => format!("failed rule: {}", rule.expression.trim()),
            message => message.to_owned(),
        });
        let path = match normalize_path(&rule.field_path, node) {
            Some(below) if !below.is_empty() => child(path, &below),
            _ => path.to_owned(),
        };
        let shown = !matches!(node.kind.as_str(), "object" | "array");
        let value = shown.then_some(value);
        Ok(match rule.reason.as_deref() {
            Some("FieldValueForbidden") => {
                FieldError::new(&path, ErrorType::Forbidden, None, detail)
            }
            Some("FieldValueRequired") => FieldError::required(&path, &detail),
            Some("FieldValueDuplicate") => FieldError::new(&path, ErrorType::Duplicate, value, ""),
            _ => FieldError::new(&path, ErrorType::Invalid, value, detail),
        })
    }

    /// Converts a value for expressions. `None` when a string does not match its format.
    fn convert(
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
                let undeclared = Node::default();
                let below = node.items.as_deref().unwrap_or(&undeclared);
                let mut converted = Vec::with_capacity(items.len());
                for item in items {
                    let Some(item) = self.convert(below, item, below.is_embedded, scope)? else {
                        return Ok(None);
                    };
                    converted.push(item);
                }
                Some(scope.list(converted, !node.is_associative()))
            }
            Value::Object(fields) => {
                let undeclared = Node::default();
                let mut converted = Vec::with_capacity(fields.len());
                for (name, value) in fields {
                    let property = node.properties.get(name);
                    let below = property.or_else(|| node.field(name)).unwrap_or(&undeclared);
                    let Some(value) = self.convert(below, value, below.is_embedded, scope)? else {
                        return Ok(None);
                    };
                    let is_declared = property.is_some() || is_object;
                    let name = if is_declared {
                        escape(name)
                    } else {
                        name.clone()
                    };
                    converted.push((name, value));
                }
                Some(cel::Value::map(converted.into_iter()))
            }
            _ => Some(cel::Value::of(value)),
        })
    }
}

/// Escapes a field name for expressions.
fn escape(name: &str) -> String {
    if KEYWORDS.contains(&name) || cel::RESERVED.contains(&name) {
        return format!("__{name}__");
    }
    // In one pass, so that the result of one replacement is not replaced again.
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

/// Normalizes the `fieldPath` of a rule, such as `.a['b']`. `None` when it is invalid.
fn normalize_path(path: &str, mut node: &Node) -> Option<String> {
    let mut found = String::new();
    let mut rest = path;
    while !rest.is_empty() {
        let name;
        if let Some(quoted) = rest.strip_prefix("['") {
            let (inside, after) = quoted.split_once("']")?;
            // Escaped quotes are not supported.
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
            let AdditionalFields::Of(below) = &node.additional else {
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
