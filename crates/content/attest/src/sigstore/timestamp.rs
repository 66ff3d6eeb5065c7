//! Timestamps of RFC 3161: an authority signed that it saw a signature at a time.
//!
//! Parity: timestamp-authority: `pkg/verification`. Only DER is read, and signed attributes are
//! required, as RFC 3161 says.

use jiff::civil::DateTime;
use jiff::tz::Offset;
use sluice_system::budget::Budget;

use super::certificate::{Certificate, TIME_STAMPING};
use super::der::{self, Element, NotDer, Reader, tag};
use super::key::{Hash, is_bare_key, signature_hash};
use super::root::Authority;

const SIGNED_DATA: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02";
const TIMESTAMP_INFO: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01\x04";
const CONTENT_TYPE: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x03";
const MESSAGE_DIGEST: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x04";
/// Maximum number of certificates in a timestamp.
const MAX_CERTIFICATES: usize = 10;

/// A decoded timestamp, which is not verified yet.
#[derive(Debug)]
pub(super) struct Timestamp<'a> {
    /// The signed content.
    info: &'a [u8],
    certificates: Vec<Certificate>,
    signer: SignerInfo<'a>,
    imprint_hash: Hash,
    imprint: &'a [u8],
    time: i64,
}

#[derive(Debug)]
struct SignerInfo<'a> {
    issuer: &'a [u8],
    serial: &'a [u8],
    hash: Hash,
    /// The signed attributes, as a set.
    attributes: Vec<u8>,
    content_type: Option<&'a [u8]>,
    digest: Option<&'a [u8]>,
    algorithm: &'a [u8],
    signature: &'a [u8],
}

impl<'a> Timestamp<'a> {
    /// Decodes the response of an authority.
    pub(super) fn parse(response: &'a [u8]) -> Result<Self, String> {
        Self::read(response).map_err(|NotDer| "a timestamp cannot be read".to_owned())
    }

    fn read(response: &'a [u8]) -> Result<Self, NotDer> {
        let mut response = der::single(response, tag::SEQUENCE)?.reader();
        let status = response.expect(tag::SEQUENCE)?;
        // Granted, perhaps with modifications.
        if !matches!(status.reader().expect(tag::INTEGER)?.content, [0 | 1]) {
            return Err(NotDer);
        }
        let mut token = response.expect(tag::SEQUENCE)?.reader();
        response.finish()?;
        if token.expect(tag::OBJECT_IDENTIFIER)?.content != SIGNED_DATA {
            return Err(NotDer);
        }
        let data = token.expect(tag::context(0))?;
        token.finish()?;
        let mut data = der::single(data.content, tag::SEQUENCE)?.reader();
        data.expect(tag::INTEGER)?;
        data.expect(tag::SET)?;
        let mut content = data.expect(tag::SEQUENCE)?.reader();
        if content.expect(tag::OBJECT_IDENTIFIER)?.content != TIMESTAMP_INFO {
            return Err(NotDer);
        }
        let info = content.expect(tag::context(0))?;
        let info = der::single(info.content, tag::OCTET_STRING)?.content;
        let certificates = match data.optional(tag::context(0))? {
            Some(set) => certificates(set.reader())?,
            None => Vec::new(),
        };
        data.optional(tag::context(1))?;
        let signers = data.expect(tag::SET)?;
        data.finish()?;
        // Exactly one signer.
        let signer = signer(der::single(signers.content, tag::SEQUENCE)?)?;
        let (imprint_hash, imprint, time) = timestamp_info(info)?;
        Ok(Self {
            info,
            certificates,
            signer,
            imprint_hash,
            imprint,
            time,
        })
    }

    /// Verifies that an authority stamped a signature. Returns the time in seconds.
    pub(super) fn verify(
        &self,
        signature: &[u8],
        authority: &Authority,
        budget: &Budget,
    ) -> Result<i64, &'static str> {
        if self.imprint != self.imprint_hash.of(signature) {
            return Err("a timestamp is about another signature");
        }
        let leaf = self.leaf(authority)?;
        let signer = &self.signer;
        if signer.content_type != Some(TIMESTAMP_INFO)
            || signer.digest != Some(&*signer.hash.of(self.info))
        {
            return Err("a timestamp is not what its authority signed");
        }
        let key = leaf.key.as_ref();
        let key = key.ok_or("the key of a timestamp authority is not supported")?;
        let hash = if is_bare_key(signer.algorithm) {
            Some(signer.hash)
        } else {
            signature_hash(signer.algorithm, key)
        };
        if !hash.is_some_and(|hash| key.verify(hash, &signer.attributes, signer.signature)) {
            return Err("a timestamp is not signed by its authority");
        }
        let time = self.time;
        let is_stamper = matches!(
            leaf.purposes(),
            Ok(Some(purposes)) if purposes.is_critical && purposes.names == [TIME_STAMPING]
        );
        if leaf.is_authority() || !is_stamper {
            return Err("a timestamp is signed by a certificate that may not do so");
        }
        let intermediates = [&*authority.intermediates, &*self.certificates].concat();
        leaf.chain(&intermediates, &authority.root, time, TIME_STAMPING, budget)?;
        if !authority.period.contains(time) {
            return Err("a timestamp is outside the validity of its authority");
        }
        Ok(time)
    }

    /// The certificate that signed the timestamp. The one of the root must be it.
    fn leaf<'c>(&'c self, authority: &'c Authority) -> Result<&'c Certificate, &'static str> {
        let is_signer = |certificate: &&Certificate| {
            certificate.issuer == self.signer.issuer && certificate.serial == self.signer.serial
        };
        let embedded = self.certificates.iter().find(is_signer);
        match (&authority.leaf, embedded) {
            (Some(leaf), Some(embedded)) if leaf == embedded => Ok(leaf),
            (Some(leaf), None) if self.certificates.is_empty() && is_signer(&leaf) => Ok(leaf),
            (None, Some(embedded)) => Ok(embedded),
            _ => Err("a timestamp is of another authority"),
        }
    }
}

