//! Checks dependencies between Kustomizations: order, readiness and cycles.
//!
//! A dependency is ready by its conditions, or by the dependant's `readyExpr`, which sees the
//! dependant as `self` and the dependency as `dep`. With the gate `AdditiveCELDependencyCheck` both
//! must hold.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;
use sluice_api::kustomize::{DependencyReference, Kustomization};
use sluice_api::meta::condition::READY;
use sluice_cel::{CelError, Expression, Type, Variables};
use sluice_engine::ObjectKey;

use super::read::ReadError;
use super::source;

/// Result of reading a dependency; `None` if it does not exist.
pub(super) type DependencyLookup = Result<Option<Arc<Kustomization>>, ReadError>;

/// The dependencies of a Kustomization, in the order of the spec.
pub(super) fn of(object: &Kustomization) -> Vec<ObjectKey> {
    let entries = object.spec.depends_on.iter();
    entries.map(|entry| key_of(object, entry)).collect()
}

fn key_of(object: &Kustomization, entry: &DependencyReference) -> ObjectKey {
    let own = object.metadata.namespace.as_deref();
    let namespace = entry.namespace.as_deref().or(own);
    ObjectKey::new(namespace.unwrap_or_default(), &entry.name)
}

/// The dependencies that have a `readyExpr`.
pub(super) fn with_expressions(object: &Kustomization) -> Vec<ObjectKey> {
    let entries = object.spec.depends_on.iter();
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
pub(super) struct Expressions(Vec<Option<Expression>>);

impl Expressions {
    /// Compiles the expressions. Errors have Flux's text and need an edit of the object.
    pub(super) fn of(object: &Kustomization) -> Result<Self, String> {
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
        let entries = object.spec.depends_on.iter();
        Ok(Self(entries.map(compile).collect::<Result<_, _>>()?))
    }

    /// Each dependency with its expression. `object` must be the one that was compiled.
    pub(super) fn with<'e>(
        &'e self,
        object: &'e Kustomization,
    ) -> impl Iterator<Item = (&'e DependencyReference, Option<&'e Expression>)> {
        let entries = object.spec.depends_on.iter();
        entries.zip(self.0.iter().map(Option::as_ref))
    }

    /// Whether an expression about this dependency holds. Expressions that were edited since the
    /// compilation are skipped, since the edit itself wakes the dependant.
    pub(super) fn any_holds(&self, dependant: &Kustomization, dependency: &Kustomization) -> bool {
        let key = ObjectKey::of(dependency);
        self.with(dependant).any(|(entry, expression)| {
            expression.is_some_and(|expression| {
                expression_of(entry) == Some(expression.text())
                    && key_of(dependant, entry) == key
                    && says_ready(expression, dependant, dependency).unwrap_or_default()
            })
        })
    }
}

/// Evaluates an expression about a dependency.
fn says_ready(
    expression: &Expression,
    dependant: &Kustomization,
    dependency: &Kustomization,
) -> Result<bool, CelError> {
    let mut variables = Variables::new();
    variables.insert("self".to_owned(), as_value(dependant));
    variables.insert("dep".to_owned(), as_value(dependency));
    expression.evaluate_boolean(&variables)
}

fn as_value(object: &Kustomization) -> Value {
    serde_json::to_value(object).expect("a parsed object serializes")
}

/// The reason why a dependency is not met, with Flux's text; `None` if it is met.
///
/// A dependency with the same source must have applied the revision that the dependant is about to
/// apply. Otherwise a commit that changes both would be applied in the wrong order.
pub(super) fn unmet(
    dependant: &Kustomization,
    (entry, expression): (&DependencyReference, Option<&Expression>),
    found: Result<Option<&Kustomization>, &ReadError>,
    revision: &str,
    is_additive: bool,
) -> Option<String> {
    let key = key_of(dependant, entry);
    let dependency = match found {
        Ok(Some(dependency)) => dependency,
        Ok(None) => {
            let kind = "kustomizations.kustomize.toolkit.fluxcd.io";
            return Some(format!(
                "dependency '{key}' not found: {kind} \"{}\" not found",
                key.name()
            ));
        }
        Err(why) => return Some(format!("dependency '{key}' not found: {why}")),
    };
    if let Some(expression) = expression {
        match says_ready(expression, dependant, dependency) {
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
    let (own, theirs) = (&dependant.spec.source_ref, &dependency.spec.source_ref);
    let is_shared = own.kind == theirs.kind && source::key(dependant) == source::key(dependency);
    if is_shared && applied(dependency) != Some(revision) {
        return Some(format!("dependency '{key}' revision is not up to date"));
    }
    None
}

/// Messages about unmet dependencies, in the order of the spec.
pub(super) fn all_unmet<'o>(
    dependant: &'o Kustomization,
    expressions: &'o Expressions,
    found: &'o [(ObjectKey, DependencyLookup)],
    revision: &'o str,
    is_additive: bool,
) -> impl Iterator<Item = String> + 'o {
    let entries = expressions.with(dependant).zip(found);
    entries.filter_map(move |(entry, (_, found))| {
        let found = found.as_ref().map(Option::as_deref);
        unmet(dependant, entry, found, revision, is_additive)
    })
}

/// Whether an object is Ready at its current generation.
pub(super) fn is_ready(object: &Kustomization) -> bool {
    object.status.as_ref().is_some_and(|status| {
        status.observed_generation == object.metadata.generation && status.conditions.is_true(READY)
    })
}

