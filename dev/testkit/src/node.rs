//! Tier 2: a control plane with one real node that runs real pods.
//!
//! containerd, kubelet, kube-proxy and CoreDNS run in mount, network and process namespaces of
//! their own: the enclosure. Mounts, bridges, iptables rules and containers exist only there. The
//! kernel removes all of it when the first process of the enclosure ends. It ends with the test
//! process (see [`sluice_devcluster::process`]). Outside of the enclosure
//! there are one end of a veth pair, a route to the pods, and a cgroup.
//!
//! A node requires root, cgroups and some packages. Without them [`start`] prints what is missing
//! and returns `None`; with `REQUIRE_TIER2=1` that is a failure.

mod enclosure;
pub(crate) mod requirements;
mod settings;

use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use k8s_openapi::api::core::v1::{Node as KubernetesNode, Pod, Service};
use k8s_openapi::api::discovery::v1::EndpointSlice;
use kube::Api;
use kube::api::PostParams;
use serde_json::json;
use sluice_devcluster::process::{Process, Program};
use sluice_devcluster::{Tool, Toolbox};
use sluice_skip::{Requirement, skip};
use sluice_system::fs;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::image::Image;
use crate::testbed::{self, Testbed};
use crate::wait;
use enclosure::Enclosure;

/// The node's name.
pub const NAME: &str = "node";

/// The address of this machine for pods: test servers that pods call listen here.
pub const HOST: Ipv4Addr = Ipv4Addr::new(10, 212, 0, 1);

/// The node's address; also where CoreDNS listens.
pub const ADDRESS: Ipv4Addr = Ipv4Addr::new(10, 212, 0, 2);

/// The addresses of pods; this machine has a route to them.
const PODS: &str = "10.213.0.0/16";

/// The address of the cluster's DNS service.
const DNS: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 10);

const PAUSE_IMAGE: &str = "sluice.test/pause:1";

/// A running control plane with a real node; dropping it stops all of it.
#[derive(Debug)]
pub struct Node {
    // Fields drop in this order: clients of the API server, the enclosure with all pods, the
    // control plane, the directory, the lock. The lock lets the next node start.
    processes: Vec<Process>,
    enclosure: Enclosure,
    testbed: Testbed,
    directory: PathBuf,
    _cleanup: sluice_devcluster::process::CleanupGuard,
    _lock: fs::File,
}

/// Starts a control plane with a real node. Returns `None`, and prints why, if that is not
/// possible.
pub async fn start() -> Option<Node> {
    if let Some(missing) = requirements::missing() {
        skip(
            Requirement::Node,
            &format!("a real node is not possible here: {missing}"),
        );
        return None;
    }
    Some(Node::start().await)
}

impl Node {
    async fn start() -> Self {
        let toolbox = testbed::toolbox();
        let lock = requirements::lock(&toolbox).await;
        let directory = tempfile::Builder::new()
            .prefix("sluice-node-")
            .tempdir()
            .unwrap()
            .keep();
        let cleanup = sluice_devcluster::process::CleanupGuard::of(&directory).unwrap();
        let pause = toolbox
            .path(Tool::Pause)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        let enclosure = Enclosure::start(&directory, &pause).await;
        let testbed = Testbed::start_with(|options| {
            options.address = HOST.into();
            options.fake_node = false;
            options.real_nodes = true;
        })
        .await;

        let mut node = Self {
            processes: Vec::new(),
            enclosure,
            testbed,
            directory,
            _cleanup: cleanup,
            _lock: lock,
        };
        settings::write(&node.directory, &node.testbed);
        node.run_containerd(&pause).await;
        node.run(
            &toolbox,
            Tool::Kubelet,
            &settings::kubelet_arguments(&node.directory),
        )
        .await;
        node.run(
            &toolbox,
            Tool::KubeProxy,
            &settings::proxy_arguments(&node.directory),
        )
        .await;
        node.run(
            &toolbox,
            Tool::Coredns,
            &settings::coredns_arguments(&node.directory),
        )
        .await;
        node.publish_dns().await;
        node.until_ready().await;
        node
    }

    /// The control plane.
    pub fn testbed(&self) -> &Testbed {
        &self.testbed
    }

    /// Imports an image, so that pods can run it with `imagePullPolicy: Never`.
    pub async fn import(&self, image: &Image) {
        let archive = image.write_into(&self.directory);
        self.import_archive(&archive).await;
        fs::remove_file(&archive).unwrap();
    }

    /// Imports the images of an OCI layout in a tar, with their names.
    pub async fn import_archive(&self, archive: &Path) {
        let archive = archive.display().to_string();
        self.containerd(&["images", "import", "--no-unpack", &archive])
            .await;
    }

    /// Adds a name to an image of the node.
    pub async fn tag_image(&self, name: &str, another: &str) {
        self.containerd(&["images", "tag", "--force", name, another])
            .await;
    }

    /// Returns the names of the node's images.
    pub async fn images(&self) -> Vec<String> {
        let listed = self.containerd(&["images", "ls", "-q"]).await;
        listed.lines().map(str::to_owned).collect()
    }

