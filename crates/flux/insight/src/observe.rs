//! Reads the objects that an explanation needs.
//!
//! Flux's own objects are listed once, in all namespaces. Other objects are read by
//! name as the explanation names them.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::StreamExt as _;
use futures::future::join_all;
use sluice_client::{Cluster, GroupVersionKind, ListOptions, Resource as ServedKind};
use sluice_object::{Object, ObjectId};

use crate::error::Error;
use crate::explain::missing_objects;
use crate::health;
use crate::helm;
use crate::kinds::{RESOURCES, by_kind};
use crate::read::{find, get, objects};
use crate::snapshot::{Id, Snapshot};
use crate::wait_report::{self, WaitReport};

/// Rounds of reading objects that the last round named.
const MAX_ROUNDS: usize = 8;
/// Concurrent requests.
const MAX_CONCURRENT_REQUESTS: usize = 16;
/// Maximum duration of [`wait_report()`], after the wait itself timed out.
pub const LAST_LOOK: Duration = Duration::from_secs(5);
/// The label of the controllers' Deployments.
const CONTROLLERS: &str = "app.kubernetes.io/part-of=flux";

/// Reads everything that explains an object.
pub async fn surroundings(
    cluster: &Cluster,
    served: &[ServedKind],
    asked: &Object,
) -> Result<Snapshot, Error> {
    let observer = Observer { cluster, served };
    observer.surroundings(asked).await
}

struct Observer<'c> {
    cluster: &'c Cluster,
    served: &'c [ServedKind],
}

impl Observer<'_> {
    async fn surroundings(&self, asked: &Object) -> Result<Snapshot, Error> {
        let everything = ListOptions::default();
        let lists = RESOURCES.iter().map(|kind| {
            let gvk = kind.gvk();
            let everything = &everything;
            async move { self.cluster.list(&gvk, None, everything).await }
        });
        let mut snapshot = Snapshot::default();
        for list in join_all(lists).await {
            match list {
                Ok(list) => add_all(&mut snapshot, list.items),
                // Its CRD is not installed.
                Err(error) if error.has_no_match() => {}
                Err(error) => return Err(error.into()),
            }
        }
        snapshot.add(asked.clone());
        let mut namespaces = BTreeSet::new();
        let controllers = ListOptions {
            labels: Some(CONTROLLERS.to_owned()),
            ..ListOptions::default()
        };
        for controller in self.list("apps", "Deployment", None, controllers).await? {
            namespaces.insert(controller.namespace().to_owned());
            snapshot.add(controller);
        }
        if !asked.namespace().is_empty() {
            namespaces.insert(asked.namespace().to_owned());
        }
        for namespace in &namespaces {
            self.add_pods(&mut snapshot, namespace).await?;
        }
        for _ in 0..MAX_ROUNDS {
            let wanted = missing_objects(&snapshot, asked);
            if wanted.is_empty() {
                break;
            }
            for id in wanted {
                self.add(&mut snapshot, id, &mut namespaces).await?;
            }
        }
        Ok(snapshot)
    }

    /// Reads a named object and the Pods of its namespace.
    async fn add(
        &self,
        snapshot: &mut Snapshot,
        id: Id,
        namespaces: &mut BTreeSet<String>,
    ) -> Result<(), Error> {
        let kind = self.served.iter().find(|served| served.api.kind == id.kind);
        let found = match kind {
            Some(kind) => get(self.cluster, kind, &id.namespace, &id.name).await?,
            None => None,
        };
        match found {
            Some(object) => snapshot.add(object),
            None => snapshot.note_absent(id.clone()),
        }
        if !id.namespace.is_empty() && namespaces.insert(id.namespace.clone()) {
            self.add_pods(snapshot, &id.namespace).await?;
        }
        Ok(())
    }

    /// Reads the Pods of a namespace and its warnings.
    async fn add_pods(&self, snapshot: &mut Snapshot, namespace: &str) -> Result<(), Error> {
        let warnings = ListOptions {
            fields: Some("type=Warning".to_owned()),
            ..ListOptions::default()
        };
        for (kind, options) in [("Pod", ListOptions::default()), ("Event", warnings)] {
            for object in self.list("", kind, Some(namespace), options).await? {
                snapshot.add(object);
            }
        }
        Ok(())
    }

    /// The objects of a kind, or none if the user may not list them.
    async fn list(
        &self,
        group: &str,
        kind: &str,
        namespace: Option<&str>,
        options: ListOptions,
    ) -> Result<Vec<Object>, Error> {
        let gvk = GroupVersionKind::gvk(group, "v1", kind);
        match self.cluster.list(&gvk, namespace, &options).await {
            Ok(list) => Ok(objects(list.items).collect()),
            Err(error) if error.is_forbidden() => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }
}

fn add_all(snapshot: &mut Snapshot, items: Vec<serde_json::Value>) {
    for object in objects(items) {
        snapshot.add(object);
    }
}

/// Reads everything that an object needs, directly or not. Unreadable objects are skipped.
pub async fn chain(cluster: &Cluster, object: &Object, snapshot: &mut Snapshot) {
    let mut requested: Vec<Id> = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let mut wanted = wait_report::needed(snapshot, object);
        wanted.retain(|id| !requested.contains(id));
        if wanted.is_empty() {
            return;
        }
        let found: Vec<_> = futures::stream::iter(&wanted)
            .map(|id| async move {
                let kind = by_kind(&id.kind)?;
                let found = find(cluster, kind, &id.namespace, &id.name).await;
                Some((id.clone(), found.ok()?))
            })
            .buffered(MAX_CONCURRENT_REQUESTS)
            .collect()
            .await;
        for (id, found) in found.into_iter().flatten() {
            match found {
                Some(object) => snapshot.add(object),
                None => snapshot.note_absent(id),
            }
        }
        requested.append(&mut wanted);
    }
}

/// Reports what an object waits for, as far as it can be read in [`LAST_LOOK`].
pub async fn wait_report(cluster: &Cluster, object: &Object) -> WaitReport {
    let (mut snapshot, mut unready) = (Snapshot::default(), Vec::new());
    let read = async {
        chain(cluster, object, &mut snapshot).await;
        unready = unhealthy(cluster, object).await;
    };
    // The report omits objects that were not read in time.
    drop(tokio::time::timeout(LAST_LOOK, read).await);
    wait_report::report(&snapshot, object, unready)
}

/// The objects whose health an object waits for and that are not healthy.
pub async fn unhealthy(cluster: &Cluster, object: &Object) -> Vec<(ObjectId, String)> {
    let awaited = match object.kind() {
        "HelmRelease" => helm::awaited(cluster, object).await,
        _ => wait_report::awaited(object),
    };
    futures::stream::iter(awaited)
        .map(|id| async move {
            let health = health::read(cluster, &id).await.ok()?;
            (!health.is_current()).then(|| (id, health.to_string()))
        })
        .buffered(MAX_CONCURRENT_REQUESTS)
        .filter_map(std::future::ready)
        .collect()
        .await
}
