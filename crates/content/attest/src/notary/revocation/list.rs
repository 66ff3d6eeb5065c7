//! Lists of revoked certificates.
//!
//! A list may have millions of entries, so that they are read one by one.

use jiff::Timestamp;
use x509_cert::crl::RevokedCert;
use x509_cert::der::asn1::{AnyRef, BitStringRef, ObjectIdentifier};
use x509_cert::der::{self, Decode, Reader, SliceReader, Tag, TagNumber, Tagged};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::name::DistributionPointName;
use x509_cert::ext::pkix::{CrlReason, IssuingDistributionPoint};
use x509_cert::spki::AlgorithmIdentifierOwned;
use x509_cert::time::Time;

use super::super::certificate::{Certificate, ListPoint, timestamp};
use super::ocsp::{is_invalidity_date, was_valid_then};
use super::{RevocationStatus, State, Subject};

const REASON: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.21");
const DELTA: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.27");
const DISTRIBUTION_POINT: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.28");
const FRESHEST: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.46");

const EXTENSIONS: Tag = Tag::ContextSpecific {
    constructed: true,
    number: TagNumber::N0,
};

/// A list before its entries are read.
struct List<'a> {
    signed: &'a [u8],
    algorithm: AlgorithmIdentifierOwned,
    signature: &'a [u8],
    issuer: &'a [u8],
    next_update: Option<Time>,
    /// The bytes of the entries.
    entries: &'a [u8],
    /// The extensions, which are decoded after the signature is verified.
    extensions: Option<AnyRef<'a>>,
}

/// The state that a list reports, and when it expires.
pub(super) fn decide(
    bytes: &[u8],
    subject: Subject<'_>,
    point: &ListPoint,
) -> Result<RevocationStatus, String> {
    let list = List::parse(bytes).map_err(malformed)?;
    let next_update = list.check(subject, point)?;
    let Subject {
        certificate,
        signing_time,
        ..
    } = subject;
    let answer = |state| RevocationStatus { state, next_update };
    let mut reader = SliceReader::new(list.entries).map_err(malformed)?;
    let mut latest: Option<(Timestamp, CrlReason)> = None;
    while !reader.is_finished() {
        let entry = RevokedCert::decode(&mut reader).map_err(malformed)?;
        if entry.serial_number != *certificate.serial() {
            continue;
        }
        let extensions = entry.crl_entry_extensions.unwrap_or_default();
        let unknown = |found: &&Extension| {
            found.critical && found.extn_id != REASON && !is_invalidity_date(found)
        };
        if let Some(extension) = extensions.iter().find(unknown) {
            return Err(format!(
                "unsupported critical extension found in CRL: {}",
                extension.extn_id
            ));
        }
        if was_valid_then(&extensions, signing_time) {
            return Ok(answer(State::Good));
        }
        let reason = reason(&extensions).map_err(malformed)?;
        if !matches!(
            reason,
            CrlReason::CertificateHold | CrlReason::RemoveFromCRL
        ) {
            return Ok(answer(State::Revoked));
        }
        let time = timestamp(&entry.revocation_date);
        if latest.is_none_or(|(before, _)| before < time) {
            latest = Some((time, reason));
        }
    }
    Ok(answer(match latest {
        Some((_, CrlReason::CertificateHold)) => State::Revoked,
        _ => State::Good,
    }))
}

/// Checks that a list is of a distribution point, and covers a certificate. Lists of one issuer
/// have one signer, so another one could stand at the address. A list may cover some reasons only,
/// because all points of a certificate are read.
fn check_scope(scope: &[u8], certificate: &Certificate, point: &ListPoint) -> Result<(), String> {
    let scope = IssuingDistributionPoint::from_der(scope).map_err(malformed)?;
    let is_of_point = match &scope.distribution_point {
        None => true,
        Some(DistributionPointName::FullName(names)) => {
            names.iter().any(|name| point.names.contains(name))
        }
        Some(DistributionPointName::NameRelativeToCRLIssuer(_)) => false,
    };
    if !is_of_point {
        return Err("the CRL is of another distribution point".to_owned());
    }
    let is_authority = certificate.constraints().is_some_and(|found| found.ca);
    let is_left_out = if is_authority {
        scope.only_contains_user_certs
    } else {
        scope.only_contains_ca_certs
    };
    if is_left_out || scope.only_contains_attribute_certs {
        return Err("the CRL does not cover this type of certificate".to_owned());
    }
    Ok(())
}

