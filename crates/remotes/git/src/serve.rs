//! The server side: smart HTTP for local repositories.
//!
//! It is for `sluice dev`, tests and benchmarks. It starts no process and depends on no HTTP
//! framework. A server maps three kinds of requests to three functions:
//!
//! | request | function | content type of the response |
//! |---|---|---|
//! | `GET …/info/refs?service=S` | [`advertise`] | [`Service::advertisement_type`] |
//! | `POST …/git-upload-pack` | [`upload_pack`] | [`Service::result_type`] |
//! | `POST …/git-receive-pack` | [`receive_pack`] | [`Service::result_type`] |
//!
//! All of them block, like all methods of [`Repository`], so call them from the blocking pool. The
//! server enforces access control and request limits.

use std::io;

use crate::protocol::ProtocolError;

mod receive;
mod repository;
mod upload;

pub use crate::protocol::Service;
pub use receive::receive_pack;
pub use repository::{Change, Repository};
pub use upload::upload_pack;

use crate::protocol::pktline::{flush, line};

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The repository could not be read or written.
    #[error("{action}: {source}")]
    Repository {
        /// The operation.
        action: &'static str,
        /// The cause.
        source: git2::Error,
    },
    /// The request violates the protocol.
    #[error("read the request: {0}")]
    Request(#[from] ProtocolError),
    /// The client disconnected.
    #[error("write the answer: {0}")]
    Answer(#[from] io::Error),
    /// A file to commit could not be read.
    #[error(transparent)]
    Disk(#[from] sluice_system::fs::Error),
    /// A path that a commit cannot contain.
    #[error("commit '{0}': not a relative path of plain names")]
    Path(String),
}

fn git_error(action: &'static str) -> impl FnOnce(git2::Error) -> ServeError {
    move |source| ServeError::Repository { action, source }
}

/// Supported protocol versions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Version {
    /// The advertisement lists references.
    #[default]
    Zero,
    /// References are listed on request.
    Two,
}

impl Version {
    /// Parses the header `Git-Protocol`.
    pub fn from_header(value: Option<&str>) -> Self {
        let asked = value.is_some_and(|value| value.split(':').any(|word| word == "version=2"));
        if asked { Self::Two } else { Self::Zero }
    }
}

const UPLOAD_CAPABILITIES: &str = "multi_ack_detailed side-band-64k ofs-delta shallow no-progress \
     allow-tip-sha1-in-want allow-reachable-sha1-in-want object-format=sha1";
const RECEIVE_CAPABILITIES: &str =
    "report-status delete-refs ofs-delta side-band-64k object-format=sha1";

/// Writes the advertisement of a repository.
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
    // A push lists branches and tags without peeled targets.
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

/// Writes data into a side band.
fn band(out: &mut dyn io::Write, band: u8, bytes: &[u8]) -> io::Result<()> {
    for piece in bytes.chunks(crate::protocol::pktline::MAX_DATA - 1) {
        let mut packet = Vec::with_capacity(piece.len() + 5);
        crate::protocol::pktline::data(&mut packet, &[&[band], piece].concat());
        out.write_all(&packet)?;
    }
    Ok(())
}
