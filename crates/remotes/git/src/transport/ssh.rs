//! SSH without external programs, configuration files, implicit agents or unknown host keys.
//!
//! An idle connection is kept for a minute and used for several sessions. The server runs
//! `git-upload-pack` or `git-receive-pack`. The path is its only argument, quoted for the shell.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use russh::client::{self, Handle};
use russh::keys::{Algorithm, PublicKeyOrCertificate};
use russh::{ChannelMsg, ChannelReadHalf, ChannelWriteHalf, Preferred, kex};
use sluice_dial::Proxy;
use sluice_system::{Clock as _, SystemClock};
use tokio::time::Instant;

use super::{Deadline, PacketStream, StreamError, classify_message};
use crate::error::{Error, Phase, Result, printable};
use crate::protocol::Service;
use crate::remote::SshAccess;

pub(crate) mod authentication;
pub(crate) mod known_hosts;
pub(crate) mod tcp;

use authentication::Authenticator;
use known_hosts::KnownHost;

/// How long an idle connection is kept.
const IDLE: Duration = Duration::from_mins(1);
/// Maximum number of idle connections.
const MAX_IDLE: usize = 256;
/// Maximum bytes of the server's error output that are kept.
const MAX_STDERR: usize = 4096;
/// The user if the address has none.
const DEFAULT_USER: &str = "git";

/// The target of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) user: Option<&'a str>,
    pub(crate) host: &'a str,
    pub(crate) port: u16,
    pub(crate) path: &'a str,
}

/// A target, the way to it, and the login there.
#[derive(Clone, Copy)]
pub(crate) struct Route<'a> {
    pub(crate) target: Target<'a>,
    pub(crate) proxy: Option<&'a Proxy>,
    pub(crate) identity: SshAccess<'a>,
}

/// Open connections by address and identity.
pub(crate) struct Connections {
    algorithms: SshAlgorithms,
    open: Mutex<HashMap<String, (Connection, Instant)>>,
}

/// A shared connection.
type Connection = Arc<Handle<HostKeyVerifier>>;

/// The channel of a running command.
pub(crate) struct CommandChannel {
    /// `None` after the drop handler took it.
    channel: Option<ChannelWriteHalf<client::Msg>>,
    /// Keeps the connection open.
    _connection: Connection,
}

/// Algorithms to offer, in order of preference. An empty list means the defaults.
#[derive(Debug, Clone, Default)]
pub struct SshAlgorithms {
    key_exchange: Vec<kex::Name>,
    host_key: Vec<Algorithm>,
}

/// An unknown SSH algorithm.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown SSH {kind} algorithm '{name}'")]
pub struct UnknownAlgorithm {
    /// The purpose of the algorithm.
    pub kind: &'static str,
    /// The name.
    pub name: String,
}

impl SshAlgorithms {
    /// Parses SSH names of algorithms, as in `--ssh-kex-algos` and `--ssh-hostkey-algos`.
    pub fn parse<T: AsRef<str>>(
        key_exchange: &[T],
        host_key: &[T],
    ) -> Result<Self, UnknownAlgorithm> {
        let unknown = |kind, name: &str| UnknownAlgorithm {
            kind,
            name: printable(name.as_bytes()),
        };
        let key_exchange = key_exchange.iter().map(|name| {
            let name = name.as_ref();
            // Rejects `none` and protocol extensions, which are not algorithms.
            let usable = name.contains("-sha") && !name.contains("openssh.com");
            kex::Name::try_from(name)
                .ok()
                .filter(|_| usable)
                .ok_or_else(|| unknown("key exchange", name))
        });
        let host_key = host_key.iter().map(|name| {
            let name = name.as_ref();
            match Algorithm::new(name) {
                Ok(Algorithm::Other(_)) | Err(_) => Err(unknown("host key", name)),
                Ok(algorithm) => Ok(algorithm),
            }
        });
        Ok(Self {
            key_exchange: key_exchange.collect::<Result<_, _>>()?,
            host_key: host_key.collect::<Result<_, _>>()?,
        })
    }

