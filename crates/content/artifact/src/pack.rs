//! Packs a directory, a file or a text. The bytes are those of Flux's command line, so that both
//! programs give one content one digest.
//!
//! The bytes depend on names, modes and content only. Symbolic links and entries that are not files
//! are skipped, unless links are resolved. Start at [`pack`].
//!
//! Parity: fluxcd/pkg: oci/build.go, tar/tar.go.

use std::collections::BTreeSet;
use std::io::Write;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use sluice_digest::{Algorithm, Digest, HashingWriter};
use sluice_system::fs;

use crate::deflate::GzipWriter;
use crate::ignore::{MatchError, Rules};
use crate::tarball::{self, Writer};

/// Mode of the directory that holds a single packed file.
const STAGED: u32 = 0o700;
/// Mode of a copied file under the usual umask.
const COPIED: u32 = 0o755;

/// The content of a tarball.
#[derive(Debug, Clone, Copy)]
pub enum Content<'c> {
    /// A directory with everything below it.
    Directory(&'c Path),
    /// One file.
    File(&'c Path),
    /// A text, and its name in the tarball.
    Text(&'c str, &'c [u8]),
}

/// Treatment of symbolic links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// Links are skipped.
    Skipped,
    /// Link targets are packed in place of the links.
    Resolved,
}

impl Links {
    /// Resolves links if the caller wants it, and skips them otherwise.
    pub const fn resolved_if(resolve: bool) -> Self {
        if resolve {
            Self::Resolved
        } else {
            Self::Skipped
        }
    }
}

/// Why a content cannot be packed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or directory cannot be read.
    #[error(transparent)]
    Read(#[from] fs::Error),
    /// The ignore rules take too long.
    #[error(transparent)]
    Rules(#[from] MatchError),
    /// The tarball cannot be written.
    #[error(transparent)]
    Tarball(#[from] tarball::Error),
    /// An open file cannot be examined, or the compressed bytes cannot be written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Writes a compressed tarball. Returns the writer, and the digest and size of the written bytes.
/// Blocks the thread.
pub fn pack<W: Write>(
    content: Content<'_>,
    rules: Rules,
    links: Links,
    writer: W,
) -> Result<(W, Digest, u64), Error> {
    let writer = HashingWriter::new(writer, Algorithm::Sha256);
    let mut packer = Packer {
        writer: Writer::new(GzipWriter::new(writer)),
        rules,
        links,
        above: BTreeSet::new(),
    };
    match content {
        Content::Directory(path) => packer.directory(path)?,
        Content::File(path) => packer.only(path)?,
        Content::Text(name, text) => packer.text(name, text)?,
    }
    let compressed = packer.writer.finish()?;
    Ok(compressed.finish()?.finish())
}

struct Packer<W: Write> {
    writer: Writer<W>,
    rules: Rules,
    links: Links,
    /// Resolved directories on the path to the current one. A link to one of them is a cycle.
    above: BTreeSet<PathBuf>,
}

impl<W: Write> Packer<W> {
    fn directory(&mut self, directory: &Path) -> Result<(), Error> {
        let mode = match self.links {
            Links::Skipped => metadata(directory)?.mode() & 0o7777,
            Links::Resolved => STAGED,
        };
        self.put(|writer| writer.directory_with_mode(b".", mode))?;
        self.below(directory, b"")
    }

    fn is_excluded(&self, path: &[u8], directory: bool) -> Result<bool, Error> {
        Ok(self.rules.exclude(path, directory)?)
    }

    fn below(&mut self, directory: &Path, prefix: &[u8]) -> Result<(), Error> {
        let mut entered = None;
        if self.links == Links::Resolved {
            let real = fs::canonicalize(directory)?;
            if !self.above.insert(real.clone()) {
                return Ok(());
            }
            entered = Some(real);
        }
        for entry in fs::read_dir(directory)? {
            let name = entry.path.file_name().unwrap_or_default().as_bytes();
            let path = if prefix.is_empty() {
                name.to_vec()
            } else {
                [prefix, b"/", name].concat()
            };
            let kind = if self.links == Links::Resolved {
                metadata(&entry.path)?.file_type()
            } else {
                entry.file_type
            };
            if kind.is_dir() {
                // Entries below have their own rules, which may include them again.
                if !self.is_excluded(&path, true)? {
                    let mode = self.mode(&metadata(&entry.path)?);
                    self.put(|writer| writer.directory_with_mode(&path, mode))?;
                }
                self.below(&entry.path, &path)?;
            } else if kind.is_file() && !self.is_excluded(&path, false)? {
                self.file(&entry.path, &path)?;
            }
        }
        if let Some(real) = entered {
            self.above.remove(&real);
        }
        Ok(())
    }

    fn only(&mut self, file: &Path) -> Result<(), Error> {
        self.links = Links::Resolved;
        self.put(|writer| writer.directory_with_mode(b".", STAGED))?;
        let name = file.file_name().unwrap_or_default().as_bytes();
        if self.is_excluded(name, false)? {
            return Ok(());
        }
        self.file(file, name)
    }

    fn text(&mut self, name: &str, text: &[u8]) -> Result<(), Error> {
        self.put(|writer| writer.directory_with_mode(b".", STAGED))?;
        let size = text.len() as u64;
        self.put(|writer| writer.file_with_mode(name.as_bytes(), 0o600, size, text))
    }

    fn file(&mut self, from: &Path, path: &[u8]) -> Result<(), Error> {
        let content = fs::open(from)?;
        let metadata = content.metadata()?;
        let mode = self.mode(&metadata);
        self.put(|writer| writer.file_with_mode(path, mode, metadata.len(), content))
    }

    /// Returns the mode in the tarball. A file packed in place keeps its mode. A copied file, such
    /// as a link target, loses bits to the umask as in Flux.
    fn mode(&self, metadata: &fs::Metadata) -> u32 {
        match self.links {
            Links::Skipped => metadata.mode() & 0o7777,
            Links::Resolved => metadata.mode() & COPIED,
        }
    }

    fn put(
        &mut self,
        write: impl FnOnce(&mut Writer<W>) -> Result<(), tarball::Error>,
    ) -> Result<(), Error> {
        Ok(write(&mut self.writer)?)
    }
}

fn metadata(path: &Path) -> Result<fs::Metadata, Error> {
    Ok(fs::metadata(path)?)
}
