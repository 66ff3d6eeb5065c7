//! Fetches over SSH from a real OpenSSH server.
//!
//! Without `sshd` these tests print a line and pass. With `REQUIRE_ORACLES=1` they fail.

use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sluice_dial::SshIdentity;
use sluice_git::serve::{Change, Repository};
use sluice_git::{Access, Error, ErrorKind, Limits, Reference, Remote, Store};
use sluice_skip::{Requirement, skip};
use sluice_system::fs;
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::{Child, Command};

use crate::server::client;

const SSHD: &str = "/usr/sbin/sshd";
const PASSPHRASE: &str = "open sesame";

/// Timeout of a condition. It is long, because the machine may be compiling meanwhile.
const WAIT_TIMEOUT: Duration = Duration::from_mins(1);

/// A server with its own keys and port, stopped on drop.
pub(crate) struct Sshd {
    directory: tempfile::TempDir,
    port: u16,
    user: String,
    _child: Child,
}

impl Sshd {
    /// Returns `None` without an OpenSSH server.
    pub(crate) async fn start(options: &str) -> Option<Self> {
        Self::start_with(options, None).await
    }

    /// Starts with a certificate for its Ed25519 key, made by the authority `ca` for a name and a
    /// time.
    async fn start_with(options: &str, certificate: Option<(&str, &str)>) -> Option<Self> {
        if !fs::exists(SSHD).unwrap() {
            skip(Requirement::Oracle, &format!("{SSHD} is not installed"));
            return None;
        }
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().to_owned();
        for kind in ["ed25519", "ecdsa", "rsa"] {
            let name = format!("host_{kind}");
            // Sufficient for a test, and ten times faster than the default.
            let bits = if kind == "rsa" { "2048" } else { "256" };
            let arguments = ["-t", kind, "-b", bits, "-N", "", "-f", &name];
            keygen(&arguments, &root).await;
        }
        for name in ["plain", "stranger"] {
            keygen(&["-t", "ed25519", "-N", "", "-f", name], &root).await;
        }
        let mut options = options.to_owned();
        if let Some((principal, validity)) = certificate {
            keygen(&["-t", "ed25519", "-N", "", "-f", "ca"], &root).await;
            let sign = [
                "-s", "ca", "-I", "host", "-h", "-n", principal, "-V", validity,
            ];
            keygen(&[&sign[..], &["host_ed25519.pub"]].concat(), &root).await;
            let path = root.join("host_ed25519-cert.pub");
            options.extend(["\nHostCertificate ", path.to_str().unwrap()]);
        }
        let options = options.as_str();
        fs::copy(root.join("plain.pub"), root.join("authorized_keys")).unwrap();
        // Another process may take the port before sshd binds it.
        for _ in 0..5 {
            let port = free_port();
            let mut child = daemon(&root, port, options);
            if listens(&mut child, port).await {
                let user = output("id", &["-un"], &root).await;
                return Some(Self {
                    directory,
                    port,
                    user,
                    _child: child,
                });
            }
        }
        panic!("sshd did not start");
    }

    /// Creates another authorized key.
    pub(crate) async fn authorize(&self, name: &str, arguments: &[&str]) {
        keygen(&[arguments, &["-f", name]].concat(), self.root()).await;
        let file = self.root().join("authorized_keys");
        let public = fs::read_to_string(self.root().join(format!("{name}.pub"))).unwrap();
        let all = fs::read_to_string(&file).unwrap() + &public;
        fs::write(file, all).unwrap();
    }

    pub(crate) fn root(&self) -> &Path {
        self.directory.path()
    }

