//! Validates values against a schema, with the server's messages.
//!
//! When all alternatives of `anyOf` or `oneOf` fail, the errors of the best match are reported.
//! The number of passed checks ([`Outcome::matches`]) decides, counted like the server does.

mod numbers;

use std::collections::{HashMap, HashSet};

use serde_json::Map;
use sluice_golang::quote::quote;
use sluice_golang::regexp::{self, Regex};
use sluice_object::Value;
use sluice_yaml::json;

use super::field_error::{ErrorType, FieldError};
use super::node::{AdditionalFields, Node};
use super::{Budget, BudgetExceeded, formats};

/// Maximum size of a compiled pattern. Larger patterns are not checked.
const MAX_PATTERN_BYTES: usize = 128 << 10;

/// Base cost of compiling a pattern.
const PATTERN_COST: usize = 20_000;

/// Cost of an error.
const ERROR_COST: usize = 1000;

type Result<T> = std::result::Result<T, BudgetExceeded>;

/// Validates an object.
pub(super) fn check(schema: &Node, value: &Value, budget: &mut Budget) -> Result<Vec<FieldError>> {
    let mut validator = Validator {
        budget,
        patterns: HashMap::new(),
    };
    Ok(validator.check_value(schema, "", value)?.errors)
}

struct Validator<'b, 'n> {
    budget: &'b mut Budget,
    patterns: HashMap<&'n str, Option<Regex>>,
}

/// The errors of a value, and the number of passed checks.
#[derive(Default)]
struct Outcome {
    errors: Vec<FieldError>,
    matches: usize,
}

impl Outcome {
    fn merge(&mut self, other: Self) {
        self.errors.extend(other.errors);
        self.matches += other.matches;
    }

    fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }
}

impl From<FieldError> for Outcome {
    fn from(error: FieldError) -> Self {
        Self {
            errors: vec![error],
            matches: 0,
        }
    }
}

/// The outcome of the best matching alternative.
#[derive(Default)]
struct BestMatch(Option<Outcome>);

impl BestMatch {
    fn offer(&mut self, outcome: Outcome) {
        if self
            .0
            .as_ref()
            .is_none_or(|best| outcome.matches > best.matches)
        {
            self.0 = Some(outcome);
        }
    }
}

