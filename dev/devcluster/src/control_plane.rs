//! etcd, API server, controller manager and scheduler on loopback, and optionally a fake node whose
//! pods become Ready.
//!
//! All state is in one directory. All servers end with this process (see [`crate::process`]). The
//! administrator has a token; [`ControlPlane::kubeconfig_for`] creates other users.

mod servers;

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use k8s_openapi::api::core::v1::{Node, ServiceAccount};
use kube::config::{KubeConfigOptions, Kubeconfig};

use crate::authority::Authority;
use crate::error::Error;
use crate::files;
use crate::kubeconfig::{self, Credential};
use crate::process::{CleanupGuard, Process};
use crate::tools::{Tool, Toolbox};
use sluice_system::fs;

/// Retries with other ports: another process may take a chosen port before the server binds it.
const ATTEMPTS: usize = 5;

/// Timeout of the start. It is long for machines that compile meanwhile.
const READY_TIMEOUT: Duration = Duration::from_mins(2);

const POLL: Duration = Duration::from_millis(20);

/// Level of the API server's audit log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Audit {
    /// No audit log.
    #[default]
    Off,
    /// Metadata without bodies.
    Metadata,
    /// Metadata and bodies of requests.
    Request,
}

/// Options of a control plane.
#[derive(Debug, Clone)]
pub struct Options {
    /// Provides the binaries.
    pub toolbox: Toolbox,
    /// Whether to run kwok and a fake node.
    pub fake_node: bool,
    /// Level of the audit log (see [`ControlPlane::audit_log`]).
    pub audit: Audit,
    /// The address that the API server listens on.
    pub address: IpAddr,
    /// The directory for all state, which is kept. Without it the directory is temporary.
    pub state: Option<PathBuf>,
    /// Whether there are real nodes, whose kubelets the API server calls for logs and exec.
    pub real_nodes: bool,
    /// Additional flags of the API server.
    pub api_server_arguments: Vec<String>,
}

impl Options {
    /// A control plane with a fake node, on loopback, without an audit log.
    pub fn new(toolbox: Toolbox) -> Self {
        Self {
            toolbox,
            fake_node: true,
            audit: Audit::Off,
            address: Ipv4Addr::LOCALHOST.into(),
            state: None,
            real_nodes: false,
            api_server_arguments: Vec::new(),
        }
    }
}

/// A running control plane; dropping it stops it and removes its state.
#[derive(Debug)]
pub struct ControlPlane {
    // Fields drop in order: clients of the API server, the API server, the store, and the
    // directory.
    processes: Vec<Process>,
    authority: Authority,
    server: String,
    kubeconfig: PathBuf,
    audit_log: Option<PathBuf>,
    state: State,
}

#[derive(Debug)]
struct State {
    directory: PathBuf,
    /// Absent when the caller owns the directory.
    _cleanup: Option<CleanupGuard>,
}

impl State {
    fn new(wanted: Option<&Path>) -> Result<Self, Error> {
        if let Some(directory) = wanted {
            fs::create_dir_all(directory)?;
            return Ok(Self {
                directory: directory.to_owned(),
                _cleanup: None,
            });
        }
        let directory = tempfile::Builder::new()
            .prefix("sluice-control-plane-")
            .tempdir()
            .map_err(|source| Error::File {
                action: "create a directory in",
                path: std::env::temp_dir(),
                source,
            })?
            .keep();
        let guard = CleanupGuard::of(&directory)?;
        Ok(Self {
            directory,
            _cleanup: Some(guard),
        })
    }
}

impl ControlPlane {
    /// Starts a control plane and waits until it is ready, building missing tools first.
    pub async fn start(options: Options) -> Result<Self, Error> {
        // Keeps a provider that is installed already.
        rustls::crypto::aws_lc_rs::default_provider()
            .install_default()
            .ok();
        for tool in Tool::CONTROL_PLANE {
            options.toolbox.path(tool).await?;
        }
        let mut attempt = 1;
        loop {
            match Self::start_once(&options).await {
                Err(error) if error.is_port_taken() && attempt < ATTEMPTS => attempt += 1,
                result => return result,
            }
        }
    }

    async fn start_once(options: &Options) -> Result<Self, Error> {
        let state = State::new(options.state.as_deref())?;
        let layout = servers::Layout::prepare(&state.directory, options)?;
        let tools = &options.toolbox;

        // Both start together; the API server waits for etcd.
        let etcd = layout.etcd(&tools.path(Tool::Etcd).await?)?;
        let api_server = layout.api_server(&tools.path(Tool::KubeApiserver).await?, options)?;
        let mut plane = Self {
            processes: vec![api_server, etcd],
            server: layout.server.clone(),
            kubeconfig: layout.kubeconfig(),
            audit_log: (options.audit != Audit::Off).then(|| layout.audit_log()),
            authority: layout.authority,
            state,
        };
        plane.until_ready().await?;

        let mut clients = vec![
            (Tool::KubeControllerManager, None),
            (Tool::KubeScheduler, None),
        ];
        if options.fake_node {
            clients.push((Tool::Kwok, Some(tools.kwok_stages().await?)));
        }
        for (tool, stages) in clients {
            let process = servers::start_client(
                tool,
                &tools.path(tool).await?,
                &plane.state.directory,
                &plane.kubeconfig_for_component(tool)?,
                stages.as_deref(),
            )?;
            plane.processes.insert(0, process);
        }
        plane.until_populated(options.fake_node).await?;
        Ok(plane)
    }

