//! The artifact: what a source offers to those who consume it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::meta::Time;

/// An archive of one revision of a source, ready to be downloaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    /// The digest of the archive, as `<algorithm>:<hex>`.
    #[schemars(regex(pattern = "^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[a-zA-Z0-9=_-]+$"))]
    pub digest: String,
    /// When the archive was last written.
    pub last_update_time: Time,
    /// Facts that came with the source, like the annotations of an OCI artifact.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// Where the archive stands below the root of the storage.
    pub path: String,
    /// The revision that the archive was made of, like `main@sha1:<hex>`.
    pub revision: String,
    /// The size of the archive in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
    /// Where the archive can be downloaded by the other controllers.
    pub url: String,
}

impl Artifact {
    /// Tells whether the artifact is of a revision.
    pub fn has_revision(&self, revision: &str) -> bool {
        self.revision == revision
    }

    /// Tells whether the artifact has a digest.
    pub fn has_digest(&self, digest: &str) -> bool {
        self.digest == digest
    }
}
