//! The inventory: what an applier has put into the cluster, and so may remove.
//!
//! Only the wire shape lives here. How an entry's identifier is written and
//! read, and how inventories are compared, belongs to whoever applies.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The objects that the last reconciliation applied.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceInventory {
    /// One entry per object.
    #[serde(deserialize_with = "crate::lenient::null_is_default")]
    pub entries: Vec<ResourceRef>,
}

/// One object in an inventory.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub struct ResourceRef {
    /// The identity of the object, as `<namespace>_<name>_<group>_<kind>`.
    pub id: String,
    /// The API version that the object was applied with.
    #[serde(rename = "v")]
    pub version: String,
}
