//! The rules for the certificate chains of signers and of time-stamping authorities.
//!
//! Parity: notation-core-go v1.3: x509.

use sluice_golang::quote::quote;
use x509_cert::der::asn1::ObjectIdentifier;

use super::certificate::{Certificate, SignatureScheme};

/// Maximum number of certificates. Each costs a verification.
pub(super) const MAX_CERTIFICATES: usize = 10;

const TIME_STAMPING: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.8");
/// Extended key usages that a signer must not have.
const FOREIGN_USAGES: [(ObjectIdentifier, &str); 5] = [
    (
        ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.1"),
        "ServerAuth",
    ),
    (
        ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.2"),
        "ClientAuth",
    ),
    (
        ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.4"),
        "EmailProtection",
    ),
    (TIME_STAMPING, "Timestamping"),
    (
        ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.9"),
        "OCSPSigning",
    ),
];

/// The purpose of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It signs artifacts.
    CodeSigning,
    /// It stamps signatures with the time.
    TimeStamping,
}

/// Checks a chain, from the leaf to a self-signed root.
pub(super) fn check(chain: &[Certificate], purpose: Purpose) -> Result<(), String> {
    let Some((leaf, issuers)) = chain.split_first() else {
        return Err("certificate chain must contain at least one certificate".to_owned());
    };
    if chain.len() > MAX_CERTIFICATES {
        return Err(format!(
            "certificate chain has more than {MAX_CERTIFICATES} certificates"
        ));
    }
    if issuers.is_empty() {
        return check_only(leaf, purpose);
    }
    for (index, certificate) in chain.iter().enumerate() {
        match chain.get(index + 1) {
            Some(issuer) => check_link(certificate, issuer, index == 0)?,
            None => check_root(certificate)?,
        }
        if index == 0 {
            check_leaf(certificate, purpose)?;
        } else {
            check_authority(certificate, index - 1, purpose)?;
        }
    }
    Ok(())
}

/// A leaf without an issuer signs itself.
fn check_only(leaf: &Certificate, purpose: Purpose) -> Result<(), String> {
    let subject = quote(leaf.subject());
    let invalid =
        |why: &str| format!("invalid self-signed certificate. subject: {subject}. Error: {why}");
    leaf.check_signed_by(leaf).map_err(invalid)?;
    if !leaf.names_itself() {
        return Err(invalid("issuer and subject are not the same"));
    }
    check_leaf(leaf, purpose)
        .map_err(|why| format!("invalid self-signed certificate. Error: {why}"))
}

fn check_root(root: &Certificate) -> Result<(), String> {
    let subject = quote(root.subject());
    root.check_signature_from(root).map_err(|why| {
        format!(
            "root certificate with subject {subject} is invalid or not self-signed. Certificate \
             chain must end with a valid self-signed root certificate. Error: {why}"
        )
    })?;
    if root.names_itself() {
        return Ok(());
    }
    Err(format!(
        "root certificate with subject {subject} is not self-signed. Certificate chain must end \
         with a valid self-signed root certificate"
    ))
}

fn check_link(
    certificate: &Certificate,
    issuer: &Certificate,
    is_leaf: bool,
) -> Result<(), String> {
    let subject = quote(certificate.subject());
    if certificate.names_itself() && certificate.check_signature_from(certificate).is_ok() {
        let place = if is_leaf { "leaf" } else { "intermediate" };
        return Err(format!(
            "{place} certificate with subject {subject} is self-signed. Certificate chain must not \
             contain self-signed {place} certificate"
        ));
    }
    let parent = quote(issuer.subject());
    certificate.check_signature_from(issuer).map_err(|why| {
        format!(
            "invalid certificates or certificate with subject {subject} is not issued by {parent}. \
             Error: {why}"
        )
    })?;
    if certificate.issuer_name() == issuer.subject_name() {
        return Ok(());
    }
    Err(format!(
        "certificate with subject {subject} is not issued by {parent}"
    ))
}

