//! How a release is installed, upgraded, tested, rolled back and uninstalled.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    lenient,
    meta::{Duration, duration::INTERVAL_PATTERN},
    word::words,
};

/// How a release is installed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Install {
    /// What is done with the chart's CRDs; `Create` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crds: Option<CrdPolicy>,
    /// Creates the target namespace when it does not exist.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub create_namespace: bool,
    /// Does not run hooks.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_hooks: bool,
    /// Does not compare the manifests with the API server's schema.
    #[serde(
        default,
        rename = "disableOpenAPIValidation",
        skip_serializing_if = "lenient::is_false"
    )]
    pub disable_openapi_validation: bool,
    /// Does not compare the values with the chart's schema.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_schema_validation: bool,
    /// Fails when an object exists and belongs to no release, instead of taking it over.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_take_ownership: bool,
    /// Does not wait until what was installed is ready.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_wait: bool,
    /// Does not wait until jobs have ended.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_wait_for_jobs: bool,
    /// What is done after a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remediation: Option<InstallRemediation>,
    /// Uses the name of a release again that was uninstalled but kept its history.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub replace: bool,
    /// Applies on the server; the controller's own choice when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_side_apply: Option<bool>,
    /// Installs no CRD; an older way to say `crds: Skip`.
    #[serde(
        default,
        rename = "skipCRDs",
        skip_serializing_if = "lenient::is_false"
    )]
    pub skip_crds: bool,
    /// Whether a failure is undone or tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<InstallStrategy>,
    /// How long one Kubernetes operation may take; that of the release when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub timeout: Option<Duration>,
}

/// How a release is upgraded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Upgrade {
    /// What is done when the chart has another name than the installed one; `Reinstall`
    /// when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart_name_change_strategy: Option<ChartNameChangeStrategy>,
    /// Deletes objects that are new in this upgrade when it fails.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub cleanup_on_fail: bool,
    /// What is done with the chart's CRDs; `Skip` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crds: Option<CrdPolicy>,
    /// Does not run hooks.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_hooks: bool,
    /// Does not compare the manifests with the API server's schema.
    #[serde(
        default,
        rename = "disableOpenAPIValidation",
        skip_serializing_if = "lenient::is_false"
    )]
    pub disable_openapi_validation: bool,
    /// Does not compare the values with the chart's schema.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_schema_validation: bool,
    /// Fails when an object exists and belongs to no release, instead of taking it over.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_take_ownership: bool,
    /// Does not wait until what was upgraded is ready.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_wait: bool,
    /// Does not wait until jobs have ended.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_wait_for_jobs: bool,
    /// Replaces objects that cannot be patched.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub force: bool,
    /// Keeps the values of the last release and merges the new ones into them.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub preserve_values: bool,
    /// What is done after a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remediation: Option<UpgradeRemediation>,
    /// Whether objects are applied on the server; as the last release when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_side_apply: Option<ServerSideApply>,
    /// Whether a failure is undone or tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<UpgradeStrategy>,
    /// How long one Kubernetes operation may take; that of the release when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub timeout: Option<Duration>,
}

/// How a release is rolled back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rollback {
    /// Deletes objects that are new in this rollback when it fails.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub cleanup_on_fail: bool,
    /// Does not run hooks.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_hooks: bool,
    /// Does not wait until what was rolled back is ready.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_wait: bool,
    /// Does not wait until jobs have ended.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_wait_for_jobs: bool,
    /// Replaces objects that cannot be patched.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub force: bool,
    /// Restarts pods where it makes sense; Helm no longer does it.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub recreate: bool,
    /// Whether objects are applied on the server; as the last release when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_side_apply: Option<ServerSideApply>,
    /// How long one Kubernetes operation may take; that of the release when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub timeout: Option<Duration>,
}

/// How a release is uninstalled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Uninstall {
    /// In which order owners and what they own are deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "background"))]
    pub deletion_propagation: Option<DeletionPropagation>,
    /// Does not run hooks.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_hooks: bool,
    /// Does not wait until all objects are gone.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub disable_wait: bool,
    /// Keeps the history of the release.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub keep_history: bool,
    /// How long one Kubernetes operation may take; that of the release when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub timeout: Option<Duration>,
}

