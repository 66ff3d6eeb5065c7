//! The health of objects by expressions: Flux's `healthCheckExprs`.
//!
//! [`HealthEvaluators`] are the health checks that one owner wrote, by the kinds they are for; an
//! [`HealthEvaluator`] judges objects of one of them in place of the rules of [`crate::status`].
//!
//! Parity: `fluxcd/pkg: runtime/cel/{status_evaluator,status_reader}.go`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{CelError, Expression};
use crate::status::{Health, Status};
use crate::{GroupKind, GroupVersionKind, Object};

/// One health check as it is written; an expression that is empty says nothing.
#[derive(Clone, Copy, Debug)]
pub struct HealthCheck<'a> {
    /// Only the group counts.
    pub api_version: &'a str,
    /// Empty for every kind of the group.
    pub kind: &'a str,
    /// True once the object is as it was wanted; the one that must be given.
    pub current: &'a str,
    /// True while its controller is at work.
    pub in_progress: &'a str,
    /// True once it has failed for good.
    pub failed: &'a str,
}

/// The expressions of one health check, parsed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HealthEvaluator {
    current: Expression,
    in_progress: Option<Expression>,
    failed: Option<Expression>,
}

/// Health checks by the kinds that they are for; those of a whole group have no kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HealthEvaluators(BTreeMap<GroupKind, Arc<HealthEvaluator>>);

/// Why the expressions of a health check cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidHealthCheck {
    /// A kind has two.
    #[error("duplicate custom health check for GroupKind {kind} at healthchecks[{index}]")]
    Duplicate {
        /// The kind.
        kind: GroupKind,
        /// The place of the second one.
        index: usize,
    },
    /// One of its expressions is of no use.
    #[error("failed to create custom status evaluator for healthchecks[{index}]: {source}")]
    HealthEvaluator {
        /// The place of the health check.
        index: usize,
        /// What is wrong with it.
        source: InvalidEvaluator,
    },
}

/// What is wrong with the expressions of one kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidEvaluator {
    /// The one that must be given is not.
    #[error("expression Current not specified")]
    NoCurrent,
    /// One is no expression, or can have no boolean value.
    #[error("failed to parse the expression {name}: {source}")]
    Expression {
        /// Which of the three.
        name: &'static str,
        /// Why not.
        source: CelError,
    },
}

impl HealthEvaluators {
    /// Reads health checks; each kind may have one, and each group one for the rest of it.
    pub fn new<'a>(
        checks: impl IntoIterator<Item = HealthCheck<'a>>,
    ) -> Result<Self, InvalidHealthCheck> {
        let mut known = BTreeMap::new();
        for (index, check) in checks.into_iter().enumerate() {
            // As Go reads it, what has more than one slash has no group.
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

    /// The health check of a kind: its own, or that of its group.
    pub fn of(&self, group: &str, kind: &str) -> Option<&Arc<HealthEvaluator>> {
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

    /// Judges an object; one of which an expression has no value is Unknown, with the error.
    pub fn judge(&self, object: &Object) -> Health {
        match self.evaluate(object) {
            Ok(status) => Health::new(status, ""),
            Err(error) => Health::unknown(error.to_string()),
        }
    }

    /// While its controller has not seen its last change an object is in progress, whatever the
    /// expressions say; so it is if none of them holds.
    fn evaluate(&self, object: &Object) -> Result<Status, CelError> {
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

    use super::{HealthCheck, HealthEvaluators};
    use crate::Object;
    use crate::status::Status;

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
    fn expressions_are_asked_in_order_and_after_the_generation() {
        let evaluators = HealthEvaluators::new([HealthCheck {
            current: "status.phase in ['Ready', 'Both']",
            in_progress: "status.phase == 'Busy'",
            failed: "status.phase in ['Broken', 'Both']",
            ..NONE
        }])
        .expect("expressions");
        let evaluator = evaluators.of("example.com", "Thing").expect("its own");
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
            let found = evaluator.judge(&object(&status)).status;
            assert_eq!(found, health, "{status}");
        }
        let unknown = evaluator.judge(&object(&json!({})));
        assert_eq!(unknown.status, Status::Unknown);
        assert_eq!(
            unknown.message,
            "failed to evaluate the CEL expression 'status.phase == 'Busy'': no such key: phase"
        );
    }

    #[test]
    fn each_state_of_an_object_and_of_its_expressions_has_the_health_that_flux_gives_it() {
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
            crate::merge::apply(&mut value, &fields);
            let object = serde_json::from_value(value).expect("an object");
            let found = evaluators
                .of("example.com", "Thing")
                .expect("its own")
                .judge(&object);
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
    fn a_kind_comes_before_its_group_and_the_version_does_not_count() {
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
            let evaluator = evaluators.of("example.com", kind);
            evaluator.map(|found| found.judge(&object(&json!({}))).status)
        };
        assert_eq!(status("Thing"), Some(Status::Current));
        assert_eq!(status("Other"), Some(Status::InProgress));
        assert!(evaluators.of("example.org", "Thing").is_none());
        assert!(evaluators.of("", "Thing").is_none());
    }

    #[test]
    fn unusable_expressions_are_refused() {
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
