//! `HelmChart`: one packaged version of a chart.

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

/// Which chart to fetch or package, and how.
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
    doc = "A Helm chart, of which the controller offers one packaged version as an artifact.",
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
    /// The name of the chart in its repository, or the path to it in an artifact.
    pub chart: String,
    /// Leaves out values files that do not exist instead of failing.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub ignore_missing_values_files: bool,
    /// How often the source is asked for news.
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Duration,
    /// What makes for a new artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "ChartVersion"))]
    pub reconcile_strategy: Option<ReconcileStrategy>,
    /// The source that holds the chart.
    pub source_ref: HelmChartSourceReference,
    /// Stops reconciling; the last artifact stays.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// Files that together become the chart's `values.yaml`; a later one wins over an earlier one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values_files: Vec<String>,
    /// Demands a signature on the chart; for OCI only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<ChartVerification>,
    /// A version or a range of semantic versions; without meaning for charts in an artifact.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(extend("default" = "*"))]
    pub version: Option<String>,
}

words! {
    /// What makes for a new artifact of a chart.
    #[derive(Default)]
    pub enum ReconcileStrategy {
        /// A new version of the chart.
        #[default]
        ChartVersion = "ChartVersion",
        /// A new revision of the source.
        Revision = "Revision",
    }
}

/// Names the source of a chart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HelmChartSourceReference {
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
    pub name: String,
}

words! {
    /// A kind of source that holds charts.
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

/// What the controller last saw and made of a chart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct HelmChartStatus {
    /// The chart as it was packaged last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Artifact>,
    /// What can be said about the chart.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// The last request for a reconciliation that was handled.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// The name of the chart that was found last.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub observed_chart_name: Option<String>,
    /// The generation that this status speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// The revision of the source's artifact that was looked at last.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub observed_source_artifact_revision: Option<String>,
    /// The values files that were found and used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed_values_files: Vec<String>,
    /// Where the latest chart can be downloaded.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub url: Option<String>,
}

toolkit_resource!(HelmChart);