/// How a release is tested.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Test {
    /// Runs the chart's tests after an install or upgrade.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub enable: bool,
    /// Which tests to run; all when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<TestFilter>,
    /// Does not count a failed test as a failed release.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub ignore_failures: bool,
    /// How long one Kubernetes operation may take; that of the release when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub timeout: Option<Duration>,
}

/// Picks a test by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestFilter {
    /// Leaves the test out instead of running it.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub exclude: bool,
    /// The name of the test.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
}

/// What is done after a failed install.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstallRemediation {
    /// Does not count a failed test as a failure; as the test says when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignore_test_failures: Option<bool>,
    /// Undoes also the failure after which no retry is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remediate_last_failure: Option<bool>,
    /// How often an install is tried again; for ever when negative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<i32>,
}

/// What is done after a failed upgrade.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpgradeRemediation {
    /// Does not count a failed test as a failure; as the test says when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignore_test_failures: Option<bool>,
    /// Undoes also the failure after which no retry is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remediate_last_failure: Option<bool>,
    /// How often an upgrade is tried again; for ever when negative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<i32>,
    /// How a failure is undone; by a rollback when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<RemediationStrategy>,
}

/// Whether a failed install is undone or tried again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = [{
    "message": ".retryInterval cannot be set when .name is 'RemediateOnFailure'",
    "rule": "!has(self.retryInterval) || self.name != 'RemediateOnFailure'",
}]))]
pub struct InstallStrategy {
    /// What is done after a failure.
    pub name: StrategyName,
    /// How soon a failed install is tried again; 5 minutes when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub retry_interval: Option<Duration>,
}

/// Whether a failed upgrade is undone or tried again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = [{
    "message": ".retryInterval can only be set when .name is 'RetryOnFailure'",
    "rule": "!has(self.retryInterval) || self.name == 'RetryOnFailure'",
}]))]
pub struct UpgradeStrategy {
    /// What is done after a failure.
    pub name: StrategyName,
    /// How soon a failed upgrade is tried again; 5 minutes when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub retry_interval: Option<Duration>,
}

words! {
    /// What is done after a failure.
    #[derive(Default)]
    pub enum StrategyName {
        /// It is undone, as the remediation says.
        #[default]
        RemediateOnFailure = "RemediateOnFailure",
        /// It is left as it is and tried again.
        RetryOnFailure = "RetryOnFailure",
    }
}

words! {
    /// How a failed upgrade is undone.
    #[derive(Default)]
    pub enum RemediationStrategy {
        /// By a rollback to the last good release.
        #[default]
        Rollback = "rollback",
        /// By an uninstall.
        Uninstall = "uninstall",
    }
}

words! {
    /// What is done with the CRDs of a chart.
    #[derive(Default)]
    pub enum CrdPolicy {
        /// Nothing.
        #[default]
        Skip = "Skip",
        /// New ones are created.
        Create = "Create",
        /// New ones are created, existing ones replaced.
        CreateReplace = "CreateReplace",
    }
}

words! {
    /// What is done when a release is given a chart of another name.
    #[derive(Default)]
    pub enum ChartNameChangeStrategy {
        /// The release is upgraded.
        InPlaceUpdate = "InPlaceUpdate",
        /// The release is uninstalled and installed anew.
        #[default]
        Reinstall = "Reinstall",
    }
}

words! {
    /// Whether objects are applied on the server.
    #[derive(Default)]
    pub enum ServerSideApply {
        /// They are.
        Enabled = "enabled",
        /// They are not.
        Disabled = "disabled",
        /// As the release before had it.
        #[default]
        Auto = "auto",
    }
}

words! {
    /// In which order owners and what they own are deleted.
    #[derive(Default)]
    pub enum DeletionPropagation {
        /// Owners first, the rest in the background.
        #[default]
        Background = "background",
        /// Owners last.
        Foreground = "foreground",
        /// Owners only.
        Orphan = "orphan",
    }
}
