//! Dependencies between Kustomizations, with the messages of Flux.

use std::sync::Arc;

use sluice_consumer::Expressions;
use sluice_consumer::dependency::{all_unmet, check_access, unmet, with_expressions};
use sluice_engine::{ObjectKey, References};

use sluice_api::kustomize::Kustomization;

use super::plan::tests::{kustomization, ready};

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
    assert!(Expressions::of(&expecting("")).is_ok());
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
fn only_dependencies_with_expressions_are_watched() {
    let dependant = expecting("dep.status.lastAppliedRevision == 'main@sha1:2'");
    assert_eq!(with_expressions(&dependant), [key("dep")]);
    assert_eq!(with_expressions(&on("me", &["dep"])), []);
}

#[test]
fn expressions_of_a_run_share_a_budget() {
    let expensive = "[1,2,3,4,5,6,7,8,9].map(a, [1,2,3,4,5,6,7,8,9].map(b, \
                     [1,2,3,4,5,6,7,8,9].map(c, [1,2,3,4,5,6,7,8,9].map(d, \
                     [1,2,3,4,5,6,7,8,9].map(e, a + b + c + d + e))))).size() == 9";
    let dependant = kustomization("me", |spec| {
        let entry = serde_json::json!({"name": "dep", "readyExpr": expensive});
        spec["dependsOn"] = vec![entry; 100].into();
    });
    let expressions = Expressions::of(&dependant).unwrap();
    let dependency = Arc::new(ready("dep", "main@sha1:2"));
    let found = vec![(key("dep"), Ok(Some(dependency))); 100];
    let unmet: Vec<_> = all_unmet(&dependant, &expressions, &found, "main@sha1:2", false).collect();
    assert_eq!(
        unmet.last().map(String::as_str),
        Some("the readyExpr expressions of spec.dependsOn cost more than 2000000 steps")
    );
    assert!(unmet.len() > 50 && unmet.len() < 100, "{}", unmet.len());
}

#[test]
fn expression_about_another_namespace_needs_access() {
    let dependant = kustomization("me", |spec| {
        spec["dependsOn"] = serde_json::json!([
            {"name": "a", "namespace": "other"},
            {"name": "b", "readyExpr": "true"},
            {"name": "c", "namespace": "other", "readyExpr": "true"},
        ]);
    });
    let strict = References {
        no_cross_namespace: true,
    };
    assert_eq!(
        check_access(&dependant, strict).unwrap_err().to_string(),
        "can't access 'Kustomization/other/c', cross-namespace references have been blocked"
    );
    assert_eq!(check_access(&dependant, References::default()), Ok(()));
}
