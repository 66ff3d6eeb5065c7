//! With whose rights Kustomizations of a bench apply, and which way they reach the cluster.

use std::path::Path;

use anyhow::Context as _;
use serde_json::{Value, json};
use sluice_client::{Cluster, Identity};

use super::mttp;

/// The account that [`mttp::prepare`] allows everything.
const ACCOUNT: &str = "applier";
/// The Secret with the way to the cluster.
const KUBECONFIG: &str = "kubeconfig";

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Target {
    /// As a service account
    Account,
    /// As the controller itself
    Own,
    /// By a kubeconfig in a Secret: the same cluster, reached as if it were another one
    Kubeconfig,
}

impl Target {
    /// The cluster as it is applied to.
    pub(super) fn applier(self, cluster: &Cluster, namespace: &str) -> anyhow::Result<Cluster> {
        Ok(match self {
            Self::Account => cluster.impersonate(&Identity::service_account(namespace, ACCOUNT)?),
            Self::Own | Self::Kubeconfig => cluster.clone(),
        })
    }

    /// What the spec of a Kustomization says of it. What that refers to is made first.
    pub(super) async fn spec(
        self,
        cluster: &Cluster,
        namespace: &str,
        kubeconfig: &Path,
    ) -> anyhow::Result<Value> {
        Ok(match self {
            Self::Account => json!({ "serviceAccountName": ACCOUNT }),
            Self::Own => json!({}),
            Self::Kubeconfig => {
                let text = std::fs::read_to_string(kubeconfig)
                    .with_context(|| format!("read {}", kubeconfig.display()))?;
                let secret = json!({
                    "apiVersion": "v1", "kind": "Secret",
                    "metadata": { "name": KUBECONFIG, "namespace": namespace },
                    "stringData": { "value": text },
                });
                mttp::apply(cluster, Some(namespace), &secret, "bench", false).await?;
                json!({ "kubeConfig": { "secretRef": { "name": KUBECONFIG } } })
            }
        })
    }
}
