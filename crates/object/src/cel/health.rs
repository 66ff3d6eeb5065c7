//! The health of an object by expressions: Flux's `healthCheckExprs`.
//!
//! Parity: `fluxcd/pkg: runtime/cel/status_evaluator.go`.

use super::{CelError, Expression};
use crate::Object;

/// What the expressions say of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    InProgress,
    Failed,
    Current,
}

/// The expressions of one health check, parsed.
#[derive(Clone, Debug)]
pub struct Evaluator {
    current: Expression,
    in_progress: Option<Expression>,
    failed: Option<Expression>,
}

/// Why the expressions of a health check cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidHealthCheck {
    #[error("expression Current not specified")]
    NoCurrent,
    #[error("failed to parse the expression {name}: {error}")]
    Expression { name: &'static str, error: CelError },
}

impl Evaluator {
    /// Parses the expressions; `current` must be there, the others may be empty.
    pub fn new(current: &str, in_progress: &str, failed: &str) -> Result<Self, InvalidHealthCheck> {
        if current.is_empty() {
            return Err(InvalidHealthCheck::NoCurrent);
        }
        let parse = |name, text: &str| {
            Expression::parse(text).map_err(|error| InvalidHealthCheck::Expression { name, error })
        };
        let unless_empty = |name, text: &str| match text {
            "" => Ok(None),
            text => parse(name, text).map(Some),
        };
        Ok(Self {
            current: parse("Current", current)?,
            failed: unless_empty("Failed", failed)?,
            in_progress: unless_empty("InProgress", in_progress)?,
        })
    }

    /// Judges an object. While its controller has not seen its last change it is in progress,
    /// whatever the expressions say; so it is if none of them holds.
    pub fn evaluate(&self, object: &Object) -> Result<Health, CelError> {
        let fields = object.as_map();
        let number = |path: [&str; 2]| fields.get(path[0])?.get(path[1])?.as_i64();
        let observed = number(["status", "observedGeneration"]);
        let generation = number(["metadata", "generation"]);
        if let (Some(observed), Some(generation)) = (observed, generation)
            && observed != generation
        {
            return Ok(Health::InProgress);
        }
        for (expression, health) in [
            (self.in_progress.as_ref(), Health::InProgress),
            (self.failed.as_ref(), Health::Failed),
            (Some(&self.current), Health::Current),
        ] {
            if let Some(expression) = expression
                && expression.evaluate_boolean(fields)?
            {
                return Ok(health);
            }
        }
        Ok(Health::InProgress)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Evaluator, Health};
    use crate::Object;

    fn object(status: &serde_json::Value) -> Object {
        let value = json!({
            "apiVersion": "example.com/v1", "kind": "Thing",
            "metadata": {"name": "a", "generation": 2}, "status": status
        });
        serde_json::from_value(value).expect("an object")
    }

    #[test]
    fn expressions_are_asked_in_order_and_after_the_generation() {
        let evaluator = Evaluator::new(
            "status.phase in ['Ready', 'Both']",
            "status.phase == 'Busy'",
            "status.phase in ['Broken', 'Both']",
        )
        .expect("expressions");
        for (status, health) in [
            (json!({"phase": "Ready"}), Health::Current),
            (json!({"phase": "Busy"}), Health::InProgress),
            (json!({"phase": "Broken"}), Health::Failed),
            (json!({"phase": "Both"}), Health::Failed),
            (json!({"phase": "Other"}), Health::InProgress),
            (
                json!({"phase": "Ready", "observedGeneration": 1}),
                Health::InProgress,
            ),
            (
                json!({"phase": "Ready", "observedGeneration": 2}),
                Health::Current,
            ),
            (
                json!({"phase": "Ready", "observedGeneration": "1"}),
                Health::Current,
            ),
        ] {
            assert_eq!(evaluator.evaluate(&object(&status)), Ok(health), "{status}");
        }
        let error = evaluator.evaluate(&object(&json!({}))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "failed to evaluate the CEL expression 'status.phase == 'Busy'': no such key: phase"
        );
    }

    #[test]
    fn unusable_expressions_are_refused() {
        for (expressions, message) in [
            (["", "", ""], "expression Current not specified"),
            (
                ["true", "foo.", ""],
                "failed to parse the expression InProgress: failed to parse the CEL expression 'foo.': ERROR: <input>:1:5: Syntax error: no viable alternative at input '.'\n | foo.\n | ....^",
            ),
        ] {
            let [current, in_progress, failed] = expressions;
            let error = Evaluator::new(current, in_progress, failed).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}