fn malformed(error: der::Error) -> String {
    format!("malformed CRL: {error}")
}

fn reason(extensions: &[Extension]) -> der::Result<CrlReason> {
    let extension = extensions.iter().find(|found| found.extn_id == REASON);
    extension.map_or(Ok(CrlReason::Unspecified), |found| {
        CrlReason::from_der(found.extn_value.as_bytes())
    })
}

impl<'a> List<'a> {
    fn parse(bytes: &'a [u8]) -> der::Result<Self> {
        AnyRef::from_der(bytes)?.sequence(|reader| {
            let signed = reader.tlv_bytes()?;
            let algorithm = AlgorithmIdentifierOwned::decode(reader)?;
            let signature = BitStringRef::decode(reader)?.raw_bytes();
            AnyRef::from_der(signed)?.sequence(|reader| {
                if reader.peek_tag()? == Tag::Integer {
                    reader.tlv_bytes()?;
                }
                // The algorithm, as outside.
                reader.tlv_bytes()?;
                let issuer = reader.tlv_bytes()?;
                Time::decode(reader)?;
                let next_update = if peeks_time(reader)? {
                    Some(Time::decode(reader)?)
                } else {
                    None
                };
                let entries = if !reader.is_finished() && reader.peek_tag()? == Tag::Sequence {
                    AnyRef::decode(reader)?.value()
                } else {
                    &[]
                };
                let extensions = if reader.is_finished() {
                    None
                } else {
                    Some(AnyRef::decode(reader)?)
                };
                Ok(Self {
                    signed,
                    algorithm,
                    signature,
                    issuer,
                    next_update,
                    entries,
                    extensions,
                })
            })
        })
    }

    /// Checks issuer, signature, life and extensions. Returns when the list expires.
    fn check(&self, subject: Subject<'_>, point: &ListPoint) -> Result<Timestamp, String> {
        let Subject { issuer, now, .. } = subject;
        let unsigned = |why: &str| format!("CRL is not signed by CA {}: {why}", issuer.subject());
        if self.issuer != issuer.subject_name() {
            return Err(unsigned("it has another issuer"));
        }
        let may_sign = issuer.key_usage().is_none_or(|(_, usage)| usage.crl_sign());
        if !may_sign {
            return Err(unsigned(
                "x509: invalid signature: parent certificate cannot sign this kind of certificate",
            ));
        }
        issuer
            .verify(&self.algorithm, self.signed, self.signature)
            .map_err(unsigned)?;
        let next = self.next_update.as_ref().map(timestamp);
        let next = next.ok_or("CRL NextUpdate is not set")?;
        if now > next {
            return Err(format!(
                "expired CRL. Current time {now} is after CRL NextUpdate {next}"
            ));
        }
        let mut extensions = self.extensions().map_err(malformed)?;
        while !extensions.is_finished() {
            let extension = Extension::decode(&mut extensions).map_err(malformed)?;
            match extension.extn_id {
                // A delta alone says nothing about the certificates that it leaves out.
                DELTA => return Err("a delta CRL is not supported".to_owned()),
                FRESHEST => return Err("freshest CRL is not supported".to_owned()),
                DISTRIBUTION_POINT => {
                    let scope = extension.extn_value.as_bytes();
                    check_scope(scope, subject.certificate, point)?;
                }
                other if extension.critical => {
                    return Err(format!(
                        "unsupported critical extension found in CRL: {other}"
                    ));
                }
                _ => {}
            }
        }
        Ok(next)
    }

    fn extensions(&self) -> der::Result<SliceReader<'a>> {
        let Some(wrapped) = self.extensions else {
            return SliceReader::new(&[]);
        };
        wrapped.tag().assert_eq(EXTENSIONS)?;
        let list = AnyRef::from_der(wrapped.value())?;
        list.tag().assert_eq(Tag::Sequence)?;
        SliceReader::new(list.value())
    }
}

fn peeks_time<'r>(reader: &impl Reader<'r>) -> der::Result<bool> {
    if reader.is_finished() {
        return Ok(false);
    }
    let tag = reader.peek_tag()?;
    Ok(matches!(tag, Tag::UtcTime | Tag::GeneralizedTime))
}

#[cfg(test)]
mod tests;
