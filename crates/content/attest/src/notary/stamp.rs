//! Time stamps of RFC 3161 over a signature.
//!
//! Parity: tspclient-go v1.0, and notation-go v1.3: verifier. Only DER is read, and nothing signed
//! with SHA-1.

mod info;

use cms::content_info::ContentInfo;
use cms::signed_data::{SignedData, SignerInfo};
use jiff::Timestamp;
use sluice_golang::quote::quote;
use x509_cert::attr::Attribute;
use x509_cert::der::asn1::{AnyRef, ObjectIdentifier, OctetStringRef};
use x509_cert::der::{Decode as _, Encode as _, Reader as _, Tag};
use x509_cert::spki::AlgorithmIdentifierOwned;
use x509_cert::time::Time;

use super::certificate::{Certificate, Hash, find_with_digest, timestamp};
use super::chain::{self, MAX_CERTIFICATES, Purpose};
use info::Info;

const SIGNED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");
const INFO: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.1.4");
const CONTENT_TYPE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.3");
const MESSAGE_DIGEST: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.4");
const SIGNING_TIME: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.5");
const SIGNING_CERTIFICATE: ObjectIdentifier =
    ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.2.47");
/// Maximum size of a stamp. Its sets are sorted as the names of a certificate are.
const MAX_BYTES: usize = 32 << 10;
/// Maximum number of signers.
const MAX_SIGNERS: usize = 2;
/// Maximum number of certificates in a stamp.
const MAX_CANDIDATES: usize = 20;

/// A valid stamp: the bounds of its time, and the chain of the authority.
#[derive(Debug)]
pub(super) struct Stamp {
    pub(super) earliest: Timestamp,
    pub(super) latest: Timestamp,
    pub(super) chain: Vec<Certificate>,
}

/// Verifies a stamp over a message. Its chain ends with a certificate of the pool.
pub(super) fn verify(token: &[u8], message: &[u8], pool: &[Certificate]) -> Result<Stamp, String> {
    let unparsed =
        |why: String| format!("failed to parse timestamp countersignature with error: {why}");
    let data = parse(token).map_err(unparsed)?;
    let content = data.encap_content_info.econtent.as_ref();
    let content = content.and_then(|any| any.decode_as::<OctetStringRef<'_>>().ok());
    let content = content
        .map(|content| content.as_bytes())
        .unwrap_or_default();
    let info = Info::parse(content)
        .map_err(|error| format!("failed to get the timestamp TSTInfo with error: {error}"))?;
    info.check(message).map_err(|why| {
        format!("failed to get timestamp from timestamp countersignature with error: {why}")
    })?;
    let refused =
        |why: String| format!("failed to verify the timestamp countersignature with error: {why}");
    // Each signer may cost a search for its chain.
    if data.signer_infos.0.len() > MAX_SIGNERS {
        return Err(refused(format!("it has more than {MAX_SIGNERS} signers")));
    }
    let candidates = candidates(&data).map_err(refused)?;
    let mut last = "signerInfo not found".to_owned();
    for signer in data.signer_infos.0.iter() {
        let verifying = Signer {
            info: signer,
            content,
            candidates: &candidates,
            pool,
            time: info.time,
        };
        match verifying.verify() {
            Ok(chain) => {
                chain::check(&chain, Purpose::TimeStamping).map_err(|why| {
                    format!(
                        "failed to validate the timestamping certificate chain with error: {why}"
                    )
                })?;
                return Ok(Stamp {
                    earliest: info.earliest(),
                    latest: info.latest(),
                    chain,
                });
            }
            Err(why) => last = why,
        }
    }
    Err(refused(last))
}

impl Stamp {
    /// Checks that the time is within the life of each certificate.
    pub(super) fn check_lives(&self, chain: &[Certificate]) -> Result<(), String> {
        for certificate in chain {
            let subject = quote(certificate.subject());
            if self.earliest < certificate.not_before() {
                return Err(format!(
                    "timestamp can be before certificate {subject} validity period, it will be \
                     valid from {}",
                    super::quoted_time(certificate.not_before())
                ));
            }
            if self.latest > certificate.not_after() {
                return Err(format!(
                    "timestamp can be after certificate {subject} validity period, it was expired \
                     at {}",
                    super::quoted_time(certificate.not_after())
                ));
            }
        }
        Ok(())
    }
}

fn parse(token: &[u8]) -> Result<SignedData, String> {
    if token.len() > MAX_BYTES {
        return Err(format!("it is larger than {MAX_BYTES} bytes"));
    }
    let info = ContentInfo::from_der(token).map_err(|error| error.to_string())?;
    if info.content_type != SIGNED_DATA {
        return Err("unexpected content type".to_owned());
    }
    let data = info.content.decode_as::<SignedData>();
    let data = data.map_err(|error| error.to_string())?;
    if data.version != cms::content_info::CmsVersion::V3 {
        return Err("unsupported signed data version".to_owned());
    }
    let kind = data.encap_content_info.econtent_type;
    if kind != INFO {
        return Err(format!(
            "unexpected content type: {kind}. Expected to be id-ct-TSTInfo ({INFO})"
        ));
    }
    Ok(data)
}

/// The certificates of a stamp.
fn candidates(data: &SignedData) -> Result<Vec<Certificate>, String> {
    let choices = data.certificates.as_ref().map(|set| set.0.iter());
    let mut found = Vec::new();
    for choice in choices.into_iter().flatten() {
        if found.len() == MAX_CANDIDATES {
            return Err(format!("it has more than {MAX_CANDIDATES} certificates"));
        }
        let bytes = choice.to_der().map_err(|error| error.to_string())?;
        found.push(Certificate::from_der(&bytes).map_err(|error| error.to_string())?);
    }
    Ok(found)
}

/// One signer of a stamp.
struct Signer<'a> {
    info: &'a SignerInfo,
    content: &'a [u8],
    candidates: &'a [Certificate],
    pool: &'a [Certificate],
    time: Timestamp,
}

