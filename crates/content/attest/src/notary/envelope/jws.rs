//! Envelopes in JWS: flattened JSON with a detached header.
//!
//! Repeated names are refused, because two readers may see two values. So are headers that choose
//! another key than the one of the chain.
//! Parity: notation-core-go v1.3: signature/jws.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use jiff::Timestamp;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use sluice_golang::quote::quote;

use super::{
    AUTHENTIC_TIME, Attribute, Attributes, EXPIRY, MAX_HEADERS, Parts, SCHEME, SIGNING_TIME,
    Scheme, SignatureScheme,
};

pub(super) const MEDIA_TYPE: &str = "application/jose+json";
/// Headers that name a key. Only the leaf of the chain is one.
const KEY_HEADERS: [&str; 3] = ["jwk", "jku", "x5u"];
/// The zero time of Go, which means none.
const ZERO_TIME: &str = "0001-01-01T00:00:00Z";

#[derive(Deserialize)]
struct FlattenedEnvelope {
    payload: String,
    protected: String,
    header: Members,
    signature: String,
}

/// The members of a JSON object, each once.
#[derive(Default)]
struct Members(BTreeMap<String, Value>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Members;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    if members.insert(name.clone(), value).is_some() {
                        return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
                    }
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Reader)
    }
}

/// Parses an envelope.
pub(super) fn parse(bytes: &[u8]) -> Result<Parts, String> {
    let envelope: FlattenedEnvelope = serde_json::from_slice(bytes)
        .map_err(|error| format!("unable to parse the digital signature, error : {error}"))?;
    let protected = BASE64_URL_SAFE_NO_PAD.decode(&envelope.protected);
    let undecoded = |why: String| format!("jws envelope protected header can't be decoded: {why}");
    let protected = protected.map_err(|error| undecoded(error.to_string()))?;
    let mut protected: Members =
        serde_json::from_slice(&protected).map_err(|error| undecoded(error.to_string()))?;
    let mut header = envelope.header;
    for name in KEY_HEADERS {
        if protected.0.contains_key(name) || header.0.contains_key(name) {
            return Err(format!("{} header is not supported", quote(name)));
        }
    }
    let payload = BASE64_URL_SAFE_NO_PAD.decode(&envelope.payload);
    let payload = payload.map_err(|error| format!("payload error: {error}"))?;
    if payload.is_empty() {
        return Err("content not present".to_owned());
    }
    let signature = BASE64_URL_SAFE_NO_PAD.decode(&envelope.signature);
    let signature = signature.map_err(|error| error.to_string())?;
    if signature.is_empty() {
        return Err("signature missing in jws-json envelope".to_owned());
    }
    Ok(Parts {
        content_type: protected
            .text("cty")
            .map_err(undecoded)?
            .unwrap_or_default(),
        attributes: protected.attributes()?,
        payload,
        certificates: header.certificates()?,
        signed: format!("{}.{}", envelope.protected, envelope.payload).into_bytes(),
        signature,
        stamp: header.bytes("io.cncf.notary.timestampSignature")?,
    })
}

impl Members {
    /// Takes a text. Null means that it is absent, as in Go.
    fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("{} is not a string", quote(name))),
        }
    }

    fn bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let text = self.text(name)?.filter(|text| !text.is_empty());
        let bytes = text.map(|text| BASE64_STANDARD.decode(text)).transpose();
        bytes.map_err(|error| format!("{}: {error}", quote(name)))
    }

    fn time(&mut self, name: &str) -> Result<Option<Timestamp>, String> {
        let text = self.text(name)?.filter(|text| text != ZERO_TIME);
        let time = text.map(|text| text.parse()).transpose();
        time.map_err(|error| format!("{}: {error}", quote(name)))
    }

    fn texts(&mut self, name: &str) -> Result<Vec<String>, String> {
        let values = match self.0.remove(name) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(values)) => values,
            Some(_) => return Err(format!("{} is not a list", quote(name))),
        };
        let texts = values.into_iter().map(|value| match value {
            Value::String(text) => Ok(text),
            _ => Err(format!("{} has a member that is not a string", quote(name))),
        });
        texts.collect()
    }

    fn certificates(&mut self) -> Result<Vec<Vec<u8>>, String> {
        let texts = self.texts("x5c")?.into_iter();
        let certificates = texts.map(|text| BASE64_STANDARD.decode(text));
        certificates
            .collect::<Result<_, _>>()
            .map_err(|error| format!("malformed certificate: {error}"))
    }

    fn attributes(mut self) -> Result<Attributes, String> {
        let algorithm = self.text("alg")?.unwrap_or_default();
        let algorithm = SignatureScheme::named(&algorithm).ok_or_else(|| {
            format!("signature is invalid. Error: signing method {algorithm} is invalid")
        })?;
        let scheme = Scheme::named(&self.text(SCHEME)?.unwrap_or_default())?;
        let critical = self.texts("crit")?;
        if self.0.len() > MAX_HEADERS || critical.len() > MAX_HEADERS {
            return Err(format!("more than {MAX_HEADERS} headers"));
        }
        let expiry = self.time(EXPIRY)?;
        let told = self.time(SIGNING_TIME)?;
        let authentic = self.time(AUTHENTIC_TIME)?;
        let signing_time = match (scheme, told, authentic) {
            (Scheme::X509, _, Some(_)) => {
                return Err(format!(
                    "{} header must not be present for notary.x509 signing scheme",
                    quote(AUTHENTIC_TIME)
                ));
            }
            (Scheme::SigningAuthority, Some(_), _) => {
                return Err(format!(
                    "{} header must not be present for notary.x509.signingAuthority signing scheme",
                    quote(SIGNING_TIME)
                ));
            }
            (Scheme::X509, Some(time), None) | (Scheme::SigningAuthority, None, Some(time)) => time,
            (_, None, None) => return Err("signing-time not present".to_owned()),
        };
        self.check_critical(&critical, scheme, expiry.is_some())?;
        let others = self.0.into_iter().map(|(name, value)| Attribute {
            is_critical: critical.contains(&name),
            text: value.as_str().map(str::to_owned),
            name,
        });
        Ok(Attributes {
            algorithm,
            scheme,
            signing_time,
            expiry,
            others: others.collect(),
        })
    }

    /// Checks the list of critical headers against the remaining ones.
    fn check_critical(
        &self,
        critical: &[String],
        scheme: Scheme,
        expires: bool,
    ) -> Result<(), String> {
        if critical.is_empty() {
            return Err("missing \"crit\" header".to_owned());
        }
        let mut required = vec![SCHEME];
        if expires {
            required.push(EXPIRY);
        }
        if scheme == Scheme::SigningAuthority {
            required.push(AUTHENTIC_TIME);
        }
        for name in critical {
            if let Some(at) = required.iter().position(|other| other == name) {
                required.remove(at);
            } else if !self.0.contains_key(name) {
                return Err(format!(
                    "{} header is marked critical but not present",
                    quote(name)
                ));
            }
        }
        if required.is_empty() {
            return Ok(());
        }
        Err(format!(
            "these required headers are not marked as critical: [{}]",
            required.join(" ")
        ))
    }
}
