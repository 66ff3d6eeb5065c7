//! Account and path of the requests of benches' Kustomizations.

use std::path::Path;

use anyhow::Context as _;
use serde_json::{Value, json};
use sluice_client::{Cluster, Identity};

use super::cluster;

/// The account with all rights, from [`cluster::prepare`].
const ACCOUNT: &str = "applier";
/// The Secret with the kubeconfig.
const KUBECONFIG: &str = "kubeconfig";

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Target {
    /// As a service account
    Account,
    /// As the controller itself
    Own,
    /// By a kubeconfig in a Secret, as for a remote cluster
    Kubeconfig,
}

impl Target {
    /// The target cluster.
    pub(super) fn applier(self, cluster: &Cluster, namespace: &str) -> anyhow::Result<Cluster> {
        Ok(match self {
            Self::Account => cluster.impersonate(&Identity::service_account(namespace, ACCOUNT)?),
            Self::Own | Self::Kubeconfig => cluster.clone(),
        })
    }

    /// Returns the target part of a Kustomization's spec, and creates referenced objects.
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
                cluster::apply(cluster, Some(namespace), &secret, "bench", false).await?;
                json!({ "kubeConfig": { "secretRef": { "name": KUBECONFIG } } })
            }
        })
    }
}
