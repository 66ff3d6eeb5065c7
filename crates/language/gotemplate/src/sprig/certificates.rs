//! Keys and certificates.

use std::any::Any;
use std::borrow::Cow;
use std::net::IpAddr;
use std::rc::Rc;
use std::time::Duration;

use aws_lc_rs::encoding::{AsDer as _, EcPrivateKeyRfc5915Der};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair};
use rcgen::string::Ia5String;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, PKCS_ED25519, PKCS_RSA_SHA256, RsaKeySize, SanType,
    SerialNumber, date_time_ymd,
};
use sluice_golang::base64;

use super::Entry;
use super::pem::{self, Block};
use crate::value::func::{Args, Call, Failure, Func, Outcome};
use crate::value::{Object, Type, Value};

const CERTIFICATE: &str = "sprig.certificate";
const NAMES: [Type; 4] = [Type::String, Type::List, Type::List, Type::Int];
const SELF_SIGNED: &[Type] = &NAMES;
const SELF_SIGNED_KEY: &[Type] = &[NAMES[0], NAMES[1], NAMES[2], NAMES[3], Type::String];
const SIGNED: &[Type] = &[
    NAMES[0],
    NAMES[1],
    NAMES[2],
    NAMES[3],
    Type::Object(CERTIFICATE),
];
const SIGNED_KEY: &[Type] = &[
    NAMES[0],
    NAMES[1],
    NAMES[2],
    NAMES[3],
    Type::Object(CERTIFICATE),
    Type::String,
];

pub(super) const TABLE: &[Entry] = &[
    (
        "buildCustomCert",
        Func::fixed(&[Type::String, Type::String], custom),
    ),
    ("genCA", Func::fixed(&[Type::String, Type::Int], authority)),
    (
        "genCAWithKey",
        Func::fixed(&[Type::String, Type::Int, Type::String], authority),
    ),
    ("genPrivateKey", Func::fixed(&[Type::String], private_key)),
    ("genSelfSignedCert", Func::fixed(SELF_SIGNED, self_signed)),
    (
        "genSelfSignedCertWithKey",
        Func::fixed(SELF_SIGNED_KEY, self_signed),
    ),
    ("genSignedCert", Func::fixed(SIGNED, signed)),
    ("genSignedCertWithKey", Func::fixed(SIGNED_KEY, signed)),
];

/// The steps that a key is charged, about its time in ordinary steps.
const KEY_STEPS: usize = 1_000_000;

/// The last second that a certificate can name.
const LAST_SECOND: i64 = 253_402_300_799;

/// A certificate and its key in PEM, sprig's `certificate`.
struct Certificate {
    cert: String,
    key: String,
}

