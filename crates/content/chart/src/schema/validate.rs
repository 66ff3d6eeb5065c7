//! Evaluates the keywords of a schema in the order of Helm's validator.

mod keywords;

use std::cell::Cell;
use std::collections::BTreeSet;

use super::document::{Document, Draft, Reference, Target};
use super::message::{self, Kind, Problem};
use crate::values::{Json, Values};

/// The schemas that may be applied to the values of a chart and its dependencies.
pub(super) const MAX_STEPS: u32 = 1_000_000;
/// The steps of a problem, which is kept until the end.
const PROBLEM_STEPS: u32 = 50;
/// The deepest nesting of schemas that are being applied.
const MAX_DEPTH: usize = 400;

/// Stack that is left free at any time.
const STACK_RESERVE: usize = 128 << 10;
/// Stack that is added when the reserve is reached.
const STACK_SEGMENT: usize = 1 << 20;

/// Parts of a value that some schema has looked at.
#[derive(Default)]
pub(super) struct EvaluatedParts {
    keys: BTreeSet<String>,
    items: BTreeSet<usize>,
}

impl EvaluatedParts {
    fn add(&mut self, other: Self) {
        self.keys.extend(other.keys);
        self.items.extend(other.items);
    }
}

/// A schema that cannot be applied at all.
type SchemaResult<T> = Result<T, String>;

/// The outcome of a schema: the parts that it looked at, or a problem.
type Outcome = SchemaResult<Result<EvaluatedParts, Problem>>;

pub(super) struct Validator<'s> {
    document: &'s Document<'s>,
    path: Vec<String>,
    /// The schemas that are being applied, with the values' addresses.
    active: Vec<(*const Json, *const Json)>,
    /// The resources of these schemas.
    scope: Vec<usize>,
    /// The steps that are left.
    steps: Cell<u32>,
    max_steps: u32,
    max_depth: usize,
    pub(super) checks_formats: bool,
}

impl<'s> Validator<'s> {
    pub(super) const fn new(document: &'s Document<'s>, steps: u32) -> Self {
        Self {
            document,
            path: Vec::new(),
            active: Vec::new(),
            scope: Vec::new(),
            steps: Cell::new(steps),
            max_steps: MAX_STEPS,
            max_depth: MAX_DEPTH,
            checks_formats: matches!(document.draft, Draft::D4 | Draft::D6 | Draft::D7),
        }
    }

    /// Checks formats in all drafts, and lets schemas nest deeper.
    pub(super) const fn for_rules(mut self, max_depth: usize) -> Self {
        self.max_steps = self.steps.get();
        self.max_depth = max_depth;
        self.checks_formats = true;
        self
    }

    pub(super) const fn steps_left(&self) -> u32 {
        self.steps.get()
    }

    /// Applies the root of the document.
    pub(super) fn validate_root(&mut self, value: &Json) -> SchemaResult<Option<Problem>> {
        Ok(self.validate(self.document.root, value)?.err())
    }

    fn problem(&self, text: impl Into<String>) -> Problem {
        self.steps.update(|left| left.saturating_sub(PROBLEM_STEPS));
        Problem {
            path: self.path.clone(),
            text: text.into(),
            kind: Kind::Keyword,
            causes: Vec::new(),
        }
    }

    fn caused(&self, text: impl Into<String>, causes: Vec<Problem>) -> Problem {
        Problem {
            causes,
            ..self.problem(text)
        }
    }

    fn validate(&mut self, schema: &'s Json, value: &Json) -> Outcome {
        self.validate_from(schema, self.resource(), value)
    }

    /// The resource of the schema that is being applied.
    fn resource(&self) -> usize {
        self.scope.last().copied().unwrap_or_default()
    }

