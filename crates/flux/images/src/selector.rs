//! The selector of the policies of an automation.

use std::fmt::Write as _;

use sluice_api::meta::LabelSelector;
use sluice_object::selector::Selector;

/// Converts a label selector. The error is the text of Kubernetes.
pub fn policy_selector(selector: Option<&LabelSelector>) -> Result<Selector, String> {
    let mut text = String::new();
    let Some(selector) = selector else {
        return Ok(Selector::default());
    };
    for (key, value) in &selector.match_labels {
        let _ = write!(text, "{key}={value},");
    }
    for requirement in &selector.match_expressions {
        let key = &requirement.key;
        let values = requirement.values.join(",");
        let is_empty = requirement.values.is_empty();
        let _ = match requirement.operator.as_str() {
            "In" if !is_empty => write!(text, "{key} in ({values}),"),
            "NotIn" if !is_empty => write!(text, "{key} notin ({values}),"),
            "In" | "NotIn" => {
                let why = "values: Invalid value: []: for 'in', 'notin' operators, values set can't \
                           be empty";
                return Err(why.to_owned());
            }
            "Exists" if is_empty => write!(text, "{key},"),
            "DoesNotExist" if is_empty => write!(text, "!{key},"),
            "Exists" | "DoesNotExist" => {
                return Err(
                    "values: Invalid value: values set must be empty for exists and does not exist"
                        .to_owned(),
                );
            }
            other => {
                return Err(format!(
                    "\"{other}\" is not a valid label selector operator"
                ));
            }
        };
    }
    Selector::parse(text.trim_end_matches(',')).map_err(|error| error.to_string())
}
