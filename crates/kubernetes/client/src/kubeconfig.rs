//! Loads kubeconfig files: all features of kubectl for the CLI, a safe subset for controllers.
//!
//! [`load`] supports all flags, files and credential plugins of kubectl. [`sanitize()`] is for the
//! kubeconfig of a tenant in a Secret: it accepts addresses and credentials, and drops everything
//! that would run a program or read a file. Both use [`resolve`](resolve::Selection), which is
//! pure.

mod files;
mod resolve;
mod sanitize;

use std::ffi::OsString;
use std::path::PathBuf;

use kube::Config;
use kube::config::Kubeconfig;

pub use files::FileError;
pub use resolve::ResolveError;
pub use sanitize::{AllowedFields, DroppedField, SanitizedKubeconfig, sanitize};

/// The connection flags of kubectl; `None`, empty and `false` mean absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--kubeconfig`
    pub kubeconfig: Option<PathBuf>,
    /// `--context`
    pub context: Option<String>,
    /// `--cluster`
    pub cluster: Option<String>,
    /// `--user`
    pub user: Option<String>,
    /// `--server`
    pub server: Option<String>,
    /// `--token`
    pub token: Option<sluice_dial::Sensitive<String>>,
    /// `--as`
    pub impersonate: Option<String>,
    /// `--as-group`
    pub impersonate_groups: Vec<String>,
    /// `--as-uid`
    pub impersonate_uid: Option<String>,
    /// `--as-user-extra`, each `key=value`
    pub impersonate_extra: Vec<String>,
    /// `--certificate-authority`
    pub certificate_authority: Option<PathBuf>,
    /// `--client-certificate`
    pub client_certificate: Option<PathBuf>,
    /// `--client-key`
    pub client_key: Option<PathBuf>,
    /// `--insecure-skip-tls-verify`
    pub insecure_skip_tls_verify: bool,
    /// `--tls-server-name`
    pub tls_server_name: Option<String>,
    /// `--disable-compression`
    pub disable_compression: bool,
}

/// The parts of the environment that locate a kubeconfig.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// `KUBECONFIG`, a list of paths.
    pub kubeconfig: Option<OsString>,
    /// The home directory.
    pub home: Option<PathBuf>,
    /// Whether the process runs in a pod with a service account.
    pub in_cluster: bool,
}

impl Environment {
    /// Reads the environment of this process.
    #[expect(
        clippy::disallowed_methods,
        reason = "KUBECONFIG is a list of paths, which need not be UTF-8 and so cannot be a clap flag"
    )]
    pub fn of_process() -> Self {
        Self {
            kubeconfig: std::env::var_os("KUBECONFIG").filter(|list| !list.is_empty()),
            home: std::env::home_dir(),
            in_cluster: std::env::var_os("KUBERNETES_SERVICE_HOST")
                .is_some_and(|host| !host.is_empty()),
        }
    }
}

/// Why no configuration could be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file is missing or is not a kubeconfig.
    #[error(transparent)]
    File(#[from] FileError),
    /// The files select no cluster, or refer to a missing entry.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// The text of the Secret is not a kubeconfig.
    #[error("not a kubeconfig: {0}")]
    Parse(String),
    /// No kubeconfig was found.
    #[error(
        "no kubeconfig found: there is none at {looked}, KUBECONFIG is not set, and this process does not run in a pod"
    )]
    Nothing {
        /// The default path.
        looked: String,
    },
    /// The service account of the pod cannot be used.
    #[error("use the service account of this pod: {0}")]
    InCluster(String),
}

/// A configuration and its context.
#[derive(Debug, Clone)]
pub struct LoadedConfig {
    /// Ready for [`crate::Cluster::connect`]. Its `default_namespace` is that of the context.
    pub config: Config,
    /// The context in use; `None` in a pod or with `--server` alone.
    pub context: Option<String>,
    /// The namespace of the context or of the flag, if there is one.
    pub namespace: Option<String>,
}

/// The files that [`load`] reads.
pub fn paths(flags: &Flags, environment: &Environment) -> Vec<PathBuf> {
    files::paths(flags.kubeconfig.as_deref(), environment)
}

/// Loads the configuration that kubectl would use.
pub fn load(flags: &Flags, environment: &Environment) -> Result<LoadedConfig, LoadError> {
    let kubeconfig = match files::read(flags.kubeconfig.as_deref(), environment)? {
        Some(kubeconfig) => kubeconfig,
        None if flags.server.is_some() => Kubeconfig::default(),
        None if environment.in_cluster => return in_cluster(),
        None => {
            let looked = files::default_path(environment).map_or_else(
                || "~/.kube/config".to_owned(),
                |path| path.display().to_string(),
            );
            return Err(LoadError::Nothing { looked });
        }
    };
    let mut selection = resolve::select(&kubeconfig, flags)?;
    selection.apply(flags)?;
    let (context, namespace) = (selection.context.clone(), selection.namespace.clone());
    let mut config = selection.into_config()?;
    if config.proxy_url.is_none() {
        config.proxy_url = resolve::proxy_of_environment(&config.cluster_url);
    }
    Ok(LoadedConfig {
        config,
        context,
        namespace,
    })
}

/// The names in the files, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Contexts.
    pub contexts: Vec<String>,
    /// Clusters.
    pub clusters: Vec<String>,
    /// Users.
    pub users: Vec<String>,
}

/// The names in the files that [`load`] would read.
pub fn names(flags: &Flags, environment: &Environment) -> Result<Names, LoadError> {
    let kubeconfig = files::read(flags.kubeconfig.as_deref(), environment)?.unwrap_or_default();
    let sorted = |mut names: Vec<String>| {
        names.sort_unstable();
        names
    };
    let contexts = kubeconfig.contexts.into_iter().map(|named| named.name);
    let clusters = kubeconfig.clusters.into_iter().map(|named| named.name);
    let users = kubeconfig.auth_infos.into_iter().map(|named| named.name);
    Ok(Names {
        contexts: sorted(contexts.collect()),
        clusters: sorted(clusters.collect()),
        users: sorted(users.collect()),
    })
}

/// The configuration of the pod of this process.
pub fn in_cluster() -> Result<LoadedConfig, LoadError> {
    let config = Config::incluster().map_err(|error| {
        let cause = crate::error::transport_reason(&error);
        let text = error.to_string();
        LoadError::InCluster(if text.contains(&cause) {
            text
        } else {
            format!("{text}: {cause}")
        })
    })?;
    Ok(LoadedConfig {
        config,
        context: None,
        namespace: None,
    })
}