impl Signer<'_> {
    fn verify(&self) -> Result<Vec<Certificate>, String> {
        if self.info.version != cms::content_info::CmsVersion::V1 {
            return Err("invalid signer info version: only version 1 is supported".to_owned());
        }
        let certificate = self.certificate()?;
        let mut path = Path {
            candidates: self.candidates,
            pool: self.pool,
            time: self.time,
            checks: 0,
        };
        let chain = path.find(vec![certificate]);
        let chain = chain.ok_or("x509: certificate signed by unknown authority")?;
        self.check_signature(&chain[0])?;
        self.check_attributes(&chain)?;
        Ok(chain)
    }

    fn attributes(&self) -> impl Iterator<Item = &Attribute> {
        self.info.signed_attrs.iter().flat_map(|set| set.iter())
    }

    /// The only value of an attribute.
    fn attribute(&self, kind: ObjectIdentifier) -> Result<Option<AnyRef<'_>>, String> {
        let mut found = self.attributes().filter(|attribute| attribute.oid == kind);
        let Some(attribute) = found.next() else {
            return Ok(None);
        };
        match (attribute.values.as_slice(), found.next()) {
            ([value], None) => Ok(Some(AnyRef::from(value))),
            _ => Err(format!("attribute {kind} has not exactly one value")),
        }
    }

    /// The certificate that the signed attributes name by its digest.
    fn certificate(&self) -> Result<Certificate, String> {
        let attribute = self.attribute(SIGNING_CERTIFICATE)?;
        let attribute =
            attribute.ok_or("failed to get SigningCertificateV2 from signed attributes")?;
        let (hash, digest) = named_certificate(attribute).map_err(
            |_| "failed to get SigningCertificateV2 from signed attributes: it is malformed",
        )?;
        let hash =
            hash.ok_or("unsupported certificate hash algorithm in SigningCertificateV2 attribute")?;
        let mut candidates = self.candidates.iter();
        let found = candidates.find(|candidate| hash.digest(candidate.bytes()).as_ref() == digest);
        let found = found.cloned();
        found.ok_or_else(|| "signing certificate not found in the timestamp token".to_owned())
    }

    fn check_signature(&self, certificate: &Certificate) -> Result<(), String> {
        let hash = Hash::of(self.info.digest_alg.oid).ok_or("unsupported digest algorithm")?;
        let algorithm = find_with_digest(&self.info.signature_algorithm, hash, certificate.key());
        let algorithm = algorithm.ok_or("unknown signature algorithm")?;
        let attributes = self.info.signed_attrs.as_ref();
        let attributes = attributes.ok_or("missing signed attributes")?;
        let signed = attributes.to_der().map_err(|error| error.to_string())?;
        certificate
            .verify_with(algorithm, &signed, self.info.signature.as_bytes())
            .map_err(str::to_owned)
    }

    fn check_attributes(&self, chain: &[Certificate]) -> Result<(), String> {
        let kind = self.attribute(CONTENT_TYPE)?;
        let kind = kind.and_then(|value| value.decode_as::<ObjectIdentifier>().ok());
        if kind != Some(INFO) {
            return Err("invalid content type".to_owned());
        }
        let digest = self.attribute(MESSAGE_DIGEST)?;
        let digest = digest.and_then(|value| value.decode_as::<OctetStringRef<'_>>().ok());
        let digest = digest.ok_or("invalid message digest")?;
        let hash = Hash::of(self.info.digest_alg.oid).ok_or("unsupported digest algorithm")?;
        if hash.digest(self.content).as_ref() != digest.as_bytes() {
            return Err("mismatch message digest".to_owned());
        }
        let Some(value) = self.attribute(SIGNING_TIME)? else {
            return Ok(());
        };
        let time = value.to_der().and_then(|bytes| Time::from_der(&bytes));
        let time = time.map_err(|_| "invalid signing time")?;
        let time = timestamp(&time);
        if chain.iter().all(|certificate| is_alive(certificate, time)) {
            return Ok(());
        }
        Err(format!(
            "signing time, {time}, is outside certificate's validity period"
        ))
    }
}

