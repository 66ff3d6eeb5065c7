//! The Git wire protocol, versions 0, 1 and 2, as pure data: bytes in, values
//! out, and back. No socket, no clock, no task.
//!
//! Start at [`pktline`], the framing of everything else; [`advertisement`] is
//! what a server says first, [`command`] what we ask, [`answer`] what it replies.
//!
//! Nothing a server claims is believed before it is checked: lengths are bounded
//! before anything is allocated for them, and a reply is followed only as far as
//! the grammar goes.

pub mod advertisement;
pub mod answer;
pub mod command;
pub mod pktline;

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