fn certificates(mut reader: Reader<'_>) -> Result<Vec<Certificate>, NotDer> {
    let mut certificates = Vec::new();
    while !reader.is_empty() {
        let certificate = reader.expect(tag::SEQUENCE)?;
        if certificates.len() >= MAX_CERTIFICATES {
            return Err(NotDer);
        }
        certificates.push(Certificate::from_der(certificate.raw).map_err(|_| NotDer)?);
    }
    Ok(certificates)
}

/// The hash function of an algorithm.
fn hash(algorithm: &Element<'_>) -> Result<Hash, NotDer> {
    let name = algorithm.reader().expect(tag::OBJECT_IDENTIFIER)?;
    Hash::from_oid(name.content).ok_or(NotDer)
}

fn signer(signer: Element<'_>) -> Result<SignerInfo<'_>, NotDer> {
    let mut signer = signer.reader();
    signer.expect(tag::INTEGER)?;
    let mut name = signer.expect(tag::SEQUENCE)?.reader();
    let issuer = name.expect(tag::SEQUENCE)?.raw;
    let serial = name.expect(tag::INTEGER)?.content;
    let hash = hash(&signer.expect(tag::SEQUENCE)?)?;
    let attributes = signer.expect(tag::context(0))?;
    let (mut content_type, mut digest) = (None, None);
    let mut reader = attributes.reader();
    while !reader.is_empty() {
        let mut attribute = reader.expect(tag::SEQUENCE)?.reader();
        let name = attribute.expect(tag::OBJECT_IDENTIFIER)?.content;
        let values = attribute.expect(tag::SET)?;
        let (slot, kind) = match name {
            CONTENT_TYPE => (&mut content_type, tag::OBJECT_IDENTIFIER),
            MESSAGE_DIGEST => (&mut digest, tag::OCTET_STRING),
            _ => continue,
        };
        let value = der::single(values.content, kind)?.content;
        if slot.replace(value).is_some() {
            return Err(NotDer);
        }
    }
    let algorithm = signer.expect(tag::SEQUENCE)?.reader();
    let algorithm = algorithm.clone().expect(tag::OBJECT_IDENTIFIER)?.content;
    let signature = signer.expect(tag::OCTET_STRING)?.content;
    Ok(SignerInfo {
        issuer,
        serial,
        hash,
        // The signature covers them as a set, not with the tag of the field.
        attributes: der::element(tag::SET, attributes.content),
        content_type,
        digest,
        algorithm,
        signature,
    })
}

/// The hash function and the hash of the stamped content, and the time.
fn timestamp_info(info: &[u8]) -> Result<(Hash, &[u8], i64), NotDer> {
    let mut info = der::single(info, tag::SEQUENCE)?.reader();
    info.expect(tag::INTEGER)?;
    info.expect(tag::OBJECT_IDENTIFIER)?;
    let mut imprint = info.expect(tag::SEQUENCE)?.reader();
    let imprint_hash = hash(&imprint.expect(tag::SEQUENCE)?)?;
    let digest = imprint.expect(tag::OCTET_STRING)?.content;
    info.expect(tag::INTEGER)?;
    let time = seconds(info.expect(tag::GENERALIZED_TIME)?.content).ok_or(NotDer)?;
    Ok((imprint_hash, digest, time))
}

/// Reads a time such as `20261127220000.123Z`. Fractions of a second are cut.
fn seconds(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?.strip_suffix('Z')?;
    let (text, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if text.len() != 14 || !is_number(text) || !is_number(fraction) {
        return None;
    }
    let part = |from: usize| text.get(from..from + 2)?.parse::<i8>().ok();
    let year = text.get(..4)?.parse().ok()?;
    let time = DateTime::new(year, part(4)?, part(6)?, part(8)?, part(10)?, part(12)?, 0).ok()?;
    Some(Offset::UTC.to_timestamp(time).ok()?.as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_complete_times_are_read() {
        for (text, expected) in [
            ("19700101000001Z", Some(1)),
            ("20261127220000Z", Some(1_795_816_800)),
            ("20261127220000.999Z", Some(1_795_816_800)),
            ("20261127220000", None),
            ("20261327220000Z", None),
            ("2026112722000Z", None),
            ("20261127220000.Z", None),
            ("+0261127220000Z", None),
        ] {
            assert_eq!(seconds(text.as_bytes()), expected, "{text}");
        }
    }
}
