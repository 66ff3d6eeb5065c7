//! `HelmRepository` and `HelmChart`: the test environment for the files in this directory.

mod charts;
mod files;
mod hostile;
mod notation;
mod registry;
mod repositories;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::Read as _;
use std::ops::Deref;
use std::path::PathBuf;

use k8s_openapi::NamespaceResourceScope;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sluice_api::Artifact;
use sluice_api::meta::Conditions;
use sluice_api::source::{
    Bucket, BucketStatus, HelmChart, HelmChartStatus, HelmRepository, HelmRepositoryStatus,
};
use sluice_artifact::untar::{Entries, Limits, Links};
use sluice_testkit::kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use sluice_testkit::kube::core::object::HasStatus;
use sluice_testkit::kube::{Api, Resource};
use sluice_testkit::{ChartServer, wait};

use crate::World;

/// A test environment with a chart server.
pub(crate) struct Helm {
    world: World,
    pub(crate) server: ChartServer,
}

impl Deref for Helm {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

/// The fields of a status that both kinds have.
pub(crate) trait Status {
    fn artifact(&self) -> Option<&Artifact>;
    fn conditions(&self) -> &Conditions;
    fn handled(&self) -> Option<&str>;
}

macro_rules! statuses {
    ($($status:ident),+) => {$(
        impl Status for $status {
            fn artifact(&self) -> Option<&Artifact> {
                self.artifact.as_ref()
            }

            fn conditions(&self) -> &Conditions {
                &self.conditions
            }

            fn handled(&self) -> Option<&str> {
                self.last_handled_reconcile_at.as_deref()
            }
        }
    )+};
}

statuses!(HelmRepositoryStatus, HelmChartStatus, BucketStatus);

/// A kind of these tests.
pub(crate) trait Kind:
    Resource<Scope = NamespaceResourceScope, DynamicType = ()>
    + HasStatus<Status: Status>
    + Clone
    + Send
    + Debug
    + Serialize
    + DeserializeOwned
    + 'static
{
}

impl Kind for HelmRepository {}
impl Kind for HelmChart {}
impl Kind for Bucket {}

impl Helm {
    pub(crate) async fn new(prefix: &str) -> Self {
        let (world, server) = tokio::join!(World::new(prefix), ChartServer::start());
        Self { world, server }
    }

    pub(crate) async fn objects<K: Kind>(&self) -> Api<K> {
        Api::namespaced(self.bed.client().await, &self.namespace)
    }

    pub(crate) fn directory(&self, kind: &str, name: &str) -> PathBuf {
        self.storage().join(kind).join(&self.namespace).join(name)
    }

    /// The content of a stored artifact.
    pub(crate) fn stored<K: Kind>(&self, object: &K) -> Vec<u8> {
        std::fs::read(self.storage().join(&artifact(object).path)).unwrap()
    }

    /// Creates a repository of the chart server, with these changes to its spec.
    pub(crate) async fn follow(&self, name: &str, spec: &Value) {
        let spec = changed(json!({ "url": self.server.url(), "interval": "1h" }), spec);
        self.make::<HelmRepository>(name, &spec).await;
    }

    /// Creates a chart of the repository `charts`, with these changes to its spec.
    pub(crate) async fn chart(&self, name: &str, spec: &Value) {
        let source = json!({ "kind": "HelmRepository", "name": "charts" });
        let spec = changed(
            json!({ "chart": "app", "interval": "1h", "sourceRef": source }),
            spec,
        );
        self.make::<HelmChart>(name, &spec).await;
    }

    pub(crate) async fn make<K: Kind>(&self, name: &str, spec: &Value) {
        let object = serde_json::from_value(json!({
            "apiVersion": K::api_version(&()),
            "kind": K::kind(&()),
            "metadata": { "name": name, "namespace": self.namespace },
            "spec": spec,
        }))
        .unwrap();
        let api = self.objects::<K>().await;
        api.create(&PostParams::default(), &object).await.unwrap();
    }

