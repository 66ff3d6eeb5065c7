//! Differences between a release and the cluster: their counts, summaries and order. Pure.
//!
//! Parity: `helm-controller: internal/diff/summarize.go`.

use serde_json::Value;
use sluice_api::helm::DriftDetectionMode;
use sluice_object::Object;

use super::model::{Change, Drift};

/// Whether a mode looks for drift.
pub(super) fn detects(mode: Option<&DriftDetectionMode>) -> bool {
    matches!(
        mode,
        Some(DriftDetectionMode::Enabled | DriftDetectionMode::Warn)
    )
}

/// Kind, namespace and name of an object.
pub(super) fn resource_name(object: &Object) -> String {
    let (kind, namespace, name) = (object.kind(), object.namespace(), object.name());
    if namespace.is_empty() {
        format!("{kind}/{name}")
    } else {
        format!("{kind}/{namespace}/{name}")
    }
}

/// The differences. Objects that could not be compared do not hide the changes of others.
pub(super) fn compared(found: Vec<Drift>, errors: &[String]) -> Result<Vec<Drift>, String> {
    if errors.is_empty() || found.iter().any(Drift::is_change) {
        return Ok(found);
    }
    Err(format!("[{}]", errors.join(", ")))
}

/// One line for each difference.
pub(super) fn summary(found: &[Drift]) -> String {
    let lines = found.iter().map(|drift| {
        let name = resource_name(&drift.desired);
        match &drift.change {
            Change::Create => format!("{name} removed"),
            Change::Excluded => format!("{name} excluded"),
            Change::Patch(operations) => {
                let count = |wanted: &str| {
                    let of_kind = operations.iter().filter(|one| one["op"] == wanted);
                    of_kind.count()
                };
                let (added, changed, removed) = (count("add"), count("replace"), count("remove"));
                format!("{name} changed ({added} additions, {changed} changes, {removed} removals)")
            }
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The number of differences of each sort.
pub(super) fn brief(found: &[Drift]) -> String {
    let count = |is: fn(&Change) -> bool| found.iter().filter(|drift| is(&drift.change)).count();
    let removed = count(|change| *change == Change::Create);
    let changed = count(|change| matches!(change, Change::Patch(_)));
    let excluded = count(|change| *change == Change::Excluded);
    format!("removed: {removed}, changed: {changed}, excluded: {excluded}")
}

/// The operations of a JSON patch from one form of an object to another.
///
/// Parity: `wI2L/jsondiff` with `Rationalize`, without the moves of array items.
pub(super) fn patch(live: &Value, wanted: &Value) -> Vec<Value> {
    let mut operations = Vec::new();
    compare("", live, wanted, &mut operations);
    operations
}

fn compare(path: &str, live: &Value, wanted: &Value, operations: &mut Vec<Value>) {
    match (live, wanted) {
        (Value::Object(old), Value::Object(new)) => {
            let mut keys: Vec<&String> = old.keys().chain(new.keys()).collect();
            keys.sort_unstable();
            keys.dedup();
            for key in keys {
                let path = format!("{path}/{}", escape(key));
                match (old.get(key), new.get(key)) {
                    (Some(old), Some(new)) => compare(&path, old, new, operations),
                    (Some(_), None) => operations.push(operation("remove", &path, None)),
                    (None, Some(new)) => operations.push(operation("add", &path, Some(new))),
                    (None, None) => {}
                }
            }
        }
        (Value::Array(old), Value::Array(new)) if old != new => {
            let shared = old.len().min(new.len());
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                compare(&format!("{path}/{index}"), old, new, operations);
            }
            for index in (shared..old.len()).rev() {
                operations.push(operation("remove", &format!("{path}/{index}"), None));
            }
            for new in &new[shared..] {
                operations.push(operation("add", &format!("{path}/-"), Some(new)));
            }
        }
        (old, new) if old != new => operations.push(operation("replace", path, Some(new))),
        _ => {}
    }
}

fn operation(op: &str, path: &str, value: Option<&Value>) -> Value {
    let mut operation = serde_json::json!({ "op": op, "path": path });
    if let Some(value) = value {
        operation["value"] = value.clone();
    }
    operation
}

fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn patch_adds_replaces_and_removes() {
        let live = json!({"a": 1, "b": [1, 2, 3], "c/d": {"e": "x"}});
        let wanted = json!({"a": 2, "b": [1, 4], "c/d": {"f~": null}});
        assert_eq!(
            patch(&live, &wanted),
            [
                json!({"op": "replace", "path": "/a", "value": 2}),
                json!({"op": "replace", "path": "/b/1", "value": 4}),
                json!({"op": "remove", "path": "/b/2"}),
                json!({"op": "remove", "path": "/c~1d/e"}),
                json!({"op": "add", "path": "/c~1d/f~0", "value": null}),
            ]
        );
        assert_eq!(patch(&live, &live), [] as [Value; 0]);
    }

    #[test]
    fn summary_counts_operations() {
        let drift = |name: &str, change| Drift {
            desired: Object::new("v1", "ConfigMap", "apps", name),
            change,
        };
        let patch = vec![
            json!({"op": "add"}),
            json!({"op": "replace"}),
            json!({"op": "add"}),
        ];
        let found = [
            drift("a", Change::Create),
            drift("b", Change::Patch(patch)),
            drift("c", Change::Excluded),
        ];
        assert_eq!(
            summary(&found),
            "ConfigMap/apps/a removed\nConfigMap/apps/b changed (2 additions, 1 changes, 0 \
             removals)\nConfigMap/apps/c excluded"
        );
        assert_eq!(brief(&found), "removed: 1, changed: 1, excluded: 1");
    }

    /// `internal/reconcile/state.go`: an error ends the run only without a change.
    #[test]
    fn object_that_is_forbidden_hides_no_other_drift() {
        let drift = |change| Drift {
            desired: Object::new("v1", "ConfigMap", "apps", "web"),
            change,
        };
        let errors = [
            "Secret/apps/a: forbidden".to_owned(),
            "Secret/apps/b: forbidden".to_owned(),
        ];
        let changed = || vec![drift(Change::Create), drift(Change::Excluded)];
        assert_eq!(compared(changed(), &errors), Ok(changed()));
        let excluded = || vec![drift(Change::Excluded)];
        let error = "[Secret/apps/a: forbidden, Secret/apps/b: forbidden]";
        assert_eq!(compared(excluded(), &errors), Err(error.to_owned()));
        assert_eq!(compared(excluded(), &[]), Ok(excluded()));
    }
}
