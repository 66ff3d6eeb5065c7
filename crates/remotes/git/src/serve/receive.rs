//! Serves pushes.

use std::io::Write;

use git2::{ErrorCode, Oid, Repository as Git};

use super::repository::Repository;
use super::{ServeError, band};
use crate::id::ObjectId;
use crate::protocol::ProtocolError;
use crate::protocol::pktline::{Decoder, Packet, flush, line};

/// An update of a reference.
struct Update {
    old: Oid,
    new: Oid,
    name: String,
}

/// Serves the body of a `POST …/git-receive-pack`. It unpacks the objects, then updates each
/// reference whose old value is as the client expects.
pub fn receive_pack(
    repository: &Repository,
    request: &[u8],
    out: &mut dyn Write,
) -> Result<(), ServeError> {
    let (updates, side_band, pack) = commands(request)?;
    if updates.is_empty() {
        return Ok(());
    }
    let git = repository.git()?;
    let unpacked = if pack.is_empty() {
        Ok(())
    } else {
        unpack(&git, pack)
    };
    let mut report = Vec::new();
    match &unpacked {
        Ok(()) => line(&mut report, "unpack ok"),
        Err(error) => line(&mut report, &format!("unpack {}", error.message())),
    }
    for update in &updates {
        match unpacked
            .as_ref()
            .map_err(|_| "unpacker error".to_owned())
            .and_then(|()| apply(&git, update))
        {
            Ok(()) => line(&mut report, &format!("ok {}", update.name)),
            Err(reason) => line(&mut report, &format!("ng {} {reason}", update.name)),
        }
    }
    flush(&mut report);
    if side_band {
        band(out, 1, &report)?;
        out.write_all(b"0000")?;
    } else {
        out.write_all(&report)?;
    }
    out.flush()?;
    Ok(())
}

/// Splits a request: commands up to a flush, then the pack.
fn commands(request: &[u8]) -> Result<(Vec<Update>, bool, &[u8]), ServeError> {
    let mut decoder = Decoder::default();
    decoder.push(request);
    let mut updates = Vec::new();
    let mut side_band = false;
    let mut read = 0;
    loop {
        let Some(packet) = decoder.next_packet()? else {
            // A client without changes sends a flush or nothing.
            return if read == request.len() && updates.is_empty() {
                Ok((updates, side_band, &[]))
            } else {
                Err(ProtocolError::Truncated("before the end of the commands").into())
            };
        };
        read += 4 + match &packet {
            Packet::Data(data) => data.len(),
            _ => 0,
        };
        let Some(text) = packet.text() else {
            return Ok((updates, side_band, &request[read..]));
        };
        let mut halves = text.splitn(2, |byte| *byte == 0);
        let command = String::from_utf8_lossy(halves.next().unwrap_or_default()).into_owned();
        let capabilities = String::from_utf8_lossy(halves.next().unwrap_or_default()).into_owned();
        side_band |= capabilities.split(' ').any(|word| word == "side-band-64k");
        let mut words = command.splitn(3, ' ');
        let mut id = || words.next()?.parse::<ObjectId>().ok().map(ObjectId::oid);
        let (Some(old), Some(new)) = (id(), id()) else {
            return Err(packet.unexpected("instead of a command").into());
        };
        let name = words.next().unwrap_or_default().to_owned();
        updates.push(Update { old, new, name });
    }
}

fn unpack(git: &Git, pack: &[u8]) -> Result<(), git2::Error> {
    let odb = git.odb()?;
    let mut writer = odb.packwriter()?;
    writer
        .write_all(pack)
        .map_err(|error| git2::Error::from_str(&error.to_string()))?;
    writer.commit()?;
    Ok(())
}

fn apply(git: &Git, update: &Update) -> Result<(), String> {
    if !update.name.starts_with("refs/") || !git2::Reference::is_valid_name(&update.name) {
        return Err("funny refname".to_owned());
    }
    let current = match git.find_reference(&update.name) {
        Ok(reference) => reference.target().unwrap_or_else(|| ObjectId::ZERO.oid()),
        Err(error) if error.code() == ErrorCode::NotFound => ObjectId::ZERO.oid(),
        Err(error) => return Err(error.message().to_owned()),
    };
    if current != update.old {
        return Err("the reference has moved".to_owned());
    }
    let moved = if update.new.is_zero() {
        git.find_reference(&update.name)
            .and_then(|mut reference| reference.delete())
    } else if git.find_object(update.new, None).is_err() {
        return Err("missing necessary objects".to_owned());
    } else {
        git.reference(&update.name, update.new, true, "push")
            .map(drop)
    };
    moved.map_err(|error| error.message().to_owned())
}
