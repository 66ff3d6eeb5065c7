//! The choices of a bootstrap that all kinds of hosts share.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sluice_dial::{HttpClients, Tls};
use sluice_git::Author;
use sluice_git::ssh_setup::{KeyKind, KeyPair};
use sluice_golang::GoDuration;
use sluice_golang::non_empty;
use sluice_kustomize::remote::Fetcher;
use sluice_lifecycle::{Error, Package, PullSecret};
use sluice_manifests::Sync;

/// The choices of a bootstrap. Empty texts count as missing.
pub struct Options {
    /// The reasons why a controller does not start with its flags.
    pub flag_faults: fn(&str, &[String]) -> Vec<String>,
    /// The text below each commit message.
    pub appendix: Option<String>,
    /// The author of commits.
    pub author: Author,
    /// The branch to commit to and to follow.
    pub branch: String,
    /// The file with the authorities to trust.
    pub ca_file: Option<String>,
    /// The controllers.
    pub components: sluice_manifests::Options,
    /// Creates the fetcher of remote bases.
    pub fetcher: fn() -> Arc<dyn Fetcher>,
    /// Whether the installation of another tool is taken over.
    pub force: bool,
    /// The accepted algorithms of host keys.
    pub host_key_algorithms: Vec<String>,
    /// The HTTP clients.
    pub http: Arc<HttpClients>,
    /// How often the cluster fetches.
    pub interval: Duration,
    /// Whether changes are only planned.
    pub is_plan: bool,
    /// The key of the cluster.
    pub key: KeyOptions,
    /// The directory to install instead of the generated objects.
    pub package_directory: Option<PathBuf>,
    /// The directory of the cluster in the repository.
    pub path: Option<String>,
    /// The Secret with the credentials of the registry.
    pub pull_secret: Option<PullSecret>,
    /// Whether the cluster fetches submodules.
    pub recurse_submodules: bool,
    /// The Secret with the credentials of the cluster.
    pub secret_name: String,
    /// The signing key of commits.
    pub signing: SigningOptions,
    /// The directories that the cluster fetches.
    pub sparse_checkout: Vec<String>,
    /// The host that the cluster reaches over SSH.
    pub ssh_hostname: Option<String>,
    /// The time limit.
    pub timeout: Duration,
    /// Whether the cluster uses the token or password of the user.
    pub token_auth: bool,
}

/// The source and the type of a key pair.
pub struct KeyOptions {
    /// The file with the user's private key.
    pub file: Option<String>,
    /// The type of a new key pair.
    pub kind: KeyKind,
}

/// The flags of the signing key.
#[derive(Default)]
pub struct SigningOptions {
    /// Selects a key of the ring.
    pub gpg_key_id: Option<String>,
    /// The file with OpenPGP keys.
    pub gpg_key_ring: Option<String>,
    /// The passphrase of the OpenPGP key.
    pub gpg_passphrase: Option<String>,
    /// Whether the key of the cluster signs.
    pub reuse_private_key: bool,
    /// The file with an SSH key.
    pub ssh_key_file: Option<String>,
    /// The other name of `ssh_password`.
    pub ssh_passphrase: Option<String>,
    /// The passphrase of the SSH key.
    pub ssh_password: Option<String>,
}

impl KeyOptions {
    /// The file with the user's private key, if there is one.
    pub fn file(&self) -> Option<&str> {
        non_empty(self.file.as_ref())
    }

    /// The user's key pair, if there is one.
    pub fn read_key_pair(&self, passphrase: Option<&str>) -> Result<Option<KeyPair>, Error> {
        let Some(path) = self.file() else {
            return Ok(None);
        };
        let text = sluice_system::fs::read_to_string(path).map_err(|error| {
            let why = error.go_message();
            Error::user(format!("failed to open private key file: {why}"))
                .hint("set --private-key-file to a readable file")
        })?;
        KeyPair::read(&text, passphrase)
            .map(Some)
            .map_err(|error| Error::user(format!("--private-key-file: {error}")))
    }
}

impl Options {
    /// The authorities to trust, as PEM.
    pub(crate) fn authorities(&self) -> Result<Option<String>, Error> {
        let Some(path) = non_empty(self.ca_file.as_ref()) else {
            return Ok(None);
        };
        let failed = |reason: String| {
            Error::user(format!("unable to read TLS CA file: {reason}"))
                .hint("set --ca-file to a readable file with certificates")
        };
        let pem =
            sluice_system::fs::read_to_string(path).map_err(|error| failed(error.go_message()))?;
        Tls::with_ca(pem.as_bytes()).map_err(|error| failed(error.to_string()))?;
        Ok(Some(pem))
    }

    /// The objects of the controllers.
    pub(crate) fn package(&self) -> Result<Package, Error> {
        let directory = self.package_directory.as_deref();
        Package::build(&self.components, directory, self.fetcher)
    }

    /// The objects that sync the cluster from a URL.
    pub(crate) fn sync(&self, url: String) -> Sync {
        Sync {
            namespace: self.components.namespace.clone(),
            url,
            branch: self.branch.clone(),
            secret: self.secret_name.clone(),
            interval: GoDuration::from_std(self.interval).to_string(),
            path: self.path.clone().unwrap_or_default(),
            provider: None,
            recurse_submodules: self.recurse_submodules,
            sparse_checkout: self.sparse_checkout.clone(),
            service_account: self.components.reconciler().map(str::to_owned),
        }
    }
}

#[cfg(test)]
pub(crate) fn sample() -> Options {
    Options {
        flag_faults: |_, _| Vec::new(),
        appendix: None,
        author: Author {
            name: "Flux".to_owned(),
            email: String::new(),
        },
        branch: "main".to_owned(),
        ca_file: None,
        components: sluice_manifests::Options::default(),
        fetcher: || unreachable!("nothing is fetched"),
        force: false,
        host_key_algorithms: Vec::new(),
        http: Arc::new(HttpClients::new("test")),
        interval: Duration::from_mins(1),
        is_plan: false,
        key: KeyOptions {
            file: None,
            kind: KeyKind::EcdsaP384,
        },
        package_directory: None,
        path: None,
        pull_secret: None,
        recurse_submodules: false,
        secret_name: "flux-system".to_owned(),
        signing: SigningOptions::default(),
        sparse_checkout: Vec::new(),
        ssh_hostname: None,
        timeout: Duration::from_mins(5),
        token_auth: false,
    }
}
