//! `debug`: the controller's view of an object, to find out why it fails.

pub mod helmrelease;
pub mod kustomization;

use serde_json::{Value, json};
use sluice_insight::fields::at;
use sluice_object::Object;
use sluice_yaml::v2;

group! {
    /// Print the status, the values or the history of a HelmRelease
    #[command(name = "helmrelease", alias = "hr")]
    HelmRelease(helmrelease),
    /// Print the status, the variables or the history of a Kustomization
    #[command(alias = "ks")]
    Kustomization(kustomization),
}

/// The status, below a comment that says where it is explained.
fn status(object: &Object, documentation: &str) -> String {
    let status = object.get("status").cloned().unwrap_or(json!({}));
    let text = v2::to_string(&status);
    format!("# Status documentation: {documentation}\n{text}")
}

/// The history, below a comment that says where it is explained; a list also where there is none.
fn history(object: &Object, documentation: &str) -> String {
    let history = at(object, "/status/history")
        .filter(|history| !history.is_null())
        .cloned()
        .unwrap_or_else(|| Value::Array(Vec::new()));
    let text = v2::to_string(&history);
    format!("# History documentation: {documentation}\n{text}")
}
