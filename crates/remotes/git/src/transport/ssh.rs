//! SSH in this process: no program, no configuration file, no agent and no host
//! key that was not given.
//!
//! A connection is kept for a minute and carries one channel per conversation.
//! The server runs `git-upload-pack` or `git-receive-pack` with the path as its only argument, quoted so
//! that a shell cannot find anything else in it.

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

use super::{Broken, Deadline, Packets, reported};
use crate::error::{Error, Phase, Result, printable};
use crate::protocol::Service;

pub(crate) mod authentication;
pub(crate) mod known_hosts;
pub(crate) mod tcp;

use authentication::{Identity, Ready};
use known_hosts::KnownHost;

/// How long a connection is kept after its last conversation.
const IDLE: Duration = Duration::from_mins(1);
/// Connections kept at most.
const MAX_IDLE: usize = 256;
/// Bytes of a server's error output that are kept.
const MAX_STDERR: usize = 4096;
/// The user when the address names none.
const DEFAULT_USER: &str = "git";

/// Where to, in the words of the address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) user: Option<&'a str>,
    pub(crate) host: &'a str,
    pub(crate) port: u16,
    pub(crate) path: &'a str,
}

/// Connections that are open, by address and identity.
pub(crate) struct Connections {
    algorithms: SshAlgorithms,
    open: Mutex<HashMap<String, (Connection, Instant)>>,
}

/// A connection, and whoever uses it.
type Connection = Arc<Handle<HostCheck>>;

/// One conversation.
pub(crate) struct Conversation {
    /// Taken when the conversation ends.
    channel: Option<ChannelWriteHalf<client::Msg>>,
    /// The connection lives as long as somebody talks over it.
    _connection: Connection,
}

/// Algorithms to offer, the preferred first; an empty list leaves the choice to us.
#[derive(Debug, Clone, Default)]
pub struct SshAlgorithms {
    key_exchange: Vec<kex::Name>,
    host_key: Vec<Algorithm>,
}

/// An SSH algorithm that nobody here knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown SSH {kind} algorithm '{name}'")]
pub struct UnknownAlgorithm {
    /// What it was to be used for.
    pub kind: &'static str,
    /// Its name as given.
    pub name: String,
}

impl SshAlgorithms {
    /// Takes names as SSH spells them, as of `--ssh-kex-algos` and
    /// `--ssh-hostkey-algos`.
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
            // `none`, and extensions that the list of the protocol also carries,
            // are no algorithms that anybody could mean.
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

    /// What is offered to a host of which keys for these algorithms are known, and for which
    /// an authority may vouch.
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
            // Without these, the newer signatures of RSA keys and the protection
            // against dropped packets would be lost with the old choice.
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

    /// Starts a service, over a connection at hand or a new one.
    pub(crate) async fn converse(
        &self,
        key: String,
        target: Target<'_>,
        service: Service,
        proxy: Option<&Proxy>,
        identity: Identity<'_>,
        deadline: &Deadline,
    ) -> Result<(Conversation, Packets)> {
        if let Some(connection) = self.at_hand(&key) {
            match start(Arc::clone(&connection), service, target.path, deadline).await {
                Err(Error::Network { .. }) => self.forget(&key),
                other => return other,
            }
        }
        let connection =
            Arc::new(connect(&self.algorithms, target, proxy, identity, deadline).await?);
        self.keep(key, &connection);
        start(connection, service, target.path, deadline).await
    }

    fn at_hand(&self, key: &str) -> Option<Connection> {
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

    fn keep(&self, key: String, connection: &Connection) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() < MAX_IDLE {
            open.insert(key, (Arc::clone(connection), Instant::now()));
        }
    }
}

impl Conversation {
    /// Sends a question; its answer comes where all the others come.
    pub(crate) async fn ask(&self, command: Vec<u8>, deadline: &Deadline) -> Result<()> {
        let channel = self.channel.as_ref().expect("taken only when dropped");
        let sent = deadline
            .run(Phase::Negotiate, channel.data_bytes(command))
            .await?;
        sent.map_err(|error| deadline.network(Phase::Negotiate, error.to_string()))
    }
}

impl Drop for Conversation {
    /// Closes the channel: the server allows a few at a time, and the command over
    /// there waits for more questions until then.
    fn drop(&mut self) {
        let runtime = tokio::runtime::Handle::try_current();
        if let (Some(channel), Ok(runtime)) = (self.channel.take(), runtime) {
            runtime.spawn(async move {
                // A connection that is gone has closed it already.
                channel.close().await.ok();
            });
        }
    }
}

