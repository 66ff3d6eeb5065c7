//! Values against JSON schemas, with the words of Helm's validator.
//!
//! `cargo xtask vectors --only helm` records the answers of the program in `oracle`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "oracle/questions.rs"]
mod questions;

use questions::vectors;
use sluice_chart::check_schema;
use sluice_chart::values::{Json, from_json};

/// The lines of a report. Helm prints those of several properties in a random order.
fn sorted(report: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = report.trim_end().lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn reports_about_values_are_those_of_helm() {
    let (mut reports, mut wrong) = (0, Vec::new());
    for vector in vectors("schema") {
        let schema = vector["schema"].to_string();
        let values = from_json(vector["values"].as_object().unwrap().clone());
        let checked = check_schema(schema.as_bytes(), &Json::Object(values));
        let ours = match &checked {
            Ok(None) => "valid",
            Ok(Some(report)) => report,
            Err(reason) => reason,
        };
        let theirs = vector["error"].as_str().unwrap_or("valid");
        // A schema that follows its draft, but cannot be applied, is refused in other words.
        let is_report = theirs == "valid"
            || theirs.starts_with("- at ")
            || theirs.contains(" is not valid against metaschema: ");
        if sorted(ours) == sorted(theirs) || (!is_report && checked.is_err()) {
            reports += usize::from(theirs != "valid");
        } else {
            wrong.push(format!("{vector}\nours: {ours}"));
        }
    }
    let found = wrong.len();
    assert!(found == 0, "{found} differ:\n{}", wrong.join("\n"));
    assert!(reports >= 100, "{reports}");
}
