//! One side of the comparison: an API server and all controllers, of Flux or ours.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::{Value, json};
use sluice_client::{Cluster, GroupVersionKind, ListOptions, PatchOptions};
use sluice_object::GroupKind;
use sluice_testkit::outcome::Outcome;
use sluice_testkit::{EventSink, Reference, Running, Sluice, Testbed};

use super::super::kustomizations::corpus::Native;
use super::super::kustomizations::definitions::Definitions;
use super::checkout::{Checkout, SYSTEM};
use super::lines::{self, Addresses};
use super::mirror::Mirror;

/// The controllers, by the names of their Deployments.
pub(super) const CONTROLLERS: &[&str] = &[
    "source-controller",
    "source-watcher",
    "kustomize-controller",
    "helm-controller",
    "notification-controller",
    "image-reflector-controller",
    "image-automation-controller",
];

/// Kinds that Kubernetes writes at any time.
const RESTLESS: &[&str] = &["Event", "Lease"];

/// The user that prepares objects.
const MANAGER: &str = "test";

const POLL: Duration = Duration::from_secs(2);

/// Time without events after which all have arrived, and the maximum wait for it.
const SILENCE: Duration = Duration::from_secs(2);
const MAX_SILENCE: Duration = Duration::from_secs(10);

/// Timeout of a definition.
const ESTABLISHED: Duration = Duration::from_mins(2);

