//! An object, or why it is none: what keeps one malformed object from stopping a
//! watch for all others (CVE-2022-39272 was a duration that killed every controller).

use std::borrow::Cow;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Never read from a stored object and often its largest part.
pub(crate) const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// A `K`, or its metadata and what is wrong with the rest.
///
/// `kube::core::DeserializeGuard` does the same but would ask for whole objects
/// where metadata is enough, and copies each object to try twice.
#[derive(Debug, Clone)]
pub(crate) struct Guarded<K> {
    pub(crate) object: Result<K, Malformed>,
}

/// An object that is not of its kind's shape.
#[derive(Debug, Clone)]
pub(crate) struct Malformed {
    pub(crate) error: String,
    pub(crate) metadata: ObjectMeta,
}

impl<'de, K: DeserializeOwned> Deserialize<'de> for Guarded<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut value = Value::deserialize(deserializer)?;
        slim(&mut value);
        // By reference: after a failure the metadata is still there to be read.
        let object = match K::deserialize(&value) {
            Ok(object) => Ok(object),
            Err(error) => {
                let metadata = value
                    .get("metadata")
                    .map(ObjectMeta::deserialize)
                    .transpose();
                let metadata = metadata.map_err(D::Error::custom)?.unwrap_or_default();
                Err(Malformed {
                    error: error.to_string(),
                    metadata,
                })
            }
        };
        Ok(Self { object })
    }
}

/// Drops what no controller reads, before anything of it is stored.
fn slim(value: &mut Value) {
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

/// The same for an object that came another way.
pub(crate) fn slim_metadata(metadata: &mut ObjectMeta) {
    metadata.managed_fields = None;
    if let Some(annotations) = &mut metadata.annotations {
        annotations.remove(LAST_APPLIED);
    }
}

impl<K: kube::Resource> kube::Resource for Guarded<K> {
    type DynamicType = K::DynamicType;
    type Scope = K::Scope;

    fn metadata_api() -> bool {
        K::metadata_api()
    }

    fn kind(dt: &Self::DynamicType) -> Cow<'_, str> {
        K::kind(dt)
    }

    fn group(dt: &Self::DynamicType) -> Cow<'_, str> {
        K::group(dt)
    }

    fn version(dt: &Self::DynamicType) -> Cow<'_, str> {
        K::version(dt)
    }

    fn plural(dt: &Self::DynamicType) -> Cow<'_, str> {
        K::plural(dt)
    }

    fn meta(&self) -> &ObjectMeta {
        match &self.object {
            Ok(object) => object.meta(),
            Err(malformed) => &malformed.metadata,
        }
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        match &mut self.object {
            Ok(object) => object.meta_mut(),
            Err(malformed) => &mut malformed.metadata,
        }
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::{ConfigMap, Secret};
    use kube::Resource;
    use kube::core::PartialObjectMeta;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_malformed_object_keeps_its_name() {
        let value = json!({ "metadata": { "name": "bad", "namespace": "apps", "generation": 4 }, "data": "no map" });
        let guarded: Guarded<ConfigMap> = serde_json::from_value(value).unwrap();
        assert_eq!(guarded.meta().name.as_deref(), Some("bad"));
        assert_eq!(guarded.object.unwrap_err().metadata.generation, Some(4));
    }

    #[test]
    fn what_nobody_reads_is_dropped_on_entry() {
        let value = json!({ "metadata": {
            "name": "good",
            "managedFields": [{ "manager": "kubectl" }],
            "annotations": { LAST_APPLIED: "{}", "kept": "yes" },
        } });
        let guarded: Guarded<ConfigMap> = serde_json::from_value(value).unwrap();
        let metadata = guarded.object.unwrap().metadata;
        assert_eq!(metadata.managed_fields, None);
        assert_eq!(
            metadata
                .annotations
                .unwrap()
                .into_keys()
                .collect::<Vec<_>>(),
            ["kept"]
        );
    }

    #[test]
    fn metadata_is_all_that_is_asked_for_where_the_type_says_so() {
        assert!(Guarded::<PartialObjectMeta<Secret>>::metadata_api());
        assert!(!Guarded::<Secret>::metadata_api());
    }
}
