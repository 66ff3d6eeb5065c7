//! X.509 certificates: the fields that a check needs, and signatures by their keys.
//!
//! Parity: Go's crypto/x509, which the reference uses: its accepted algorithms, and its rules for
//! an issuer.

mod algorithm;
mod name;

use std::fmt;
use std::sync::Arc;

use aws_lc_rs::signature::{UnparsedPublicKey, VerificationAlgorithm};
use jiff::Timestamp;
use rustls_pki_types::pem::{PemObject as _, SectionKind};
use x509_cert::der::asn1::{AnyRef, ObjectIdentifier, UintRef};
use x509_cert::der::oid::AssociatedOid;
use x509_cert::der::{self, Decode, Reader as _};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::name::{DistributionPointName, GeneralName, GeneralNames};
use x509_cert::ext::pkix::{
    AuthorityInfoAccessSyntax, BasicConstraints, CrlDistributionPoints, ExtendedKeyUsage, KeyUsage,
};
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use x509_cert::time::Time;

pub(super) use algorithm::{Hash, SignatureScheme, find_with_digest};

const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
const ELLIPTIC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");
const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");
/// The extension with the addresses of lists of changes.
const FRESHEST_LISTS: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.46");
const OCSP_SERVER: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.48.1");
/// The curves by the names of their parameters, with their bits.
const CURVES: [(ObjectIdentifier, usize); 4] = [
    (ObjectIdentifier::new_unwrap("1.3.132.0.33"), 224),
    (ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7"), 256),
    (ObjectIdentifier::new_unwrap("1.3.132.0.34"), 384),
    (ObjectIdentifier::new_unwrap("1.3.132.0.35"), 521),
];
/// Maximum size of a certificate. The decoder sorts the parts of a name by insertion, so that many
/// parts take long.
const MAX_BYTES: usize = 16 << 10;
/// Time stamps, and any usage.
const TIME_USAGES: [ObjectIdentifier; 2] = [
    ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.8"),
    ObjectIdentifier::new_unwrap("2.5.29.37.0"),
];
/// The extensions that have an effect on checks.
const CHECKED: [ObjectIdentifier; 3] =
    [BasicConstraints::OID, KeyUsage::OID, ExtendedKeyUsage::OID];
const CANNOT_SIGN: &str =
    "x509: invalid signature: parent certificate cannot sign this kind of certificate";

/// The type and size of a public key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// RSA, with the bits of its modulus.
    Rsa(usize),
    /// An elliptic curve, with its bits.
    Elliptic(usize),
    /// Ed25519.
    Ed25519,
    /// Another one.
    Other,
}

/// A certificate. Two are equal if their bytes are.
#[derive(Clone)]
pub struct Certificate {
    bytes: Vec<u8>,
    signed: Vec<u8>,
    parsed: x509_cert::Certificate,
    issuer_name: Vec<u8>,
    subject_name: Vec<u8>,
    public_key: Vec<u8>,
    key: Key,
    subject: String,
    extensions: KnownExtensions,
}

/// The extensions that a check reads, with whether they are critical.
#[derive(Debug, Clone, Default)]
struct KnownExtensions {
    constraints: Option<BasicConstraints>,
    key_usage: Option<(bool, KeyUsage)>,
    extended: Option<(bool, ExtendedKeyUsage)>,
    ocsp_servers: Vec<String>,
    list_points: Vec<ListPoint>,
    has_delta_lists: bool,
}

/// The address of a revocation list.
#[derive(Debug, Clone)]
pub(super) struct ListPoint {
    pub(super) url: String,
    /// All names of the distribution point. A list of this point has one of them.
    pub(super) names: Arc<[GeneralName]>,
}

/// The bytes are not a certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("x509: malformed certificate: {0}")]
pub struct InvalidCertificate(String);

impl From<der::Error> for InvalidCertificate {
    fn from(error: der::Error) -> Self {
        Self(error.to_string())
    }
}

impl PartialEq for Certificate {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Certificate {}

impl fmt::Debug for Certificate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Certificate({})", self.subject)
    }
}

