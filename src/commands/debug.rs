//! Implements `debug`: prints the data that a controller uses for an object.

pub mod helmrelease;
pub mod kustomization;

use serde_json::{Value, json};
use sluice_insight::fields::at;
use sluice_object::Object;
use sluice_yaml::v2;

group! {
    /// Show the status, the values or the history of a HelmRelease
    #[command(name = "helmrelease", alias = "hr")]
    HelmRelease(helmrelease),
    /// Show the status, the variables or the history of a Kustomization
    #[command(alias = "ks")]
    Kustomization(kustomization),
}

/// Returns the status below a comment with a link to its documentation.
fn status(object: &Object, documentation: &str) -> String {
    let status = object.get("status").cloned().unwrap_or(json!({}));
    let text = v2::to_string(&status);
    format!("# Status documentation: {documentation}\n{text}")
}

/// Returns the history below a comment with a link to its documentation. A missing history is an
/// empty list.
fn history(object: &Object, documentation: &str) -> String {
    let history = at(object, "/status/history")
        .filter(|history| !history.is_null())
        .cloned()
        .unwrap_or_else(|| Value::Array(Vec::new()));
    let text = v2::to_string(&history);
    format!("# History documentation: {documentation}\n{text}")
}
