//! Options of Helm actions: install, upgrade, test, rollback and uninstall.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    lenient,
    meta::{Duration, duration::INTERVAL_PATTERN},
    word::words,
};

/// Options of the Helm install action.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Install {
    /// Policy for the chart's CRDs. Defaults to `Create`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crds: Option<CrdPolicy>,
    /// Creates the target namespace if it does not exist.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub create_namespace: bool,
    /// Skips the hooks of the chart.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_hooks: bool,
    /// Skips validation of the manifests against the API server's schema.
    #[serde(
        default,
        rename = "disableOpenAPIValidation",
        skip_serializing_if = "lenient::is_false"
    )]
    pub disable_openapi_validation: bool,
    /// Skips validation of the values against the chart's schema.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_schema_validation: bool,
    /// Fails if an object exists outside of the release, instead of adopting it.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_take_ownership: bool,
    /// Skips waiting until the installed objects are ready.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_wait: bool,
    /// Skips waiting until Jobs complete.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_wait_for_jobs: bool,
    /// Action after a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remediation: Option<InstallRemediation>,
    /// Reuses the name of an uninstalled release whose history was kept.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub replace: bool,
    /// Uses server-side apply. Defaults to the controller's setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_side_apply: Option<bool>,
    /// Skips the chart's CRDs. Deprecated, use `crds: Skip`.
    #[serde(
        default,
        rename = "skipCRDs",
        skip_serializing_if = "lenient::is_false"
    )]
    pub skip_crds: bool,
    /// Strategy after a failure: remediate or retry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<InstallStrategy>,
    /// Timeout of each Kubernetes operation. Defaults to the timeout of the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub timeout: Option<Duration>,
}

/// Options of the Helm upgrade action.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Upgrade {
    /// Action when the chart name differs from the installed one. Defaults to `Reinstall`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart_name_change_strategy: Option<ChartNameChangeStrategy>,
    /// Deletes the objects that a failed upgrade created.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub cleanup_on_fail: bool,
    /// Policy for the chart's CRDs. Defaults to `Skip`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crds: Option<CrdPolicy>,
    /// Skips the hooks of the chart.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_hooks: bool,
    /// Skips validation of the manifests against the API server's schema.
    #[serde(
        default,
        rename = "disableOpenAPIValidation",
        skip_serializing_if = "lenient::is_false"
    )]
    pub disable_openapi_validation: bool,
    /// Skips validation of the values against the chart's schema.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_schema_validation: bool,
    /// Fails if an object exists outside of the release, instead of adopting it.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_take_ownership: bool,
    /// Skips waiting until the upgraded objects are ready.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_wait: bool,
    /// Skips waiting until Jobs complete.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_wait_for_jobs: bool,
    /// Replaces objects that cannot be updated.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub force: bool,
    /// Merges the values into those of the last release.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub preserve_values: bool,
    /// Action after a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remediation: Option<UpgradeRemediation>,
    /// Use of server-side apply. Defaults to the method of the last release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_side_apply: Option<ServerSideApply>,
    /// Strategy after a failure: remediate or retry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<UpgradeStrategy>,
    /// Timeout of each Kubernetes operation. Defaults to the timeout of the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub timeout: Option<Duration>,
}

/// Options of the Helm rollback action.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rollback {
    /// Deletes the objects that a failed rollback created.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub cleanup_on_fail: bool,
    /// Skips the hooks of the chart.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_hooks: bool,
    /// Skips waiting until the objects are ready after the rollback.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_wait: bool,
    /// Skips waiting until Jobs complete.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_wait_for_jobs: bool,
    /// Replaces objects that cannot be updated.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub force: bool,
    /// Restarts Pods if applicable. Helm ignores the option.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub recreate: bool,
    /// Use of server-side apply. Defaults to the method of the last release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_side_apply: Option<ServerSideApply>,
    /// Timeout of each Kubernetes operation. Defaults to the timeout of the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub timeout: Option<Duration>,
}

/// Options of the Helm uninstall action.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Uninstall {
    /// Deletion propagation policy for owned objects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "background"))]
    pub deletion_propagation: Option<DeletionPropagation>,
    /// Skips the hooks of the chart.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_hooks: bool,
    /// Skips waiting until all objects are deleted.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_wait: bool,
    /// Keeps the release history after the uninstall.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub keep_history: bool,
    /// Timeout of each Kubernetes operation. Defaults to the timeout of the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub timeout: Option<Duration>,
}

