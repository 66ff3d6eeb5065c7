//! `HelmRelease`: the desired release of a Helm chart.

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::{
    action::{Install, Rollback, Test, Uninstall, Upgrade},
    chart::{ChartReference, ChartTemplate},
    status::HelmReleaseStatus,
};
use crate::{
    kustomize::{DependencyReference, HealthCheckExpression, IgnoreRule, Image, Patch},
    lenient,
    meta::{
        CommonMetadata, Duration, KubeConfigReference, duration::INTERVAL_PATTERN,
        resource::toolkit_resource,
    },
    word::words,
};

/// Desired state of a Helm release.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "helm.toolkit.fluxcd.io",
    version = "v2",
    kind = "HelmRelease",
    plural = "helmreleases",
    shortname = "hr",
    category = "all",
    category = "fluxcd",
    category = "fluxcd-appliers",
    namespaced,
    status = "HelmReleaseStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "A Helm release, with upgrades, tests and drift detection.",
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
    "message": "either chart or chartRef must be set",
    "rule": "(has(self.chart) && !has(self.chartRef)) || (!has(self.chart) && has(self.chartRef))",
}]))]
pub struct HelmReleaseSpec {
    /// Template of the `HelmChart` to create for this release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart: Option<ChartTemplate>,
    /// Existing object whose artifact is the chart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart_ref: Option<ChartReference>,
    /// Labels and annotations for every object. They override those of the chart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common_metadata: Option<CommonMetadata>,
    /// Releases that must be ready before an install or upgrade of this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<DependencyReference>,
    /// Detection and correction of changes made outside of Helm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift_detection: Option<DriftDetection>,
    /// CEL expressions for the health of kinds that do not follow the status conventions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub health_check_exprs: Vec<HealthCheckExpression>,
    /// Options of the install action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub install: Option<Install>,
    /// Interval of reconciliations.
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Duration,
    /// Target cluster. Defaults to the cluster of the controller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kube_config: Option<KubeConfigReference>,
    /// Number of revisions that Helm keeps. Defaults to 5; 0 means no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_history: Option<i32>,
    /// Reuses one Kubernetes client for all steps of a reconciliation. Defaults to true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persistent_client: Option<bool>,
    /// Treatment of hooks in post-rendering. Defaults to the controller's setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_render_strategy: Option<PostRenderStrategy>,
    /// Changes to the rendered manifests, in the given order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub post_renderers: Vec<PostRenderer>,
    /// Name of the release. Defaults to the target namespace and the object name, joined by a dash.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 53))]
    pub release_name: Option<String>,
    /// Options of the rollback action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollback: Option<Rollback>,
    /// `ServiceAccount` to impersonate.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 253))]
    pub service_account_name: Option<String>,
    /// Namespace of Helm's storage. Defaults to the namespace of this object.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 63))]
    pub storage_namespace: Option<String>,
    /// Suspends reconciliation. The release stays installed.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// Namespace of the release. Defaults to the namespace of this object.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 63))]
    pub target_namespace: Option<String>,
    /// Options of the test action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
    /// Timeout of each Kubernetes operation. Defaults to 5 minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub timeout: Option<Duration>,
    /// Options of the uninstall action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uninstall: Option<Uninstall>,
    /// Options of the upgrade action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upgrade: Option<Upgrade>,
    /// Values of the chart. They override the values of all references.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "any_value")]
    pub values: Option<serde_json::Value>,
    /// Secrets and `ConfigMaps` with values. Later ones override earlier ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values_from: Vec<ValuesReference>,
    /// Method of checking readiness. Defaults to the controller's setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_strategy: Option<WaitStrategy>,
}

/// Schema that accepts any value and preserves unknown fields.
fn any_value(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "x-kubernetes-preserve-unknown-fields": true })
}

/// Detection and correction of changes made outside of Helm.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DriftDetection {
    /// Fields to ignore.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<IgnoreRule>,
    /// Action on drift. Defaults to `disabled`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<DriftDetectionMode>,
}

words! {
    /// Action on a change made outside of Helm.
    #[derive(Default)]
    pub enum DriftDetectionMode {
        /// Correct the drift.
        Enabled = "enabled",
        /// Report the drift without correction.
        Warn = "warn",
        /// Do nothing.
        #[default]
        Disabled = "disabled",
    }
}

words! {
    /// Treatment of hooks in post-rendering.
    pub enum PostRenderStrategy {
        /// Hooks are not post-rendered.
        NoHooks = "nohooks",
        /// Hooks are post-rendered together with the other manifests.
        Combined = "combined",
        /// Hooks are post-rendered separately.
        Separate = "separate",
    }
}

/// A change to the rendered manifests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PostRenderer {
    /// Changes by kustomize.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kustomize: Option<KustomizeRenderer>,
}

/// Changes of the rendered manifests by kustomize.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KustomizeRenderer {
    /// Changes to names, tags and digests of container images.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    /// Patches to apply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patches: Vec<Patch>,
}

/// Reference to an object with values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ValuesReference {
    /// Kind of the object.
    pub kind: ValuesReferenceKind,
    /// Uses the text as a literal string, without Helm's notation for lists and types.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub literal: bool,
    /// Name of the object.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// Ignores a missing object or key.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub optional: bool,
    /// Path of the value to set to the text. Without it, the text is a values file.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(
        length(max = 250),
        regex(pattern = r"^([a-zA-Z0-9_\-.\\\/]|\[[0-9]{1,5}\])+$")
    )]
    pub target_path: Option<String>,
    /// Key in the object. Defaults to `values.yaml`.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(max = 253), regex(pattern = r"^[\-._a-zA-Z0-9]+$"))]
    pub values_key: Option<String>,
}

words! {
    /// Kinds that can hold values.
    #[derive(Default)]
    pub enum ValuesReferenceKind {
        /// A Secret.
        #[default]
        Secret = "Secret",
        /// A `ConfigMap`.
        ConfigMap = "ConfigMap",
    }
}

/// Method of checking readiness.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitStrategy {
    /// Name of the strategy.
    pub name: WaitStrategyName,
}

words! {
    /// Strategies of checking readiness.
    #[derive(Default)]
    pub enum WaitStrategyName {
        /// kstatus, which supports every kind that follows the status conventions.
        #[default]
        Poller = "poller",
        /// The method of Helm 3, which supports built-in kinds.
        Legacy = "legacy",
    }
}

toolkit_resource!(HelmRelease);
