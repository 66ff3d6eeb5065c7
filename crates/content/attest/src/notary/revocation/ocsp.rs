//! Answers of OCSP responders.
//!
//! A responder other than the issuer needs the usage for it, and the answer must name the issuer.
//! Otherwise any certificate of the issuer could clear another one. The reference requires neither.

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jiff::Timestamp;
use x509_cert::der::asn1::{Any, GeneralizedTime, ObjectIdentifier, OctetString};
use x509_cert::der::{Decode as _, Encode as _};
use x509_cert::ext::Extension;
use x509_cert::spki::AlgorithmIdentifierOwned;
use x509_cert::time::Time;
use x509_ocsp::{
    BasicOcspResponse, CertId, CertStatus, OcspRequest, OcspResponse, OcspResponseStatus,
    Request as RequestOfOne, SingleResponse, TbsRequest, Version,
};

use super::super::certificate::{Certificate, Hash, first_element, timestamp};
use super::{OCSP_LIMIT, OCSP_TIMEOUT, Request, RevocationStatus, State, Subject, is_http};

const SHA1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.14.3.2.26");
const BASIC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.48.1.1");
const OCSP_SIGNING: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.9");
const INVALIDITY_DATE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.24");
/// A longer request is sent as a body.
const MAX_PATH: usize = 255;

/// The request about a certificate. Responders index by SHA-1, and nothing is signed with it.
pub(super) fn request(
    certificate: &Certificate,
    issuer: &Certificate,
    server: &str,
) -> Result<Request, String> {
    if !is_http(server) {
        return Err("protocol is not supported, only HTTP is".to_owned());
    }
    let id = CertId {
        hash_algorithm: AlgorithmIdentifierOwned {
            oid: SHA1,
            parameters: Some(Any::null()),
        },
        issuer_name_hash: sha1(issuer.subject_name())?,
        issuer_key_hash: sha1(issuer.key_bits())?,
        serial_number: certificate.serial().clone(),
    };
    let request = OcspRequest {
        tbs_request: TbsRequest {
            version: Version::V1,
            requestor_name: None,
            request_list: vec![RequestOfOne {
                req_cert: id,
                single_request_extensions: None,
            }],
            request_extensions: None,
        },
        optional_signature: None,
    };
    let bytes = request.to_der().map_err(|error| error.to_string())?;
    let path = query_escape(&BASE64_STANDARD.encode(&bytes));
    let (url, body) = if path.len() < MAX_PATH {
        (format!("{}/{path}", server.trim_end_matches('/')), None)
    } else {
        (server.to_owned(), Some(bytes))
    };
    Ok(Request {
        url,
        body,
        timeout: OCSP_TIMEOUT,
        limit: OCSP_LIMIT,
    })
}

fn sha1(bytes: &[u8]) -> Result<OctetString, String> {
    let digest = digest(&SHA1_FOR_LEGACY_USE_ONLY, bytes);
    OctetString::new(digest.as_ref()).map_err(|error| error.to_string())
}

/// Escapes the characters of Base64 that a path cannot have.
fn query_escape(text: &str) -> String {
    text.replace('+', "%2B")
        .replace('/', "%2F")
        .replace('=', "%3D")
}

