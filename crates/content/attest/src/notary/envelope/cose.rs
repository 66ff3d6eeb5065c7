//! Envelopes in COSE: a tagged message with one signer.
//!
//! The form is checked first: `coset` also reads lengths that follow the content, which the
//! specification forbids. So does the reference.
//! Parity: notation-core-go v1.3: signature/cose, over go-cose.

use coset::cbor::value::Value;
use coset::iana::{self, HeaderParameter};
use coset::{Algorithm, TaggedCborSerializable as _};
use coset::{CoseSign1, Header, Label, RegisteredLabel, RegisteredLabelWithPrivate};
use jiff::Timestamp;
use sluice_golang::quote::quote;

use super::{
    AUTHENTIC_TIME, Attribute, Attributes, EXPIRY, MAX_HEADERS, Parts, SCHEME, SIGNING_TIME,
    Scheme, SignatureScheme,
};

pub(super) const MEDIA_TYPE: &str = "application/cose";
/// The label of the certificate chain.
const CHAIN: i64 = 33;
/// The tag of a time in seconds.
const TIME_TAG: u64 = 1;
const MAX_DEPTH: usize = 16;
/// The tag of a message with one signer.
const SIGN1_TAG: u64 = 18;
/// The numbered headers: algorithm, critical headers, type of the content, certificates.
const LABELS: [i128; 4] = [1, 2, 3, CHAIN as i128];

/// Parses an envelope.
pub(super) fn parse(bytes: &[u8]) -> Result<Parts, String> {
    let unparsed = |why: String| format!("unable to parse the digital signature, error : {why}");
    check_form(bytes).map_err(|why| unparsed(why.to_owned()))?;
    check_headers(bytes).map_err(unparsed)?;
    let message =
        CoseSign1::from_tagged_slice(bytes).map_err(|error| unparsed(format!("cbor: {error}")))?;
    let certificates = certificates(&message.unprotected)?;
    if message.signature.is_empty() {
        return Err("signature missing in COSE envelope".to_owned());
    }
    let content_type = content_type(&message.protected.header)?;
    let attributes = attributes(&message.protected.header)?;
    let stamp = find(&message.unprotected, "io.cncf.notary.timestampSignature");
    let stamp = stamp.and_then(Value::as_bytes).cloned();
    let signed = message.tbs_data(&[]);
    let payload = message.payload.unwrap_or_default();
    if payload.is_empty() {
        return Err("content not present".to_owned());
    }
    Ok(Parts {
        content_type,
        payload,
        attributes,
        certificates,
        signed,
        signature: message.signature,
        stamp,
    })
}

/// Checks the two headers before `coset` reads them. It reads counter signatures, whose headers may
/// nest without end, and compares headers with one another.
fn check_headers(bytes: &[u8]) -> Result<(), String> {
    let read = |bytes: &[u8]| -> Result<Value, String> {
        let value = coset::cbor::de::from_reader(bytes);
        value.map_err(|error| format!("cbor: {error}"))
    };
    let message = match read(bytes)? {
        Value::Tag(SIGN1_TAG, message) => message.into_array(),
        _ => return Err("cbor: invalid COSE_Sign1_Tagged object".to_owned()),
    };
    let message = message.unwrap_or_default();
    let [Value::Bytes(protected), unprotected, ..] = message.as_slice() else {
        return Err("cbor: invalid COSE_Sign1_Tagged object".to_owned());
    };
    check_form(protected)?;
    for header in [&read(protected)?, unprotected] {
        let entries = header.as_map().ok_or("cbor: a header is not a map")?;
        if entries.len() > MAX_HEADERS {
            return Err(format!("cbor: more than {MAX_HEADERS} headers"));
        }
        for (label, value) in entries {
            let number = label.as_integer().map(i128::from);
            if number.is_some_and(|number| !LABELS.contains(&number)) {
                return Err("cbor: a header with a number is not supported".to_owned());
            }
            if value
                .as_array()
                .is_some_and(|list| list.len() > MAX_HEADERS)
            {
                return Err(format!(
                    "cbor: a header has more than {MAX_HEADERS} members"
                ));
            }
        }
    }
    Ok(())
}

