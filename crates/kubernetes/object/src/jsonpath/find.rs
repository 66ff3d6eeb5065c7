//! Following an expression through a value.

use std::cmp::Ordering;

use serde_json::Value;

use super::{End, Filter, Operator, Slice, Step};

/// Follows steps from these values.
///
/// # Errors
/// A text, if a step is impossible.
pub(super) fn follow<'v>(
    from: Vec<&'v Value>,
    steps: &'v [Step],
) -> Result<Vec<&'v Value>, String> {
    steps.iter().try_fold(from, take)
}

fn take<'v>(from: Vec<&'v Value>, step: &'v Step) -> Result<Vec<&'v Value>, String> {
    let mut found = Vec::new();
    match step {
        Step::Field(key) => found.extend(from.into_iter().filter_map(|value| value.get(key))),
        Step::Every => from
            .into_iter()
            .for_each(|value| found.extend(children(value))),
        Step::Below => from
            .into_iter()
            .for_each(|value| add_below(value, &mut found)),
        Step::Slice(slice) => {
            for value in from {
                let Some(list) = items(value)? else { continue };
                found.extend(list[slice.of(list.len())].iter().step_by(slice.by));
            }
        }
        Step::Union(paths) => {
            for path in paths {
                found.extend(follow(from.clone(), path)?);
            }
        }
        Step::Where(filter) => {
            for value in from {
                for item in items(value)?.into_iter().flatten() {
                    if filter.holds(item)? {
                        found.push(item);
                    }
                }
            }
        }
        Step::Constant(value) => found.extend(from.iter().map(|_| value)),
    }
    Ok(found)
}

fn children(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Object(map) => Box::new(map.values()),
        Value::Array(list) => Box::new(list.iter()),
        _ => Box::new(std::iter::empty()),
    }
}

/// Adds what has values, and everything of that kind below it.
fn add_below<'v>(value: &'v Value, found: &mut Vec<&'v Value>) {
    let mut below = children(value).peekable();
    if below.peek().is_some() {
        found.push(value);
        below.for_each(|child| add_below(child, found));
    }
}

/// The items of a list; nothing is there where the value is null.
fn items(value: &Value) -> Result<Option<&Vec<Value>>, String> {
    match value {
        Value::Array(list) => Ok(Some(list)),
        Value::Null => Ok(None),
        other => Err(format!("{} is not array or slice", kind(other))),
    }
}

impl Slice {
    /// The part of a list that is so long.
    fn of(self, length: usize) -> std::ops::Range<usize> {
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let at = |index: i64| if index < 0 { index + length } else { index };
        let from = at(self.from.unwrap_or_default());
        let to = match self.to {
            End::One => from.saturating_add(1),
            End::Last => length,
            End::Before(index) => at(index),
        };
        let bound = |index: i64| usize::try_from(index).unwrap_or_default();
        if (0..=length).contains(&from) && (from..=length).contains(&to) {
            bound(from)..bound(to)
        } else {
            0..0
        }
    }
}

impl Filter {
    fn holds(&self, item: &Value) -> Result<bool, String> {
        let Some((operator, right)) = &self.right else {
            // An impossible path names nothing.
            return Ok(follow(vec![item], &self.left).is_ok_and(|found| !found.is_empty()));
        };
        let (Some(left), Some(right)) = (single(item, &self.left)?, single(item, right)?) else {
            return Ok(false);
        };
        let order = compare(left, right, *operator)?;
        Ok(match operator {
            Operator::Less => order == Ordering::Less,
            Operator::Greater => order == Ordering::Greater,
            Operator::Equal => order == Ordering::Equal,
            Operator::NotEqual => order != Ordering::Equal,
            Operator::LessOrEqual => order != Ordering::Greater,
            Operator::GreaterOrEqual => order != Ordering::Less,
        })
    }
}

fn single<'v>(item: &'v Value, steps: &'v [Step]) -> Result<Option<&'v Value>, String> {
    let found = follow(vec![item], steps)?;
    if found.len() > 1 {
        return Err("can only compare one element at a time".to_owned());
    }
    Ok(found.first().copied())
}

fn compare(left: &Value, right: &Value, operator: Operator) -> Result<Ordering, String> {
    let by_order = !matches!(operator, Operator::Equal | Operator::NotEqual);
    match (left, right) {
        (Value::String(left), Value::String(right)) => Ok(left.cmp(right)),
        (Value::Bool(left), Value::Bool(right)) if !by_order => Ok(left.cmp(right)),
        (Value::Number(left), Value::Number(right)) if left.is_f64() == right.is_f64() => {
            let order = match (left.as_i64(), right.as_i64()) {
                (Some(left), Some(right)) => Some(left.cmp(&right)),
                _ => left
                    .as_f64()
                    .zip(right.as_f64())
                    .and_then(|(left, right)| left.partial_cmp(&right)),
            };
            order.ok_or_else(|| "invalid type for comparison".to_owned())
        }
        (Value::Null | Value::Array(_) | Value::Object(_), _)
        | (_, Value::Null | Value::Array(_) | Value::Object(_))
        | (Value::Bool(_), Value::Bool(_)) => Err("invalid type for comparison".to_owned()),
        _ => Err("incompatible types for comparison".to_owned()),
    }
}

/// The type of a value, for an error.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    }
}
