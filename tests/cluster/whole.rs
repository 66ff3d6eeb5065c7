//! Tests all of Flux at once: a fleet repository with every kind is bootstrapped, changed and
//! removed. The controllers run as processes with the flags and the rights of their Deployments.
//!
//! The repository is in `whole/fleet`. All intervals are one hour, so that only watches and webhooks
//! start runs. `pods` starts the controllers, and `servers` everything that the repository names.

mod pods;
mod servers;

use std::collections::BTreeSet;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Api;
use kube::api::ListParams;
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use serde_json::Value;
use sluice_api::Event;
use sluice_insight::kinds::RESOURCES;
use sluice_testkit::wait;

use crate::binary::Call;
use crate::images::{called, moves_from};
use crate::world::{Kind, Live, World, condition, revision};
use pods::{Pods, Topology};
use servers::{AGE_KEY, PASSWORD, Servers};

const SYSTEM: &str = "flux-system";

/// The cluster, its controllers, and the servers around it.
struct Whole {
    world: World,
    servers: Servers,
    pods: Pods,
}

impl Whole {
    /// Bootstraps the repository, and waits until everything in it is ready.
    async fn bootstrap(topology: Topology) -> Self {
        let (world, servers) = tokio::join!(World::system(), Servers::start());
        world.bed.namespace_called(SYSTEM).await;
        let key = [("key.agekey", AGE_KEY.as_bytes())];
        world.bed.secret(SYSTEM, "sops-age", None, &key).await;
        let line = format!(
            "bootstrap git --silent --timeout=1m --url={} --allow-insecure-http --token-auth --username=me \
             --path=clusters/one --topology={} --components-extra=image-reflector-controller,\
             image-automation-controller,source-watcher",
            servers.fleet_url(),
            topology.name(),
        );
        let call = Call::new(&world.bed.kubeconfig()).variable("GIT_PASSWORD", PASSWORD);
        let (ended, pods) = tokio::join!(call.run_beside(&line), Pods::start(&world, topology));
        assert_eq!(ended.code, 0, "{ended:#?}\n{}", pods.output());
        let whole = Self {
            world,
            servers,
            pods,
        };
        let first = whole.servers.head();
        whole.converges(&first).await;
        // The automation commits the newest image, and the webhook fetches this commit.
        moves_from(&whole.servers.fleet, &first).await;
        whole.deliver().await;
        whole
    }

    /// Waits until all objects are ready, and the Kustomizations have applied a commit.
    async fn converges(&self, commit: &str) {
        let wanted = revision(commit);
        for name in [
            "flux-system",
            "sources",
            "releases",
            "images",
            "alerts",
            "tenants",
        ] {
            let claim = "applies the commit";
            let applied = |object: &Live| {
                condition(object, "Ready").0 == "True"
                    && object.data["status"]["lastAppliedRevision"] == *wanted
            };
            self.world
                .until(Kind::Kustomization, name, claim, applied)
                .await;
        }
        wait::eventually("all objects are ready", async || {
            let mut waiting = self.objects().await;
            waiting.retain(|object| !is_settled(object));
            let lines = waiting.iter().map(line).collect::<Vec<_>>();
            if lines.is_empty() {
                Ok(())
            } else {
                Err(lines.join("\n"))
            }
        })
        .await;
    }

    /// Returns the objects of all of Flux's kinds.
    async fn objects(&self) -> Vec<DynamicObject> {
        let mut found = Vec::new();
        for resource in RESOURCES {
            let gvk = GroupVersionKind::gvk(resource.group, resource.version, resource.kind);
            let resource = ApiResource::from_gvk_with_plural(&gvk, resource.plural);
            let api: Api<DynamicObject> = Api::all_with(self.world.client.clone(), &resource);
            found.extend(api.list(&ListParams::default()).await.unwrap());
        }
        found
    }

    /// Commits another value of the workload `web` and of the release `database`.
    fn change(&self, value: &str) {
        let files = ["apps/web/config.yaml", "releases/releases.yaml"];
        self.servers.change(&files, value);
    }

    /// Calls the webhook of the Receiver.
    async fn call(&self) {
        let receiver = self.world.ready(Kind::Receiver, "push").await;
        let path = receiver.data["status"]["webhookPath"].as_str().unwrap();
        called(&self.pods.webhooks, path).await;
    }

    /// Calls the webhook, and waits until the newest commit is applied.
    async fn deliver(&self) {
        self.call().await;
        self.converges(&self.servers.head()).await;
    }

    /// Waits until the sink has an event.
    async fn alerted(&self, kind: &str, name: &str, reason: &str) {
        let claim = format!("the sink has {reason} of {kind} {name}");
        let is_it = |event: &Event| {
            let object = &event.involved_object;
            (&*object.kind, &*object.name, &*event.reason) == (kind, name, reason)
        };
        self.servers.sink.wait_for(&claim, is_it).await;
    }

    /// Waits until `web` runs an image with this tag.
    async fn runs_image(&self, tag: &str) {
        let image = format!("{}/web:{tag}", self.servers.registry.host());
        let api: Api<Deployment> = Api::namespaced(self.world.client.clone(), "apps");
        wait::until(&api, "web", "runs the image", |found| {
            let spec = found.and_then(|found| found.spec.as_ref()?.template.spec.as_ref());
            spec.is_some_and(|spec| spec.containers[0].image.as_ref() == Some(&image))
        })
        .await;
    }

