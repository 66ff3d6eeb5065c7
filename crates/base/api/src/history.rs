//! The history of recent reconciliations.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::meta::{Duration, Time};

/// Maximum number of snapshots in a history.
pub const MAX_SNAPSHOTS: usize = 5;

/// Result of one or more reconciliations of the same state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// Digest of the applied objects, as `<algorithm>:<hex>`.
    pub digest: String,
    /// Time of the first reconciliation of this state.
    pub first_reconciled: Time,
    /// Time of the last reconciliation of this state.
    pub last_reconciled: Time,
    /// Duration of the last reconciliation.
    pub last_reconciled_duration: Duration,
    /// Reason of the Ready condition after the last reconciliation.
    pub last_reconciled_status: String,
    /// Metadata of this state, such as its revision.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// Number of reconciliations of this state.
    pub total_reconciliations: i64,
}
