//! Observed state of a Helm release.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    inventory::ResourceInventory,
    lenient,
    meta::{Conditions, Duration, Time, reference::unobserved},
    word::words,
};

/// Observed state of a Helm release.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct HelmReleaseStatus {
    /// Conditions of the release.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// Number of failed reconciliations since the spec or the values changed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failures: i64,
    /// `HelmChart` created for the release, as `namespace/name`.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub helm_chart: Option<String>,
    /// Revisions of the release, newest first, back to the last successful one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<ReleaseSnapshot>,
    /// Number of failed installs since the spec or the values changed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub install_failures: i64,
    /// Objects of the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inventory: Option<ResourceInventory>,
    /// Digest of the last attempted values.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_attempted_config_digest: Option<String>,
    /// Last attempted generation of this object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_attempted_generation: Option<i64>,
    /// Last attempted action: `install` or `upgrade`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_attempted_release_action: Option<ReleaseAction>,
    /// Duration of the last attempted action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_attempted_release_action_duration: Option<Duration>,
    /// Last attempted version of the chart.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_attempted_revision: Option<String>,
    /// Digest of the last attempted OCI artifact.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_attempted_revision_digest: Option<String>,
    /// Checksum of the last attempted values, from an older controller.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_attempted_values_checksum: Option<String>,
    /// Last handled value of the annotation that forces a release.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_force_at: Option<String>,
    /// Last handled value of the annotation that requests a reconciliation.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// Last handled value of the annotation that resets failure counts.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reset_at: Option<String>,
    /// Last release revision, from an older controller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_release_revision: Option<i32>,
    /// Digest of the last applied common metadata.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub observed_common_metadata_digest: Option<String>,
    /// Last observed generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// Digest of the last applied post-renderers.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub observed_post_renderers_digest: Option<String>,
    /// Namespace of Helm's storage, which locates the release after the spec changes.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 63))]
    pub storage_namespace: Option<String>,
    /// Number of failed upgrades since the spec or the values changed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub upgrade_failures: i64,
}

/// Reports whether a counter is zero, so it is not serialized.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde's skip_serializing_if passes a reference"
)]
fn is_zero(count: &i64) -> bool {
    *count == 0
}

words! {
    /// Actions on a release.
    #[derive(Default)]
    pub enum ReleaseAction {
        /// An install.
        #[default]
        Install = "install",
        /// An upgrade.
        Upgrade = "upgrade",
    }
}

/// A revision of a release.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReleaseSnapshot {
    /// Action that created the revision: `install`, `upgrade` or `rollback`.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub action: Option<String>,
    /// Version of the format of this entry.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// App version of the chart.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub app_version: Option<String>,
    /// Name of the chart.
    pub chart_name: String,
    /// Version of the chart.
    pub chart_version: String,
    /// Digest of the values, as `<algorithm>:<hex>`.
    pub config_digest: String,
    /// Time of the uninstall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<Time>,
    /// Digest of the revision in Helm's storage, as `<algorithm>:<hex>`.
    pub digest: String,
    /// Time of the first install.
    pub first_deployed: Time,
    /// Time of this revision.
    pub last_deployed: Time,
    /// Name of the release.
    pub name: String,
    /// Namespace of the release.
    pub namespace: String,
    /// Digest of the chart's OCI artifact.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub oci_digest: Option<String>,
    /// State of the revision in Helm's storage.
    pub status: String,
    /// Results of the tests of this revision by name. Absent if no test ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_hooks: Option<BTreeMap<String, TestHookStatus>>,
    /// Number of the revision.
    pub version: i32,
}

/// Result of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestHookStatus {
    /// Time when the test last ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_completed: Option<Time>,
    /// Time when the test last started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_started: Option<Time>,
    /// Phase of the test in Helm's storage.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub phase: Option<String>,
}
