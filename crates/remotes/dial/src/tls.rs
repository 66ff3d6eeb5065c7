//! TLS options: CA certificates and client certificate.

use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};

use crate::secret::{
    CA, Invalid, Keys, LEGACY_CA, LEGACY_CERTIFICATE, LEGACY_KEY, TLS_CERTIFICATE, TLS_KEY,
};
use crate::sensitive::Sensitive;

/// A client certificate chain with its private key, both valid PEM.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClientCertificate {
    chain: Vec<u8>,
    key: Sensitive<Vec<u8>>,
}

impl ClientCertificate {
    /// Checks that both are PEM and that the key matches the certificate.
    pub fn new(chain: &[u8], key: &[u8]) -> Result<Self, Invalid> {
        let certificates = certificates(TLS_CERTIFICATE, chain)?;
        let private = PrivateKeyDer::from_pem_slice(key).map_err(|error| Invalid::Pem {
            key: TLS_KEY,
            reason: error.to_string(),
        })?;
        match rustls::sign::CertifiedKey::from_der(
            certificates,
            private,
            &rustls::crypto::aws_lc_rs::default_provider(),
        ) {
            Ok(_) => Ok(Self {
                chain: chain.to_vec(),
                key: Sensitive::new(key.to_vec()),
            }),
            Err(rustls::Error::InconsistentKeys(_)) => Err(Invalid::Mismatch),
            Err(error) => Err(Invalid::Pem {
                key: TLS_KEY,
                reason: error.to_string(),
            }),
        }
    }

    /// Returns the certificate chain in PEM.
    pub fn chain(&self) -> &[u8] {
        &self.chain
    }

    /// Returns the private key in PEM.
    pub const fn key(&self) -> &Sensitive<Vec<u8>> {
        &self.key
    }
}

/// TLS options of a remote. The default trusts only the system's CA certificates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Tls {
    /// CA certificates in PEM, in addition to the system's.
    pub ca: Option<Vec<u8>>,
    /// Trusts only `ca`, if there is one.
    pub replaces_system: bool,
    /// Client certificate.
    pub certificate: Option<ClientCertificate>,
    /// Accepts any server certificate. Only an explicit user setting may enable it.
    pub insecure: bool,
}

impl Tls {
    /// Returns options that trust the given CA certificates in addition to the system's.
    pub fn with_ca(pem: &[u8]) -> Result<Self, Invalid> {
        certificates(CA, pem)?;
        Ok(Self {
            ca: Some(pem.to_vec()),
            ..Self::default()
        })
    }

    /// Lets the given CA certificates replace the system's, as notification-controller does.
    /// Sources add theirs.
    #[must_use]
    pub fn replacing_system(self) -> Self {
        Self {
            replaces_system: true,
            ..self
        }
    }

    /// Reads `ca.crt`, `tls.crt` and `tls.key` from a Secret. Returns `None` without any of them.
    pub fn from_keys(keys: &dyn Keys) -> Result<Option<Self>, Invalid> {
        Self::from_named(keys, CA, TLS_CERTIFICATE, TLS_KEY)
    }

    /// As [`Tls::from_keys`], with the older names `caFile`, `certFile` and `keyFile` as a
    /// fallback.
    pub fn from_keys_or_legacy(keys: &dyn Keys) -> Result<Option<Self>, Invalid> {
        match Self::from_keys(keys)? {
            Some(tls) => Ok(Some(tls)),
            None => Self::from_named(keys, LEGACY_CA, LEGACY_CERTIFICATE, LEGACY_KEY),
        }
    }

    fn from_named(
        keys: &dyn Keys,
        ca: &'static str,
        certificate: &'static str,
        key: &'static str,
    ) -> Result<Option<Self>, Invalid> {
        let authorities = keys.present(ca);
        if let Some(pem) = authorities {
            certificates(ca, pem)?;
        }
        let identity = match (keys.present(certificate), keys.present(key)) {
            (Some(chain), Some(private)) => Some(ClientCertificate::new(chain, private)?),
            (Some(_), None) => {
                return Err(Invalid::Half {
                    present: certificate,
                    absent: key,
                });
            }
            (None, Some(_)) => {
                return Err(Invalid::Half {
                    present: key,
                    absent: certificate,
                });
            }
            (None, None) => None,
        };
        Ok((authorities.is_some() || identity.is_some()).then(|| Self {
            ca: authorities.map(<[u8]>::to_vec),
            certificate: identity,
            ..Self::default()
        }))
    }
}

/// Returns every certificate of a PEM bundle; at least one.
fn certificates(key: &'static str, pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, Invalid> {
    let found = CertificateDer::pem_slice_iter(pem)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Invalid::Pem {
            key,
            reason: error.to_string(),
        })?;
    if found.is_empty() {
        return Err(Invalid::Pem {
            key,
            reason: "no certificate in it".to_owned(),
        });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn pair() -> (String, String) {
        let made =
            rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("certificate");
        (made.cert.pem(), made.signing_key.serialize_pem())
    }

    fn keys(pairs: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
        pairs
            .iter()
            .map(|(k, v)| ((*k).to_owned(), v.as_bytes().to_vec()))
            .collect()
    }

    #[test]
    fn certificate_without_key_is_rejected_by_name() {
        let (certificate, key) = pair();
        assert_eq!(
            Tls::from_keys(&keys(&[("tls.crt", &certificate)])),
            Err(Invalid::Half {
                present: "tls.crt",
                absent: "tls.key"
            })
        );
        assert_eq!(
            Tls::from_keys(&keys(&[("tls.key", &key)])),
            Err(Invalid::Half {
                present: "tls.key",
                absent: "tls.crt"
            })
        );
        let error =
            Tls::from_keys_or_legacy(&keys(&[("certFile", &certificate)])).expect_err("half");
        assert_eq!(
            error.to_string(),
            "contains 'certFile' but missing 'keyFile'"
        );
    }

    #[test]
    fn key_of_another_certificate_is_rejected() {
        let ((certificate, _), (_, key)) = (pair(), pair());
        assert_eq!(
            Tls::from_keys(&keys(&[("tls.crt", &certificate), ("tls.key", &key)])),
            Err(Invalid::Mismatch)
        );
    }

    #[test]
    fn bad_pem_error_names_key_without_content() {
        for name in ["ca.crt", "tls.crt"] {
            let error = Tls::from_keys(&keys(&[
                (name, "canary-secret"),
                ("tls.key", "canary-secret"),
            ]))
            .expect_err("no PEM");
            let text = format!("{error} {error:?}");
            assert!(
                text.contains("key 'ca.crt'") || text.contains("tls."),
                "{text}"
            );
            assert!(!text.contains("canary"), "{text}");
        }
    }

    #[test]
    fn empty_keys_count_as_absent() {
        assert_eq!(
            Tls::from_keys(&keys(&[("ca.crt", ""), ("tls.crt", ""), ("tls.key", "")])),
            Ok(None)
        );
    }

    #[test]
    fn full_secret_has_ca_certificate_and_key() {
        let (certificate, key) = pair();
        let tls = Tls::from_keys(&keys(&[
            ("ca.crt", &certificate),
            ("tls.crt", &certificate),
            ("tls.key", &key),
        ]))
        .expect("valid")
        .expect("present");
        assert!(tls.ca.is_some() && tls.certificate.is_some() && !tls.insecure);
        assert!(!format!("{tls:?}").contains("PRIVATE"));
    }
}
