//! Signed certificate timestamps: a log of certificates promised to list one.
//!
//! The log signed the certificate before the timestamp was in it, so the extension is cut out
//! again.

use sluice_system::budget::Budget;

use super::certificate::Certificate;
use super::der::{self, NotDer, tag};
use super::key::{Hash, KeyKind, sha256};
use super::root::Log;
use super::{CHECK_STEPS, Refusal};

/// The extension with the timestamps.
const TIMESTAMPS: &[u8] = b"\x2b\x06\x01\x04\x01\xd6\x79\x02\x04\x02";
/// Maximum number of timestamps in a certificate.
const MAX_TIMESTAMPS: usize = 16;

/// One timestamp.
#[derive(Debug, PartialEq, Eq)]
struct Timestamp<'a> {
    log: &'a [u8],
    milliseconds: u64,
    extensions: &'a [u8],
    hash: u8,
    algorithm: u8,
    signature: &'a [u8],
}

/// Verifies that a trusted log knows a certificate. Several logs may have one identifier.
pub(super) fn verify(
    leaf: &Certificate,
    issuer: &Certificate,
    logs: &[Log],
    budget: &Budget,
) -> Result<(), Refusal> {
    let Some(extension) = leaf.extension(TIMESTAMPS) else {
        let why = "a certificate has no timestamp of a certificate log";
        return Err(why.to_owned().into());
    };
    let unreadable = || "the timestamps of a certificate cannot be read".to_owned();
    let list = der::single(&extension.value, tag::OCTET_STRING).map_err(|NotDer| unreadable())?;
    let timestamps = timestamps(list.content).ok_or_else(unreadable)?;
    let tbs = without_timestamps(&leaf.tbs).map_err(|NotDer| unreadable())?;
    let issuer = sha256(&issuer.spki);
    for timestamp in &timestamps {
        let seconds = i64::try_from(timestamp.milliseconds / 1000).unwrap_or(i64::MAX);
        for log in logs {
            if log.id != timestamp.log || !log.is_valid_at(seconds) {
                continue;
            }
            budget.charge_steps(CHECK_STEPS)?;
            if signed(timestamp, log, &issuer, &tbs) {
                return Ok(());
            }
        }
    }
    let why = "a certificate has no timestamp of a trusted certificate log";
    Err(why.to_owned().into())
}

fn signed(timestamp: &Timestamp<'_>, log: &Log, issuer: &[u8; 32], tbs: &[u8]) -> bool {
    // TLS numbers for SHA-256, and for RSA and ECDSA.
    let algorithm = match log.key.kind {
        KeyKind::Rsa => 1,
        KeyKind::P256 | KeyKind::P384 | KeyKind::P521 => 3,
        KeyKind::Ed25519 => return false,
    };
    if timestamp.hash != 4 || timestamp.algorithm != algorithm {
        return false;
    }
    let Ok(length) = u32::try_from(tbs.len()) else {
        return false;
    };
    let [0, length @ ..] = length.to_be_bytes() else {
        return false;
    };
    let Ok(extensions) = u16::try_from(timestamp.extensions.len()) else {
        return false;
    };
    // Version 1, of a certificate timestamp; entry type 1: a certificate before its timestamps.
    let message = [
        &[0, 0],
        &timestamp.milliseconds.to_be_bytes()[..],
        &[0, 1],
        issuer,
        &length,
        tbs,
        &extensions.to_be_bytes(),
        timestamp.extensions,
    ]
    .concat();
    log.key.verify(Hash::Sha256, &message, timestamp.signature)
}

/// Splits off a number of bytes.
fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

/// Splits off bytes that their length of two bytes precedes.
fn take_sized<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = <[u8; 2]>::try_from(take(bytes, 2)?).ok()?;
    take(bytes, usize::from(u16::from_be_bytes(length)))
}

fn timestamps(mut bytes: &[u8]) -> Option<Vec<Timestamp<'_>>> {
    let mut list = take_sized(&mut bytes)?;
    let mut timestamps = Vec::new();
    while !list.is_empty() {
        let mut timestamp = take_sized(&mut list)?;
        let version = take(&mut timestamp, 1)?;
        // Later versions have another form.
        if version != [0] {
            continue;
        }
        let log = take(&mut timestamp, 32)?;
        let milliseconds = u64::from_be_bytes(take(&mut timestamp, 8)?.try_into().ok()?);
        let extensions = take_sized(&mut timestamp)?;
        let &[hash, algorithm] = take(&mut timestamp, 2)? else {
            return None;
        };
        let signature = take_sized(&mut timestamp)?;
        if !timestamp.is_empty() || timestamps.len() >= MAX_TIMESTAMPS {
            return None;
        }
        timestamps.push(Timestamp {
            log,
            milliseconds,
            extensions,
            hash,
            algorithm,
            signature,
        });
    }
    bytes.is_empty().then_some(timestamps)
}

/// Cuts the extension with the timestamps out of the signed part of a certificate.
fn without_timestamps(tbs: &[u8]) -> Result<Vec<u8>, NotDer> {
    let mut parts = der::single(tbs, tag::SEQUENCE)?.reader();
    let mut content = Vec::with_capacity(tbs.len());
    while !parts.is_empty() {
        let part = parts.any()?;
        if part.tag != tag::context(3) {
            content.extend_from_slice(part.raw);
            continue;
        }
        let mut extensions = der::single(part.content, tag::SEQUENCE)?.reader();
        let mut others = Vec::new();
        while !extensions.is_empty() {
            let extension = extensions.expect(tag::SEQUENCE)?;
            let name = extension.reader().expect(tag::OBJECT_IDENTIFIER)?.content;
            if name != TIMESTAMPS {
                others.extend_from_slice(extension.raw);
            }
        }
        let others = der::element(tag::SEQUENCE, &others);
        content.extend(der::element(tag::context(3), &others));
    }
    Ok(der::element(tag::SEQUENCE, &content))
}