    /// The algorithms to offer to a host with these known keys, and with certificates if it has
    /// authorities.
    fn preferred(&self, known: Vec<Algorithm>, authorities: bool) -> Preferred {
        let mut preferred = Preferred::DEFAULT;
        if authorities {
            let all = if self.host_key.is_empty() {
                Preferred::DEFAULT.key.into_owned()
            } else {
                self.host_key.clone()
            };
            preferred.host_key_certificates = all.into();
        }
        preferred.key = if self.host_key.is_empty() {
            known
        } else {
            self.host_key.clone()
        }
        .into();
        if !self.key_exchange.is_empty() {
            let mut names = self.key_exchange.clone();
            // Without these extensions, RSA signatures with SHA-2 and the protection against
            // dropped packets would be disabled.
            names.push(kex::EXTENSION_SUPPORT_AS_CLIENT);
            names.push(kex::EXTENSION_OPENSSH_STRICT_KEX_AS_CLIENT);
            preferred.kex = names.into();
        }
        preferred
    }
}

impl Connections {
    pub(crate) fn new(algorithms: SshAlgorithms) -> Self {
        Self {
            algorithms,
            open: Mutex::default(),
        }
    }

    /// Starts a service over an idle or a new connection.
    pub(crate) async fn run_service(
        &self,
        key: String,
        route: Route<'_>,
        service: Service,
        deadline: &Deadline,
    ) -> Result<(CommandChannel, PacketStream)> {
        let path = route.target.path;
        if let Some(connection) = self.idle_connection(&key) {
            match start(Arc::clone(&connection), service, path, deadline).await {
                Err(Error::Network { .. }) => self.forget(&key),
                other => return other,
            }
        }
        let connection = Arc::new(connect(&self.algorithms, route, deadline).await?);
        self.store(key, &connection);
        start(connection, service, path, deadline).await
    }

    fn idle_connection(&self, key: &str) -> Option<Connection> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, (connection, used)| !connection.is_closed() && used.elapsed() < IDLE);
        let (connection, used) = open.get_mut(key)?;
        *used = Instant::now();
        Some(Arc::clone(connection))
    }

    fn forget(&self, key: &str) {
        self.open
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(key);
    }

    fn store(&self, key: String, connection: &Connection) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() < MAX_IDLE {
            open.insert(key, (Arc::clone(connection), Instant::now()));
        }
    }
}

impl CommandChannel {
    /// Sends a command. Its response arrives in the packet stream.
    pub(crate) async fn send_command(&self, command: Vec<u8>, deadline: &Deadline) -> Result<()> {
        let channel = self
            .channel
            .as_ref()
            .expect("only the drop handler takes the channel");
        let sent = deadline
            .run(Phase::Negotiate, channel.data_bytes(command))
            .await?;
        sent.map_err(|error| deadline.network(Phase::Negotiate, error.to_string()))
    }
}

impl Drop for CommandChannel {
    /// Closes the channel. The server allows only a few channels at once, and its command would
    /// wait for more input.
    fn drop(&mut self) {
        let runtime = tokio::runtime::Handle::try_current();
        if let (Some(channel), Ok(runtime)) = (self.channel.take(), runtime) {
            runtime.spawn(async move {
                // A lost connection has no channels.
                channel.close().await.ok();
            });
        }
    }
}

/// Verifies the host key.
pub(crate) struct HostKeyVerifier {
    known: KnownHost,
    host: String,
    /// The error of a rejected host key, for the connecting task.
    refusal: Arc<Mutex<Option<Error>>>,
}

impl client::Handler for HostKeyVerifier {
    type Error = russh::Error;