/// The last applied revision.
pub(super) fn applied(object: &Kustomization) -> Option<&str> {
    object.status.as_ref()?.last_applied_revision.as_deref()
}

/// The dependency cycle through an object, if there is one.
pub(super) fn cycle(
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
    use super::super::plan::tests::{kustomization, ready};
    use super::*;

    fn key(name: &str) -> ObjectKey {
        ObjectKey::new("apps", name)
    }

    fn on(name: &str, dependencies: &[&str]) -> Kustomization {
        kustomization(name, |spec| {
            spec["dependsOn"] = dependencies
                .iter()
                .map(|name| serde_json::json!({ "name": name }))
                .collect();
        })
    }

    #[test]
    fn unmet_dependency_has_flux_message() {
        let dependant = on("me", &["dep"]);
        let entry = &dependant.spec.depends_on[0];
        let judged = |dependency: Option<&Kustomization>| {
            unmet(
                &dependant,
                (entry, None),
                Ok(dependency),
                "main@sha1:2",
                false,
            )
        };
        assert_eq!(
            judged(None).unwrap(),
            "dependency 'apps/dep' not found: kustomizations.kustomize.toolkit.fluxcd.io \"dep\" not found"
        );
        let new = kustomization("dep", |_| ());
        assert_eq!(
            judged(Some(&new)).unwrap(),
            "dependency 'apps/dep' is not ready"
        );
        let mut edited = ready("dep", "main@sha1:2");
        edited.metadata.generation = Some(7);
        assert_eq!(
            judged(Some(&edited)).unwrap(),
            "dependency 'apps/dep' is not ready"
        );
        let old = ready("dep", "main@sha1:1");
        assert_eq!(
            judged(Some(&old)).unwrap(),
            "dependency 'apps/dep' revision is not up to date"
        );
        assert_eq!(judged(Some(&ready("dep", "main@sha1:2"))), None);
        let mut other = ready("dep", "main@sha1:1");
        other.spec.source_ref.name = "elsewhere".to_owned();
        assert_eq!(
            judged(Some(&other)),
            None,
            "another source has its own revisions"
        );
    }

    fn expecting(expression: &str) -> Kustomization {
        kustomization("me", |spec| {
            spec["dependsOn"] = serde_json::json!([{"name": "dep", "readyExpr": expression}]);
        })
    }

    #[test]
    fn expression_replaces_check_unless_additive() {
        let judged = |expression: &str, dependency: &Kustomization, is_additive| {
            let dependant = expecting(expression);
            let expressions = Expressions::of(&dependant).unwrap();
            unmet(
                &dependant,
                expressions.with(&dependant).next().unwrap(),
                Ok(Some(dependency)),
                "main@sha1:2",
                is_additive,
            )
        };
        let new = kustomization("dep", |_| ());
        let (mine, other) = (
            "dep.metadata.name == 'dep'",
            "dep.spec.path == self.metadata.name",
        );
        assert_eq!(judged(mine, &new, false), None);
        assert_eq!(
            judged(mine, &new, true).unwrap(),
            "dependency 'apps/dep' is not ready"
        );
        assert_eq!(judged(mine, &ready("dep", "main@sha1:2"), true), None);
        assert_eq!(
            judged(mine, &ready("dep", "main@sha1:1"), true).unwrap(),
            "dependency 'apps/dep' revision is not up to date"
        );
        for is_additive in [false, true] {
            assert_eq!(
                judged(other, &ready("dep", "main@sha1:2"), is_additive).unwrap(),
                "dependency 'apps/dep' is not ready according to readyExpr eval"
            );
        }
        // A missing field is not a fault of the expression: it is evaluated again.
        assert_eq!(
            judged("dep.status.lastAppliedRevision == 'x'", &new, false).unwrap(),
            "failed to evaluate the CEL expression 'dep.status.lastAppliedRevision == 'x'': no such key: status"
        );
    }

    #[test]
    fn non_boolean_expression_error_names_dependency() {
        assert!(Expressions::of(&expecting("dep.metadata.name == 'a'")).is_ok());
        assert_eq!(Expressions::of(&expecting("")), Ok(Expressions(vec![None])));
        for wrong in [
            "dep.",
            "nobody.name == 'a'",
            "dep.metadata.name + 1 > 'a'",
            "'text'",
            "1",
        ] {
            let message = Expressions::of(&expecting(wrong)).unwrap_err();
            let lead = "terminal error: failed to evaluate dependency dep: ";
            assert!(message.starts_with(lead), "{message}");
        }
    }

    #[test]
    fn dependency_change_wakes_if_expression_holds() {
        let dependant = expecting("dep.status.lastAppliedRevision == 'main@sha1:2'");
        let expressions = Expressions::of(&dependant).unwrap();
        let expected = |dependant: &Kustomization, name, revision| {
            expressions.any_holds(dependant, &ready(name, revision))
        };
        assert!(expected(&dependant, "dep", "main@sha1:2"));
        assert!(!expected(&dependant, "dep", "main@sha1:1"));
        assert!(!expected(&dependant, "other", "main@sha1:2"));
        let edited = expecting("dep.status.lastAppliedRevision != ''");
        assert!(
            !expected(&edited, "dep", "main@sha1:2"),
            "an edit changes the expressions"
        );
        assert_eq!(with_expressions(&dependant), [key("dep")]);
        assert_eq!(with_expressions(&on("me", &["dep"])), []);
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
