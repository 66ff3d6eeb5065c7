//! X.509 certificates: their fields, and the chain from a leaf to a trusted root.
//!
//! Decoding is the work of `x509-parser`. The rules of a path are here, after RFC 5280 and Go's
//! `crypto/x509`. Name constraints are not supported, so a chain that has them is refused.

use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::ParsedExtension;
use x509_parser::prelude::FromDer as _;

use sluice_system::budget::Budget;

use super::CHECK_STEPS;
use super::der::{self, NotDer, Reader, tag};
use super::key::{PublicKey, signature_hash};

const SUBJECT_NAMES: &[u8] = b"\x55\x1d\x11";
const BASIC_CONSTRAINTS: &[u8] = b"\x55\x1d\x13";
const KEY_USAGE: &[u8] = b"\x55\x1d\x0f";
const PURPOSES: &[u8] = b"\x55\x1d\x25";
const NAME_CONSTRAINTS: &[u8] = b"\x55\x1d\x1e";
const POLICIES: &[u8] = b"\x55\x1d\x20";
/// Critical extensions that are understood, or that grant nothing.
const KNOWN: [&[u8]; 5] = [
    SUBJECT_NAMES,
    BASIC_CONSTRAINTS,
    KEY_USAGE,
    PURPOSES,
    POLICIES,
];
const ANY_PURPOSE: &[u8] = b"\x55\x1d\x25\x00";
pub(super) const CODE_SIGNING: &[u8] = b"\x2b\x06\x01\x05\x05\x07\x03\x03";
pub(super) const TIME_STAMPING: &[u8] = b"\x2b\x06\x01\x05\x05\x07\x03\x08";
/// The extensions of Fulcio: `1.3.6.1.4.1.57264.1`, without the last number.
const FULCIO: &[u8] = b"\x2b\x06\x01\x04\x01\x83\xbf\x30\x01";
const ISSUER_V1: u8 = 1;
const OTHER_NAME: u8 = 7;
const ISSUER_V2: u8 = 8;
/// Maximum number of signatures that the search for one chain checks.
const MAX_CHECKS: u32 = 64;
/// Maximum size of a certificate. Its extensions are compared with one another.
const MAX_BYTES: usize = 16 << 10;
/// Maximum number of subjects, and their length with that of the issuer. Fulcio writes one subject.
const MAX_SUBJECTS: usize = 32;
const MAX_SIGNER_BYTES: usize = 4 << 10;
/// Maximum number of certificates above the leaf.
const MAX_DEPTH: usize = 10;

/// An extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Extension {
    /// The content of its object identifier.
    pub(super) oid: Vec<u8>,
    pub(super) is_critical: bool,
    pub(super) value: Vec<u8>,
}

/// A decoded certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Certificate {
    /// The whole certificate.
    pub(super) der: Vec<u8>,
    /// The part that is signed.
    pub(super) tbs: Vec<u8>,
    pub(super) subject: Vec<u8>,
    pub(super) issuer: Vec<u8>,
    pub(super) serial: Vec<u8>,
    pub(super) spki: Vec<u8>,
    /// `None` for a type of key that is not supported.
    pub(super) key: Option<PublicKey>,
    pub(super) extensions: Vec<Extension>,
    pub(super) not_before: i64,
    pub(super) not_after: i64,
    algorithm: Vec<u8>,
    signature: Vec<u8>,
    is_authority: bool,
    path_limit: Option<u32>,
    may_sign_certificates: bool,
}

/// The purposes of a certificate.
#[derive(Debug)]
pub(super) struct Purposes<'a> {
    pub(super) is_critical: bool,
    /// The contents of object identifiers.
    pub(super) names: Vec<&'a [u8]>,
}

/// The signer, by the claims of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signer {
    pub(super) issuer: String,
    pub(super) subjects: Vec<String>,
}

impl Certificate {
    /// Decodes a certificate of version 3.
    pub(super) fn from_der(bytes: &[u8]) -> Result<Self, String> {
        let unreadable = || "a certificate cannot be read".to_owned();
        if bytes.len() > MAX_BYTES {
            return Err(format!("a certificate has more than {MAX_BYTES} bytes"));
        }
        let (rest, read) = X509Certificate::from_der(bytes).map_err(|_| unreadable())?;
        if !rest.is_empty() {
            return Err(unreadable());
        }
        if read.version().0 != 2 {
            return Err("a certificate is not of version 3".to_owned());
        }
        if read.signature_algorithm != read.signature {
            return Err("a certificate names two signature algorithms".to_owned());
        }
        let mut extensions: Vec<Extension> = Vec::new();
        let (mut is_authority, mut path_limit, mut may_sign_certificates) = (false, None, true);
        for extension in read.extensions() {
            let oid = extension.oid.as_bytes().to_vec();
            if extensions.iter().any(|other| other.oid == oid) {
                return Err("a certificate has an extension twice".to_owned());
            }
            match extension.parsed_extension() {
                ParsedExtension::BasicConstraints(constraints) => {
                    is_authority = constraints.ca;
                    path_limit = constraints.path_len_constraint;
                }
                ParsedExtension::KeyUsage(usage) => may_sign_certificates = usage.key_cert_sign(),
                ParsedExtension::ParseError { .. } if KNOWN.contains(&oid.as_slice()) => {
                    return Err(unreadable());
                }
                _ => {}
            }
            extensions.push(Extension {
                oid,
                is_critical: extension.critical,
                value: extension.value.to_vec(),
            });
        }
        let spki = read.public_key().raw;
        Ok(Self {
            der: bytes.to_vec(),
            tbs: read.tbs_certificate.as_ref().to_vec(),
            subject: read.subject().as_raw().to_vec(),
            issuer: read.issuer().as_raw().to_vec(),
            serial: read.raw_serial().to_vec(),
            spki: spki.to_vec(),
            key: PublicKey::from_spki(spki),
            extensions,
            not_before: read.validity().not_before.timestamp(),
            not_after: read.validity().not_after.timestamp(),
            algorithm: read.signature_algorithm.algorithm.as_bytes().to_vec(),
            signature: read.signature_value.data.to_vec(),
            is_authority,
            path_limit,
            may_sign_certificates,
        })
    }

