//! Health of objects by expressions (`healthCheckExprs`).
//!
//! [`HealthEvaluators`] holds the health checks of one owner by kind. A [`HealthEvaluator`]
//! replaces the rules of [`sluice_object::status`] for its kind.
//!
//! Parity: `fluxcd/pkg: runtime/cel/{status_evaluator,status_reader}.go`.

use std::collections::BTreeMap;
use std::sync::Arc;

use sluice_cel::{CelError, Expression};
use sluice_object::status::{Health, Status};
use sluice_object::{GroupKind, GroupVersionKind, Object};

/// A health check. Empty expressions are not evaluated.
#[derive(Clone, Copy, Debug)]
pub struct HealthCheck<'a> {
    /// The API version, of which only the group matters.
    pub api_version: &'a str,
    /// The kind; empty for every kind of the group.
    pub kind: &'a str,
    /// Whether the object is as desired. Required.
    pub current: &'a str,
    /// Whether the controller has not finished.
    pub in_progress: &'a str,
    /// Whether the object has failed.
    pub failed: &'a str,
}

/// The parsed expressions of a health check.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HealthEvaluator {
    current: Expression,
    in_progress: Option<Expression>,
    failed: Option<Expression>,
}

/// Health checks by kind. Those of a whole group have an empty kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HealthEvaluators(BTreeMap<GroupKind, Arc<HealthEvaluator>>);

/// Why a health check is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidHealthCheck {
    /// A kind has two health checks.
    #[error("duplicate custom health check for GroupKind {kind} at healthchecks[{index}]")]
    Duplicate {
        /// The kind.
        kind: GroupKind,
        /// The index of the second one.
        index: usize,
    },
    /// An expression is invalid.
    #[error("failed to create custom status evaluator for healthchecks[{index}]: {source}")]
    HealthEvaluator {
        /// The index of the health check.
        index: usize,
        /// The cause.
        source: InvalidEvaluator,
    },
}

/// Why the expressions of a kind are invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidEvaluator {
    /// The required expression is missing.
    #[error("expression Current not specified")]
    NoCurrent,
    /// An expression cannot be parsed.
    #[error("failed to parse the expression {name}: {source}")]
    Expression {
        /// The name of the expression.
        name: &'static str,
        /// The cause.
        source: CelError,
    },
}

impl HealthEvaluators {
    /// Parses health checks. Each kind may have one, and each group one for its other kinds.
    pub fn new<'a>(
        checks: impl IntoIterator<Item = HealthCheck<'a>>,
    ) -> Result<Self, InvalidHealthCheck> {
        let mut known = BTreeMap::new();
        for (index, check) in checks.into_iter().enumerate() {
            // Go's parser finds no group in a text with more than one slash.
            let api_version = Some(check.api_version).filter(|text| text.matches('/').count() < 2);
            let kind = GroupVersionKind::new(api_version.unwrap_or_default(), check.kind);
            let kind = GroupKind {
                group: kind.group,
                kind: kind.kind,
            };
            if known.contains_key(&kind) {
                return Err(InvalidHealthCheck::Duplicate { kind, index });
            }
            let evaluator = HealthEvaluator::new(check)
                .map_err(|source| InvalidHealthCheck::HealthEvaluator { index, source })?;
            known.insert(kind, Arc::new(evaluator));
        }
        Ok(Self(known))
    }

    /// The health check of a kind or of its group.
    pub fn for_kind(&self, group: &str, kind: &str) -> Option<&Arc<HealthEvaluator>> {
        let find = |kind: &str| {
            let (group, kind) = (group.to_owned(), kind.to_owned());
            self.0.get(&GroupKind { group, kind })
        };
        if self.0.is_empty() {
            return None;
        }
        find(kind).or_else(|| find(""))
    }
}

impl HealthEvaluator {
    fn new(check: HealthCheck<'_>) -> Result<Self, InvalidEvaluator> {
        if check.current.is_empty() {
            return Err(InvalidEvaluator::NoCurrent);
        }
        let parse = |name, text: &str| {
            Expression::parse(text).map_err(|source| InvalidEvaluator::Expression { name, source })
        };
        let unless_empty = |name, text: &str| match text {
            "" => Ok(None),
            text => parse(name, text).map(Some),
        };
        Ok(Self {
            current: parse("Current", check.current)?,
            failed: unless_empty("Failed", check.failed)?,
            in_progress: unless_empty("InProgress", check.in_progress)?,
        })
    }

