//! Labels and annotations of `spec.commonMetadata`.

use serde_json::Value;
use sluice_api::meta::CommonMetadata;
use sluice_object::Object;

/// Sets the common labels and annotations; they win over those of the object.
pub fn set_common_metadata(object: &mut Object, common: &CommonMetadata) {
    for (key, value) in &common.labels {
        object.set_label(key, value);
    }
    for (key, value) in &common.annotations {
        object.set_annotation(key, value);
    }
}

/// Reads the field from an untyped spec and ignores values that are not text.
pub fn parse_common_metadata(spec: &Value) -> CommonMetadata {
    let entries = |field: &str| {
        let map = spec
            .get("commonMetadata")
            .and_then(|common| common.get(field))
            .and_then(Value::as_object);
        map.into_iter()
            .flatten()
            .filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
            .collect()
    };
    CommonMetadata {
        annotations: entries("annotations"),
        labels: entries("labels"),
    }
}
