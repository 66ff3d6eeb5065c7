//! What can go wrong with a Git remote or its local store, classified once.
//!
//! Every variant says what was attempted and on what. Text that came from a
//! server has passed [`printable`] before it gets here, so that a message can be
//! shown on a terminal or stored in a status as it is. No variant ever holds a
//! credential: addresses are named by their redacted form.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation on a Git remote or store failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address cannot be that of a repository.
    #[error("invalid Git URL '{url}': {reason}")]
    InvalidUrl {
        /// The address, redacted.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The name cannot be that of a reference.
    #[error("invalid Git reference '{name}': {reason}")]
    InvalidReference {
        /// The name as given, made printable.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The credentials cannot be used at all: nothing was sent.
    #[error("use the credentials for {remote}: {reason}")]
    InvalidCredentials {
        /// The remote they were meant for.
        remote: String,
        /// What is wrong with them.
        reason: String,
    },
    /// A line of `known_hosts` cannot be read.
    #[error("read known_hosts, line {line}: {reason}")]
    InvalidKnownHosts {
        /// Counted from one.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The server does not accept who we are.
    #[error("authenticate to {remote}: {reason}")]
    Authentication {
        /// The remote that refused.
        remote: String,
        /// How it refused.
        reason: String,
    },
    /// `known_hosts` says nothing about the host.
    #[error("host key of {host} is unknown: known_hosts has no entry for it")]
    UnknownHost {
        /// The host as `known_hosts` would spell it.
        host: String,
    },
    /// The host presents a key that `known_hosts` does not list for it.
    #[error("host key of {host} does not match: expected {}, got {got}", if expected.is_empty() { "a certificate".to_owned() } else { expected.join(" or ") })]
    HostKeyMismatch {
        /// The host as `known_hosts` would spell it.
        host: String,
        /// Type and fingerprint of every key listed for it.
        expected: Vec<String>,
        /// Type and fingerprint of the key presented.
        got: String,
    },
    /// The host presents a key that `known_hosts` marks `@revoked`.
    #[error("host key of {host} is revoked: {fingerprint}")]
    HostKeyRevoked {
        /// The host as `known_hosts` would spell it.
        host: String,
        /// Type and fingerprint of the key presented.
        fingerprint: String,
    },
    /// The host presents a certificate that is not to be believed.
    #[error("certificate of {host} is refused: {reason}")]
    HostCertificate {
        /// The host as `known_hosts` would spell it.
        host: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The server knows no such repository, or hides it from us.
    #[error("repository {remote} not found{}", detail.as_deref().map(|d| format!(": {d}")).unwrap_or_default())]
    RepositoryNotFound {
        /// The remote that answered.
        remote: String,
        /// What it said.
        detail: Option<String>,
    },
    /// The repository has no commit yet. The sentence is one that users know.
    #[error("git repository is empty")]
    EmptyRepository {
        /// The remote that answered.
        remote: String,
    },
    /// The repository has commits, and not this reference.
    #[error("reference '{reference}' not found in {remote}")]
    ReferenceNotFound {
        /// The full name looked for.
        reference: String,
        /// The remote that answered.
        remote: String,
    },
    /// The repository does not have the commit, or does not give it to us.
    #[error("commit '{commit}' not found in {remote}")]
    CommitNotFound {
        /// The commit asked for.
        commit: String,
        /// The remote that answered.
        remote: String,
    },
    /// The commit exists, and not in the history of the branch.
    #[error("commit '{commit}' is not reachable from branch '{branch}' of {remote}")]
    NotOnBranch {
        /// The commit asked for.
        commit: String,
        /// The branch it was said to be on.
        branch: String,
        /// The remote that answered.
        remote: String,
    },
    /// No tag is a version within the range. The sentence is one that users know.
    #[error("no match found for semver: {range}")]
    NoVersion {
        /// The range.
        range: String,
    },
    /// The range follows no grammar.
    #[error("semver parse error: {source} (at byte {} of '{range}')", source.position() + 1)]
    InvalidRange {
        /// The range as given, made printable.
        range: String,
        /// What is wrong with it.
        source: sluice_golang::semver::ParseConstraintError,
    },
    /// What a repository says of its submodules is refused.
    #[error("read the submodules of '{path}': {reason}")]
    Submodules {
        /// The module whose modules they are; empty for the repository itself.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A submodule cannot be fetched.
    #[error("fetch submodule '{name}' at '{path}'")]
    Submodule {
        /// Its name.
        name: String,
        /// Where it lies.
        path: String,
        /// Why.
        source: Box<Self>,
    },
    /// The reference leads to something that is no commit.
    #[error("'{reference}' of {remote} is a {found}, not a commit")]
    NotACommit {
        /// The reference or object asked for.
        reference: String,
        /// The remote that answered.
        remote: String,
        /// What kind of object it is.
        found: String,
    },
    /// The branch is not where the commit that is pushed builds on.
    #[error("branch '{branch}' of {remote} has moved meanwhile: {reason}")]
    Moved {
        /// The remote.
        remote: String,
        /// The branch.
        branch: String,
        /// Where it is, or what the server says.
        reason: String,
    },
    /// The server did not move the branch, and would not another time either.
    #[error("{remote} refuses the push to branch '{branch}': {reason}{}", if said.is_empty() { String::new() } else { format!(" ({said})") })]
    Refused {
        /// The remote.
        remote: String,
        /// The branch.
        branch: String,
        /// Why, in a word of the protocol.
        reason: String,
        /// What it said besides, made printable.
        said: String,
    },
    /// A commit cannot be made of what was given.
    #[error("make a commit: {reason}")]
    Draft {
        /// What is wrong.
        reason: String,
    },
    /// The time given for the operation is over.
    #[error("{phase} {remote}: not done within {}s", limit.as_secs_f64())]
    Timeout {
        /// The remote.
        remote: String,
        /// What was being done.
        phase: Phase,
        /// The time it was given.
        limit: Duration,
    },
    /// The connection could not be made, or broke.
    #[error("{phase} {remote}: {reason}")]
    Network {
        /// The remote.
        remote: String,
        /// What was being done.
        phase: Phase,
        /// What the network says.
        reason: String,
    },
    /// The server asks to come back later.
    #[error("{remote} is not available at the moment: server answered {status}")]
    Unavailable {
        /// The remote.
        remote: String,
        /// The HTTP status.
        status: u16,
        /// When it wants to be asked again.
        retry_after: Option<Duration>,
    },
    /// The server reports a failure in its own words.
    #[error("{remote} reports: {message}")]
    Remote {
        /// The remote.
        remote: String,
        /// Its words, made printable.
        message: String,
    },
    /// The server does not speak as agreed.
    #[error("talk to {remote}: {reason}")]
    Protocol {
        /// The remote.
        remote: String,
        /// What it did.
        reason: String,
    },
    /// The pack that was sent is damaged, or not what a pack may be.
    #[error("read the pack sent by {remote}: {reason}")]
    Pack {
        /// The remote.
        remote: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Something is larger than we are willing to take.
    #[error("{what} exceeds the limit of {limit}")]
    Limit {
        /// What is too large.
        what: String,
        /// The limit.
        limit: u64,
    },
    /// A tree holds a path that must not be written anywhere.
    #[error("unsafe path '{path}' in commit {commit}: {reason}")]
    UnsafePath {
        /// The commit that was read.
        commit: String,
        /// The path, made printable.
        path: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// An object in the store is missing or damaged.
    #[error("read Git object {id}: {reason}")]
    Object {
        /// The object.
        id: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The store itself cannot be used.
    #[error("{action} in Git store {}: {reason}", path.display())]
    Store {
        /// What was attempted.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// Why it failed.
        reason: String,
    },
    /// A pack could not be written: the disk is full, say. What the store has is not touched.
    #[error("write the pack sent by {remote}: {reason}")]
    Write {
        /// Where it came from.
        remote: String,
        /// What failed, on which file.
        reason: String,
    },
    /// A file or directory of the store cannot be used.
    #[error(transparent)]
    Disk(#[from] sluice_system::fs::Error),
    /// Whoever walks a tree gave up for a reason of its own.
    #[error(transparent)]
    Visitor(Box<dyn std::error::Error + Send + Sync>),
}

/// What a caller can do about an [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// Somebody must edit the address, the reference or the credentials.
    Invalid,
    /// The server refuses who we are.
    Authentication,
    /// We refuse who the server is.
    HostKey,
    /// The repository, reference or commit is not there.
    NotFound,
    /// There is no commit yet.
    Empty,
    /// The network or the server is down, slow or busy: ask again later.
    Network,
    /// The server speaks nonsense or sends damaged data.
    Protocol,
    /// Somebody else was faster: look again.
    Moved,
    /// The server does not take what is pushed.
    Refused,
    /// What the repository holds is refused.
    Content,
    /// Our own disk, or the caller's own failure.
    Local,
}

impl Error {
    /// What a caller can do about it.
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::InvalidUrl { .. }
            | Self::InvalidReference { .. }
            | Self::InvalidRange { .. }
            | Self::InvalidCredentials { .. }
            | Self::InvalidKnownHosts { .. } => ErrorKind::Invalid,
            Self::Authentication { .. } => ErrorKind::Authentication,
            Self::UnknownHost { .. }
            | Self::HostKeyMismatch { .. }
            | Self::HostKeyRevoked { .. }
            | Self::HostCertificate { .. } => ErrorKind::HostKey,
            Self::RepositoryNotFound { .. }
            | Self::ReferenceNotFound { .. }
            | Self::NoVersion { .. }
            | Self::CommitNotFound { .. }
            | Self::NotOnBranch { .. } => ErrorKind::NotFound,
            Self::EmptyRepository { .. } => ErrorKind::Empty,
            Self::Moved { .. } => ErrorKind::Moved,
            Self::Refused { .. } => ErrorKind::Refused,
            Self::Timeout { .. } | Self::Network { .. } | Self::Unavailable { .. } => {
                ErrorKind::Network
            }
            Self::Remote { .. } | Self::Protocol { .. } | Self::Pack { .. } => ErrorKind::Protocol,
            Self::NotACommit { .. }
            | Self::Limit { .. }
            | Self::UnsafePath { .. }
            | Self::Submodules { .. } => ErrorKind::Content,
            // What to do about a module is not what to do about the repository: nobody need
            // edit the object, and nothing is wrong with its own remote.
            Self::Submodule { source, .. } => match source.kind() {
                ErrorKind::Invalid | ErrorKind::Empty => ErrorKind::Content,
                kind => kind,
            },
            Self::Object { .. }
            | Self::Draft { .. }
            | Self::Store { .. }
            | Self::Write { .. }
            | Self::Disk(_)
            | Self::Visitor(_) => ErrorKind::Local,
        }
    }

    /// When the server wants to be asked again, if it said so.
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Unavailable { retry_after, .. } => *retry_after,
            Self::Submodule { source, .. } => source.retry_after(),
            _ => None,
        }
    }
}

/// The step of an operation, for messages about time and network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Name resolution, of the remote or of the proxy before it.
    Resolve,
    /// TCP and TLS.
    Connect,
    /// Talking a proxy into letting us through.
    Proxy,
    /// From the question to the first byte of the answer.
    Answer,
    /// SSH key exchange and host key check.
    SshHandshake,
    /// SSH user authentication.
    Authenticate,
    /// Reading what the server can do and has.
    ListReferences,
    /// Sending a pack, and waiting for what becomes of it.
    Push,
    /// Agreeing on what to send.
    Negotiate,
    /// Receiving a pack; the bytes that had arrived.
    Download(u64),
    /// Indexing a received pack.
    Index,
    /// Waiting for another fetch of the same repository.
    Wait,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resolve => f.write_str("resolve the name of"),
            Self::Connect => f.write_str("connect to"),
            Self::Proxy => f.write_str("pass the proxy to"),
            Self::Answer => f.write_str("wait for an answer from"),
            Self::SshHandshake => f.write_str("SSH handshake with"),
            Self::Authenticate => f.write_str("authenticate to"),
            Self::ListReferences => f.write_str("list the references of"),
            Self::Push => f.write_str("push to"),
            Self::Negotiate => f.write_str("negotiate a fetch with"),
            Self::Download(bytes) => write!(f, "download (after {bytes} bytes) from"),
            Self::Wait => f.write_str("wait for another fetch from"),
            Self::Index => f.write_str("index the pack from"),
        }
    }
}

