//! Errors of Git remotes and stores.
//!
//! Each variant names the operation and its object. Text from a server has passed [`printable`], so
//! messages are safe for terminals and statuses. No variant holds credentials, and addresses are
//! redacted.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation on a Git remote or store failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The URL is invalid.
    #[error("invalid Git URL '{url}': {reason}")]
    InvalidUrl {
        /// The redacted URL.
        url: String,
        /// The reason.
        reason: String,
    },
    /// The reference name is invalid.
    #[error("invalid Git reference '{name}': {reason}")]
    InvalidReference {
        /// The printable name.
        name: String,
        /// The reason.
        reason: &'static str,
    },
    /// The credentials are unusable. Nothing was sent.
    #[error("use the credentials for {remote}: {reason}")]
    InvalidCredentials {
        /// The remote.
        remote: String,
        /// The reason.
        reason: String,
    },
    /// A line of `known_hosts` is invalid.
    #[error("read known_hosts, line {line}: {reason}")]
    InvalidKnownHosts {
        /// The line number, starting at one.
        line: usize,
        /// The reason.
        reason: String,
    },
    /// The server rejected the credentials.
    #[error("authenticate to {remote}: {reason}")]
    Authentication {
        /// The remote.
        remote: String,
        /// The server's reason.
        reason: String,
    },
    /// `known_hosts` has no entry for the host.
    #[error("host key of {host} is unknown: known_hosts has no entry for it")]
    UnknownHost {
        /// The host as `known_hosts` would spell it.
        host: String,
    },
    /// The host key is not one of the known keys.
    #[error("host key of {host} does not match: expected {}, got {got}", if expected.is_empty() { "a certificate".to_owned() } else { expected.join(" or ") })]
    HostKeyMismatch {
        /// The host as `known_hosts` would spell it.
        host: String,
        /// Type and fingerprint of each known key.
        expected: Vec<String>,
        /// Type and fingerprint of the key presented.
        got: String,
    },
    /// The host key is marked as `@revoked`.
    #[error("host key of {host} is revoked: {fingerprint}")]
    HostKeyRevoked {
        /// The host as `known_hosts` would spell it.
        host: String,
        /// Type and fingerprint of the key presented.
        fingerprint: String,
    },
    /// The host certificate is not valid.
    #[error("certificate of {host} is refused: {reason}")]
    HostCertificate {
        /// The host as `known_hosts` would spell it.
        host: String,
        /// The reason.
        reason: &'static str,
    },
    /// The repository does not exist, or is hidden from this user.
    #[error("repository {remote} not found{}", detail.as_deref().map(|d| format!(": {d}")).unwrap_or_default())]
    RepositoryNotFound {
        /// The remote that answered.
        remote: String,
        /// The server's message.
        detail: Option<String>,
    },
    /// The repository has no commits. Users grep for this message.
    #[error("git repository is empty")]
    EmptyRepository {
        /// The remote that answered.
        remote: String,
    },
    /// The reference does not exist.
    #[error("reference '{reference}' not found in {remote}")]
    ReferenceNotFound {
        /// The full name.
        reference: String,
        /// The remote that answered.
        remote: String,
    },
    /// The server does not have the commit, or does not send it.
    #[error("commit '{commit}' not found in {remote}")]
    CommitNotFound {
        /// The commit asked for.
        commit: String,
        /// The remote that answered.
        remote: String,
    },
    /// The commit is not in the history of the branch.
    #[error("commit '{commit}' is not reachable from branch '{branch}' of {remote}")]
    NotOnBranch {
        /// The commit asked for.
        commit: String,
        /// The branch.
        branch: String,
        /// The remote that answered.
        remote: String,
    },
    /// No tag is in the version range. Users grep for this message.
    #[error("no match found for semver: {range}")]
    NoVersion {
        /// The range.
        range: String,
    },
    /// The range is invalid.
    #[error("semver parse error: {source} (at byte {} of '{range}')", source.position() + 1)]
    InvalidRange {
        /// The printable range.
        range: String,
        /// The reason.
        source: sluice_golang::semver::ParseConstraintError,
    },
    /// `.gitmodules` is invalid.
    #[error("read the submodules of '{path}': {reason}")]
    Submodules {
        /// The path of the module with the file. It is empty for the repository itself.
        path: String,
        /// The reason.
        reason: String,
    },
    /// A submodule could not be fetched.
    #[error("fetch submodule '{name}' at '{path}'")]
    Submodule {
        /// Its name.
        name: String,
        /// Its path.
        path: String,
        /// The cause.
        source: Box<Self>,
    },
    /// The reference does not point to a commit.
    #[error("'{reference}' of {remote} is a {found}, not a commit")]
    NotACommit {
        /// The reference or object.
        reference: String,
        /// The remote that answered.
        remote: String,
        /// The kind of the object.
        found: String,
    },
    /// The branch is not at the expected commit.
    #[error("branch '{branch}' of {remote} has moved meanwhile: {reason}")]
    Moved {
        /// The remote.
        remote: String,
        /// The branch.
        branch: String,
        /// The actual commit, or the server's message.
        reason: String,
    },
    /// The server rejected the push. A retry would not help.
    #[error("{remote} refuses the push to branch '{branch}': {reason}{}", if message.is_empty() { String::new() } else { format!(" ({message})") })]
    Refused {
        /// The remote.
        remote: String,
        /// The branch.
        branch: String,
        /// The server's reason.
        reason: String,
        /// Other printable output of the server.
        message: String,
    },
    /// The draft of a commit is invalid.
    #[error("make a commit: {reason}")]
    Draft {
        /// The reason.
        reason: String,
    },
    /// The operation timed out.
    #[error("{phase} {remote}: not done within {}s", limit.as_secs_f64())]
    Timeout {
        /// The remote.
        remote: String,
        /// The current step.
        phase: Phase,
        /// The timeout.
        limit: Duration,
    },
    /// The connection failed.
    #[error("{phase} {remote}: {reason}")]
    Network {
        /// The remote.
        remote: String,
        /// The current step.
        phase: Phase,
        /// The network error.
        reason: String,
    },
    /// The server is temporarily unavailable.
    #[error("{remote} is not available at the moment: server answered {status}")]
    Unavailable {
        /// The remote.
        remote: String,
        /// The HTTP status.
        status: u16,
        /// The server's `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// The server answers with a status that says nothing about the repository.
    #[error("talk to {remote}: server answered {status}{}", detail.as_deref().map(|d| format!(": {d}")).unwrap_or_default())]
    Answered {
        /// The remote.
        remote: String,
        /// The HTTP status.
        status: u16,
        /// The first line of the answer.
        detail: Option<String>,
    },
    /// The server reports an error.
    #[error("{remote} reports: {message}")]
    Remote {
        /// The remote.
        remote: String,
        /// The printable message.
        message: String,
    },
    /// The server violates the protocol.
    #[error("talk to {remote}: {reason}")]
    Protocol {
        /// The remote.
        remote: String,
        /// The violation.
        reason: String,
    },
    /// The received pack is invalid.
    #[error("read the pack sent by {remote}: {reason}")]
    Pack {
        /// The remote.
        remote: String,
        /// The reason.
        reason: String,
    },
    /// A limit is exceeded.
    #[error("{what} exceeds the limit of {limit}")]
    Limit {
        /// The limited quantity.
        what: String,
        /// The limit.
        limit: u64,
    },
    /// A tree has an unsafe path.
    #[error("unsafe path '{path}' in commit {commit}: {reason}")]
    UnsafePath {
        /// The commit.
        commit: String,
        /// The printable path.
        path: String,
        /// The reason.
        reason: &'static str,
    },
    /// An object in the store is missing or damaged.
    #[error("read Git object {id}: {reason}")]
    Object {
        /// The object.
        id: String,
        /// The reason.
        reason: String,
    },
    /// The store cannot be used.
    #[error("{action} in Git store {}: {reason}", path.display())]
    Store {
        /// The operation.
        action: &'static str,
        /// The path of the store.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// A pack could not be written, for example because the disk is full. The store is unchanged.
    #[error("write the pack sent by {remote}: {reason}")]
    Write {
        /// The remote.
        remote: String,
        /// The cause, with the file.
        reason: String,
    },
    /// A file operation of the store failed.
    #[error(transparent)]
    Disk(#[from] sluice_system::fs::Error),
    /// The visitor of a walk returned an error.
    #[error(transparent)]
    Visitor(Box<dyn std::error::Error + Send + Sync>),
}

/// The category of an [`Error`], for callers that react to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The URL, reference or credentials must be changed.
    Invalid,
    /// The server rejects the credentials.
    Authentication,
    /// The server's host key is not trusted.
    HostKey,
    /// The repository, reference or commit does not exist.
    NotFound,
    /// The repository has no commits.
    Empty,
    /// The network or the server is down, slow or busy. Retry later.
    Network,
    /// The server violates the protocol or sends damaged data.
    Protocol,
    /// Another push was faster. Fetch again.
    Moved,
    /// The server rejects the push.
    Refused,
    /// The content of the repository is rejected.
    Content,
    /// A local failure, or an error of the caller.
    Local,
}

impl Error {
    /// The category of the error.
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
            Self::Remote { .. }
            | Self::Answered { .. }
            | Self::Protocol { .. }
            | Self::Pack { .. } => ErrorKind::Protocol,
            Self::NotACommit { .. }
            | Self::Limit { .. }
            | Self::UnsafePath { .. }
            | Self::Submodules { .. } => ErrorKind::Content,
            // A broken submodule does not make the object itself or its remote invalid.
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

    /// The server's `Retry-After`.
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Unavailable { retry_after, .. } => *retry_after,
            Self::Submodule { source, .. } => source.retry_after(),
            _ => None,
        }
    }
}