/// Judges the host, as its only task.
pub(crate) struct HostCheck {
    known: KnownHost,
    host: String,
    /// Why the host was refused, for whoever waits for the connection.
    refusal: Arc<Mutex<Option<Error>>>,
}

impl client::Handler for HostCheck {
    type Error = russh::Error;

    fn check_server_key(
        &mut self,
        shown: &PublicKeyOrCertificate,
    ) -> impl Future<Output = Result<bool, Self::Error>> + Send {
        let judged = match shown {
            PublicKeyOrCertificate::PublicKey { key, .. } => self.known.check(key),
            PublicKeyOrCertificate::Certificate(certificate) => {
                self.known
                    .check_certificate(certificate, &self.host, SystemClock.now().into())
            }
        };
        let accepted = judged.is_ok();
        *self.refusal.lock().unwrap_or_else(PoisonError::into_inner) = judged.err();
        std::future::ready(Ok(accepted))
    }
}

async fn connect(
    algorithms: &SshAlgorithms,
    target: Target<'_>,
    proxy: Option<&Proxy>,
    identity: Identity<'_>,
    deadline: &Deadline,
) -> Result<Handle<HostCheck>> {
    let ready = Ready::new(identity, deadline).await?;
    let known = KnownHost::find(identity.known_hosts(), target.host, target.port)?;
    let config = config(algorithms.preferred(known.algorithms()?, known.has_authorities()));
    let stream = match proxy {
        None => tcp::connect(target.host, target.port, deadline).await?,
        Some(proxy) => tcp::connect_through(proxy, target.host, target.port, deadline).await?,
    };
    // Commands are small and wait for their answers.
    stream.set_nodelay(true).ok();

    let refusal = Arc::new(Mutex::new(None));
    let check = HostCheck {
        known: known.clone(),
        host: target.host.to_owned(),
        refusal: Arc::clone(&refusal),
    };
    let shaken = deadline
        .run(
            Phase::SshHandshake,
            client::connect_stream(config, stream, check),
        )
        .await?;
    let mut handle = shaken.map_err(|error| {
        let refused = refusal
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        refused.unwrap_or_else(|| match error {
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
    let shown = ready.authenticate(&mut handle, user, deadline);
    deadline.run(Phase::Authenticate, shown).await??;
    Ok(handle)
}

fn config(preferred: Preferred) -> Arc<client::Config> {
    Arc::new(client::Config {
        client_id: russh::SshId::Standard(
            concat!("SSH-2.0-sluice_", env!("CARGO_PKG_VERSION")).into(),
        ),
        preferred,
        // Ends what nobody uses, and what was abandoned half-way.
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
) -> Result<(Conversation, Packets)> {
    let command = format!("{} {}", service.name(), quoted(path));
    let begin = async {
        let channel = connection.channel_open_session().await?;
        if service == Service::UploadPack {
            // A server may refuse the variable; it then speaks an older version.
            channel.set_env(false, "GIT_PROTOCOL", "version=2").await?;
        }
        channel.exec(true, command).await?;
        Ok::<_, russh::Error>(channel)
    };
    let channel = deadline
        .run(Phase::Answer, begin)
        .await?
        .map_err(|error| deadline.network(Phase::Answer, error.to_string()))?;
    let (read, write) = channel.split();
    let output = Output {
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
            Some(Err(error)) => Some((Err(Broken::Refused(error)), None)),
            None => None,
        }
    });
    let conversation = Conversation {
        channel: Some(write),
        _connection: connection,
    };
    Ok((conversation, Packets::new(Box::pin(source))))
}

/// What a command over there says.
struct Output {
    channel: ChannelReadHalf,
    errors: Vec<u8>,
    status: Option<u32>,
    service: Service,
    remote: String,
}

impl Output {
    /// More of its output; its end is an error when it failed.
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
                    return Some(Err(reported(
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
        Some(Err(reported(&self.remote, message)))
    }
}

/// Quotes for a POSIX shell. `!` is quoted too, as git does: a C shell expands it
/// even between quotes.
fn quoted(path: &str) -> String {
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
    fn a_path_cannot_leave_its_quotes() {
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
            assert_eq!(quoted(path), expected);
        }
    }

    #[test]
    fn algorithms_are_taken_by_name_and_no_others() {
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
