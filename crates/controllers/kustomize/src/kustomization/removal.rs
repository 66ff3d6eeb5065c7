//! Deletes the objects of a Kustomization when it is deleted.

use sluice_api::kustomize::Kustomization;
use sluice_apply::{ChangeSetEntry, WaitOptions, WaitTarget};
use sluice_consumer::is_account_missing;
use sluice_engine::{Notice, Run};
use sluice_golang::error::chain;
use sluice_host::RemoteError;

use super::KustomizationReconciler;
use super::conclude;
use super::failure::{CONNECTION_FAILED, lines};
use super::model::Removal;
use super::perform::requester;

impl KustomizationReconciler {
    /// Deletes the objects of an inventory.
    pub(super) async fn remove(
        &self,
        removal: &Removal,
        run: &Run<Kustomization>,
    ) -> Result<(), String> {
        if removal.inventory.is_empty() {
            return Ok(());
        }
        let notify = |notice: Notice| {
            run.notify(conclude::with_last_applied_revision(&run.object(), notice));
        };
        // As in Flux, events of a removal have the reason of the last run.
        let connection_error = |error: RemoteError| format!("{CONNECTION_FAILED}{}", chain(&error));
        let reason_or = |severity: &str| conclude::ready_reason(&run.object(), severity);
        if let Some(account) = &removal.account {
            // A remote cluster has its own accounts. The connection itself may read them.
            let (requester, remote) = (requester(run.key()), removal.remote.as_ref());
            let connecting = self.clusters.connect(requester, remote, None);
            let cluster = connecting.await.map_err(connection_error)?;
            match is_account_missing(&cluster, &removal.owner.namespace, account).await {
                Ok(false) => {}
                Ok(true) => {
                    // Without the account the objects cannot be deleted. Keeping the finalizer
                    // would block the deletion of the namespace.
                    let ids: Vec<String> = removal
                        .inventory
                        .entries()
                        .iter()
                        .map(|entry| entry.id.to_string())
                        .collect();
                    let message = format!("unable to prune objects: \n{}", ids.join("\n"));
                    notify(Notice::error(reason_or("error"), message));
                    return Ok(());
                }
                Err(error) => return Err(error.to_string()),
            }
        }
        let (remote, account) = (removal.remote.as_ref(), removal.account.as_ref());
        let applier = match self.applier(run.key(), remote, account).await {
            Ok(applier) => applier,
            Err(error) => return Err(connection_error(error)),
        };
        let pruned = applier.prune(&removal.inventory, &removal.owner).await;
        if let Some(error) = pruned.error {
            notify(Notice::error(
                reason_or("error"),
                "pruning for deleted resource failed",
            ));
            return Err(error.to_string());
        }
        let deleted: Vec<&ChangeSetEntry> = pruned.changes.changed().collect();
        if !pruned.changes.is_empty() {
            notify(Notice::info(
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
                notify(Notice::error(
                    reason_or("error"),
                    "failed to wait for resources termination",
                ));
            }
        }
        Ok(())
    }
}
