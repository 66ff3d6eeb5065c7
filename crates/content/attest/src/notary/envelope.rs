//! Envelopes of signatures: what is signed, by which chain, and when.
//!
//! The formats are parsed by [`jws`] and [`cose`]. The rules here are those of every format.
//! Parity: notation-core-go v1.3: signature.

mod cose;
mod jws;

use jiff::Timestamp;
use serde::Deserialize;
use sluice_golang::quote::quote;
use sluice_system::budget::Budget;

use super::certificate::{Certificate, SignatureScheme};
use super::chain::{self, MAX_CERTIFICATES, Purpose};

/// The type of a signed payload.
const PAYLOAD_TYPE: &str = "application/vnd.cncf.notary.payload.v1+json";
/// The attribute that names a plugin. No plugin runs in this process.
const PLUGIN: &str = "io.cncf.notary.verificationPlugin";
const PLUGIN_VERSION: &str = "io.cncf.notary.verificationPluginMinVersion";
const SCHEME: &str = "io.cncf.notary.signingScheme";
const EXPIRY: &str = "io.cncf.notary.expiry";
const SIGNING_TIME: &str = "io.cncf.notary.signingTime";
const AUTHENTIC_TIME: &str = "io.cncf.notary.authenticSigningTime";
/// Maximum number of headers, and of the members of one. They are compared with one another.
const MAX_HEADERS: usize = 64;
/// The steps of one signature check, beside those of bytes.
const STEPS_OF_CHECK: u64 = 1000;

/// How the time of a signature is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    /// The signer states it, and a time stamp may prove it.
    X509,
    /// The chain is one of an authority that states it.
    SigningAuthority,
}

impl Scheme {
    fn named(name: &str) -> Result<Self, String> {
        match name {
            "notary.x509" => Ok(Self::X509),
            "notary.x509.signingAuthority" => Ok(Self::SigningAuthority),
            other => Err(format!("unsupported SigningScheme: `{other}`")),
        }
    }
}

/// An envelope whose signature and chain are valid. Nothing is said about trust yet.
#[derive(Debug)]
pub(super) struct Envelope {
    pub(super) scheme: Scheme,
    pub(super) signing_time: Timestamp,
    pub(super) expiry: Option<Timestamp>,
    pub(super) chain: Vec<Certificate>,
    pub(super) signature: Vec<u8>,
    /// A time stamp over the signature.
    pub(super) stamp: Option<Vec<u8>>,
    pub(super) target: Target,
}

/// The artifact that a signature is for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// The media type of the manifest.
    pub media_type: String,
    /// The digest of the manifest.
    pub digest: String,
    /// The size of the manifest in bytes.
    pub size: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Payload {
    target_artifact: Target,
}

/// The parts of an envelope before the common rules.
struct Parts {
    content_type: String,
    payload: Vec<u8>,
    attributes: Attributes,
    certificates: Vec<Vec<u8>>,
    /// The bytes that the signature covers.
    signed: Vec<u8>,
    signature: Vec<u8>,
    stamp: Option<Vec<u8>>,
}

/// The signed attributes.
struct Attributes {
    algorithm: SignatureScheme,
    scheme: Scheme,
    signing_time: Timestamp,
    expiry: Option<Timestamp>,
    /// The names of other attributes, whether they are critical, and their text.
    others: Vec<Attribute>,
}

/// An attribute without a meaning of its own.
struct Attribute {
    name: String,
    is_critical: bool,
    text: Option<String>,
}

impl Envelope {
    /// Parses an envelope by its media type, and checks its signature and its chain.
    pub(super) fn open(media_type: &str, bytes: &[u8], budget: &Budget) -> Result<Self, String> {
        let unparsed =
            |why: String| format!("unable to parse the digital signature, error : {why}");
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let charged = budget
            .charge_bytes(length)
            .and_then(|()| budget.charge_steps(length));
        charged.map_err(|error| unparsed(error.to_string()))?;
        let parts = match media_type {
            jws::MEDIA_TYPE => jws::parse(bytes),
            cose::MEDIA_TYPE => cose::parse(bytes),
            other => {
                let other = quote(other);
                return Err(unparsed(format!(
                    "signature envelope format with media type {other} is not supported"
                )));
            }
        }?;
        parts.check(budget)
    }
}

