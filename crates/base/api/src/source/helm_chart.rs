//! `HelmChart`: a packaged version of a chart.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::verification::ChartVerification;
use crate::{
    artifact::Artifact,
    lenient,
    meta::{
        Conditions, Duration, duration::INTERVAL_PATTERN, reference::unobserved,
        resource::toolkit_resource,
    },
    word::words,
};

/// Desired state of a Helm chart.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "source.toolkit.fluxcd.io",
    version = "v1",
    kind = "HelmChart",
    plural = "helmcharts",
    shortname = "hc",
    category = "all",
    category = "fluxcd",
    category = "fluxcd-sources",
    namespaced,
    status = "HelmChartStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "A Helm chart. The controller publishes one packaged version as an artifact.",
    printcolumn(name = "Chart", type_ = "string", json_path = ".spec.chart"),
    printcolumn(name = "Version", type_ = "string", json_path = ".spec.version"),
    printcolumn(
        name = "Source Kind",
        type_ = "string",
        json_path = ".spec.sourceRef.kind"
    ),
    printcolumn(
        name = "Source Name",
        type_ = "string",
        json_path = ".spec.sourceRef.name"
    ),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    ),
    printcolumn(
        name = "Ready",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].status"
    ),
    printcolumn(
        name = "Status",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].message"
    )
)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = [{
    "message": "spec.verify is only supported when spec.sourceRef.kind is 'HelmRepository'",
    "rule": "!has(self.verify) || self.sourceRef.kind == 'HelmRepository'",
}]))]
pub struct HelmChartSpec {
    /// Name of the chart in a repository, or its path in an artifact.
    pub chart: String,
    /// Ignores missing values files instead of failing.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub ignore_missing_values_files: bool,
    /// Interval of checks of the source.
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Duration,
    /// Trigger of a new artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "ChartVersion"))]
    pub reconcile_strategy: Option<ReconcileStrategy>,
    /// Source of the chart.
    pub source_ref: HelmChartSourceReference,
    /// Suspends reconciliation. The last artifact stays.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// Files that are merged into the chart's `values.yaml`. Later files override earlier ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values_files: Vec<String>,
    /// Signature verification of the chart. Only for OCI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<ChartVerification>,
    /// Version or semver range of the chart. Ignored for charts in an artifact.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(extend("default" = "*"))]
    pub version: Option<String>,
}

words! {
    /// Triggers of a new chart artifact.
    #[derive(Default)]
    pub enum ReconcileStrategy {
        /// A new version of the chart.
        #[default]
        ChartVersion = "ChartVersion",
        /// A new revision of the source.
        Revision = "Revision",
    }
}

/// Reference to the source of a chart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HelmChartSourceReference {
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
    pub name: String,
}

words! {
    /// Kinds of sources of charts.
    #[derive(Default)]
    pub enum HelmChartSourceKind {
        /// A repository of charts.
        #[default]
        HelmRepository = "HelmRepository",
        /// A Git repository.
        GitRepository = "GitRepository",
        /// A bucket of files.
        Bucket = "Bucket",
    }
}

/// Observed state of a Helm chart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct HelmChartStatus {
    /// Last packaged chart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Artifact>,
    /// Conditions of the chart.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// Last handled value of the annotation that requests a reconciliation.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// Last observed name of the chart.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub observed_chart_name: Option<String>,
    /// Last observed generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// Last observed revision of the source's artifact.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub observed_source_artifact_revision: Option<String>,
    /// Values files of the artifact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed_values_files: Vec<String>,
    /// Download address of the latest chart.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub url: Option<String>,
}

toolkit_resource!(HelmChart);
