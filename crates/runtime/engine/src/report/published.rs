//! The status of an object that a run publishes, such as an artifact of a generator.

use serde_json::Value;
use sluice_client::{Cluster, Error, GroupVersionKind, PatchOptions};

use crate::key::ObjectKey;

/// Applies the status of a published object as `manager`. Returns the object.
///
/// `applied` has the identity of the object and its whole status.
pub async fn apply_status(
    cluster: &Cluster,
    gvk: &GroupVersionKind,
    key: &ObjectKey,
    applied: &Value,
    manager: &str,
) -> Result<Value, Error> {
    let options = PatchOptions {
        field_manager: Some(manager),
        force: true,
        subresource: Some("status"),
        ..PatchOptions::default()
    };
    let applying = cluster.apply(gvk, Some(key.namespace()), key.name(), applied, options);
    applying.await
}
