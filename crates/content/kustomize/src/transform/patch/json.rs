//! Applies a JSON patch to a resource.
//!
//! The resource is converted to JSON and back. It loses comments, styles and the order of its
//! fields, and its numbers become floats.
//!
//! Parity: kustomize: `api/filters/patchjson6902` and the transformers that use it.

use sluice_object::json_patch::{Document, Patch};
use sluice_yaml::tree::Node;
use sluice_yaml::{json, v2};

use crate::error::{Code, Error};
use crate::growth::GrowthBudget;
use crate::resource::Resource;

/// Parses the operations of a patch: JSON if it begins with a bracket, else YAML.
pub(crate) fn parse(text: &str) -> Result<Patch, Error> {
    let invalid = |message: String| Error::new(Code::PatchInvalid, message);
    if text.is_empty() {
        return Err(invalid("empty json patch operations".to_owned()));
    }
    let operations = to_json(text)?;
    Patch::from_json(&operations).map_err(|error| invalid(error.to_string()))
}

/// Converts a patch to JSON.
pub(crate) fn to_json(text: &str) -> Result<String, Error> {
    if text.starts_with('[') {
        return Ok(text.to_owned());
    }
    v2::from_str(text)
        .map(|value| json::to_string(&value))
        .map_err(|error| Error::new(Code::PatchInvalid, error.to_string()))
}

/// Applies the operations to a resource. Operations can read the annotations with its
/// history, but changes to these have no effect.
pub(crate) fn apply(
    resource: &mut Resource,
    patch: &Patch,
    growth: &GrowthBudget,
) -> Result<(), Error> {
    let failed = |message: String| Error::new(Code::PatchFailed, message);
    resource.show_history();
    let before = resource.node().size();
    let value = resource
        .node()
        .to_value()
        .map_err(|error| failed(error.to_string()))?;
    let mut document = Document::from_value(&value);
    patch
        .apply(&mut document)
        .map_err(|error| failed(error.to_string()))?;
    if matches!(document, Document::Array(_)) {
        let message = "json: cannot unmarshal array into Go value of type map[string]interface {}";
        return Err(failed(message.to_owned()));
    }
    let value = document
        .into_value()
        .map_err(|error| failed(error.to_string()))?;
    let patched = Node::from_value(&value);
    growth.add_beyond(before, &patched)?;
    *resource.node_mut() = patched;
    // Rewriting converts each value to a string.
    let annotations = resource.annotations();
    resource.set_annotations(&annotations);
    resource.strip_history();
    Ok(())
}