/// The step of an operation, for timeout and network errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Resolving the name of the remote or its proxy.
    Resolve,
    /// Connecting with TCP and TLS.
    Connect,
    /// Connecting through a proxy.
    Proxy,
    /// Waiting for the first byte of a response.
    Response,
    /// SSH key exchange and host key check.
    SshHandshake,
    /// SSH user authentication.
    Authenticate,
    /// Reading the advertisement and the references.
    ListReferences,
    /// Sending a pack and waiting for the report.
    Push,
    /// Negotiating the content of a pack.
    Negotiate,
    /// Receiving a pack, with the number of bytes received so far.
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
            Self::Response => f.write_str("wait for an answer from"),
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

/// Maximum length of untrusted text in messages.
const MAX_TEXT: usize = 300;

/// Makes untrusted text safe for terminals, logs and statuses: one line of limited length, without
/// control, bidirectional or zero-width characters.
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

/// Invisible characters that change how text is displayed.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Whether the server refuses to send an object by ID.
pub(crate) fn refuses_object(message: &str) -> bool {
    [
        "not our ref",
        "unadvertised object",
        "not advertised",
        "not valid",
    ]
    .iter()
    .any(|words| message.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_removes_terminal_controls() {
        assert_eq!(
            printable(b"no\x1b[31m way\r\nsecond\x07"),
            "no\u{fffd}[31m way  second\u{fffd}"
        );
        assert_eq!(printable("a\u{202e}b".as_bytes()), "a\u{fffd}b");
        assert!(printable(&vec![b'x'; 10_000]).chars().count() <= MAX_TEXT + 1);
    }

    #[test]
    fn host_key_errors_have_different_messages() {
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