    /// Applies a schema that is reached from a resource.
    fn validate_from(&mut self, schema: &'s Json, from: usize, value: &Json) -> Outcome {
        let Some(left) = self.steps.get().checked_sub(1) else {
            let max_steps = self.max_steps;
            return Err(format!("the schema needs more than {max_steps} steps"));
        };
        self.steps.set(left);
        if self.active.len() >= self.max_depth {
            let max_depth = self.max_depth;
            return Err(format!("the schema nests deeper than {max_depth} levels"));
        }
        let place: (*const Json, *const Json) = (schema, value);
        let entries = match schema {
            Json::Bool(true) => return Ok(Ok(EvaluatedParts::default())),
            Json::Bool(false) => return Ok(Err(self.problem("false schema"))),
            Json::Object(entries) => entries,
            _ => return Err("a schema is neither a map nor a boolean".to_owned()),
        };
        if self.active.contains(&place) {
            return Ok(Err(
                self.problem("the references of the schema lead in a circle")
            ));
        }
        self.active.push(place);
        self.scope.push(self.document.owner(schema, from));
        let outcome =
            stacker::maybe_grow(STACK_RESERVE, STACK_SEGMENT, || self.apply(entries, value));
        self.active.pop();
        self.scope.pop();
        outcome
    }

    /// Applies a schema to a part of the value.
    fn validate_part(&mut self, schema: &'s Json, value: &Json, part: String) -> Outcome {
        self.path.push(part);
        let outcome = self.validate(schema, value);
        self.path.pop();
        outcome
    }

    fn apply(&mut self, schema: &'s Values, value: &Json) -> Outcome {
        let draft = self.document.draft;
        let mut evaluated = EvaluatedParts::default();
        let reference = schema.get("$ref").and_then(Json::as_str);
        if draft < Draft::D2019
            && let Some(reference) = reference
        {
            let kind = Reference::Plain;
            return Ok(
                match self.reference(reference, kind, value, &mut evaluated)? {
                    None => Ok(evaluated),
                    Some(problem) => Err(problem),
                },
            );
        }
        if let Some(problem) = self.general(schema, value) {
            return Ok(Err(problem));
        }
        let mut problems = Vec::new();
        if let Some(reference) = reference {
            let kind = Reference::Plain;
            problems.extend(self.reference(reference, kind, value, &mut evaluated)?);
        }
        match value {
            Json::Object(object) => {
                self.object(schema, object, value, &mut evaluated, &mut problems)?;
            }
            Json::Array(items) => self.array(schema, items, &mut evaluated, &mut problems)?,
            Json::String(text) => self.text(schema, text, &mut problems)?,
            Json::Number(number) => {
                let number = number.as_f64().unwrap_or(f64::NAN);
                self.number(schema, number, &mut problems);
            }
            Json::Null | Json::Bool(_) => {}
        }
        if draft >= Draft::D2019 {
            for (key, kind) in [
                ("$recursiveRef", Reference::Recursive),
                ("$dynamicRef", Reference::Dynamic),
            ] {
                if let Some(reference) = schema.get(key).and_then(Json::as_str) {
                    problems.extend(self.reference(reference, kind, value, &mut evaluated)?);
                }
            }
        }
        self.conditions(schema, value, &mut evaluated, &mut problems)?;
        if draft >= Draft::D2019 && self.document.has_unevaluated {
            self.unevaluated(schema, value, &mut evaluated, &mut problems)?;
        }
        Ok(match problems.len() {
            0 => Ok(evaluated),
            1 => Err(problems.remove(0)),
            _ => Err(Problem {
                kind: Kind::Group,
                ..self.caused("validation failed", problems)
            }),
        })
    }

    fn reference(
        &mut self,
        reference: &str,
        kind: Reference,
        value: &Json,
        evaluated: &mut EvaluatedParts,
    ) -> SchemaResult<Option<Problem>> {
        let (scope, from) = (self.scope.iter().copied(), self.resource());
        let (schema, resource) = match self.document.resolve(reference, kind, scope, from)? {
            Target::Schema { schema, resource } => (schema, resource),
            Target::Anything => return Ok(None),
        };
        Ok(match self.validate_from(schema, resource, value)? {
            Ok(seen) => {
                evaluated.add(seen);
                None
            }
            Err(problem) => {
                let causes = match problem.kind {
                    Kind::Group => problem.causes,
                    _ => vec![problem],
                };
                Some(Problem {
                    kind: Kind::Reference,
                    ..self.caused("validation failed", causes)
                })
            }
        })
    }

