//! The capabilities of a cluster, which templates see.

use std::collections::BTreeSet;

use http::Request;
use serde_json::Value;
use sluice_chart::{Capabilities, KubeVersion};
use sluice_client::{Cluster, Error};

/// Discovers the version of Kubernetes, and every API version and kind.
///
/// An aggregated API without an answer is left out, as in Helm.
pub async fn capabilities(cluster: &Cluster) -> Result<Capabilities, Error> {
    let version = version(cluster).await?;
    let text = |field: &str| version[field].as_str().unwrap_or_default().to_owned();
    let mut versions = BTreeSet::new();
    for resource in cluster.resources().await? {
        let version = resource.api.api_version;
        versions.insert(format!("{version}/{}", resource.api.kind));
        versions.insert(version);
    }
    let defaults = Capabilities::default();
    let api_versions = if versions.is_empty() {
        defaults.api_versions.clone()
    } else {
        versions.into_iter().collect()
    };
    Ok(Capabilities {
        kube_version: KubeVersion {
            // Constraints see the suffix of a vendor: only `--kube-version` is normalised.
            normalized: text("gitVersion"),
            version: text("gitVersion"),
            major: text("major"),
            minor: text("minor"),
        },
        api_versions,
        ..defaults
    })
}

/// The answer of the API server about its version.
pub(crate) async fn version(cluster: &Cluster) -> Result<Value, Error> {
    let request = Request::get("/version").body(Vec::new());
    let request = request.expect("the path is valid");
    cluster.raw("get the version", request).await
}
