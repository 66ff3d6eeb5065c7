//! Parses the subset of the tar format that artifacts use.
//!
//! This parser alone decides name and size of an entry. If two layers read a header differently
//! (for example its PAX size), an archive can smuggle entries. Sparse files are rejected, because
//! they have two sizes. All headers are limited before they are read into memory.

use std::io::{self, Read};

use super::Error;

const BLOCK: usize = 512;
/// Go's reader has the same limit.
const MAX_EXTENDED_BYTES: u64 = 1 << 20;
/// All extended headers of an archive. They are not part of its content, but must be read.
const MAX_ALL_EXTENDED_BYTES: u64 = 256 << 20;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    SymbolicLink,
    /// A hard link to an earlier entry.
    HardLink,
    /// A device, pipe, sparse file or unknown type.
    Special,
}

impl EntryKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Directory => "directory",
            Self::SymbolicLink => "symbolic link",
            Self::HardLink => "hard link",
            Self::Special => "special file",
        }
    }
}

/// The fields of a header that are used.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) name: Vec<u8>,
    pub(super) kind: EntryKind,
    pub(super) mode: u32,
    pub(super) size: u64,
    /// Seconds since 1970.
    pub(super) modified: u64,
}

/// Reads headers and contents.
pub(super) struct Parser<R> {
    reader: R,
    offset: u64,
    /// The bytes of all extended headers.
    extended: u64,
    /// Unread content of the current entry, and the padding after it.
    remaining: u64,
    padding: u64,
    current: String,
    finished: bool,
}

/// Values of extended headers for the next entry.
#[derive(Default)]
struct ExtendedHeader {
    name: Option<Vec<u8>>,
    size: Option<u64>,
}

