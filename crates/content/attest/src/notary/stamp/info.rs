//! The content of a time stamp: the time, its accuracy, and the digest of the message.
//!
//! It is read by hand, because the crate `x509-tsp` refuses times with fractions of a second.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use x509_cert::der::asn1::{AnyRef, IntRef, ObjectIdentifier, OctetStringRef};
use x509_cert::der::{Decode as _, ErrorKind, Reader, Result, Tag, TagNumber, Tagged as _};
use x509_cert::spki::AlgorithmIdentifierOwned;

use super::super::certificate::Hash;

/// A policy whose stamps are accurate to one second without saying so.
const BASELINE: ObjectIdentifier = ObjectIdentifier::new_unwrap("0.4.0.2023.1.1");

/// The content of a stamp.
#[derive(Debug)]
pub(super) struct Info {
    version: u8,
    hash: ObjectIdentifier,
    digest: Vec<u8>,
    pub(super) time: Timestamp,
    accuracy: SignedDuration,
}

impl Info {
    pub(super) fn parse(content: &[u8]) -> Result<Self> {
        AnyRef::from_der(content)?.sequence(|reader| {
            let version = u8::decode(reader)?;
            let policy = ObjectIdentifier::decode(reader)?;
            let (hash, digest) = AnyRef::decode(reader)?.sequence(|reader| {
                let hash = AlgorithmIdentifierOwned::decode(reader)?.oid;
                Ok((hash, OctetStringRef::decode(reader)?.as_bytes().to_vec()))
            })?;
            // The serial number may be a large one.
            IntRef::decode(reader)?;
            let time = time(AnyRef::decode(reader)?)?;
            let mut accuracy = SignedDuration::ZERO;
            if !reader.is_finished() && reader.peek_tag()? == Tag::Sequence {
                accuracy = read_accuracy(AnyRef::decode(reader)?)?;
            }
            if accuracy.is_zero() && policy == BASELINE {
                accuracy = SignedDuration::from_secs(1);
            }
            while !reader.is_finished() {
                reader.tlv_bytes()?;
            }
            Ok(Self {
                version,
                hash,
                digest,
                time,
                accuracy,
            })
        })
    }

    /// Checks that the stamp is one of a message.
    pub(super) fn check(&self, message: &[u8]) -> std::result::Result<(), String> {
        if self.version != 1 {
            return Err(format!(
                "timestamp token info version must be 1, but got {}",
                self.version
            ));
        }
        let hash = Hash::of(self.hash)
            .ok_or_else(|| format!("unrecognized hash algorithm: {}", self.hash))?;
        if hash.digest(message).as_ref() == self.digest {
            Ok(())
        } else {
            Err("mismatched message".to_owned())
        }
    }

    pub(super) fn earliest(&self) -> Timestamp {
        let bound = self.time.checked_sub(self.accuracy);
        bound.unwrap_or(Timestamp::MIN)
    }

    pub(super) fn latest(&self) -> Timestamp {
        let bound = self.time.checked_add(self.accuracy);
        bound.unwrap_or(Timestamp::MAX)
    }
}

/// A time such as `20240101120000.5Z`.
fn time(value: AnyRef<'_>) -> Result<Timestamp> {
    let malformed = || ErrorKind::Value {
        tag: Tag::GeneralizedTime,
    };
    if value.tag() != Tag::GeneralizedTime {
        return Err(malformed().into());
    }
    let text = std::str::from_utf8(value.value()).ok();
    let text = text.and_then(|text| text.strip_suffix('Z'));
    let time = text.and_then(|text| DateTime::strptime("%Y%m%d%H%M%S%.f", text).ok());
    let time = time.and_then(|time| time.to_zoned(TimeZone::UTC).ok());
    Ok(time.ok_or_else(malformed)?.timestamp())
}

/// Seconds, then parts of a second with tags of their own.
fn read_accuracy(value: AnyRef<'_>) -> Result<SignedDuration> {
    let part = |number| Tag::ContextSpecific {
        constructed: false,
        number,
    };
    let malformed = || ErrorKind::Value { tag: Tag::Integer };
    value.sequence(|reader| {
        let mut accuracy = SignedDuration::ZERO;
        while !reader.is_finished() {
            let element = AnyRef::decode(reader)?;
            let number = number(element.value()).ok_or_else(malformed)?;
            let length = match element.tag() {
                Tag::Integer => SignedDuration::from_secs(number),
                tag if tag == part(TagNumber::N0) => SignedDuration::from_millis(number),
                tag if tag == part(TagNumber::N1) => SignedDuration::from_micros(number),
                _ => return Err(malformed().into()),
            };
            accuracy = accuracy.checked_add(length).ok_or_else(malformed)?;
        }
        Ok(accuracy)
    })
}

/// A number of at most four bytes that is not negative.
fn number(bytes: &[u8]) -> Option<i64> {
    match bytes {
        [0..=127, rest @ ..] if rest.len() < 5 => {
            let shifted = |number: i64, byte: &u8| number << 8 | i64::from(*byte);
            Some(bytes.iter().fold(0, shifted))
        }
        _ => None,
    }
}
