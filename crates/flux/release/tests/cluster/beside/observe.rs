//! Reads what a step has left, without what differs between two runs.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use k8s_openapi::api::core::v1::{Pod, Secret};
use serde_json::{Value, json};
use sluice_chart::load::{self, Limits, Links};
use sluice_client::{Cluster, DeleteOptions, GroupVersionKind, PatchOptions};
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::ListParams;
use sluice_testkit::{Call, wait};
use sluice_yaml::v2;

/// Pause between two looks for pods of tests, which nothing else ends.
const LOOK: Duration = Duration::from_millis(100);
/// The manager whose fields are compared. Those of controllers depend on the time.
const MANAGER: &str = "helm";

/// The name of an object: API version, kind, name.
pub(super) type Identity = (String, String, String);

/// Reads the objects and records of a namespace.
pub(super) struct Observer {
    cluster: Cluster,
    client: sluice_testkit::kube::Client,
    namespace: String,
}

impl Observer {
    pub(super) fn new(
        cluster: Cluster,
        client: sluice_testkit::kube::Client,
        namespace: &str,
    ) -> Self {
        Self {
            cluster,
            client,
            namespace: namespace.to_owned(),
        }
    }

    /// Lets pods of hooks succeed, as a kubelet does with real images. The fake node lets only the
    /// pods of jobs end.
    pub(super) fn finish_test_pods(&self) -> tokio::task::JoinHandle<()> {
        let pods: Api<Pod> = Api::namespaced(self.client.clone(), &self.namespace);
        let (cluster, namespace) = (self.cluster.clone(), self.namespace.clone());
        tokio::spawn(async move {
            loop {
                let found = pods.list(&ListParams::default()).await;
                for pod in found.into_iter().flatten() {
                    let is_hook = pod.metadata.annotations.as_ref();
                    let is_hook = is_hook.is_some_and(|all| all.contains_key("helm.sh/hook"));
                    let phase = pod
                        .status
                        .as_ref()
                        .and_then(|status| status.phase.as_deref());
                    if is_hook && phase == Some("Running") {
                        let status = json!({ "status": { "phase": "Succeeded" } });
                        let options = PatchOptions {
                            subresource: Some("status"),
                            ..PatchOptions::default()
                        };
                        let gvk = GroupVersionKind::gvk("", "v1", "Pod");
                        let name = pod.metadata.name.unwrap_or_default();
                        let namespace = Some(&*namespace);
                        // The pod may be gone by now.
                        let patched = cluster.merge(&gvk, namespace, &name, &status, options);
                        drop(patched.await);
                    }
                }
                tokio::time::sleep(LOOK).await;
            }
        })
    }

    /// The records of the release, by the names of their Secrets.
    pub(super) async fn records(&self) -> Vec<(String, Value)> {
        let secrets: Api<Secret> = Api::namespaced(self.client.clone(), &self.namespace);
        let selected = ListParams::default().labels("owner=helm");
        let found = secrets.list(&selected).await.unwrap();
        let records = found.into_iter().map(|secret| {
            let data = &secret.data.unwrap()["release"].0;
            let packed = BASE64_STANDARD.decode(data).unwrap();
            let mut text = Vec::new();
            let mut reader = flate2::read::GzDecoder::new(&*packed);
            reader.read_to_end(&mut text).unwrap();
            let mut record: Value = serde_json::from_slice(&text).unwrap();
            mask_times(&mut record);
            let mut labels = json!(secret.metadata.labels);
            for time in ["createdAt", "modifiedAt"] {
                if let Some(value) = labels.get_mut(time) {
                    *value = json!("TIME");
                }
            }
            record["labels"] = labels;
            (secret.metadata.name.unwrap(), record)
        });
        records.collect()
    }

    /// Objects without what differs between two runs. An absent object is null.
    pub(super) async fn objects(&self, seen: &BTreeSet<Identity>) -> BTreeMap<String, Value> {
        let mut objects = BTreeMap::new();
        for identity in seen {
            let (version, kind, name) = identity;
            let claim = format!("{kind} {name} is not being deleted");
            let object = wait::eventually(&claim, || async {
                let object = self.get(identity).await;
                let is_ending = object
                    .as_ref()
                    .is_some_and(|object| object["metadata"]["deletionTimestamp"].is_string());
                if is_ending {
                    Err("it is".to_owned())
                } else {
                    Ok(object)
                }
            });
            let object = object.await.map_or(Value::Null, normalize);
            objects.insert(format!("{version} {kind} {name}"), object);
        }
        objects
    }

    async fn get(&self, (version, kind, name): &Identity) -> Option<Value> {
        let gvk = gvk(version, kind);
        // The kind is unknown after its definition was removed.
        let found = self.cluster.get(&gvk, Some(&self.namespace), name).await;
        found.ok().flatten()
    }

    /// Removes objects without a namespace, which would disturb the next run.
    pub(super) async fn remove(&self, seen: &BTreeSet<Identity>) {
        for identity @ (version, kind, name) in seen {
            let found = self.get(identity).await;
            if found.is_some_and(|object| object["metadata"]["namespace"].is_null()) {
                let (gvk, options) = (gvk(version, kind), DeleteOptions::default());
                let deleted = self.cluster.delete(&gvk, None, name, &options);
                deleted.await.unwrap();
                let claim = format!("{kind} {name} is gone");
                wait::eventually(&claim, || async {
                    let object = self.get(identity).await;
                    object.map_or(Ok(()), |_| Err("it is there".to_owned()))
                })
                .await;
            }
        }
    }
}