/// The controllers of a side.
pub(super) enum Origin<'p> {
    Ours(&'p Path),
    Theirs(&'p Reference),
}

/// Kind, namespace and name.
type Key = (String, String, String);

pub(super) struct Side {
    testbed: Testbed,
    cluster: Cluster,
    processes: Vec<(String, Running)>,
    sink: EventSink,
    addresses: Addresses,
    /// The last state of each object of Flux between two runs.
    ended: BTreeMap<Key, Value>,
}

impl Side {
    pub(super) async fn start() -> anyhow::Result<Self> {
        let testbed = Testbed::start_with(|options| {
            // Webhooks of the checkout have no server.
            options.api_server_arguments.push(
                "--disable-admission-plugins=MutatingAdmissionWebhook,ValidatingAdmissionWebhook,\
                 ValidatingAdmissionPolicy,MutatingAdmissionPolicy"
                    .to_owned(),
            );
        })
        .await;
        let cluster = testbed.connect().await;
        let url = cluster.url().trim_end_matches('/').to_owned();
        let host = url.trim_start_matches("https://").to_owned();
        Ok(Self {
            testbed,
            cluster,
            processes: Vec::new(),
            sink: EventSink::start().await,
            addresses: vec![(url, "APISERVER"), (host, "APISERVER")],
            ended: BTreeMap::new(),
        })
    }

    /// Kinds that the server serves itself.
    pub(super) async fn kinds(&self) -> anyhow::Result<Native> {
        self.cluster.invalidate_discovery();
        let resources = self.cluster.resources().await?;
        let kinds = resources.iter().map(|resource| {
            let (group, kind) = (resource.api.group.clone(), resource.api.kind.clone());
            (GroupKind { group, kind }, resource.namespaced)
        });
        Ok(kinds.collect())
    }

    /// Starts the controllers behind the mirror.
    pub(super) fn run(
        &mut self,
        whose: &Origin<'_>,
        controllers: &[&str],
        mirror: &Mirror,
        authority: &Path,
    ) -> anyhow::Result<()> {
        let way = self.testbed.kubeconfig_for("flux");
        for name in controllers {
            let (program, mut words) = match whose {
                Origin::Ours(path) => (
                    Sluice::at(*path),
                    vec!["controller".to_owned(), (*name).to_owned()],
                ),
                Origin::Theirs(reference) => (reference.controller(name), Vec::new()),
            };
            let program = program
                .without_poll_limit()
                .variable("KUBECONFIG", way.display().to_string())
                .variable("RUNTIME_NAMESPACE", SYSTEM)
                .variable("HTTPS_PROXY", mirror.cloud.url())
                .variable("HTTP_PROXY", mirror.cloud.url())
                .variable("NO_PROXY", "127.0.0.1,localhost")
                .variable("SSL_CERT_FILE", authority.display().to_string());
            words.extend(["--metrics-addr=0", "--health-addr=0"].map(str::to_owned));
            let address = || format!("127.0.0.1:{}", sluice_testkit::port());
            if *name == "notification-controller" {
                words.push(format!("--events-addr={}", address()));
                words.push(format!("--receiverAddr={}", address()));
            } else {
                words.push(format!("--events-addr={}", self.sink.url()));
            }
            if ["source-controller", "source-watcher"].contains(name) {
                let address = address();
                words.push(format!("--storage-addr={address}"));
                words.push(format!("--storage-adv-addr={address}"));
                self.addresses.push((address, "STORAGE"));
            }
            if [
                "source-controller",
                "source-watcher",
                "image-reflector-controller",
            ]
            .contains(name)
            {
                let storage = program.state().join("storage");
                std::fs::create_dir_all(&storage)?;
                words.push(format!("--storage-path={}", storage.display()));
            }
            if [
                "source-controller",
                "kustomize-controller",
                "helm-controller",
            ]
            .contains(name)
            {
                words.push("--requeue-dependency=5s".to_owned());
                // Flux's helm-controller blocks a worker while an action waits.
                words.push("--concurrent=20".to_owned());
                words.push("--feature-gates=ExternalArtifact=true".to_owned());
                words.push("--interval-jitter-percentage=0".to_owned());
            }
            if *name == "source-controller" {
                words.retain(|word| !word.starts_with("--feature-gates"));
            }
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            self.processes
                .push(((*name).to_owned(), program.start(&words)));
        }
        Ok(())
    }

    /// Creates definitions, accounts, namespaces, and what the checkout lacks.
    pub(super) async fn prepare(
        &self,
        checkout: &Checkout,
        definitions: &Definitions,
    ) -> anyhow::Result<()> {
        for (kind, definition) in definitions {
            self.apply(&definition.manifest(kind)).await?;
        }
        let began = Instant::now();
        while began.elapsed() < ESTABLISHED {
            let kinds = self.kinds().await?;
            if definitions.keys().all(|kind| kinds.contains_key(kind)) {
                break;
            }
            tokio::time::sleep(POLL).await;
        }
        self.admit_events_of_all_kinds().await?;
        for name in &checkout.namespaces {
            self.apply(&json!({
                "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name },
            }))
            .await?;
            for object in &checkout.absent {
                let mut object = object.to_value();
                object["metadata"]["namespace"] = name.as_str().into();
                self.apply(&object).await?;
            }
        }
        for name in CONTROLLERS {
            let metadata = json!({ "name": name, "namespace": SYSTEM });
            self.apply(&json!({
                "apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata,
            }))
            .await?;
        }
        let subjects: Vec<Value> = CONTROLLERS
            .iter()
            .map(|name| json!({ "kind": "ServiceAccount", "name": name, "namespace": SYSTEM }))
            .collect();
        self.apply(&json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
            "metadata": { "name": "cluster-reconciler-flux-system" }, "subjects": subjects,
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
                "name": "cluster-admin" },
        }))
        .await
    }

    /// Permits alerts about objects of flux-operator, as flux-operator does.
    async fn admit_events_of_all_kinds(&self) -> anyhow::Result<()> {
        let gvk = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
        let name = "alerts.notification.toolkit.fluxcd.io";
        let Some(mut definition) = self.cluster.get(&gvk, None, name).await? else {
            return Ok(());
        };
        let versions = definition["spec"]["versions"].as_array_mut();
        for version in versions.into_iter().flatten() {
            let kind = "/schema/openAPIV3Schema/properties/spec/properties/eventSources/items\
                        /properties/kind";
            let kind = version.pointer_mut(kind).and_then(Value::as_object_mut);
            kind.and_then(|kind| kind.remove("enum"));
        }
        let patch = json!({ "spec": { "versions": definition["spec"]["versions"] } });
        let options = PatchOptions::default();
        self.cluster
            .merge(&gvk, None, name, &patch, options)
            .await?;
        Ok(())
    }

    pub(super) async fn apply(&self, object: &Value) -> anyhow::Result<()> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (version, kind) = (text(&object["apiVersion"]), text(&object["kind"]));
        let (group, version) = version.split_once('/').unwrap_or(("", &version));
        let metadata = &object["metadata"];
        let (namespace, name) = (metadata["namespace"].as_str(), text(&metadata["name"]));
        let options = PatchOptions {
            field_manager: Some(MANAGER),
            force: true,
            ..PatchOptions::default()
        };
        let gvk = GroupVersionKind::gvk(group, version, &kind);
        let applied = self.cluster.apply(&gvk, namespace, &name, object, options);
        applied
            .await
            .with_context(|| format!("apply {kind}/{name}"))?;
        Ok(())
    }

    /// Waits until no object of Flux changes, and returns whether that was so before the bound.
    pub(super) async fn until_rest(
        &mut self,
        quiet: Duration,
        bound: Duration,
    ) -> anyhow::Result<bool> {
        let (began, mut changed) = (Instant::now(), Instant::now());
        let mut last = BTreeMap::new();
        while began.elapsed() < bound {
            let mut now = BTreeMap::new();
            for (key, _, object) in self.list(lines::is_flux).await? {
                let is_ended = has_ended(&object);
                now.insert(key.clone(), (is_ended, essence(&object)));
                if is_ended {
                    self.ended.insert(key, object);
                }
            }
            // An object that fails alternates between two states.
            for (key, state) in &mut now {
                if let (false, Some(before)) = (state.0, last.get(key)) {
                    state.clone_from(before);
                }
            }
            if now != last {
                (last, changed) = (now, Instant::now());
            }
            let is_working = last.values().any(|(is_ended, _)| !is_ended);
            if changed.elapsed() >= if is_working { quiet * 3 } else { quiet } {
                return Ok(true);
            }
            for (name, process) in &self.processes {
                anyhow::ensure!(process.is_running(), "{name} ended: {}", tail(process));
            }
            tokio::time::sleep(POLL).await;
        }
        Ok(false)
    }

    /// Lists the objects of some groups, each in one version.
    async fn list(
        &self,
        is_wanted: impl Fn(&str) -> bool,
    ) -> anyhow::Result<Vec<(Key, String, Value)>> {
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        for resource in self.cluster.resources().await? {
            let api = &resource.api;
            let is_listed = resource.verbs.iter().any(|verb| verb == "list");
            if !is_listed
                || !is_wanted(&api.group)
                || RESTLESS.contains(&api.kind.as_str())
                || !seen.insert((api.group.clone(), api.kind.clone()))
            {
                continue;
            }
            let gvk = GroupVersionKind::gvk(&api.group, &api.version, &api.kind);
            let Ok(list) = self.cluster.list(&gvk, None, &ListOptions::default()).await else {
                continue;
            };
            for mut object in list.items {
                object["kind"] = api.kind.as_str().into();
                object["apiVersion"] = api.api_version.as_str().into();
                let text = |field: &str| {
                    let value = object["metadata"][field].as_str();
                    value.unwrap_or_default().to_owned()
                };
                let key = (api.kind.clone(), text("namespace"), text("name"));
                found.push((key, api.group.clone(), object));
            }
        }
        Ok(found)
    }

    /// Describes what the controllers applied, reported and announced.
    pub(super) async fn outcome(&self) -> anyhow::Result<Outcome> {
        drop(tokio::time::timeout(MAX_SILENCE, self.sink.until_quiet(SILENCE)).await);
        self.cluster.invalidate_discovery();
        let mut outcome = Outcome::default();
        let objects = self.list(|_| true).await?;
        let mut addresses = self.addresses.clone();
        for ((kind, ..), _, object) in &objects {
            // Generated artifacts have a label with it.
            if let ("ArtifactGenerator", Some(uid)) = (&**kind, object["metadata"]["uid"].as_str())
            {
                addresses.push((uid.to_owned(), "UID"));
            }
        }
        for (key, group, object) in objects {
            if !lines::is_applied(&object) {
                continue;
            }
            let object = match self.ended.get(&key) {
                Some(ended) if lines::is_flux(&group) && !has_ended(&object) => ended,
                _ => &object,
            };
            lines::describe(object, &group, &addresses, &mut outcome);
        }
        lines::describe_events(&self.sink.events(), &addresses, &mut outcome);
        outcome
            .0
            .sort_by(|left, right| left.title.cmp(&right.title));
        Ok(outcome)
    }

    /// The logs of the controllers.
    pub(super) fn logs(&self) -> String {
        let logs = self.processes.iter();
        let logs = logs.map(|(name, process)| format!("== {name}\n{}", process.output()));
        logs.collect()
    }
}

