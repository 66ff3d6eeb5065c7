//! Acts as the kubelet: starts the containers of the installed Deployments as processes.
//!
//! A process has the arguments of its container and the rights of its service account. Only
//! addresses, folders and the times of the lease differ. It calls the API server through a proxy,
//! which kills it at one of its writes.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use kube::Api;
use sluice_manifests::FLUX_REGISTRY;
use sluice_testkit::devcluster::ports;
use sluice_testkit::{Fault, FaultProxy, Reference, Running, Sluice, When, wait};

use tokio::task::JoinHandle;

use super::SYSTEM;
use super::kills::{Moment, Strike};
use crate::program;
use crate::world::World;

/// The delay before an ended process starts again.
const RESTART: Duration = Duration::from_millis(200);
const CONTROLLERS: [&str; 7] = [
    "source-controller",
    "kustomize-controller",
    "helm-controller",
    "notification-controller",
    "image-reflector-controller",
    "image-automation-controller",
    "source-watcher",
];

/// How `bootstrap` installs the controllers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topology {
    Single,
    Apart,
}

impl Topology {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Apart => "apart",
        }
    }

    pub(super) fn deployments(self) -> &'static [&'static str] {
        match self {
            Self::Single => &["sluice"],
            Self::Apart => &CONTROLLERS,
        }
    }
}

/// The processes of all Deployments.
pub(super) struct Pods {
    /// Address of the webhooks.
    pub(super) webhooks: String,
    addresses: Addresses,
    containers: Vec<Container>,
}

struct Container {
    name: &'static str,
    image: String,
    process: Arc<Process>,
    proxy: FaultProxy,
    keeper: JoinHandle<()>,
}

impl Drop for Container {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

/// A process that can be killed and started again with the state that it had. One that ends on its
/// own is started again, as by the kubelet. It may have lost its lease.
struct Process {
    sluice: Sluice,
    words: Vec<String>,
    running: Mutex<Running>,
    is_stopped: AtomicBool,
}

impl Process {
    fn start(sluice: Sluice, words: Vec<String>) -> Self {
        let running = Mutex::new(started(&sluice, &words));
        Self {
            sluice,
            words,
            running,
            is_stopped: AtomicBool::new(false),
        }
    }

    fn running(&self) -> Running {
        self.running.lock().unwrap().clone()
    }

    /// Starts the process again whenever it has ended, until it is stopped.
    async fn keep(self: Arc<Self>) {
        while !self.is_stopped.load(Ordering::SeqCst) {
            {
                let mut running = self.running.lock().unwrap();
                if !self.is_stopped.load(Ordering::SeqCst) && !running.is_running() {
                    *running = started(&self.sluice, &self.words);
                }
            }
            tokio::time::sleep(RESTART).await;
        }
    }

    /// Stops the process like the kubelet, and returns its handle.
    fn stop(&self) -> Running {
        let running = self.running.lock().unwrap();
        self.is_stopped.store(true, Ordering::SeqCst);
        running.terminate();
        running.clone()
    }

    fn crash(&self) {
        let mut running = self.running.lock().unwrap();
        running.kill();
        if !self.is_stopped.load(Ordering::SeqCst) {
            *running = started(&self.sluice, &self.words);
        }
    }
}

/// The addresses that Services have in a cluster.
struct Addresses {
    artifacts: String,
    generated: String,
    events: String,
    webhooks: String,
}

impl Pods {
    /// Starts each container as soon as its Deployment exists. One of them may be killed.
    pub(super) async fn start(world: &World, topology: Topology, strike: Option<Strike>) -> Self {
        let free: [u16; 4] = ports::free(Ipv4Addr::LOCALHOST.into()).unwrap();
        let [artifacts, generated, events, webhooks] = free.map(|port| format!("127.0.0.1:{port}"));
        let mut pods = Self {
            webhooks: webhooks.clone(),
            addresses: Addresses {
                artifacts,
                generated,
                events,
                webhooks,
            },
            containers: Vec::new(),
        };
        let deployments: Api<Deployment> = Api::namespaced(world.client.clone(), SYSTEM);
        for name in topology.deployments() {
            let deployment = wait::exists(&deployments, name).await;
            let moment = strike.filter(|strike| strike.victim == *name);
            let moment = moment.map(|strike| strike.moment);
            let addresses = &pods.addresses;
            let container = Container::of(world, name, &deployment, addresses, moment).await;
            pods.containers.push(container);
        }
        if let Some(strike) = strike {
            pods.strike(strike);
        }
        pods
    }