impl Parts {
    fn check(self, budget: &Budget) -> Result<Envelope, String> {
        if self.certificates.is_empty() {
            return Err("certificate chain is not present".to_owned());
        }
        if self.certificates.len() > MAX_CERTIFICATES {
            return Err(format!(
                "certificate-chain is invalid, certificate chain has more than {MAX_CERTIFICATES} \
                 certificates"
            ));
        }
        let checks = u64::try_from(self.certificates.len()).unwrap_or(u64::MAX) + 1;
        budget
            .charge_steps(checks * STEPS_OF_CHECK)
            .map_err(|error| error.to_string())?;
        let mut chain = Vec::new();
        for (index, bytes) in self.certificates.iter().enumerate() {
            let certificate = Certificate::from_der(bytes);
            chain.push(certificate.map_err(|error| match index {
                0 => format!("malformed leaf certificate: {error}"),
                _ => error.to_string(),
            })?);
        }
        self.check_signature(&chain)?;
        let attributes = self.attributes;
        attributes.check_times()?;
        let invalid = |why: String| format!("certificate-chain is invalid, {why}");
        chain::check(&chain, Purpose::CodeSigning).map_err(invalid)?;
        if self.content_type != PAYLOAD_TYPE {
            let kind = quote(&self.content_type);
            return Err(format!("payload content type {kind} not supported"));
        }
        attributes.check_others()?;
        let payload: Payload = serde_json::from_slice(&self.payload)
            .map_err(|error| format!("the signed payload cannot be read: {error}"))?;
        Ok(Envelope {
            scheme: attributes.scheme,
            signing_time: attributes.signing_time,
            expiry: attributes.expiry,
            chain,
            signature: self.signature,
            stamp: self.stamp,
            target: payload.target_artifact,
        })
    }

    /// The key of the leaf decides the algorithm, so that a signer cannot choose a weaker one.
    fn check_signature(&self, chain: &[Certificate]) -> Result<(), String> {
        let leaf = &chain[0];
        let algorithm = SignatureScheme::of(leaf.key())?;
        let named = self.attributes.algorithm;
        if algorithm != named {
            return Err(format!(
                "mismatch between signature algorithm derived from signing certificate ({}) and \
                 signing algorithm specified ({})",
                algorithm.name(),
                named.name()
            ));
        }
        leaf.verify_with(algorithm.algorithm(), &self.signed, &self.signature)
            .map_err(|why| format!("signature is invalid. Error: {why}"))
    }
}

impl Attributes {
    fn check_times(&self) -> Result<(), String> {
        if self
            .expiry
            .is_some_and(|expiry| expiry <= self.signing_time)
        {
            return Err("expiry cannot be equal or before the signing time".to_owned());
        }
        Ok(())
    }

    /// No plugin runs, and a critical attribute that nothing understands refuses the signature.
    fn check_others(&self) -> Result<(), String> {
        let plugin = self.others.iter().find(|other| other.name == PLUGIN);
        if let Some(plugin) = plugin {
            if !plugin.is_critical {
                return Err(format!("{PLUGIN} is not a critical Extended attribute"));
            }
            let Some(text) = &plugin.text else {
                return Err(format!("{PLUGIN} from extended attribute is not a string"));
            };
            if text.trim().is_empty() {
                return Err(format!(
                    "{PLUGIN} from extended attribute is an empty string"
                ));
            }
            return Err("plugin unsupported due to nil verifier.pluginManager".to_owned());
        }
        let critical = self.others.iter().find(|other| other.is_critical);
        match critical {
            Some(other) if other.name == PLUGIN_VERSION => {
                Err(format!("{PLUGIN_VERSION} is set without {PLUGIN}"))
            }
            Some(other) => Err(format!(
                "{} header is marked critical but not supported",
                quote(&other.name)
            )),
            None => Ok(()),
        }
    }
}
