//! The other side of the wire: smart HTTP for repositories on this machine.
//!
//! For `sluice dev`, tests and benchmarks; it starts no process and knows no HTTP
//! framework. A server maps three kinds of request onto three functions:
//!
//! | request | function | type of the answer |
//! |---|---|---|
//! | `GET …/info/refs?service=S` | [`advertise`] | [`Service::advertisement_type`] |
//! | `POST …/git-upload-pack` | [`upload_pack`] | [`Service::result_type`] |
//! | `POST …/git-receive-pack` | [`receive_pack`] | [`Service::result_type`] |
//!
//! All of them block, as does everything of [`Repository`]: call them from the
//! blocking pool. Access control, and limits on the size of a request, are the
//! server's.

use std::io;

use crate::protocol::Malformed;

mod receive;
mod repository;
mod upload;

pub use crate::protocol::Service;
pub use receive::receive_pack;
pub use repository::{Change, Repository};
pub use upload::upload_pack;

use crate::protocol::pktline::{flush, line};

/// Why a request could not be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The repository cannot be read or written.
    #[error("{action}: {source}")]
    Repository {
        /// What was attempted.
        action: &'static str,
        /// Why it failed.
        source: git2::Error,
    },
    /// The request is not what the protocol allows.
    #[error("read the request: {0}")]
    Request(#[from] Malformed),
    /// The client has gone.
    #[error("write the answer: {0}")]
    Answer(#[from] io::Error),
    /// A file to be committed cannot be read.
    #[error(transparent)]
    Disk(#[from] sluice_system::fs::Error),
    /// A path that no commit can have.
    #[error("commit '{0}': not a relative path of plain names")]
    Path(String),
}

fn on(action: &'static str) -> impl FnOnce(git2::Error) -> ServeError {
    move |source| ServeError::Repository { action, source }
}

/// Versions of the protocol that are served.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Version {
    /// References at once.
    #[default]
    Zero,
    /// References on demand.
    Two,
}

impl Version {
    /// Reads the header `Git-Protocol`.
    pub fn from_header(value: Option<&str>) -> Self {
        let asked = value.is_some_and(|value| value.split(':').any(|word| word == "version=2"));
        if asked { Self::Two } else { Self::Zero }
    }
}

const UPLOAD_CAPABILITIES: &str = "multi_ack_detailed side-band-64k ofs-delta shallow no-progress \
     allow-tip-sha1-in-want allow-reachable-sha1-in-want object-format=sha1";
const RECEIVE_CAPABILITIES: &str =
    "report-status delete-refs ofs-delta side-band-64k object-format=sha1";

/// What a repository says first.
pub fn advertise(
    repository: &Repository,
    service: Service,
    version: Version,
) -> Result<Vec<u8>, ServeError> {
    let mut out = Vec::new();
    line(&mut out, &format!("# service={}", service.name()));
    flush(&mut out);
    let agent = crate::protocol::command::AGENT;
    if service == Service::UploadPack && version == Version::Two {
        for text in [
            "version 2",
            agent,
            "ls-refs",
            "fetch=shallow filter",
            "object-format=sha1",
        ] {
            line(&mut out, text);
        }
        flush(&mut out);
        return Ok(out);
    }
    let refs = repository.refs()?;
    let mut capabilities = match service {
        Service::UploadPack => format!("{UPLOAD_CAPABILITIES} {agent}"),
        Service::ReceivePack => format!("{RECEIVE_CAPABILITIES} {agent}"),
    };
    let head = refs.find("HEAD").and_then(|head| head.symbolic.as_ref());
    if let Some(target) = head {
        capabilities.push_str(" symref=HEAD:");
        capabilities.push_str(target);
    }
    // A push is told of branches and tags, not of what they mean.
    let listed = refs
        .0
        .iter()
        .filter(|one| service == Service::UploadPack || one.name != "HEAD");
    let mut first = true;
    for reference in listed {
        let capabilities = if std::mem::take(&mut first) {
            format!("\0{capabilities}")
        } else {
            String::new()
        };
        line(
            &mut out,
            &format!("{} {}{capabilities}", reference.target, reference.name),
        );
        if let (Service::UploadPack, Some(peeled)) = (service, reference.peeled) {
            line(&mut out, &format!("{peeled} {}^{{}}", reference.name));
        }
    }
    if first {
        line(
            &mut out,
            &format!(
                "{} capabilities^{{}}\0{capabilities}",
                crate::id::ObjectId::ZERO
            ),
        );
    }
    flush(&mut out);
    Ok(out)
}

/// Writes bytes into one band of an answer.
fn band(out: &mut dyn io::Write, band: u8, bytes: &[u8]) -> io::Result<()> {
    for piece in bytes.chunks(crate::protocol::pktline::MAX_DATA - 1) {
        let mut packet = Vec::with_capacity(piece.len() + 5);
        crate::protocol::pktline::data(&mut packet, &[&[band], piece].concat());
        out.write_all(&packet)?;
    }
    Ok(())
}