/// Options of the Helm test action.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Test {
    /// Runs the chart's tests after an install or an upgrade.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub enable: bool,
    /// Tests to run. Empty runs all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<TestFilter>,
    /// Treats a release with failed tests as successful.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub ignore_failures: bool,
    /// Timeout of each Kubernetes operation. Defaults to the timeout of the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub timeout: Option<Duration>,
}

/// Selects a test by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestFilter {
    /// Excludes the test instead of running it.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub exclude: bool,
    /// Name of the test.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
}

/// Remediation of a failed install.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstallRemediation {
    /// Treats failed tests as success. Defaults to the setting of the test action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignore_test_failures: Option<bool>,
    /// Remediates the last failure too, after which no retry is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remediate_last_failure: Option<bool>,
    /// Number of retries after a failed install. A negative number retries without limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<i32>,
}

/// Remediation of a failed upgrade.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpgradeRemediation {
    /// Treats failed tests as success. Defaults to the setting of the test action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignore_test_failures: Option<bool>,
    /// Remediates the last failure too, after which no retry is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remediate_last_failure: Option<bool>,
    /// Number of retries after a failed upgrade. A negative number retries without limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<i32>,
    /// Remediation strategy. Defaults to `rollback`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<RemediationStrategy>,
}

/// Strategy after a failed install: remediate or retry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = [{
    "message": ".retryInterval cannot be set when .name is 'RemediateOnFailure'",
    "rule": "!has(self.retryInterval) || self.name != 'RemediateOnFailure'",
}]))]
pub struct InstallStrategy {
    /// Action after a failure.
    pub name: StrategyName,
    /// Interval of retries of a failed install. Defaults to 5 minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub retry_interval: Option<Duration>,
}

/// Strategy after a failed upgrade: remediate or retry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = [{
    "message": ".retryInterval can only be set when .name is 'RetryOnFailure'",
    "rule": "!has(self.retryInterval) || self.name == 'RetryOnFailure'",
}]))]
pub struct UpgradeStrategy {
    /// Action after a failure.
    pub name: StrategyName,
    /// Interval of retries of a failed upgrade. Defaults to 5 minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub retry_interval: Option<Duration>,
}

words! {
    /// Action after a failure.
    #[derive(Default)]
    pub enum StrategyName {
        /// The failure is remediated.
        #[default]
        RemediateOnFailure = "RemediateOnFailure",
        /// The action is retried without remediation.
        RetryOnFailure = "RetryOnFailure",
    }
}

words! {
    /// Remediation strategy of a failed upgrade.
    #[derive(Default)]
    pub enum RemediationStrategy {
        /// Roll back to the last successful release.
        #[default]
        Rollback = "rollback",
        /// Uninstall the release.
        Uninstall = "uninstall",
    }
}

words! {
    /// Policy for the CRDs of a chart.
    #[derive(Default)]
    pub enum CrdPolicy {
        /// Do nothing.
        #[default]
        Skip = "Skip",
        /// Create missing CRDs.
        Create = "Create",
        /// Create missing CRDs and replace existing ones.
        CreateReplace = "CreateReplace",
    }
}

words! {
    /// Action when the chart of a release gets another name.
    #[derive(Default)]
    pub enum ChartNameChangeStrategy {
        /// Upgrade the release in place.
        InPlaceUpdate = "InPlaceUpdate",
        /// Uninstall the release and install it again.
        #[default]
        Reinstall = "Reinstall",
    }
}

words! {
    /// Use of server-side apply.
    #[derive(Default)]
    pub enum ServerSideApply {
        /// Server-side apply.
        Enabled = "enabled",
        /// Client-side apply.
        Disabled = "disabled",
        /// The method of the previous release.
        #[default]
        Auto = "auto",
    }
}

words! {
    /// Deletion propagation policy for owned objects.
    #[derive(Default)]
    pub enum DeletionPropagation {
        /// Delete the owner first, its dependents in the background.
        #[default]
        Background = "background",
        /// Delete dependents before the owner.
        Foreground = "foreground",
        /// Delete only the owner.
        Orphan = "orphan",
    }
}