/// The state that an answer reports, and when it expires.
pub(super) fn decide(answer: &[u8], subject: Subject<'_>) -> Result<RevocationStatus, String> {
    let Subject {
        certificate,
        issuer,
        now,
        signing_time,
    } = subject;
    let malformed = |error: x509_cert::der::Error| format!("malformed answer: {error}");
    let response = OcspResponse::from_der(answer).map_err(malformed)?;
    if response.response_status != OcspResponseStatus::Successful {
        return Err(format!("answer {:?}", response.response_status));
    }
    let basic = response
        .response_bytes
        .filter(|found| found.response_type == BASIC);
    let basic = basic.ok_or("bad OCSP response type")?;
    let bytes = basic.response.as_bytes();
    let basic = BasicOcspResponse::from_der(bytes).map_err(malformed)?;
    let signed = first_element(bytes).map_err(malformed)?;
    check_signature(&basic, signed, issuer, now)?;
    let mut responses = basic.tbs_response_data.responses.iter();
    let found = responses.find(|found| is_about(&found.cert_id, certificate, issuer));
    let found = found.ok_or("no response matching the supplied certificate")?;
    let next_update = next_update(found, now)?;
    let extensions = found.single_extensions.as_deref().unwrap_or_default();
    if extensions.iter().any(|extension| extension.critical) {
        return Err("unsupported critical extension".to_owned());
    }
    let state = match found.cert_status {
        CertStatus::Good(_) => State::Good,
        CertStatus::Revoked(_) if was_valid_then(extensions, signing_time) => State::Good,
        CertStatus::Revoked(_) => State::Revoked,
        CertStatus::Unknown(_) => State::Unknown,
    };
    Ok(RevocationStatus { state, next_update })
}

fn check_signature(
    basic: &BasicOcspResponse,
    signed: &[u8],
    issuer: &Certificate,
    now: Timestamp,
) -> Result<(), String> {
    let signature = basic.signature.as_bytes().unwrap_or_default();
    let bad = |why: &str| format!("bad OCSP signature: {why}");
    let first = basic.certs.as_deref().and_then(<[_]>::first);
    let Some(first) = first else {
        let checked = issuer.verify(&basic.signature_algorithm, signed, signature);
        return checked.map_err(bad);
    };
    let responder = first.to_der().map_err(|error| error.to_string())?;
    let responder = Certificate::from_der(&responder).map_err(|error| error.to_string())?;
    responder
        .verify(&basic.signature_algorithm, signed, signature)
        .map_err(bad)?;
    if responder == *issuer {
        return Ok(());
    }
    responder.check_signature_from(issuer).map_err(bad)?;
    let usages = responder.extended_usages();
    if !usages.is_some_and(|(_, usages)| usages.contains(&OCSP_SIGNING)) {
        return Err(bad("the responder may not sign OCSP answers"));
    }
    if responder.not_before() <= now && now <= responder.not_after() {
        Ok(())
    } else {
        Err(bad("the certificate of the responder is not valid now"))
    }
}

/// Whether an answer is about a certificate of an issuer.
fn is_about(id: &CertId, certificate: &Certificate, issuer: &Certificate) -> bool {
    if id.serial_number != *certificate.serial() {
        return false;
    }
    let digest = |bytes: &[u8]| match id.hash_algorithm.oid {
        SHA1 => Some(digest(&SHA1_FOR_LEGACY_USE_ONLY, bytes)),
        other => Hash::of(other).map(|hash| hash.digest(bytes)),
    };
    let is_digest = |given: &OctetString, bytes: &[u8]| {
        digest(bytes).is_some_and(|digest| digest.as_ref() == given.as_bytes())
    };
    is_digest(&id.issuer_name_hash, issuer.subject_name())
        && is_digest(&id.issuer_key_hash, issuer.key_bits())
}

fn next_update(found: &SingleResponse, now: Timestamp) -> Result<Timestamp, String> {
    let next = found.next_update.as_ref();
    next.map(|next| timestamp(&Time::GeneralTime(next.0)))
        .filter(|next| now <= *next)
        .ok_or_else(|| "expired OCSP response".to_owned())
}

/// Whether the signature is older than the date from which the certificate is not valid.
pub(super) fn was_valid_then(extensions: &[Extension], signing_time: Option<Timestamp>) -> bool {
    let date = extensions
        .iter()
        .find(|extension| extension.extn_id == INVALIDITY_DATE)
        .and_then(|extension| GeneralizedTime::from_der(extension.extn_value.as_bytes()).ok());
    match (date, signing_time) {
        (Some(date), Some(time)) => time < timestamp(&Time::GeneralTime(date)),
        _ => false,
    }
}

/// The extension that `was_valid_then` reads.
pub(super) fn is_invalidity_date(extension: &Extension) -> bool {
    extension.extn_id == INVALIDITY_DATE
}
