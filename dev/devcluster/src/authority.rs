//! A certificate authority that lives as long as one cluster.

use std::net::IpAddr;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DistinguishedName, DnType,
    ExtendedKeyUsagePurpose, IsCa, KeyPair, KeyUsagePurpose, SanType,
};

use crate::error::Error;

/// A self-signed authority; its key never leaves this value unless asked for.
#[derive(Debug)]
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

/// A certificate and its private key, both PEM.
#[derive(Clone)]
pub struct Identity {
    /// The certificate.
    pub certificate: String,
    /// Its private key (PKCS #8).
    pub key: String,
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Identity")
            .field("certificate", &self.certificate)
            .finish_non_exhaustive()
    }
}

impl Authority {
    /// Makes a new authority with a common name.
    pub fn new(name: &str) -> Result<Self, Error> {
        let make = || {
            let mut parameters = CertificateParams::default();
            parameters.distinguished_name = named(name, None);
            parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
            parameters.key_usages = vec![
                KeyUsagePurpose::KeyCertSign,
                KeyUsagePurpose::CrlSign,
                KeyUsagePurpose::DigitalSignature,
            ];
            CertifiedIssuer::self_signed(parameters, KeyPair::generate()?)
        };
        Ok(Self {
            issuer: make().map_err(|source| failed(name, source))?,
        })
    }

    /// The authority's certificate, PEM.
    pub fn certificate(&self) -> String {
        self.issuer.pem()
    }

    /// The authority's key, PEM: for a server that signs on our behalf.
    pub fn key(&self) -> String {
        self.issuer.key().serialize_pem()
    }

    /// Issues a certificate for a server reached by these names and addresses.
    pub fn server(
        &self,
        name: &str,
        names: &[&str],
        addresses: &[IpAddr],
    ) -> Result<Identity, Error> {
        let mut parameters =
            CertificateParams::new(names.iter().map(ToString::to_string).collect::<Vec<_>>())
                .map_err(|source| failed(name, source))?;
        parameters
            .subject_alt_names
            .extend(addresses.iter().copied().map(SanType::IpAddress));
        self.issue(name, None, parameters, ExtendedKeyUsagePurpose::ServerAuth)
    }

    /// Issues a certificate for a client; Kubernetes reads the user from the common name and a
    /// group from the organisation.
    pub fn client(&self, user: &str, group: Option<&str>) -> Result<Identity, Error> {
        self.issue(
            user,
            group,
            CertificateParams::default(),
            ExtendedKeyUsagePurpose::ClientAuth,
        )
    }

    fn issue(
        &self,
        name: &str,
        organisation: Option<&str>,
        mut parameters: CertificateParams,
        purpose: ExtendedKeyUsagePurpose,
    ) -> Result<Identity, Error> {
        parameters.distinguished_name = named(name, organisation);
        parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        parameters.extended_key_usages = vec![purpose];
        parameters.use_authority_key_identifier_extension = true;
        let make = || {
            let key = KeyPair::generate()?;
            let certificate = parameters.signed_by(&key, &self.issuer)?;
            Ok(Identity {
                certificate: certificate.pem(),
                key: key.serialize_pem(),
            })
        };
        make().map_err(|source| failed(name, source))
    }
}

fn named(name: &str, organisation: Option<&str>) -> DistinguishedName {
    let mut distinguished = DistinguishedName::new();
    distinguished.push(DnType::CommonName, name);
    if let Some(organisation) = organisation {
        distinguished.push(DnType::OrganizationName, organisation);
    }
    distinguished
}

fn failed(subject: &str, source: rcgen::Error) -> Error {
    Error::Certificate {
        subject: subject.to_owned(),
        source,
    }
}
