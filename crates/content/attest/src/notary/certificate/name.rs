//! Names of certificates in the form of Go's `pkix.Name`.
//!
//! Parity: Go's crypto/x509/pkix. Known attributes have a fixed order, and repeated ones form one
//! part. Others follow with the number of their type and the encoded value.

use std::fmt::Write as _;

use x509_cert::der::asn1::{Any, ObjectIdentifier};
use x509_cert::der::{Encode as _, ErrorKind, Result, Tag, Tagged as _};
use x509_cert::name::Name;

/// The known attributes, in the order of Go: the last part of their type, and their name.
const ATTRIBUTES: [(u32, &str); 9] = [
    (6, "C"),
    (8, "ST"),
    (7, "L"),
    (9, "STREET"),
    (17, "POSTALCODE"),
    (10, "O"),
    (11, "OU"),
    (3, "CN"),
    (5, "SERIALNUMBER"),
];
/// Attributes whose last value counts.
const SINGLE: [u32; 2] = [3, 5];

/// Prints a name.
pub(super) fn print(name: &Name) -> Result<String> {
    let mut others = Vec::new();
    let mut known: Vec<Vec<String>> = vec![Vec::new(); ATTRIBUTES.len()];
    for attribute in name.0.iter().flat_map(|part| part.0.iter()) {
        let text = text(&attribute.value)?;
        let number = standard_number(attribute.oid);
        let position = ATTRIBUTES
            .iter()
            .position(|(last, _)| Some(*last) == number);
        match (position, text) {
            (Some(position), Some(text)) => {
                if SINGLE.contains(&ATTRIBUTES[position].0) {
                    known[position].clear();
                }
                known[position].push(text);
            }
            _ => others.push(other(attribute.oid, &attribute.value)?),
        }
    }
    let known = ATTRIBUTES.iter().zip(&known);
    let known = known.filter(|(_, values)| values.iter().any(|value| !value.is_empty()));
    let known = known.map(|((_, name), values)| {
        let values = values
            .iter()
            .map(|value| format!("{name}={}", escape(value)));
        values.collect::<Vec<_>>().join("+")
    });
    let mut parts: Vec<String> = others.into_iter().chain(known).collect();
    parts.reverse();
    Ok(parts.join(","))
}

/// The last number of an attribute of X.520.
fn standard_number(oid: ObjectIdentifier) -> Option<u32> {
    let arcs: Vec<u32> = oid.arcs().collect();
    match *arcs {
        [2, 5, 4, last] => Some(last),
        _ => None,
    }
}

fn other(oid: ObjectIdentifier, value: &Any) -> Result<String> {
    let mut printed = format!("{oid}=#");
    for byte in value.to_der()? {
        let _ = write!(printed, "{byte:02x}");
    }
    Ok(printed)
}

/// The text of a string. Other values have none.
fn text(value: &Any) -> Result<Option<String>> {
    let bytes = value.value();
    let malformed = || ErrorKind::Value { tag: value.tag() };
    let text = match value.tag() {
        Tag::Utf8String | Tag::PrintableString | Tag::Ia5String | Tag::NumericString => {
            let text = std::str::from_utf8(bytes).map_err(|_| malformed())?;
            text.to_owned()
        }
        Tag::TeletexString => bytes.iter().map(|byte| char::from(*byte)).collect(),
        Tag::BmpString => {
            let (pairs, rest) = bytes.as_chunks::<2>();
            let units: Vec<u16> = pairs.iter().map(|pair| u16::from_be_bytes(*pair)).collect();
            match String::from_utf16(&units) {
                Ok(text) if rest.is_empty() => text,
                _ => return Err(malformed().into()),
            }
        }
        _ => return Ok(None),
    };
    Ok(Some(text))
}

fn escape(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    let end = value.len().saturating_sub(1);
    for (at, character) in value.char_indices() {
        let is_escaped = match character {
            ',' | '+' | '"' | '\\' | '<' | '>' | ';' => true,
            ' ' => at == 0 || at == end,
            '#' => at == 0,
            _ => false,
        };
        if is_escaped {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_is_escaped_as_in_go() {
        for (value, expected) in [
            ("a,b", "a\\,b"),
            ("#a#", "\\#a#"),
            (" a b ", "\\ a b\\ "),
            ("a=b", "a=b"),
        ] {
            assert_eq!(escape(value), expected);
        }
    }
}
