//! Caches the clients of remote clusters.
//!
//! A client costs TLS set-up, discovery and connections, and tenants reconcile every few minutes.
//! The key of a client is everything that it depends on: the Secret, its version and the entry. So
//! two tenants share a client only if all of that is equal.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use sluice_client::{Cluster, Identity};
use sluice_engine::ObjectKey;

/// Cached clients; beyond this the least recently used one is dropped.
const MAX_CLIENTS: usize = 256;

/// The source of the credentials of a remote cluster.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TargetKey {
    /// `Secret` or `ConfigMap`.
    pub kind: &'static str,
    /// The object.
    pub object: ObjectKey,
    /// The entry of the object.
    pub entry: String,
    /// The version of the object: a rotated credential needs another client.
    pub resource_version: String,
}

/// The cache. Cheap to clone.
#[derive(Clone, Default)]
pub struct Targets {
    cache: Arc<Mutex<Cache>>,
}

#[derive(Default)]
struct Cache {
    clusters: HashMap<TargetKey, (u64, Cluster)>,
    uses: u64,
    /// The clients that are being connected; other requests for the same one wait.
    connecting: HashMap<TargetKey, Weak<Mutex<()>>>,
}

impl Targets {
    /// Returns the client of a remote cluster, impersonating `identity` if there is one. Calls
    /// `connect` unless the client is cached. A slow connection (a credential plugin) delays only
    /// requests for the same client. Blocks.
    pub fn get<E>(
        &self,
        key: &TargetKey,
        identity: Option<&Identity>,
        connect: impl FnOnce() -> Result<Cluster, E>,
    ) -> Result<Cluster, E> {
        let cluster = self.get_or_connect(key, connect)?;
        // The cluster itself caches impersonated clients.
        Ok(match identity {
            Some(identity) => cluster.impersonate(identity),
            None => cluster,
        })
    }

    fn get_or_connect<E>(
        &self,
        key: &TargetKey,
        connect: impl FnOnce() -> Result<Cluster, E>,
    ) -> Result<Cluster, E> {
        let connecting = {
            let mut cache = self.lock();
            if let Some(cluster) = cache.find(key) {
                return Ok(cluster);
            }
            cache.connecting_lock(key)
        };
        let _exclusive = connecting.lock().unwrap_or_else(PoisonError::into_inner);
        // Another request may have connected it meanwhile.
        if let Some(cluster) = self.lock().find(key) {
            return Ok(cluster);
        }
        let cluster = connect()?;
        self.lock().insert(key, &cluster);
        Ok(cluster)
    }

