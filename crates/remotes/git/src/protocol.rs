//! The Git wire protocol, versions 0, 1 and 2, as pure data: bytes in, values
//! out, and back. No socket, no clock, no task.
//!
//! Start at [`pktline`], the framing of everything else; [`advertisement`] is
//! what a server says first, [`command`] what we ask, [`answer`] what it replies;
//! [`push`] is both for the other direction.
//!
//! Nothing a server claims is believed before it is checked: lengths are bounded
//! before anything is allocated for them, and a reply is followed only as far as
//! the grammar goes.

pub mod advertisement;
pub mod answer;
pub mod command;
pub mod pktline;
pub mod push;

/// What a client wants to do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Service {
    /// Fetch.
    #[default]
    UploadPack,
    /// Push.
    ReceivePack,
}

impl Service {
    /// Reads the `service` parameter of a request.
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

    /// `Content-Type` of a question.
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

    /// `Content-Type` of an answer.
    pub const fn result_type(self) -> &'static str {
        match self {
            Self::UploadPack => "application/x-git-upload-pack-result",
            Self::ReceivePack => "application/x-git-receive-pack-result",
        }
    }
}

/// Why bytes are not what the protocol allows at that place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The framing itself is broken.
    #[error("a packet length that is no length: {0:?}")]
    Length(String),
    /// A packet longer than the protocol allows.
    #[error("a packet of {0} bytes; the protocol allows 65520")]
    Oversized(usize),
    /// A packet that does not belong there.
    #[error("unexpected packet {0:?} {1}")]
    Unexpected(String, &'static str),
    /// The data ends too early.
    #[error("the connection ended {0}")]
    Truncated(&'static str),
    /// More of something than anybody needs.
    #[error("more than {0}")]
    TooMuch(&'static str),
    /// A repository that we cannot read.
    #[error("the repository names its objects by {0:?}; only sha1 is supported")]
    ObjectFormat(String),
    /// The server cannot do what we need.
    #[error("the server does not support {0}")]
    Missing(&'static str),
    /// The server reports a failure instead of an answer.
    #[error("{0}")]
    Reported(String),
}
