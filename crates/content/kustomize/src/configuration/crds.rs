//! Reads `crds`: OpenAPI definitions whose extensions mark fields that hold names,
//! labels and annotations.
//!
//! Upstream visits definitions and properties in Go's random order. This reader visits
//! them in the order of their names.

use std::collections::BTreeMap;

use serde::Deserialize;
use sluice_yaml::{Map, Value, json, v2};

use super::merge_fields;
use crate::configuration::{FieldSpec, NameReference, TransformerConfig};
use crate::error::{Code, Error};
use crate::id::GvkPattern;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Definition {
    #[serde(alias = "schema")]
    #[serde(rename = "Schema")]
    schema: Schema,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Schema {
    properties: BTreeMap<String, Map<String, Value>>,
}

/// Reads the fields that the types of a file mark.
pub(crate) fn read(contents: &[u8], path: &str) -> Result<TransformerConfig, Error> {
    let invalid = |message: String| {
        let context = format!("unable to parse open API definition from '{path}'");
        Error::new(Code::ConfigurationInvalid, message).with_context(context)
    };
    let (value, context) = if contents.first() == Some(&b'{') {
        let read = json::from_slice(contents).map_err(|error| invalid(error.to_string()))?;
        (read, "")
    } else {
        let read = v2::from_slice(contents).map_err(|error| invalid(error.to_string()))?;
        (read, "error unmarshaling JSON: while decoding JSON: ")
    };
    if let Some(kind) = value.as_object().and_then(other_than_definitions) {
        return Err(invalid(format!(
            "{context}json: cannot unmarshal {kind} into Go value of type accumulator.OpenAPIDefinition"
        )));
    }
    let definitions: Option<BTreeMap<String, Definition>> =
        serde_json::from_value(value).map_err(|error| invalid(format!("{context}{error}")))?;
    let definitions = definitions.unwrap_or_default();
    let mut config = TransformerConfig::default();
    for (name, definition) in &definitions {
        let properties = &definition.schema.properties;
        if ["kind", "apiVersion", "metadata"]
            .iter()
            .all(|field| properties.contains_key(*field))
        {
            let kind = name.rsplit('.').next().unwrap_or_default();
            let mut walk = Walk {
                definitions: &definitions,
                gvk: GvkPattern::new("", "", kind),
                config: &mut config,
                names: Vec::new(),
                path: Vec::new(),
            };
            walk.visit(name)?;
        }
    }
    Ok(config)
}

/// Returns Go's name for the JSON type of the first entry that is not a definition.
fn other_than_definitions(entries: &Map<String, Value>) -> Option<&'static str> {
    entries.values().find_map(|entry| match entry {
        Value::Object(_) | Value::Null => None,
        Value::Bool(_) => Some("bool"),
        Value::Number(_) => Some("number"),
        Value::String(_) => Some("string"),
        Value::Array(_) => Some("array"),
    })
}

struct Walk<'a> {
    definitions: &'a BTreeMap<String, Definition>,
    gvk: GvkPattern,
    config: &'a mut TransformerConfig,
    /// The definitions on the path, to detect a cycle.
    names: Vec<&'a str>,
    path: Vec<&'a str>,
}

impl<'a> Walk<'a> {
    fn visit(&mut self, name: &'a str) -> Result<(), Error> {
        let Some((name, definition)) = self.definitions.get_key_value(name) else {
            return Ok(());
        };
        if self.names.contains(&name.as_str()) {
            let way = self.path.join("/");
            let message = format!("the type '{name}' contains itself at '{way}'");
            return Err(Error::new(Code::Cycle, message));
        }
        self.names.push(name);
        for (property, schema) in &definition.schema.properties {
            let text = |extension: &str| schema.get(extension).and_then(Value::as_str);
            self.path.push(property);
            let field = |path: String| FieldSpec {
                gvk: self.gvk.clone(),
                path: path.into(),
                create: false,
            };
            let here = field(self.path.join("/"));
            if text("x-kubernetes-annotation").is_some() {
                merge_fields(&mut self.config.common_annotations, [&here])?;
            }
            if text("x-kubernetes-label-selector").is_some() {
                merge_fields(&mut self.config.common_labels, [&here])?;
            }
            if text("x-kubernetes-identity").is_some() {
                merge_fields(&mut self.config.name_prefix, [&here])?;
            }
            if let Some(version) = text("x-kubernetes-object-ref-api-version")
                && let Some(kind) = text("x-kubernetes-object-ref-kind")
            {
                let key = text("x-kubernetes-object-ref-name-key").unwrap_or("name");
                let reference = NameReference {
                    gvk: GvkPattern::new("", version, kind),
                    referrers: vec![field(format!("{}/{key}", here.path))],
                };
                super::merge_references(&mut self.config.name_reference, &[reference])?;
            }
            if let Some(target) = text("$ref") {
                self.visit(target)?;
            }
            self.path.pop();
        }
        self.names.pop();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::error::Code;

    const TYPE: &str = r#"{"Schema": {"properties": {
        "apiVersion": {}, "kind": {}, "metadata": {},
        "spec": {"$ref": "x.Spec"}}}}"#;

    #[test]
    fn extensions_mark_fields_that_hold_names() {
        let text = format!(
            r#"{{"x.Bee": {TYPE}, "x.Spec": {{"Schema": {{"properties": {{
                "secret": {{"x-kubernetes-object-ref-api-version": "v1", "x-kubernetes-object-ref-kind": "Secret"}},
                "labels": {{"x-kubernetes-label-selector": ""}}}}}}}}}}"#
        );
        let config = read(text.as_bytes(), "crd.json").unwrap();
        let [reference] = config.name_reference.as_slice() else {
            panic!("{config:?}");
        };
        assert_eq!(reference.gvk.to_string(), "Secret.v1.[noGrp]");
        assert_eq!(&*reference.referrers[0].path, "spec/secret/name");
        assert_eq!(&*config.common_labels[0].path, "spec/labels");
        assert_eq!(&*config.common_labels[0].gvk.kind, "Bee");
    }

    #[test]
    fn type_that_contains_itself_is_rejected() {
        let text = format!(
            r#"{{"x.Bee": {TYPE}, "x.Spec": {{"Schema": {{"properties": {{"again": {{"$ref": "x.Spec"}}}}}}}}}}"#
        );
        assert_eq!(
            read(text.as_bytes(), "crd.json").unwrap_err().code(),
            Code::Cycle
        );
    }
}
