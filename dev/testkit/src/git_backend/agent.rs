//! The OpenSSH agent, which holds keys and signs with them.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use sluice_devcluster::process::{Process, Program};
use sluice_system::fs;
use tokio::net::UnixStream;

use crate::wait;

/// A running agent; dropping it stops it.
#[derive(Debug)]
pub struct SshAgent {
    process: Process,
    directory: tempfile::TempDir,
}

impl SshAgent {
    /// Starts one without keys.
    pub async fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let socket = directory.path().join("agent");
        let process = Program::new("ssh-agent", "/usr/bin/ssh-agent")
            .arguments([Path::new("-D"), Path::new("-a"), &socket])
            .start(&directory.path().join("agent.log"))
            .unwrap_or_else(|error| panic!("{error}"));
        wait::eventually("ssh-agent listens", || async {
            let reached = UnixStream::connect(&socket).await;
            reached.map(drop).map_err(|error| error.to_string())
        })
        .await;
        Self { process, directory }
    }

    /// The socket that programs find through `SSH_AUTH_SOCK`.
    pub fn socket(&self) -> PathBuf {
        self.directory.path().join("agent")
    }

    /// Adds a private key.
    pub async fn add(&self, key: &str) {
        let path = self.directory.path().join("key");
        fs::write(&path, key).unwrap();
        // The agent rejects a key file that others can read.
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        #[expect(
            clippy::disallowed_methods,
            reason = "only ssh-add adds a key to the agent"
        )]
        let mut command = tokio::process::Command::new("ssh-add");
        command
            .arg("-q")
            .arg(&path)
            .env("SSH_AUTH_SOCK", self.socket());
        let added = command
            .output()
            .await
            .unwrap_or_else(|error| panic!("start ssh-add: {error}"));
        assert!(
            added.status.success(),
            "{added:?} {}",
            self.process.log_tail()
        );
    }
}
