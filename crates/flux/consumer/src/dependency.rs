//! Checks dependencies between objects of one kind: order, readiness and cycles.
//!
//! A dependency is ready by its conditions, or by the dependant's `readyExpr`. The expression sees
//! the dependant as `self` and the dependency as `dep`. With the gate `AdditiveCELDependencyCheck`
//! both must hold.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;
use sluice_api::kustomize::DependencyReference;
use sluice_api::meta::ToolkitResource;
use sluice_api::meta::condition::READY;
use sluice_cel::{CelError, Expression, Type, Variables};
use sluice_engine::{AccessDenied, ObjectKey, Origin, References, Watchable};

use crate::read::ReadError;

/// Maximum dependencies of an object. Each is read, and its expression evaluated, in every run.
const MAX_DEPENDENCIES: usize = 100;

/// Maximum cost of all `readyExpr` expressions of a run, about 0.2 s. The last one may exceed it.
const MAX_EVALUATION_COST: usize = 2_000_000;

/// A kind whose objects can depend on each other.
pub trait Dependent: Watchable + ToolkitResource {
    /// The dependencies in the spec.
    fn depends_on(&self) -> &[DependencyReference];

    /// Whether a ready dependency still has an older revision than the one that `self` is about to
    /// apply.
    fn is_outdated(&self, _dependency: &Self, _revision: &str) -> bool {
        false
    }

    /// Message about a dependency that cannot be read.
    fn unread_message(key: &ObjectKey, why: &dyn std::fmt::Display) -> String {
        format!("dependency '{key}' not found: {why}")
    }
}

/// Result of reading a dependency; `None` if it does not exist.
pub type DependencyLookup<D> = Result<Option<Arc<D>>, ReadError>;

/// The dependencies of an object, in the order of the spec.
pub fn of<D: Dependent>(object: &D) -> Vec<ObjectKey> {
    let entries = object.depends_on().iter();
    entries.map(|entry| key_of(object, entry)).collect()
}

/// Checks the number of dependencies.
pub fn check_count<D: Dependent>(object: &D) -> Result<(), String> {
    let count = object.depends_on().len();
    if count > MAX_DEPENDENCIES {
        return Err(format!(
            "spec.dependsOn has {count} entries, at most {MAX_DEPENDENCIES} are allowed: depend on an \
             object that depends on the others"
        ));
    }
    Ok(())
}

fn key_of<D: Dependent>(object: &D, entry: &DependencyReference) -> ObjectKey {
    let own = object.meta().namespace.as_deref();
    let namespace = entry.namespace.as_deref().or(own);
    ObjectKey::new(namespace.unwrap_or_default(), &entry.name)
}

/// The dependencies that have a `readyExpr`.
pub fn with_expressions<D: Dependent>(object: &D) -> Vec<ObjectKey> {
    let entries = object.depends_on().iter();
    entries
        .filter(|entry| expression_of(entry).is_some())
        .map(|entry| key_of(object, entry))
        .collect()
}

fn expression_of(entry: &DependencyReference) -> Option<&str> {
    entry.ready_expr.as_deref().filter(|text| !text.is_empty())
}

/// The compiled `readyExpr` expressions of a spec, one optional entry for each dependency.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expressions(Vec<Option<Expression>>);

impl Expressions {
    /// Compiles the expressions. Errors have Flux's text and need an edit of the object.
    pub fn of<D: Dependent>(object: &D) -> Result<Self, String> {
        let compile = |entry: &DependencyReference| {
            let compiled = expression_of(entry)
                .map(|text| Expression::compile(text, &["self", "dep"], &Type::Bool));
            compiled.transpose().map_err(|error| {
                format!(
                    "terminal error: failed to evaluate dependency {}: {error}",
                    entry.name
                )
            })
        };
        let entries = object.depends_on().iter();
        Ok(Self(entries.map(compile).collect::<Result<_, _>>()?))
    }

    /// Each dependency with its expression. `object` must be the one that was compiled.
    pub fn with<'e, D: Dependent>(
        &'e self,
        object: &'e D,
    ) -> impl Iterator<Item = (&'e DependencyReference, Option<&'e Expression>)> {
        let entries = object.depends_on().iter();
        entries.zip(self.0.iter().map(Option::as_ref))
    }
}

/// Checks the access of the `readyExpr` expressions. An expression reads the whole dependency, so
/// one in another namespace is a reference like any other.
pub fn check_access<D: Dependent>(object: &D, references: References) -> Result<(), AccessDenied> {
    let own = object.meta().namespace.as_deref().unwrap_or_default();
    with_expressions(object).into_iter().try_for_each(|key| {
        let target = Origin {
            kind: D::kind(&()),
            key,
        };
        references.check(own, &target)
    })
}

/// The evaluations of one run, which share a budget.
#[derive(Debug, Default)]
struct Evaluations {
    cost: usize,
}

/// Why an expression has no result.
#[derive(Debug, thiserror::Error)]
enum EvaluationError {
    #[error(transparent)]
    Failed(#[from] CelError),
    #[error(
        "the readyExpr expressions of spec.dependsOn cost more than {MAX_EVALUATION_COST} steps"
    )]
    TooExpensive,
}

