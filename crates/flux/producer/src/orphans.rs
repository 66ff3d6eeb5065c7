//! Removes artifacts of deleted objects. An object that was deleted during downtime, or that left
//! this controller's shard, leaves its directory behind.
//!
//! Removal is slow and safe: an object must be absent twice, an hour apart. The API server must
//! confirm it each time without a filter. Artifacts of another shard stay as long as the
//! object exists.

use std::collections::HashMap;
use std::convert::Infallible;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use sluice_artifact::FileError;
use sluice_artifact::storage::Location;
use sluice_client::Cluster;
use sluice_client::typed::Api;
use sluice_engine::{Kind, ObjectKey, Task, Watchable};
use sluice_golang::error::chain;
use sluice_system::blocking;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::storage::KindStorage;

/// How often directories are compared with objects.
const SWEEP_INTERVAL: Duration = Duration::from_hours(1);
/// How long an object must be absent before its artifacts are removed.
const ABSENCE_GRACE: Duration = Duration::from_hours(1);

/// Finds and removes the orphaned artifacts of one kind.
pub struct Orphans<K> {
    storage: Arc<KindStorage>,
    /// Whether this controller watches the object.
    is_ours: Box<dyn Fn(&ObjectKey) -> bool + Send + Sync>,
    cluster: Cluster,
    /// The watched namespace, or `None` for all.
    namespace: Option<String>,
    /// Directories without an object, and since when.
    absent: HashMap<ObjectKey, Instant>,
    marker: PhantomData<fn() -> K>,
}

/// Whether an unwatched object exists in the cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Existence {
    Gone,
    NotOurs,
}

impl<K: Kind + Watchable> Orphans<K> {
    /// Without a namespace, it checks all. `is_ours` returns whether this controller watches an
    /// object.
    pub fn new(
        storage: Arc<KindStorage>,
        is_ours: impl Fn(&ObjectKey) -> bool + Send + Sync + 'static,
        cluster: Cluster,
        namespace: Option<String>,
    ) -> Self {
        Self {
            storage,
            is_ours: Box::new(is_ours),
            cluster,
            namespace,
            absent: HashMap::new(),
            marker: PhantomData,
        }
    }

    /// Sweeps every `SWEEP_INTERVAL`, starting once `ready` completes.
    pub fn into_task<F>(mut self, ready: F) -> Task
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let name = format!("orphans-{}", self.storage.kind().to_lowercase());
        Task::new(name, async move |stop: CancellationToken| {
            tokio::select! {
                () = stop.cancelled() => return Ok::<_, Infallible>(()),
                () = ready => {}
            }
            loop {
                match self.sweep(Instant::now()).await {
                    Ok(0) => {}
                    Ok(removed) => tracing::info!(
                        removed,
                        kind = self.storage.kind(),
                        "removed artifacts of objects that are gone"
                    ),
                    Err(error) => {
                        let error = chain(&error);
                        tracing::warn!(error, "failed to compare artifacts with objects");
                    }
                }
                tokio::select! {
                    () = stop.cancelled() => return Ok(()),
                    () = tokio::time::sleep(SWEEP_INTERVAL) => {}
                }
            }
        })
    }

    /// Checks all directories and returns how many were removed.
    async fn sweep(&mut self, now: Instant) -> Result<usize, FileError> {
        let storage = Arc::clone(&self.storage);
        let found = blocking(move || storage.storage().locations(storage.kind())).await?;
        let mut absent = HashMap::new();
        let mut removed = 0;
        for location in found {
            let key = ObjectKey::new(location.namespace(), location.name());
            let watched = self
                .namespace
                .as_deref()
                .is_none_or(|ours| ours == key.namespace());
            if !watched || (self.is_ours)(&key) {
                continue;
            }
            let Some(existence) = self.existence(&key).await else {
                continue;
            };
            let since = *self.absent.get(&key).unwrap_or(&now);
            if now.duration_since(since) >= ABSENCE_GRACE
                && self.remove(&location, existence).await?
            {
                tracing::info!(object = %key, kind = self.storage.kind(), "removed the artifacts of an object that is gone");
                removed += 1;
                continue;
            }
            absent.insert(key, since);
        }
        self.absent = absent;
        Ok(removed)
    }

    /// Asks the API server, since the watch may filter the object out. Returns `None` if the
    /// request fails.
    async fn existence(&self, key: &ObjectKey) -> Option<Existence> {
        let api: Api<K> = Api::namespaced(self.cluster.client().clone(), key.namespace());
        match api.get_metadata_opt(key.name()).await {
            Ok(None) => Some(Existence::Gone),
            Ok(Some(_)) => Some(Existence::NotOurs),
            Err(error) => {
                let error = self.cluster.error("get", error);
                tracing::debug!(error = %error.message(), object = %key, "failed to check whether the object exists");
                None
            }
        }
    }

    async fn remove(&self, location: &Location, existence: Existence) -> Result<bool, FileError> {
        let (storage, location) = (Arc::clone(&self.storage), location.clone());
        blocking(move || {
            let files = storage.storage();
            // Artifacts of existing objects without our mark belong to another shard or to Flux.
            if existence == Existence::NotOurs && !files.is_owner(&location, storage.owner())? {
                return Ok(false);
            }
            files.delete(&location)
        })
        .await
    }
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    reason = "a test reads the files without the storage"
)]
mod tests {
    use std::path::Path;

