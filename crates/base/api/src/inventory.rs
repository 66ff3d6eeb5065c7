//! The inventory: the objects that an applier applied and may delete.
//!
//! This module has only the wire type. `sluice-object` reads and writes the ids of entries, and
//! `sluice-apply` compares inventories.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Objects that the last reconciliation applied.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceInventory {
    /// One entry per object.
    #[serde(deserialize_with = "crate::lenient::null_is_default")]
    pub entries: Vec<ResourceRef>,
}

/// Object in an inventory.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub struct ResourceRef {
    /// Id of the object, as `<namespace>_<name>_<group>_<kind>`.
    pub id: String,
    /// API version of the applied object.
    #[serde(rename = "v")]
    pub version: String,
}
