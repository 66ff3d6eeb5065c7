//! The removal of what an object put into the cluster, when the object goes.

use k8s_openapi::api::core::v1::ServiceAccount;
use kube::Api;
use sluice_api::kustomize::Kustomization;
use sluice_apply::{ChangeSetEntry, WaitOptions, WaitTarget};
use sluice_client::typed;
use sluice_engine::{Notice, Run};

use super::KustomizationReconciler;
use super::conclude;
use super::perform::{lines, unconnected};
use super::plan::{Account, Removal};

/// What a removal came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Removed {
    /// The object may go; what could not be done has been told.
    Yes,
    /// It may not yet.
    No(String),
}

impl KustomizationReconciler {
    /// Takes out what an object put in.
    pub(super) async fn remove(&self, removal: &Removal, run: &Run<Kustomization>) -> Removed {
        if removal.inventory.is_empty() {
            return Removed::Yes;
        }
        let told = |notice: Notice| run.notify(conclude::of_last_applied(&run.object(), notice));
        // What is told of a removal has the reason of the last run, as in Flux.
        let reason_or = |severity: &str| conclude::ready_reason(&run.object(), severity);
        if let Some(account) = &removal.account {
            match self.is_gone(&removal.owner.namespace, account).await {
                Ok(false) => {}
                Ok(true) => {
                    // With the account went the right to delete; holding on would keep
                    // the namespace from ever going.
                    let ids: Vec<String> = removal
                        .inventory
                        .entries()
                        .iter()
                        .map(|entry| entry.id.to_string())
                        .collect();
                    let message = format!("unable to prune objects: \n{}", ids.join("\n"));
                    told(Notice::error(reason_or("error"), message));
                    return Removed::Yes;
                }
                Err(error) => return Removed::No(error.to_string()),
            }
        }
        let (remote, account) = (removal.remote.as_ref(), removal.account.as_ref());
        let applier = match self.applier(run.key(), remote, account).await {
            Ok(applier) => applier,
            Err(error) => return Removed::No(unconnected(&error)),
        };
        let pruned = applier.prune(&removal.inventory, &removal.owner).await;
        if let Some(error) = pruned.error {
            told(Notice::error(
                reason_or("error"),
                "pruning for deleted resource failed",
            ));
            return Removed::No(error.to_string());
        }
        let deleted: Vec<&ChangeSetEntry> = pruned.changes.changed().collect();
        if !pruned.changes.is_empty() {
            told(Notice::info(
                reason_or("info"),
                lines(&pruned.changes.entries),
            ));
        }
        if let Some(timeout) = removal.await_termination {
            let targets: Vec<WaitTarget> = deleted
                .iter()
                .map(|entry| WaitTarget::new(entry.id.clone(), entry.version.clone()))
                .collect();
            let options = WaitOptions {
                timeout,
                fail_fast: false,
            };
            let waiting = Box::pin(applier.wait_gone(targets, options));
            if let Err(error) = run.release(waiting).await {
                tracing::error!(%error, "failed to wait for resources termination");
                told(Notice::error(
                    reason_or("error"),
                    "failed to wait for resources termination",
                ));
            }
        }
        Removed::Yes
    }

    /// Whether a service account does not exist.
    pub(super) async fn is_gone(
        &self,
        namespace: &str,
        account: &Account,
    ) -> Result<bool, sluice_client::Error> {
        let cluster = self.component.cluster();
        let api: Api<ServiceAccount> = Api::namespaced(cluster.client().clone(), namespace);
        let found = typed::get_metadata_opt(&api, &account.name).await;
        let action = || format!("get ServiceAccount {namespace}/{}", account.name);
        found
            .map(|found| found.is_none())
            .map_err(|error| cluster.error(action(), error))
    }
}