    /// Evaluates an object. A failed evaluation yields Unknown with the error.
    pub fn evaluate(&self, object: &Object) -> Health {
        match self.status(object) {
            Ok(status) => Health::new(status, ""),
            Err(error) => Health::unknown(error.to_string()),
        }
    }

    /// An object is in progress while its controller has not observed its generation, and when
    /// no expression is true.
    fn status(&self, object: &Object) -> Result<Status, CelError> {
        let observed = object.int_at(&["status", "observedGeneration"]);
        if let (Some(observed), Some(generation)) = (observed, object.generation())
            && observed != generation
        {
            return Ok(Status::InProgress);
        }
        for (expression, status) in [
            (self.in_progress.as_ref(), Status::InProgress),
            (self.failed.as_ref(), Status::Failed),
            (Some(&self.current), Status::Current),
        ] {
            if let Some(expression) = expression
                && expression.evaluate_boolean(object.as_map())?
            {
                return Ok(status);
            }
        }
        Ok(Status::InProgress)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use sluice_object::Object;
    use sluice_object::status::Status;

    use super::{HealthCheck, HealthEvaluators};

    const NONE: HealthCheck<'_> = HealthCheck {
        api_version: "example.com/v1",
        kind: "Thing",
        current: "true",
        in_progress: "",
        failed: "",
    };

    fn object(status: &serde_json::Value) -> Object {
        let value = json!({
            "apiVersion": "example.com/v1", "kind": "Thing",
            "metadata": {"name": "a", "generation": 2}, "status": status
        });
        serde_json::from_value(value).expect("an object")
    }

    #[test]
    fn expressions_run_in_order_after_the_generation() {
        let evaluators = HealthEvaluators::new([HealthCheck {
            current: "status.phase in ['Ready', 'Both']",
            in_progress: "status.phase == 'Busy'",
            failed: "status.phase in ['Broken', 'Both']",
            ..NONE
        }])
        .expect("expressions");
        let evaluator = evaluators
            .for_kind("example.com", "Thing")
            .expect("its own");
        for (status, health) in [
            (json!({"phase": "Ready"}), Status::Current),
            (json!({"phase": "Busy"}), Status::InProgress),
            (json!({"phase": "Broken"}), Status::Failed),
            (json!({"phase": "Both"}), Status::Failed),
            (json!({"phase": "Other"}), Status::InProgress),
            (
                json!({"phase": "Ready", "observedGeneration": 1}),
                Status::InProgress,
            ),
            (
                json!({"phase": "Ready", "observedGeneration": 2}),
                Status::Current,
            ),
            (
                json!({"phase": "Ready", "observedGeneration": "1"}),
                Status::Current,
            ),
        ] {
            let found = evaluator.evaluate(&object(&status)).status;
            assert_eq!(found, health, "{status}");
        }
        let unknown = evaluator.evaluate(&object(&json!({})));
        assert_eq!(unknown.status, Status::Unknown);
        assert_eq!(
            unknown.message,
            "failed to evaluate the CEL expression 'status.phase == 'Busy'': no such key: phase"
        );
    }

