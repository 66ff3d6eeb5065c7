//! What the controller last saw and made of a release.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    inventory::ResourceInventory,
    lenient,
    meta::{Conditions, Duration, Time, reference::unobserved},
    word::words,
};

/// What the controller last saw and made of a release.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct HelmReleaseStatus {
    /// What can be said about the release.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// How often reconciling has failed since the spec or the values changed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failures: i64,
    /// The `HelmChart` that was made for the release, as `namespace/name`.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub helm_chart: Option<String>,
    /// The revisions of the release, newest first, back to the last that was good.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<ReleaseSnapshot>,
    /// How often installing has failed since the spec or the values changed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub install_failures: i64,
    /// The objects of the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inventory: Option<ResourceInventory>,
    /// The digest of the values that were tried last.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_attempted_config_digest: Option<String>,
    /// The generation of this object that was tried last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_attempted_generation: Option<i64>,
    /// What was tried last: `install` or `upgrade`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_attempted_release_action: Option<ReleaseAction>,
    /// How long the last try took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_attempted_release_action_duration: Option<Duration>,
    /// The version of the chart that was tried last.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_attempted_revision: Option<String>,
    /// The digest of the OCI artifact that was tried last.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_attempted_revision_digest: Option<String>,
    /// The digest of the values that an older controller tried last.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_attempted_values_checksum: Option<String>,
    /// The last request for a forced release that was handled.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_force_at: Option<String>,
    /// The last request for a reconciliation that was handled.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// The last request to forget past failures that was handled.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reset_at: Option<String>,
    /// The revision of the release that an older controller made last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_release_revision: Option<i32>,
    /// The digest of the common metadata that was applied last.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub observed_common_metadata_digest: Option<String>,
    /// The generation that this status speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// The digest of the post-renderers that were applied last.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub observed_post_renderers_digest: Option<String>,
    /// The namespace in which Helm stores the release; where a changed spec finds the old one.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 63))]
    pub storage_namespace: Option<String>,
    /// How often upgrading has failed since the spec or the values changed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub upgrade_failures: i64,
}

/// Tells whether a counter may be left out when it is written.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde's skip_serializing_if passes a reference"
)]
fn is_zero(count: &i64) -> bool {
    *count == 0
}

words! {
    /// What was tried for a release.
    #[derive(Default)]
    pub enum ReleaseAction {
        /// An install.
        #[default]
        Install = "install",
        /// An upgrade.
        Upgrade = "upgrade",
    }
}

/// One revision of a release, as the controller remembers it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReleaseSnapshot {
    /// What made this revision: `install`, `upgrade` or `rollback`.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub action: Option<String>,
    /// The version of this entry's own format.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// The version of the application in the chart.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub app_version: Option<String>,
    /// The name of the chart.
    pub chart_name: String,
    /// The version of the chart.
    pub chart_version: String,
    /// The digest of the values, as `<algorithm>:<hex>`.
    pub config_digest: String,
    /// When the revision was uninstalled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<Time>,
    /// The digest of the revision as Helm stores it, as `<algorithm>:<hex>`.
    pub digest: String,
    /// When the release was first installed.
    pub first_deployed: Time,
    /// When this revision was made.
    pub last_deployed: Time,
    /// The name of the release.
    pub name: String,
    /// The namespace of the release.
    pub namespace: String,
    /// The digest of the OCI artifact that the chart came from.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub oci_digest: Option<String>,
    /// The state that Helm stores for the revision.
    pub status: String,
    /// The tests of this revision and how they ended, by name; absent when none ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_hooks: Option<BTreeMap<String, TestHookStatus>>,
    /// The number of the revision.
    pub version: i32,
}

/// How a test of a release ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestHookStatus {
    /// When the test last ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_completed: Option<Time>,
    /// When the test last began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_started: Option<Time>,
    /// The state of the test that Helm stores.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub phase: Option<String>,
}
