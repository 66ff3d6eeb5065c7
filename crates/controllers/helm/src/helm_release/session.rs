//! The cluster of a release: its client, its applier and the storage of its records.

use std::sync::Arc;

use sluice_apply::Applier;
use sluice_client::Cluster;
use sluice_helm::store::{Driver, StorageKind, Store};
use sluice_release::{ObjectDriver, ReleaseCluster};
use sluice_system::Clock;

use crate::metrics::{MeasuredDriver, ReleaseMetrics};

/// The cluster of a release, as the identity of the release.
pub(super) struct Session {
    pub(super) client: Cluster,
    pub(super) applier: Applier,
    pub(super) cluster: ReleaseCluster,
    clock: Arc<dyn Clock>,
    metrics: ReleaseMetrics,
}

impl Session {
    pub(super) fn new(
        applier: Applier,
        manager: &str,
        clock: Arc<dyn Clock>,
        metrics: ReleaseMetrics,
    ) -> Self {
        let client = applier.cluster().clone();
        Self {
            cluster: ReleaseCluster::new(client.clone(), manager, Arc::clone(&clock)),
            client,
            applier,
            clock,
            metrics,
        }
    }

    /// The records in a namespace.
    pub(super) fn store(&self, namespace: &str) -> Store {
        let driver = ObjectDriver::new(self.client.clone(), StorageKind::Secret, namespace);
        let metrics = self.metrics.clone();
        let driver: Arc<dyn Driver> = Arc::new(MeasuredDriver { driver, metrics });
        Store::new(driver, Arc::clone(&self.clock))
    }

    pub(super) fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }
}
