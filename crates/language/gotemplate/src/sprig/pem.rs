//! PEM blocks, and the little of DER that keys need.

use sluice_golang::base64;

use super::strings::find;

/// The first block of a text.
pub(super) struct Block {
    /// The words between `BEGIN` and the dashes.
    pub(super) kind: String,
    pub(super) der: Vec<u8>,
}

/// Reads the first block of a text.
pub(super) fn decode(text: &[u8]) -> Option<Block> {
    const BEGIN: &[u8] = b"-----BEGIN ";
    let rest = &text[find(text, BEGIN)? + BEGIN.len()..];
    let end = find(rest, b"-----")?;
    let kind = String::from_utf8_lossy(&rest[..end]).into_owned();
    let body = &rest[end + 5..];
    let body = &body[..find(body, format!("-----END {kind}-----").as_bytes())?];
    let letters: Vec<u8> = body.trim_ascii().to_vec();
    let der = base64::decode(&letters).ok()?;
    Some(Block { kind, der })
}

/// Writes a block in lines of 64 letters.
pub(super) fn encode(kind: &str, der: &[u8]) -> String {
    let mut out = format!("-----BEGIN {kind}-----\n");
    let letters = base64::encode(der);
    let mut rest = letters.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(rest.len().min(64));
        out.push_str(line);
        out.push('\n');
        rest = after;
    }
    out.push_str(&format_end(kind));
    out
}

fn format_end(kind: &str) -> String {
    format!("-----END {kind}-----\n")
}

/// The tag, the content and the rest of a DER value.
fn value(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = der.split_first()?;
    let (first, mut rest) = rest.split_first()?;
    let mut length = usize::from(*first);
    if *first >= 0x80 {
        let (bytes, after) = rest.split_at_checked(usize::from(first & 0x7f))?;
        if bytes.len() > 4 {
            return None;
        }
        length = bytes
            .iter()
            .fold(0, |length, byte| length << 8 | usize::from(*byte));
        rest = after;
    }
    let (content, rest) = rest.split_at_checked(length)?;
    Some((*tag, content, rest))
}

/// The content of a DER sequence that is the whole input.
pub(super) fn sequence(der: &[u8]) -> Option<&[u8]> {
    match value(der)? {
        (0x30, content, []) => Some(content),
        _ => None,
    }
}

/// The key inside of a PKCS#8 wrapping.
pub(super) fn inner_key(pkcs8: &[u8]) -> Option<&[u8]> {
    let (_, _, rest) = value(sequence(pkcs8)?)?;
    let (_, _, rest) = value(rest)?;
    match value(rest)? {
        (0x04, key, _) => Some(key),
        _ => None,
    }
}