impl Object for Certificate {
    fn type_name(&self) -> Cow<'_, str> {
        Cow::Borrowed(CERTIFICATE)
    }

    fn field(&self, name: &str) -> Option<Value> {
        let mut fields = self.fields().into_iter();
        fields
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("Cert", self.cert.as_str().into()),
            ("Key", self.key.as_str().into()),
        ]
    }

    fn equals(&self, other: &dyn Object) -> bool {
        let other = other.as_any().downcast_ref::<Self>();
        other.is_some_and(|other| other.cert == self.cert && other.key == self.key)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A key that signs, and its PEM of the form that Go writes.
struct Key {
    pair: KeyPair,
    pem: String,
}

fn rsa_key(call: &mut Call<'_, '_>, size: RsaKeySize) -> Result<Key, Failure> {
    call.steps(KEY_STEPS)?;
    let pair = KeyPair::generate_rsa_for(&PKCS_RSA_SHA256, size)
        .map_err(|error| format!("error generating rsa key: {error}"))?;
    let pem = rsa_pem(&pair).ok_or("error generating rsa key")?;
    Ok(Key { pair, pem })
}

/// The PKCS#1 form of an RSA key.
fn rsa_pem(pair: &KeyPair) -> Option<String> {
    let inner = pem::inner_key(pair.serialized_der())?;
    Some(pem::encode("RSA PRIVATE KEY", inner))
}

/// Reads a key of any type that Go reads, but for DSA.
fn parse_key(text: &[u8]) -> Result<Key, Failure> {
    let Some(Block { kind, der }) = pem::decode(text) else {
        return Err("no PEM data in input".into());
    };
    let about = match kind.as_str() {
        "PRIVATE KEY" => "decoding PEM as PKCS#8",
        "RSA PRIVATE KEY" => "parsing RSA private key from PEM",
        "EC PRIVATE KEY" => "parsing EC private key from PEM",
        "DSA PRIVATE KEY" => "parsing DSA private key from PEM",
        kind => {
            return Err(match kind.strip_suffix(" PRIVATE KEY") {
                Some(kind) => format!("invalid private key type {kind}"),
                None => format!("no private key data in PEM block of type {kind}"),
            }
            .into());
        }
    };
    let pair = KeyPair::from_pem(&pem::encode(&kind, &der))
        .map_err(|error| format!("{about}: {error}"))?;
    let is_rsa = pair.algorithm() == &PKCS_RSA_SHA256;
    let pem = match kind.as_str() {
        "PRIVATE KEY" if is_rsa => rsa_pem(&pair),
        _ => None,
    };
    let pem = pem.unwrap_or_else(|| pem::encode(&kind, &der));
    Ok(Key { pair, pem })
}

/// The key that an argument brings, or a new one.
fn given_key(call: &mut Call<'_, '_>, args: &Args<'_>, index: usize) -> Result<Key, Failure> {
    if args.len() <= index {
        return rsa_key(call, RsaKeySize::_2048);
    }
    let key = parse_key(args.text(index));
    Ok(key.map_err(|cause| format!("parsing private key: {cause}"))?)
}

fn private_key(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let failed = |error: &dyn std::fmt::Display| -> Failure {
        format!("failed to generate private key: {error}").into()
    };
    let pem = match args.text(0) {
        b"" | b"rsa" => rsa_key(call, RsaKeySize::_4096)?.pem,
        b"ecdsa" => {
            let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING);
            let pair = pair.map_err(|error| failed(&error))?;
            let der: EcPrivateKeyRfc5915Der<'_> = pair
                .private_key()
                .as_der()
                .map_err(|error| failed(&error))?;
            pem::encode("EC PRIVATE KEY", der.as_ref())
        }
        b"ed25519" => {
            let pair = KeyPair::generate_for(&PKCS_ED25519).map_err(|error| failed(&error))?;
            pem::encode("PRIVATE KEY", pair.serialized_der())
        }
        b"dsa" => return Ok("failed to generate dsa params: not supported".into()),
        kind => {
            let kind = String::from_utf8_lossy(kind);
            return Ok(format!("Unknown type {kind}").into());
        }
    };
    Ok(pem.into())
}

/// The members of a list, each a string.
fn texts(value: &Value, complaint: &str) -> Result<Vec<String>, Failure> {
    let Value::List(list) = value else {
        return Ok(Vec::new());
    };
    let items = list.items();
    let text = |item: &Value| match item {
        Value::String(text) => Ok(text.to_text().into_owned()),
        other => {
            let shown = crate::fmt::print(std::slice::from_ref(other));
            Err(format!("{complaint}: {shown} is not a string").into())
        }
    };
    items.iter().map(text).collect()
}