/// Longest text of a stranger that is repeated.
const MAX_TEXT: usize = 300;

/// Makes a stranger's text fit for a terminal, a log line and a status: one line,
/// no control, bidirectional or zero-width characters, bounded length.
pub(crate) fn printable(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut out = String::new();
    for character in text.trim().chars() {
        if out.len() >= MAX_TEXT {
            out.push('…');
            break;
        }
        match character {
            '\n' | '\r' | '\t' => out.push(' '),
            _ if is_hidden(character) => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    out
}

/// Characters that change what a reader sees without being seen.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_server_cannot_steer_a_terminal() {
        assert_eq!(
            printable(b"no\x1b[31m way\r\nsecond\x07"),
            "no\u{fffd}[31m way  second\u{fffd}"
        );
        assert_eq!(printable("a\u{202e}b".as_bytes()), "a\u{fffd}b");
        assert!(printable(&vec![b'x'; 10_000]).chars().count() <= MAX_TEXT + 1);
    }

    #[test]
    fn the_three_host_key_errors_read_differently() {
        let host = "example.com".to_owned();
        let texts = [
            Error::UnknownHost { host: host.clone() }.to_string(),
            Error::HostKeyMismatch {
                host: host.clone(),
                expected: vec!["ssh-ed25519 SHA256:a".to_owned()],
                got: "ssh-ed25519 SHA256:b".to_owned(),
            }
            .to_string(),
            Error::HostKeyRevoked {
                host,
                fingerprint: "ssh-ed25519 SHA256:b".to_owned(),
            }
            .to_string(),
        ];
        assert!(texts[0].contains("unknown"));
        assert!(texts[1].contains("SHA256:a") && texts[1].contains("SHA256:b"));
        assert!(texts[2].contains("revoked"));
    }
}
