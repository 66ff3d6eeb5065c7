//! Bringing controllers into a cluster: definitions and namespaces first, the rest when they are
//! served; and waiting until they run.

use std::sync::Arc;
use std::time::Duration;

use sluice_apply::{
    Applier, ApplierSettings, ApplyOptions, ApplyOutcome, Inventory, Owner, PruneOutcome,
    WaitOptions, WaitTarget, Watches,
};
use sluice_object::Object;
use sluice_system::SystemClock;

use crate::cluster::{Context, FIELD_MANAGER};
use crate::error::CommandError;
use sluice_golang::error::chain;

/// The hand of the command line on the cluster.
pub(in crate::commands) struct Installer {
    applier: Applier,
    namespace: String,
}

impl Installer {
    pub(in crate::commands) fn new(context: &Context) -> Result<Self, CommandError> {
        let mut settings = ApplierSettings::new(FIELD_MANAGER, "kustomize.toolkit.fluxcd.io");
        settings.concurrency = 16;
        let applier = Applier::new(
            context.cluster()?.clone(),
            Arc::new(settings),
            Watches::default(),
            Arc::new(SystemClock),
        );
        Ok(Self {
            applier,
            namespace: context.namespace(),
        })
    }

    /// Applies objects in stages.
    pub(in crate::commands) async fn apply(
        &self,
        objects: Vec<Object>,
    ) -> Result<ApplyOutcome, CommandError> {
        // Installed objects belong to no Kustomization: the labels are not put on, and with
        // nothing known beforehand nothing is looked up by them.
        let owner = Owner {
            name: "flux".into(),
            namespace: self.namespace.clone(),
        };
        let options = ApplyOptions {
            owner: &owner,
            known: &Inventory::default(),
            force: false,
            wait_runner: None,
        };
        let applied = self.applier.apply_staged(objects, &options).await;
        applied.map_err(|failure| CommandError::cluster(chain(&failure)))
    }

    /// Waits until every Deployment among what was applied is ready, and gives their names.
    pub(in crate::commands) async fn deployments_ready(
        &self,
        applied: Vec<WaitTarget>,
        timeout: Duration,
    ) -> Result<Vec<String>, CommandError> {
        let deployments: Vec<_> = applied
            .into_iter()
            .filter(|target| target.id.kind == "Deployment")
            .collect();
        let names = deployments.iter().map(|target| target.id.name.clone());
        let names = names.collect();
        let options = WaitOptions {
            timeout: timeout.max(Duration::from_secs(1)),
            fail_fast: false,
        };
        let waited = self
            .applier
            .wait(deployments, options, std::future::pending());
        waited
            .await
            .map_err(|error| CommandError::cluster(error.to_string()))?;
        Ok(names)
    }

    /// Waits until none of these is there any more; whether that is so in time.
    pub(in crate::commands) async fn gone(
        &self,
        objects: impl IntoIterator<Item = WaitTarget>,
        timeout: Duration,
    ) -> bool {
        let options = WaitOptions {
            timeout: timeout.max(Duration::from_secs(1)),
            fail_fast: false,
        };
        self.applier.wait_gone(objects, options).await.is_ok()
    }

    /// Deletes what a Kustomization has of these, as its controller would.
    pub(in crate::commands) async fn prune(
        &self,
        stale: &Inventory,
        owner: &Owner,
    ) -> PruneOutcome {
        self.applier.prune(stale, owner).await
    }
}
