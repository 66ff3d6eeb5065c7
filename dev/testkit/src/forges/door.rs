//! SSH access to a fake host: user `git`, with a deploy key of the repository.
//!
//! OpenSSH cannot serve this, because its users are those of the machine.

use std::process::Stdio;
use std::sync::Arc;

use russh::keys::decode_secret_key;
use russh::server::{Auth, ChannelOpenHandle, Config, Handler, Msg, Session, VerifiedPublicKey};
use russh::{Channel, ChannelId};
use sluice_git::ssh_setup::{KeyKind, KeyPair};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::task::JoinHandle;

use super::{FakeForge, Shared};

/// A running SSH server; dropping it stops it.
#[derive(Debug)]
pub struct Door {
    port: u16,
    task: JoinHandle<()>,
}

impl Door {
    /// Host and port.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl FakeForge {
    /// Starts to serve Git over SSH.
    pub async fn open_ssh(&self) -> Door {
        let pair = KeyPair::generate(KeyKind::Ed25519).unwrap();
        let key = decode_secret_key(pair.private.expose(), None).unwrap();
        let config = Arc::new(Config {
            keys: vec![key],
            auth_rejection_time: std::time::Duration::ZERO,
            ..Config::default()
        });
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::clone(&self.shared);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let guest = Guest {
                    shared: Arc::clone(&shared),
                    key: String::new(),
                    channel: None,
                    protocol: None,
                };
                let config = Arc::clone(&config);
                tokio::spawn(async move {
                    // Clients may disconnect at any time.
                    if let Ok(session) = russh::server::run_stream(config, stream, guest).await {
                        session.await.ok();
                    }
                });
            }
        });
        Door { port, task }
    }
}

/// A connected client.
struct Guest {
    shared: Arc<Shared>,
    /// The client's key, without a comment.
    key: String,
    channel: Option<Channel<Msg>>,
    protocol: Option<String>,
}

impl Guest {
    /// Returns the repository that the command names, if the key permits the access.
    fn folder(&self, command: &str) -> Option<(&'static str, std::path::PathBuf)> {
        let (program, path) = command.split_once(' ')?;
        let is_push = program == "git-receive-pack";
        let program = match program {
            "git-upload-pack" => "upload-pack",
            "git-receive-pack" => "receive-pack",
            _ => return None,
        };
        let path = path.trim_matches('\'').trim_start_matches('/');
        let (owner, name) = path.trim_end_matches(".git").rsplit_once('/')?;
        let mut inner = self.shared.lock();
        let repo = inner.state.repo(owner, name)?;
        let opens = repo.keys.iter().any(|key| {
            let bare: Vec<&str> = key.key.split_whitespace().take(2).collect();
            bare.join(" ") == self.key && (key.can_push || !is_push)
        });
        let folder = self.shared.root.path().join(self.shared.path(owner, name));
        opens.then_some((program, folder))
    }
}

impl Handler for Guest {
    type Error = russh::Error;

    async fn auth_publickey(
        &mut self,
        user: &str,
        key: VerifiedPublicKey<'_>,
    ) -> Result<Auth, Self::Error> {
        let text = key.public_key.to_openssh().unwrap_or_default();
        self.key = text.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let inner = self.shared.lock();
        let mut keys = inner.state.repositories.iter().flat_map(|repo| &repo.keys);
        if user == "git" && keys.any(|one| one.key.starts_with(&self.key)) {
            return Ok(Auth::Accept);
        }
        Ok(Auth::reject())
    }

    async fn channel_open_session(
        &mut self,
        channel: Channel<Msg>,
        reply: ChannelOpenHandle,
        _: &mut Session,
    ) -> Result<(), Self::Error> {
        self.channel = Some(channel);
        reply.accept().await;
        Ok(())
    }

    async fn env_request(
        &mut self,
        channel: ChannelId,
        name: &str,
        value: &str,
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        if name == "GIT_PROTOCOL" {
            self.protocol = Some(value.to_owned());
        }
        session.channel_success(channel)
    }

    async fn exec_request(
        &mut self,
        id: ChannelId,
        data: &[u8],
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        let command = String::from_utf8_lossy(data);
        let (Some((program, folder)), Some(channel)) = (self.folder(&command), self.channel.take())
        else {
            return session.channel_failure(id);
        };
        session.channel_success(id)?;
        #[expect(
            clippy::disallowed_methods,
            reason = "the reference server is a program"
        )]
        let mut git = Command::new("git");
        git.arg(program)
            .arg(folder)
            // Git otherwise rejects a directory of another user.
            .envs([
                ("GIT_CONFIG_COUNT", "1"),
                ("GIT_CONFIG_KEY_0", "safe.directory"),
                ("GIT_CONFIG_VALUE_0", "*"),
                ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ])
            .env("GIT_PROTOCOL", self.protocol.clone().unwrap_or_default())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        let mut child = git
            .spawn()
            .unwrap_or_else(|error| panic!("start git {program}: {error}"));
        let mut stdin = child.stdin.take().expect("stdin is piped");
        let mut stdout = child.stdout.take().expect("stdout is piped");
        let (mut from, to) = channel.split();
        let feeding = tokio::spawn(async move {
            let mut reader = from.make_reader();
            tokio::io::copy(&mut reader, &mut stdin).await.ok();
        });
        tokio::spawn(async move {
            let mut writer = to.make_writer();
            tokio::io::copy(&mut stdout, &mut writer).await.ok();
            writer.flush().await.ok();
            let code = child.wait().await.ok().and_then(|status| status.code());
            let code = code.and_then(|code| u32::try_from(code).ok());
            to.exit_status(code.unwrap_or(1)).await.ok();
            to.eof().await.ok();
            to.close().await.ok();
            feeding.abort();
        });
        Ok(())
    }
}
