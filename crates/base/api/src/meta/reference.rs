//! References from one object to another, and small shapes several kinds use.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::lenient;

/// Names an object of a known kind in the same namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LocalObjectReference {
    /// The name of the object.
    pub name: String,
}

impl LocalObjectReference {
    /// Names an object.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into() }
    }
}

/// Names an object of a known kind, perhaps in another namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamespacedObjectReference {
    /// The name of the object.
    pub name: String,
    /// The namespace of the object; that of the referring object when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub namespace: Option<String>,
}

/// Names an object of any kind, perhaps in another namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamespacedObjectKindReference {
    /// The API version of the object; the controller's own choice when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// The kind of the object.
    pub kind: String,
    /// The name of the object.
    pub name: String,
    /// The namespace of the object; that of the referring object when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub namespace: Option<String>,
}

/// Names a Secret in the same namespace and, perhaps, one key of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecretKeyReference {
    /// The key within the Secret; the controller looks for its default keys when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub key: Option<String>,
    /// The name of the Secret.
    pub name: String,
}

const EXACTLY_ONE: &str =
    "exactly one of spec.kubeConfig.configMapRef or spec.kubeConfig.secretRef must be specified";

/// Says how to reach the cluster that objects are applied to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = [
    { "message": EXACTLY_ONE, "rule": "has(self.configMapRef) || has(self.secretRef)" },
    { "message": EXACTLY_ONE, "rule": "!has(self.configMapRef) || !has(self.secretRef)" },
]))]
pub struct KubeConfigReference {
    /// A `ConfigMap` that describes a cluster reached by workload identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config_map_ref: Option<LocalObjectReference>,
    /// A Secret that holds a kubeconfig file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<SecretKeyReference>,
}

/// Labels and annotations put on every object that is made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommonMetadata {
    /// Annotations to add; they win over those an object brings.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// Labels to add; they win over those an object brings.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
}

/// Selects objects by their labels; all requirements must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-map-type" = "atomic"))]
pub struct LabelSelector {
    /// Requirements on label keys and their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "atomic"))]
    pub match_expressions: Vec<LabelSelectorRequirement>,
    /// Labels that an object must carry with exactly these values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub match_labels: BTreeMap<String, String>,
}

/// One requirement on a label.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabelSelectorRequirement {
    /// The key of the label.
    pub key: String,
    /// How the label relates to the values: `In`, `NotIn`, `Exists` or `DoesNotExist`.
    pub operator: String,
    /// The values; empty for `Exists` and `DoesNotExist`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "atomic"))]
    pub values: Vec<String>,
}

/// The status of an object that no controller has seen yet.
///
/// Clients that compare generations must not take a fresh object for a
/// reconciled one, so the API server stores this default.
pub(crate) fn unobserved() -> serde_json::Value {
    json!({ "observedGeneration": -1 })
}