impl Certificate {
    /// Parses one certificate in DER.
    pub fn from_der(bytes: &[u8]) -> Result<Self, InvalidCertificate> {
        if bytes.len() > MAX_BYTES {
            let reason = format!("it is larger than {MAX_BYTES} bytes");
            return Err(InvalidCertificate(reason));
        }
        let parsed = x509_cert::Certificate::from_der(bytes)?;
        let parts = RawParts::read(bytes)?;
        if parsed.signature_algorithm != parsed.tbs_certificate.signature {
            let reason = "inner and outer signature algorithm identifiers don't match";
            return Err(InvalidCertificate(reason.to_owned()));
        }
        let tbs = &parsed.tbs_certificate;
        Ok(Self {
            bytes: bytes.to_vec(),
            signed: parts.signed.to_vec(),
            issuer_name: parts.issuer.to_vec(),
            subject_name: parts.subject.to_vec(),
            public_key: parts.public_key.to_vec(),
            key: Key::of(&tbs.subject_public_key_info),
            subject: name::print(&tbs.subject)?,
            extensions: KnownExtensions::read(tbs.extensions.as_deref().unwrap_or_default())?,
            parsed,
        })
    }

    /// Parses every certificate of a PEM text, or a sequence of them in DER.
    pub fn read_all(text: &[u8]) -> Result<Vec<Self>, InvalidCertificate> {
        let mut blocks = <(SectionKind, Vec<u8>)>::pem_slice_iter(text).peekable();
        if blocks.peek().is_none() {
            return Self::read_sequence(text);
        }
        let mut found = Vec::new();
        for block in blocks {
            let (kind, bytes) = block.map_err(|error| InvalidCertificate(error.to_string()))?;
            if kind == SectionKind::Certificate {
                found.push(Self::from_der(&bytes)?);
            }
        }
        if found.is_empty() {
            let reason = "no PEM block of type CERTIFICATE";
            return Err(InvalidCertificate(reason.to_owned()));
        }
        Ok(found)
    }

    fn read_sequence(bytes: &[u8]) -> Result<Vec<Self>, InvalidCertificate> {
        let mut reader = der::SliceReader::new(bytes)?;
        let mut found = Vec::new();
        while !reader.is_finished() {
            found.push(Self::from_der(reader.tlv_bytes()?)?);
        }
        Ok(found)
    }