    /// Arranges the kill of a step that begins.
    pub(super) fn aim(&self, strike: Strike) {
        aim(&self.victim(strike).proxy, strike.moment);
    }

    /// Kills the victim of a step that has begun, unless it dies at a write.
    pub(super) fn strike(&self, strike: Strike) {
        if strike.moment == Moment::AtOnce {
            self.victim(strike).process.crash();
        }
    }

    /// Ends the kill of a step. The victim may not have written.
    pub(super) fn disarm(&self) {
        for container in &self.containers {
            container.proxy.clear();
        }
    }

    fn victim(&self, strike: Strike) -> &Container {
        let mut containers = self.containers.iter();
        let found = containers.find(|container| container.name == strike.victim);
        found.unwrap()
    }

    /// Replaces each process as soon as its Deployment has another image. As in a new pod, the
    /// storage is empty.
    pub(super) async fn roll(&mut self, world: &World) {
        let deployments: Api<Deployment> = Api::namespaced(world.client.clone(), SYSTEM);
        for container in &mut self.containers {
            let is_new =
                |found: Option<&Deployment>| found.is_some_and(|it| image(it) != container.image);
            let claim = "has another image";
            let deployment = wait::until(&deployments, container.name, claim, is_new).await;
            container.process.stop().ended().await;
            let (name, deployment) = (container.name, deployment.unwrap());
            *container = Container::of(world, name, &deployment, &self.addresses, None).await;
        }
    }

    /// Ends each process as soon as its Deployment is gone.
    pub(super) async fn end(&self, world: &World) {
        let deployments: Api<Deployment> = Api::namespaced(world.client.clone(), SYSTEM);
        for container in &self.containers {
            wait::gone(&deployments, container.name).await;
            container.process.stop();
        }
    }

