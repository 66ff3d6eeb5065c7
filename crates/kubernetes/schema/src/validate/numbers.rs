//! Checks bounds, multiples and formats of numbers.
//!
//! The server compares integers with bounds as integers. A bound that is not an integer makes
//! every integer invalid.

use serde_json::Number;
use sluice_object::Value;

use super::super::field_error::FieldError;
use super::super::node::{Bound, Node};
use super::super::print;
use super::{Outcome, field, is_whole};

/// A number with its declared type.
struct Numbers<'a> {
    path: &'a str,
    kind: &'a str,
    format: Option<&'a str>,
    value: Value,
    whole: Option<i64>,
    float: f64,
}

/// Validates a number.
pub(super) fn check(
    node: &Node,
    types: &[&str],
    format: Option<&str>,
    path: &str,
    number: &Number,
) -> Outcome {
    let (kind, format) = match types {
        ["integer"] => ("integer", format),
        ["number"] => ("number", format),
        _ => ("", None),
    };
    let numbers = Numbers {
        path,
        kind,
        format,
        value: Value::Number(number.clone()),
        whole: number.as_i64(),
        float: number.as_f64().unwrap_or_default(),
    };
    let mut outcome = Outcome::default();
    let own = numbers
        .whole
        .map_or(Exact::Float(numbers.float), Exact::Whole);
    outcome.merge(numbers.in_range(own, "Checked"));
    if let Some(factor) = node.multiple_of {
        outcome.merge(numbers.multiple(factor));
    }
    if let Some(bound) = node.minimum {
        outcome.merge(numbers.bound(bound, false));
    }
    if let Some(bound) = node.maximum {
        outcome.merge(numbers.bound(bound, true));
    }
    outcome.matches += 1;
    outcome
}

/// A number with its original type.
#[derive(Clone, Copy)]
enum Exact {
    Whole(i64),
    Float(f64),
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the server converts in the same way"
)]
impl Numbers<'_> {
    fn error(&self, value: &Value, detail: String) -> Outcome {
        FieldError::invalid(field(self.path), value, detail).into()
    }

    /// Checks that a number is valid for the type and format.
    fn in_range(&self, number: Exact, what: &str) -> Outcome {
        let fits = match (self.kind, self.format) {
            ("integer", format) => {
                let whole = match number {
                    Exact::Whole(whole) => Some(whole),
                    // Without a fraction, the float prints and parses as an integer.
                    Exact::Float(float) => {
                        let is_integer = float.fract() == 0.0 && float.abs() < 9.3e18;
                        let whole = is_integer.then_some(float as i128);
                        whole.and_then(|whole| i64::try_from(whole).ok())
                    }
                };
                match format {
                    Some("int32") => whole.is_some_and(|whole| i32::try_from(whole).is_ok()),
                    _ => whole.is_some(),
                }
            }
            ("number", Some("float")) => match number {
                Exact::Whole(_) => true,
                Exact::Float(float) => (float as f32).is_finite(),
            },
            _ => true,
        };
        if fits {
            return Outcome::default();
        }
        let (kind, path) = (self.kind, self.path);
        let format = match self.format {
            Some(format) => format!("with format {format}"),
            None => "(default format)".to_owned(),
        };
        FieldError::without_path(format!(
            "{what} value must be of type {kind} {format} in {path}"
        ))
        .into()
    }

    fn multiple(&self, factor: f64) -> Outcome {
        let mut outcome = self.in_range(Exact::Float(factor), "MultipleOf");
        let path = self.path;
        let (value, factor, is_multiple, is_positive) = match self.whole {
            Some(whole) if outcome.is_valid() => {
                let factor = factor as i64;
                let is_multiple = factor > 0 && whole % factor == 0;
                let value = self.value.clone();
                (value, Number::from(factor), is_multiple, factor > 0)
            }
            _ => {
                let quotient = if factor < 1.0 {
                    1.0 / factor * self.float
                } else {
                    self.float / factor
                };
                let factor_value = Number::from_f64(factor).unwrap_or_else(|| 0.into());
                let value = Value::from(self.float);
                (value, factor_value, is_whole(quotient), factor > 0.0)
            }
        };
        let printed = print::number(&factor);
        if !is_positive {
            let detail =
                format!("factor MultipleOf declared for {path} must be positive: {printed}");
            outcome.merge(self.error(&Value::Number(factor), detail));
        } else if !is_multiple {
            let detail = format!("{path} in body should be a multiple of {printed}");
            outcome.merge(self.error(&value, detail));
        }
        outcome
    }

    fn bound(&self, bound: Bound, is_maximum: bool) -> Outcome {
        let what = if is_maximum {
            "Maximum boundary"
        } else {
            "Minimum boundary"
        };
        let mut outcome = self.in_range(Exact::Float(bound.value), what);
        let (value, printed, order) = match self.whole {
            Some(whole) if outcome.is_valid() => {
                let limit = bound.value as i64;
                (
                    self.value.clone(),
                    limit.to_string(),
                    Some(whole.cmp(&limit)),
                )
            }
            _ => {
                let limit = Number::from_f64(bound.value).map(|limit| print::number(&limit));
                let order = self.float.partial_cmp(&bound.value);
                (Value::from(self.float), limit.unwrap_or_default(), order)
            }
        };
        let Some(order) = order else {
            return outcome;
        };
        let beyond = if is_maximum { order } else { order.reverse() };
        if beyond.is_gt() || bound.is_exclusive && beyond.is_eq() {
            let relation = match (is_maximum, bound.is_exclusive) {
                (true, true) => "less than",
                (true, false) => "less than or equal to",
                (false, true) => "greater than",
                (false, false) => "greater than or equal to",
            };
            let detail = format!("{} in body should be {relation} {printed}", self.path);
            outcome.merge(self.error(&value, detail));
        }
        outcome
    }
}
