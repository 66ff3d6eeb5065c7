//! JSON schemas of our kinds, for checks of manifests without a cluster.
//!
//! `crd-schemas.tar.gz` has the names and the form of Flux's, so scripts for kubeconform or an
//! editor accept it: a file `KIND-GROUP-VERSION.json` for each version of each kind, and `all.json`
//! with all of them. The schemas reject unknown fields, which the API server would drop silently.

use std::collections::BTreeMap;

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use crate::tarball::{Tarball, gzip};

/// The file with all schemas.
const ALL: &str = "all.json";

/// Builds the archive.
pub(super) fn archive(epoch: u64) -> anyhow::Result<Vec<u8>> {
    let mut tar = Tarball::new(epoch);
    for (name, schema) in schemas()? {
        let mut text = serde_json::to_vec_pretty(&schema)?;
        text.push(b'\n');
        tar.file(&name, 0o644, &text)?;
    }
    gzip(&tar.finish()?)
}

/// Returns all schemas by file name.
fn schemas() -> anyhow::Result<BTreeMap<String, Value>> {
    let mut schemas = BTreeMap::new();
    for component in sluice_manifests::COMPONENTS {
        let text = sluice_api::crds(component.name).context("every component has definitions")?;
        for definition in sluice_yaml::v2::documents(text)? {
            of_definition(&definition, &mut schemas)?;
        }
    }
    let all = json!({
        "$schema": "http://json-schema.org/draft-04/schema#",
        "title": "Flux CRD JSON schemas",
        "oneOf": schemas.values().collect::<Vec<_>>(),
    });
    schemas.insert(ALL.to_owned(), all);
    Ok(schemas)
}

fn of_definition(definition: &Value, schemas: &mut BTreeMap<String, Value>) -> anyhow::Result<()> {
    let text = |pointer: &str| {
        let found = definition.pointer(pointer).and_then(Value::as_str);
        found.with_context(|| format!("a definition has no {pointer}"))
    };
    let (kind, group) = (text("/spec/names/kind")?, text("/spec/group")?);
    let versions = definition.pointer("/spec/versions");
    for version in versions.and_then(Value::as_array).into_iter().flatten() {
        let name = version["name"].as_str().context("a version has no name")?;
        let mut schema = version["schema"]["openAPIV3Schema"].clone();
        let fields = schema["properties"]
            .as_object_mut()
            .with_context(|| format!("{kind} {name} has no fields"))?;
        constant(fields, "apiVersion", &format!("{group}/{name}"));
        constant(fields, "kind", kind);
        fields.insert("metadata".to_owned(), metadata());
        let schema = strict(schema);
        let short = group.split('.').next().unwrap_or_default();
        let file = format!("{kind}-{short}-{name}.json").to_lowercase();
        schemas.insert(file, schema);
    }
    Ok(())
}

/// Restricts a field to one value.
fn constant(fields: &mut Map<String, Value>, name: &str, value: &str) {
    let field = fields
        .entry(name)
        .or_insert_with(|| json!({"type": "string"}));
    field["enum"] = json!([value]);
    field["default"] = json!(value);
}

/// Rejects undeclared fields, and converts int-or-string to JSON schema.
fn strict(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(strict).collect(),
        Value::Object(fields) if fields.get("x-kubernetes-int-or-string") == Some(&json!(true)) => {
            json!({"oneOf": [{"type": "string"}, {"type": "integer"}]})
        }
        Value::Object(mut fields) => {
            // A field may have this name; its value is then not a map of schemas.
            let declares = fields.get("properties").is_some_and(Value::is_object)
                && fields.get("type").is_some_and(Value::is_string);
            let is_open = fields.contains_key("additionalProperties")
                || fields.contains_key("x-kubernetes-preserve-unknown-fields");
            if declares && !is_open {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
            let fields = fields.into_iter();
            fields.map(|(name, value)| (name, strict(value))).collect()
        }
        other => other,
    }
}

/// Fields of every object.
fn metadata() -> Value {
    let text = || json!({"type": ["string", "null"]});
    let time = || json!({"type": ["string", "null"], "format": "date-time"});
    let number = || json!({"type": ["integer", "null"], "format": "int64"});
    let texts = || json!({"type": ["object", "null"], "additionalProperties": {"type": ["string", "null"]}});
    let object = |required: Value, fields: Value| json!({"type": "object", "required": required, "properties": fields});
    let owner = object(
        json!(["apiVersion", "kind", "name", "uid"]),
        json!({
            "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "name": {"type": "string"},
            "uid": {"type": "string"}, "controller": {"type": ["boolean", "null"]},
            "blockOwnerDeletion": {"type": ["boolean", "null"]},
        }),
    );
    let manager = object(
        json!([]),
        json!({
            "apiVersion": text(), "fieldsType": text(), "fieldsV1": {"type": ["object", "null"]},
            "manager": text(), "operation": text(), "subresource": text(), "time": time(),
        }),
    );
    object(
        json!([]),
        json!({
            "annotations": texts(), "creationTimestamp": time(),
            "deletionGracePeriodSeconds": number(), "deletionTimestamp": time(),
            "finalizers": {"type": ["array", "null"], "items": text()},
            "generateName": text(), "generation": number(), "labels": texts(),
            "managedFields": {"type": ["array", "null"], "items": manager},
            "name": text(), "namespace": text(),
            "ownerReferences": {"type": ["array", "null"], "items": owner},
            "resourceVersion": text(), "selfLink": text(), "uid": text(),
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_version_of_every_kind_has_a_schema() {
        let schemas = schemas().unwrap();
        let names: Vec<&str> = schemas.keys().map(String::as_str).collect();
        for name in [
            "all.json",
            "alert-notification-v1beta3.json",
            "gitrepository-source-v1.json",
            "helmrelease-helm-v2.json",
            "imagepolicy-image-v1.json",
            "kustomization-kustomize-v1.json",
            "receiver-notification-v1.json",
        ] {
            assert!(names.contains(&name), "{name} is not among {names:?}");
        }
        let all = schemas["all.json"]["oneOf"].as_array().unwrap();
        assert_eq!(all.len(), schemas.len() - 1);
    }

    #[test]
    fn undeclared_fields_are_rejected_at_every_depth() {
        let schemas = schemas().unwrap();
        let release = &schemas["helmrelease-helm-v2.json"];
        let at = |path: &str| &release.pointer(path).unwrap()["additionalProperties"];
        assert_eq!(at(""), false);
        assert_eq!(at("/properties/metadata"), false);
        assert_eq!(at("/properties/spec"), false);
        assert_eq!(
            at("/properties/spec/properties/chart/properties/spec"),
            false
        );
        assert_eq!(at("/properties/spec/properties/values"), &Value::Null);
        let labels = "/properties/metadata/properties/labels";
        assert_eq!(at(labels)["type"], json!(["string", "null"]));
        assert_eq!(
            release["properties"]["kind"]["enum"],
            json!(["HelmRelease"])
        );
        let version = &release["properties"]["apiVersion"]["enum"];
        assert_eq!(version, &json!(["helm.toolkit.fluxcd.io/v2"]));
    }

    #[test]
    fn int_or_string_becomes_two_types() {
        let field = json!({"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": true});
        let schema = strict(json!({"type": "object", "properties": {"port": field}}));
        let port = json!({"oneOf": [{"type": "string"}, {"type": "integer"}]});
        assert_eq!(
            schema,
            json!({"type": "object", "properties": {"port": port}, "additionalProperties": false})
        );
    }
}