    fn host_key(&self, kind: &str) -> String {
        let text = fs::read_to_string(self.root().join(format!("host_{kind}.pub"))).unwrap();
        text.split(' ').take(2).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn known_hosts(&self, kind: &str) -> String {
        format!("[127.0.0.1]:{} {}\n", self.port, self.host_key(kind))
    }

    fn identity(&self, key: &str, passphrase: Option<&str>, known_hosts: String) -> Access {
        Access::Ssh(SshIdentity {
            private_key: fs::read_to_string(self.root().join(key)).unwrap().into(),
            passphrase: passphrase.map(Into::into),
            known_hosts,
        })
    }

    pub(crate) fn remote(&self, path: &Path, access: Access) -> Remote {
        let path = path
            .display()
            .to_string()
            .replace('\'', "%27")
            .replace(' ', "%20");
        Remote::new(&format!(
            "ssh://{}@127.0.0.1:{}{path}",
            self.user, self.port
        ))
        .unwrap()
        .with_access(access)
        .with_timeout(Duration::from_secs(30))
    }

    /// The directory of a repository of this server.
    pub(crate) fn bare(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// A repository with authorized credentials and known host keys.
    pub(crate) fn known(&self, path: &Path) -> Remote {
        let known = self.known_hosts("ed25519");
        self.remote(path, self.identity("plain", None, known))
    }

    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    /// A repository under another host name.
    pub(crate) fn remote_as(&self, host: &str, name: &str) -> Remote {
        let known = format!("[{host}]:{} {}\n", self.port, self.host_key("ed25519"));
        let path = self.root().join(name);
        let url = format!("ssh://{}@{host}:{}{}", self.user, self.port, path.display());
        Remote::new(&url)
            .unwrap()
            .with_access(self.identity("plain", None, known))
            .with_timeout(Duration::from_secs(30))
    }

    pub(crate) fn repository(&self, name: &str) -> (Repository, PathBuf) {
        let path = self.root().join(name);
        let repository = Repository::init_bare(&path, "main").unwrap();
        repository
            .commit("main", "first", &[Change::write("a.yaml", "a: 1\n")])
            .unwrap();
        (repository, path)
    }
}

/// Whether it is the expected error.
type Check = fn(&Error) -> bool;

#[expect(
    clippy::disallowed_methods,
    reason = "the tests compare with the real OpenSSH"
)]
pub(crate) fn command(program: &str, directory: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(directory).kill_on_drop(true);
    command
}