    use serde_json::json;
    use sluice_api::source::GitRepository;
    use sluice_artifact::storage::{Options, Retention, Storage};
    use sluice_digest::Algorithm;
    use sluice_testkit::kube::api::PostParams;

    use super::*;

    fn storage(root: &Path) -> Arc<Storage> {
        let options = Options {
            root: root.to_owned(),
            address: "here".to_owned(),
            algorithm: Algorithm::default(),
            retention: Retention::default(),
        };
        Arc::new(Storage::open(options).unwrap())
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn sweep_removes_only_long_gone_and_departed_objects() {
        let bed = sluice_testkit::cluster().await;
        let namespace = bed.namespace("orphans").await;
        let cluster = bed.connect().await;
        let api: Api<GitRepository> = Api::namespaced(cluster.client().clone(), &namespace);
        for name in ["watched", "flux", "left"] {
            let object = serde_json::from_value(json!({
                "apiVersion": "source.toolkit.fluxcd.io/v1",
                "kind": "GitRepository",
                "metadata": { "name": name },
                "spec": { "url": "https://example.com/x", "interval": "1h" },
            }));
            api.create(&PostParams::default(), &object.unwrap())
                .await
                .unwrap();
        }
        let root = tempfile::tempdir().unwrap();
        let storage = storage(root.path());
        let directory = |namespace: &str, name: &str| {
            root.path().join("gitrepository").join(namespace).join(name)
        };
        let all = ["watched", "flux", "left", "gone"];
        for name in all {
            std::fs::create_dir_all(directory(&namespace, name)).unwrap();
        }
        // Other namespaces and kinds must stay untouched.
        std::fs::create_dir_all(directory("elsewhere", "gone")).unwrap();
        std::fs::create_dir_all(root.path().join(format!("bucket/{namespace}/gone"))).unwrap();
        let left = Location::new("GitRepository", &namespace, "left").unwrap();
        storage.set_owner(&left, "us").unwrap();

        let kind_storage = KindStorage::of::<GitRepository>(Arc::clone(&storage), "us".to_owned());
        let mut orphans = Orphans::<GitRepository>::new(
            Arc::new(kind_storage),
            |key| key.name() == "watched",
            cluster,
            Some(namespace.clone()),
        );
        let there = || -> Vec<&str> {
            all.into_iter()
                .filter(|name| directory(&namespace, name).exists())
                .collect()
        };
        let start = Instant::now();
        assert_eq!(orphans.sweep(start).await.unwrap(), 0);
        assert_eq!(orphans.sweep(start + ABSENCE_GRACE / 2).await.unwrap(), 0);
        assert_eq!(there(), all);
        assert_eq!(orphans.sweep(start + ABSENCE_GRACE).await.unwrap(), 2);
        assert_eq!(there(), ["watched", "flux"]);
        assert!(directory("elsewhere", "gone").exists());
        assert!(
            root.path()
                .join(format!("bucket/{namespace}/gone"))
                .exists()
        );
        assert!(!storage.is_owner(&left, "us").unwrap());
    }
}