/// The hash function and the digest of the first certificate in the attribute.
fn named_certificate(attribute: AnyRef<'_>) -> x509_cert::der::Result<(Option<Hash>, Vec<u8>)> {
    attribute.sequence(|reader| {
        let certificates = AnyRef::decode(reader)?;
        while !reader.is_finished() {
            reader.tlv_bytes()?;
        }
        let mut first = None;
        certificates.sequence(|reader| {
            first = Some(AnyRef::decode(reader)?);
            while !reader.is_finished() {
                reader.tlv_bytes()?;
            }
            Ok(())
        })?;
        let first = first.ok_or(x509_cert::der::ErrorKind::Failed)?;
        first.sequence(|reader| {
            let hash = if reader.peek_tag()? == Tag::OctetString {
                Some(Hash::Sha256)
            } else {
                Hash::of(AlgorithmIdentifierOwned::decode(reader)?.oid)
            };
            let digest = OctetStringRef::decode(reader)?.as_bytes().to_vec();
            while !reader.is_finished() {
                reader.tlv_bytes()?;
            }
            Ok((hash, digest))
        })
    })
}

fn is_alive(certificate: &Certificate, time: Timestamp) -> bool {
    certificate.not_before() <= time && time <= certificate.not_after()
}

/// A search for a chain that ends in the pool.
struct Path<'a> {
    candidates: &'a [Certificate],
    pool: &'a [Certificate],
    time: Timestamp,
    checks: usize,
}

impl Path<'_> {
    /// Maximum number of signature checks, as in Go.
    const MAX_CHECKS: usize = 100;

    fn find(&mut self, chain: Vec<Certificate>) -> Option<Vec<Certificate>> {
        let last = chain.last()?;
        let is_usable = is_alive(last, self.time)
            && last.allows_time_stamping()
            && !last.has_unknown_critical_extension();
        if !is_usable {
            return None;
        }
        if self.pool.contains(last) {
            return Some(chain);
        }
        if chain.len() == MAX_CERTIFICATES {
            return None;
        }
        let (pool, candidates) = (self.pool, self.candidates);
        for issuer in pool.iter().chain(candidates) {
            let names_issuer = last.issuer_name() == issuer.subject_name();
            if !names_issuer || chain.contains(issuer) || self.checks == Self::MAX_CHECKS {
                continue;
            }
            self.checks += 1;
            if last.check_signature_from(issuer).is_err() {
                continue;
            }
            let longer = chain.iter().cloned().chain([issuer.clone()]).collect();
            if let Some(found) = self.find(longer) {
                return Some(found);
            }
        }
        None
    }
}
