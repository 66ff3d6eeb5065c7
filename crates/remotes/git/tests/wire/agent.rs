//! Keys of a real `ssh-agent` with a real `sshd`.

use std::path::{Path, PathBuf};

use sluice_git::{Access, Error, ErrorKind, SshAgent};
use sluice_system::fs;
use tokio::net::UnixStream;
use tokio::process::Child;

use crate::server::client;
use crate::ssh::{Sshd, command, keygen, main_branch, output};

/// An agent without keys, stopped on drop.
struct Agent {
    socket: PathBuf,
    _child: Child,
}

impl Agent {
    async fn start(directory: &Path, name: &str) -> Self {
        let socket = directory.join(name);
        let mut child = command("ssh-agent", directory)
            .args(["-D", "-a"])
            .arg(&socket)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while UnixStream::connect(&socket).await.is_err() {
            assert_eq!(child.try_wait().unwrap(), None, "ssh-agent ended");
            tokio::task::yield_now().await;
        }
        Self {
            socket,
            _child: child,
        }
    }

    async fn run(&self, arguments: &[&str], directory: &Path) {
        let added = command("ssh-add", directory)
            .args(arguments)
            .env("SSH_AUTH_SOCK", &self.socket)
            .output()
            .await
            .unwrap();
        assert!(added.status.success(), "{added:?}");
    }

    fn access(&self, known_hosts: String) -> Access {
        Access::Agent(SshAgent {
            socket: self.socket.clone(),
            known_hosts,
        })
    }
}

async fn fingerprint(sshd: &Sshd, key: &str) -> String {
    let told = output("ssh-keygen", &["-lf", &format!("{key}.pub")], sshd.root()).await;
    told.split(' ').nth(1).unwrap().to_owned()
}

/// Resolves `main` with the keys of the agent.
async fn ask(sshd: &Sshd, agent: &Agent, path: &Path) -> Result<(), Error> {
    let remote = sshd.remote(path, agent.access(sshd.known_hosts("ed25519")));
    client().resolve(&remote, &main_branch()).await.map(drop)
}

#[tokio::test]
async fn agent_keys_of_all_types_are_accepted() {
    let Some(sshd) = Sshd::start("").await else {
        return;
    };
    let (_, path) = sshd.repository("r.git");
    let keys: [(&str, &[&str]); 3] = [
        ("an-ed25519", &["-t", "ed25519", "-N", ""]),
        ("an-ecdsa", &["-t", "ecdsa", "-N", ""]),
        ("an-rsa", &["-t", "rsa", "-b", "2048", "-N", ""]),
    ];
    for (key, arguments) in keys {
        sshd.authorize(key, arguments).await;
        let agent = Agent::start(sshd.root(), &format!("{key}.sock")).await;
        agent.run(&["-q", "stranger"], sshd.root()).await;
        agent.run(&["-q", key], sshd.root()).await;
        ask(&sshd, &agent, &path)
            .await
            .unwrap_or_else(|error| panic!("{key}: {error}"));
    }
}

#[tokio::test]
async fn agent_certificate_of_trusted_authority_is_accepted() {
    let Some(sshd) = Sshd::start("").await else {
        return;
    };
    let (_, path) = sshd.repository("r.git");
    keygen(&["-t", "ed25519", "-N", "", "-f", "users"], sshd.root()).await;
    let authority = fs::read_to_string(sshd.root().join("users.pub")).unwrap();
    let trusted = format!("cert-authority {authority}");
    fs::write(sshd.root().join("authorized_keys"), trusted).unwrap();
    let user = output("id", &["-un"], sshd.root()).await;
    let sign = ["-s", "users", "-I", "me", "-n", &user, "stranger.pub"];
    keygen(&sign, sshd.root()).await;
    let agent = Agent::start(sshd.root(), "agent.sock").await;
    // Also adds the certificate.
    agent.run(&["-q", "stranger"], sshd.root()).await;
    ask(&sshd, &agent, &path).await.unwrap();
}

#[tokio::test]
async fn unusable_agent_and_rejected_keys_differ() {
    let Some(sshd) = Sshd::start("MaxAuthTries 3").await else {
        return;
    };
    let (_, path) = sshd.repository("r.git");
    let agent = Agent::start(sshd.root(), "agent.sock").await;
    let told = async |agent: &Agent, kind: ErrorKind, said: &[&str]| {
        let error = ask(&sshd, agent, &path).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        for said in said {
            assert!(error.to_string().contains(said), "{said}: {error}");
        }
    };
    let nobody = Agent {
        socket: sshd.root().join("nobody.sock"),
        _child: command("true", sshd.root()).spawn().unwrap(),
    };
    let said = ["the SSH agent at '", "/nobody.sock' cannot be reached: "];
    told(&nobody, ErrorKind::Invalid, &said).await;
    let said = ["the SSH agent has no keys, or is locked"];
    told(&agent, ErrorKind::Invalid, &said).await;

    agent.run(&["-q", "stranger"], sshd.root()).await;
    let stranger = fingerprint(&sshd, "stranger").await;
    let said = [
        "the server accepts no key of the SSH agent for user '",
        &stranger,
    ];
    told(&agent, ErrorKind::Authentication, &said).await;

    // The server would accept the fourth key, but closes the connection before.
    for key in ["second", "third"] {
        keygen(&["-t", "ed25519", "-N", "", "-f", key], sshd.root()).await;
        agent.run(&["-q", key], sshd.root()).await;
    }
    agent.run(&["-q", "plain"], sshd.root()).await;
    let said = ["the server hung up after 3 of the 4 keys of the SSH agent"];
    told(&agent, ErrorKind::Authentication, &said).await;

    // This agent asks for confirmation, which is never given.
    let asking = Agent::start(sshd.root(), "asking.sock").await;
    asking.run(&["-q", "-c", "plain"], sshd.root()).await;
    let said = ["the SSH agent did not sign for user '"];
    told(&asking, ErrorKind::Authentication, &said).await;
}
