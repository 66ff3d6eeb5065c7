//! Tests all of Flux at once: a fleet repository with every kind is bootstrapped, changed, upgraded
//! and removed. The controllers run as processes with the flags and the rights of their
//! Deployments.
//!
//! In each step a controller is killed, which [`kills`] chooses. The audit log, the releases and
//! the repository show that nothing is done twice. A run takes one life, `cargo xtask chaos` all of
//! them.
//!
//! The repository is in `whole/fleet`. All intervals are one hour, so that only watches and
//! webhooks start runs. `pods` starts the controllers, and `servers` everything that the repository
//! names. `steps` changes the fleet.

mod kills;
mod pods;
mod servers;
mod states;
mod steps;
mod takeover;

use std::collections::{BTreeMap, BTreeSet};

use futures::StreamExt as _;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Secret};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Api;
use kube::api::{ListParams, Patch, PatchParams};
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use serde_json::{Value, json};
use sluice_api::Event;
use sluice_insight::kinds::RESOURCES;
use sluice_testkit::audit::{Entry, Mark};
use sluice_testkit::{Sluice, sample_run, wait};

use crate::binary::{Call, CommandResult};
use crate::images::{called, moves_from};
use crate::program;
use crate::world::{Kind, World};
use kills::{Life, Step, Strike};
use pods::{Pods, Topology};
use servers::{AGE_KEY, PASSWORD, Servers};
use states::{is_settled, line};

const SYSTEM: &str = "flux-system";
/// Number of lives at a time. They mostly wait for a lease.
const SIDE_BY_SIDE: usize = 2;
const VERSION: &str = concat!("v", env!("CARGO_PKG_VERSION"));
/// A later version, whose controllers are the same program. `bootstrap` accepts it, because major
/// and minor version are equal.
const SUCCESSOR: &str = concat!(
    "v",
    env!("CARGO_PKG_VERSION_MAJOR"),
    ".",
    env!("CARGO_PKG_VERSION_MINOR"),
    ".99"
);

/// The cluster, its controllers, and the servers around it.
struct Whole {
    world: World,
    servers: Servers,
    pods: Pods,
    life: Life,
}

/// The state at the beginning of a step.
struct Begun {
    step: Step,
    strike: Strike,
    mark: Mark,
    /// The newest revision of each release.
    releases: BTreeMap<String, i64>,
    /// The number of commits that the automation has pushed.
    updates: usize,
}

/// The effects of a step.
#[derive(Default)]
struct Effects<'e> {
    /// The writes of the controllers to workloads.
    writes: &'e [&'e str],
    /// The release that is upgraded.
    upgraded: Option<&'e str>,
    /// The number of commits by the automation.
    updates: usize,
}

impl Whole {
    /// Bootstraps the repository, and waits until everything in it is ready. The command and a
    /// controller are killed, and then another controller while the others converge.
    async fn bootstrap(life: Life) -> Self {
        let (world, servers) = tokio::join!(World::system(), Servers::start());
        world.bed.namespace_called(SYSTEM).await;
        let key = [("key.agekey", AGE_KEY.as_bytes())];
        world.bed.secret(SYSTEM, "sops-age", None, &key).await;
        let mark = world.mark().await;
        let line = line_of_bootstrap(&servers, life.topology, VERSION);
        let strike = life.strike(Step::Bootstrap);
        let (ended, pods) = tokio::join!(
            killed_and_repeated(&world, &line, life),
            Pods::start(&world, life.topology, Some(strike))
        );
        assert_eq!(ended.code, 0, "{ended:#?}\n{}", pods.output());
        pods.disarm();
        let whole = Self {
            world,
            servers,
            pods,
            life,
        };
        let strike = life.strike(Step::Convergence);
        whole.pods.aim(strike);
        whole.pods.strike(strike);
        let first = whole.servers.head();
        whole.converges(&first).await;
        // The automation commits the newest image, and the webhook fetches this commit.
        moves_from(&whole.servers.fleet, &first).await;
        whole.deliver().await;
        whole.pods.disarm();
        whole.has_applied_once(mark).await;
        whole
    }

    /// Asserts the result of the first convergence: one write of each workload, one revision of
    /// each release, and one commit.
    async fn has_applied_once(&self, mark: Mark) {
        let mut writes = self.writes(mark).await;
        // The image changes meanwhile.
        writes.retain(|write| !write.contains("deployments"));
        let strikes = [Step::Bootstrap, Step::Convergence].map(|step| self.life.strike(step));
        let is_helm = strikes.iter().any(|strike| strike.hits_releases());
        let by_helm = ["database", "queue", "cache"].map(|name| format!("configmaps apps/{name}"));
        if is_helm {
            writes.retain(|write| !by_helm.iter().any(|end| write.ends_with(end)));
        }
        let once: BTreeSet<&String> = writes.iter().collect();
        assert_eq!(once.len(), writes.len(), "{strikes:?}: {writes:#?}");
        let most = if is_helm { 3 } else { 1 };
        for (name, revision) in self.releases().await {
            assert!(revision <= most, "{strikes:?}: {name} has {revision}");
        }
        assert_eq!(self.servers.updates(), 1, "{strikes:?}");
    }

