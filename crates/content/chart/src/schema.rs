//! Checks values against the `values.schema.json` of charts: JSON Schema, drafts 4 to 2020-12.
//!
//! The messages are those of Helm's validator, as users search for them. A schema is evaluated
//! as it is, within limits on steps and nesting. A render reads no files and no network. So a
//! schema that refers to a document of a web server is not applied, with a warning. A reference to
//! another file is an error.

mod document;
mod format;
mod message;
mod meta;
mod validate;

use crate::chart::Chart;
use crate::error::Error;
use crate::values::{Json, Values};
use document::Document;
use validate::{MAX_STEPS, Validator};

/// Characters of a reference that a warning shows.
const SHOWN_CHARACTERS: usize = 200;

/// Why a schema cannot be applied.
enum Fault {
    /// It refers to a document of a web server.
    Web(String),
    Invalid(String),
}

impl From<String> for Fault {
    fn from(reason: String) -> Self {
        Self::Invalid(reason)
    }
}

/// Checks the values of a chart, and the sections of its dependencies.
pub(crate) fn check(chart: &Chart, values: &Values) -> Result<(), Error> {
    let mut report = String::new();
    let mut steps = MAX_STEPS;
    collect(chart, values, &mut steps, &mut report);
    if report.is_empty() {
        return Ok(());
    }
    Err(Error::Values(format!(
        "values don't meet the specifications of the schema(s) in the following chart(s):\n{report}"
    )))
}

/// Checks a chart and its dependencies with a common number of steps.
fn collect(chart: &Chart, values: &Values, steps: &mut u32, report: &mut String) {
    if let Some(schema) = &chart.schema
        && let Err(reason) = check_one(chart.name(), schema, values, steps)
    {
        report.push_str(chart.name());
        report.push_str(":\n");
        report.push_str(&reason);
    }
    for dependency in &chart.dependencies {
        if let Some(Json::Object(section)) = values.get(dependency.name()) {
            collect(dependency, section, steps, report);
        }
    }
}

fn check_one(name: &str, schema: &[u8], values: &Values, steps: &mut u32) -> Result<(), String> {
    match problem(schema, &Json::Object(values.clone()), steps) {
        Err(Fault::Invalid(reason)) => Err(format!("{reason}\n")),
        Err(Fault::Web(reference)) => {
            tracing::warn!(
                "values of chart {name} are not checked: its schema refers to {reference:?}, \
                 which is not fetched"
            );
            Ok(())
        }
        Ok(None) => Ok(()),
        Ok(Some(report)) => Err(report),
    }
}

/// Checks a value against a schema. Returns the report about an invalid value; the error says why
/// the schema cannot be applied.
pub fn check_schema(schema: &[u8], value: &Json) -> Result<Option<String>, String> {
    problem(schema, value, &mut { MAX_STEPS }).map_err(|fault| match fault {
        Fault::Web(reference) => {
            format!("the schema refers to {reference:?}, which is not fetched")
        }
        Fault::Invalid(reason) => reason,
    })
}

fn problem(schema: &[u8], value: &Json, steps: &mut u32) -> Result<Option<String>, Fault> {
    let parsed = sluice_yaml::json::from_slice(schema).map_err(|error| error.to_string())?;
    let document = Document::new(&parsed);
    if let Some(reference) = document.web_reference() {
        return Err(Fault::Web(
            reference.chars().take(SHOWN_CHARACTERS).collect(),
        ));
    }
    meta::check(&document)?;
    let mut validator = Validator::new(&document, *steps);
    let checked = validator.validate_root(value);
    *steps = validator.steps_left();
    Ok(checked?.map(|problem| message::report(&problem)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::check_schema;

    /// Whether a value is valid, for a schema without faults.
    fn is_valid(schema: &serde_json::Value, value: &serde_json::Value) -> bool {
        let report = check_schema(schema.to_string().as_bytes(), value);
        report.unwrap().is_none()
    }

    /// Each schema takes a text and no number. The forms are those of the test suite of JSON
    /// Schema.
    #[test]
    fn references_are_resolved_against_identifiers() {
        let text = json!({"type": "string"});
        for schema in [
            json!({"$id": "http://example.com/a/root.json", "$ref": "b/text.json",
                "$defs": {"b": {"$id": "b/text.json", "type": "string"}}}),
            json!({"$id": "http://example.com/root.json", "$ref": "nested/#text",
                "$defs": {"nested": {"$id": "nested/", "$defs": {"text": {"$anchor": "text",
                    "type": "string"}}}}}),
            json!({"$id": "urn:example:root", "$ref": "#/$defs/a%25b",
                "$defs": {"a%b": text}}),
            json!({"$ref": "#/$defs/list/prefixItems/0",
                "$defs": {"list": {"$id": "list.json", "prefixItems": [{"$ref": "#/$defs/text"}],
                    "$defs": {"text": text}}, "text": {"type": "number"}}}),
            // An identifier in a value is a value.
            json!({"$defs": {"value": {"const": {"$id": "text.json", "type": "number"}},
                "text": {"$id": "text.json", "type": "string"}}, "$ref": "text.json"}),
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#text",
                "definitions": {"text": {"$id": "#text", "type": "string"}}}),
            json!({"$schema": "http://json-schema.org/draft-04/schema#", "$ref": "text.json",
                "definitions": {"text": {"id": "text.json", "type": "string"}}}),
        ] {
            assert!(is_valid(&schema, &json!("a")), "{schema}");
            assert!(!is_valid(&schema, &json!(1)), "{schema}");
        }
    }

    /// The outermost schema decides about the items of the list.
    #[test]
    fn dynamic_references_lead_to_the_outermost_anchor() {
        let list = json!({"$id": "list.json", "type": "array",
            "items": {"$dynamicRef": "#item"}, "$defs": {"item": {"$dynamicAnchor": "item"}}});
        let strict = json!({"$id": "http://example.com/texts.json", "$ref": "list.json",
            "$defs": {"item": {"$dynamicAnchor": "item", "type": "string"}, "list": list}});
        assert!(is_valid(&strict, &json!(["a"])));
        assert!(!is_valid(&strict, &json!([1])));
        assert!(is_valid(&list, &json!([1])));

        let draft = "https://json-schema.org/draft/2019-09/schema";
        let tree = json!({"$id": "tree.json", "$recursiveAnchor": true, "type": "object",
            "additionalProperties": {"$recursiveRef": "#"}});
        let closed = json!({"$schema": draft, "$id": "http://example.com/closed.json",
            "$recursiveAnchor": true, "$ref": "tree.json", "maxProperties": 1,
            "$defs": {"tree": tree}});
        assert!(is_valid(&closed, &json!({"a": {"b": {}}})));
        assert!(!is_valid(&closed, &json!({"a": {"b": {}, "c": {}}})));
    }
}