impl Evaluations {
    /// Evaluates an expression about a dependency.
    fn says_ready<D: Dependent>(
        &mut self,
        expression: &Expression,
        dependant: &D,
        dependency: &D,
    ) -> Result<bool, EvaluationError> {
        if self.cost > MAX_EVALUATION_COST {
            return Err(EvaluationError::TooExpensive);
        }
        let mut variables = Variables::new();
        variables.insert("self".to_owned(), as_value(dependant));
        variables.insert("dep".to_owned(), as_value(dependency));
        let (ready, cost) = expression.evaluate_boolean_with_cost(&variables);
        self.cost = self.cost.saturating_add(cost);
        Ok(ready?)
    }
}

fn as_value<D: Dependent>(object: &D) -> Value {
    serde_json::to_value(object).expect("a parsed object serializes")
}

/// The reason why a dependency is not met, with Flux's text; `None` if it is met.
///
/// An outdated dependency is not met. Otherwise a commit that changes both objects would be applied
/// in the wrong order.
pub fn unmet<D: Dependent>(
    dependant: &D,
    entry: (&DependencyReference, Option<&Expression>),
    found: Result<Option<&D>, &ReadError>,
    revision: &str,
    is_additive: bool,
) -> Option<String> {
    let evaluations = &mut Evaluations::default();
    unmet_by(evaluations, dependant, entry, found, revision, is_additive)
}

fn unmet_by<D: Dependent>(
    evaluations: &mut Evaluations,
    dependant: &D,
    (entry, expression): (&DependencyReference, Option<&Expression>),
    found: Result<Option<&D>, &ReadError>,
    revision: &str,
    is_additive: bool,
) -> Option<String> {
    let key = key_of(dependant, entry);
    let dependency = match found {
        Ok(Some(dependency)) => dependency,
        Ok(None) => {
            let (kind, group) = (D::plural(&()), D::group(&()));
            let why = format!("{kind}.{group} \"{}\" not found", key.name());
            return Some(D::unread_message(&key, &why));
        }
        Err(why) => return Some(D::unread_message(&key, why)),
    };
    if let Some(expression) = expression {
        match evaluations.says_ready(expression, dependant, dependency) {
            Err(error) => return Some(error.to_string()),
            Ok(false) => {
                return Some(format!(
                    "dependency '{key}' is not ready according to readyExpr eval"
                ));
            }
            Ok(true) if !is_additive => return None,
            Ok(true) => {}
        }
    }
    if !is_ready(dependency) {
        return Some(format!("dependency '{key}' is not ready"));
    }
    if dependant.is_outdated(dependency, revision) {
        return Some(format!("dependency '{key}' revision is not up to date"));
    }
    None
}

/// Messages about unmet dependencies, in the order of the spec.
pub fn all_unmet<'o, D: Dependent>(
    dependant: &'o D,
    expressions: &'o Expressions,
    found: &'o [(ObjectKey, DependencyLookup<D>)],
    revision: &'o str,
    is_additive: bool,
) -> impl Iterator<Item = String> + 'o {
    let entries = expressions.with(dependant).zip(found);
    let mut evaluations = Evaluations::default();
    entries.filter_map(move |(entry, (_, found))| {
        let found = found.as_ref().map(Option::as_deref);
        let evaluations = &mut evaluations;
        unmet_by(evaluations, dependant, entry, found, revision, is_additive)
    })
}

/// Whether an object is Ready at its current generation.
pub fn is_ready<D: Dependent>(object: &D) -> bool {
    object.observed_generation() == object.meta().generation && object.conditions().is_true(READY)
}

/// The dependency cycle through an object, if there is one.
pub fn cycle(
    start: &ObjectKey,
    dependencies: impl Fn(&ObjectKey) -> Vec<ObjectKey>,
) -> Option<Vec<ObjectKey>> {
    let mut seen = HashSet::from([start.clone()]);
    let mut path = vec![(start.clone(), dependencies(start).into_iter())];
    while let Some((_, rest)) = path.last_mut() {
        let Some(next) = rest.next() else {
            path.pop();
            continue;
        };
        if next == *start {
            let mut keys: Vec<_> = path.into_iter().map(|(key, _)| key).collect();
            keys.push(next);
            return Some(keys);
        }
        if seen.insert(next.clone()) {
            let rest = dependencies(&next).into_iter();
            path.push((next, rest));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> ObjectKey {
        ObjectKey::new("apps", name)
    }

    #[test]
    fn cycle_lists_path_from_object_to_itself() {
        let edges = |key: &ObjectKey| match key.name() {
            "a" => vec![self::key("x"), self::key("b")],
            "b" => vec![self::key("c")],
            "c" => vec![self::key("a")],
            _ => vec![],
        };
        let names = |path: Option<Vec<ObjectKey>>| {
            path.map(|path| {
                path.iter()
                    .map(|key| key.name().to_owned())
                    .collect::<Vec<_>>()
            })
        };
        assert_eq!(
            names(cycle(&key("a"), edges)).unwrap(),
            ["a", "b", "c", "a"]
        );
        assert_eq!(names(cycle(&key("x"), edges)), None);
        let beside = |key: &ObjectKey| match key.name() {
            "a" => vec![self::key("b")],
            "x" | "b" => vec![self::key("a")],
            _ => vec![],
        };
        assert_eq!(
            names(cycle(&key("x"), beside)),
            None,
            "an object that leads to a cycle is not part of it"
        );
        assert_eq!(
            names(cycle(&key("a"), |_| vec![self::key("a")])).unwrap(),
            ["a", "a"]
        );
    }
}
