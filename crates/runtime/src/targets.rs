//! Clusters to apply to: ours or a remote one, as ourselves or as somebody.
//!
//! Making a client costs TLS set-up, discovery and connections; tenants reconcile
//! every few minutes. So clients are kept, keyed by everything that makes them what
//! they are: the Secret, its version and the identity. Two tenants never share one
//! unless all of that is equal.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use sluice_client::{Cluster, Identity};

use crate::key::ObjectKey;

/// Remote clusters that are kept. Beyond it, the one not used for longest goes.
const MAX_TARGETS: usize = 256;

/// Where a remote cluster's access data came from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TargetKey {
    /// `Secret` or `ConfigMap`.
    pub kind: &'static str,
    /// Which.
    pub object: ObjectKey,
    /// The entry in it.
    pub entry: String,
    /// Its version: a rotated credential makes another client.
    pub resource_version: String,
}

/// Keeps clients of remote clusters. Cheap to clone.
#[derive(Clone, Default)]
pub struct Targets {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    clusters: HashMap<TargetKey, (u64, Cluster)>,
    uses: u64,
}

impl Targets {
    /// The client of a remote cluster as `identity`, or as its credentials say. Made
    /// by `connect` unless it is kept.
    pub fn get<E>(
        &self,
        key: &TargetKey,
        identity: Option<&Identity>,
        connect: impl FnOnce() -> Result<Cluster, E>,
    ) -> Result<Cluster, E> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.uses += 1;
        let use_number = kept.uses;
        let cluster = match kept.clusters.get_mut(key) {
            Some((used, cluster)) => {
                *used = use_number;
                cluster.clone()
            }
            None => {
                let cluster = connect()?;
                // Another version of the same access data will not be asked for again.
                kept.clusters.retain(|other, _| {
                    (other.kind, &other.object, &other.entry) != (key.kind, &key.object, &key.entry)
                });
                kept.make_room();
                kept.clusters
                    .insert(key.clone(), (use_number, cluster.clone()));
                cluster
            }
        };
        drop(kept);
        // Identities are kept by the cluster itself.
        Ok(match identity {
            Some(identity) => cluster.impersonate(identity),
            None => cluster,
        })
    }
}

impl Kept {
    fn make_room(&mut self) {
        if self.clusters.len() < MAX_TARGETS {
            return;
        }
        let oldest = self
            .clusters
            .iter()
            .min_by_key(|(_, (used, _))| *used)
            .map(|(key, _)| key.clone());
        if let Some(oldest) = oldest {
            self.clusters.remove(&oldest);
        }
    }
}
