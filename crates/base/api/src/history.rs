//! The history: what was reconciled lately, newest first.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::meta::{Duration, Time};

/// How many snapshots a history keeps.
pub const MAX_SNAPSHOTS: usize = 5;

/// The outcome of reconciling one state, perhaps many times over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// The digest of what was applied, as `<algorithm>:<hex>`.
    pub digest: String,
    /// When this state was first reconciled.
    pub first_reconciled: Time,
    /// When this state was last reconciled.
    pub last_reconciled: Time,
    /// How long the last reconciliation took.
    pub last_reconciled_duration: Duration,
    /// The reason of the Ready condition after the last reconciliation.
    pub last_reconciled_status: String,
    /// Facts about this state, like the revision it was built of.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// How often this state was reconciled.
    pub total_reconciliations: i64,
}
