//! Applies controllers in stages, definitions and namespaces first, and waits until they run.

use std::sync::Arc;
use std::time::Duration;

use sluice_apply::{
    Applier, ApplierSettings, ApplyOptions, ApplyOutcome, Inventory, Owner, PruneOutcome,
    WaitOptions, WaitTarget, Watches,
};
use sluice_object::Object;
use sluice_system::SystemClock;

use crate::error::Error;
use crate::session::{FIELD_MANAGER, Session};

use sluice_golang::error::chain;

/// Applies, awaits and prunes objects of an installation.
pub struct Installer {
    applier: Applier,
    namespace: String,
}

impl Installer {
    /// An installer for the cluster of a session.
    pub fn new(session: &Session<'_>) -> Self {
        let mut settings = ApplierSettings::new(FIELD_MANAGER, "kustomize.toolkit.fluxcd.io");
        settings.concurrency = 16;
        let applier = Applier::new(
            session.cluster.clone(),
            Arc::new(settings),
            Watches::default(),
            Arc::new(SystemClock),
        );
        Self {
            applier,
            namespace: session.namespace.clone(),
        }
    }

    /// Applies objects in stages.
    pub async fn apply(&self, objects: Vec<Object>) -> Result<ApplyOutcome, Error> {
        // Installed objects belong to no Kustomization, so they get no owner labels.
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
        applied.map_err(|failure| Error::cluster(chain(&failure)))
    }

    /// Waits until every applied Deployment is ready and returns their names.
    pub async fn deployments_ready(
        &self,
        applied: Vec<WaitTarget>,
        timeout: Duration,
    ) -> Result<Vec<String>, Error> {
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
            .map_err(|error| Error::cluster(error.to_string()))?;
        Ok(names)
    }

    /// Waits until all objects are deleted; returns whether they are in time.
    pub async fn wait_gone(
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

    /// Deletes stale objects of a Kustomization, as its controller does.
    pub async fn prune(&self, stale: &Inventory, owner: &Owner) -> PruneOutcome {
        self.applier.prune(stale, owner).await
    }
}
