//! The Git wire protocol, versions 0, 1 and 2, without I/O.
//!
//! [`pktline`] is the framing of all messages. [`advertisement`] is the first message of a server,
//! [`command`] builds requests, and [`response`] parses packs and acknowledgments. [`push`] handles
//! both directions of a push.
//!
//! Data of a server is untrusted: lengths are checked before anything is allocated, and parsers
//! accept nothing outside of the grammar.

pub mod advertisement;
pub mod command;
pub mod pktline;
pub mod push;
pub mod response;

/// A service of a Git server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Service {
    /// Fetch.
    #[default]
    UploadPack,
    /// Push.
    ReceivePack,
}

impl Service {
    /// Parses the `service` parameter of a request.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "git-upload-pack" => Some(Self::UploadPack),
            "git-receive-pack" => Some(Self::ReceivePack),
            _ => None,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::UploadPack => "git-upload-pack",
            Self::ReceivePack => "git-receive-pack",
        }
    }

    /// `Content-Type` of a request.
    pub(crate) const fn request_type(self) -> &'static str {
        match self {
            Self::UploadPack => "application/x-git-upload-pack-request",
            Self::ReceivePack => "application/x-git-receive-pack-request",
        }
    }

    /// `Content-Type` of an advertisement.
    pub const fn advertisement_type(self) -> &'static str {
        match self {
            Self::UploadPack => "application/x-git-upload-pack-advertisement",
            Self::ReceivePack => "application/x-git-receive-pack-advertisement",
        }
    }

    /// `Content-Type` of a response.
    pub const fn result_type(self) -> &'static str {
        match self {
            Self::UploadPack => "application/x-git-upload-pack-result",
            Self::ReceivePack => "application/x-git-receive-pack-result",
        }
    }
}

/// A violation of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// A packet length is invalid.
    #[error("invalid packet length: {0:?}")]
    Length(String),
    /// A packet longer than the protocol allows.
    #[error("a packet of {0} bytes; the protocol allows 65520")]
    Oversized(usize),
    /// An unexpected packet.
    #[error("unexpected packet {0:?} {1}")]
    Unexpected(String, &'static str),
    /// The data ends too early.
    #[error("the connection ended {0}")]
    Truncated(&'static str),
    /// A limit is exceeded.
    #[error("more than {0}")]
    TooMuch(&'static str),
    /// The object format is not supported.
    #[error("the repository names its objects by {0:?}; only sha1 is supported")]
    ObjectFormat(String),
    /// A required capability is missing.
    #[error("the server does not support {0}")]
    Missing(&'static str),
    /// The server reports an error.
    #[error("{0}")]
    Reported(String),
}
