//! The deterministic tar stream: the same tree gives the same bytes on every machine.
//!
//! Owns the rules by which Flux writes an artifact: order, names, modes, owners, times and the
//! choice between USTAR and PAX headers, byte for byte as Go's `archive/tar` would write the
//! same entries. Refuses entries out of order, because order is part of the bytes. It knows no
//! ignore rules and no file system: a caller feeds entries, which may come from a disk, from
//! Git objects or from another archive. Start at [`Writer`].

mod header;

use std::io::{self, Read, Write};

use crate::compress::Compressor;

/// The mode of every directory.
const DIRECTORY_MODE: u32 = 0o750;
/// The mode of a file that nobody may execute.
const FILE_MODE: u32 = 0o600;
/// The mode of a file that somebody may execute.
const EXECUTABLE_MODE: u32 = 0o700;
const BLOCK: usize = 512;

/// Why an entry was refused or could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Entries must come as a lexical pre-order walk yields them.
    #[error("tar entry '{path}' comes after '{previous}', which sorts behind it")]
    Order {
        /// The entry that came too late.
        path: String,
        /// The entry written before it.
        previous: String,
    },
    /// The content ended before, or went on after, the announced size.
    #[error("tar entry '{path}' has {actual} bytes of content, {expected} were announced")]
    Size {
        /// The entry.
        path: String,
        /// The announced size.
        expected: u64,
        /// The bytes seen; one more than announced when there were too many.
        actual: u64,
    },
    /// No tar header can carry the entry's name.
    #[error("tar entry '{path}' has a name that no header can carry")]
    Name {
        /// The entry.
        path: String,
    },
    /// The content could not be read.
    #[error("read content of tar entry '{path}'")]
    Read {
        /// The entry.
        path: String,
        /// What reading answered.
        source: io::Error,
    },
    /// The stream could not be written.
    #[error("write tar entry '{path}'")]
    Write {
        /// The entry.
        path: String,
        /// What writing answered.
        source: io::Error,
    },
}

/// Writes an uncompressed, deterministic tar stream.
///
/// Paths are bytes relative to the root, with `/` between components; Git promises no more than
/// that of a name. The root itself is the path `.`.
pub struct Writer<W> {
    inner: W,
    previous: Option<Vec<u8>>,
    buffer: Box<[u8]>,
}

impl<W: Write> Writer<W> {
    /// Starts a stream; the caller writes the root with `directory(b".")` first.
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

    /// Writes a directory with the mode it has: what users pack themselves keeps it.
    pub fn directory_with_mode(&mut self, path: &[u8], mode: u32) -> Result<(), Error> {
        self.advance(path)?;
        self.header(path, b'5', mode, 0)
    }

    /// Writes a regular file with the mode it has.
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

    /// Ends the stream with its two empty blocks.
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

    /// Order is part of the bytes, so a caller that walks wrongly must not produce an artifact
    /// whose digest depends on its mistake.
    fn advance(&mut self, path: &[u8]) -> Result<(), Error> {
        if let Some(previous) = &mut self.previous {
            if !before(previous, path) {
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

/// Compresses a stream as artifacts are: as Flux does it, so that an artifact that is made anew
/// after a take-over, or after a lost volume, has the digest that it had before.
///
/// A golden digest in the tests makes a change of the bytes visible, since every consumer would
/// see it as a new artifact.
pub fn compressed<W: Write + Send + 'static>(inner: W) -> Compressor<W> {
    Compressor::new(inner)
}

/// Tells whether `left` comes strictly before `right` in a lexical pre-order walk: siblings by
/// the bytes of their names, a directory directly before its children.
fn before(left: &[u8], right: &[u8]) -> bool {
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
