//! Tests of the evaluation of one object: create, change, skip or reject.

use serde_json::json;

use super::*;
use crate::cleanup::former_managers;

const US: &str = "kustomize-controller";

fn object(body: &Value) -> Object {
    let mut value = json!({"apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "a", "namespace": "n"}});
    sluice_object::merge::apply(&mut value, body);
    Object::try_from(value).expect("complete")
}

fn step(desired: &Value, live: Option<&Value>, dry_run: &Value) -> Option<Step> {
    step_ignoring(&[], desired, live, dry_run)
}

fn step_ignoring(
    paths: &[String],
    desired: &Value,
    live: Option<&Value>,
    dry_run: &Value,
) -> Option<Step> {
    step_after(false, paths, desired, live, dry_run)
}

fn step_after(
    is_migrated: bool,
    paths: &[String],
    desired: &Value,
    live: Option<&Value>,
    dry_run: &Value,
) -> Option<Step> {
    let live = live.map(object);
    let rule = crate::IgnoreRule {
        paths,
        target: None,
    };
    let rules = Rules {
        markers: &Markers::new("g"),
        former: &former_managers(US, &[]),
        field_manager: US,
        ignore: &IgnoreRules::new([rule]).expect("no pattern"),
        is_migrated,
    };
    decide(rules, &object(desired), live.as_ref(), &object(dry_run)).ok()
}

/// A stored object with one entry in `managedFields`.
fn stored(data: &str, manager: &str, operation: &str) -> Value {
    json!({"data": {"k": data}, "metadata": {
        "uid": "u", "resourceVersion": "5",
        "managedFields": [{"manager": manager, "operation": operation, "fieldsV1": {}}]}})
}

#[test]
fn absent_object_is_created() {
    assert_eq!(
        step(
            &json!({"data": {"k": "1"}}),
            None,
            &json!({"data": {"k": "1"}})
        ),
        Some(Step::Create)
    );
}

#[test]
fn unchanged_object_is_not_written() {
    let live = stored("1", US, "Apply");
    assert_eq!(step(&json!({"data": {"k": "1"}}), Some(&live), &live), None);
}

#[test]
fn drift_is_configured() {
    assert_eq!(
        step(
            &json!({"data": {"k": "1"}}),
            Some(&stored("2", US, "Apply")),
            &stored("1", US, "Apply")
        ),
        Some(Step::Configure {
            clean_up: None,
            payload: None
        })
    );
}

#[test]
fn ignored_fields_are_not_drift() {
    let ignored = ["/data/k".to_owned()];
    let (live, dry_run) = (stored("2", US, "Apply"), stored("1", US, "Apply"));
    let desired = json!({"data": {"k": "1"}});
    assert_eq!(
        step_ignoring(&ignored, &desired, Some(&live), &dry_run),
        None
    );
    assert_eq!(
        step_ignoring(&ignored, &desired, None, &dry_run),
        Some(Step::Create),
        "rules say nothing about what is created"
    );
    let mut more = dry_run.clone();
    more["data"]["l"] = "new".into();
    let wanted = json!({"data": {"k": "1", "l": "new"}});
    let Some(Step::Configure {
        payload: Some(payload),
        ..
    }) = step_ignoring(&ignored, &wanted, Some(&live), &more)
    else {
        panic!("not configured");
    };
    assert_eq!(payload.get("data"), Some(&json!({"k": "2", "l": "new"})));
}

#[test]
fn fields_of_former_managers_are_adopted() {
    let mut live = stored("2", "kubectl", "Apply");
    live["metadata"]["managedFields"][0]["fieldsV1"] = json!({"f:data": {"f:k": {}}});
    let Some(Step::Configure {
        clean_up: Some(_),
        payload: Some(payload),
    }) = step_ignoring(
        &["/data/k".to_owned()],
        &json!({"data": {"k": "1"}}),
        Some(&live),
        &stored("1", US, "Apply"),
    )
    else {
        panic!("not configured");
    };
    assert_eq!(payload.get("data"), Some(&json!({"k": "2"})));
}

#[test]
fn former_managers_are_cleaned_up_without_drift() {
    let live = stored("1", "kubectl-client-side-apply", "Update");
    let Some(Step::Configure {
        clean_up: Some(patch),
        ..
    }) = step(&json!({"data": {"k": "1"}}), Some(&live), &live)
    else {
        panic!("no clean-up");
    };
    assert_eq!(patch[0]["value"][0]["manager"], US);
}

#[test]
fn migrated_object_keeps_ignored_fields() {
    let ignored = ["/data/k".to_owned()];
    let (live, dry_run) = (stored("2", US, "Apply"), stored("1", US, "Apply"));
    let desired = json!({"data": {"k": "1"}});
    let step = |paths, live| step_after(true, paths, &desired, Some(live), &dry_run);
    let Some(Step::Configure {
        clean_up: None,
        payload: Some(payload),
    }) = step(&ignored, &live)
    else {
        panic!("not configured");
    };
    assert_eq!(payload.get("data"), Some(&json!({"k": "2"})));
    let as_desired = Step::Configure {
        clean_up: None,
        payload: None,
    };
    assert_eq!(step(&[], &dry_run), Some(as_desired));
}

#[test]
fn merged_object_keeps_its_former_managers() {
    let live = stored("1", "kubectl-client-side-apply", "Update");
    let merged = json!({"data": {"k": "1"}, "metadata": {"annotations": {"g/ssa": "Merge"}}});
    let mut marked_live = live.clone();
    marked_live["metadata"]["annotations"] = json!({"g/ssa": "Merge"});
    for (desired, live) in [
        (&merged, &marked_live),
        (&json!({"data": {"k": "1"}}), &marked_live),
    ] {
        assert_eq!(step(desired, Some(live), live), None, "{desired}");
    }
}

#[test]
fn excluded_and_create_only_objects_are_skipped() {
    let mut excluded = stored("2", US, "Apply");
    excluded["metadata"]["labels"] = json!({"g/reconcile": "disabled"});
    let create_only = json!({"metadata": {"annotations": {"g/ssa": "IfNotPresent"}}});
    let live = stored("2", US, "Apply");
    let dry_run = stored("1", US, "Apply");
    assert_eq!(
        step(&json!({}), Some(&excluded), &dry_run),
        Some(Step::Skip)
    );
    assert_eq!(step(&create_only, Some(&live), &dry_run), Some(Step::Skip));
    assert_eq!(step(&create_only, None, &json!({})), Some(Step::Create));
}

#[test]
fn live_object_is_read_when_the_dry_run_requires_it() {
    let found = || Ok(object(&json!({"metadata": {"resourceVersion": "5"}})));
    let created = || Ok(object(&json!({"metadata": {"uid": "made-up"}})));
    let refused = || {
        Err(Error::Request {
            action: String::new(),
            reason: "refused".to_owned(),
        })
    };
    let present = || Live::Present(object(&json!({})));
    for (live, answer, reads) in [
        (Live::Unasked, created(), false),
        (Live::Unasked, found(), true),
        (Live::Unasked, refused(), true),
        (Live::Absent, created(), false),
        (Live::Absent, found(), true),
        (Live::Absent, refused(), false),
        (present(), created(), false),
        (present(), found(), false),
        (present(), refused(), false),
    ] {
        assert_eq!(needs_read(&live, &answer), reads, "{live:?} {answer:?}");
    }
}