    /// Begins a step, with its kill.
    async fn begin(&self, step: Step) -> Begun {
        let strike = self.life.strike(step);
        let begun = Begun {
            step,
            strike,
            mark: self.world.mark().await,
            releases: self.releases().await,
            updates: self.servers.updates(),
        };
        self.pods.aim(strike);
        begun
    }

    /// Ends a step, and asserts that its effects came once.
    async fn end(&self, begun: Begun, effects: Effects<'_>) {
        self.pods.disarm();
        let Begun { step, strike, .. } = begun;
        let mut writes = self.writes(begun.mark).await;
        writes.sort();
        if strike.hits_releases() {
            // A successor repeats an upgrade that was interrupted.
            writes.dedup();
        }
        // One account writes HelmReleases and their finalizers, so these are not seen.
        let is_seen = |write: &&&str| {
            self.life.topology != Topology::Single || !write.contains(" helmreleases ")
        };
        let expected: Vec<&str> = effects.writes.iter().filter(is_seen).copied().collect();
        assert_eq!(writes, expected, "{step:?} {strike:?}");
        let mut releases = begun.releases;
        let found = self.releases().await;
        if let Some(revision) = effects.upgraded.and_then(|name| releases.get_mut(name)) {
            *revision += 1;
            let made = found[effects.upgraded.unwrap_or_default()];
            if strike.hits_releases() && made == *revision + 1 {
                *revision = made;
            }
        }
        assert_eq!(found, releases, "{step:?} {strike:?}");
        let updates = self.servers.updates() - begun.updates;
        assert_eq!(updates, effects.updates, "{step:?} {strike:?}");
    }

    /// Returns the writes of the controllers to workloads since a mark.
    async fn writes(&self, since: Mark) -> Vec<String> {
        self.world.mark().await;
        let entries = self.world.bed.audit().since(since);
        let written = entries.iter().filter(|entry| is_of_workload(entry));
        let written = written.map(|entry| {
            let (verb, resource) = (&entry.verb, &entry.resource);
            format!("{verb} {resource} {}/{}", entry.namespace, entry.name)
        });
        written.collect()
    }

    /// Returns the newest revision of each release. Asserts that one is deployed, and none pending.
    async fn releases(&self) -> BTreeMap<String, i64> {
        let api: Api<Secret> = Api::namespaced(self.world.client.clone(), "apps");
        let records = ListParams::default().labels("owner=helm");
        let (mut found, mut deployed) = (BTreeMap::new(), BTreeSet::new());
        for record in api.list(&records).await.unwrap() {
            let labels = record.metadata.labels.unwrap();
            let revision: i64 = labels["version"].parse().unwrap();
            let newest = found.entry(labels["name"].clone()).or_insert(revision);
            *newest = revision.max(*newest);
            match &*labels["status"] {
                "deployed" => assert!(deployed.insert(labels["name"].clone()), "{labels:?}"),
                status => assert!(["superseded", "failed"].contains(&status), "{labels:?}"),
            }
        }
        assert_eq!(deployed, found.keys().cloned().collect());
        found
    }

    /// Returns the identity, generation, finalizers and inventory of each object of Flux, and the
    /// identity and version of each workload.
    async fn standing(&self) -> BTreeMap<String, Value> {
        let mut standing = BTreeMap::new();
        for object in self.objects().await {
            let kind = object.types.as_ref().map_or("", |types| &types.kind);
            let metadata = &object.metadata;
            let (namespace, name) = (&metadata.namespace, &metadata.name);
            let status = &object.data["status"];
            // A Kustomization counts its runs there.
            let history = (kind == "HelmRelease").then_some(&status["history"]);
            let mut inventory = status["inventory"].clone();
            // Flux derives the name of a generated archive from another checksum of its content.
            let archives = inventory.as_array_mut().into_iter().flatten();
            for archive in archives.filter_map(Value::as_object_mut) {
                archive.remove("filename");
            }
            let state = json!([
                metadata.uid,
                metadata.generation,
                metadata.finalizers,
                inventory,
                history,
            ]);
            standing.insert(format!("{kind} {namespace:?} {name:?}"), state);
        }
        for (name, identity) in self.workloads().await {
            standing.insert(name, json!(identity));
        }
        standing
    }

