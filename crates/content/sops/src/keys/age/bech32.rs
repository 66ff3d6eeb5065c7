//! Bech32 as age uses it: of any length, in a single case.
//!
//! Parity: BIP 173, without its limit of 90 characters.

use sluice_dial::Sensitive;

const ALPHABET: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// The number of characters of the checksum.
const CHECKSUM: usize = 6;

fn polynomial(values: impl Iterator<Item = u8>) -> u32 {
    const GENERATOR: [u32; 5] = [
        0x3b6a_57b2,
        0x2650_8e6d,
        0x1ea1_19fa,
        0x3d42_33dd,
        0x2a14_62b3,
    ];
    values.fold(1, |checksum: u32, value| {
        let top = checksum >> 25;
        let mut checksum = (checksum & 0x01ff_ffff) << 5 ^ u32::from(value);
        for (bit, term) in GENERATOR.iter().enumerate() {
            if top >> bit & 1 == 1 {
                checksum ^= term;
            }
        }
        checksum
    })
}

fn prefix(kind: &str) -> impl Iterator<Item = u8> {
    let lower = kind.to_ascii_lowercase().into_bytes();
    let high: Vec<u8> = lower.iter().map(|byte| byte >> 5).collect();
    let low = lower.into_iter().map(|byte| byte & 31);
    high.into_iter().chain([0]).chain(low)
}

/// Decodes the kind and the bytes of a text; the kind keeps its case.
pub(super) fn decode(text: &str) -> Option<(String, Sensitive<Vec<u8>>)> {
    let is_mixed = text.bytes().any(|byte| byte.is_ascii_lowercase())
        && text.bytes().any(|byte| byte.is_ascii_uppercase());
    if is_mixed || !text.bytes().all(|byte| (33..=126).contains(&byte)) {
        return None;
    }
    let (kind, data) = text.rsplit_once('1')?;
    if kind.is_empty() || data.len() < CHECKSUM {
        return None;
    }
    let place = |byte: u8| {
        let byte = byte.to_ascii_lowercase();
        let found = ALPHABET.iter().position(|&known| known == byte)?;
        u8::try_from(found).ok()
    };
    let values = data.bytes().map(place).collect::<Option<Vec<u8>>>()?;
    let values = Sensitive::new(values);
    if polynomial(prefix(kind).chain(values.expose().iter().copied())) != 1 {
        return None;
    }
    let groups = &values.expose()[..values.expose().len() - CHECKSUM];
    let mut bytes = Vec::with_capacity(groups.len() * 5 / 8);
    let (mut buffer, mut bits) = (0_u32, 0);
    for &group in groups {
        buffer = buffer << 5 | u32::from(group);
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push((buffer >> bits & 0xff) as u8);
        }
    }
    let bytes = Sensitive::new(bytes);
    let is_padded_well = bits < 5 && buffer & ((1 << bits) - 1) == 0;
    is_padded_well.then(|| (kind.to_owned(), bytes))
}

/// Encodes bytes in the case of the kind.
pub(super) fn encode(kind: &str, bytes: &[u8]) -> String {
    let mut groups = Vec::with_capacity(bytes.len() * 8 / 5 + 1);
    let (mut buffer, mut bits) = (0_u32, 0);
    for &byte in bytes {
        buffer = buffer << 8 | u32::from(byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            groups.push((buffer >> bits & 31) as u8);
        }
    }
    if bits > 0 {
        groups.push((buffer << (5 - bits) & 31) as u8);
    }
    let padded = groups.iter().copied().chain([0; CHECKSUM]);
    let checksum = polynomial(prefix(kind).chain(padded)) ^ 1;
    for index in (0..CHECKSUM).rev() {
        groups.push((checksum >> (5 * index) & 31) as u8);
    }
    let mut text = format!("{kind}1");
    let is_upper = kind.bytes().any(|byte| byte.is_ascii_uppercase());
    for group in groups {
        let character = char::from(ALPHABET[usize::from(group)]);
        text.push(if is_upper {
            character.to_ascii_uppercase()
        } else {
            character
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip_keeps_bytes_and_case() {
        for (kind, bytes) in [("age", vec![0; 32]), ("AGE-SECRET-KEY-", vec![255; 1217])] {
            let text = encode(kind, &bytes);
            let (found, decoded) = decode(&text).unwrap();
            assert_eq!((found.as_str(), decoded.expose()), (kind, &bytes));
        }
    }

    #[test]
    fn mistyped_text_is_rejected() {
        let text = encode("age", &[7; 32]);
        assert!(decode(&text).is_some());
        let wrong = text.replace(&text[10..11], if &text[10..11] == "q" { "p" } else { "q" });
        for wrong in [
            wrong,
            text.to_uppercase().replace("AGE", "age"),
            text[..20].to_owned(),
        ] {
            assert!(decode(&wrong).is_none(), "{wrong}");
        }
        for wrong in ["", "1", "age1", "age1x", "ä1qqqqqq"] {
            assert!(decode(wrong).is_none(), "{wrong}");
        }
    }
}
