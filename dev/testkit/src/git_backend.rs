//! The reference Git servers: `git http-backend` behind a small HTTP server, and OpenSSH.
//!
//! They are slower and stricter than [`sluice_devcluster::GitServer`]. They show that real Git
//! programs accept our client.

mod agent;
mod cgi;
mod ssh;

use std::path::{Path, PathBuf};

use sluice_git::serve::Repository;

pub use agent::SshAgent;
pub use cgi::{GitBackend, HttpOptions};
pub(crate) use cgi::{ServedRepository, acceptor, answer};
pub use ssh::{HostKey, SshServer};

/// Creates an empty bare repository that `git http-backend` may be pushed to.
pub(crate) fn create(root: &Path, name: &str, branch: &str) -> Repository {
    let path: PathBuf = root.join(name);
    let repository = Repository::init_bare(&path, branch)
        .unwrap_or_else(|error| panic!("create {name}: {error}"));
    let mut config = sluice_system::fs::read_to_string(path.join("config")).unwrap();
    // Without this setting only an authenticated user may push. The setting for hidden commits
    // stays at its default, so that tests can check the rejection.
    config.push_str("[http]\n\treceivepack = true\n");
    sluice_system::fs::write(path.join("config"), config).unwrap();
    repository
}