    /// `not`, `allOf`, `anyOf`, `oneOf`, `if`.
    fn conditions(
        &mut self,
        schema: &'s Values,
        value: &Json,
        evaluated: &mut EvaluatedParts,
        problems: &mut Vec<Problem>,
    ) -> SchemaResult<()> {
        if let Some(not) = schema.get("not")
            && self.validate(not, value)?.is_ok()
        {
            problems.push(self.problem("'not' failed"));
        }
        let schemas = |key: &str| match schema.get(key) {
            Some(Json::Array(schemas)) => schemas.as_slice(),
            _ => &[],
        };
        let mut causes = Vec::new();
        for schema in schemas("allOf") {
            match self.validate(schema, value)? {
                Ok(seen) => evaluated.add(seen),
                Err(problem) => causes.push(problem),
            }
        }
        if !causes.is_empty() {
            problems.push(self.caused("'allOf' failed", causes));
        }
        let mut causes = Vec::new();
        let mut is_matched = schemas("anyOf").is_empty();
        for schema in schemas("anyOf") {
            match self.validate(schema, value)? {
                Ok(seen) => {
                    evaluated.add(seen);
                    is_matched = true;
                    if !self.document.has_unevaluated {
                        break;
                    }
                }
                Err(problem) => causes.push(problem),
            }
        }
        if !is_matched {
            problems.push(self.caused("'anyOf' failed", causes));
        }
        self.one_of(schemas("oneOf"), value, evaluated, problems)?;
        if self.document.draft >= Draft::D7
            && let Some(condition) = schema.get("if")
        {
            let branch = match self.validate(condition, value)? {
                Ok(seen) => {
                    evaluated.add(seen);
                    "then"
                }
                Err(_) => "else",
            };
            if let Some(branch) = schema.get(branch) {
                match self.validate(branch, value)? {
                    Ok(seen) => evaluated.add(seen),
                    Err(problem) => problems.push(problem),
                }
            }
        }
        Ok(())
    }

    fn one_of(
        &mut self,
        schemas: &'s [Json],
        value: &Json,
        evaluated: &mut EvaluatedParts,
        problems: &mut Vec<Problem>,
    ) -> SchemaResult<()> {
        let mut causes = Vec::new();
        let mut matched = None;
        for (index, schema) in schemas.iter().enumerate() {
            match (self.validate(schema, value)?, matched) {
                (Ok(seen), None) => {
                    evaluated.add(seen);
                    matched = Some(index);
                }
                (Ok(_), Some(first)) => {
                    let (one, two) = (message::count(first), message::count(index));
                    let text = format!("'oneOf' failed, subschemas {one}, {two} matched");
                    problems.push(self.problem(text));
                    break;
                }
                (Err(problem), None) => causes.push(problem),
                (Err(_), Some(_)) => {}
            }
        }
        if matched.is_none() && !schemas.is_empty() {
            problems.push(self.caused("'oneOf' failed, none matched", causes));
        }
        Ok(())
    }

    /// Applies schemas to the parts that no other schema has looked at.
    fn unevaluated(
        &mut self,
        schema: &'s Values,
        value: &Json,
        evaluated: &mut EvaluatedParts,
        problems: &mut Vec<Problem>,
    ) -> SchemaResult<()> {
        if let (Json::Object(object), Some(rest)) = (value, schema.get("unevaluatedProperties")) {
            for (key, value) in sorted(object) {
                if evaluated.keys.insert(key.clone()) {
                    let outcome = self.validate_part(rest, value, key.clone())?;
                    problems.extend(outcome.err());
                }
            }
        }
        if let (Json::Array(items), Some(rest)) = (value, schema.get("unevaluatedItems")) {
            for (index, item) in items.iter().enumerate() {
                if evaluated.items.insert(index) {
                    let outcome = self.validate_part(rest, item, index.to_string())?;
                    problems.extend(outcome.err());
                }
            }
        }
        Ok(())
    }
}

/// The entries of an object in the order of its keys.
fn sorted(object: &Values) -> Vec<(&String, &Json)> {
    let mut entries: Vec<_> = object.iter().collect();
    entries.sort_by_key(|(key, _)| *key);
    entries
}