/// A certificate before it is signed; names and addresses are the second and third argument.
fn params(
    call: &mut Call<'_, '_>,
    args: &Args<'_>,
    days: i64,
    is_ca: bool,
) -> Result<CertificateParams, Failure> {
    let mut names = Vec::new();
    if !is_ca {
        for text in texts(args.value(1), "error parsing ip")? {
            let address: IpAddr = text
                .parse()
                .map_err(|_| format!("error parsing ip: {text}"))?;
            names.push(SanType::IpAddress(address));
        }
        let dns = texts(args.value(2), "error processing alternate dns name")?;
        let dns = dns.into_iter().map(|name| {
            let invalid = format!(
                "error creating certificate: x509: {} cannot be encoded as an IA5String",
                sluice_golang::quote::quote(&name)
            );
            Ia5String::try_from(name)
                .map(SanType::DnsName)
                .map_err(|_| invalid)
        });
        let mut all = dns.collect::<Result<Vec<_>, _>>()?;
        all.append(&mut names);
        names = all;
    }
    let mut serial = [0; 16];
    call.random(&mut serial)?;
    let now = call.now().unix().clamp(0, LAST_SECOND);
    let end = now
        .saturating_add(days.saturating_mul(86_400))
        .clamp(0, LAST_SECOND);
    let at = |seconds: i64| {
        let seconds = Duration::from_secs(seconds.unsigned_abs());
        date_time_ymd(1970, 1, 1) + seconds
    };
    let mut name = DistinguishedName::new();
    name.push(
        DnType::CommonName,
        String::from_utf8_lossy(args.text(0)).into_owned(),
    );
    let mut params = CertificateParams::default();
    params.serial_number = Some(SerialNumber::from_slice(&serial));
    params.distinguished_name = name;
    params.subject_alt_names = names;
    params.not_before = at(now);
    params.not_after = at(end);
    params.key_usages = vec![
        KeyUsagePurpose::KeyEncipherment,
        KeyUsagePurpose::DigitalSignature,
    ];
    params.is_ca = IsCa::ExplicitNoCa;
    if is_ca {
        params.key_usages.push(KeyUsagePurpose::KeyCertSign);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    }
    params.extended_key_usages = vec![
        ExtendedKeyUsagePurpose::ServerAuth,
        ExtendedKeyUsagePurpose::ClientAuth,
    ];
    Ok(params)
}

fn finished(certificate: &rcgen::Certificate, key: Key) -> Value {
    Value::Object(Rc::new(Certificate {
        cert: pem::encode("CERTIFICATE", certificate.der()),
        key: key.pem,
    }))
}

fn creation(error: &rcgen::Error) -> Failure {
    format!("error creating certificate: {error}").into()
}

fn authority(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let key = given_key(call, args, 2)?;
    let params = params(call, args, args.int(1), true)?;
    let certificate = params
        .self_signed(&key.pair)
        .map_err(|error| creation(&error))?;
    Ok(finished(&certificate, key))
}

fn self_signed(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let key = given_key(call, args, 4)?;
    let params = params(call, args, args.int(3), false)?;
    let certificate = params
        .self_signed(&key.pair)
        .map_err(|error| creation(&error))?;
    Ok(finished(&certificate, key))
}

fn signed(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let key = given_key(call, args, 5)?;
    let Value::Object(object) = args.value(4) else {
        return Err("unable to decode certificate".into());
    };
    let authority = object.as_any().downcast_ref::<Certificate>();
    let authority = authority.ok_or("unable to decode certificate")?;
    let block = pem::decode(authority.cert.as_bytes()).ok_or("unable to decode certificate")?;
    let signer = parse_key(authority.key.as_bytes())
        .map_err(|cause| format!("error parsing private key: {cause}"))?;
    let issuer = Issuer::from_ca_cert_der(&block.der.into(), signer.pair)
        .map_err(|error| format!("error parsing certificate: decodedSignerCert.Bytes: {error}"))?;
    let mut params = params(call, args, args.int(3), false)?;
    params.use_authority_key_identifier_extension = true;
    let certificate = params
        .signed_by(&key.pair, &issuer)
        .map_err(|error| creation(&error))?;
    Ok(finished(&certificate, key))
}

fn custom(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let decoded = |index: usize, complaint: &'static str| {
        base64::decode(args.text(index)).map_err(|_| complaint)
    };
    let cert = decoded(0, "unable to decode base64 certificate")?;
    let key = decoded(1, "unable to decode base64 private key")?;
    let block = pem::decode(&cert).ok_or("unable to decode certificate")?;
    if pem::sequence(&block.der).is_none() {
        return Err(
            "error parsing certificate: decodedCert.Bytes: x509: malformed certificate".into(),
        );
    }
    parse_key(&key).map_err(|cause| format!("error parsing private key: {cause}"))?;
    Ok(Value::Object(Rc::new(Certificate {
        cert: String::from_utf8_lossy(&cert).into_owned(),
        key: String::from_utf8_lossy(&key).into_owned(),
    })))
}