    /// The administrator's kubeconfig.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// The URL of the API server.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The directory that holds state and logs.
    pub fn state(&self) -> &Path {
        &self.state.directory
    }

    /// The authority of the API server's certificate and of client certificates.
    pub fn authority(&self) -> &Authority {
        &self.authority
    }

    /// The audit log (JSON lines), if enabled.
    pub fn audit_log(&self) -> Option<&Path> {
        self.audit_log.as_deref()
    }

    /// The ids of its processes.
    pub fn pids(&self) -> Vec<u32> {
        self.processes.iter().map(Process::pid).collect()
    }

    /// Returns the text of a kubeconfig for a user with a client certificate.
    pub fn kubeconfig_for(&self, user: &str, group: Option<&str>) -> Result<String, Error> {
        let identity = self.authority.client(user, group)?;
        Ok(kubeconfig::text(
            "sluice",
            &self.server,
            &self.authority.certificate(),
            user,
            Credential::Certificate(&identity),
        ))
    }

    /// A client with the administrator's rights, bound to the current runtime.
    pub async fn client(&self) -> Result<kube::Client, Error> {
        let text = fs::read_to_string(&self.kubeconfig)?;
        let kubeconfig = Kubeconfig::from_yaml(&text)?;
        let mut config =
            kube::Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
        // A proxy of the developer's environment must not receive requests to loopback.
        config.proxy_url = None;
        kube::Client::try_from(config).map_err(|source| Error::Kubernetes {
            action: "make a client".to_owned(),
            source: Box::new(source),
        })
    }

    /// Fails if a process has ended, with the end of its log.
    pub fn check(&mut self) -> Result<(), Error> {
        self.processes.iter_mut().try_for_each(Process::check)
    }

    /// Stops all processes and waits for their end, as drop does.
    pub fn stop(self) {
        drop(self);
    }

    fn kubeconfig_for_component(&self, tool: Tool) -> Result<PathBuf, Error> {
        // Separate users distinguish them in the audit log. RBAC has roles for the first two; kwok
        // needs the rights of an administrator.
        let (user, group) = match tool {
            Tool::KubeControllerManager => ("system:kube-controller-manager", None),
            Tool::KubeScheduler => ("system:kube-scheduler", None),
            _ => ("kwok", Some("system:masters")),
        };
        let path = self
            .state
            .directory
            .join(format!("{}.kubeconfig", tool.name()));
        files::write_secret(&path, self.kubeconfig_for(user, group)?)?;
        Ok(path)
    }

    /// Waits until the API server is ready.
    async fn until_ready(&mut self) -> Result<(), Error> {
        let client = self.client().await?;
        let started = std::time::Instant::now();
        loop {
            self.check()?;
            let request = http::Request::get("/readyz")
                .body(Vec::new())
                .expect("a constant request");
            let last = match client.request_text(request).await {
                Ok(_) => return Ok(()),
                Err(error) => error.to_string(),
            };
            if started.elapsed() > READY_TIMEOUT {
                return Err(self.processes[0].not_ready(started.elapsed(), last));
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// Waits until controllers have created the `default` service account of the default namespace,
    /// and until the node is ready.
    async fn until_populated(&mut self, fake_node: bool) -> Result<(), Error> {
        let client = self.client().await?;
        let accounts: kube::Api<ServiceAccount> = kube::Api::default_namespaced(client.clone());
        let nodes: kube::Api<Node> = kube::Api::all(client);
        if fake_node {
            servers::create_fake_node(&nodes).await?;
        }
        let started = std::time::Instant::now();
        loop {
            self.check()?;
            let account = accounts.get_opt("default").await;
            let node = if fake_node {
                nodes.get_opt(servers::FAKE_NODE).await
            } else {
                Ok(None)
            };
            let last = match (account, node) {
                (Ok(Some(_)), Ok(node))
                    if !fake_node || node.as_ref().is_some_and(servers::is_ready) =>
                {
                    return Ok(());
                }
                (Ok(None), _) => "no default ServiceAccount yet".to_owned(),
                (Err(error), _) | (_, Err(error)) => error.to_string(),
                _ => "the fake node is not Ready yet".to_owned(),
            };
            if started.elapsed() > READY_TIMEOUT {
                return Err(self.processes[0].not_ready(started.elapsed(), last));
            }
            tokio::time::sleep(POLL).await;
        }
    }
}
