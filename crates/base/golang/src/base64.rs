//! Base64 and base32 with the standard alphabets, refused in Go's words.

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Where a text stops being an encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("illegal base{base} data at input byte {position}")]
pub struct CorruptInputError {
    base: u32,
    position: usize,
}

/// Encodes as `base64.StdEncoding` does.
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        push_group(&mut out, chunk, BASE64, 6, 3, 4);
    }
    out
}

/// Encodes as `base32.StdEncoding` does.
pub fn encode32(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(5) * 8);
    for chunk in bytes.chunks(5) {
        push_group(&mut out, chunk, BASE32, 5, 5, 8);
    }
    out
}

/// Appends the letters of up to `bytes` bytes, padded to `letters`.
fn push_group(
    out: &mut String,
    chunk: &[u8],
    alphabet: &[u8],
    bits: usize,
    bytes: usize,
    letters: usize,
) {
    let fold = |group: u64, index: usize| group << 8 | u64::from(*chunk.get(index).unwrap_or(&0));
    let group = (0..bytes).fold(0, fold);
    let used = (chunk.len() * 8).div_ceil(bits);
    for index in 0..letters {
        if index >= used {
            out.push('=');
            continue;
        }
        let shift = bits * (letters - 1 - index);
        let letter = usize::try_from(group >> shift).unwrap_or(0) % alphabet.len();
        out.push(char::from(alphabet[letter]));
    }
}

fn letter(alphabet: &[u8], byte: u8) -> Option<u64> {
    let found = alphabet.iter().position(|letter| *letter == byte)?;
    Some(found as u64)
}

const fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Decodes as `base64.StdEncoding` does; line breaks are skipped.
pub fn decode(text: &[u8]) -> Result<Vec<u8>, CorruptInputError> {
    let corrupt = |position| CorruptInputError { base: 64, position };
    let mut table = [None; 256];
    for (index, byte) in (0_u32..).zip(BASE64) {
        table[usize::from(*byte)] = Some(index);
    }
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut group, mut count) = (0_u32, 0_usize);
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        at += 1;
        if let Some(value) = table[usize::from(*byte)] {
            group = group << 6 | value;
            count += 1;
            if count == 4 {
                out.extend_from_slice(&group.to_be_bytes()[1..]);
                (group, count) = (0, 0);
            }
            continue;
        }
        if is_newline(*byte) {
            continue;
        }
        if *byte != b'=' || count < 2 {
            return Err(corrupt(at - 1));
        }
        let skip_newlines = |at: &mut usize| {
            while text.get(*at).is_some_and(|byte| is_newline(*byte)) {
                *at += 1;
            }
        };
        if count == 2 {
            skip_newlines(&mut at);
            match text.get(at) {
                None => return Err(corrupt(text.len())),
                Some(b'=') => at += 1,
                Some(_) => return Err(corrupt(at - 1)),
            }
        }
        skip_newlines(&mut at);
        if at < text.len() {
            return Err(corrupt(at));
        }
        let bytes = (group << (6 * (4 - count))).to_be_bytes();
        out.extend_from_slice(&bytes[1..count]);
        return Ok(out);
    }
    if count > 0 {
        return Err(corrupt(text.len() - count));
    }
    Ok(out)
}

/// Decodes as `base32.StdEncoding` does; line breaks are skipped.
pub fn decode32(text: &[u8]) -> Result<Vec<u8>, CorruptInputError> {
    let corrupt = |position| CorruptInputError { base: 32, position };
    let text: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !is_newline(*byte))
        .collect();
    let mut out = Vec::with_capacity(text.len() / 8 * 5);
    let mut at = 0;
    while at < text.len() {
        let (mut group, mut count) = (0_u64, 0_usize);
        let mut is_end = false;
        while count < 8 {
            let Some(byte) = text.get(at) else {
                return Err(corrupt(at.saturating_sub(count)));
            };
            at += 1;
            let left = text.len() - at;
            if *byte == b'=' && count >= 2 && left < 8 {
                if left + count < 7 {
                    return Err(corrupt(text.len()));
                }
                for index in 0..7 - count {
                    if text.get(at + index).is_some_and(|byte| *byte != b'=') {
                        return Err(corrupt(at + index - 1));
                    }
                }
                if matches!(count, 1 | 3 | 6) {
                    return Err(corrupt(at - 1));
                }
                is_end = true;
                break;
            }
            match letter(BASE32, *byte) {
                Some(value) => group = group << 5 | value,
                None => return Err(corrupt(at - 1)),
            }
            count += 1;
        }
        let bytes = (group << (5 * (8 - count))).to_be_bytes();
        out.extend_from_slice(&bytes[3..3 + count * 5 / 8]);
        if is_end {
            break;
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{decode, decode32, encode, encode32};

    #[test]
    fn encodings_read_back() {
        for text in ["", "f", "fo", "foo", "foob", "fooba", "foobar"] {
            assert_eq!(
                decode(encode(text.as_bytes()).as_bytes()).unwrap(),
                text.as_bytes()
            );
            let text = text.as_bytes();
            assert_eq!(decode32(encode32(text).as_bytes()).unwrap(), text);
        }
        assert_eq!(encode32(b"foob"), "MZXW6YQ=");
    }

    #[test]
    fn corrupt_input_names_its_place() {
        let error = |text: &[u8]| decode(text).unwrap_err().to_string();
        assert_eq!(error(b"a"), "illegal base64 data at input byte 0");
        assert_eq!(error(b"Zm9v!"), "illegal base64 data at input byte 4");
        let error = decode32(b"MZ1").unwrap_err().to_string();
        assert_eq!(error, "illegal base32 data at input byte 2");
    }
}