/// Whether no run of an object of Flux is going on.
fn has_ended(object: &Value) -> bool {
    let status = &object["status"];
    let conditions = || status["conditions"].as_array().into_iter().flatten();
    let Some(ready) = conditions().find(|condition| condition["type"] == "Ready") else {
        // Some kinds have no state.
        return status.is_null();
    };
    let works = conditions().any(|it| it["type"] == "Reconciling" && it["reason"] == "Progressing");
    ready["status"] != "Unknown"
        && !works
        && status["observedGeneration"] == object["metadata"]["generation"]
}

/// The parts of an object whose change shows progress.
fn essence(object: &Value) -> String {
    let status = &object["status"];
    let conditions = status["conditions"].as_array().into_iter().flatten();
    let conditions: Vec<String> = conditions
        .map(|it| format!("{} {} {}", it["type"], it["status"], it["reason"]))
        .collect();
    let revision = &status["lastAppliedRevision"];
    let (artifact, history) = (
        &status["artifact"]["digest"],
        &status["history"][0]["status"],
    );
    let generation = &object["metadata"]["generation"];
    format!("{generation} {conditions:?} {revision} {artifact} {history}")
}

fn tail(process: &Running) -> String {
    let output = process.output();
    let lines: Vec<&str> = output.lines().rev().take(5).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join("\n")
}
