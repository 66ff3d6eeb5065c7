//! Reads the metadata of objects that events and webhooks name.

use serde_json::Value;
use sluice_client::{Cluster, Error, Freshness, GroupVersionKind};

/// Returns the metadata of an object, or `None` if it does not exist.
///
/// The cache of the server may not have a new object yet, so its absence is checked.
pub(crate) async fn metadata(
    cluster: &Cluster,
    gvk: &GroupVersionKind,
    namespace: Option<&str>,
    name: &str,
) -> Result<Option<Value>, Error> {
    let cached = cluster.get_metadata(gvk, namespace, name, Freshness::Cached);
    match cached.await? {
        None => {
            let latest = cluster.get_metadata(gvk, namespace, name, Freshness::Latest);
            latest.await
        }
        found => Ok(found),
    }
}
