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

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::convert::Infallible;

    use sluice_client::{Config, Options};

    use super::*;

    fn key(object: &str, resource_version: &str) -> TargetKey {
        TargetKey {
            kind: "Secret",
            object: ObjectKey::new("apps", object),
            entry: "value".to_owned(),
            resource_version: resource_version.to_owned(),
        }
    }

    /// Asks for a target; tells whether a client had to be made.
    fn get(targets: &Targets, key: &TargetKey, identity: Option<&Identity>) -> (Cluster, bool) {
        let made = Cell::new(false);
        let connect = || {
            made.set(true);
            let config = Config::new("https://localhost:6443".parse().unwrap());
            Ok::<_, Infallible>(Cluster::connect(config, Options::new("test")).unwrap())
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
    async fn a_failure_is_not_kept() {
        let targets = Targets::default();
        let refused = targets.get(&key("remote", "1"), None, || Err::<Cluster, _>("no key"));
        assert_eq!(refused.err(), Some("no key"));
        assert!(get(&targets, &key("remote", "1"), None).1);
    }
}
