//! Bytes to characters: byte order marks, UTF-16, and characters that YAML forbids.
//!
//! The whole text is checked before the first token. libyaml checks as it reads, so in a text
//! with two errors it can report the other one.

use std::borrow::Cow;

use crate::{Error, ErrorKind};

/// Decodes a text. Characters that YAML does not allow are an error.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)?),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)?),
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(utf8(rest)?),
        _ => Cow::Borrowed(utf8(bytes)?),
    };
    if text.bytes().all(is_allowed_ascii) || text.chars().all(is_allowed) {
        Ok(text)
    } else {
        Err(invalid("control characters are not allowed"))
    }
}

fn invalid(problem: &str) -> Error {
    Error::yaml(ErrorKind::Syntax, 0, problem)
}

/// Whether a byte is an allowed character in ASCII, which most texts consist of.
fn is_allowed_ascii(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~')
}

fn is_allowed(character: char) -> bool {
    matches!(
        character,
        '\t' | '\n'
            | '\r'
            | ' '..='~'
            | '\u{85}'
            | '\u{a0}'..='\u{d7ff}'
            | '\u{e000}'..='\u{fffd}'
            | '\u{10000}'..
    )
}

fn utf8(bytes: &[u8]) -> Result<&str, Error> {
    str::from_utf8(bytes).map_err(|error| {
        let rest = &bytes[error.valid_up_to()..];
        invalid(match (rest[0], error.error_len()) {
            (0x80..=0xbf | 0xf8.., _) => "invalid leading UTF-8 octet",
            (_, None) => "incomplete UTF-8 octet sequence",
            (0xc0 | 0xc1, _) if continues(rest, 1) => "invalid length of a UTF-8 sequence",
            (0xe0, _) if continues(rest, 2) => "invalid length of a UTF-8 sequence",
            (0xf0, _) if continues(rest, 3) => "invalid length of a UTF-8 sequence",
            (0xed, _) if continues(rest, 2) => "invalid Unicode character",
            (0xf4..=0xf7, _) if continues(rest, 3) => "invalid Unicode character",
            (first, _) if rest.len() < width(first) => "incomplete UTF-8 octet sequence",
            _ => "invalid trailing UTF-8 octet",
        })
    })
}

fn width(first: u8) -> usize {
    match first {
        ..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    }
}

fn continues(rest: &[u8], count: usize) -> bool {
    rest.len() > count && rest[1..=count].iter().all(|byte| byte & 0xc0 == 0x80)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, Error> {
    let pairs = bytes.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return Err(invalid("incomplete UTF-16 character"));
    }
    char::decode_utf16(pairs.map(|pair| unit([pair[0], pair[1]])))
        .collect::<Result<String, _>>()
        .map_err(|error| {
            invalid(if error.unpaired_surrogate() < 0xdc00 {
                "expected low surrogate area"
            } else {
                "unexpected low surrogate area"
            })
        })
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn byte_order_mark_selects_the_encoding() {
        assert_eq!(decode(b"\xef\xbb\xbfa: 1").unwrap(), "a: 1");
        assert_eq!(decode(b"\xff\xfea\0:\0").unwrap(), "a:");
        assert_eq!(decode(b"\xfe\xff\0a\0:").unwrap(), "a:");
        assert_eq!(decode(b"\xfe\xff\xd8\x3d\xde\x00").unwrap(), "😀");
        assert_eq!(decode(b"a: \xc3\xa9").unwrap(), "a: é");
    }

    #[test]
    fn invalid_encodings_report_the_error_of_libyaml() {
        for (bytes, problem) in [
            (&b"a\xff"[..], "invalid leading UTF-8 octet"),
            (b"\x80", "invalid leading UTF-8 octet"),
            (b"\xc3", "incomplete UTF-8 octet sequence"),
            (b"\xe2\x82", "incomplete UTF-8 octet sequence"),
            (b"\xc3a", "invalid trailing UTF-8 octet"),
            (b"\xc0\x80", "invalid length of a UTF-8 sequence"),
            (b"\xed\xa0\x80", "invalid Unicode character"),
            (b"\xf4\x90\x80\x80", "invalid Unicode character"),
            (b"\xff\xfea", "incomplete UTF-16 character"),
            (b"\xfe\xff\xdc\x00", "unexpected low surrogate area"),
            (b"\xfe\xff\xd8\x00\0a", "expected low surrogate area"),
            (b"a\0b", "control characters are not allowed"),
            (b"\x7f", "control characters are not allowed"),
            (b"\xc2\x9f", "control characters are not allowed"),
            (b"\xef\xbf\xbf", "control characters are not allowed"),
        ] {
            let message = decode(bytes).unwrap_err().to_string();
            assert_eq!(message, format!("yaml: {problem}"), "{bytes:?}");
        }
    }
}