    fn lock(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cache {
    fn find(&mut self, key: &TargetKey) -> Option<Cluster> {
        let (used, cluster) = self.clusters.get_mut(key)?;
        self.uses += 1;
        *used = self.uses;
        Some(cluster.clone())
    }

    /// The lock that serializes connections of the same client.
    fn connecting_lock(&mut self, key: &TargetKey) -> Arc<Mutex<()>> {
        if let Some(connecting) = self.connecting.get(key).and_then(Weak::upgrade) {
            return connecting;
        }
        self.connecting
            .retain(|_, connecting| connecting.strong_count() > 0);
        let connecting = Arc::default();
        self.connecting
            .insert(key.clone(), Arc::downgrade(&connecting));
        connecting
    }

    fn insert(&mut self, key: &TargetKey, cluster: &Cluster) {
        // Older versions of the same credentials are not needed any more.
        self.clusters.retain(|other, _| {
            (other.kind, &other.object, &other.entry) != (key.kind, &key.object, &key.entry)
        });
        self.evict();
        self.uses += 1;
        self.clusters
            .insert(key.clone(), (self.uses, cluster.clone()));
    }

    fn evict(&mut self) {
        if self.clusters.len() < MAX_CLIENTS {
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::convert::Infallible;
    use std::sync::mpsc;
    use std::time::Duration;

    use sluice_client::{Config, Options};
    use tokio::runtime::Handle;

    use super::*;

    fn key(object: &str, resource_version: &str) -> TargetKey {
        TargetKey {
            kind: "Secret",
            object: ObjectKey::new("apps", object),
            entry: "value".to_owned(),
            resource_version: resource_version.to_owned(),
        }
    }

    fn client() -> Cluster {
        let config = Config::new("https://localhost:6443".parse().unwrap());
        Cluster::connect(config, Options::new("test")).unwrap()
    }

    /// Returns a client, and whether it had to be connected.
    fn get(targets: &Targets, key: &TargetKey, identity: Option<&Identity>) -> (Cluster, bool) {
        let made = Cell::new(false);
        let connect = || {
            made.set(true);
            Ok::<_, Infallible>(client())
        };
        let cluster = targets.get(key, identity, connect).unwrap();
        (cluster, made.get())
    }

    #[tokio::test]
    async fn same_credentials_share_a_client() {
        let targets = Targets::default();
        let (first, made) = get(&targets, &key("remote", "1"), None);
        assert!(made);
        let (second, made) = get(&targets, &key("remote", "1"), None);
        assert!(!made && first.is_same(&second));
    }

    #[tokio::test]
    async fn rotated_credential_replaces_the_client() {
        let targets = Targets::default();
        let (old, _) = get(&targets, &key("remote", "1"), None);
        let (new, made) = get(&targets, &key("remote", "2"), None);
        assert!(made && !old.is_same(&new));
        assert_eq!(targets.cache.lock().unwrap().clusters.len(), 1);
        assert!(get(&targets, &key("remote", "1"), None).1);
    }

    #[tokio::test]
    async fn clients_are_keyed_by_object_entry_and_identity() {
        let targets = Targets::default();
        let (one, _) = get(&targets, &key("one", "1"), None);
        for other in [
            key("other", "1"),
            TargetKey {
                kind: "ConfigMap",
                ..key("one", "1")
            },
            TargetKey {
                entry: "value.yaml".to_owned(),
                ..key("one", "1")
            },
            TargetKey {
                object: ObjectKey::new("else", "one"),
                ..key("one", "1")
            },
        ] {
            let (other, made) = get(&targets, &other, None);
            assert!(made && !one.is_same(&other));
        }
        let tenant = Identity::service_account("apps", "deployer").unwrap();
        let (as_tenant, made) = get(&targets, &key("one", "1"), Some(&tenant));
        assert!(!made, "the connection is the same");
        assert!(!as_tenant.is_same(&one));
        assert_eq!(as_tenant.identity(), Some(&tenant));
        assert_eq!(one.identity(), None);
    }

    #[tokio::test]
    async fn least_recently_used_client_is_evicted() {
        let targets = Targets::default();
        for number in 0..MAX_CLIENTS {
            get(&targets, &key(&number.to_string(), "1"), None);
        }
        assert!(!get(&targets, &key("0", "1"), None).1, "used again");
        assert!(get(&targets, &key("one more", "1"), None).1);
        assert_eq!(targets.cache.lock().unwrap().clusters.len(), MAX_CLIENTS);
        assert!(!get(&targets, &key("0", "1"), None).1);
        assert!(get(&targets, &key("1", "1"), None).1, "it made room");
    }

    #[tokio::test]
    async fn slow_connection_delays_the_same_client_only() {
        let targets = Targets::default();
        let (connecting, begun) = mpsc::channel();
        let (go_on, others_are_served) = mpsc::channel();
        let slow = move || {
            connecting.send(()).unwrap();
            let served = others_are_served.recv_timeout(Duration::from_mins(1));
            assert_eq!(served, Ok(()), "others wait for it");
            Ok::<_, Infallible>(client())
        };
        let (targets, runtime) = (&targets, &Handle::current());
        std::thread::scope(|threads| {
            let first = threads.spawn(move || {
                let _runtime = runtime.enter();
                targets.get(&key("slow", "1"), None, slow).unwrap()
            });
            begun.recv().unwrap();
            let second = threads.spawn(|| {
                let _runtime = runtime.enter();
                get(targets, &key("slow", "1"), None)
            });
            assert!(get(targets, &key("quick", "1"), None).1);
            go_on.send(()).unwrap();
            let (second, made) = second.join().unwrap();
            assert!(!made && second.is_same(&first.join().unwrap()));
        });
    }

    #[tokio::test]
    async fn failed_connection_is_not_cached() {
        let targets = Targets::default();
        let refused = targets.get(&key("remote", "1"), None, || Err::<Cluster, _>("no key"));
        assert_eq!(refused.err(), Some("no key"));
        assert!(get(&targets, &key("remote", "1"), None).1);
    }
}
