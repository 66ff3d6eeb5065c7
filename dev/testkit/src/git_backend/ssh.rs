//! An OpenSSH server with keys of its own, which lets one key run `git-shell`.

use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use sluice_devcluster::ports;
use sluice_devcluster::process::{Process, Program};
use sluice_git::serve::Repository;
use sluice_system::fs;
use tokio::net::TcpStream;

use crate::wait;

/// Usual path of sshd, which must be started by its absolute path.
const SSHD: &str = "/usr/sbin/sshd";

/// The program that a client may run.
const SHELL: &str = r#"command="git-shell -c \"$SSH_ORIGINAL_COMMAND\"",restrict"#;

/// The algorithm of the server's host key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostKey {
    /// `ssh-ed25519`.
    Ed25519,
    /// `ecdsa-sha2-nistp256`.
    Ecdsa,
    /// `rsa-sha2-512` and `rsa-sha2-256`.
    Rsa,
}

impl HostKey {
    const fn name(self) -> &'static str {
        match self {
            Self::Ed25519 => "ed25519",
            Self::Ecdsa => "ecdsa",
            Self::Rsa => "rsa",
        }
    }
}

/// A running server; dropping it stops it and removes its repositories and keys.
#[derive(Debug)]
pub struct SshServer {
    process: Process,
    directory: tempfile::TempDir,
    address: Ipv4Addr,
    port: u16,
    host_key: HostKey,
    user: String,
}

impl SshServer {
    /// Starts a server with an Ed25519 host key.
    pub async fn start() -> Self {
        Self::start_with(HostKey::Ed25519).await
    }

    /// Starts the server on an address other than loopback, such as one that pods can reach.
    pub async fn start_at(address: Ipv4Addr) -> Self {
        Self::listen(address, HostKey::Ed25519).await
    }

    /// Starts a server with a host key of the given kind.
    pub async fn start_with(host_key: HostKey) -> Self {
        Self::listen(Ipv4Addr::LOCALHOST, host_key).await
    }

    async fn listen(address: Ipv4Addr, host_key: HostKey) -> Self {
        assert!(
            Path::new(SSHD).exists(),
            "{SSHD} is not there: install openssh-server (apt-get install openssh-server)"
        );
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::create_dir_all(root.join("repositories")).unwrap();
        generate(&root.join("host"), host_key.name()).await;
        generate(&root.join("client"), "ed25519").await;
        let client = fs::read_to_string(root.join("client.pub")).unwrap();
        fs::write(root.join("authorized_keys"), format!("{SHELL} {client}")).unwrap();
        // The directory of its unprivileged children; only root needs and creates it.
        if rustix::process::geteuid().is_root() {
            fs::create_dir_all("/run/sshd").unwrap();
        }

        let mut attempt = 0;
        loop {
            let [port] = ports::free(address.into()).unwrap();
            let mut process = run(root, address, port);
            let listening = wait::eventually("sshd listens", || {
                let ended = process.check().map_err(|error| error.to_string());
                async move {
                    if ended.is_err() {
                        return Ok(ended);
                    }
                    TcpStream::connect((address, port))
                        .await
                        .map(|_| Ok(()))
                        .map_err(|error| error.to_string())
                }
            })
            .await;
            match listening {
                Ok(()) => {
                    let user = user().await;
                    return Self {
                        process,
                        directory,
                        address,
                        port,
                        host_key,
                        user,
                    };
                }
                Err(error) if attempt < 3 && error.contains("in use") => attempt += 1,
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Creates an empty bare repository whose `HEAD` is a branch.
    pub fn create(&self, name: &str, branch: &str) -> Repository {
        super::create(&self.repositories(), name, branch)
    }

    /// The URL of a repository.
    pub fn url(&self, name: &str) -> String {
        let path = self.repositories().join(name);
        format!(
            "ssh://{}@{}:{}{}",
            self.user,
            self.address,
            self.port,
            path.display()
        )
    }

    /// The private key of the client, in OpenSSH's format.
    pub fn client_key(&self) -> String {
        fs::read_to_string(self.directory.path().join("client")).unwrap()
    }

    /// Its public half.
    pub fn client_public_key(&self) -> String {
        fs::read_to_string(self.directory.path().join("client.pub")).unwrap()
    }

    /// Authorizes another key.
    pub fn authorize(&self, public: &str) {
        let path = self.directory.path().join("authorized_keys");
        let others = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{others}{SHELL} {}\n", public.trim())).unwrap();
    }

    /// The line of `known_hosts` for this server.
    pub fn known_hosts(&self) -> String {
        self.known_hosts_as(&format!("[{}]:{}", self.address, self.port))
    }

    /// Returns this line for another name or pattern.
    pub fn known_hosts_as(&self, host: &str) -> String {
        let public = fs::read_to_string(self.directory.path().join("host.pub")).unwrap();
        let mut words = public.split(' ');
        let (kind, key) = (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        );
        format!("{host} {kind} {key}\n")
    }

    /// The algorithm of its host key.
    pub fn host_key(&self) -> HostKey {
        self.host_key
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The end of its log.
    pub fn log(&self) -> String {
        self.process.log_tail()
    }

    fn repositories(&self) -> PathBuf {
        self.directory.path().join("repositories")
    }
}

fn run(root: &Path, address: Ipv4Addr, port: u16) -> Process {
    let file = |name: &str| root.join(name).display().to_string();
    Program::new("sshd", SSHD)
        .arguments(["-D", "-e", "-f", "/dev/null"])
        .arguments(["-p", &port.to_string()])
        .arguments(["-h", &file("host")])
        .arguments(["-o", &format!("ListenAddress={address}")])
        .arguments([
            "-o",
            &format!("AuthorizedKeysFile={}", file("authorized_keys")),
        ])
        .arguments(["-o", &format!("PidFile={}", file("pid"))])
        .arguments([
            "-o",
            "StrictModes=no",
            "-o",
            "UsePAM=no",
            "-o",
            "LogLevel=VERBOSE",
        ])
        .arguments([
            "-o",
            "PasswordAuthentication=no",
            "-o",
            "PermitRootLogin=yes",
        ])
        .arguments(["-o", "AcceptEnv=GIT_PROTOCOL"])
        .start(&root.join("sshd.log"))
        .unwrap_or_else(|error| panic!("{error}"))
}

async fn generate(path: &Path, kind: &str) {
    #[expect(
        clippy::disallowed_methods,
        reason = "the keys have the format of ssh-keygen"
    )]
    let mut command = tokio::process::Command::new("ssh-keygen");
    command
        .args(["-q", "-N", "", "-C", "test", "-t", kind, "-f"])
        .arg(path);
    let status = command
        .status()
        .await
        .unwrap_or_else(|error| panic!("start ssh-keygen: {error}"));
    assert!(status.success(), "ssh-keygen ended with {status}");
}

/// The user who runs the test: without root, sshd accepts only this user.
async fn user() -> String {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one portable way to a user's name"
    )]
    let output = tokio::process::Command::new("id")
        .arg("-un")
        .output()
        .await
        .unwrap();
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