/// Checks that lengths come first, that nesting is shallow, and that nothing follows.
fn check_form(bytes: &[u8]) -> Result<(), &'static str> {
    const SHORT: &str = "cbor: it ends early";
    let mut rest = bytes;
    // The items that each open array, map and tag still needs.
    let mut open: Vec<u64> = vec![1];
    while let Some(left) = open.last_mut() {
        if *left == 0 {
            open.pop();
            continue;
        }
        *left -= 1;
        let (first, after) = rest.split_first().ok_or(SHORT)?;
        rest = after;
        let width = match first & 31 {
            0..=23 => 0,
            24 => 1,
            25 => 2,
            26 => 4,
            27 => 8,
            _ => return Err("cbor: indefinite-length items and reserved values are not allowed"),
        };
        let (number, after) = rest.split_at_checked(width).ok_or(SHORT)?;
        rest = after;
        let number = match width {
            0 => u64::from(first & 31),
            _ => number
                .iter()
                .fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
        };
        let items = match first >> 5 {
            2 | 3 => {
                let length = usize::try_from(number).map_err(|_| SHORT)?;
                rest = rest.split_at_checked(length).ok_or(SHORT)?.1;
                continue;
            }
            4 => number,
            5 => number.checked_mul(2).ok_or(SHORT)?,
            6 => 1,
            _ => continue,
        };
        if open.len() == MAX_DEPTH {
            return Err("cbor: it is nested too deep");
        }
        open.push(items);
    }
    if rest.is_empty() {
        Ok(())
    } else {
        Err("cbor: bytes follow the message")
    }
}

fn find<'h>(header: &'h Header, name: &str) -> Option<&'h Value> {
    let is_named = |label: &Label| matches!(label, Label::Text(text) if text == name);
    let found = header.rest.iter().find(|(label, _)| is_named(label));
    found.map(|(_, value)| value)
}

fn certificates(header: &Header) -> Result<Vec<Vec<u8>>, String> {
    let chain = header
        .rest
        .iter()
        .find(|(label, _)| *label == Label::Int(CHAIN));
    let chain = chain.and_then(|(_, value)| value.as_array());
    let chain = chain.filter(|chain| !chain.is_empty());
    let chain = chain.ok_or("certificate chain is not present")?;
    let certificates = chain.iter().map(|value| value.as_bytes().cloned());
    let certificates: Option<Vec<Vec<u8>>> = certificates.collect();
    certificates.ok_or_else(|| "COSE envelope malformed leaf certificate".to_owned())
}

fn content_type(header: &Header) -> Result<String, String> {
    match &header.content_type {
        Some(RegisteredLabel::Text(text)) => Ok(text.clone()),
        Some(RegisteredLabel::Assigned(_)) => {
            Err("content type should be of 'tstr' type".to_owned())
        }
        None => Err("missing content type".to_owned()),
    }
}

fn algorithm(header: &Header) -> Result<SignatureScheme, String> {
    let named = match &header.alg {
        Some(Algorithm::Assigned(algorithm)) => match algorithm {
            iana::Algorithm::PS256 => Some(SignatureScheme::Ps256),
            iana::Algorithm::PS384 => Some(SignatureScheme::Ps384),
            iana::Algorithm::PS512 => Some(SignatureScheme::Ps512),
            iana::Algorithm::ES256 => Some(SignatureScheme::Es256),
            iana::Algorithm::ES384 => Some(SignatureScheme::Es384),
            iana::Algorithm::ES512 => Some(SignatureScheme::Es512),
            _ => None,
        },
        Some(RegisteredLabelWithPrivate::Text(_) | RegisteredLabelWithPrivate::PrivateUse(_))
        | None => None,
    };
    named.ok_or_else(|| "signature algorithm not supported".to_owned())
}

fn attributes(header: &Header) -> Result<Attributes, String> {
    let scheme = find(header, SCHEME).and_then(Value::as_text);
    let scheme = Scheme::named(scheme.ok_or("invalid signingScheme")?)?;
    let expiry = match find(header, EXPIRY) {
        Some(value) => Some(time(value).map_err(|why| format!("invalid expiry: {why}"))?),
        None => None,
    };
    check_critical(header, scheme, expiry.is_some())?;
    let label = match scheme {
        Scheme::X509 => SIGNING_TIME,
        Scheme::SigningAuthority => AUTHENTIC_TIME,
    };
    let signing_time = find(header, label)
        .ok_or_else(|| format!("protected header {} is missing", quote(label)))
        .and_then(time)
        .map_err(|why| format!("invalid signingTime: {why}"))?;
    let system = [SCHEME, EXPIRY, SIGNING_TIME, AUTHENTIC_TIME];
    let others = header.rest.iter().filter_map(|(label, value)| {
        let name = printed(label);
        (!system.contains(&&*name)).then(|| Attribute {
            is_critical: is_critical(header, &name),
            text: value.as_text().map(str::to_owned),
            name,
        })
    });
    Ok(Attributes {
        algorithm: algorithm(header)?,
        scheme,
        signing_time,
        expiry,
        others: others.collect(),
    })
}

