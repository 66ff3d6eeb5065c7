//! Writes deterministic tar streams: the same tree gives the same bytes.
//!
//! Order, names, modes, owners, times and the choice between USTAR and PAX headers are those of
//! Flux, byte for byte. Entries out of order are errors, because the order is part of the bytes.
//! The caller provides the entries, for example from a disk, from Git objects or from another
//! archive. Start at [`Writer`].

mod header;

use std::io::{self, Read, Write};

use jiff::Timestamp;

use crate::ignore::MatchError;

/// The mode of all directories.
const DIRECTORY_MODE: u32 = 0o750;
/// The mode of files that are not executable.
const FILE_MODE: u32 = 0o600;
/// The mode of executable files.
const EXECUTABLE_MODE: u32 = 0o700;
const BLOCK: usize = 512;

/// Why an entry could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The ignore rules of the archive take too long.
    #[error(transparent)]
    Rules(#[from] MatchError),
    /// The entries are not in the order of a lexical pre-order walk.
    #[error("tar entry '{path}' is out of order, it comes after '{previous}'")]
    Order {
        /// The entry that is out of order.
        path: String,
        /// The previous entry.
        previous: String,
    },
    /// The content is shorter or longer than the announced size.
    #[error("tar entry '{path}' has {actual} bytes of content, {expected} were announced")]
    Size {
        /// The entry.
        path: String,
        /// The announced size.
        expected: u64,
        /// The bytes read. If there are too many, one more than announced.
        actual: u64,
    },
    /// No tar header can encode the entry's name.
    #[error("tar entry '{path}' has a name that no tar header can encode")]
    Name {
        /// The entry.
        path: String,
    },
    /// Reading the content failed.
    #[error("read content of tar entry '{path}'")]
    Read {
        /// The entry.
        path: String,
        /// The cause.
        source: io::Error,
    },
    /// Writing the stream failed.
    #[error("write tar entry '{path}'")]
    Write {
        /// The entry.
        path: String,
        /// The cause.
        source: io::Error,
    },
}

/// Writes an uncompressed, deterministic tar stream.
///
/// Paths are bytes relative to the root, separated by `/`. Git guarantees no encoding. The root
/// itself is `.`.
pub struct Writer<W> {
    inner: W,
    previous: Option<Vec<u8>>,
    buffer: Box<[u8]>,
}

impl<W: Write> Writer<W> {
    /// Starts a stream. The caller first writes the root with `directory(b".")`.
    pub fn new(inner: W) -> Self {
        Self {
            inner,
            previous: None,
            buffer: vec![0; 64 * 1024].into_boxed_slice(),
        }
    }

    /// Writes a directory.
    pub fn directory(&mut self, path: &[u8]) -> Result<(), Error> {
        self.directory_with_mode(path, DIRECTORY_MODE)
    }

    /// Writes a regular file whose content is exactly `size` bytes.
    pub fn file(
        &mut self,
        path: &[u8],
        executable: bool,
        size: u64,
        content: impl Read,
    ) -> Result<(), Error> {
        let mode = if executable {
            EXECUTABLE_MODE
        } else {
            FILE_MODE
        };
        self.file_with_mode(path, mode, size, content)
    }

    /// Writes a directory with its own mode, for content that users pack themselves.
    pub fn directory_with_mode(&mut self, path: &[u8], mode: u32) -> Result<(), Error> {
        self.advance(path)?;
        self.header(path, b'5', mode, 0)
    }

    /// Writes a regular file with its own mode.
    pub fn file_with_mode(
        &mut self,
        path: &[u8],
        mode: u32,
        size: u64,
        mut content: impl Read,
    ) -> Result<(), Error> {
        self.advance(path)?;
        self.header(path, b'0', mode, size)?;
        let mut copied = 0;
        loop {
            let read = match content.read(&mut self.buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(source) => {
                    return Err(Error::Read {
                        path: lossy(path),
                        source,
                    });
                }
            };
            if copied + read as u64 > size {
                copied = size + 1;
                break;
            }
            copied += read as u64;
            write_all(&mut self.inner, &self.buffer[..read], path)?;
        }
        if copied != size {
            return Err(Error::Size {
                path: lossy(path),
                expected: size,
                actual: copied,
            });
        }
        let padding = header::padding(size);
        write_all(&mut self.inner, &[0; BLOCK][..padding], path)
    }

    /// Writes a regular file with its own mode and time, in any order. For archives of other
    /// programs, whose order is not that of a walk.
    pub fn file_in_any_order(
        &mut self,
        path: &[u8],
        mode: u32,
        modified: Option<Timestamp>,
        content: &[u8],
    ) -> Result<(), Error> {
        let seconds = modified.map_or(0, jiff::Timestamp::as_second);
        let blocks = header::blocks_at(path, mode, content.len() as u64, seconds)
            .ok_or_else(|| Error::Name { path: lossy(path) })?;
        for part in &blocks {
            write_all(&mut self.inner, part, path)?;
        }
        // One write, as in Go: the compressed bytes can depend on it.
        write_all(&mut self.inner, content, path)?;
        let padding = header::padding(content.len() as u64);
        write_all(&mut self.inner, &[0; BLOCK][..padding], path)
    }

    /// Ends the stream with two empty blocks.
    pub fn finish(mut self) -> Result<W, Error> {
        write_all(&mut self.inner, &[0; 2 * BLOCK], b"end of archive")?;
        Ok(self.inner)
    }

    fn header(&mut self, path: &[u8], kind: u8, mode: u32, size: u64) -> Result<(), Error> {
        let blocks = header::blocks(path, kind, mode, size)
            .ok_or_else(|| Error::Name { path: lossy(path) })?;
        blocks
            .iter()
            .try_for_each(|part| write_all(&mut self.inner, part, path))
    }

    /// Checks the order, so that a wrong walk cannot change the digest of an artifact.
    fn advance(&mut self, path: &[u8]) -> Result<(), Error> {
        if let Some(previous) = &mut self.previous {
            if !is_before(previous, path) {
                return Err(Error::Order {
                    path: lossy(path),
                    previous: lossy(previous),
                });
            }
            previous.clear();
            previous.extend_from_slice(path);
        } else {
            self.previous = Some(path.to_vec());
        }
        Ok(())
    }
}

/// Whether `left` comes before `right` in a lexical pre-order walk: siblings sorted by name, and a
/// directory directly before its content.
fn is_before(left: &[u8], right: &[u8]) -> bool {
    match (left, right) {
        (_, b".") => false,
        (b".", _) => true,
        _ => left
            .split(|byte| *byte == b'/')
            .lt(right.split(|byte| *byte == b'/')),
    }
}

fn write_all(writer: &mut impl Write, bytes: &[u8], path: &[u8]) -> Result<(), Error> {
    writer.write_all(bytes).map_err(|source| Error::Write {
        path: lossy(path),
        source,
    })
}

fn lossy(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}
