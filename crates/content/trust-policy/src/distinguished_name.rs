//! Subjects of certificates in a trust policy: the part of RFC 4514 that Notation accepts.
//!
//! Parity: notation-go v1.3: internal/pkix, over go-ldap's reader.

use std::collections::BTreeMap;

use sluice_golang::quote::quote;

/// Attributes that every subject needs.
const MANDATORY: [&str; 3] = ["C", "ST", "O"];
const MINIMUM: &str = "'C', 'ST' or 'S', and 'O' RDN attributes at a minimum";

/// The attributes of a subject, by their types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DistinguishedName(BTreeMap<String, String>);

impl DistinguishedName {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let quoted = quote(text);
        if text.contains("=#") {
            return Err(format!(
                "unsupported distinguished name (DN) {quoted}: notation does not support x509.subject identities containing \"=#\""
            ));
        }
        let parts = parts(text).map_err(|fault| {
            format!(
                "parsing distinguished name (DN) {quoted} failed with err: {fault}. A valid DN must contain {MINIMUM}, and follow RFC 4514 standard"
            )
        })?;
        if parts.iter().any(|part| part.goes_with_next) {
            return Err(format!(
                "distinguished name (DN) {quoted} has multi-valued RDN attributes, remove multi-valued RDN attributes as they are not supported"
            ));
        }
        let mut attributes = BTreeMap::<String, String>::new();
        for part in parts {
            let kind = match part.kind.as_str() {
                "S" => "ST".to_owned(),
                _ => part.kind,
            };
            if attributes.get(&kind).is_some_and(|value| !value.is_empty()) {
                return Err(format!(
                    "distinguished name (DN) {quoted} has duplicate RDN attribute for {}, DN can only have unique RDN attributes",
                    quote(&kind)
                ));
            }
            attributes.insert(kind, part.value);
        }
        for kind in MANDATORY {
            if attributes.get(kind).is_none_or(String::is_empty) {
                return Err(format!(
                    "distinguished name (DN) {quoted} has no mandatory RDN attribute for {}, it must contain {MINIMUM}",
                    quote(kind)
                ));
            }
        }
        Ok(Self(attributes))
    }

    /// Whether the other name has all attributes of this one.
    pub(super) fn is_subset_of(&self, other: &Self) -> bool {
        self.0
            .iter()
            .all(|(kind, value)| other.0.get(kind) == Some(value))
    }
}

/// One `type=value`.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    kind: String,
    value: String,
    /// Whether it ended with a `+`.
    goes_with_next: bool,
}

fn parts(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    if text.trim().is_empty() {
        return Ok(parts);
    }
    let (mut kind, mut start, mut is_escaped) = (String::new(), 0, false);
    for (place, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '=' if kind.is_empty() => {
                kind = unescaped(&text[start..place])?;
                start = place + 1;
            }
            ',' | '+' | ';' => {
                if kind.is_empty() {
                    return Err("incomplete type, value pair".to_owned());
                }
                parts.push(Part {
                    kind: std::mem::take(&mut kind),
                    value: unescaped(&text[start..place])?,
                    goes_with_next: character == '+',
                });
                start = place + 1;
            }
            _ => {}
        }
    }
    if kind.is_empty() {
        return Err("DN ended with incomplete type, value pair".to_owned());
    }
    parts.push(Part {
        kind,
        value: unescaped(&text[start..])?,
        goes_with_next: false,
    });
    Ok(parts)
}

/// Removes surrounding spaces and escapes.
fn unescaped(text: &str) -> Result<String, String> {
    let mut trimmed = text.trim_matches(' ').to_owned();
    if trimmed.ends_with('\\') && text.ends_with(' ') {
        trimmed.push(' ');
    }
    let mut bytes = Vec::with_capacity(trimmed.len());
    let mut characters = trimmed.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            bytes.extend(character.encode_utf8(&mut [0; 4]).bytes());
            continue;
        }
        let escaped = characters
            .next()
            .ok_or_else(|| format!("got corrupted escaped character: '{trimmed}'"))?;
        if " \"#+,;<=>\\".contains(escaped) {
            bytes.extend(escaped.encode_utf8(&mut [0; 4]).bytes());
            continue;
        }
        let digits = characters
            .next()
            .map(|second| format!("{escaped}{second}"))
            .ok_or_else(|| {
                format!("failed to decode escaped character: encoding/hex: invalid byte: {escaped}")
            })?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(format!(
                "failed to decode escaped character: invalid byte: {digits}"
            ));
        }
        let byte = u8::from_str_radix(&digits, 16);
        bytes.push(byte.expect("two hexadecimal digits are a byte"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subject_needs_unique_mandatory_attributes() {
        for good in [
            "C=US,ST=California,O=Notary Project",
            "C=US, S=California; O=Notary Project",
            "CN=a\\,b\\2c,C=US,ST=California,O=Notary",
        ] {
            assert!(DistinguishedName::parse(good).is_ok(), "{good}");
        }
        for (bad, said) in [
            (
                "C=US,ST=California",
                "has no mandatory RDN attribute for \"O\"",
            ),
            (
                "C=US,O=Notary Project",
                "has no mandatory RDN attribute for \"ST\"",
            ),
            ("", "has no mandatory RDN attribute for \"C\""),
            ("invalid", "err: DN ended with incomplete type, value pair."),
            ("C=US,invalid,O=a", "err: incomplete type, value pair."),
            (
                "C=US,ST=a\\zz,O=a",
                "err: failed to decode escaped character",
            ),
            (
                "C=US,ST=California,O=a,S=California",
                "has duplicate RDN attribute for \"ST\"",
            ),
            ("C=US,ST=California,O=a=#", "containing \"=#\""),
            (
                "OU=Sales+CN=J,C=US,ST=a,O=a",
                "has multi-valued RDN attributes",
            ),
        ] {
            let refused = DistinguishedName::parse(bad).unwrap_err();
            assert!(refused.contains(said), "{bad}: {refused}");
        }
    }

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(unescaped(" a\\,b\\c3\\a9 ").unwrap(), "a,bé");
        assert_eq!(unescaped("a\\ ").unwrap(), "a ");
        assert!(unescaped("a\\").is_err());
    }

    #[test]
    fn shorter_name_is_a_subset_of_a_longer_one() {
        let parse = |text: &str| DistinguishedName::parse(text).unwrap();
        let short = parse("C=US,ST=WA,O=a");
        let long = parse("C=US,ST=WA,O=a,CN=b");
        assert!(short.is_subset_of(&long));
        assert!(!long.is_subset_of(&short));
    }
}