fn printed(label: &Label) -> String {
    match label {
        Label::Int(number) => number.to_string(),
        Label::Text(text) => text.clone(),
    }
}

fn is_critical(header: &Header, name: &str) -> bool {
    let is_name = |label: &RegisteredLabelWithPrivate<HeaderParameter>| matches!(label, RegisteredLabelWithPrivate::Text(text) if text == name);
    header.crit.iter().any(is_name)
}

fn check_critical(header: &Header, scheme: Scheme, expires: bool) -> Result<(), String> {
    for label in &header.crit {
        let name = match label {
            RegisteredLabelWithPrivate::Assigned(
                HeaderParameter::Alg | HeaderParameter::Crit | HeaderParameter::ContentType,
            ) => continue,
            RegisteredLabelWithPrivate::Text(name) => name,
            other => return Err(format!("critical header {other:?} is not supported")),
        };
        if find(header, name).is_none() {
            return Err(format!(
                "{} header is marked critical but not present",
                quote(name)
            ));
        }
    }
    let required = [
        (true, SCHEME),
        (scheme == Scheme::SigningAuthority, AUTHENTIC_TIME),
        (expires, EXPIRY),
    ];
    let missing = required
        .iter()
        .filter(|(is_required, name)| *is_required && !is_critical(header, name));
    let missing: Vec<&str> = missing.map(|(_, name)| *name).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!(
        "these required headers are not marked as critical: [{}]",
        missing.join(" ")
    ))
}

fn time(value: &Value) -> Result<Timestamp, String> {
    let Value::Tag(TIME_TAG, seconds) = value else {
        return Err("only Tag `1` Datetime CBOR object is supported".to_owned());
    };
    let seconds = seconds
        .as_integer()
        .and_then(|number| i64::try_from(number).ok());
    let time = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
    time.ok_or_else(|| "invalid timeValue type".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `coset` reads the headers of counter signatures within headers, without a limit.
    #[test]
    fn nested_counter_signatures_are_refused() {
        let mut header = b"\xa0".to_vec();
        for _ in 0..5000 {
            let length = u32::try_from(header.len()).unwrap().to_be_bytes();
            let parts: [&[u8]; 5] = [b"\xa1\x07\x83\x5a", &length, &header, b"\xa0", b"\x41\x00"];
            header = parts.concat();
        }
        let length = u32::try_from(header.len()).unwrap().to_be_bytes();
        let protected: [&[u8]; 4] = [b"\xd2\x84\x5a", &length, &header, b"\xa0\x41a\x41b"];
        let unprotected: [&[u8]; 3] = [b"\xd2\x84\x41\xa0", &header, b"\x41a\x41b"];
        for envelope in [protected.concat(), unprotected.concat()] {
            let error = parse(&envelope).err().unwrap();
            assert!(
                error.contains("a header with a number is not supported"),
                "{error}"
            );
        }
    }

    #[test]
    fn many_headers_are_refused() {
        let mut headers = b"\xb8\x60".to_vec();
        for number in 0..0x60 {
            headers.extend([0x61, number, 0x00]);
        }
        let envelope = [b"\xd2\x84\x41\xa0", &*headers, b"\x41a\x41b"].concat();
        let error = parse(&envelope).err().unwrap();
        assert!(error.contains("more than 64 headers"), "{error}");
    }

    #[test]
    fn form_has_lengths_first_and_no_rest() {
        for (bytes, is_good) in [
            (&b"\xd2\x84\x40\xa0\x41a\x41b"[..], true),
            (b"\x9f\x01\xff", false),
            (b"\x5f\x41a\xff", false),
            (b"\xbf\xff", false),
            (b"\x01\x01", false),
            (b"\x82\x01", false),
            (b"\x5b\xff\xff\xff\xff\xff\xff\xff\xff", false),
            (b"\xbb\xff\xff\xff\xff\xff\xff\xff\xff", false),
            (&[0x81; 40], false),
            (b"", false),
        ] {
            assert_eq!(check_form(bytes).is_ok(), is_good, "{bytes:02x?}");
        }
    }
}
