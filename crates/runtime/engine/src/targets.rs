//! Clusters to apply to: ours or a remote one, as ourselves or as somebody.
//!
//! Making a client costs TLS set-up, discovery and connections; tenants reconcile
//! every few minutes. So clients are kept, keyed by everything that makes them what
//! they are: the Secret, its version and the identity. Two tenants never share one
//! unless all of that is equal.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

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
    /// Which clients are being made: whoever asks for the same one waits for it.
    making: HashMap<TargetKey, Weak<Mutex<()>>>,
}

impl Targets {
    /// The client of a remote cluster as `identity`, or as its credentials say. Made
    /// by `connect` unless it is kept, which may take long (a credential plugin) and
    /// keeps only those waiting who ask for the same. Blocks.
    pub fn get<E>(
        &self,
        key: &TargetKey,
        identity: Option<&Identity>,
        connect: impl FnOnce() -> Result<Cluster, E>,
    ) -> Result<Cluster, E> {
        let cluster = self.plain(key, connect)?;
        // Identities are kept by the cluster itself.
        Ok(match identity {
            Some(identity) => cluster.impersonate(identity),
            None => cluster,
        })
    }

    fn plain<E>(
        &self,
        key: &TargetKey,
        connect: impl FnOnce() -> Result<Cluster, E>,
    ) -> Result<Cluster, E> {
        let making = {
            let mut kept = self.lock();
            if let Some(cluster) = kept.find(key) {
                return Ok(cluster);
            }
            kept.making(key)
        };
        let _turn = making.lock().unwrap_or_else(PoisonError::into_inner);
        // It may have been made by whoever had the turn before.
        if let Some(cluster) = self.lock().find(key) {
            return Ok(cluster);
        }
        let cluster = connect()?;
        self.lock().keep(key, &cluster);
        Ok(cluster)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn find(&mut self, key: &TargetKey) -> Option<Cluster> {
        let (used, cluster) = self.clusters.get_mut(key)?;
        self.uses += 1;
        *used = self.uses;
        Some(cluster.clone())
    }

    /// The turn of those who want to make the same client.
    fn making(&mut self, key: &TargetKey) -> Arc<Mutex<()>> {
        if let Some(making) = self.making.get(key).and_then(Weak::upgrade) {
            return making;
        }
        self.making.retain(|_, making| making.strong_count() > 0);
        let making = Arc::default();
        self.making.insert(key.clone(), Arc::downgrade(&making));
        making
    }

    fn keep(&mut self, key: &TargetKey, cluster: &Cluster) {
        // Another version of the same access data will not be asked for again.
        self.clusters.retain(|other, _| {
            (other.kind, &other.object, &other.entry) != (key.kind, &key.object, &key.entry)
        });
        self.make_room();
        self.uses += 1;
        self.clusters
            .insert(key.clone(), (self.uses, cluster.clone()));
    }

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

    /// Asks for a target; tells whether a client had to be made.
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
    async fn a_client_is_made_once_for_the_same_access_data() {
        let targets = Targets::default();
        let (first, made) = get(&targets, &key("remote", "1"), None);
        assert!(made);
        let (second, made) = get(&targets, &key("remote", "1"), None);
        assert!(!made && first.is_same(&second));
    }

    #[tokio::test]
    async fn a_rotated_credential_makes_another_client_and_forgets_the_old_one() {
        let targets = Targets::default();
        let (old, _) = get(&targets, &key("remote", "1"), None);
        let (new, made) = get(&targets, &key("remote", "2"), None);
        assert!(made && !old.is_same(&new));
        assert_eq!(targets.kept.lock().unwrap().clusters.len(), 1);
        assert!(get(&targets, &key("remote", "1"), None).1);
    }

    #[tokio::test]
    async fn objects_entries_and_identities_are_never_mixed() {
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
    async fn beyond_the_limit_the_one_not_used_for_longest_goes() {
        let targets = Targets::default();
        for number in 0..MAX_TARGETS {
            get(&targets, &key(&number.to_string(), "1"), None);
        }
        assert!(!get(&targets, &key("0", "1"), None).1, "used again");
        assert!(get(&targets, &key("one more", "1"), None).1);
        assert_eq!(targets.kept.lock().unwrap().clusters.len(), MAX_TARGETS);
        assert!(!get(&targets, &key("0", "1"), None).1);
        assert!(get(&targets, &key("1", "1"), None).1, "it made room");
    }

    #[tokio::test]
    async fn a_client_that_takes_long_keeps_only_those_waiting_who_ask_for_the_same() {
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
    async fn a_failure_is_not_kept() {
        let targets = Targets::default();
        let refused = targets.get(&key("remote", "1"), None, || Err::<Cluster, _>("no key"));
        assert_eq!(refused.err(), Some("no key"));
        assert!(get(&targets, &key("remote", "1"), None).1);
    }
}