    fn check_server_key(
        &mut self,
        shown: &PublicKeyOrCertificate,
    ) -> impl Future<Output = Result<bool, Self::Error>> + Send {
        let result = match shown {
            PublicKeyOrCertificate::PublicKey { key, .. } => self.known.check(key),
            PublicKeyOrCertificate::Certificate(certificate) => {
                self.known
                    .check_certificate(certificate, &self.host, SystemClock.now().into())
            }
        };
        let accepted = result.is_ok();
        *self.refusal.lock().unwrap_or_else(PoisonError::into_inner) = result.err();
        std::future::ready(Ok(accepted))
    }
}

async fn connect(
    algorithms: &SshAlgorithms,
    route: Route<'_>,
    deadline: &Deadline,
) -> Result<Handle<HostKeyVerifier>> {
    let Route {
        target,
        proxy,
        identity,
    } = route;
    let authenticator = Authenticator::new(identity, deadline).await?;
    let known = KnownHost::find(identity.known_hosts(), target.host, target.port)?;
    let config = config(algorithms.preferred(known.algorithms()?, known.has_authorities()));
    let stream = match proxy {
        None => tcp::connect(target.host, target.port, deadline).await?,
        Some(proxy) => tcp::connect_through(proxy, target.host, target.port, deadline).await?,
    };
    // Commands are small, and wait for responses.
    stream.set_nodelay(true).ok();

    let refusal = Arc::new(Mutex::new(None));
    let check = HostKeyVerifier {
        known: known.clone(),
        host: target.host.to_owned(),
        refusal: Arc::clone(&refusal),
    };
    let connected = deadline
        .run(
            Phase::SshHandshake,
            client::connect_stream(config, stream, check),
        )
        .await?;
    let mut handle = connected.map_err(|error| {
        let verifier_error = refusal
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        verifier_error.unwrap_or_else(|| match error {
            russh::Error::NoCommonAlgo {
                kind: russh::AlgorithmKind::Key,
                theirs,
                ..
            } => {
                let theirs = printable(theirs.join(", ").as_bytes());
                known.mismatch(format!("only keys of type {theirs}"))
            }
            other => deadline.network(Phase::SshHandshake, other.to_string()),
        })
    })?;

    let user = target.user.unwrap_or(DEFAULT_USER);
    let authentication = authenticator.authenticate(&mut handle, user, deadline);
    deadline.run(Phase::Authenticate, authentication).await??;
    Ok(handle)
}

fn config(preferred: Preferred) -> Arc<client::Config> {
    Arc::new(client::Config {
        client_id: russh::SshId::Standard(
            concat!("SSH-2.0-sluice_", env!("CARGO_PKG_VERSION")).into(),
        ),
        preferred,
        // Closes unused and broken connections.
        inactivity_timeout: Some(IDLE * 2),
        keepalive_interval: Some(IDLE / 4),
        nodelay: true,
        ..client::Config::default()
    })
}

async fn start(
    connection: Connection,
    service: Service,
    path: &str,
    deadline: &Deadline,
) -> Result<(CommandChannel, PacketStream)> {
    let command = format!("{} {}", service.name(), quote(path));
    let begin = async {
        let channel = connection.channel_open_session().await?;
        if service == Service::UploadPack {
            // A server may reject the variable. It then uses an older version.
            channel.set_env(false, "GIT_PROTOCOL", "version=2").await?;
        }
        channel.exec(true, command).await?;
        Ok::<_, russh::Error>(channel)
    };
    let channel = deadline
        .run(Phase::Response, begin)
        .await?
        .map_err(|error| deadline.network(Phase::Response, error.to_string()))?;
    let (read, write) = channel.split();
    let output = CommandOutput {
        channel: read,
        errors: Vec::new(),
        status: None,
        service,
        remote: deadline.remote.clone(),
    };
    let source = futures::stream::unfold(Some(output), |output| async {
        let mut output = output?;
        match output.next().await {
            Some(Ok(bytes)) => Some((Ok(bytes), Some(output))),
            Some(Err(error)) => Some((Err(StreamError::Remote(error)), None)),
            None => None,
        }
    });
    let channel = CommandChannel {
        channel: Some(write),
        _connection: connection,
    };
    Ok((channel, PacketStream::new(Box::pin(source))))
}

