//! Lists of an authority that each test makes.

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CrlDistributionPoint,
    CrlIssuingDistributionPoint, CrlScope, DnType, IsCa, Issuer, KeyIdMethod, KeyPair,
    KeyUsagePurpose, SerialNumber, date_time_ymd,
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

    /// The state of a certificate by a list at one of its addresses.
    fn decide(
        &self,
        list: &[u8],
        certificate: &Certificate,
        index: usize,
    ) -> Result<State, String> {
        let subject = Subject {
            certificate,
            issuer: &self.certificate,
            now: "2026-06-01T00:00:00Z".parse().unwrap(),
            signing_time: None,
        };
        let point = &certificate.list_points()[index];
        decide(list, subject, point).map(|answer| answer.state)
    }

    /// An empty list with this scope.
    fn list(&self, scope: Option<CrlIssuingDistributionPoint>) -> Vec<u8> {
        let params = CertificateRevocationListParams {
            this_update: date_time_ymd(2026, 1, 1),
            next_update: date_time_ymd(2027, 1, 1),
            crl_number: SerialNumber::from(1),
            issuing_distribution_point: scope,
            revoked_certs: Vec::new(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        params.signed_by(&self.issuer).unwrap().der().to_vec()
    }

    /// A certificate of this authority that names two addresses of one point, and another point.
    fn issue(&self, is_ca: IsCa) -> Certificate {
        let mut params = CertificateParams::new(["leaf".to_owned()]).unwrap();
        params.is_ca = is_ca;
        params.crl_distribution_points = vec![point(&[FIRST, MIRROR]), point(&[SECOND])];
        let key = KeyPair::generate().unwrap();
        let made = params.signed_by(&key, &self.issuer).unwrap();
        Certificate::from_der(made.der()).unwrap()
    }
}

const FIRST: &str = "http://crl.example/first";
const MIRROR: &str = "http://mirror.example/first";
const SECOND: &str = "http://crl.example/second";

fn point(urls: &[&str]) -> CrlDistributionPoint {
    let uris = urls.iter().map(|url| (*url).to_owned()).collect();
    CrlDistributionPoint { uris }
}

/// The identifier of `cRLNumber`, an extension that each list has.
const NUMBER: &[u8] = &[0x06, 0x03, 0x55, 0x1d, 0x14];

#[test]
fn extensions_are_read_after_the_signature() {
    let authority = Authority::new();
    let mut list = authority.list(None);
    let at = list.windows(5).position(|bytes| bytes == NUMBER).unwrap();
    // The tag of an object identifier becomes one that no extension begins with.
    list[at] = 0x05;
    let leaf = authority.issue(IsCa::NoCa);
    let error = authority.decide(&list, &leaf, 0).unwrap_err();
    assert!(error.starts_with("CRL is not signed by CA"), "{error}");
}

/// All lists of an authority have one signer, so one of them could stand at any address.
#[test]
fn list_of_another_point_is_refused() {
    let authority = Authority::new();
    let leaf = authority.issue(IsCa::NoCa);
    let check = |names: &[&str], scope, index| {
        let scope = CrlIssuingDistributionPoint {
            distribution_point: point(names),
            scope,
        };
        authority.decide(&authority.list(Some(scope)), &leaf, index)
    };
    // Indexes of addresses: the first point has two.
    for (names, index) in [
        (&[FIRST][..], 0),
        (&[FIRST], 1),
        (&[MIRROR], 0),
        (&["http://other.example/", SECOND], 2),
    ] {
        assert_eq!(check(names, None, index), Ok(State::Good), "{names:?}");
    }
    let refused = Err("the CRL is of another distribution point".to_owned());
    for (names, index) in [(&[SECOND][..], 0), (&[FIRST, MIRROR], 2), (&["x"], 1)] {
        assert_eq!(check(names, None, index), refused, "{names:?}");
    }
    assert_eq!(
        authority.decide(&authority.list(None), &leaf, 0),
        Ok(State::Good)
    );
}

#[test]
fn list_must_cover_the_type_of_certificate() {
    let authority = Authority::new();
    let leaf = authority.issue(IsCa::NoCa);
    let intermediate = authority.issue(IsCa::Ca(BasicConstraints::Unconstrained));
    let list = |scope| {
        authority.list(Some(CrlIssuingDistributionPoint {
            distribution_point: point(&[FIRST]),
            scope: Some(scope),
        }))
    };
    let (of_users, of_authorities) = (list(CrlScope::UserCertsOnly), list(CrlScope::CaCertsOnly));
    let refused = Err("the CRL does not cover this type of certificate".to_owned());
    assert_eq!(authority.decide(&of_users, &leaf, 0), Ok(State::Good));
    assert_eq!(authority.decide(&of_users, &intermediate, 0), refused);
    assert_eq!(authority.decide(&of_authorities, &leaf, 0), refused);
    assert_eq!(
        authority.decide(&of_authorities, &intermediate, 0),
        Ok(State::Good)
    );
}
