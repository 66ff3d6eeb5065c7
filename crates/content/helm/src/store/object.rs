//! Records as Secrets and `ConfigMap`s.

use serde_json::json;
use sluice_chart::values::Json;
use sluice_golang::base64;

use super::Record;
use crate::record::Labels;

/// The kind of the objects that keep records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StorageKind {
    /// A Secret, the default.
    #[default]
    Secret,
    /// A `ConfigMap`.
    ConfigMap,
}

/// The key of the data of an object that has the record.
const KEY: &str = "release";
/// The type of the Secrets.
const SECRET_TYPE: &str = "helm.sh/release.v1";

impl StorageKind {
    /// Chooses the kind by the name of a driver, as in `HELM_DRIVER`.
    pub fn from_driver(name: &str) -> Result<Self, UnknownDriver> {
        match name {
            "" | "secret" | "secrets" => Ok(Self::Secret),
            "configmap" | "configmaps" => Ok(Self::ConfigMap),
            _ => Err(UnknownDriver(name.to_owned())),
        }
    }

    /// The Kubernetes kind.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Secret => "Secret",
            Self::ConfigMap => "ConfigMap",
        }
    }

    /// The object that keeps a record.
    pub fn to_object(self, record: &Record, namespace: &str) -> Json {
        let metadata = json!({
            "name": record.name,
            "namespace": namespace,
            "labels": record.labels,
        });
        match self {
            // The API server wants the bytes of a Secret in base64 once more.
            Self::Secret => json!({
                "apiVersion": "v1",
                "kind": "Secret",
                "metadata": metadata,
                "type": SECRET_TYPE,
                "data": { KEY: base64::encode(record.data.as_bytes()) },
            }),
            Self::ConfigMap => json!({
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": metadata,
                "data": { KEY: record.data },
            }),
        }
    }

    /// The record of an object. An object without data has an empty one, which does not decode.
    pub fn from_object(self, object: &Json) -> Record {
        let metadata = &object["metadata"];
        let labels = metadata["labels"].as_object().into_iter().flatten();
        let labels: Labels = labels
            .filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
            .collect();
        let data = object["data"][KEY].as_str().unwrap_or_default();
        let data = match self {
            Self::Secret => base64::decode(data.as_bytes()).unwrap_or_default(),
            Self::ConfigMap => data.as_bytes().to_vec(),
        };
        Record {
            name: metadata["name"].as_str().unwrap_or_default().to_owned(),
            labels,
            data: String::from_utf8(data).unwrap_or_default(),
        }
    }
}

/// The name of a driver that this engine lacks, such as `sql`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown driver {0:?}: use 'secret' or 'configmap'")]
pub struct UnknownDriver(String);
