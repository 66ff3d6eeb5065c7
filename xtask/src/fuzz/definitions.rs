//! Custom resource definitions: no schema makes validation panic or hang, and the result is
//! deterministic.

use serde_json::{Value, json};
use sluice_object::Object;
use sluice_schema::Definition;
use sluice_yaml::v2;

use super::Target;

/// Documents: the schema of a definition, then objects of its kind.
pub(super) const DEFINITIONS: Target = Target {
    name: "definitions",
    run: |bytes| {
        let Ok(text) = str::from_utf8(bytes) else {
            return;
        };
        let Ok(documents) = v2::documents(text) else {
            return;
        };
        let mut documents = documents.into_iter();
        let Some(definition) = documents.next().as_ref().and_then(definition) else {
            return;
        };
        for fields in documents {
            let mut object = Object::new("example.com/v1", "Thing", "shop", "x");
            if let Value::Object(fields) = fields {
                object.as_map_mut().extend(fields);
            }
            let said = definition.check(&object);
            assert_eq!(said, definition.check(&object));
            if let Err(refusal) = said {
                assert!(!refusal.to_string().is_empty());
            }
        }
    },
    seeds: || {
        let recorded =
            crate::repository().join("crates/kubernetes/schema/tests/vectors/definitions.jsonl");
        let recorded =
            std::fs::read_to_string(recorded).expect("the vectors are in the repository");
        let lines = recorded.lines();
        let lines = lines.map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON"));
        let mut seeds = Vec::new();
        let mut schema = Value::Null;
        for line in lines {
            match line.get("schema") {
                Some(next) => schema = next.clone(),
                None => seeds.push(format!("{schema}\n---\n{}\n", line["object"]).into_bytes()),
            }
        }
        seeds
    },
    words: &[
        "\"type\":\"object\"",
        "\"type\":\"array\"",
        "\"type\":\"integer\"",
        "\"type\":\"string\"",
        "\"properties\":{\"spec\":{",
        "\"additionalProperties\":{",
        "\"items\":{",
        "\"anyOf\":[{",
        "\"oneOf\":[{",
        "\"allOf\":[{",
        "\"not\":{",
        "\"required\":[\"a\"]",
        "\"default\":{}",
        "\"nullable\":true",
        "\"enum\":[1,\"a\",null]",
        "\"pattern\":\"^a*$\"",
        "\"format\":\"date-time\"",
        "\"format\":\"duration\"",
        "\"minimum\":1",
        "\"multipleOf\":0.1",
        "\"maxLength\":1",
        "\"x-kubernetes-int-or-string\":true",
        "\"x-kubernetes-preserve-unknown-fields\":true",
        "\"x-kubernetes-embedded-resource\":true",
        "\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":[\"a\"]",
        "\"x-kubernetes-validations\":[{\"rule\":\"self.a == self.b\"}]",
        "}}}",
        "null",
        "1e300",
        "9223372036854775808",
    ],
};

fn definition(schema: &Value) -> Option<Definition> {
    let object = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {"group": "example.com", "scope": "Namespaced", "names": {"kind": "Thing", "plural": "things"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema},
                "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.replicas"}}}]},
    });
    Definition::from_object(&Object::try_from(object).ok()?)
}
