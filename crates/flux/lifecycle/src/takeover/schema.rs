//! Finds fields that this version does not know, such as those of a newer Flux.

use serde_json::Value;
use sluice_api::KindInfo;

/// The schema of a spec, by our definition of the kind.
pub(super) struct Schema(Value);

/// The schema of a kind.
pub(super) fn of(info: &KindInfo) -> Schema {
    let text = sluice_api::crds(info.component).unwrap_or_default();
    let documents = sluice_yaml::v2::documents(text).unwrap_or_default();
    let name = info.crd_name();
    let definition = documents
        .into_iter()
        .find(|document| document["metadata"]["name"] == *name);
    let schema = definition.and_then(|definition| {
        let path = "/spec/versions/0/schema/openAPIV3Schema/properties/spec";
        definition.pointer(path).cloned()
    });
    Schema(schema.unwrap_or_default())
}

impl Schema {
    /// The fields of a spec that the schema does not have.
    pub(super) fn unknown(&self, spec: &Value) -> Vec<String> {
        let mut found = Vec::new();
        walk(&self.0, spec, "", &mut found);
        found
    }
}

fn walk(schema: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
    if schema["x-kubernetes-preserve-unknown-fields"] == true {
        return;
    }
    match value {
        Value::Object(fields) => {
            let properties = schema.get("properties");
            let others = schema.get("additionalProperties");
            if properties.is_none() && others.is_none() {
                return;
            }
            for (name, value) in fields {
                let path = match path {
                    "" => name.clone(),
                    path => format!("{path}.{name}"),
                };
                match properties.and_then(|all| all.get(name)).or(others) {
                    Some(schema) => walk(schema, value, &path, found),
                    None => found.push(path),
                }
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                walk(&schema["items"], value, &format!("{path}[{index}]"), found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use sluice_api::KINDS;

    use super::*;

    fn unknown(kind: &str, spec: &Value) -> Vec<String> {
        let info = KINDS.iter().find(|info| info.kind == kind).unwrap();
        of(info).unknown(spec)
    }

    #[test]
    fn unknown_fields_are_found_at_any_depth() {
        let spec = json!({
            "interval": "1m", "later": 1,
            "postBuild": { "substitute": { "anything": "goes" }, "later": true },
            "patches": [{ "patch": "a", "target": { "kind": "b", "later": "c" } }],
            "healthCheckExprs": [],
        });
        assert_eq!(
            unknown("Kustomization", &spec),
            ["later", "postBuild.later", "patches[0].target.later"]
        );
    }

    /// The definitions of Flux 2.9.
    const REFERENCE: [&str; 7] = [
        include_str!("../../../../base/api/tests/reference/source-controller.json"),
        include_str!("../../../../base/api/tests/reference/kustomize-controller.json"),
        include_str!("../../../../base/api/tests/reference/helm-controller.json"),
        include_str!("../../../../base/api/tests/reference/notification-controller.json"),
        include_str!("../../../../base/api/tests/reference/image-reflector-controller.json"),
        include_str!("../../../../base/api/tests/reference/image-automation-controller.json"),
        include_str!("../../../../base/api/tests/reference/source-watcher.json"),
    ];

    /// Returns a value with every field of a schema.
    fn full(schema: &Value) -> Value {
        if let Some(properties) = schema["properties"].as_object() {
            let fields = properties.iter();
            return fields
                .map(|(name, property)| (name.clone(), full(property)))
                .collect();
        }
        if schema["additionalProperties"].is_object() {
            return json!({ "key": full(&schema["additionalProperties"]) });
        }
        match schema["type"].as_str() {
            Some("array") => json!([full(&schema["items"])]),
            Some("object") | None => json!({ "key": "value" }),
            Some(_) => json!("text"),
        }
    }

    #[test]
    fn every_field_of_flux_is_known() {
        let files = REFERENCE.iter();
        let definitions = files.flat_map(|file| serde_json::from_str::<Vec<Value>>(file).unwrap());
        let mut kinds = Vec::new();
        for definition in definitions {
            let kind = definition["spec"]["names"]["kind"].as_str().unwrap();
            let info = KINDS.iter().find(|info| info.kind == kind).unwrap();
            let mut versions = definition["spec"]["versions"].as_array().unwrap().iter();
            let version = versions.find(|version| version["name"] == info.version);
            let schema = &version.unwrap()["schema"]["openAPIV3Schema"]["properties"]["spec"];
            let spec = full(schema);
            assert_eq!(unknown(kind, &spec), Vec::<String>::new(), "{kind}: {spec}");
            kinds.push(kind.to_owned());
        }
        for kind in ["Alert", "Provider", "Receiver"] {
            assert!(kinds.iter().any(|it| it == kind), "{kinds:?}");
        }
    }

    #[test]
    fn every_kind_has_a_schema() {
        for info in KINDS {
            assert!(of(info).0.get("properties").is_some(), "{info:?}");
        }
    }
}
