//! The artifact of a source.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::meta::Time;

/// Archive of a revision of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    /// Digest of the archive, as `<algorithm>:<hex>`.
    #[schemars(regex(pattern = "^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[a-zA-Z0-9=_-]+$"))]
    pub digest: String,
    /// Time when the archive was last written.
    pub last_update_time: Time,
    /// Metadata of the source, such as the annotations of an OCI artifact.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// Path of the archive below the root of the storage.
    pub path: String,
    /// Revision of the archive, such as `main@sha1:<hex>`.
    pub revision: String,
    /// Size of the archive in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
    /// Download address of the archive for other controllers.
    pub url: String,
}

impl Artifact {
    /// Reports whether the artifact has a revision.
    pub fn has_revision(&self, revision: &str) -> bool {
        self.revision == revision
    }

    /// Reports whether the artifact has a digest.
    pub fn has_digest(&self, digest: &str) -> bool {
        self.digest == digest
    }
}
