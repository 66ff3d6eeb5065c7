//! Compares the live object with the result of a dry-run.
//!
//! Both come from the server, so they are defaulted and canonical, and comparing the decoded JSON
//! is enough. Only labels, annotations and fields outside of `metadata` and `status` count.
//! Parity: `pkg: ssa/manager_diff.go`.

use serde_json::Map;
use sluice_object::{Object, Value};

/// Whether the live object differs from the result of a dry-run.
pub fn has_drifted(live: &Object, dry_run: &Object) -> bool {
    let metadata = |object: &Object, field: &str| {
        object
            .at(&["metadata", field])
            .cloned()
            .unwrap_or(Value::Null)
    };
    if !same(&metadata(live, "labels"), &metadata(dry_run, "labels"))
        || !same(
            &metadata(live, "annotations"),
            &metadata(dry_run, "annotations"),
        )
    {
        return true;
    }
    let is_autoscaler = dry_run.is("autoscaling", "HorizontalPodAutoscaler");
    let fields = |object: &Object| -> Vec<String> {
        object
            .as_map()
            .keys()
            .filter(|key| !matches!(key.as_str(), "metadata" | "status"))
            .cloned()
            .collect()
    };
    let mut names = fields(live);
    names.extend(fields(dry_run));
    names.sort();
    names.dedup();
    names.iter().any(|name| {
        let side = |object: &Object| object.get(name).cloned().unwrap_or(Value::Null);
        let (mut before, mut after) = (side(live), side(dry_run));
        if is_autoscaler && name == "spec" {
            drop_repeated_metrics(&mut before);
            drop_repeated_metrics(&mut after);
        }
        !same(&before, &after)
    })
}

/// Compares decoded JSON. Null equals an absent field and an empty collection.
///
/// An *absent* field does not equal an empty collection: `podSelector: {}` selects every pod,
/// while its absence selects none.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => same_fields(left, right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| same(left, right))
        }
        (Value::Null, other) | (other, Value::Null) => match other {
            Value::Null => true,
            Value::Object(fields) => fields.is_empty(),
            Value::Array(items) => items.is_empty(),
            _ => false,
        },
        _ => left == right,
    }
}

fn same_fields(left: &Map<String, Value>, right: &Map<String, Value>) -> bool {
    let covers = |one: &Map<String, Value>, other: &Map<String, Value>| {
        one.iter().all(|(key, value)| match other.get(key) {
            Some(counterpart) => same(value, counterpart),
            None => value.is_null(),
        })
    };
    covers(left, right)
        && right
            .iter()
            .all(|(key, value)| left.contains_key(key) || value.is_null())
}

/// Reverts a bug of dry-runs before Kubernetes 1.27: for autoscalers they repeat the first metric
/// and append an empty one (kubernetes#118293).
fn drop_repeated_metrics(spec: &mut Value) {
    let Some(Value::Array(metrics)) = spec.get_mut("metrics") else {
        return;
    };
    let mut kept: Vec<Value> = Vec::with_capacity(metrics.len());
    for metric in metrics.drain(..) {
        let is_typed = metric
            .get("type")
            .and_then(Value::as_str)
            .is_some_and(|kind| !kind.is_empty());
        if is_typed && !kept.contains(&metric) {
            kept.push(metric);
        }
    }
    *metrics = kept;
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(body: &Value) -> Object {
        let mut value = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}});
        sluice_object::merge::apply(&mut value, body);
        Object::try_from(value).expect("a complete object")
    }

    fn drifted(live: &Value, dry_run: &Value) -> bool {
        has_drifted(&object(live), &object(dry_run))
    }

    #[test]
    fn data_labels_and_annotations_count() {
        for (live, dry_run) in [
            (json!({"data": {"k": "1"}}), json!({"data": {"k": "2"}})),
            (
                json!({"data": {"k": "1", "l": "2"}}),
                json!({"data": {"k": "1"}}),
            ),
            (
                json!({"data": {"k": "1"}}),
                json!({"data": {"k": "1", "l": "2"}}),
            ),
            (json!({}), json!({"data": {"k": "1"}})),
            (json!({"data": {"k": "1"}}), json!({})),
            (
                json!({"metadata": {"labels": {"a": "b"}}}),
                json!({"metadata": {"labels": {"a": "c"}}}),
            ),
            (json!({}), json!({"metadata": {"annotations": {"a": "b"}}})),
            (json!({"metadata": {"annotations": {"a": "b"}}}), json!({})),
            (
                json!({"spec": {"n": [1, 2]}}),
                json!({"spec": {"n": [2, 1]}}),
            ),
            (json!({"spec": {"n": "1"}}), json!({"spec": {"n": 1}})),
            (
                json!({"spec": {"on": true}}),
                json!({"spec": {"on": false}}),
            ),
        ] {
            assert!(drifted(&live, &dry_run), "{live} {dry_run}");
        }
    }

    #[test]
    fn status_and_server_metadata_do_not_count() {
        for (live, dry_run) in [
            (json!({"status": {"x": 1}}), json!({"status": {"x": 2}})),
            (
                json!({"metadata": {"managedFields": [1], "generation": 1, "resourceVersion": "1"}}),
                json!({"metadata": {"managedFields": [2], "generation": 2, "resourceVersion": "2"}}),
            ),
            (
                json!({"metadata": {"ownerReferences": [{"name": "x"}], "finalizers": ["f"]}}),
                json!({}),
            ),
        ] {
            assert!(!drifted(&live, &dry_run), "{live} {dry_run}");
        }
    }

    #[test]
    fn empty_metadata_maps_equal_absent_ones() {
        assert!(!drifted(&json!({}), &json!({"metadata": {"labels": {}}})));
        assert!(!drifted(
            &json!({"metadata": {"annotations": {}}}),
            &json!({})
        ));
    }

    #[test]
    fn null_equals_absent_and_empty() {
        // Without `merge::apply`, which drops nulls.
        let with = |spec: Value| {
            let mut object = object(&json!({}));
            object.as_map_mut().insert("spec".into(), spec);
            object
        };
        for (live, dry_run, differs) in [
            (json!({"a": null}), json!({}), false),
            (json!({"a": null}), json!({"a": []}), false),
            (json!({"a": {}}), json!({"a": null}), false),
            (json!({"a": [null]}), json!({"a": [{}]}), false),
            (json!({"a": null}), json!({"a": 0}), true),
            (json!({"a": null}), json!({"a": ""}), true),
        ] {
            assert_eq!(
                has_drifted(&with(live.clone()), &with(dry_run.clone())),
                differs,
                "{live} {dry_run}"
            );
        }
    }

    #[test]
    fn empty_selector_differs_from_an_absent_one() {
        assert!(drifted(
            &json!({"spec": {"from": [{}]}}),
            &json!({"spec": {"from": [{"podSelector": {}}]}})
        ));
    }

    #[test]
    fn repeated_metrics_of_an_autoscaler_do_not_count() {
        let autoscaler = |metrics: Value| {
            Object::try_from(
                json!({"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
                "metadata": {"name": "a"}, "spec": {"metrics": metrics}}),
            )
            .expect("complete")
        };
        let cpu = json!({"type": "Resource", "resource": {"name": "cpu"}});
        let memory = json!({"type": "Resource", "resource": {"name": "memory"}});
        let live = autoscaler(json!([cpu, memory]));
        let dry_run = autoscaler(json!([cpu, cpu, memory, {"type": ""}]));
        assert!(!has_drifted(&live, &dry_run));
        assert!(has_drifted(&live, &autoscaler(json!([cpu]))));
    }
}
