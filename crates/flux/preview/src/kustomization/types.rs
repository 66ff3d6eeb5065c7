//! Gives the fields of a Kustomization from a file their declared types. Pure.
//!
//! The API server checks a Kustomization of the cluster, but nothing checks a file. A number or a
//! boolean becomes text where text is declared, as in Flux. Any other type is an error. Undeclared
//! fields are ignored, as in Flux.

use serde_json::{Map, Value};
use sluice_api::crds::crds;
use sluice_api::meta::duration::INTERVAL_PATTERN;
use sluice_golang::{duration, number};
use sluice_object::Object;
use sluice_yaml::v2;

use crate::Error;

/// Gives the fields of `spec` their declared types.
pub fn declare_types(kustomization: &mut Object) -> Result<(), Error> {
    let definition = crds("kustomize-controller").unwrap_or_default();
    let definition =
        v2::from_str(definition).map_err(|error| Error::internal(error.to_string()))?;
    let root = &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    match kustomization.as_map_mut().get_mut("spec") {
        Some(spec) => convert(&root["properties"]["spec"], spec, "spec"),
        None => Ok(()),
    }
}

fn convert(schema: &Value, value: &mut Value, path: &str) -> Result<(), Error> {
    let declared = schema["type"].as_str().unwrap_or_default();
    let is_duration = schema["pattern"] == INTERVAL_PATTERN;
    match (declared, &mut *value) {
        ("string", Value::String(text)) if is_duration => {
            duration::parse(text).map_err(|error| {
                Error::user(format!("{path}: {error}"))
                    .hint("write a duration with units, such as 30s, 5m or 1h30m")
            })?;
        }
        ("", _)
        | (_, Value::Null)
        | ("boolean", Value::Bool(_))
        | ("integer", Value::Number(_))
        | ("string", Value::String(_)) => {}
        ("string", Value::Bool(flag)) if !is_duration => *value = flag.to_string().into(),
        ("string", Value::Number(number)) if !is_duration => {
            *value = match number.as_f64() {
                Some(float) if number.is_f64() => number::format_g(float).into(),
                _ => number.to_string().into(),
            };
        }
        ("array", Value::Array(items)) => {
            for (index, item) in items.iter_mut().enumerate() {
                convert(&schema["items"], item, &format!("{path}[{index}]"))?;
            }
        }
        ("object", Value::Object(fields)) => convert_fields(schema, fields, path)?,
        (declared, found) => {
            let [expected, found] = [declared, type_of(found)].map(display);
            let error = Error::user(format!("{path}: {expected} is expected, not {found}"));
            return Err(match declared {
                "boolean" => error.hint("write true or false, without quotes"),
                _ => error,
            });
        }
    }
    Ok(())
}

fn convert_fields(
    schema: &Value,
    fields: &mut Map<String, Value>,
    path: &str,
) -> Result<(), Error> {
    let others = schema.get("additionalProperties");
    for (name, value) in fields {
        if let Some(schema) = schema["properties"].get(name).or(others) {
            convert(schema, value, &format!("{path}.{name}"))?;
        }
    }
    Ok(())
}

/// Returns the type of a value, as a schema calls it.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Returns the word for a type in messages.
fn display(name: &str) -> String {
    let word = match name {
        "boolean" => "a boolean",
        "string" => "text",
        "array" => "a list",
        "object" => "a map",
        "number" | "integer" => "a number",
        other => other,
    };
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(spec: &str) -> Result<Value, Error> {
        let spec = v2::from_str(spec).unwrap();
        let mut object = Object::from_map(Map::from_iter([("spec".to_owned(), spec)]));
        declare_types(&mut object)?;
        Ok(object.get("spec").cloned().unwrap())
    }

    /// `flux build kustomization` v2.9.4 refuses the same fields, with Go's words.
    #[test]
    fn wrong_type_names_the_field() {
        for (spec, expected) in [
            ("[]", "spec: a map is expected, not a list"),
            (
                "{prune: 'x'}",
                "spec.prune: a boolean is expected, not text",
            ),
            (
                "{prune: 1}",
                "spec.prune: a boolean is expected, not a number",
            ),
            ("{path: [a]}", "spec.path: text is expected, not a list"),
            (
                "{interval: 5}",
                "spec.interval: text is expected, not a number",
            ),
            (
                "{interval: x}",
                "spec.interval: time: invalid duration \"x\"",
            ),
            (
                "{dependsOn: {}}",
                "spec.dependsOn: a list is expected, not a map",
            ),
            (
                "{dependsOn: [a]}",
                "spec.dependsOn[0]: a map is expected, not text",
            ),
            (
                "{postBuild: {substitute: [a]}}",
                "spec.postBuild.substitute: a map is expected, not a list",
            ),
            (
                "{healthChecks: [{kind: []}]}",
                "spec.healthChecks[0].kind: text is expected, not a list",
            ),
        ] {
            assert_eq!(declared(spec).unwrap_err().message(), expected, "{spec}");
        }
        let hinted = declared("{wait: 'true'}").unwrap_err();
        assert_eq!(hinted.hints, ["write true or false, without quotes"]);
    }

    /// The texts are those that `flux build kustomization` v2.9.4 builds with.
    #[test]
    fn scalar_becomes_text_where_declared() {
        let spec = "{prune: null, undeclared: 1, namePrefix: 1, targetNamespace: yes, interval: 5m, \
                    images: [{name: a, newTag: 1.50}], components: [1], \
                    commonMetadata: {labels: {a: 1, b: 1.0, c: true, d: 1e30}}}";
        let expected = "{prune: null, undeclared: 1, namePrefix: '1', targetNamespace: 'true', \
                        interval: 5m, images: [{name: a, newTag: '1.5'}], components: ['1'], \
                        commonMetadata: {labels: {a: '1', b: '1', c: 'true', d: 1e+30}}}";
        let mut expected = v2::from_str(expected).unwrap();
        expected["commonMetadata"]["labels"]["d"] = "1e+30".into();
        assert_eq!(declared(spec).unwrap(), expected);
    }
}
