//! Checks values against the `values.schema.json` of charts: JSON Schema, drafts 4 to 2020-12.
//!
//! The messages are those of Helm's validator, as users search for them. A schema is evaluated
//! as it is, within limits on steps and nesting. A reference to another document is refused: a
//! render reads no files and no network.

mod document;
mod format;
mod message;
mod validate;

use crate::chart::Chart;
use crate::error::Error;
use crate::values::{Json, Values};
use document::Document;
use validate::Validator;

/// Checks the values of a chart, and the sections of its dependencies.
pub(crate) fn check(chart: &Chart, values: &Values) -> Result<(), Error> {
    let mut report = String::new();
    let mut steps = validate::MAX_STEPS;
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
        && let Err(reason) = check_one(schema, values, steps)
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

fn check_one(schema: &[u8], values: &Values, steps: &mut u32) -> Result<(), String> {
    let parsed = sluice_yaml::json::from_slice(schema).map_err(|error| error.to_string())?;
    let document = Document::new(&parsed);
    let mut validator = Validator::new(&document, *steps);
    let values = Json::Object(values.clone());
    let checked = validator.validate_root(&values);
    *steps = validator.steps_left();
    match checked.map_err(|reason| format!("{reason}\n"))? {
        None => Ok(()),
        Some(problem) => Err(message::report(&problem)),
    }
}