impl<R: Read> Parser<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            offset: 0,
            extended: 0,
            remaining: 0,
            padding: 0,
            current: String::new(),
            finished: false,
        }
    }

    /// Skips the rest of the current entry and reads the next header.
    pub(super) fn next_header(&mut self) -> Result<Option<Header>, Error> {
        if self.finished {
            return Ok(None);
        }
        let mut extended = ExtendedHeader::default();
        loop {
            self.skip()?;
            let at = self.offset;
            let invalid = |reason| Error::Header { offset: at, reason };
            let Some(block) = self.block()? else {
                self.finished = true;
                return Ok(None);
            };
            if block.iter().all(|byte| *byte == 0) {
                // Two empty blocks end the archive. Like Go, accept one at the end of the stream.
                if let Some(second) = self.block()?
                    && second.iter().any(|byte| *byte != 0)
                {
                    return Err(invalid("an empty block is followed by another header"));
                }
                self.finished = true;
                return Ok(None);
            }
            verify_checksum(&block).map_err(invalid)?;
            let size = number(&block[124..136]).map_err(invalid)?;
            self.current = String::from_utf8_lossy(until_nul(&block[..100])).into_owned();
            match block[156] {
                b'x' => self.extended(size, at, &mut extended)?,
                b'L' => {
                    let name = self.metadata(size, at)?;
                    extended.name = Some(until_nul(&name).to_vec());
                }
                // Global headers hold comments of `git archive`. A global name or size would apply
                // to all entries, so they are ignored. Link targets are not needed.
                b'g' | b'K' => {
                    self.metadata(size, at)?;
                }
                kind => {
                    let header = Header {
                        name: extended.name.take().unwrap_or_else(|| plain_name(&block)),
                        kind: classify(kind, &block),
                        mode: u32::try_from(number(&block[100..108]).map_err(invalid)? & 0o777)
                            .expect("nine bits fit into u32"),
                        size: extended.size.take().unwrap_or(size),
                        // Nothing depends on the time, so a malformed one is not an error.
                        modified: number(&block[136..148]).unwrap_or(u64::MAX),
                    };
                    // Readers disagree whether content follows such an entry, and so where the next
                    // header is.
                    if header.size > 0
                        && matches!(header.kind, EntryKind::Directory | EntryKind::SymbolicLink)
                    {
                        return Err(invalid("a directory or link has content"));
                    }
                    self.start_content(header.size);
                    self.current = String::from_utf8_lossy(&header.name).into_owned();
                    return Ok(Some(header));
                }
            }
        }
    }

    /// Reads content of the current entry. An early end of the stream is an error.
    pub(super) fn read_content(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = buffer
            .len()
            .min(usize::try_from(self.remaining).unwrap_or(usize::MAX));
        if wanted == 0 {
            return Ok(0);
        }
        let read = self.reader.read(&mut buffer[..wanted])?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.offset += read as u64;
        self.remaining -= read as u64;
        Ok(read)
    }

    /// Adds the current entry to a read error.
    pub(super) fn failure(&self, error: io::Error) -> Error {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            Error::Truncated {
                name: self.current.clone(),
                missing: self.remaining.max(1),
            }
        } else {
            Error::Read(error)
        }
    }

    fn start_content(&mut self, size: u64) {
        self.remaining = size;
        self.padding = (BLOCK as u64 - size % BLOCK as u64) % BLOCK as u64;
    }

    fn skip(&mut self) -> Result<(), Error> {
        self.remaining = self.remaining.saturating_add(self.padding);
        let content = self.remaining - self.padding;
        self.padding = 0;
        let mut buffer = [0; 8 * 1024];
        while self.remaining > 0 {
            match self.read_content(&mut buffer) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Some writers omit the padding after the last entry.
                Err(error)
                    if error.kind() == io::ErrorKind::UnexpectedEof
                        && content == 0
                        && self.remaining < BLOCK as u64 =>
                {
                    self.remaining = 0;
                }
                Err(error) => return Err(self.failure(error)),
            }
        }
        Ok(())
    }

    /// Reads a block, or returns `None` at the end of the stream.
    fn block(&mut self) -> Result<Option<[u8; BLOCK]>, Error> {
        let mut block = [0; BLOCK];
        let mut filled = 0;
        while filled < BLOCK {
            match self.reader.read(&mut block[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => {
                    return Err(Error::Header {
                        offset: self.offset,
                        reason: "the stream ends inside of it",
                    });
                }
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::Read(error)),
            }
        }
        self.offset += BLOCK as u64;
        Ok(Some(block))
    }

    /// Reads the content of an extended header.
    fn metadata(&mut self, size: u64, at: u64) -> Result<Vec<u8>, Error> {
        if size > MAX_EXTENDED_BYTES {
            return Err(Error::Header {
                offset: at,
                reason: "an extended header is larger than 1 MiB",
            });
        }
        self.extended += size;
        if self.extended > MAX_ALL_EXTENDED_BYTES {
            return Err(Error::Header {
                offset: at,
                reason: "the extended headers are larger than 256 MiB",
            });
        }
        self.start_content(size);
        let mut content = Vec::new();
        let mut buffer = [0; 8 * 1024];
        while self.remaining > 0 {
            match self.read_content(&mut buffer) {
                Ok(read) => content.extend_from_slice(&buffer[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.failure(error)),
            }
        }
        Ok(content)
    }

    fn extended(&mut self, size: u64, at: u64, extended: &mut ExtendedHeader) -> Result<(), Error> {
        let content = self.metadata(size, at)?;
        let invalid = |reason| Error::Header { offset: at, reason };
        let mut rest = content.as_slice();
        while !rest.is_empty() {
            let (key, value, after) =
                record(rest).ok_or_else(|| invalid("a PAX record is malformed"))?;
            rest = after;
            match key {
                b"path" => extended.name = Some(value.to_vec()),
                b"size" => {
                    let size = std::str::from_utf8(value)
                        .ok()
                        .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
                        .and_then(|text| text.parse().ok());
                    extended.size =
                        Some(size.ok_or_else(|| invalid("a PAX size is not a number"))?);
                }
                key if key.starts_with(b"GNU.sparse.") => {
                    return Err(invalid("sparse files are not supported"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Splits off a record `<length> <key>=<value>\n`.
fn record(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let space = bytes.iter().position(|byte| *byte == b' ')?;
    let digits = &bytes[..space];
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let length: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
    if length <= space + 1 || length > bytes.len() || bytes[length - 1] != b'\n' {
        return None;
    }
    let (record, after) = bytes.split_at(length);
    let record = &record[space + 1..length - 1];
    let equals = record.iter().position(|byte| *byte == b'=')?;
    Some((&record[..equals], &record[equals + 1..], after))
}

fn verify_checksum(block: &[u8; BLOCK]) -> Result<(), &'static str> {
    let stated = number(&block[148..156]).map_err(|_| "its checksum is not a number")?;
    let bytes = || {
        block.iter().enumerate().map(|(index, byte)| {
            if (148..156).contains(&index) {
                b' '
            } else {
                *byte
            }
        })
    };
    let unsigned: u64 = bytes().map(u64::from).sum();
    // Old writers sum signed characters.
    let signed: i64 = bytes().map(|byte| i64::from(byte.cast_signed())).sum();
    if stated == unsigned || i64::try_from(stated) == Ok(signed) {
        Ok(())
    } else {
        Err("its checksum does not match")
    }
}

/// Parses an octal number, or a binary one if the first bit is set.
fn number(field: &[u8]) -> Result<u64, &'static str> {
    const INVALID: &str = "a number field is invalid";
    if field[0] & 0x80 != 0 {
        // The second bit is the sign.
        if field[0] & 0x40 != 0 {
            return Err("a number field is negative");
        }
        return field
            .iter()
            .enumerate()
            .try_fold(0_u64, |value, (index, byte)| {
                let byte = if index == 0 { byte & 0x7f } else { *byte };
                value
                    .checked_mul(256)
                    .map(|value| value | u64::from(byte))
                    .ok_or("a number field is too large")
            });
    }
    let text: Vec<u8> = field
        .iter()
        .copied()
        .skip_while(|byte| matches!(byte, b' ' | 0))
        .take_while(|byte| !matches!(byte, b' ' | 0))
        .collect();
    text.iter().try_fold(0_u64, |value, byte| match byte {
        b'0'..=b'7' => value
            .checked_mul(8)
            .map(|value| value | u64::from(byte - b'0'))
            .ok_or("a number field is too large"),
        _ => Err(INVALID),
    })
}

fn classify(kind: u8, block: &[u8; BLOCK]) -> EntryKind {
    match kind {
        // Before USTAR, a directory was a file with a trailing slash.
        b'0' | 0 if until_nul(&block[..100]).ends_with(b"/") => EntryKind::Directory,
        b'0' | 0 => EntryKind::File,
        b'5' => EntryKind::Directory,
        b'2' => EntryKind::SymbolicLink,
        b'1' => EntryKind::HardLink,
        _ => EntryKind::Special,
    }
}

/// The name in the header itself, with the USTAR prefix.
fn plain_name(block: &[u8; BLOCK]) -> Vec<u8> {
    let name = until_nul(&block[..100]);
    let prefix = until_nul(&block[345..500]);
    if &block[257..263] == b"ustar\0" && !prefix.is_empty() {
        [prefix, b"/", name].concat()
    } else {
        name.to_vec()
    }
}

fn until_nul(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}