    /// The subject, in the form of Go's `pkix.Name`.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The bytes of the certificate.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn key(&self) -> Key {
        self.key
    }

    pub(super) fn serial(&self) -> &SerialNumber {
        &self.parsed.tbs_certificate.serial_number
    }

    /// The bits of the public key, without its algorithm.
    pub(super) fn key_bits(&self) -> &[u8] {
        let info = &self.parsed.tbs_certificate.subject_public_key_info;
        info.subject_public_key.raw_bytes()
    }

    /// The addresses of OCSP responders.
    pub(super) fn ocsp_servers(&self) -> &[String] {
        &self.extensions.ocsp_servers
    }

    /// Whether newer lists name only the changes to those of [`Self::list_points`].
    pub(super) fn has_delta_lists(&self) -> bool {
        self.extensions.has_delta_lists
    }

    /// The addresses of revocation lists.
    pub(super) fn list_points(&self) -> &[ListPoint] {
        &self.extensions.list_points
    }

    /// Whether its extended usages, if it has any, include time stamps.
    pub(super) fn allows_time_stamping(&self) -> bool {
        let (_, usages) = self.extended_usages().unwrap_or_default();
        usages.is_empty() || usages.iter().any(|usage| TIME_USAGES.contains(usage))
    }

    /// Whether a critical extension has a meaning that is not checked here.
    pub(super) fn has_unknown_critical_extension(&self) -> bool {
        let extensions = self.parsed.tbs_certificate.extensions.as_deref();
        let mut extensions = extensions.unwrap_or_default().iter();
        extensions.any(|found| found.critical && !CHECKED.contains(&found.extn_id))
    }

    /// The encoded name of the issuer.
    pub(super) fn issuer_name(&self) -> &[u8] {
        &self.issuer_name
    }

    /// The encoded name of the subject.
    pub(super) fn subject_name(&self) -> &[u8] {
        &self.subject_name
    }

    pub(super) fn not_before(&self) -> Timestamp {
        timestamp(&self.parsed.tbs_certificate.validity.not_before)
    }

    pub(super) fn not_after(&self) -> Timestamp {
        timestamp(&self.parsed.tbs_certificate.validity.not_after)
    }

    pub(super) fn constraints(&self) -> Option<&BasicConstraints> {
        self.extensions.constraints.as_ref()
    }

    /// The key usage, and whether the extension is critical.
    pub(super) fn key_usage(&self) -> Option<(bool, &KeyUsage)> {
        let usage = self.extensions.key_usage.as_ref();
        usage.map(|(is_critical, usage)| (*is_critical, usage))
    }

    /// The extended key usages, and whether the extension is critical.
    pub(super) fn extended_usages(&self) -> Option<(bool, &[ObjectIdentifier])> {
        let usages = self.extensions.extended.as_ref();
        usages.map(|(is_critical, usages)| (*is_critical, &*usages.0))
    }

    /// Whether the name of the issuer is this certificate's own.
    pub(super) fn names_itself(&self) -> bool {
        self.issuer_name == self.subject_name
    }

    /// Checks a signature by the key of this certificate.
    pub(super) fn verify(
        &self,
        algorithm: &AlgorithmIdentifierOwned,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), &'static str> {
        let algorithm = algorithm::find(algorithm, self.key);
        let algorithm =
            algorithm.ok_or("x509: cannot verify signature: algorithm unimplemented")?;
        self.verify_with(algorithm, message, signature)
    }

    /// Checks a signature by the key of this certificate with a chosen algorithm.
    pub(super) fn verify_with(
        &self,
        algorithm: &'static dyn VerificationAlgorithm,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), &'static str> {
        UnparsedPublicKey::new(algorithm, &*self.public_key)
            .verify(message, signature)
            .map_err(|_| "verification error")
    }

    /// Checks that the key of a certificate signed this one, and may do so.
    pub(super) fn check_signature_from(&self, issuer: &Self) -> Result<(), &'static str> {
        let is_version_3 = issuer.parsed.tbs_certificate.version == x509_cert::Version::V3;
        let may_sign = match issuer.constraints() {
            Some(constraints) => constraints.ca,
            None => !is_version_3,
        };
        let usage = issuer.key_usage();
        if !may_sign || usage.is_some_and(|(_, usage)| !usage.key_cert_sign()) {
            return Err(CANNOT_SIGN);
        }
        self.check_signed_by(issuer)
    }

    /// Checks that the key of a certificate signed this one.
    pub(super) fn check_signed_by(&self, issuer: &Self) -> Result<(), &'static str> {
        let signature = self.parsed.signature.as_bytes().unwrap_or_default();
        issuer.verify(&self.parsed.signature_algorithm, &self.signed, signature)
    }
}

impl Key {
    fn of(info: &SubjectPublicKeyInfoOwned) -> Self {
        let bits = info.subject_public_key.raw_bytes();
        match info.algorithm.oid {
            RSA => rsa_bits(bits).map_or(Self::Other, Self::Rsa),
            ELLIPTIC => {
                let parameters = info.algorithm.parameters.as_ref();
                let curve = parameters.and_then(|any| any.decode_as::<ObjectIdentifier>().ok());
                let known = CURVES.iter().find(|(oid, _)| Some(*oid) == curve);
                known.map_or(Self::Other, |(_, bits)| Self::Elliptic(*bits))
            }
            ED25519 => Self::Ed25519,
            _ => Self::Other,
        }
    }
}