    /// Requests a run of each object, and waits until all of them were handled.
    async fn runs_everything(&self) {
        let token = self.world.bed.name("token");
        let request = json!({ "metadata": { "annotations": {
            "reconcile.fluxcd.io/requestedAt": token,
        } } });
        let mut objects = self.objects().await;
        objects.retain(is_requested);
        for object in &objects {
            let types = object.types.as_ref().unwrap();
            let resource = RESOURCES.iter().find(|it| it.kind == types.kind).unwrap();
            let gvk = GroupVersionKind::gvk(resource.group, resource.version, resource.kind);
            let resource = ApiResource::from_gvk_with_plural(&gvk, resource.plural);
            let namespace = object.metadata.namespace.as_deref().unwrap();
            let name = object.metadata.name.as_deref().unwrap();
            let api: Api<DynamicObject> =
                Api::namespaced_with(self.world.client.clone(), namespace, &resource);
            let (parameters, patch) = (PatchParams::default(), Patch::Merge(&request));
            api.patch(name, &parameters, &patch).await.unwrap();
        }
        wait::eventually("every request is handled", async || {
            let mut waiting = self.objects().await;
            waiting.retain(|object| {
                let handled = &object.data["status"]["lastHandledReconcileAt"];
                is_requested(object) && (handled != &*token || !is_settled(object))
            });
            let lines = waiting.iter().map(line).collect::<Vec<_>>();
            if lines.is_empty() {
                Ok(())
            } else {
                Err(lines.join("\n"))
            }
        })
        .await;
    }

    /// Runs a command that replaces all controllers, which then write nothing.
    async fn replaces_controllers(&mut self, call: Call, line: &str) {
        let before = self.standing().await;
        let (mark, releases) = (self.world.mark().await, self.releases().await);
        let updates = self.servers.updates();
        let Self { world, pods, .. } = &mut *self;
        // A command that fails replaces nothing, so its end is checked first.
        let replaces = async { call.run_beside(line).await.well() };
        tokio::join!(replaces, pods.roll(world));
        self.converges(&self.servers.head()).await;
        self.runs_everything().await;
        assert_eq!(self.writes(mark).await, Vec::<String>::new(), "{line}");
        let after = self.standing().await;
        let changed: Vec<_> = before
            .iter()
            .filter(|(name, it)| after.get(*name) != Some(*it))
            .collect();
        assert!(changed.is_empty(), "{line}: {changed:#?}\n{after:#?}");
        assert_eq!(self.releases().await, releases, "{line}");
        assert_eq!(self.servers.updates(), updates, "{line}");
    }

    /// Bootstraps the successor of the version, and then the version again.
    async fn changes_version_and_back(&mut self) {
        for version in [SUCCESSOR, VERSION] {
            let line = line_of_bootstrap(&self.servers, self.life.topology, version);
            let call = call_of_bootstrap(&self.world);
            self.replaces_controllers(call, &line).await;
            assert_eq!(self.versions().await, BTreeSet::from([version.to_owned()]));
        }
    }

    /// Returns the versions in the labels of the Deployments.
    async fn versions(&self) -> BTreeSet<String> {
        let api: Api<Deployment> = Api::namespaced(self.world.client.clone(), SYSTEM);
        let listed = api.list(&ListParams::default()).await.unwrap();
        let labels = listed.items.into_iter().map(|found| {
            let labels = found.metadata.labels.unwrap();
            labels["app.kubernetes.io/version"].clone()
        });
        labels.collect()
    }

