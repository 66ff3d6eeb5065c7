//! Provides the namespace of one test, and runs commands in it.

use serde_json::{Value, json};
use sluice_client::{Cluster, GroupVersionKind, PatchOptions};
use sluice_testkit::Bed;

use crate::binary::{Call, CommandResult, sluice};

pub(crate) struct Scene {
    pub(crate) bed: Bed,
    pub(crate) cluster: Cluster,
    pub(crate) namespace: String,
}

impl Scene {
    pub(crate) async fn new(prefix: &str) -> Self {
        Self::on(Bed::Shared(sluice_testkit::cluster().await), prefix).await
    }

    /// Creates a namespace on this control plane.
    pub(crate) async fn on(bed: Bed, prefix: &str) -> Self {
        Self {
            cluster: bed.connect().await,
            namespace: bed.namespace(prefix).await,
            bed,
        }
    }

    /// Runs a command in the namespace.
    pub(crate) fn run(&self, line: &str) -> CommandResult {
        let line = format!("{line} -n {}", self.namespace);
        sluice(&self.bed.kubeconfig(), &line)
    }

    /// Runs commands concurrently. They end at their timeout.
    pub(crate) async fn run_together(&self, lines: &[&str]) -> Vec<CommandResult> {
        let call = Call::new(&self.bed.kubeconfig());
        let runs = lines.iter().map(|line| {
            let (call, line) = (call.clone(), format!("{line} -n {}", self.namespace));
            async move { call.run_beside(&line).await }
        });
        futures::future::join_all(runs).await
    }

    /// Creates an object, and writes its status if it has one.
    pub(crate) async fn create(&self, mut object: Value) {
        object["metadata"]["namespace"] = self.namespace.as_str().into();
        let text = |field: &str| object[field].as_str().unwrap().to_owned();
        let (group, version) = match text("apiVersion").split_once('/') {
            Some((group, version)) => (group.to_owned(), version.to_owned()),
            None => (String::new(), text("apiVersion")),
        };
        let gvk = GroupVersionKind::gvk(&group, &version, &text("kind"));
        let namespace = Some(self.namespace.as_str());
        self.cluster
            .create(&gvk, namespace, &object, PatchOptions::default())
            .await
            .unwrap();
        if object["status"].is_object() {
            self.status(&object).await;
        }
    }

    /// Writes the status of an object like its controller.
    pub(crate) async fn status(&self, object: &Value) {
        let status = json!({ "status": object["status"] });
        self.patch(object, &status, Some("status")).await;
    }

    /// Patches an object.
    pub(crate) async fn merge(&self, object: &Value, change: &Value) {
        self.patch(object, change, None).await;
    }

    async fn patch(&self, object: &Value, change: &Value, subresource: Option<&'static str>) {
        let text = |field: &str| object[field].as_str().unwrap();
        let (group, version) = text("apiVersion").split_once('/').unwrap();
        let gvk = GroupVersionKind::gvk(group, version, text("kind"));
        let options = PatchOptions {
            subresource,
            ..PatchOptions::default()
        };
        let name = object["metadata"]["name"].as_str().unwrap();
        self.cluster
            .merge(&gvk, Some(&self.namespace), name, change, options)
            .await
            .unwrap();
    }
}
