//! Encodes tar headers like Go's `archive/tar`.
//!
//! Parity: go: src/archive/tar/{common,writer,strconv}.go. USTAR when name and size fit it,
//! else PAX records before a header that carries as much as it can.

use super::BLOCK;

const NAME: usize = 100;
const PREFIX: usize = 155;
/// The first size that eleven octal digits cannot encode.
const MIN_PAX_SIZE: u64 = 1 << 33;
/// Go's writer rejects larger extended headers, because its reader does.
const MAX_EXTENDED_BYTES: usize = 1 << 20;

/// Returns the bytes before an entry's content, or `None` if no format can encode them. Go writes
/// them in two parts if there are PAX records, which can affect compression.
pub(super) fn blocks(path: &[u8], kind: u8, mode: u32, size: u64) -> Option<[Vec<u8>; 2]> {
    timed_blocks(path, kind, mode, size, 0)
}

/// Like [`blocks`], for a regular file with a time in seconds. A time that no octal digits can
/// encode becomes zero.
pub(super) fn blocks_at(path: &[u8], mode: u32, size: u64, seconds: i64) -> Option<[Vec<u8>; 2]> {
    let seconds = u64::try_from(seconds).unwrap_or_default();
    let seconds = if seconds < MIN_PAX_SIZE { seconds } else { 0 };
    timed_blocks(path, b'0', mode, size, seconds)
}

fn timed_blocks(path: &[u8], kind: u8, mode: u32, size: u64, seconds: u64) -> Option<[Vec<u8>; 2]> {
    if path.contains(&0) {
        return None;
    }
    let mut records = Vec::new();
    let split = split(path);
    if (!path.is_ascii() || path.len() > NAME) && split.is_none() {
        record(&mut records, b"path", path);
    }
    if size >= MIN_PAX_SIZE {
        // Go also records a long path in PAX if the size already needs PAX.
        if records.is_empty() && path.len() > NAME {
            record(&mut records, b"path", path);
        }
        record(&mut records, b"size", size.to_string().as_bytes());
    }
    if records.is_empty() {
        let (prefix, name) = split.unwrap_or((b"", path));
        return Some([
            Vec::new(),
            block(name, prefix, kind, mode, size, seconds).to_vec(),
        ]);
    }
    if records.len() > MAX_EXTENDED_BYTES {
        return None;
    }
    let mut extended = block(&extended_name(path), b"", b'x', 0, records.len() as u64, 0).to_vec();
    let mut rest = vec![0; padding(records.len() as u64)];
    extended.append(&mut records);
    let ascii = ascii(path);
    let octal = if size < MIN_PAX_SIZE { size } else { 0 };
    rest.extend_from_slice(&block(&ascii, b"", kind, mode, octal, seconds));
    Some([extended, rest])
}

/// The number of zero bytes after content of this size.
pub(super) fn padding(size: u64) -> usize {
    let used = usize::try_from(size % BLOCK as u64).expect("a remainder of 512 fits");
    (BLOCK - used) % BLOCK
}

/// Splits a long name into prefix and name, if USTAR can encode it.
fn split(path: &[u8]) -> Option<(&[u8], &[u8])> {
    if path.len() <= NAME || !path.is_ascii() {
        return None;
    }
    let searched = &path[..path.len().min(PREFIX + 1)];
    let slash = searched.iter().rposition(|byte| *byte == b'/')?;
    let (prefix, name) = (&path[..slash], &path[slash + 1..]);
    (!prefix.is_empty() && !name.is_empty() && name.len() <= NAME && prefix.len() <= PREFIX)
        .then_some((prefix, name))
}

fn block(name: &[u8], prefix: &[u8], kind: u8, mode: u32, size: u64, seconds: u64) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    text(&mut block[0..100], name);
    octal(&mut block[100..108], u64::from(mode));
    octal(&mut block[108..116], 0);
    octal(&mut block[116..124], 0);
    octal(&mut block[124..136], size);
    octal(&mut block[136..148], seconds);
    block[156] = kind;
    block[257..263].copy_from_slice(b"ustar\0");
    block[263..265].copy_from_slice(b"00");
    // Go writes extended headers without device numbers.
    if kind != b'x' {
        octal(&mut block[329..337], 0);
        octal(&mut block[337..345], 0);
    }
    text(&mut block[345..500], prefix);
    block[148..156].fill(b' ');
    let sum = block.iter().map(|byte| u64::from(*byte)).sum();
    octal(&mut block[148..155], sum);
    block
}

/// Copies as much as fits. A cut value that ends in `/` loses the slash, because readers treat such
/// a name as a directory.
fn text(field: &mut [u8], value: &[u8]) {
    let length = value.len().min(field.len());
    field[..length].copy_from_slice(&value[..length]);
    if let Some(end) = field.get_mut(length) {
        *end = 0;
    }
    if value.len() > length && field[length - 1] == b'/' {
        let kept = value[..length]
            .iter()
            .rposition(|byte| *byte != b'/')
            .map_or(0, |last| last + 1);
        field[kept] = 0;
    }
}

fn octal(field: &mut [u8], value: u64) {
    let width = field.len() - 1;
    text(field, format!("{value:0width$o}").as_bytes());
}

/// `<length> <key>=<value>\n`, where the length counts its own digits.
fn record(records: &mut Vec<u8>, key: &[u8], value: &[u8]) {
    let rest = key.len() + value.len() + 3;
    let mut length = rest + rest.to_string().len();
    length = rest + length.to_string().len();
    records.extend_from_slice(length.to_string().as_bytes());
    records.push(b' ');
    records.extend_from_slice(key);
    records.push(b'=');
    records.extend_from_slice(value);
    records.push(b'\n');
}

/// `<directory>/PaxHeaders.0/<file>`, ASCII only and cut to the field.
fn extended_name(path: &[u8]) -> Vec<u8> {
    let (directory, file) = match path.iter().rposition(|byte| *byte == b'/') {
        Some(slash) => path.split_at(slash + 1),
        None => (b"".as_slice(), path),
    };
    let mut name = ascii(&[directory, b"PaxHeaders.0/", file].concat());
    name.truncate(NAME);
    while name.last() == Some(&b'/') {
        name.pop();
    }
    name
}

fn ascii(path: &[u8]) -> Vec<u8> {
    path.iter().copied().filter(u8::is_ascii).collect()
}