    /// Commits another value in a file, and calls the webhook. The victim of the step dies.
    async fn change(&self, file: &str, value: &str, begun: &Begun) {
        self.servers.change(&[file], value);
        self.call().await;
        self.pods.strike(begun.strike);
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

    /// Returns the names, identities and versions of the workloads.
    async fn workloads(&self) -> Vec<(String, Vec<Option<String>>)> {
        let mut found = Vec::new();
        for (namespace, name) in WORKLOADS {
            let api: Api<ConfigMap> = Api::namespaced(self.world.client.clone(), namespace);
            let metadata = api.get(name).await.unwrap().metadata;
            let identity = vec![metadata.uid, metadata.resource_version];
            found.push((format!("{namespace}/{name}"), identity));
        }
        let api: Api<Deployment> = Api::namespaced(self.world.client.clone(), "apps");
        // Kubernetes writes its status.
        let metadata = api.get("web").await.unwrap().metadata;
        let generation = metadata.generation.map(|number| number.to_string());
        found.push(("Deployment".to_owned(), vec![metadata.uid, generation]));
        found
    }

    /// Uninstalls Flux, which leaves all workloads.
    async fn uninstall(self) {
        let before = self.workloads().await;
        let call = Call::new(&self.world.bed.kubeconfig());
        let strike = self.life.strike(Step::Uninstall);
        self.pods.aim(strike);
        let ends = async {
            self.pods.strike(strike);
            self.pods.end(&self.world).await;
        };
        let (ended, ()) = tokio::join!(call.run_beside("uninstall --silent"), ends);
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

/// Whether a controller wrote a workload, or the object of a release.
fn is_of_workload(entry: &Entry) -> bool {
    let resources = [
        "configmaps",
        "deployments",
        "namespaces",
        "serviceaccounts",
        "rolebindings",
        "helmreleases",
    ];
    let is_finalizer =
        entry.resource == "helmreleases" && !entry.user.ends_with("kustomize-controller");
    entry.is_write()
        && entry.code < 300
        && entry.subresource.is_empty()
        && !is_finalizer
        && entry.user.starts_with("system:serviceaccount:flux-system:")
        && entry.namespace != SYSTEM
        && resources.contains(&&*entry.resource)
}

/// The command that installs a version.
fn line_of_bootstrap(servers: &Servers, topology: Topology, version: &str) -> String {
    format!(
        "bootstrap git --silent --timeout=2m --url={} --allow-insecure-http --token-auth --username=me \
         --path=clusters/one --version={version} --topology={} --components-extra=image-reflector-controller,\
         image-automation-controller,source-watcher",
        servers.fleet_url(),
        topology.name(),
    )
}

fn call_of_bootstrap(world: &World) -> Call {
    Call::new(&world.bed.kubeconfig()).variable("GIT_PASSWORD", PASSWORD)
}

/// Kills the command when it has created one of the Deployments, and repeats it.
async fn killed_and_repeated(world: &World, line: &str, life: Life) -> CommandResult {
    let names = life.topology.deployments();
    let deployments: Api<Deployment> = Api::namespaced(world.client.clone(), SYSTEM);
    let sluice = Sluice::at(program::flux())
        .variable("KUBECONFIG", world.bed.kubeconfig().display().to_string())
        .variable("GIT_PASSWORD", PASSWORD);
    let running = sluice.start(&line.split_whitespace().collect::<Vec<_>>());
    wait::exists(&deployments, names[life.number % names.len()]).await;
    running.kill();
    call_of_bootstrap(world).run_beside(line).await
}

/// Whether a controller reconciles an object, and records requests.
fn is_requested(object: &DynamicObject) -> bool {
    let kind = object.types.as_ref().map_or("", |types| &*types.kind);
    match kind {
        "Alert" | "Provider" | "ExternalArtifact" => false,
        "HelmRepository" => object.data["spec"]["type"] != "oci",
        _ => true,
    }
}

/// The config maps that the fleet applies, by namespace and name.
const WORKLOADS: [(&str, &str); 9] = [
    ("apps", "web"),
    ("apps", "database"),
    ("apps", "queue"),
    ("apps", "cache"),
    ("apps", "config"),
    ("apps", "settings"),
    ("team-a", "team"),
    ("team-b", "team"),
    ("team-b", "note"),
];

/// Lives through every step of a fleet.
async fn live(life: Life) {
    let mut whole = Whole::bootstrap(life).await;
    for (namespace, name) in WORKLOADS {
        whole.has(namespace, name, "1").await;
    }
    whole.runs_image("1.0.0").await;
    whole.has_every_kind().await;

    steps::change(&whole).await;
    steps::upgrade(&whole).await;
    steps::generate(&whole).await;
    steps::update_image(&whole).await;
    steps::suspend(&whole).await;
    if !life.is_gentle {
        whole.changes_version_and_back().await;
    }
    whole.uninstall().await;
}

/// Lives one life of a topology, or all of them.
async fn live_sample(topology: Topology) {
    let lives = sample_run(Life::all(topology), Life::ordinary(topology))
        .into_iter()
        .map(async |life| {
            let living = tokio::spawn(live(life));
            living.await.err().map(|error| (life, error.into_panic()))
        });
    let lives = futures::stream::iter(lives).buffer_unordered(SIDE_BY_SIDE);
    let ends: Vec<_> = lives.collect().await;
    let failures = ends.into_iter().flatten().map(|(life, panic)| {
        let text = panic.downcast_ref::<String>().cloned();
        format!("{life:?}: {}", text.unwrap_or_default())
    });
    let failures: Vec<String> = failures.collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn fleet_survives_kills_of_its_one_process() {
    live_sample(Topology::Single).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fleet_survives_a_kill_in_each_step() {
    live_sample(Topology::Apart).await;
}