    /// Returns the logs of all processes.
    pub(super) fn output(&self) -> String {
        let containers = self.containers.iter();
        let logs = containers.map(|container| container.process.running().output());
        logs.collect::<Vec<_>>().join("\n")
    }
}

impl Container {
    /// Starts the process of a Deployment. It is killed at a write, if the moment says so.
    async fn of(
        world: &World,
        name: &'static str,
        deployment: &Deployment,
        addresses: &Addresses,
        moment: Option<Moment>,
    ) -> Self {
        let pod = deployment.spec.as_ref().unwrap().template.spec.as_ref();
        let pod = pod.unwrap();
        let account = pod.service_account_name.as_deref().unwrap();
        let user = format!("system:serviceaccount:{SYSTEM}:{account}");
        let group = Some("system:serviceaccounts");
        let kubeconfig = world.bed.kubeconfig_in_group(&user, group);
        let proxy = FaultProxy::start(&kubeconfig).await;
        if let Some(moment) = moment {
            aim(&proxy, moment);
        }
        let theirs = reference(name, image(deployment));
        let is_theirs = theirs.is_some();
        let sluice = theirs
            .unwrap_or_else(|| Sluice::at(program::flux()))
            .variable("KUBECONFIG", proxy.kubeconfig().display().to_string())
            .variable("RUNTIME_NAMESPACE", SYSTEM);

        sluice_system::fs::create_dir_all(sluice.state().join("data")).unwrap();
        let state = sluice.state().display().to_string();
        let own = if is_theirs {
            addresses.flags_of_reference(name, &state)
        } else {
            addresses.flags(name, &state)
        };
        let flag = |word: &str| word.split('=').next().unwrap_or_default().to_owned();
        let replaced: Vec<String> = own.iter().map(|word| flag(word)).collect();
        let mut words = pod.containers[0].args.clone().unwrap_or_default();
        words.retain(|word| !replaced.contains(&flag(word)));
        if !is_theirs && words.first().is_some_and(|word| word.starts_with("--")) {
            words.splice(..0, ["controller".to_owned(), name.to_owned()]);
        }
        words.extend(own);
        let process = Arc::new(Process::start(sluice, words));
        let victim = Arc::clone(&process);
        proxy.on_kill(move || victim.crash());
        let keeper = tokio::spawn(Arc::clone(&process).keep());
        Self {
            name,
            image: image(deployment).to_owned(),
            process,
            proxy,
            keeper,
        }
    }
}

/// Arranges a kill at a write through a proxy. Events do not count, because their loss has no
/// effect.
fn aim(proxy: &FaultProxy, moment: Moment) {
    let write = When::write().and(|call| call.resource != "events");
    match moment {
        Moment::AtOnce => {}
        Moment::BeforeWrite => proxy.inject_if_reached(write.nth(1), Fault::KillBefore),
        Moment::AfterWrite => proxy.inject_if_reached(write.nth(2), Fault::KillAfter),
    }
}

/// Returns Flux's program of an image, if it is one of Flux's and there.
fn reference(name: &str, image: &str) -> Option<Sluice> {
    let reference = Reference::find().filter(|_| image.starts_with(FLUX_REGISTRY))?;
    let program = reference.has(name).then(|| reference.controller(name))?;
    Some(program.without_poll_limit())
}

/// Returns the image of a controller's Deployment.
fn image(deployment: &Deployment) -> &str {
    let pod = deployment.spec.as_ref().unwrap().template.spec.as_ref();
    pod.unwrap().containers[0].image.as_deref().unwrap()
}

impl Addresses {
    /// Returns the flags that replace those of a Deployment.
    fn flags(&self, name: &str, state: &str) -> Vec<String> {
        let mut flags: Vec<String> = [
            "--metrics-addr=0",
            "--health-addr=0",
            "--leader-election-lease-duration=5s",
            "--leader-election-renew-deadline=4s",
            "--leader-election-retry-period=250ms",
        ]
        .map(str::to_owned)
        .to_vec();
        if name == "sluice" {
            for name in CONTROLLERS {
                let own = self.flags_of(name, state).into_iter();
                flags.extend(own.map(|flag| format!("--{name}.{flag}")));
            }
        } else {
            let own = self.flags_of(name, state).into_iter();
            flags.extend(own.map(|flag| format!("--{flag}")));
        }
        if name != "notification-controller" {
            flags.push(format!("--events-addr=http://{}/", self.events));
        }
        flags
    }

    /// Returns the flags of a controller of Flux that replace those of its Deployment.
    fn flags_of_reference(&self, name: &str, state: &str) -> Vec<String> {
        let mut flags = vec![
            "--metrics-addr=0".to_owned(),
            "--health-addr=0".to_owned(),
            // The namespace of the lease is known only inside a pod.
            "--enable-leader-election=false".to_owned(),
        ];
        if name != "image-automation-controller" {
            let own = self.flags_of(name, state).into_iter();
            flags.extend(own.map(|flag| format!("--{flag}")));
        }
        if ["kustomize-controller", "helm-controller"].contains(&name) {
            flags.push("--requeue-dependency=1s".to_owned());
        }
        if name != "notification-controller" {
            flags.push(format!("--events-addr=http://{}/", self.events));
        }
        flags
    }

    fn flags_of(&self, name: &str, state: &str) -> Vec<String> {
        match name {
            "source-controller" => storage(state, &self.artifacts),
            "source-watcher" => storage(state, &self.generated),
            "notification-controller" => vec![
                format!("events-addr={}", self.events),
                format!("receiverAddr={}", self.webhooks),
            ],
            "image-reflector-controller" => vec![format!("storage-path={state}/tags")],
            "image-automation-controller" => vec![format!("git-store-path={state}/git")],
            _ => Vec::new(),
        }
    }
}

fn started(sluice: &Sluice, words: &[String]) -> Running {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    sluice.start(&words)
}

fn storage(state: &str, address: &str) -> Vec<String> {
    vec![
        format!("storage-path={state}/data"),
        format!("storage-addr={address}"),
        format!("storage-adv-addr={address}"),
    ]
}