/// The bits of a modulus, in whole bytes as in Go.
fn rsa_bits(key: &[u8]) -> Option<usize> {
    let modulus = AnyRef::from_der(key).ok()?.sequence(|reader| {
        let modulus = UintRef::decode(reader)?.as_bytes().len();
        UintRef::decode(reader)?;
        Ok(modulus)
    });
    modulus.ok().map(|bytes| bytes * 8)
}

/// Slices of a certificate, because a second encoding may differ.
struct RawParts<'a> {
    signed: &'a [u8],
    issuer: &'a [u8],
    subject: &'a [u8],
    public_key: &'a [u8],
}

impl<'a> RawParts<'a> {
    fn read(bytes: &'a [u8]) -> der::Result<Self> {
        let signed = first_element(bytes)?;
        AnyRef::from_der(signed)?.sequence(|reader| {
            if reader.peek_tag()?.is_context_specific() {
                reader.tlv_bytes()?;
            }
            // The serial number and the algorithm.
            reader.tlv_bytes()?;
            reader.tlv_bytes()?;
            let issuer = reader.tlv_bytes()?;
            // The validity.
            reader.tlv_bytes()?;
            let subject = reader.tlv_bytes()?;
            let public_key = reader.tlv_bytes()?;
            while !reader.is_finished() {
                reader.tlv_bytes()?;
            }
            Ok(Self {
                signed,
                issuer,
                subject,
                public_key,
            })
        })
    }
}

/// The first element of a sequence: the signed part of a certificate, a list or a response.
pub(super) fn first_element(bytes: &[u8]) -> der::Result<&[u8]> {
    AnyRef::from_der(bytes)?.sequence(|reader| {
        let first = reader.tlv_bytes()?;
        while !reader.is_finished() {
            reader.tlv_bytes()?;
        }
        Ok(first)
    })
}

impl KnownExtensions {
    fn read(extensions: &[Extension]) -> Result<Self, InvalidCertificate> {
        let mut known = Self::default();
        let mut seen: Vec<ObjectIdentifier> = Vec::new();
        for extension in extensions {
            if seen.contains(&extension.extn_id) {
                let reason = "certificate contains duplicate extensions";
                return Err(InvalidCertificate(reason.to_owned()));
            }
            seen.push(extension.extn_id);
            known.add(extension)?;
        }
        Ok(known)
    }

    fn add(&mut self, extension: &Extension) -> der::Result<()> {
        let value = extension.extn_value.as_bytes();
        match extension.extn_id {
            BasicConstraints::OID => self.constraints = Some(BasicConstraints::from_der(value)?),
            KeyUsage::OID => self.key_usage = Some((extension.critical, Decode::from_der(value)?)),
            ExtendedKeyUsage::OID => {
                self.extended = Some((extension.critical, Decode::from_der(value)?));
            }
            AuthorityInfoAccessSyntax::OID => {
                let access = AuthorityInfoAccessSyntax::from_der(value)?;
                let servers = access.0.into_iter();
                let servers = servers.filter(|access| access.access_method == OCSP_SERVER);
                self.ocsp_servers = servers
                    .filter_map(|access| uri(&access.access_location))
                    .collect();
            }
            FRESHEST_LISTS => self.has_delta_lists = true,
            CrlDistributionPoints::OID => {
                for point in CrlDistributionPoints::from_der(value)?.0 {
                    if let Some(DistributionPointName::FullName(names)) = point.distribution_point {
                        self.add_point(names);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add_point(&mut self, names: GeneralNames) {
        let names: Arc<[GeneralName]> = names.into();
        let urls = names.iter().filter_map(uri);
        self.list_points.extend(urls.map(|url| ListPoint {
            url,
            names: Arc::clone(&names),
        }));
    }
}

fn uri(name: &GeneralName) -> Option<String> {
    match name {
        GeneralName::UniformResourceIdentifier(uri) => Some(uri.to_string()),
        _ => None,
    }
}

/// Converts a time of a certificate. The formats have no time outside of the range.
pub(super) fn timestamp(time: &Time) -> Timestamp {
    let seconds = time.to_unix_duration().as_secs();
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX)
}
