//! Checks the type and metadata of an object, which every kind has.
//!
//! Of owner references only the shape is checked.

use std::sync::LazyLock;

use sluice_object::{Object, Value, names};

use super::field_error::FieldError;
use super::node::Node;
use super::{Budget, BudgetExceeded};

/// The metadata fields as the server declares them.
const SCHEMA: &str = r#"{
  "apiVersion": {"type": "string"},
  "kind": {"type": "string"},
  "metadata": {"type": "object", "properties": {
    "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
    "creationTimestamp": {"type": "string", "format": "date-time"},
    "deletionGracePeriodSeconds": {"type": "integer"},
    "deletionTimestamp": {"type": "string", "format": "date-time"},
    "finalizers": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
    "generateName": {"type": "string"},
    "generation": {"type": "integer"},
    "labels": {"type": "object", "additionalProperties": {"type": "string"}},
    "managedFields": {"type": "array", "items": {"type": "object"}},
    "name": {"type": "string"},
    "namespace": {"type": "string"},
    "ownerReferences": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["uid"],
      "items": {"type": "object", "properties": {
        "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "name": {"type": "string"}, "uid": {"type": "string"},
        "blockOwnerDeletion": {"type": "boolean"}, "controller": {"type": "boolean"}}}},
    "resourceVersion": {"type": "string"},
    "selfLink": {"type": "string"},
    "uid": {"type": "string"}}}}"#;

static FIELDS: LazyLock<Node> = LazyLock::new(|| {
    let schema = format!(r#"{{"properties": {SCHEMA}}}"#);
    let schema = serde_json::from_str(&schema).expect("the schema is JSON");
    Node::read(&schema).expect("the schema is valid")
});

const KIND: &str = "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/// Maximum total size of annotations with their keys.
const MAX_ANNOTATION_BYTES: i64 = 256 << 10;

/// The schema of a field that every object has.
pub(super) fn schema_of(name: &str) -> Option<&'static Node> {
    FIELDS.properties.get(name)
}

/// Checks the metadata of an object.
pub(super) fn check(object: &Object) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let name = object.name();
    let length = names::MAX_SUBDOMAIN_BYTES;
    // The server counts bytes here too, although its message says characters.
    let is_long = name.len() > length;
    let long = is_long.then(|| format!("must be no more than {length} characters"));
    let wrong = (!names::is_subdomain(name)).then(|| names::SUBDOMAIN_RULE.to_owned());
    for message in long.into_iter().chain(wrong) {
        errors.push(FieldError::invalid("metadata.name", &name.into(), message));
    }
    if let Some(metadata) = object.get("metadata") {
        errors.extend(check_maps(metadata, "metadata"));
    }
    errors
}

/// Checks labels, annotations and finalizers.
fn check_maps(metadata: &Value, path: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let mut add = |field: &str, value: &str, messages: Vec<String>| {
        for message in messages {
            let path = format!("{path}.{field}");
            errors.push(FieldError::invalid(&path, &value.into(), message));
        }
    };
    let entries = |field: &str| {
        let entries = metadata.get(field).and_then(Value::as_object);
        entries.into_iter().flatten()
    };
    for (key, value) in entries("labels") {
        add("labels", key, names::label_key_faults(key));
        let value = value.as_str().unwrap_or_default();
        add("labels", value, names::label_value_faults(value));
    }
    for (key, _) in entries("annotations") {
        add(
            "annotations",
            key,
            names::label_key_faults(&key.to_lowercase()),
        );
    }
    let finalizers = metadata.get("finalizers").and_then(Value::as_array);
    for finalizer in finalizers.into_iter().flatten() {
        let finalizer = finalizer.as_str().unwrap_or_default();
        add("finalizers", finalizer, names::label_key_faults(finalizer));
    }
    let sizes = entries("annotations");
    let sizes = sizes.map(|(key, value)| key.len() + value.as_str().map_or(0, str::len));
    let size = sizes.fold(0_i64, |sum, size| sum.saturating_add_unsigned(size as u64));
    if size > MAX_ANNOTATION_BYTES {
        let path = format!("{path}.annotations");
        errors.push(FieldError::too_long(&path, MAX_ANNOTATION_BYTES));
    }
    errors
}

/// Checks embedded objects.
pub(super) fn check_embedded(
    node: &Node,
    value: &Value,
    budget: &mut Budget,
) -> Result<Vec<FieldError>, BudgetExceeded> {
    let mut errors = Vec::new();
    walk(node, value, "", budget, &mut errors)?;
    Ok(errors)
}

fn walk(
    node: &Node,
    value: &Value,
    path: &str,
    budget: &mut Budget,
    errors: &mut Vec<FieldError>,
) -> Result<(), BudgetExceeded> {
    budget.charge(5 + path.len())?;
    match value {
        Value::Object(fields) => {
            if node.is_embedded {
                let found = embedded(value, path);
                budget.charge(1000 * found.len())?;
                errors.extend(found);
            }
            for (name, value) in fields {
                let (below, path) = match node.properties.get(name) {
                    Some(below) => (below, child(path, name)),
                    None => match node.field(name) {
                        Some(below) => (below, format!("{path}[{name}]")),
                        None => continue,
                    },
                };
                walk(below, value, &path, budget, errors)?;
            }
        }
        Value::Array(items) => {
            let Some(below) = &node.items else {
                return Ok(());
            };
            for (index, item) in items.iter().enumerate() {
                walk(below, item, &format!("{path}[{index}]"), budget, errors)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// The path of a field.
pub(super) fn child(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

fn embedded(value: &Value, path: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    for name in ["apiVersion", "kind"] {
        let path = child(path, name);
        let Some(value) = value.get(name) else {
            errors.push(FieldError::required(&path, ""));
            continue;
        };
        match value.as_str() {
            None => errors.push(FieldError::invalid(&path, value, "must be a string")),
            Some("") => errors.push(FieldError::invalid(&path, value, "must not be empty")),
            Some(text) if name == "apiVersion" && text.matches('/').count() > 1 => {
                let message = format!("unexpected GroupVersion string: {text}");
                errors.push(FieldError::invalid(&path, value, message));
            }
            Some(text) if name == "kind" && !is_kind(&text.to_lowercase()) => {
                errors.push(FieldError::invalid(&path, value, KIND));
            }
            Some(_) => {}
        }
    }
    if let Some(metadata) = value.get("metadata") {
        let path = child(path, "metadata");
        if let Some(name) = metadata.get("name").and_then(Value::as_str) {
            for message in segment(name) {
                let path = child(&path, "name");
                errors.push(FieldError::invalid(&path, &name.into(), message));
            }
        }
        errors.extend(check_maps(metadata, &path));
    }
    errors
}

/// A name must be a valid path segment.
fn segment(name: &str) -> Vec<String> {
    if matches!(name, "." | "..") {
        return vec![format!("may not be '{name}'")];
    }
    let signs = ["/", "%"].into_iter().filter(|sign| name.contains(sign));
    signs
        .map(|sign| format!("may not contain '{sign}'"))
        .collect()
}

fn is_kind(text: &str) -> bool {
    let is_inner = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_lowercase)
        && bytes.last().is_some_and(is_inner)
        && bytes.iter().all(|byte| is_inner(byte) || *byte == b'-')
        && text.len() <= names::MAX_NAME_BYTES
}
