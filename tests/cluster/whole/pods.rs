//! Acts as the kubelet: starts the containers of the installed Deployments as processes.
//!
//! A process has the arguments of its container and the rights of its service account. Only
//! addresses, folders and the times of the lease differ.

use std::net::Ipv4Addr;

use k8s_openapi::api::apps::v1::Deployment;
use kube::Api;
use sluice_testkit::devcluster::ports;
use sluice_testkit::{Running, Sluice, wait};

use super::SYSTEM;
use crate::program;
use crate::world::World;

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
    containers: Vec<Container>,
}

struct Container {
    name: String,
    sluice: Sluice,
    words: Vec<String>,
    running: Running,
}

/// The addresses that Services have in a cluster.
struct Addresses {
    artifacts: String,
    generated: String,
    events: String,
    webhooks: String,
}

impl Pods {
    /// Starts each container as soon as its Deployment exists.
    pub(super) async fn start(world: &World, topology: Topology) -> Self {
        let free: [u16; 4] = ports::free(Ipv4Addr::LOCALHOST.into()).unwrap();
        let [artifacts, generated, events, webhooks] = free.map(|port| format!("127.0.0.1:{port}"));
        let addresses = Addresses {
            artifacts,
            generated,
            events,
            webhooks,
        };
        let deployments: Api<Deployment> = Api::namespaced(world.client.clone(), SYSTEM);
        let mut containers = Vec::new();
        for name in topology.deployments() {
            let deployment = wait::exists(&deployments, name).await;
            containers.push(Container::of(world, name, &deployment, &addresses));
        }
        Self {
            webhooks: addresses.webhooks,
            containers,
        }
    }

    /// Kills these containers, and starts them again with the state that they had.
    pub(super) fn crash(&mut self, names: &[&str]) {
        let names = |it: &&mut Container| names.contains(&&*it.name);
        for container in self.containers.iter_mut().filter(names) {
            container.running.kill();
            container.running = start(&container.sluice, &container.words);
        }
    }

    /// Ends each process as soon as its Deployment is gone.
    pub(super) async fn end(&self, world: &World) {
        let deployments: Api<Deployment> = Api::namespaced(world.client.clone(), SYSTEM);
        for container in &self.containers {
            wait::gone(&deployments, &container.name).await;
            container.running.terminate();
        }
    }

    /// Returns the logs of all processes.
    pub(super) fn output(&self) -> String {
        let logs = self.containers.iter().map(|it| it.running.output());
        logs.collect::<Vec<_>>().join("\n")
    }
}

impl Container {
    fn of(world: &World, name: &str, deployment: &Deployment, addresses: &Addresses) -> Self {
        let pod = deployment.spec.as_ref().unwrap().template.spec.as_ref();
        let pod = pod.unwrap();
        let account = pod.service_account_name.as_deref().unwrap();
        let user = format!("system:serviceaccount:{SYSTEM}:{account}");
        let group = Some("system:serviceaccounts");
        let kubeconfig = world.bed.kubeconfig_in_group(&user, group);
        let sluice = Sluice::at(program::flux())
            .variable("KUBECONFIG", kubeconfig.display().to_string())
            .variable("RUNTIME_NAMESPACE", SYSTEM);

        sluice_system::fs::create_dir_all(sluice.state().join("data")).unwrap();
        let own = addresses.flags(name, &sluice.state().display().to_string());
        let flag = |word: &str| word.split('=').next().unwrap_or_default().to_owned();
        let replaced: Vec<String> = own.iter().map(|word| flag(word)).collect();
        let mut words = pod.containers[0].args.clone().unwrap_or_default();
        words.retain(|word| !replaced.contains(&flag(word)));
        if words.first().is_some_and(|word| word.starts_with("--")) {
            words.splice(..0, ["controller".to_owned(), name.to_owned()]);
        }
        words.extend(own);
        let running = start(&sluice, &words);
        Self {
            name: name.to_owned(),
            sluice,
            words,
            running,
        }
    }
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

fn start(sluice: &Sluice, words: &[String]) -> Running {
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