/// Checks an authority above a number of other ones.
fn check_authority(
    certificate: &Certificate,
    below: usize,
    purpose: Purpose,
) -> Result<(), String> {
    let subject = quote(certificate.subject());
    let constraints = certificate.constraints().filter(|found| found.ca);
    let Some(constraints) = constraints else {
        return Err(format!(
            "certificate with subject {subject}: ca field in basic constraints must be present, \
             critical, and set to true"
        ));
    };
    if let Some(most) = constraints.path_len_constraint
        && usize::from(most) < below
    {
        return Err(format!(
            "certificate with subject {subject}: expected path length of {below} but certificate \
             has path length {most} instead"
        ));
    }
    check_usage_present(certificate, purpose)?;
    let signs = certificate
        .key_usage()
        .is_some_and(|(_, usage)| usage.key_cert_sign());
    if signs {
        return Ok(());
    }
    Err(format!(
        "certificate with subject {subject}: key usage must have the bit positions for key cert \
         sign set"
    ))
}

fn check_leaf(leaf: &Certificate, purpose: Purpose) -> Result<(), String> {
    let subject = quote(leaf.subject());
    if leaf.constraints().is_some_and(|found| found.ca) {
        return Err(format!(
            "certificate with subject {subject}: if the basic constraints extension is present, \
             the ca field must be set to false"
        ));
    }
    check_usage_present(leaf, purpose)?;
    check_leaf_usage(leaf)?;
    match purpose {
        Purpose::CodeSigning => check_foreign_usages(leaf)?,
        Purpose::TimeStamping => check_time_stamping(leaf)?,
    }
    SignatureScheme::of(leaf.key())
        .map(drop)
        .map_err(|why| format!("certificate with subject {subject}: {why}"))
}

fn check_usage_present(certificate: &Certificate, purpose: Purpose) -> Result<(), String> {
    let subject = quote(certificate.subject());
    match certificate.key_usage() {
        Some((is_critical, _)) if is_critical || purpose == Purpose::TimeStamping => Ok(()),
        Some(_) => Err(format!(
            "certificate with subject {subject}: key usage extension must be marked critical"
        )),
        None => Err(format!(
            "certificate with subject {subject}: key usage extension must be present"
        )),
    }
}

fn check_leaf_usage(leaf: &Certificate) -> Result<(), String> {
    let subject = quote(leaf.subject());
    let Some((_, usage)) = leaf
        .key_usage()
        .filter(|(_, usage)| usage.digital_signature())
    else {
        return Err(format!(
            "the certificate with subject {subject} is invalid. The key usage must have the bit \
             positions for \"Digital Signature\" set"
        ));
    };
    let others = [
        (usage.key_encipherment(), "\"KeyEncipherment\""),
        (usage.data_encipherment(), "\"DataEncipherment\""),
        (usage.key_agreement(), "\"KeyAgreement\""),
        (usage.key_cert_sign(), "\"CertSign\""),
        (usage.crl_sign(), "\"CRLSign\""),
        (usage.encipher_only(), "\"EncipherOnly\""),
        (usage.decipher_only(), "\"DecipherOnly\""),
    ];
    let found = others.iter().filter(|(is_set, _)| *is_set);
    let found: Vec<&str> = found.map(|(_, name)| *name).collect();
    if found.is_empty() {
        return Ok(());
    }
    Err(format!(
        "the certificate with subject {subject} is invalid. The key usage must be \"Digital \
         Signature\" only, but found {}",
        found.join(", ")
    ))
}

fn check_foreign_usages(leaf: &Certificate) -> Result<(), String> {
    let (_, usages) = leaf.extended_usages().unwrap_or_default();
    let foreign = usages
        .iter()
        .find_map(|usage| FOREIGN_USAGES.iter().find(|(oid, _)| oid == usage));
    match foreign {
        None => Ok(()),
        Some((_, name)) => Err(format!(
            "certificate with subject {}: extended key usage must not contain {name} eku",
            quote(leaf.subject())
        )),
    }
}

fn check_time_stamping(leaf: &Certificate) -> Result<(), String> {
    let subject = quote(leaf.subject());
    match leaf.extended_usages() {
        Some((true, [TIME_STAMPING])) => Ok(()),
        Some((false, [TIME_STAMPING])) => Err(format!(
            "timestamp signing certificate with subject {subject} must have extended key usage \
             extension marked as critical"
        )),
        _ => Err(format!(
            "timestamp signing certificate with subject {subject} must have and only have \
             Timestamping as extended key usage"
        )),
    }
}