impl<'n> Validator<'_, 'n> {
    fn check_value(&mut self, node: &'n Node, path: &str, value: &Value) -> Result<Outcome> {
        self.budget.charge(10 + path.len())?;
        let mut outcome = Outcome::default();
        let types = types_of(node);
        let format = format_of(node);
        if value.is_null() {
            outcome.merge(check_null(node, &types, path));
            outcome.merge(self.check_enum(node, path, value)?);
            return Ok(outcome);
        }
        if !types.is_empty() || format.is_some() {
            outcome.merge(check_type(&types, format.as_deref(), path, value));
            outcome.matches += 1;
        }
        outcome.merge(self.check_combinators(node, path, value)?);
        outcome.matches += 1;
        match value {
            Value::String(text) => {
                outcome.merge(self.check_string(node, path, value, text)?);
                outcome.matches += 1;
                if let Some(format) = &format
                    && formats::is_known(format)
                {
                    self.budget.charge(text.len())?;
                    outcome.merge(check_format(format, path, value, text));
                    outcome.matches += 1;
                }
            }
            Value::Number(number) => {
                outcome.merge(numbers::check(
                    node,
                    &types,
                    format.as_deref(),
                    path,
                    number,
                ));
                outcome.matches += 1;
            }
            Value::Array(items) => {
                outcome.merge(self.check_items(node, path, items)?);
                outcome.matches += 1;
            }
            _ => {}
        }
        outcome.merge(self.check_enum(node, path, value)?);
        outcome.matches += 1;
        if let Value::Object(fields) = value {
            outcome.merge(self.check_fields(node, path, fields)?);
            outcome.matches += 1;
        }
        outcome.matches += 1;
        self.budget.charge(ERROR_COST * outcome.errors.len())?;
        Ok(outcome)
    }

    /// Checks `anyOf`, `oneOf`, `allOf` and `not`.
    fn check_combinators(&mut self, node: &'n Node, path: &str, value: &Value) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        let name = quote(path);
        if !node.any_of.is_empty() {
            let mut best = BestMatch::default();
            let mut success = None;
            for alternative in &node.any_of {
                let tried = self.check_value(alternative, path, value)?;
                if tried.is_valid() {
                    success = Some(tried);
                    break;
                }
                best.offer(tried);
            }
            match success {
                Some(success) => outcome.merge(success),
                None => {
                    let message = format!("{name} must validate at least one schema (anyOf)");
                    outcome.merge(FieldError::without_path(message).into());
                    outcome.merge(best.0.unwrap_or_default());
                }
            }
        }
        if !node.one_of.is_empty() {
            let mut best = BestMatch::default();
            let mut successes = Vec::new();
            for alternative in &node.one_of {
                let tried = self.check_value(alternative, path, value)?;
                if tried.is_valid() {
                    best = BestMatch::default();
                    successes.push(tried);
                } else if successes.is_empty() {
                    best.offer(tried);
                }
            }
            if successes.len() == 1 {
                successes
                    .drain(..)
                    .for_each(|success| outcome.merge(success));
            } else {
                let found = match successes.len() {
                    0 => "Found none valid".to_owned(),
                    several => format!("Found {several} valid alternatives"),
                };
                let message =
                    format!("{name} must validate one and only one schema (oneOf). {found}");
                outcome.merge(FieldError::without_path(message).into());
                outcome.merge(best.0.unwrap_or_default());
            }
        }
        if !node.all_of.is_empty() {
            let mut valid = 0;
            for part in &node.all_of {
                let tried = self.check_value(part, path, value)?;
                valid += usize::from(tried.is_valid());
                outcome.merge(tried);
            }
            if valid < node.all_of.len() {
                let none = if valid == 0 { ". None validated" } else { "" };
                let message = format!("{name} must validate all the schemas (allOf){none}");
                outcome.merge(FieldError::without_path(message).into());
            }
        }
        if let Some(not) = &node.not
            && self.check_value(not, path, value)?.is_valid()
        {
            let message = format!("{name} must not validate the schema (not)");
            outcome.merge(FieldError::without_path(message).into());
        }
        outcome.matches += 1;
        Ok(outcome)
    }

    fn check_enum(&mut self, node: &Node, path: &str, value: &Value) -> Result<Outcome> {
        self.budget.charge(node.enumeration.len())?;
        let mut allowed = node.enumeration.iter();
        if node.enumeration.is_empty() || allowed.any(|allowed| is_same(value, allowed)) {
            return Ok(Outcome::default());
        }
        let allowed = node.enumeration.iter().map(|value| match value {
            Value::String(text) => quote(text),
            value => quote(&json::to_string(value)),
        });
        let allowed: Vec<String> = allowed.collect();
        let detail = format!("supported values: {}", allowed.join(", "));
        self.budget.charge(detail.len())?;
        Ok(FieldError::new(field(path), ErrorType::Unsupported, Some(value), detail).into())
    }

    /// Checks length and pattern. Only the first error is reported.
    fn check_string(
        &mut self,
        node: &'n Node,
        path: &str,
        value: &Value,
        text: &str,
    ) -> Result<Outcome> {
        self.budget.charge(text.len() / 16)?;
        let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        if let Some(max) = node.length.max
            && length > max
        {
            return Ok(FieldError::too_long(field(path), max).into());
        }
        if let Some(min) = node.length.min
            && length < min
        {
            let detail = format!("{path} in body should be at least {min} chars long");
            return Ok(FieldError::invalid(field(path), value, detail).into());
        }
        if let Some(pattern) = &node.pattern
            && !self.matches_pattern(pattern, text)?
        {
            let detail = format!("{path} in body should match '{pattern}'");
            return Ok(FieldError::invalid(field(path), value, detail).into());
        }
        Ok(Outcome::default())
    }

    /// Whether a text matches a pattern. An invalid pattern matches everything.
    fn matches_pattern(&mut self, pattern: &'n str, text: &str) -> Result<bool> {
        if !self.patterns.contains_key(pattern) {
            // Character classes dominate the compile time.
            let classes = pattern.matches(['[', 'p', 'P']).count();
            self.budget
                .charge(PATTERN_COST + pattern.len() * 4 + classes * 2500)?;
            let compiled = regexp::compile(pattern, MAX_PATTERN_BYTES).ok();
            self.patterns.insert(pattern, compiled);
        }
        self.budget.charge(text.len() * (1 + pattern.len() / 4))?;
        let compiled = self.patterns.get(pattern).and_then(Option::as_ref);
        Ok(compiled.is_none_or(|compiled| compiled.is_match(text)))
    }

    fn check_items(&mut self, node: &'n Node, path: &str, items: &[Value]) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        if let Some(below) = &node.items {
            for (index, item) in items.iter().enumerate() {
                outcome.merge(self.check_value(below, &format!("{path}[{index}]"), item)?);
            }
        }
        let count = count_of(items.len());
        if let Some(min) = node.items_count.min
            && count < min
        {
            let detail = format!("{path} in body should have at least {min} items");
            outcome.merge(FieldError::invalid(field(path), &count.into(), detail).into());
        }
        outcome.merge(check_max_count(path, count, node.items_count.max));
        if node.has_unique_items {
            let mut known = HashSet::new();
            let mut printed = items.iter().map(json::to_string);
            if !printed.all(|item| known.insert(item)) {
                let detail = format!("{path} in body shouldn't contain duplicates");
                outcome.merge(FieldError::invalid(field(path), &"".into(), detail).into());
            }
        }
        outcome.matches += 1;
        Ok(outcome)
    }

    fn check_fields(
        &mut self,
        node: &'n Node,
        path: &str,
        fields: &Map<String, Value>,
    ) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        let count = count_of(fields.len());
        if let Some(min) = node.properties_count.min
            && count < min
        {
            let detail = format!("{path} in body should have at least {min} properties");
            outcome.merge(FieldError::invalid(field(path), &count.into(), detail).into());
        }
        outcome.merge(check_max_count(path, count, node.properties_count.max));
        let others = fields
            .iter()
            .filter(|(name, _)| !node.properties.contains_key(*name));
        match &node.additional {
            AdditionalFields::Unset | AdditionalFields::Allowed(true) => {}
            AdditionalFields::Allowed(false) => {
                for (name, _) in others {
                    let detail = format!("{path}.{name} in body is a forbidden property");
                    outcome.merge(
                        FieldError::invalid(field(path), &name.as_str().into(), detail).into(),
                    );
                }
            }
            AdditionalFields::Of(below) => {
                for (name, value) in others {
                    outcome.merge(self.check_value(below, &format!("{path}.{name}"), value)?);
                }
            }
        }
        for (name, below) in &node.properties {
            self.budget.charge(1)?;
            if let Some(value) = fields.get(name) {
                let dot = if path.is_empty() { "" } else { "." };
                outcome.merge(self.check_value(below, &format!("{path}{dot}{name}"), value)?);
            }
        }
        for name in &node.required {
            if !fields.contains_key(name) {
                let path = format!("{path}.{name}");
                outcome.merge(FieldError::required(field(&path), "").into());
            }
        }
        Ok(outcome)
    }
}

