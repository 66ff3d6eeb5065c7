//! The chart of a release.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    lenient,
    meta::{Duration, LocalObjectReference, duration::INTERVAL_PATTERN},
    source::{HelmChartSourceKind, ReconcileStrategy, VerificationProvider},
    word::words,
};

/// Template of the `HelmChart` that the controller creates for a release.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartTemplate {
    /// Metadata of the `HelmChart`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<ChartTemplateMetadata>,
    /// Spec of the `HelmChart`.
    pub spec: ChartTemplateSpec,
}

/// Metadata of a generated `HelmChart`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartTemplateMetadata {
    /// Annotations of the `HelmChart`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// Labels of the `HelmChart`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
}

/// Spec of a generated `HelmChart`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartTemplateSpec {
    /// Name of the chart in a repository, or its path in an artifact.
    #[schemars(length(min = 1, max = 2048))]
    pub chart: String,
    /// Ignores missing values files instead of failing.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub ignore_missing_values_files: bool,
    /// Interval of checks of the source. Defaults to the interval of the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Option<Duration>,
    /// Trigger of a new artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "ChartVersion"))]
    pub reconcile_strategy: Option<ReconcileStrategy>,
    /// Source of the chart.
    pub source_ref: ChartSourceReference,
    /// Files that are merged into the chart's `values.yaml`. Later files override earlier ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values_files: Vec<String>,
    /// Signature verification of the chart. Only for OCI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<ChartTemplateVerification>,
    /// Version or semver range of the chart. Ignored for charts in an artifact.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(extend("default" = "*"))]
    pub version: Option<String>,
}

/// Reference to the source of a chart, in any namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartSourceReference {
    /// API version of the source. Defaults to the controller's preferred version.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// Kind of the source.
    pub kind: HelmChartSourceKind,
    /// Name of the source.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// Namespace of the source. Defaults to the namespace of the release.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 63))]
    pub namespace: Option<String>,
}

/// Signature verification of a release's chart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartTemplateVerification {
    /// Tool that signed the chart.
    #[schemars(extend("default" = "cosign"))]
    pub provider: VerificationProvider,
    /// Secret with the trusted public keys or certificates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
}

/// Reference to an object whose artifact is the chart, in any namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartReference {
    /// API version of the object. Defaults to the controller's preferred version.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// Kind of the object.
    pub kind: ChartReferenceKind,
    /// Name of the object.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// Namespace of the object. Defaults to the namespace of the release.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 63))]
    pub namespace: Option<String>,
}

words! {
    /// Kinds whose artifact can be a chart.
    #[derive(Default)]
    pub enum ChartReferenceKind {
        /// An OCI artifact.
        OciRepository = "OCIRepository",
        /// A packaged chart.
        #[default]
        HelmChart = "HelmChart",
        /// An artifact of another controller.
        ExternalArtifact = "ExternalArtifact",
    }
}
