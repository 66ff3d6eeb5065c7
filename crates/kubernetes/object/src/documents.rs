//! Converts parsed documents to objects: lists are expanded, other documents are dropped.

use serde_json::Map;

use crate::{Object, Value};

/// Converts documents to objects, in order.
///
/// A document without `apiVersion`, `kind` or name is dropped, because other files may lie among
/// the manifests. A list (`kind: List`, or any kind with `items`) is replaced by its members, at
/// any depth.
pub fn expand(documents: impl IntoIterator<Item = Value>) -> Vec<Object> {
    let mut objects = Vec::new();
    for document in documents {
        push(document, &mut objects);
    }
    objects
}

fn push(document: Value, objects: &mut Vec<Object>) {
    let Value::Object(mut map) = document else {
        return;
    };
    if is_list(&map) {
        if let Some(Value::Array(items)) = map.remove("items") {
            for item in items {
                push(item, objects);
            }
        }
    } else if let Ok(object) = Object::try_from(Value::Object(map)) {
        objects.push(object);
    }
}

/// Whether the map is a list by apimachinery's rule: `items` is an array.
fn is_list(map: &Map<String, Value>) -> bool {
    let typed = |field| {
        map.get(field)
            .is_some_and(|value: &Value| value.is_string())
    };
    typed("apiVersion") && typed("kind") && map.get("items").is_some_and(Value::is_array)
}

/// Whether the object configures kustomize instead of a cluster.
pub fn is_kustomization_config(object: &Object) -> bool {
    object.group() == "kustomize.config.k8s.io" && object.kind() == "Kustomization"
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn names(documents: Vec<Value>) -> Vec<String> {
        expand(documents)
            .iter()
            .map(|object| object.id().to_string())
            .collect()
    }

    fn config_map(name: &str) -> Value {
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}})
    }

    #[test]
    fn documents_that_are_not_objects_are_dropped() {
        assert_eq!(
            names(vec![
                Value::Null,
                json!("text"),
                json!({"kind": "ConfigMap", "metadata": {"name": "a"}}),
                json!({"apiVersion": "v1", "metadata": {"name": "a"}}),
                json!({"apiVersion": "v1", "kind": "ConfigMap"}),
                json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "a"}}),
                config_map("kept"),
            ]),
            ["ConfigMap/kept"]
        );
    }

    #[test]
    fn lists_are_expanded_in_place_at_any_depth() {
        let inner = json!({"apiVersion": "v1", "kind": "List", "items": [config_map("b"), {}]});
        let outer = json!({"apiVersion": "v1", "kind": "ConfigMapList",
            "items": [config_map("a"), inner]});
        assert_eq!(
            names(vec![outer, config_map("c")]),
            ["ConfigMap/a", "ConfigMap/b", "ConfigMap/c"]
        );
    }

    #[test]
    fn empty_list_has_no_objects() {
        assert_eq!(
            names(vec![
                json!({"apiVersion": "v1", "kind": "List", "items": []})
            ]),
            Vec::<String>::new()
        );
    }

    #[test]
    fn only_kustomize_kustomization_is_configuration() {
        let ours = |api_version: &str| Object::new(api_version, "Kustomization", "", "a");
        assert!(is_kustomization_config(&ours(
            "kustomize.config.k8s.io/v1beta1"
        )));
        assert!(!is_kustomization_config(&ours(
            "kustomize.toolkit.fluxcd.io/v1"
        )));
    }
}
