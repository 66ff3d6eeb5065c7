//! Tests of ignore rules for drift.

use serde_json::json;

use super::*;

fn object(body: &Value) -> Object {
    let mut value = json!({"apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "shop", "labels": {"tier": "front"}, "annotations": {"a": "b"}}});
    sluice_object::merge::apply(&mut value, body);
    Object::try_from(value).expect("complete")
}

fn paths(paths: &[&str]) -> Vec<String> {
    paths.iter().map(ToString::to_string).collect()
}

fn rules(pointers: &[&str]) -> IgnoreRules {
    let paths = paths(pointers);
    IgnoreRules::new([IgnoreRule {
        paths: &paths,
        target: None,
    }])
    .expect("no pattern")
}

fn is_matched(target: IgnoreTarget<'_>) -> bool {
    let paths = paths(&["/spec"]);
    let rule = IgnoreRule {
        paths: &paths,
        target: Some(target),
    };
    let rules = IgnoreRules::new([rule]).expect("patterns");
    !rules.fields_of(&object(&json!({}))).is_empty()
}

#[test]
fn target_matches_all_of_its_fields() {
    let any = IgnoreTarget::default();
    for (target, expected) in [
        (any, true),
        (
            IgnoreTarget {
                kind: "Deploy.*",
                ..any
            },
            true,
        ),
        (
            IgnoreTarget {
                kind: "Deploy",
                ..any
            },
            false,
        ),
        (
            IgnoreTarget {
                kind: "Job|Deployment",
                ..any
            },
            true,
        ),
        (
            IgnoreTarget {
                group: "apps",
                version: "v1",
                ..any
            },
            true,
        ),
        (
            IgnoreTarget {
                version: "v2",
                ..any
            },
            false,
        ),
        (
            IgnoreTarget {
                name: "we.",
                namespace: "sh[op]{2}",
                ..any
            },
            true,
        ),
        (
            IgnoreTarget {
                namespace: "other",
                ..any
            },
            false,
        ),
        (
            IgnoreTarget {
                label_selector: "tier in (front, back)",
                ..any
            },
            true,
        ),
        (
            IgnoreTarget {
                label_selector: "tier!=front",
                ..any
            },
            false,
        ),
        (
            IgnoreTarget {
                annotation_selector: "a=b,!c",
                ..any
            },
            true,
        ),
        (
            IgnoreTarget {
                annotation_selector: "c",
                ..any
            },
            false,
        ),
        (
            IgnoreTarget {
                kind: "Deployment",
                annotation_selector: "c",
                ..any
            },
            false,
        ),
    ] {
        assert_eq!(is_matched(target), expected, "{target:?}");
    }
}

#[test]
fn invalid_rules_are_rejected_in_flux_words() {
    let refused = |target| {
        IgnoreRules::new([IgnoreRule {
            paths: &[],
            target: Some(target),
        }])
        .expect_err("not readable")
        .to_string()
    };
    let any = IgnoreTarget::default();
    assert_eq!(
        refused(IgnoreTarget { kind: "(", ..any }),
        "failed to create ignore rule selector: invalid kind regex: error parsing regexp: missing closing ): `^(?:()$`"
    );
    let message = refused(IgnoreTarget {
        label_selector: "a in",
        ..any
    });
    let lead = "failed to create ignore rule selector: invalid label selector: ";
    assert!(message.starts_with(lead), "{message}");
}

#[test]
fn all_rules_without_a_target_apply() {
    let (one, two) = (paths(&["/spec/a"]), paths(&["/spec/b"]));
    let rule = |paths| IgnoreRule {
        paths,
        target: None,
    };
    let rules = IgnoreRules::new([rule(&one[..]), rule(&two[..])]).expect("no pattern");
    assert_eq!(rules.fields_of(&object(&json!({}))).len(), 2);
}

#[test]
fn pointers_to_missing_fields_have_no_effect() {
    let body = json!({"spec": {"replicas": 3, "list": [{"n": 1}, {"n": 2}]}, "metadata": {"annotations": {"x.io/y": "1"}}});
    for (pointers, expected) in [
        (
            &["/spec/replicas"][..],
            json!({"spec": {"list": [{"n": 1}, {"n": 2}]}}),
        ),
        (
            &["/spec/list/0/n"],
            json!({"spec": {"replicas": 3, "list": [{}, {"n": 2}]}}),
        ),
        (
            &["/spec/list/1"],
            json!({"spec": {"replicas": 3, "list": [{"n": 1}]}}),
        ),
        (
            &[
                "spec/replicas",
                "",
                "/",
                "/spec/none/x",
                "/spec/list/7",
                "/spec/list/x",
                "/spec/replicas/x",
            ],
            json!({"spec": {"replicas": 3, "list": [{"n": 1}, {"n": 2}]}}),
        ),
    ] {
        let rules = rules(pointers);
        let object = object(&body);
        let rest = without(&object, &rules.fields_of(&object));
        assert_eq!(rest.get("spec"), expected.get("spec"), "{pointers:?}");
    }
    let object = object(&body);
    let rules = rules(&["/metadata/annotations/x.io~1y"]);
    assert_eq!(
        without(&object, &rules.fields_of(&object)).annotation("x.io/y"),
        None
    );
}

/// The payload over a live object with one entry of another manager.
fn sent(pointers: &[&str], live: &Value, dry_run: &Value, others: &Value) -> Option<Value> {
    let desired = object(dry_run);
    let mut live = object(live);
    live.metadata_mut().insert(
        "managedFields".into(),
        json!([
            {"manager": "us", "operation": "Apply", "fieldsV1": {"f:spec": {"f:list": {"k:{\"n\":1}": {".": {}, "f:n": {}, "f:v": {}}}}}},
            others,
        ]),
    );
    let rules = rules(pointers);
    let ignored = rules.fields_of(&desired);
    let payload = payload(&desired, &live, &desired, &ignored, |entry| {
        entry["manager"] != "us"
    });
    payload.map(|payload| payload.get("spec").cloned().unwrap_or_default())
}

#[test]
fn payload_omits_fields_that_others_apply() {
    let applies = json!({"manager": "scaler", "operation": "Apply", "fieldsV1": {"f:spec": {"f:replicas": {}}}});
    let updates = json!({"manager": "scaler", "operation": "Update", "fieldsV1": {"f:spec": {"f:replicas": {}}}});
    let scales = json!({"manager": "scaler", "operation": "Apply", "subresource": "scale", "fieldsV1": {"f:spec": {"f:replicas": {}}}});
    let (live, wanted) = (
        json!({"spec": {"replicas": 5, "x": 1}}),
        json!({"spec": {"replicas": 2, "x": 2}}),
    );
    let send = |live, others| sent(&["/spec/replicas"], live, &wanted, others);
    assert_eq!(send(&live, &applies), Some(json!({"x": 2})));
    for adopts in [&updates, &scales, &Value::Null] {
        assert_eq!(
            send(&live, adopts),
            Some(json!({"replicas": 5, "x": 2})),
            "{adopts}"
        );
    }
    assert_eq!(
        send(&wanted, &applies),
        None,
        "what does not differ is sent as it is"
    );
    assert_eq!(
        send(&json!({"spec": {"x": 1}}), &updates),
        Some(json!({"x": 2}))
    );
}

#[test]
fn list_items_are_matched_by_their_keys() {
    let theirs = |key: &str| json!({"manager": "policy", "operation": "Apply", "fieldsV1": {"f:spec": {"f:list": {key: {".": {}, "f:n": {}, "f:v": {}}}}}});
    let (live, wanted) = (
        json!({"spec": {"list": [{"n": 1, "v": "b"}]}}),
        json!({"spec": {"list": [{"n": 1, "v": "a"}]}}),
    );
    let send = |others: Value| sent(&["/spec/list/0/v"], &live, &wanted, &others);
    assert_eq!(
        send(theirs("k:{\"n\":1}")),
        Some(json!({"list": [{"n": 1}]}))
    );
    assert_eq!(
        send(theirs("k:{\"n\":2}")),
        Some(json!({"list": [{"n": 1, "v": "b"}]}))
    );
    // Without keys the owner of the item is unknown.
    let unkeyed =
        json!({"manager": "policy", "operation": "Apply", "fieldsV1": {"f:spec": {"f:other": {}}}});
    assert_eq!(
        sent(
            &["/spec/other/0/v"],
            &json!({"spec": {"other": [{"v": 1}]}}),
            &json!({"spec": {"other": [{"v": 2}]}}),
            &unkeyed
        ),
        Some(json!({"other": [{"v": 1}]}))
    );
}
