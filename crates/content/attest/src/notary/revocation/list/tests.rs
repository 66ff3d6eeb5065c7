//! Lists of an authority that each test makes.

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, DnType, IsCa, Issuer,
    KeyIdMethod, KeyPair, KeyUsagePurpose, SerialNumber, date_time_ymd,
};

use super::*;

/// An authority with its certificate.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    certificate: Certificate,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "root");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let key = KeyPair::generate().unwrap();
        let made = params.self_signed(&key).unwrap();
        Self {
            issuer: Issuer::new(params, key),
            certificate: Certificate::from_der(made.der()).unwrap(),
        }
    }

    /// An empty list.
    fn list(&self) -> Vec<u8> {
        let params = CertificateRevocationListParams {
            this_update: date_time_ymd(2026, 1, 1),
            next_update: date_time_ymd(2027, 1, 1),
            crl_number: SerialNumber::from(1),
            issuing_distribution_point: None,
            revoked_certs: Vec::new(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        params.signed_by(&self.issuer).unwrap().der().to_vec()
    }
}

fn now() -> Timestamp {
    "2026-06-01T00:00:00Z".parse().unwrap()
}

/// The identifier of `cRLNumber`, an extension that each list has.
const NUMBER: &[u8] = &[0x06, 0x03, 0x55, 0x1d, 0x14];

#[test]
fn extensions_are_read_after_the_signature() {
    let authority = Authority::new();
    let mut list = authority.list();
    let at = list.windows(5).position(|bytes| bytes == NUMBER).unwrap();
    // The tag of an object identifier becomes one that no extension begins with.
    list[at] = 0x05;
    let certificate = &authority.certificate;
    let error = decide(&list, certificate, certificate, now(), None).unwrap_err();
    assert!(error.starts_with("CRL is not signed by CA"), "{error}");
}