    /// Kills (`kill -9`) the process of a container, as the kernel does when memory runs out.
    pub async fn kill_container(&self, namespace: &str, pod: &str, container: &str) {
        let pods: Api<Pod> = Api::namespaced(self.testbed.client().await, namespace);
        let found = pods
            .get(pod)
            .await
            .unwrap_or_else(|error| panic!("get pod {namespace}/{pod}: {error}"));
        let statuses = found
            .status
            .and_then(|status| status.container_statuses)
            .unwrap_or_default();
        let id = statuses
            .iter()
            .find(|status| status.name == container)
            .and_then(|status| {
                status
                    .container_id
                    .as_deref()?
                    .strip_prefix("containerd://")
            })
            .unwrap_or_else(|| panic!("{namespace}/{pod} has no running container {container}"));
        self.containerd(&["tasks", "kill", "--signal", "SIGKILL", id])
            .await;
    }

    /// Returns the ends of the logs of all processes of the node, for a failed test.
    pub fn logs(&self) -> String {
        tails(&self.processes)
    }

    async fn run_containerd(&mut self, pause: &Path) {
        let program = Program::new("containerd", "containerd")
            .argument("--config")
            .argument(self.directory.join("containerd.toml"));
        self.start_inside(&program);
        wait::eventually("containerd answers", || async {
            self.enclosure
                .try_run("ctr", &["--address", settings::CONTAINERD, "version"])
                .await
        })
        .await;
        self.import(
            &Image::new(PAUSE_IMAGE)
                .program("/pause", pause)
                .command(&["/pause"]),
        )
        .await;
    }

    async fn run(&mut self, toolbox: &Toolbox, tool: Tool, arguments: &[String]) {
        let binary = toolbox
            .path(tool)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        self.start_inside(&Program::new(tool.name(), binary).arguments(arguments));
    }

    fn start_inside(&mut self, program: &Program) {
        let log = self.directory.join(format!("{}.log", program.name()));
        let process = self
            .enclosure
            .inside(program)
            .start(&log)
            .unwrap_or_else(|error| panic!("{error}"));
        self.processes.insert(0, process);
    }

    /// Runs `ctr` in the namespace of Kubernetes' containers.
    async fn containerd(&self, arguments: &[&str]) -> String {
        let all = [
            &["--address", settings::CONTAINERD, "--namespace", "k8s.io"],
            arguments,
        ]
        .concat();
        self.enclosure
            .try_run("ctr", &all)
            .await
            .unwrap_or_else(|error| panic!("ctr {}: {error}", arguments.join(" ")))
    }

    /// Creates the Service of the cluster's DNS. CoreDNS does not run in a pod.
    async fn publish_dns(&self) {
        let client = self.testbed.client().await;
        let ports = json!([
            { "name": "dns", "port": 53, "protocol": "UDP" },
            { "name": "dns-tcp", "port": 53, "protocol": "TCP" },
        ]);
        let service = json!({
            "metadata": { "name": "kube-dns" },
            "spec": { "clusterIP": DNS.to_string(), "ports": ports },
        });
        let slice = json!({
            "metadata": {
                "name": "kube-dns",
                "labels": { "kubernetes.io/service-name": "kube-dns" },
            },
            "addressType": "IPv4",
            "ports": ports,
            "endpoints": [{ "addresses": [ADDRESS.to_string()], "conditions": { "ready": true } }],
        });
        let services: Api<Service> = Api::namespaced(client.clone(), "kube-system");
        let service = serde_json::from_value(service).expect("a constant Service");
        services
            .create(&PostParams::default(), &service)
            .await
            .unwrap();
        let slices: Api<EndpointSlice> = Api::namespaced(client, "kube-system");
        let slice = serde_json::from_value(slice).expect("a constant EndpointSlice");
        slices.create(&PostParams::default(), &slice).await.unwrap();
    }

    async fn until_ready(&mut self) {
        let nodes: Api<KubernetesNode> = Api::all(self.testbed.client().await);
        let processes = &mut self.processes;
        wait::eventually("the node is Ready and resolves names", || {
            let ended = processes.iter_mut().try_for_each(Process::check);
            // An ended process cannot become ready.
            ended.unwrap_or_else(|error| panic!("{error}"));
            let tails = tails(processes);
            let nodes = nodes.clone();
            async move {
                let node = nodes
                    .get_opt(NAME)
                    .await
                    .map_err(|error| error.to_string())?;
                let conditions = node
                    .and_then(|node| node.status?.conditions)
                    .unwrap_or_default();
                let ready = conditions
                    .iter()
                    .find(|condition| condition.type_ == "Ready");
                match ready {
                    Some(condition) if condition.status == "True" => {}
                    other => return Err(format!("{other:?}\n{tails}")),
                }
                names_are_served()
                    .await
                    .map_err(|error| format!("CoreDNS: {error}\n{tails}"))
            }
        })
        .await;
    }
}

fn tails(processes: &[Process]) -> String {
    let of = |process: &Process| format!("== {}\n{}", process.name(), process.log_tail());
    processes.iter().map(of).collect::<Vec<_>>().join("\n")
}

/// Checks whether CoreDNS has read the cluster.
async fn names_are_served() -> std::io::Result<()> {
    let mut stream = TcpStream::connect((ADDRESS, settings::COREDNS_READY)).await?;
    stream.write_all(b"GET /ready HTTP/1.0\r\n\r\n").await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    if answer.contains(" 200 ") {
        Ok(())
    } else {
        Err(std::io::Error::other(answer))
    }
}
