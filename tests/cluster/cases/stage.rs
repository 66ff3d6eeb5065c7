//! Sets up the namespace and the servers of a case.

use futures::StreamExt as _;
use serde_json::{Value, json};
use sluice_client::{
    Cluster, DeleteOptions, GroupVersionKind, ListOptions, PatchOptions, WatchEvent, WatchOptions,
};
use sluice_insight::kinds::{RESOURCES, Resource};
use sluice_system::fs;
use sluice_testkit::Testbed;
use tokio::task::JoinHandle;

use super::file::Case;
use crate::binary::{Call, CommandResult, words};

const REQUESTED: &str = "reconcile.fluxcd.io/requestedAt";

/// The namespace of a case. Dropping it stops the fake controllers.
pub(crate) struct CaseFixture {
    cluster: Cluster,
    namespace: String,
    directory: tempfile::TempDir,
    controllers: Vec<JoinHandle<()>>,
}

impl CaseFixture {
    pub(crate) async fn set(bed: &Testbed, case: &Case) -> Self {
        let cluster = bed.connect().await;
        let namespace = case.name.clone();
        let kind = GroupVersionKind::gvk("", "v1", "Namespace");
        let found = cluster.get(&kind, None, &namespace).await.unwrap();
        if found.is_none() {
            bed.namespace_called(&namespace).await;
        }
        for object in &case.objects {
            plant(&cluster, &namespace, object).await;
        }
        let directory = tempfile::tempdir().unwrap();
        for (path, text) in &case.files {
            let path = directory.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
        }
        let controllers = case.controller.iter().map(|(id, status)| {
            let (kind, name) = id.split_once('/').unwrap();
            let row = sluice_insight::kinds::by_kind(kind).unwrap();
            let (gvk, name) = (row.gvk(), name.to_owned());
            let work = answer(
                cluster.clone(),
                gvk,
                namespace.clone(),
                name,
                status.clone(),
            );
            tokio::spawn(work)
        });
        Self {
            controllers: controllers.collect(),
            cluster,
            namespace,
            directory,
        }
    }

    /// Runs a command in the namespace, unless the command names another one.
    pub(crate) async fn run(&self, call: &Call, line: &str) -> CommandResult {
        let mut words = words(line);
        let is_placed = words.iter().any(|word| {
            matches!(word.as_str(), "-n" | "-A" | "--client") || word.starts_with("--namespace")
        });
        if !is_placed {
            words.extend(["-n".to_owned(), self.namespace.clone()]);
        }
        let call = call.clone().within(self.directory.path());
        let running = tokio::task::spawn_blocking(move || call.run_words(words));
        running.await.unwrap()
    }

    /// Deletes every object, so that the same ones can be created again.
    pub(crate) async fn clear(self) {
        let plain =
            ["ConfigMap", "Secret", "Event"].map(|kind| GroupVersionKind::gvk("", "v1", kind));
        let custom = RESOURCES.iter().map(Resource::gvk);
        let (namespace, all) = (Some(self.namespace.as_str()), ListOptions::default());
        for gvk in custom.chain(plain) {
            let listed = self.cluster.list(&gvk, namespace, &all).await;
            for object in listed.unwrap().items {
                let name = object["metadata"]["name"].as_str().unwrap();
                let options = DeleteOptions::default();
                let deleted = self.cluster.delete(&gvk, namespace, name, &options);
                deleted.await.unwrap();
            }
        }
    }
}

impl Drop for CaseFixture {
    fn drop(&mut self) {
        for controller in &self.controllers {
            controller.abort();
        }
    }
}

/// Creates an object with its status. The default namespace is the case's own.
async fn plant(cluster: &Cluster, namespace: &str, object: &Value) {
    let text = |field: &str| object[field].as_str().unwrap_or_default();
    let (group, version) = text("apiVersion")
        .split_once('/')
        .unwrap_or_else(|| ("", text("apiVersion")));
    let gvk = GroupVersionKind::gvk(group, version, text("kind"));
    let mut object = object.clone();
    let metadata = &mut object["metadata"];
    if metadata["namespace"].is_null() {
        metadata["namespace"] = namespace.into();
    }
    let namespace = metadata["namespace"].as_str().unwrap().to_owned();
    let name = metadata["name"].as_str().unwrap().to_owned();
    let created = cluster
        .create(&gvk, Some(&namespace), &object, PatchOptions::default())
        .await;
    created.unwrap_or_else(|error| panic!("{namespace}: {error}"));
    if object["status"].is_object() {
        let status = json!({ "status": object["status"] });
        write_status(cluster, &gvk, &namespace, &name, &status).await;
    }
}

async fn write_status(
    cluster: &Cluster,
    gvk: &GroupVersionKind,
    namespace: &str,
    name: &str,
    status: &Value,
) {
    let options = PatchOptions {
        subresource: Some("status"),
        ..PatchOptions::default()
    };
    let written = cluster
        .merge(gvk, Some(namespace), name, status, options)
        .await;
    written.unwrap_or_else(|error| panic!("{namespace}/{name}: {error}"));
}

/// Acts as the controller of an object: writes the case's status at each change and request.
async fn answer(
    cluster: Cluster,
    gvk: GroupVersionKind,
    namespace: String,
    name: String,
    status: Value,
) {
    let options = WatchOptions {
        fields: Some(format!("metadata.name={name}")),
        initial: true,
        ..WatchOptions::default()
    };
    let watched = cluster.watch(&gvk, Some(&namespace), "", &options).await;
    let mut events = std::pin::pin!(watched.unwrap());
    while let Some(event) = events.next().await {
        let Ok(WatchEvent::Added(object) | WatchEvent::Modified(object)) = event else {
            continue;
        };
        let requested = &object["metadata"]["annotations"][REQUESTED];
        let generation = &object["metadata"]["generation"];
        let is_handled = requested == &object["status"]["lastHandledReconcileAt"]
            && generation == &object["status"]["observedGeneration"];
        if is_handled || object["spec"]["suspend"] == true {
            continue;
        }
        let mut status = status.clone();
        status["observedGeneration"] = generation.clone();
        status["lastHandledReconcileAt"] = requested.clone();
        for condition in status["conditions"].as_array_mut().into_iter().flatten() {
            condition["observedGeneration"] = generation.clone();
        }
        write_status(
            &cluster,
            &gvk,
            &namespace,
            &name,
            &json!({ "status": status }),
        )
        .await;
    }
}
