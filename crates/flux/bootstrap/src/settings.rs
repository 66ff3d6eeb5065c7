//! The repository of a bootstrap and the access to it, after all flags are checked.

use std::path::{Path, PathBuf};

use sluice_dial::{Sensitive, SshIdentity};
use sluice_git::{Access, Remote, Signer, SshAgent};
use sluice_lifecycle::{Error, Package};

use crate::export::DirectoryFs;
use crate::hosted::HostedRepository;
use crate::layout::Layout;
use crate::repository;
use crate::secret::ClusterCredentials;

/// The repository, its files and its access.
pub struct Settings {
    /// The host with an API, if there is one.
    pub(crate) hosted: Option<HostedRepository>,
    /// The URL of the repository.
    pub(crate) url: String,
    /// The remote of this machine. Over SSH it has no identity yet.
    pub(crate) remote: Remote,
    /// The login of this machine.
    pub(crate) login: Login,
    /// The host that the cluster reaches over SSH.
    pub(crate) ssh_host: Option<(String, u16)>,
    /// The access of the cluster.
    pub(crate) wanted: ClusterCredentials,
    /// The files.
    pub(crate) layout: Layout,
    /// The controllers.
    pub(crate) package: Package,
    /// Signs commits.
    pub(crate) signer: Option<Signer>,
}

/// The login of this machine.
pub(crate) enum Login {
    /// The credentials of the remote.
    Http,
    /// A key for a host.
    Ssh {
        /// The key.
        key: LoginKey,
        /// Name and port of the host.
        host: (String, u16),
    },
}

/// The key of this machine.
pub(crate) enum LoginKey {
    /// A private key.
    File {
        /// The key.
        private: Sensitive<String>,
        /// Its passphrase.
        passphrase: Option<Sensitive<String>>,
    },
    /// The keys of the agent at a socket.
    Agent(PathBuf),
}

impl LoginKey {
    /// The access to a host with these host keys.
    pub(crate) fn access(&self, known_hosts: String) -> Access {
        match self {
            Self::File {
                private,
                passphrase,
            } => Access::Ssh(SshIdentity {
                private_key: private.clone(),
                passphrase: passphrase.clone(),
                known_hosts,
            }),
            Self::Agent(socket) => Access::Agent(SshAgent {
                socket: socket.clone(),
                known_hosts,
            }),
        }
    }
}

impl Settings {
    /// Writes the files of both commits into a directory, and returns their paths.
    pub fn export(&self, directory: &Path) -> Result<Vec<PathBuf>, Error> {
        let mut files = self.layout.component_files();
        files.extend(self.layout.sync_files(&DirectoryFs(directory.to_owned()))?);
        repository::export(&files, directory)?;
        Ok(files.keys().map(|path| directory.join(path)).collect())
    }
}