/// The output of a remote command.
struct CommandOutput {
    channel: ChannelReadHalf,
    errors: Vec<u8>,
    status: Option<u32>,
    service: Service,
    remote: String,
}

impl CommandOutput {
    /// Returns more output. At the end, returns an error if the command failed.
    async fn next(&mut self) -> Option<Result<Bytes>> {
        while let Some(message) = self.channel.wait().await {
            match message {
                ChannelMsg::Data { data } => return Some(Ok(data)),
                ChannelMsg::ExtendedData { data, .. } => {
                    let room = MAX_STDERR.saturating_sub(self.errors.len()).min(data.len());
                    self.errors.extend_from_slice(&data[..room]);
                }
                ChannelMsg::ExitStatus { exit_status } => self.status = Some(exit_status),
                ChannelMsg::Failure => {
                    return Some(Err(classify_message(
                        &self.remote,
                        "the server refuses to run a command".to_owned(),
                    )));
                }
                _ => {}
            }
        }
        let failed = self.status.is_some_and(|status| status != 0);
        if !failed && self.errors.is_empty() {
            return None;
        }
        let mut message = printable(&self.errors);
        if message.is_empty() {
            message = format!(
                "{} ended with status {}",
                self.service.name(),
                self.status.unwrap_or_default()
            );
        }
        Some(Err(classify_message(&self.remote, message)))
    }
}

/// Quotes a path for a POSIX shell. Like in git, `!` is quoted too, because a C shell expands it
/// within quotes.
fn quote(path: &str) -> String {
    let mut out = String::from("'");
    for character in path.chars() {
        match character {
            '\'' | '!' => {
                out.push_str("'\\");
                out.push(character);
                out.push('\'');
            }
            _ => out.push(character),
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_is_quoted_for_shell() {
        let cases = [
            ("/org/repo.git", "'/org/repo.git'"),
            ("/a b", "'/a b'"),
            (
                "/x'; touch /tmp/pwned; '",
                r"'/x'\''; touch /tmp/pwned; '\'''",
            ),
            ("/$(id)`id`", "'/$(id)`id`'"),
            ("/a!b", r"'/a'\!'b'"),
            ("", "''"),
        ];
        for (path, expected) in cases {
            assert_eq!(quote(path), expected);
        }
    }

    #[test]
    fn unknown_algorithms_are_rejected() {
        let none: [&str; 0] = [];
        let chosen = ["curve25519-sha256", "diffie-hellman-group14-sha256"];
        let algorithms = SshAlgorithms::parse(&chosen, &["ssh-ed25519", "rsa-sha2-512"]).unwrap();
        let preferred = algorithms.preferred(vec![Algorithm::Ed25519], false);
        let names: Vec<&str> = preferred.kex.iter().map(AsRef::as_ref).collect();
        assert_eq!(names[..2], chosen);
        assert!(names.contains(&"kex-strict-c-v00@openssh.com"));
        assert_eq!(preferred.key.len(), 2);

        let defaults = SshAlgorithms::parse(&none, &none).unwrap();
        let preferred = defaults.preferred(vec![Algorithm::Ed25519], false);
        assert_eq!(preferred.key.as_ref(), [Algorithm::Ed25519]);
        assert!(preferred.kex.len() > 5);

        for bad in [
            "",
            "none",
            "curve448-sha512",
            "ext-info-c",
            "kex-strict-c-v00@openssh.com",
        ] {
            assert!(SshAlgorithms::parse(&[bad], &[]).is_err(), "{bad}");
        }
        for bad in ["", "none", "ssh-ed448"] {
            assert!(SshAlgorithms::parse(&[], &[bad]).is_err(), "{bad}");
        }
    }
}