fn gvk(version: &str, kind: &str) -> GroupVersionKind {
    let (group, version) = version.split_once('/').unwrap_or(("", version));
    GroupVersionKind::gvk(group, version, kind)
}

/// The objects in the manifests and hooks of records.
pub(super) fn identities(records: &[(String, Value)]) -> BTreeSet<Identity> {
    let mut found = BTreeSet::new();
    for (_, record) in records {
        let manifest = record["manifest"].as_str().unwrap_or_default();
        let hooks = record["hooks"].as_array().into_iter().flatten();
        let hooks = hooks.filter_map(|hook| hook["manifest"].as_str());
        for text in hooks.chain([manifest]) {
            found.extend(identities_of(text));
        }
    }
    found
}

/// The definitions below `crds/` of a chart.
pub(super) fn definitions(chart: &Path) -> BTreeSet<Identity> {
    let chart = load::path(chart, Links::Anywhere, &Limits::default());
    let files = chart.map(|chart| chart.crds()).unwrap_or_default();
    let texts = files
        .iter()
        .map(|file| String::from_utf8_lossy(file.data.as_bytes()));
    texts.flat_map(|text| identities_of(&text)).collect()
}

fn identities_of(text: &str) -> Vec<Identity> {
    let documents = text.split("\n---").filter_map(|document| {
        let document = document.trim_start_matches("---");
        let object: Value = v2::from_slice(document.as_bytes()).ok()?;
        let field = |value: &Value| Some(value.as_str()?.to_owned());
        Some((
            field(&object["apiVersion"])?,
            field(&object["kind"])?,
            field(&object["metadata"]["name"])?,
        ))
    });
    documents.collect()
}

/// The writes of an engine: verb, resource, name and query. Helm sends the objects of one kind at
/// once, so that neighbours are sorted.
pub(super) fn writes(calls: &[Call]) -> Vec<String> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for call in calls.iter().filter(|call| call.is_write()) {
        let group = format!("{} {}", call.verb, call.target());
        let query = call.uri.split_once('?').map_or("", |(_, query)| query);
        // `force=false` is the default.
        let is_said = |part: &&str| !part.is_empty() && *part != "force=false";
        let mut query: Vec<&str> = query.split('&').filter(is_said).collect();
        query.sort_unstable();
        // Helm creates records in protobuf, whose names the proxy cannot read.
        let is_record = group == "create secrets";
        let name = if is_record { "" } else { &call.name };
        let line = format!("{group} {name} {}", query.join("&"));
        match groups.last_mut() {
            Some((last, lines)) if *last == group => lines.push(line.trim_end().to_owned()),
            _ => groups.push((group, vec![line.trim_end().to_owned()])),
        }
    }
    let sorted = groups.into_iter().map(|(_, mut lines)| {
        lines.sort();
        lines
    });
    sorted.flatten().collect()
}

/// Removes what the server or a controller chooses.
fn normalize(mut object: Value) -> Value {
    let Some(fields) = object.as_object_mut() else {
        return object;
    };
    fields.remove("status");
    if let Some(metadata) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
        for key in ["uid", "resourceVersion", "creationTimestamp", "finalizers"] {
            metadata.remove(key);
        }
        if let Some(Value::Array(entries)) = metadata.get_mut("managedFields") {
            entries.retain(|entry| entry["manager"] == MANAGER && entry["subresource"].is_null());
            for entry in entries {
                entry["time"] = Value::Null;
            }
        }
        if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
            annotations.retain(|key, _| !key.contains("kubernetes.io/") || key.contains("helm"));
        }
    }
    mask(&mut object);
    object
}

/// Removes addresses, ports, names of nodes and unique labels.
fn mask(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|key, _| {
                let is_chosen = [
                    "clusterIP",
                    "clusterIPs",
                    "nodePort",
                    "healthCheckNodePort",
                    "nodeName",
                    "volumeName",
                    "f:batch.kubernetes.io/controller-uid",
                ];
                !is_chosen.contains(&&**key) && !key.ends_with("controller-uid")
            });
            fields.values_mut().for_each(mask);
        }
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::String(text) if text.starts_with("kube-api-access-") => {
            "kube-api-access".clone_into(text);
        }
        _ => {}
    }
}

/// Replaces times of a record.
fn mask_times(value: &mut Value) {
    const TIMES: [&str; 7] = [
        "first_deployed",
        "last_deployed",
        "deleted",
        "started_at",
        "completed_at",
        "modtime",
        "schemamodtime",
    ];
    match value {
        Value::Object(fields) => {
            for (key, value) in fields.iter_mut() {
                let is_time =
                    TIMES.contains(&&**key) && value.as_str().is_some_and(|text| !text.is_empty());
                if is_time {
                    *value = json!("TIME");
                } else {
                    mask_times(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask_times),
        _ => {}
    }
}
