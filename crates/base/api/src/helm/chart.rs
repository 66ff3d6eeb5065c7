//! Where the chart of a release comes from.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    lenient,
    meta::{Duration, LocalObjectReference, duration::INTERVAL_PATTERN},
    source::{HelmChartSourceKind, ReconcileStrategy, VerificationProvider},
    word::words,
};

/// The `HelmChart` that the controller makes for a release.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartTemplate {
    /// Labels and annotations of the `HelmChart`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<ChartTemplateMetadata>,
    /// The spec of the `HelmChart`.
    pub spec: ChartTemplateSpec,
}

/// Labels and annotations of a `HelmChart` that is made for a release.
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

/// The spec of a `HelmChart` that is made for a release.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartTemplateSpec {
    /// The name of the chart in its repository, or the path to it in an artifact.
    #[schemars(length(min = 1, max = 2048))]
    pub chart: String,
    /// Leaves out values files that do not exist instead of failing.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub ignore_missing_values_files: bool,
    /// How often the source is asked for news; the interval of the release when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Option<Duration>,
    /// What makes for a new artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "ChartVersion"))]
    pub reconcile_strategy: Option<ReconcileStrategy>,
    /// The source that holds the chart.
    pub source_ref: ChartSourceReference,
    /// Files that together become the chart's `values.yaml`; a later one wins over an earlier one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values_files: Vec<String>,
    /// Demands a signature on the chart; for OCI only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<ChartTemplateVerification>,
    /// A version or a range of semantic versions; without meaning for charts in an artifact.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(extend("default" = "*"))]
    pub version: Option<String>,
}

/// Names the source of a chart, perhaps in another namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartSourceReference {
    /// The API version of the source; the controller's own choice when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// The kind of the source.
    pub kind: HelmChartSourceKind,
    /// The name of the source.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// The namespace of the source; that of the release when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 63))]
    pub namespace: Option<String>,
}

/// Demands a signature on the chart of a release.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartTemplateVerification {
    /// The tool that the chart was signed with.
    #[schemars(extend("default" = "cosign"))]
    pub provider: VerificationProvider,
    /// A Secret with the public keys or certificates that are trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
}

/// Names an object whose artifact is the chart, perhaps in another namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartReference {
    /// The API version of the object; the controller's own choice when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// The kind of the object.
    pub kind: ChartReferenceKind,
    /// The name of the object.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// The namespace of the object; that of the release when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 63))]
    pub namespace: Option<String>,
}

words! {
    /// A kind whose artifact can be a chart.
    #[derive(Default)]
    pub enum ChartReferenceKind {
        /// An OCI artifact.
        OciRepository = "OCIRepository",
        /// A packaged chart.
        #[default]
        HelmChart = "HelmChart",
        /// An artifact that someone else made.
        ExternalArtifact = "ExternalArtifact",
    }
}