    /// Asserts that the fleet has an object of each kind of Flux.
    async fn has_every_kind(&self) {
        let found = self.objects().await;
        let kinds = found.iter().filter_map(|object| object.types.as_ref());
        let kinds: BTreeSet<&str> = kinds.map(|types| &*types.kind).collect();
        let all = RESOURCES.iter().map(|resource| resource.kind);
        assert_eq!(kinds, all.collect());
    }

    /// Asserts that Helm has made this many revisions of each release.
    async fn has_releases(&self, wanted: &[(&str, i64)]) {
        let objects = self.objects().await;
        for (name, revision) in wanted {
            let is_it = |object: &&DynamicObject| {
                let kind = object.types.as_ref().map(|types| &*types.kind);
                kind == Some("HelmRelease") && object.metadata.name.as_deref() == Some(*name)
            };
            let release = objects.iter().find(is_it).unwrap();
            let made = &release.data["status"]["history"][0]["version"];
            assert_eq!(made.as_i64(), Some(*revision), "{name}");
        }
    }

    /// Returns the names and identities of the workloads.
    async fn workloads(&self) -> Vec<(String, Option<String>)> {
        let mut found = Vec::new();
        for (namespace, name) in WORKLOADS {
            let api: Api<ConfigMap> = Api::namespaced(self.world.client.clone(), namespace);
            let object = api.get(name).await.unwrap();
            found.push((format!("{namespace}/{name}"), object.metadata.uid));
        }
        let api: Api<Deployment> = Api::namespaced(self.world.client.clone(), "apps");
        let web = api.get("web").await.unwrap();
        found.push(("Deployment".to_owned(), web.metadata.uid));
        found
    }

    /// Uninstalls Flux, which leaves all workloads.
    async fn uninstall(self) {
        let before = self.workloads().await;
        let call = Call::new(&self.world.bed.kubeconfig());
        let line = "uninstall --silent";
        let (ended, ()) = tokio::join!(call.run_beside(line), self.pods.end(&self.world));
        ended.well();
        assert_eq!(self.workloads().await, before);
        let client = self.world.client.clone();
        let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
        let listed = definitions.list(&ListParams::default()).await.unwrap();
        assert_eq!(listed.items, []);
        let namespaces: Api<Namespace> = Api::all(client);
        assert!(namespaces.get_opt(SYSTEM).await.unwrap().is_none());
        namespaces.get("team-a").await.unwrap();
    }

    /// Waits until a config map has this value.
    async fn has(&self, namespace: &str, name: &str, value: &str) {
        let api: Api<ConfigMap> = Api::namespaced(self.world.client.clone(), namespace);
        wait::until(&api, name, "has the value", |found| {
            let data = found.and_then(|found| found.data.as_ref());
            data.is_some_and(|data| data.get("key").is_some_and(|found| found == value))
        })
        .await;
    }
}

/// Whether an object is ready, or of a kind that no controller reconciles.
fn is_settled(object: &DynamicObject) -> bool {
    let is_static = match object.types.as_ref().map(|types| &*types.kind) {
        Some("Alert" | "Provider") => true,
        Some("HelmRepository") => object.data["spec"]["type"] == "oci",
        _ => false,
    };
    is_static || condition(object, "Ready").0 == "True"
}

/// Formats an object for a failure.
fn line(object: &DynamicObject) -> String {
    let kind = object.types.as_ref().map_or("", |types| &types.kind);
    let metadata = &object.metadata;
    let (namespace, name) = (&metadata.namespace, &metadata.name);
    let conditions: &Value = &object.data["status"]["conditions"];
    format!("{kind} {namespace:?} {name:?}: {conditions}")
}

/// The config maps that the fleet applies, by namespace and name.
const WORKLOADS: [(&str, &str); 8] = [
    ("apps", "web"),
    ("apps", "database"),
    ("apps", "queue"),
    ("apps", "cache"),
    ("apps", "config"),
    ("apps", "settings"),
    ("team-a", "team"),
    ("team-b", "team"),
];

/// Lives through every change of the fleet. With one process for each controller, some of them are
/// killed at each step.
async fn live(topology: Topology) {
    let mut whole = Whole::bootstrap(topology).await;
    for (namespace, name) in WORKLOADS {
        whole.has(namespace, name, "1").await;
    }
    whole.runs_image("1.0.0").await;
    whole.has_every_kind().await;

    whole.change("2");
    whole.call().await;
    whole.pods.crash(&["helm-controller", "source-watcher"]);
    whole.converges(&whole.servers.head()).await;
    whole.has("apps", "web", "2").await;
    whole.has("apps", "database", "2").await;
    let reason = "ReconciliationSucceeded";
    whole.alerted("Kustomization", "web", reason).await;
    whole
        .alerted("HelmRelease", "database", "UpgradeSucceeded")
        .await;

    whole.servers.push("web", "1.1.0", "1").await;
    let old = whole.servers.head();
    whole.call().await;
    let images = ["image-reflector-controller", "image-automation-controller"];
    whole.pods.crash(&images);
    moves_from(&whole.servers.fleet, &old).await;
    whole.deliver().await;
    whole.runs_image("1.1.0").await;

    whole.change("3");
    whole.call().await;
    whole.pods.crash(topology.deployments());
    whole.converges(&whole.servers.head()).await;
    whole.has("apps", "web", "3").await;
    whole.has("apps", "database", "3").await;
    whole
        .has_releases(&[("database", 3), ("queue", 1), ("cache", 1)])
        .await;
    whole.uninstall().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fleet_survives_kills_of_its_one_process() {
    live(Topology::Single).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fleet_survives_kills_of_each_controller() {
    live(Topology::Apart).await;
}
