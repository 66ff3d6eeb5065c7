//! What a push decides and concludes: may the branch be moved, and was it.

use crate::draft::Drafted;
use crate::error::{Error, Phase, Result};
use crate::id::ObjectId;
use crate::protocol::advertisement::Advertisement;
use crate::protocol::push::{Command, Parser};
use crate::transport::{Deadline, Packets};

/// What servers say when somebody else was faster.
const MOVED: [&str; 6] = [
    "fetch first",
    "non-fast-forward",
    "incorrect old value",
    "failed to update ref",
    "failed to lock",
    "the reference has moved",
];

/// Makes the command, if the branch is where it is expected; and what reads the report.
pub(crate) fn command(
    said: &Advertisement,
    branch: &str,
    drafted: &Drafted,
    expected: Option<ObjectId>,
    deadline: &Deadline,
) -> Result<(Vec<u8>, Parser)> {
    let Advertisement::One { capabilities, refs } = said else {
        return Err(deadline.protocol("it answers a push in a version that has none"));
    };
    let name = format!("refs/heads/{branch}");
    let found = refs.find(&name).map(|found| found.target);
    if found != expected {
        let place = found.map_or_else(
            || "it is not there".to_owned(),
            |id| format!("it is at {id}"),
        );
        return Err(moved(branch, deadline, place));
    }
    let command = Command {
        old: found,
        new: drafted.id,
        name: &name,
    };
    let mut bytes = Vec::with_capacity(drafted.pack.len() + 512);
    command
        .write(capabilities, &drafted.pack, &mut bytes)
        .map_err(|error| deadline.malformed(error))?;
    Ok((bytes, Parser::new(&command, capabilities)))
}

fn moved(branch: &str, deadline: &Deadline, reason: String) -> Error {
    Error::Moved {
        remote: deadline.remote.clone(),
        branch: branch.to_owned(),
        reason,
    }
}

/// Reads the report.
pub(crate) async fn conclude(
    mut answer: Packets,
    mut parser: Parser,
    branch: &str,
    deadline: &Deadline,
) -> Result<()> {
    let report = loop {
        let packet = answer.next(deadline, Phase::Push).await?;
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
    if MOVED.iter().any(|words| reason.contains(words)) {
        return Err(moved(branch, deadline, reason));
    }
    Err(Error::Refused {
        remote: deadline.remote.clone(),
        branch: branch.to_owned(),
        reason,
        said: report.said,
    })
}
