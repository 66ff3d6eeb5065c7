//! What one Kustomization may expect of another: order, readiness, loops.
//!
//! Ready is what its conditions say, or what an expression says that the dependant wrote
//! (`readyExpr`, over itself as `self` and the dependency as `dep`), or, with the gate
//! `AdditiveCELDependencyCheck`, both.

use std::collections::HashSet;

use serde_json::Value;
use sluice_api::kustomize::{DependencyReference, Kustomization};
use sluice_api::meta::condition::READY;
use sluice_cel::{CelError, Expression, Type, Variables};
use sluice_engine::ObjectKey;

use super::observe::Unread;
use super::source;

/// The dependencies of a Kustomization, as written.
pub(super) fn of(object: &Kustomization) -> Vec<ObjectKey> {
    let entries = object.spec.depends_on.iter();
    entries.map(|entry| key_of(object, entry)).collect()
}

fn key_of(object: &Kustomization, entry: &DependencyReference) -> ObjectKey {
    let own = object.metadata.namespace.as_deref();
    let namespace = entry.namespace.as_deref().or(own);
    ObjectKey::new(namespace.unwrap_or_default(), &entry.name)
}

/// Those of which an expression says whether they are ready.
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

/// The expressions of a spec, compiled: one for each of its dependencies that has any. A run uses
/// them for as long as it has to wait.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Expressions(Vec<Option<Expression>>);

impl Expressions {
    /// Compiles them. Why one cannot be used is told in Flux's words; only an edit helps.
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

    /// Each dependency of the spec that they were compiled from, with its expression.
    pub(super) fn with<'e>(
        &'e self,
        object: &'e Kustomization,
    ) -> impl Iterator<Item = (&'e DependencyReference, Option<&'e Expression>)> {
        let entries = object.spec.depends_on.iter();
        entries.zip(self.0.iter().map(Option::as_ref))
    }

    /// Whether any of what a dependant wrote of this dependency holds now. What was edited since
    /// they were compiled is not asked: the edit wakes the dependant.
    pub(super) fn expect(&self, dependant: &Kustomization, dependency: &Kustomization) -> bool {
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

/// What an expression says of a dependency.
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
    serde_json::to_value(object).expect("an object that was read can be written")
}

/// Why a dependency is not met, in Flux's words; `None` when it is.
///
/// One that is fed from the same source must have applied the revision that the
/// dependant is about to apply: else a commit that changes both would meet them in
/// the wrong order.
pub(super) fn unmet(
    dependant: &Kustomization,
    (entry, expression): (&DependencyReference, Option<&Expression>),
    found: Result<Option<&Kustomization>, &Unread>,
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

/// Whether an object is Ready, and its spec is the one that was reconciled.
pub(super) fn is_ready(object: &Kustomization) -> bool {
    object.status.as_ref().is_some_and(|status| {
        status.observed_generation == object.metadata.generation && status.conditions.is_true(READY)
    })
}

/// The revision that was applied last.
pub(super) fn applied(object: &Kustomization) -> Option<&str> {
    object.status.as_ref()?.last_applied_revision.as_deref()
}

/// The way from an object over its dependencies back to itself, if there is one.
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
    fn dependencies_are_judged_in_flux_s_words() {
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
            "another source has revisions of its own"
        );
    }

    fn expecting(expression: &str) -> Kustomization {
        kustomization("me", |spec| {
            spec["dependsOn"] = serde_json::json!([{"name": "dep", "readyExpr": expression}]);
        })
    }

    #[test]
    fn an_expression_takes_the_place_of_the_usual_check_unless_it_is_additive() {
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
        // What is not there yet is no fault of the expression: it is asked again.
        assert_eq!(
            judged("dep.status.lastAppliedRevision == 'x'", &new, false).unwrap(),
            "failed to evaluate the CEL expression 'dep.status.lastAppliedRevision == 'x'': no such key: status"
        );
    }

    #[test]
    fn an_expression_that_can_have_no_boolean_value_is_refused_by_the_name_of_its_dependency() {
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
    fn a_change_of_a_dependency_matters_once_its_expression_holds() {
        let dependant = expecting("dep.status.lastAppliedRevision == 'main@sha1:2'");
        let expressions = Expressions::of(&dependant).unwrap();
        let expected = |dependant: &Kustomization, name, revision| {
            expressions.expect(dependant, &ready(name, revision))
        };
        assert!(expected(&dependant, "dep", "main@sha1:2"));
        assert!(!expected(&dependant, "dep", "main@sha1:1"));
        assert!(!expected(&dependant, "other", "main@sha1:2"));
        let edited = expecting("dep.status.lastAppliedRevision != ''");
        assert!(
            !expected(&edited, "dep", "main@sha1:2"),
            "an edit brings expressions of its own"
        );
        assert_eq!(with_expressions(&dependant), [key("dep")]);
        assert_eq!(with_expressions(&on("me", &["dep"])), []);
    }

    #[test]
    fn a_loop_is_spelled_out_from_the_object_back_to_it() {
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
            "a loop that one only leads to is not one's own"
        );
        assert_eq!(
            names(cycle(&key("a"), |_| vec![self::key("a")])).unwrap(),
            ["a", "a"]
        );
    }
}