    /// Whether the certificate may issue others.
    pub(super) const fn is_authority(&self) -> bool {
        self.is_authority
    }

    pub(super) fn extension(&self, oid: &[u8]) -> Option<&Extension> {
        self.extensions.iter().find(|other| other.oid == oid)
    }

    pub(super) const fn is_valid_at(&self, time: i64) -> bool {
        self.not_before <= time && time <= self.not_after
    }

    /// The purposes of the certificate. `None` allows any.
    pub(super) fn purposes(&self) -> Result<Option<Purposes<'_>>, NotDer> {
        let Some(extension) = self.extension(PURPOSES) else {
            return Ok(None);
        };
        let mut reader = der::single(&extension.value, tag::SEQUENCE)?.reader();
        let mut names = Vec::new();
        while !reader.is_empty() {
            names.push(reader.expect(tag::OBJECT_IDENTIFIER)?.content);
        }
        Ok(Some(Purposes {
            is_critical: extension.is_critical,
            names,
        }))
    }

    fn allows(&self, purpose: &[u8]) -> bool {
        match self.purposes() {
            Ok(None) => true,
            Ok(Some(purposes)) => {
                let mut names = purposes.names.into_iter();
                names.any(|allowed| allowed == purpose || allowed == ANY_PURPOSE)
            }
            Err(NotDer) => false,
        }
    }

    /// Whether this certificate issued another one.
    fn issued(&self, other: &Self) -> bool {
        let Some(key) = &self.key else { return false };
        signature_hash(&other.algorithm, key)
            .is_some_and(|hash| key.verify(hash, &other.tbs, &other.signature))
    }

    /// Why the certificate cannot be in a chain at a time, for a purpose.
    fn defect(&self, time: i64, purpose: &[u8]) -> Option<&'static str> {
        let is_unknown = |extension: &&Extension| {
            extension.is_critical && !KNOWN.contains(&extension.oid.as_slice())
        };
        if time < self.not_before {
            Some("a certificate of the chain is not valid yet at the time of the signature")
        } else if time > self.not_after {
            Some("a certificate of the chain had expired at the time of the signature")
        } else if self.extension(NAME_CONSTRAINTS).is_some() {
            Some("a certificate of the chain has name constraints, which are not supported")
        } else if self
            .extensions
            .iter()
            .any(|extension| is_unknown(&extension))
        {
            Some("a certificate of the chain has an unknown critical extension")
        } else if !self.allows(purpose) {
            Some("a certificate of the chain is not for this purpose")
        } else {
            None
        }
    }

    /// Finds the chain to a root at a time. Returns the certificates above the leaf.
    pub(super) fn chain<'a>(
        &self,
        intermediates: &'a [Self],
        root: &'a Self,
        time: i64,
        purpose: &[u8],
        budget: &Budget,
    ) -> Result<Vec<&'a Self>, &'static str> {
        if let Some(defect) = self.defect(time, purpose) {
            return Err(defect);
        }
        let mut search = Search {
            intermediates,
            root,
            time,
            purpose,
            budget,
            checks: 0,
            defect: "a certificate was not issued by a trusted authority",
        };
        let mut path = Vec::new();
        if search.extend(self, &mut path) {
            Ok(path)
        } else {
            Err(search.defect)
        }
    }

    /// The signer, by the claims of this certificate.
    pub(super) fn signer(&self) -> Result<Signer, String> {
        let subjects = self.subjects()?;
        if subjects.is_empty() {
            return Err("a certificate names no subject".to_owned());
        }
        if subjects.len() > MAX_SUBJECTS {
            return Err(format!(
                "a certificate names more than {MAX_SUBJECTS} subjects"
            ));
        }
        let issuer = self.identity_issuer()?;
        let length: usize = subjects.iter().map(String::len).sum();
        if length + issuer.len() > MAX_SIGNER_BYTES {
            return Err(format!(
                "the issuer and the subjects in a certificate have more than {MAX_SIGNER_BYTES} bytes"
            ));
        }
        Ok(Signer { issuer, subjects })
    }

    fn identity_issuer(&self) -> Result<String, String> {
        let unreadable = || "the issuer in a certificate cannot be read".to_owned();
        let first = match self.extension(&fulcio(ISSUER_V1)) {
            Some(extension) => Some(text(&extension.value).ok_or_else(unreadable)?),
            None => None,
        };
        let Some(second) = self.extension(&fulcio(ISSUER_V2)) else {
            return Ok(first.unwrap_or_default());
        };
        let value = der::single(&second.value, tag::UTF8_STRING).map_err(|NotDer| unreadable())?;
        let second = text(value.content).ok_or_else(unreadable)?;
        if first.is_some_and(|first| first != second) {
            return Err("a certificate names two issuers".to_owned());
        }
        Ok(second)
    }

    fn subjects(&self) -> Result<Vec<String>, String> {
        let unreadable = || "a subject in a certificate cannot be read".to_owned();
        let Some(names) = self.extension(SUBJECT_NAMES) else {
            return Ok(Vec::new());
        };
        let names = der::single(&names.value, tag::SEQUENCE).map_err(|NotDer| unreadable())?;
        let mut names = names.reader();
        let mut subjects = Vec::new();
        while !names.is_empty() {
            let name = names.any().map_err(|NotDer| unreadable())?;
            let subject = match name.tag {
                // E-mail, DNS and URI.
                0x81 | 0x82 | 0x86 => Some(text(name.content).ok_or_else(unreadable)?),
                0x87 => Some(address(name.content).ok_or_else(unreadable)?),
                0xa0 => other_name(name.reader()).map_err(|NotDer| unreadable())?,
                _ => None,
            };
            subjects.extend(subject);
        }
        Ok(subjects)
    }
}

