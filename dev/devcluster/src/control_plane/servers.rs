//! Flags and files of each server.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use k8s_openapi::api::core::v1::Node;
use kube::api::PostParams;
use serde_json::json;

use super::{Audit, Options};
use crate::authority::Authority;
use crate::error::Error;
use crate::files;
use crate::kubeconfig::{self, Credential};
use crate::ports;
use crate::process::{Process, Program};
use crate::tools::Tool;
use sluice_system::fs;

pub(super) const FAKE_NODE: &str = "fake";

/// The range is wide, because each Service of each test takes one address.
const SERVICE_RANGE: &str = "10.0.0.0/16";

/// The user with all rights.
const ADMINISTRATOR: &str = "admin";

/// The state directory of one control plane, with its secrets and ports.
pub(super) struct Layout {
    directory: PathBuf,
    address: IpAddr,
    etcd_port: u16,
    etcd_peer_port: u16,
    api_port: u16,
    pub(super) authority: Authority,
    pub(super) server: String,
}

impl Layout {
    pub(super) fn prepare(directory: &Path, options: &Options) -> Result<Self, Error> {
        let loopback = IpAddr::from([127, 0, 0, 1]);
        let [etcd_port, etcd_peer_port] = ports::free(loopback)?;
        let [api_port] = ports::free(options.address)?;
        let authority = Authority::new("sluice development cluster")?;
        let layout = Self {
            directory: directory.to_owned(),
            address: options.address,
            etcd_port,
            etcd_peer_port,
            api_port,
            server: format!("https://{}:{api_port}", options.address),
            authority,
        };
        fs::create_dir_all(layout.path("logs"))?;
        layout.write_secrets()?;
        if options.audit != Audit::Off {
            fs::write(
                layout.path("audit-policy.yaml"),
                audit_policy(options.audit),
            )?;
        }
        Ok(layout)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    pub(super) fn kubeconfig(&self) -> PathBuf {
        self.path("kubeconfig")
    }

    pub(super) fn audit_log(&self) -> PathBuf {
        self.path("audit.log")
    }

    fn write_secrets(&self) -> Result<(), Error> {
        let token: String = std::iter::repeat_with(fastrand::alphanumeric)
            .take(32)
            .collect();
        files::write_secret(
            &self.path("tokens.csv"),
            format!("{token},{ADMINISTRATOR},{ADMINISTRATOR},\"system:masters\"\n"),
        )?;
        files::write_secret(
            &self.kubeconfig(),
            kubeconfig::text(
                "sluice",
                &self.server,
                &self.authority.certificate(),
                ADMINISTRATOR,
                Credential::Token(&token),
            ),
        )?;
        fs::write(self.path("ca.crt"), self.authority.certificate())?;
        files::write_secret(&self.path("ca.key"), self.authority.key())?;

        let names = [
            "localhost",
            "kubernetes",
            "kubernetes.default",
            "kubernetes.default.svc",
            "kubernetes.default.svc.cluster.local",
        ];
        // The first address of the service range is the API server's own Service.
        let addresses = [
            IpAddr::from([127, 0, 0, 1]),
            IpAddr::from([10, 0, 0, 1]),
            self.address,
        ];
        let serving = self
            .authority
            .server("kube-apiserver", &names, &addresses)?;
        fs::write(self.path("server.crt"), serving.certificate)?;
        files::write_secret(&self.path("server.key"), serving.key)?;

        let caller = self
            .authority
            .client("kube-apiserver", Some("system:masters"))?;
        fs::write(self.path("kubelet-client.crt"), caller.certificate)?;
        files::write_secret(&self.path("kubelet-client.key"), caller.key)?;

        let signing = rcgen::KeyPair::generate().map_err(|source| Error::Certificate {
            subject: "service accounts".to_owned(),
            source,
        })?;
        files::write_secret(&self.path("service-accounts.key"), signing.serialize_pem())?;
        fs::write(self.path("service-accounts.pub"), signing.public_key_pem())?;
        Ok(())
    }

    pub(super) fn etcd(&self, binary: &Path) -> Result<Process, Error> {
        let client = format!("http://127.0.0.1:{}", self.etcd_port);
        let peer = format!("http://127.0.0.1:{}", self.etcd_peer_port);
        Program::new("etcd", binary)
            .argument("--name=default")
            .argument(format!("--data-dir={}", self.path("etcd").display()))
            // The data need not survive a power cut, and fsync would dominate the time of a write.
            .argument("--unsafe-no-fsync")
            .argument("--log-level=warn")
            .argument(format!("--listen-client-urls={client}"))
            .argument(format!("--advertise-client-urls={client}"))
            .argument(format!("--listen-peer-urls={peer}"))
            .argument(format!("--initial-advertise-peer-urls={peer}"))
            .argument(format!("--initial-cluster=default={peer}"))
            .start(&self.path("logs/etcd.log"))
    }

    pub(super) fn api_server(&self, binary: &Path, options: &Options) -> Result<Process, Error> {
        let file = |flag: &str, name: &str| format!("--{flag}={}", self.path(name).display());
        let mut program = Program::new("kube-apiserver", binary)
            .argument(format!(
                "--etcd-servers=http://127.0.0.1:{}",
                self.etcd_port
            ))
            .argument(format!("--bind-address={}", self.address))
            .argument(format!("--secure-port={}", self.api_port))
            .argument(file("cert-dir", "certificates"))
            .argument(file("tls-cert-file", "server.crt"))
            .argument(file("tls-private-key-file", "server.key"))
            .argument(file("client-ca-file", "ca.crt"))
            .argument(file("token-auth-file", "tokens.csv"))
            .argument("--service-account-issuer=https://kubernetes.default.svc")
            .argument(file("service-account-key-file", "service-accounts.pub"))
            .argument(file(
                "service-account-signing-key-file",
                "service-accounts.key",
            ))
            .argument(format!("--service-cluster-ip-range={SERVICE_RANGE}"))
            .argument("--authorization-mode=Node,RBAC")
            .argument("--allow-privileged=true")
            .argument("--profiling=false");
        if options.real_nodes {
            program = program
                .argument("--kubelet-preferred-address-types=InternalIP")
                .argument(file("kubelet-certificate-authority", "ca.crt"))
                .argument(file("kubelet-client-certificate", "kubelet-client.crt"))
                .argument(file("kubelet-client-key", "kubelet-client.key"));
        }
        if self.address.is_loopback() {
            // A loopback address is not a valid endpoint: the server would log an error every few
            // seconds.
            program = program.argument("--endpoint-reconciler-type=none");
        }
        if options.audit != Audit::Off {
            program = program
                .argument(file("audit-policy-file", "audit-policy.yaml"))
                .argument(format!("--audit-log-path={}", self.audit_log().display()))
                // A rotation would lose entries that tests count. The size is in megabytes, and 0
                // means 100.
                .argument("--audit-log-maxsize=1000000");
        }
        program
            .arguments(&options.api_server_arguments)
            .start(&self.path("logs/kube-apiserver.log"))
    }
}

/// Starts a client of the API server.
pub(super) fn start_client(
    tool: Tool,
    binary: &Path,
    directory: &Path,
    kubeconfig: &Path,
    stages: Option<&Path>,
) -> Result<Process, Error> {
    let file = |flag: &str, name: &str| format!("--{flag}={}", directory.join(name).display());
    let mut program = Program::new(tool.name(), binary)
        .argument(format!("--kubeconfig={}", kubeconfig.display()));
    program = match tool {
        Tool::KubeControllerManager => program
            .argument("--leader-elect=false")
            .argument("--secure-port=0")
            .argument("--use-service-account-credentials")
            .argument(file(
                "service-account-private-key-file",
                "service-accounts.key",
            ))
            .argument(file("root-ca-file", "ca.crt"))
            .argument(file("cluster-signing-cert-file", "ca.crt"))
            .argument(file("cluster-signing-key-file", "ca.key"))
            // The defaults (20, 30) would limit every benchmark.
            .argument("--kube-api-qps=500")
            .argument("--kube-api-burst=1000"),
        Tool::KubeScheduler => program
            .argument("--leader-elect=false")
            .argument("--secure-port=0")
            .argument("--kube-api-qps=500")
            .argument("--kube-api-burst=1000"),
        _ => {
            if let Some(stages) = stages {
                program = program.argument(format!("--config={}", stages.display()));
            }
            // kwok must not manage real nodes.
            program
                .argument("--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake")
                .argument("--cidr=10.244.0.0/16")
        }
    };
    program.start(&directory.join(format!("logs/{}.log", tool.name())))
}

/// Leaves out reads of system components and the stage before completion.
fn audit_policy(audit: Audit) -> String {
    let level = match audit {
        Audit::Request => "Request",
        Audit::Off | Audit::Metadata => "Metadata",
    };
    format!(
        "apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  userGroups: [system:nodes, 'system:serviceaccounts:kube-system']
  verbs: [get, list, watch]
- level: None
  users: [system:apiserver, system:kube-scheduler, system:kube-controller-manager, kwok]
  verbs: [get, list, watch]
- level: {level}
"
    )
}

/// Creates the node that kwok keeps alive, unless a reused state directory contains it.
pub(super) async fn create_fake_node(nodes: &kube::Api<Node>) -> Result<(), Error> {
    let capacity = json!({
        "cpu": "1000", "memory": "4Ti", "ephemeral-storage": "4Ti", "pods": "100000",
    });
    let node = json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": FAKE_NODE,
            "annotations": { "kwok.x-k8s.io/node": "fake", "node.alpha.kubernetes.io/ttl": "0" },
            "labels": {
                "kubernetes.io/arch": "amd64",
                "kubernetes.io/hostname": FAKE_NODE,
                "kubernetes.io/os": "linux",
            },
        },
        "status": { "allocatable": capacity, "capacity": capacity },
    });
    let node = serde_json::from_value(node).expect("a constant Node");
    match nodes.create(&PostParams::default(), &node).await {
        Ok(_) => Ok(()),
        Err(kube::Error::Api(status)) if status.is_already_exists() => Ok(()),
        Err(source) => Err(Error::Kubernetes {
            action: "create the fake node".to_owned(),
            source: Box::new(source),
        }),
    }
}

pub(super) fn is_ready(node: &Node) -> bool {
    node.status
        .as_ref()
        .and_then(|status| status.conditions.as_ref())
        .is_some_and(|conditions| {
            conditions
                .iter()
                .any(|condition| condition.type_ == "Ready" && condition.status == "True")
        })
}