    pub(crate) async fn change<K: Kind>(&self, name: &str, patch: Value) -> K {
        let api = self.objects().await;
        let patch = Patch::Merge(patch);
        api.patch(name, &PatchParams::default(), &patch)
            .await
            .unwrap()
    }

    /// Deletes an object and waits until it is gone.
    pub(crate) async fn delete<K: Kind>(&self, name: &str) {
        let api = self.objects::<K>().await;
        api.delete(name, &DeleteParams::default()).await.unwrap();
        wait::until(&api, name, "is gone", |object| object.is_none()).await;
    }

    /// Requests a reconciliation and waits until it was handled.
    pub(crate) async fn ask<K: Kind>(&self, name: &str) -> K {
        let token = self.bed.name("request");
        let annotations = json!({ "reconcile.fluxcd.io/requestedAt": token });
        self.change::<K>(name, json!({ "metadata": { "annotations": annotations } }))
            .await;
        self.sees(name, "handles the request", |object: &K| {
            object.status().and_then(Status::handled) == Some(&*token)
        })
        .await
    }

    pub(crate) async fn sees<K: Kind>(
        &self,
        name: &str,
        claim: &str,
        holds: impl Fn(&K) -> bool,
    ) -> K {
        let api = self.objects().await;
        let seen = wait::until(&api, name, claim, |object| object.is_some_and(&holds));
        seen.await.unwrap()
    }

    pub(crate) async fn becomes_ready<K: Kind>(&self, name: &str) -> K {
        self.sees(name, "becomes Ready", |object: &K| {
            state(object, "Ready").0 == "True"
        })
        .await
    }

    /// Waits until a chart is ready with this revision.
    pub(crate) async fn has_chart(&self, name: &str, version: &str) -> HelmChart {
        let claim = format!("has version {version}");
        self.sees(name, &claim, |chart: &HelmChart| {
            let artifact = chart.status().and_then(Status::artifact);
            state(chart, "Ready").0 == "True"
                && artifact.is_some_and(|artifact| artifact.revision == version)
        })
        .await
    }

    /// Waits until `Ready` is false for this reason, and returns the object and the message.
    pub(crate) async fn is_refused<K: Kind>(&self, name: &str, reason: &str) -> (K, String) {
        let claim = format!("is refused as {reason}");
        let object = self
            .sees(name, &claim, |object: &K| {
                let (status, why, _) = state(object, "Ready");
                status == "False" && why == reason
            })
            .await;
        let message = state(&object, "Ready").2;
        (object, message)
    }
}

/// A spec with changes.
fn changed(mut spec: Value, changes: &Value) -> Value {
    for (key, value) in changes.as_object().unwrap() {
        spec[key] = value.clone();
    }
    spec
}

/// Status, reason and message of a condition. All are empty if it is missing.
pub(crate) fn state<K: Kind>(object: &K, type_: &str) -> (String, String, String) {
    let status = object.status();
    let condition = status.and_then(|status| status.conditions().find(type_));
    condition.map_or_else(Default::default, |condition| {
        let status = condition.status.as_str().to_owned();
        (status, condition.reason.clone(), condition.message.clone())
    })
}

pub(crate) fn artifact<K: Kind>(object: &K) -> &Artifact {
    let artifact = object.status().and_then(Status::artifact);
    artifact.expect("the status has an artifact")
}

/// The files of an archive.
pub(crate) fn entries(archive: &[u8]) -> BTreeMap<String, String> {
    let mut entries = Entries::new(archive, Links::Skip, Limits::default());
    let mut files = BTreeMap::new();
    while let Some(mut entry) = entries.next_entry().unwrap() {
        let path = entry.path().display().to_string();
        let mut content = String::new();
        entry.read_to_string(&mut content).unwrap();
        files.insert(path, content);
    }
    files
}
