//! One file out of a zip archive: found in its directory, unpacked within a limit, its checksum
//! compared.
//!
//! Only what a program is packed with is read: stored or deflated, neither encrypted nor larger
//! than four gigabytes. Links, folders and names that lead elsewhere are passed over.

use std::io::{self, Read, Seek, SeekFrom, Write};

use flate2::Crc;
use flate2::read::DeflateDecoder;

/// Where the directory is looked for: its end is the last thing but for a comment.
const TAIL: u64 = 22 + 0xffff;
/// No directory is larger.
const DIRECTORY: u64 = 64 << 20;

#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    #[error("{0}")]
    Invalid(&'static str),
    #[error("its program is larger than {0} bytes")]
    TooLarge(u64),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// One file of the directory.
struct Entry {
    name: String,
    method: u16,
    crc: u32,
    packed: u64,
    size: u64,
    /// Where its own header is.
    header: u64,
}

/// Copies the first file whose name is wanted; `false` if there is none.
pub(super) fn extract(
    archive: &mut (impl Read + Seek),
    wanted: impl Fn(&str) -> bool,
    limit: u64,
    into: &mut impl Write,
) -> Result<bool, Error> {
    let Some(entry) = directory(archive)?
        .into_iter()
        .find(|entry| wanted(&entry.name))
    else {
        return Ok(false);
    };
    if entry.size > limit {
        return Err(Error::TooLarge(limit));
    }
    archive.seek(SeekFrom::Start(entry.header))?;
    let mut header = [0; 30];
    archive.read_exact(&mut header)?;
    if !header.starts_with(b"PK\x03\x04") {
        return Err(Error::Invalid("a file is not where the directory says"));
    }
    if number(&header, 6, 2) & 1 != 0 {
        return Err(Error::Invalid("its program is encrypted"));
    }
    let skipped = number(&header, 26, 2) + number(&header, 28, 2);
    archive.seek(SeekFrom::Current(
        i64::try_from(skipped).unwrap_or(i64::MAX),
    ))?;
    let packed = archive.take(entry.packed);
    match entry.method {
        0 => unpack(packed, &entry, into)?,
        8 => unpack(DeflateDecoder::new(packed), &entry, into)?,
        _ => return Err(Error::Invalid("its program is packed in an unknown way")),
    }
    Ok(true)
}

fn unpack(reader: impl Read, entry: &Entry, into: &mut impl Write) -> Result<(), Error> {
    // One byte more than announced tells of a lie.
    let mut reader = reader.take(entry.size + 1);
    let (mut crc, mut size, mut buffer) = (Crc::new(), 0, vec![0; 64 * 1024]);
    loop {
        let read = reader.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        crc.update(&buffer[..read]);
        size += read as u64;
        into.write_all(&buffer[..read])?;
    }
    if size != entry.size || crc.sum() != entry.crc {
        return Err(Error::Invalid("its program is not what the directory says"));
    }
    Ok(())
}

/// The regular files in the archive's directory.
fn directory(archive: &mut (impl Read + Seek)) -> Result<Vec<Entry>, Error> {
    let length = archive.seek(SeekFrom::End(0))?;
    let begin = length.saturating_sub(TAIL);
    archive.seek(SeekFrom::Start(begin))?;
    let mut tail = Vec::new();
    archive.take(TAIL).read_to_end(&mut tail)?;
    let end = tail
        .windows(4)
        .rposition(|window| window == b"PK\x05\x06")
        .filter(|at| tail.len() >= at + 22)
        .ok_or(Error::Invalid("it has no directory"))?;
    let (size, offset) = (number(&tail, end + 12, 4), number(&tail, end + 16, 4));
    if size > DIRECTORY || offset == u64::from(u32::MAX) {
        return Err(Error::Invalid("its directory is too large"));
    }
    archive.seek(SeekFrom::Start(offset))?;
    let mut directory = Vec::new();
    archive.take(size).read_to_end(&mut directory)?;
    let mut entries = Vec::new();
    let mut rest = directory.as_slice();
    while rest.starts_with(b"PK\x01\x02") && rest.len() >= 46 {
        let [name, extra, comment] =
            [28, 30, 32].map(|at| usize::try_from(number(rest, at, 2)).unwrap_or(usize::MAX));
        let length = 46 + name + extra + comment;
        if rest.len() < length {
            return Err(Error::Invalid("its directory is cut short"));
        }
        let text = String::from_utf8_lossy(&rest[46..46 + name]).into_owned();
        // Made on Unix, the upper half of the attributes is the mode.
        let kind = number(rest, 40, 2) & 0o170_000;
        let is_regular = !text.ends_with('/') && (kind == 0 || kind == 0o100_000);
        if is_regular && is_local(&text) {
            entries.push(Entry {
                name: text,
                method: u16::try_from(number(rest, 10, 2)).unwrap_or(u16::MAX),
                crc: u32::try_from(number(rest, 16, 4)).unwrap_or_default(),
                packed: number(rest, 20, 4),
                size: number(rest, 24, 4),
                header: number(rest, 42, 4),
            });
        }
        rest = &rest[length..];
    }
    Ok(entries)
}

/// A number of so many bytes, the lowest first; the place is known to be there.
fn number(bytes: &[u8], at: usize, width: usize) -> u64 {
    let bytes = bytes.get(at..at + width).unwrap_or_default();
    bytes
        .iter()
        .rev()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Whether a name stays below where it is unpacked.
fn is_local(name: &str) -> bool {
    !name.starts_with('/')
        && !name.contains('\\')
        && !name.contains('\0')
        && name.split('/').all(|part| part != "..")
}

#[cfg(test)]
pub(super) mod tests {
    use flate2::Compression;
    use flate2::read::DeflateEncoder;

    use super::*;

    /// An archive of files: name, content, whether it is deflated, mode.
    pub(crate) fn archive(files: &[(&str, &[u8], bool, u16)]) -> Vec<u8> {
        let (mut bytes, mut directory) = (Vec::new(), Vec::new());
        for (name, content, deflated, mode) in files {
            let mut crc = Crc::new();
            crc.update(content);
            let mut packed = Vec::new();
            if *deflated {
                DeflateEncoder::new(*content, Compression::default())
                    .read_to_end(&mut packed)
                    .unwrap();
            } else {
                packed.extend_from_slice(content);
            }
            let header = u32::try_from(bytes.len()).unwrap();
            let method = if *deflated { 8_u16 } else { 0 };
            let mut common = Vec::new();
            common.extend([20, 0, 0, 0]);
            common.extend(method.to_le_bytes());
            common.extend([0; 4]);
            common.extend(crc.sum().to_le_bytes());
            common.extend(u32::try_from(packed.len()).unwrap().to_le_bytes());
            common.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
            common.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
            common.extend([0; 2]);
            bytes.extend(b"PK\x03\x04");
            bytes.extend(&common);
            bytes.extend(name.as_bytes());
            bytes.extend(&packed);
            directory.extend(b"PK\x01\x02\x14\x03");
            directory.extend(&common);
            directory.extend([0; 8]);
            directory.extend(mode.to_le_bytes());
            directory.extend(header.to_le_bytes());
            directory.extend(name.as_bytes());
        }
        let (offset, size) = (bytes.len(), directory.len());
        bytes.extend(&directory);
        bytes.extend(b"PK\x05\x06");
        bytes.extend([0; 8]);
        bytes.extend(u32::try_from(size).unwrap().to_le_bytes());
        bytes.extend(u32::try_from(offset).unwrap().to_le_bytes());
        bytes.extend([0; 2]);
        bytes
    }

    fn taken(bytes: &[u8], name: &str) -> Result<Option<Vec<u8>>, Error> {
        let mut content = Vec::new();
        let mut archive = io::Cursor::new(bytes);
        extract(&mut archive, |found| found == name, 1 << 20, &mut content)
            .map(|found| found.then_some(content))
    }

    #[test]
    fn a_file_is_taken_out_stored_or_deflated() {
        let long = b"program ".repeat(1000);
        let bytes = archive(&[
            ("README", b"words", false, 0o100_644),
            ("bin/flux-a", &long, true, 0o100_755),
            ("windows.exe", b"exe", false, 0),
        ]);
        assert_eq!(taken(&bytes, "README").unwrap().unwrap(), b"words");
        assert_eq!(taken(&bytes, "bin/flux-a").unwrap().unwrap(), long);
        assert_eq!(taken(&bytes, "windows.exe").unwrap().unwrap(), b"exe");
        assert_eq!(taken(&bytes, "other").unwrap(), None);
    }

    #[test]
    fn links_folders_and_names_that_lead_elsewhere_are_passed_over() {
        let bytes = archive(&[
            ("link", b"/etc/passwd", false, 0o120_777),
            ("folder/", b"", false, 0o040_755),
            ("../flux-a", b"x", false, 0o100_755),
            ("/flux-a", b"x", false, 0o100_755),
        ]);
        for name in ["link", "folder/", "../flux-a", "/flux-a"] {
            assert_eq!(taken(&bytes, name).unwrap(), None, "{name}");
        }
    }

    #[test]
    fn what_is_cut_short_or_changed_is_refused() {
        let bytes = archive(&[("a", b"content of a", false, 0o100_755)]);
        for length in 0..bytes.len() {
            assert!(taken(&bytes[..length], "a").is_err(), "{length}");
        }
        let mut changed = bytes.clone();
        changed[33] ^= 1;
        assert!(taken(&changed, "a").is_err());
        let mut lying = bytes;
        let at = lying
            .windows(4)
            .position(|window| window == b"PK\x01\x02")
            .unwrap();
        lying[at + 24] = 200;
        assert!(taken(&lying, "a").is_err());
    }

    #[test]
    fn a_file_larger_than_the_limit_is_refused() {
        let bytes = archive(&[("a", &[0; 4096], true, 0o100_755)]);
        let refused = extract(&mut io::Cursor::new(bytes), |_| true, 100, &mut Vec::new());
        assert!(matches!(refused, Err(Error::TooLarge(100))));
    }
}
