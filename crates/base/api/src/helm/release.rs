//! `HelmRelease`: a chart, the values it is rendered with, and what keeps it so.

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

/// What to release, and how.
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
    doc = "A Helm chart that is installed, upgraded, tested and watched for drift.",
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
    /// The `HelmChart` that is made for this release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart: Option<ChartTemplate>,
    /// An object that exists and whose artifact is the chart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart_ref: Option<ChartReference>,
    /// Labels and annotations put on every object; they win over those from the chart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common_metadata: Option<CommonMetadata>,
    /// Releases that must be ready before this one is installed or upgraded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<DependencyReference>,
    /// Whether changes made outside of Helm are found, and corrected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift_detection: Option<DriftDetection>,
    /// Expressions that judge the health of kinds which do not follow the conventions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub health_check_exprs: Vec<HealthCheckExpression>,
    /// How the release is installed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub install: Option<Install>,
    /// How often the release is compared with what it should be.
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Duration,
    /// The cluster to install into; the controller's own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kube_config: Option<KubeConfigReference>,
    /// How many revisions of the release Helm keeps; 5 when absent, all when 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_history: Option<i32>,
    /// Keeps the Kubernetes client over the steps of a release; it does when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persistent_client: Option<bool>,
    /// How hooks take part in post-rendering; the controller's own choice when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_render_strategy: Option<PostRenderStrategy>,
    /// Changes to the rendered manifests, made in the order given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub post_renderers: Vec<PostRenderer>,
    /// The name of the release; target namespace and name, joined by a dash, when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 53))]
    pub release_name: Option<String>,
    /// How the release is rolled back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollback: Option<Rollback>,
    /// The `ServiceAccount` that is impersonated.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 253))]
    pub service_account_name: Option<String>,
    /// The namespace in which Helm stores the release; that of this object when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 63))]
    pub storage_namespace: Option<String>,
    /// Stops reconciling; the release stays.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// The namespace that is released into; that of this object when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 63))]
    pub target_namespace: Option<String>,
    /// How the release is tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
    /// How long one Kubernetes operation may take; 5 minutes when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub timeout: Option<Duration>,
    /// How the release is uninstalled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uninstall: Option<Uninstall>,
    /// How the release is upgraded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upgrade: Option<Upgrade>,
    /// The values that the chart is rendered with; they win over those from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "any_value")]
    pub values: Option<serde_json::Value>,
    /// Secrets and `ConfigMaps` with more values; a later one wins over an earlier one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values_from: Vec<ValuesReference>,
    /// How it is found out that objects are ready; the controller's own choice when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_strategy: Option<WaitStrategy>,
}

/// Accepts any value and keeps all of it.
fn any_value(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "x-kubernetes-preserve-unknown-fields": true })
}

/// Whether changes made outside of Helm are found, and corrected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DriftDetection {
    /// Fields that may change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<IgnoreRule>,
    /// What is done about a change; nothing when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<DriftDetectionMode>,
}

words! {
    /// What is done about a change made outside of Helm.
    #[derive(Default)]
    pub enum DriftDetectionMode {
        /// It is corrected.
        Enabled = "enabled",
        /// It is told, and left.
        Warn = "warn",
        /// Nothing.
        #[default]
        Disabled = "disabled",
    }
}

words! {
    /// How hooks take part in post-rendering.
    pub enum PostRenderStrategy {
        /// They do not.
        NoHooks = "nohooks",
        /// Together with the rest.
        Combined = "combined",
        /// Apart from the rest.
        Separate = "separate",
    }
}

/// A change to the rendered manifests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PostRenderer {
    /// What kustomize changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kustomize: Option<KustomizeRenderer>,
}

/// What kustomize changes in the rendered manifests.
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

/// An object that holds values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ValuesReference {
    /// The kind of the object.
    pub kind: ValuesReferenceKind,
    /// Takes the text as it is, without Helm's notation for lists and types.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub literal: bool,
    /// The name of the object.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// Tolerates that the object or the key does not exist.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub optional: bool,
    /// The path in the values that is set to the text; the text is a values file when absent.
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
    /// The key within the object; `values.yaml` when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(max = 253), regex(pattern = r"^[\-._a-zA-Z0-9]+$"))]
    pub values_key: Option<String>,
}

words! {
    /// A kind that holds values.
    #[derive(Default)]
    pub enum ValuesReferenceKind {
        /// A Secret.
        #[default]
        Secret = "Secret",
        /// A `ConfigMap`.
        ConfigMap = "ConfigMap",
    }
}

/// How it is found out that objects are ready.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitStrategy {
    /// The name of the strategy.
    pub name: WaitStrategyName,
}

words! {
    /// A way to find out that objects are ready.
    #[derive(Default)]
    pub enum WaitStrategyName {
        /// That of the other appliers, which knows every kind that follows the conventions.
        #[default]
        Poller = "poller",
        /// That of Helm 3, which knows the built-in kinds.
        Legacy = "legacy",
    }
}

toolkit_resource!(HelmRelease);