fn fulcio(number: u8) -> Vec<u8> {
    [FULCIO, &[number]].concat()
}

/// A name that Fulcio writes into `otherName`, or `None` for another one.
fn other_name(mut reader: Reader<'_>) -> Result<Option<String>, NotDer> {
    let kind = reader.expect(tag::OBJECT_IDENTIFIER)?.content;
    let value = reader.expect(tag::context(0))?;
    reader.finish()?;
    if kind != fulcio(OTHER_NAME) {
        return Ok(None);
    }
    let value = der::single(value.content, tag::UTF8_STRING)?;
    text(value.content).map(Some).ok_or(NotDer)
}

/// A text without control characters. A zero byte could end it early for another reader.
fn text(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    (!text.is_empty() && !text.chars().any(char::is_control)).then(|| text.to_owned())
}

fn address(bytes: &[u8]) -> Option<String> {
    if let Ok(bytes) = <[u8; 4]>::try_from(bytes) {
        return Some(std::net::Ipv4Addr::from(bytes).to_string());
    }
    let bytes = <[u8; 16]>::try_from(bytes).ok()?;
    Some(std::net::Ipv6Addr::from(bytes).to_string())
}

/// The search for a chain.
struct Search<'a, 'p> {
    intermediates: &'a [Certificate],
    root: &'a Certificate,
    time: i64,
    purpose: &'p [u8],
    budget: &'p Budget,
    /// The number of checked signatures.
    checks: u32,
    /// The last reason why an issuer does not count.
    defect: &'static str,
}

impl<'a> Search<'a, '_> {
    /// Adds the issuers of a certificate up to the root.
    fn extend(&mut self, certificate: &Certificate, path: &mut Vec<&'a Certificate>) -> bool {
        if path.len() >= MAX_DEPTH {
            return false;
        }
        if self.counts(self.root, certificate, path.len()) {
            path.push(self.root);
            return true;
        }
        let intermediates = self.intermediates;
        for issuer in intermediates {
            if path.contains(&issuer) || !self.counts(issuer, certificate, path.len()) {
                continue;
            }
            path.push(issuer);
            if self.extend(issuer, path) {
                return true;
            }
            path.pop();
        }
        false
    }

    /// Whether a certificate issued another one and may do so with this number of certificates
    /// between it and the leaf.
    fn counts(&mut self, issuer: &Certificate, certificate: &Certificate, between: usize) -> bool {
        if issuer.subject != certificate.issuer || self.checks >= MAX_CHECKS {
            return false;
        }
        let is_too_long = issuer
            .path_limit
            .is_some_and(|limit| usize::try_from(limit).is_ok_and(|limit| between > limit));
        let defect = if !issuer.is_authority || !issuer.may_sign_certificates || is_too_long {
            Some("a certificate was issued by one that may not do so")
        } else {
            issuer.defect(self.time, self.purpose)
        };
        if let Some(defect) = defect {
            self.defect = defect;
            return false;
        }
        self.checks += 1;
        // A spent budget ends the search. The caller reads it, too.
        self.budget.charge_steps(CHECK_STEPS).is_ok() && issuer.issued(certificate)
    }
}
