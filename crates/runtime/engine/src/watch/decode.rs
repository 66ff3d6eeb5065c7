//! Decodes one object of a watch.
//!
//! A malformed object must not stop the watch for all others: CVE-2022-39272 was a duration that
//! stopped every controller.

use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::Deserialize;
use serde_json::Value;

use super::store::Entry;
use crate::key::ObjectKey;
use crate::kind::Watchable;

/// Never read from a stored object, and often its largest part.
pub(crate) const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Decodes an object, or returns its metadata and the error of the other fields.
///
/// Fails if not even the metadata can be decoded.
pub(crate) fn decode<K: Watchable>(
    mut value: Value,
) -> Result<(ObjectKey, Entry<K>), serde_json::Error> {
    strip(&mut value);
    // By reference: the metadata is still needed after a failure.
    match K::deserialize(&value) {
        Ok(object) => {
            let key = ObjectKey::of_meta(object.meta());
            Ok((key, Entry::Object(Arc::new(object))))
        }
        Err(error) => {
            let metadata = metadata(&value)?;
            let entry = Entry::Undecodable {
                error: Arc::from(error.to_string()),
                generation: metadata.generation,
            };
            Ok((ObjectKey::of_meta(&metadata), entry))
        }
    }
}

/// The key of an object.
pub(crate) fn key_of(value: &Value) -> Result<ObjectKey, serde_json::Error> {
    Ok(ObjectKey::of_meta(&metadata(value)?))
}

fn metadata(value: &Value) -> Result<ObjectMeta, serde_json::Error> {
    let metadata = value.get("metadata").map(ObjectMeta::deserialize);
    Ok(metadata.transpose()?.unwrap_or_default())
}

/// Drops the parts that controllers do not read.
fn strip(value: &mut Value) {
    if let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("managedFields");
        if let Some(annotations) = metadata
            .get_mut("annotations")
            .and_then(Value::as_object_mut)
        {
            annotations.remove(LAST_APPLIED);
        }
    }
}

/// Does the same for an object that a watch did not deliver.
pub(crate) fn strip_metadata(metadata: &mut ObjectMeta) {
    metadata.managed_fields = None;
    if let Some(annotations) = &mut metadata.annotations {
        annotations.remove(LAST_APPLIED);
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;
    use serde_json::json;

    use super::*;

    #[test]
    fn malformed_object_keeps_its_name() {
        let value = json!({ "metadata": { "name": "bad", "namespace": "apps", "generation": 4 }, "data": "no map" });
        assert_eq!(key_of(&value).unwrap(), ObjectKey::new("apps", "bad"));
        let (key, entry) = decode::<ConfigMap>(value).unwrap();
        assert_eq!(key, ObjectKey::new("apps", "bad"));
        assert!(matches!(
            entry,
            Entry::Undecodable {
                generation: Some(4),
                ..
            }
        ));
    }

    #[test]
    fn unread_metadata_is_dropped() {
        let value = json!({ "metadata": {
            "name": "good",
            "managedFields": [{ "manager": "kubectl" }],
            "annotations": { LAST_APPLIED: "{}", "kept": "yes" },
        } });
        let (_, entry) = decode::<ConfigMap>(value).unwrap();
        let Entry::Object(object) = entry else {
            panic!("the object is well-formed");
        };
        assert_eq!(object.metadata.managed_fields, None);
        let annotations = object.metadata.annotations.as_ref().unwrap();
        assert_eq!(annotations.keys().collect::<Vec<_>>(), ["kept"]);
    }
}