/// The path in an error. A field of the object itself has no leading dot.
fn field(path: &str) -> &str {
    path.strip_prefix('.').unwrap_or(path)
}

fn count_of(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

fn types_of(node: &Node) -> Vec<&str> {
    if node.is_int_or_string {
        return vec!["integer", "string"];
    }
    let kind = Some(node.kind.as_str()).filter(|kind| !kind.is_empty());
    kind.into_iter().collect()
}

/// The format, if it applies to the type.
fn format_of(node: &Node) -> Option<String> {
    let format = node.format.as_deref()?;
    let counts = match node.kind.as_str() {
        _ if node.is_int_or_string => formats::is_known(format),
        "" | "string" => formats::is_known(format),
        "integer" => matches!(format, "int32" | "int64"),
        "number" => matches!(format, "float" | "double"),
        _ => false,
    };
    counts.then(|| format.to_owned())
}

fn type_error(path: &str, wanted: &str, value: &Value) -> Outcome {
    let found = value.as_str().unwrap_or_default();
    let detail = format!("{path} in body must be of type {wanted}: {}", quote(found));
    FieldError::new(field(path), ErrorType::OtherType, Some(value), detail).into()
}

fn check_null(node: &Node, types: &[&str], path: &str) -> Outcome {
    if !types.is_empty() && !node.is_nullable {
        return type_error(path, &types.join(","), &"null".into());
    }
    Outcome {
        errors: Vec::new(),
        matches: 1,
    }
}

fn check_type(types: &[&str], format: Option<&str>, path: &str, value: &Value) -> Outcome {
    let (found, found_format) = match value {
        Value::Null => ("null", ""),
        Value::Bool(_) => ("boolean", ""),
        Value::Number(number) if number.as_i64().is_some() => ("integer", "int64"),
        Value::Number(_) => ("number", "float64"),
        Value::String(_) => ("string", ""),
        Value::Array(_) => ("array", ""),
        Value::Object(_) => ("object", ""),
    };
    let is = |kind: &str| types.contains(&kind);
    let whole = || value.as_f64().is_some_and(is_whole);
    let fits = is(found)
        || found == "integer" && is("number")
        || found == "number" && is("integer") && whole();
    let is_text_or_list = matches!(value, Value::String(_) | Value::Array(_));
    if let Some(format) = format {
        if !is_text_or_list && !fits && format != found_format {
            return type_error(path, format, &found_format.into());
        }
        if is_text_or_list && !is("number") && !is("integer") {
            return Outcome {
                errors: Vec::new(),
                matches: 1,
            };
        }
    }
    if !fits {
        return type_error(path, &types.join(","), &found.into());
    }
    Outcome {
        errors: Vec::new(),
        matches: 1,
    }
}

fn check_format(format: &str, path: &str, value: &Value, text: &str) -> Outcome {
    if formats::fits(format, text) {
        return Outcome::default();
    }
    type_error(path, format, value)
}

fn check_max_count(path: &str, count: i64, max: Option<i64>) -> Outcome {
    match max {
        Some(max) if count > max => {
            let items = if max == 1 { "item" } else { "items" };
            let detail = format!("must have at most {max} {items}");
            FieldError::new(field(path), ErrorType::TooMany, Some(&count.into()), detail).into()
        }
        _ => Outcome::default(),
    }
}

/// Whether a value equals an enum value. Numbers are converted to the type of the enum value.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the server converts in the same way"
)]
fn is_same(value: &Value, listed: &Value) -> bool {
    let (Value::Number(number), Value::Number(listed)) = (value, listed) else {
        return value == listed && !value.is_null();
    };
    match (number.as_i64(), listed.as_i64()) {
        (Some(number), Some(listed)) => number == listed,
        (Some(number), None) => listed.as_f64() == Some(number as f64),
        (None, Some(listed)) => number
            .as_f64()
            .is_some_and(|number| number as i64 == listed),
        (None, None) => number.as_f64() == listed.as_f64(),
    }
}

/// Whether a float is an integer, up to rounding errors.
fn is_whole(number: f64) -> bool {
    const MAX_EXACT: f64 = 9_007_199_254_740_991.0;
    const EPSILON: f64 = 1e-9;
    if !number.is_finite() || number.abs() > MAX_EXACT {
        return false;
    }
    let rounded = number.round();
    let difference = (number - rounded).abs();
    difference == 0.0 || rounded != 0.0 && difference < EPSILON * rounded.abs()
}