    #[test]
    fn health_equals_flux_for_each_expression_result() {
        let answers = ["data.current", "data.inProgress", "data.failed"];
        let data = |current: bool, busy: bool, failed: bool| json!({"data": {"current": current, "inProgress": busy, "failed": failed}});
        let busy =
            "has(status.observedGeneration) && metadata.generation != status.observedGeneration";
        let failed = "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'False')";
        let current = "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')";
        let (usual, short) = ([current, busy, failed], [current, "", failed]);
        let late = json!({"metadata": {"generation": 2}, "status": {"observedGeneration": 1}});
        let empty = json!({"status": {"conditions": []}});
        let no_key = |expression| {
            format!("failed to evaluate the CEL expression '{expression}': no such key: ")
        };
        let no_attribute = |expression| {
            format!("failed to evaluate the CEL expression '{expression}': no such attribute(s): ")
        };
        for (expressions, fields, expected) in [
            (["true", "", ""], late.clone(), Ok(Status::InProgress)),
            (
                ["data.currentt", answers[1], answers[2]],
                data(true, false, false),
                Err(no_key("data.currentt") + "currentt"),
            ),
            (
                [answers[0], "data.inProgresss", answers[2]],
                data(true, false, false),
                Err(no_key("data.inProgresss") + "inProgresss"),
            ),
            (
                [answers[0], answers[1], "data.failedd"],
                data(true, false, false),
                Err(no_key("data.failedd") + "failedd"),
            ),
            (answers, data(false, false, false), Ok(Status::InProgress)),
            (answers, data(true, true, true), Ok(Status::InProgress)),
            (answers, data(true, false, true), Ok(Status::Failed)),
            (answers, data(true, false, false), Ok(Status::Current)),
            (
                usual,
                json!({}),
                Err(no_attribute(busy) + "status.observedGeneration"),
            ),
            (
                short,
                json!({}),
                Err(no_attribute(failed) + "status.conditions"),
            ),
            (
                usual,
                json!({"status": {}}),
                Err(no_key(failed) + "conditions"),
            ),
            (
                short,
                json!({"status": {}}),
                Err(no_key(failed) + "conditions"),
            ),
            (usual, empty.clone(), Ok(Status::Failed)),
            (short, empty, Ok(Status::Failed)),
            (usual, late.clone(), Ok(Status::InProgress)),
            (short, late, Ok(Status::InProgress)),
            (
                ["status.observedGeneration == '2'", "", ""],
                json!({"metadata": {"generation": 2}, "status": {"observedGeneration": "2"}}),
                Ok(Status::Current),
            ),
            (
                ["metadata.generation == '2'", "", ""],
                json!({"metadata": {"generation": "2"}, "status": {"observedGeneration": 2}}),
                Ok(Status::Current),
            ),
        ] {
            let evaluators = HealthEvaluators::new([HealthCheck {
                current: expressions[0],
                in_progress: expressions[1],
                failed: expressions[2],
                ..NONE
            }])
            .expect("expressions");
            let mut value =
                json!({"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}});
            sluice_object::merge::apply(&mut value, &fields);
            let object = serde_json::from_value(value).expect("an object");
            let found = evaluators
                .for_kind("example.com", "Thing")
                .expect("its own")
                .evaluate(&object);
            match expected {
                Ok(status) => assert_eq!(found.status, status, "{expressions:?} of {fields}"),
                Err(message) => {
                    assert_eq!(found.status, Status::Unknown, "{expressions:?} of {fields}");
                    assert_eq!(found.message, message);
                }
            }
        }
    }

    #[test]
    fn kind_takes_precedence_over_its_group() {
        let evaluators = HealthEvaluators::new([
            HealthCheck {
                kind: "",
                current: "'group' == ''",
                ..NONE
            },
            NONE,
        ])
        .expect("expressions");
        let status = |kind| {
            let evaluator = evaluators.for_kind("example.com", kind);
            evaluator.map(|found| found.evaluate(&object(&json!({}))).status)
        };
        assert_eq!(status("Thing"), Some(Status::Current));
        assert_eq!(status("Other"), Some(Status::InProgress));
        assert!(evaluators.for_kind("example.org", "Thing").is_none());
        assert!(evaluators.for_kind("", "Thing").is_none());
    }

    #[test]
    fn invalid_expressions_are_rejected() {
        let second = |check| [NONE, check];
        for (checks, message) in [
            (
                second(HealthCheck {
                    api_version: "v1",
                    current: "",
                    ..NONE
                }),
                "failed to create custom status evaluator for healthchecks[1]: expression Current not specified",
            ),
            (
                second(HealthCheck {
                    kind: "Other",
                    in_progress: "foo.",
                    ..NONE
                }),
                "failed to create custom status evaluator for healthchecks[1]: failed to parse the expression InProgress: failed to parse the CEL expression 'foo.': ERROR: <input>:1:5: Syntax error: no viable alternative at input '.'\n | foo.\n | ....^",
            ),
            (
                second(HealthCheck {
                    api_version: "example.com/v2",
                    ..NONE
                }),
                "duplicate custom health check for GroupKind Thing.example.com at healthchecks[1]",
            ),
            (
                [
                    HealthCheck { kind: "", ..NONE },
                    HealthCheck { kind: "", ..NONE },
                ],
                "duplicate custom health check for GroupKind .example.com at healthchecks[1]",
            ),
        ] {
            assert_eq!(
                HealthEvaluators::new(checks).unwrap_err().to_string(),
                message
            );
        }
    }
}