pub(crate) async fn output(program: &str, arguments: &[&str], directory: &Path) -> String {
    let output = command(program, directory)
        .args(arguments)
        .output()
        .await
        .unwrap();
    assert!(
        output.status.success(),
        "{program}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

pub(crate) async fn keygen(arguments: &[&str], directory: &Path) {
    output("ssh-keygen", &[&["-q"], arguments].concat(), directory).await;
}

fn daemon(root: &Path, port: u16, options: &str) -> Child {
    let at = root.display();
    let config = format!(
        "ListenAddress 127.0.0.1:{port}\nPidFile none\nStrictModes no\nUsePAM no\n\
         AuthorizedKeysFile {at}/authorized_keys\nPasswordAuthentication no\n\
         KbdInteractiveAuthentication no\nAcceptEnv GIT_PROTOCOL\n\
         HostKey {at}/host_ed25519\nHostKey {at}/host_ecdsa\nHostKey {at}/host_rsa\n{options}\n"
    );
    fs::write(root.join("sshd_config"), config).unwrap();
    // The system service creates this directory.
    fs::create_dir_all("/run/sshd").unwrap();
    command(SSHD, root)
        .args(["-D", "-E"])
        .arg(root.join("log"))
        .arg("-f")
        .arg(root.join("sshd_config"))
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap()
}

/// A port outside of the ephemeral range, like `sluice_devcluster::ports`, which is on a higher
/// floor. It is bound but does not listen: a forked child can hold the socket for a while, and must
/// not look like the server.
fn free_port() -> u16 {
    loop {
        let port = fastrand::u16(15_000..30_000);
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_reuseaddr(true).unwrap();
        if socket.bind((Ipv4Addr::LOCALHOST, port).into()).is_ok() {
            return port;
        }
    }
}

/// Polls the port until the server listens. Returns `false` if the server ends before.
/// `sluice_testkit::wait` is on a higher floor.
async fn listens(child: &mut Child, port: u16) -> bool {
    let poll = async {
        let mut ticks = tokio::time::interval(Duration::from_millis(5));
        while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            ticks.tick().await;
        }
    };
    tokio::select! {
        listening = tokio::time::timeout(WAIT_TIMEOUT, poll) => {
            assert!(listening.is_ok(), "sshd did not listen within {WAIT_TIMEOUT:?}");
            true
        }
        _ = child.wait() => false,
    }
}

pub(crate) fn main_branch() -> Reference {
    Reference::Branch("main".to_owned())
}

#[tokio::test]
async fn all_key_types_are_accepted() {
    let Some(sshd) = Sshd::start("").await else {
        return;
    };
    let (repository, path) = sshd.repository("r.git");
    let head = repository.head("main").unwrap().unwrap();
    let keys: [(&str, &[&str], Option<&str>); 6] = [
        (
            "locked",
            &["-t", "ed25519", "-a", "1", "-N", PASSPHRASE],
            Some(PASSPHRASE),
        ),
        ("open", &["-t", "ed25519", "-N", ""], Some("not needed")),
        ("rsa", &["-t", "rsa", "-b", "2048", "-N", ""], None),
        (
            "pem",
            &["-t", "rsa", "-b", "2048", "-m", "PEM", "-N", ""],
            None,
        ),
        ("pkcs8", &["-t", "ecdsa", "-m", "PKCS8", "-N", ""], None),
        ("sec1", &["-t", "ecdsa", "-m", "PEM", "-N", ""], None),
    ];
    for (key, arguments, passphrase) in keys {
        sshd.authorize(key, arguments).await;
        let access = sshd.identity(key, passphrase, sshd.known_hosts("ed25519"));
        let resolved = client()
            .resolve(&sshd.remote(&path, access), &main_branch())
            .await;
        assert_eq!(
            resolved
                .map_err(|error| format!("{key}: {error}"))
                .unwrap()
                .commit,
            head
        );
    }
}

#[tokio::test]
async fn commits_are_fetched_in_both_protocol_versions() {
    for options in ["", "AcceptEnv none\nSetEnv GIT_PROTOCOL=version=0"] {
        let Some(sshd) = Sshd::start(options).await else {
            return;
        };
        let (repository, path) = sshd.repository("it's a repo.git");
        let access = sshd.identity("plain", None, sshd.known_hosts("ed25519"));
        let (client, remote) = (client(), sshd.remote(&path, access));
        let directory = tempfile::tempdir().unwrap();
        let store = Store::at(directory.path().join("s"), Limits::default());
        for round in 0..3 {
            let changes = [Change::write("b.yaml", format!("b: {round}\n"))];
            let id = repository.commit("main", "next", &changes).unwrap();
            let resolved = client.resolve(&remote, &main_branch()).await.unwrap();
            let fetched = store.fetch(&client, &remote, &resolved).await.unwrap();
            assert_eq!(fetched.commit.id, id);
        }
        let first = repository
            .commit("main", "pinned", &[Change::remove("b.yaml")])
            .unwrap();
        repository
            .commit("main", "last", &[Change::write("c", "c")])
            .unwrap();
        let pinned = Reference::Commit {
            id: first,
            branch: Some("main".to_owned()),
            name: None,
        };
        let resolved = client.resolve(&remote, &pinned).await.unwrap();
        assert_eq!(
            store
                .fetch(&client, &remote, &resolved)
                .await
                .unwrap()
                .commit
                .id,
            first
        );
    }
}

#[tokio::test]
async fn known_host_key_type_is_requested() {
    let Some(sshd) = Sshd::start("").await else {
        return;
    };
    let (_, path) = sshd.repository("r.git");
    for kind in ["ed25519", "ecdsa", "rsa"] {
        let access = sshd.identity("plain", None, sshd.known_hosts(kind));
        client()
            .resolve(&sshd.remote(&path, access), &main_branch())
            .await
            .unwrap();
    }
    // Hashed by ssh-keygen.
    let plain = sshd.root().join("known_hosts");
    fs::write(&plain, sshd.known_hosts("ed25519")).unwrap();
    keygen(&["-H", "-f", "known_hosts"], sshd.root()).await;
    let hashed = fs::read_to_string(&plain).unwrap();
    assert!(hashed.starts_with("|1|"), "{hashed}");
    let access = sshd.identity("plain", None, hashed);
    client()
        .resolve(&sshd.remote(&path, access), &main_branch())
        .await
        .unwrap();
}

#[tokio::test]
async fn unknown_host_receives_no_data() {
    let Some(sshd) = Sshd::start("HostKeyAlgorithms ssh-ed25519,ecdsa-sha2-nistp256").await else {
        return;
    };
    let (_, path) = sshd.repository("r.git");
    let at = format!("[127.0.0.1]:{}", sshd.port);
    let stranger = fs::read_to_string(sshd.root().join("stranger.pub")).unwrap();
    let known = sshd.known_hosts("ed25519");
    let cases: [(String, Check); 6] = [
        (String::new(), |error| {
            matches!(error, Error::UnknownHost { .. })
        }),
        (known.replace(&at, "[127.0.0.1]:1"), |error| {
            matches!(error, Error::UnknownHost { .. })
        }),
        (format!("{at} {stranger}"), |error| {
            matches!(error, Error::HostKeyMismatch { .. })
        }),
        // The known key type is not offered by the server.
        (
            sshd.known_hosts("rsa"),
            |error| matches!(error, Error::HostKeyMismatch { got, .. } if got.contains("ssh-ed25519")),
        ),
        (
            format!("{known}@revoked * {}\n", sshd.host_key("ed25519")),
            |error| matches!(error, Error::HostKeyRevoked { .. }),
        ),
        // The key of an authority is not the host key.
        (format!("@cert-authority {known}"), |error| {
            matches!(error, Error::HostKeyMismatch { .. })
        }),
    ];
    for (known_hosts, expected) in cases {
        let access = sshd.identity("plain", None, known_hosts.clone());
        let error = client()
            .resolve(&sshd.remote(&path, access), &main_branch())
            .await
            .unwrap_err();
        assert!(
            expected(&error) && error.kind() == ErrorKind::HostKey,
            "{known_hosts}: {error}"
        );
    }
}

#[tokio::test]
async fn rejected_key_and_missing_repository_differ() {
    let Some(sshd) = Sshd::start("").await else {
        return;
    };
    let (_, path) = sshd.repository("r.git");
    let known = || sshd.known_hosts("ed25519");
    let ask = async |key: &str, passphrase, path: &Path| {
        let remote = sshd.remote(path, sshd.identity(key, passphrase, known()));
        client().resolve(&remote, &main_branch()).await.unwrap_err()
    };
    let error = ask("stranger", None, &path).await;
    assert_eq!(error.kind(), ErrorKind::Authentication, "{error}");
    sshd.authorize("locked", &["-t", "ed25519", "-a", "1", "-N", PASSPHRASE])
        .await;
    let error = ask("locked", None, &path).await;
    assert!(
        error.to_string().contains("no passphrase was given"),
        "{error}"
    );
    let error = ask("locked", Some("wrong"), &path).await;
    assert!(error.to_string().contains("wrong passphrase"), "{error}");
    assert!(!error.to_string().contains("wrong passphrase' "), "{error}");
    let error = ask("plain", None, Path::new("/nowhere.git")).await;
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
}

#[tokio::test]
async fn path_is_a_single_argument() {
    let Some(sshd) = Sshd::start("").await else {
        return;
    };
    let witness = sshd.root().join("pwned");
    let path = format!("/x'; touch {}; echo '", witness.display());
    let remote = sshd.remote(
        Path::new(&path),
        sshd.identity("plain", None, sshd.known_hosts("ed25519")),
    );
    let error = client().resolve(&remote, &main_branch()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    assert!(!fs::exists(&witness).unwrap());
}

#[tokio::test]
async fn connection_is_reused() {
    let Some(sshd) = Sshd::start("MaxSessions 3").await else {
        return;
    };
    let (client, access) = (
        client(),
        sshd.identity("plain", None, sshd.known_hosts("ed25519")),
    );
    let mut paths = Vec::new();
    for name in ["a.git", "b.git", "c.git"] {
        paths.push(sshd.repository(name).1);
    }
    client
        .resolve(&sshd.remote(&paths[0], access.clone()), &main_branch())
        .await
        .unwrap();
    let remotes: Vec<Remote> = paths
        .iter()
        .map(|path| sshd.remote(path, access.clone()))
        .collect();
    let branch = main_branch();
    let polls = remotes.iter().map(|remote| client.resolve(remote, &branch));
    for polled in futures::future::join_all(polls).await {
        polled.unwrap();
    }
    for _ in 0..10 {
        client.resolve(&remotes[0], &branch).await.unwrap();
    }
    let connections = fs::read_to_string(sshd.root().join("log")).unwrap();
    let connections = connections.matches("Accepted publickey").count();
    // A channel may be requested before the last one is closed.
    assert!(connections <= 3, "{connections} connections");
}

#[tokio::test]
async fn hanging_server_hits_timeout() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let key = tempfile::tempdir().unwrap();
    if !fs::exists(SSHD).unwrap() {
        return;
    }
    keygen(&["-t", "ed25519", "-N", "", "-f", "key"], key.path()).await;
    let public = fs::read_to_string(key.path().join("key.pub")).unwrap();
    let access = Access::Ssh(SshIdentity {
        private_key: fs::read_to_string(key.path().join("key")).unwrap().into(),
        passphrase: None,
        known_hosts: format!("[127.0.0.1]:{port} {public}"),
    });
    let remote = Remote::new(&format!("ssh://git@127.0.0.1:{port}/r"))
        .unwrap()
        .with_access(access)
        .with_timeout(Duration::from_millis(200));
    let error = client().resolve(&remote, &main_branch()).await.unwrap_err();
    assert!(
        error.to_string().starts_with("SSH handshake with"),
        "{error}"
    );
}

#[tokio::test]
async fn host_certificate_of_trusted_authority_is_accepted() {
    let check =
        async |principal: &str, validity: &str, authority: &str| -> Option<Result<(), String>> {
            let sshd = Sshd::start_with("", Some((principal, validity))).await?;
            let (_, path) = sshd.repository("r.git");
            let key = fs::read_to_string(sshd.root().join(format!("{authority}.pub"))).unwrap();
            let key = key.split(' ').take(2).collect::<Vec<_>>().join(" ");
            let known = format!("@cert-authority [127.0.0.1]:{} {key}\n", sshd.port);
            let remote = sshd.remote(&path, sshd.identity("plain", None, known));
            let branch = Reference::Branch("main".to_owned());
            let resolved = client().resolve(&remote, &branch).await;
            Some(resolved.map(drop).map_err(|error| error.to_string()))
        };
    let Some(believed) = check("127.0.0.1", "always:forever", "ca").await else {
        return;
    };
    believed.unwrap();
    for (principal, validity, authority, said) in [
        (
            "elsewhere.example",
            "always:forever",
            "ca",
            "made for another host",
        ),
        ("127.0.0.1", "20200101:20200102", "ca", "expired"),
        (
            "127.0.0.1",
            "always:forever",
            "stranger",
            "does not list for the host",
        ),
    ] {
        let refused = check(principal, validity, authority)
            .await
            .unwrap()
            .unwrap_err();
        assert!(
            refused.contains(said),
            "{principal} {validity} {authority}: {refused}"
        );
    }
}

#[tokio::test]
async fn host_key_scan_sends_no_credentials() {
    let Some(sshd) = Sshd::start("LogLevel VERBOSE").await else {
        return;
    };
    let scan = sluice_git::ssh_setup::scan_host_key;
    let line = scan("127.0.0.1", sshd.port, Duration::from_secs(30))
        .await
        .unwrap();
    let kinds = ["ed25519", "ecdsa", "rsa"];
    let known: Vec<_> = kinds
        .iter()
        .map(|kind| sshd.known_hosts(kind).trim().to_owned())
        .collect();
    assert!(known.contains(&line), "{line}");
    let error = scan("127.0.0.1", 1, Duration::from_secs(30))
        .await
        .unwrap_err();
    assert!(
        error.to_string().starts_with("connect to 127.0.0.1:1"),
        "{error}"
    );
}
