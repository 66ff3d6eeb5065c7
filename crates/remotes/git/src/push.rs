//! Checks the branch before a push, and evaluates the report.

use crate::draft::PackedCommit;
use crate::error::{Error, Phase, Result};
use crate::id::ObjectId;
use crate::protocol::advertisement::Advertisement;
use crate::protocol::push::{Command, PUSH_OPTIONS, Parser};
use crate::transport::{Deadline, PacketStream};

/// Messages of servers after a concurrent push.
const MOVED_PHRASES: [&str; 6] = [
    "fetch first",
    "non-fast-forward",
    "incorrect old value",
    "failed to update ref",
    "failed to lock",
    "the reference has moved",
];

/// An update of one reference of a remote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Push {
    /// The full name, such as `refs/heads/main`.
    pub reference: String,
    /// The state of the reference that allows the update.
    pub expected: ExpectedTip,
    /// Options for the server, as `key=value`. A server that takes none is an error.
    pub options: Vec<String>,
}

/// The state of a reference before a push.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedTip {
    /// It is at this commit, or missing.
    At(Option<ObjectId>),
    /// It is anywhere, so that commits may be lost: a forced push.
    Any,
}

/// Creates the command and the parser of the report, if the reference is at the expected commit.
pub(crate) fn command(
    advertisement: &Advertisement,
    push: &Push,
    commit: &PackedCommit,
    deadline: &Deadline,
) -> Result<(Vec<u8>, Parser)> {
    let Advertisement::V0 { capabilities, refs } = advertisement else {
        return Err(deadline.protocol("it answers a push in a version that has none"));
    };
    let name = &push.reference;
    let found = refs.find(name).map(|found| found.target);
    if let ExpectedTip::At(expected) = push.expected
        && found != expected
    {
        let place = found.map_or_else(
            || "it is not there".to_owned(),
            |id| format!("it is at {id}"),
        );
        return Err(moved_error(short(name), deadline, place));
    }
    if !push.options.is_empty() && !capabilities.has(PUSH_OPTIONS) {
        return Err(Error::Refused {
            remote: deadline.remote.clone(),
            branch: short(name).to_owned(),
            reason: "the server takes no push options".to_owned(),
            message: String::new(),
        });
    }
    let command = Command {
        old: found,
        new: commit.id,
        name,
        options: &push.options,
    };
    let mut bytes = Vec::with_capacity(commit.pack.len() + 512);
    command
        .write(capabilities, &commit.pack, &mut bytes)
        .map_err(|error| deadline.malformed(error))?;
    Ok((bytes, Parser::new(&command, capabilities)))
}

/// The name of a branch without its prefix.
pub(crate) fn short(reference: &str) -> &str {
    reference.strip_prefix("refs/heads/").unwrap_or(reference)
}

fn moved_error(branch: &str, deadline: &Deadline, reason: String) -> Error {
    Error::Moved {
        remote: deadline.remote.clone(),
        branch: branch.to_owned(),
        reason,
    }
}

/// Reads the report.
pub(crate) async fn read_report(
    mut response: PacketStream,
    mut parser: Parser,
    branch: &str,
    deadline: &Deadline,
) -> Result<()> {
    let report = loop {
        let packet = response.next(deadline, Phase::Push).await?;
        let fed = parser
            .feed(packet)
            .map_err(|error| deadline.malformed(error))?;
        if let Some(report) = fed {
            break report;
        }
    };
    let Some(reason) = report.unpack.or(report.refused) else {
        return Ok(());
    };
    if MOVED_PHRASES.iter().any(|words| reason.contains(words)) {
        return Err(moved_error(branch, deadline, reason));
    }
    Err(Error::Refused {
        remote: deadline.remote.clone(),
        branch: branch.to_owned(),
        reason,
        message: report.message,
    })
}
