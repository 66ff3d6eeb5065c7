//! Reads untrusted archives, entry by entry or into a directory.
//!
//! Entries are regular files and directories with relative names below the root. Total size, number
//! of entries and header sizes are limited. Links are rejected or skipped, and never created or
//! followed. A matching digest proves who made the archive, not that it is harmless. So all of this
//! holds for verified artifacts, too. Start at [`Entries`] or [`into_directory`].

mod parse;

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use jiff::Timestamp;

use crate::confined::{self, Directory};
pub use parse::EntryKind;
use parse::{Header, Parser};

/// Maximum path length on Linux. Other tools cannot unpack a longer one.
pub const MAX_PATH: usize = 4096;
/// Maximum number of directories above an entry. Each costs memory and time, and a name of a few
/// compressed bytes may have thousands.
pub const MAX_DEPTH: usize = 255;
/// Bytes of a longer path that the error shows.
const MAX_SHOWN_BYTES: usize = 60;

/// Limits of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum sum of the entry sizes. `None` means unlimited.
    pub total: Option<u64>,
    /// Maximum number of entries. Each costs an inode or a key in memory.
    pub entries: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            total: Some(100 << 20),
            entries: 1_000_000,
        }
    }
}

impl Limits {
    /// No limit on content. The number of entries stays limited.
    pub fn unlimited() -> Self {
        Self {
            total: None,
            ..Self::default()
        }
    }
}

/// How symbolic links in an archive are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// Links are skipped, like by consumers of artifacts.
    Skip,
    /// A link makes the archive invalid.
    Reject,
}

/// Why an archive was rejected.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The stream is not gzip, or is truncated.
    #[error("read archive")]
    Read(#[source] io::Error),
    /// A header is invalid.
    #[error("tar header at byte {offset} is invalid: {reason}")]
    Header {
        /// The offset in the uncompressed stream.
        offset: u64,
        /// The reason.
        reason: &'static str,
    },
    /// The name is empty, absolute, has an unexpected backslash or leads out of the root.
    #[error("tar contained invalid name error {name:?}")]
    Name {
        /// The name, escaped when printed.
        name: String,
    },
    /// The name is longer than systems support. Consumers therefore need not handle deeper
    /// directories.
    #[error("tar entry {start:?}… has a name of {length} bytes, the maximum is {MAX_PATH}")]
    LongName {
        /// The start of the name, escaped when printed.
        start: String,
        /// The length of the name.
        length: usize,
    },
    /// The entry is nested too deep.
    #[error("tar entry {start:?}… is nested in {depth} directories, the maximum is {MAX_DEPTH}")]
    Deep {
        /// The start of the name, escaped when printed.
        start: String,
        /// The number of directories.
        depth: usize,
    },
    /// The entry is neither a file, a directory nor a skipped link.
    #[error("tar file entry {name} contained unsupported file type {kind}")]
    Kind {
        /// The entry.
        name: String,
        /// The kind of the entry.
        kind: &'static str,
    },
    /// The total size exceeds the limit.
    #[error("tar {name:?} is bigger than max archive size of {limit} bytes")]
    TooLarge {
        /// The first entry above the limit.
        name: String,
        /// The limit.
        limit: u64,
    },
    /// The number of entries exceeds the limit.
    #[error("tar has more than {limit} entries")]
    TooMany {
        /// The limit.
        limit: u64,
    },
    /// The stream ended inside of an entry.
    #[error("tar entry '{name}' is truncated, {missing} bytes are missing")]
    Truncated {
        /// The entry.
        name: String,
        /// The number of missing bytes.
        missing: u64,
    },
    /// An entry could not be written.
    #[error("extract tar entry '{name}'")]
    Extract {
        /// The entry.
        name: String,
        /// The cause.
        source: confined::Error,
    },
    /// The target directory could not be opened.
    #[error("failed to open extraction directory")]
    Target(#[source] confined::Error),
}

/// An iterator over the entries of a gzip-compressed archive.
pub struct Entries<R> {
    parser: Parser<MultiGzDecoder<R>>,
    limits: Limits,
    links: Links,
    reads_backslashes: bool,
    total: u64,
    count: u64,
}

/// A regular file or a directory. Reading the entry returns its content. Unread content is skipped.
pub struct Entry<'a, R: Read> {
    path: PathBuf,
    kind: EntryKind,
    mode: u32,
    size: u64,
    modified: u64,
    parser: &'a mut Parser<MultiGzDecoder<R>>,
}

impl<R: Read> Entries<R> {
    /// Creates a reader.
    pub fn new(reader: R, links: Links, limits: Limits) -> Self {
        Self {
            parser: Parser::new(MultiGzDecoder::new(reader)),
            limits,
            links,
            reads_backslashes: false,
            total: 0,
            count: 0,
        }
    }

    /// Reads backslashes in names as slashes, because charts from Windows have them.
    #[must_use]
    pub fn with_backslashes(self) -> Self {
        Self {
            reads_backslashes: true,
            ..self
        }
    }

    /// Returns the next entry that is not skipped, or `None` at the end of the archive.
    pub fn next_entry(&mut self) -> Result<Option<Entry<'_, R>>, Error> {
        loop {
            let Some(header) = self.parser.next_header()? else {
                return Ok(None);
            };
            let Some(path) = self.check(&header)? else {
                continue;
            };
            return Ok(Some(Entry {
                path,
                kind: header.kind,
                mode: header.mode,
                size: header.size,
                modified: header.modified,
                parser: &mut self.parser,
            }));
        }
    }

    /// Checks a header. Returns `None` for the root entry and for skipped links.
    fn check(&mut self, header: &Header) -> Result<Option<PathBuf>, Error> {
        let name = || String::from_utf8_lossy(&header.name).into_owned();
        self.count += 1;
        if self.count > self.limits.entries {
            return Err(Error::TooMany {
                limit: self.limits.entries,
            });
        }
        self.total = self.total.saturating_add(header.size);
        if let Some(limit) = self.limits.total
            && self.total > limit
        {
            return Err(Error::TooLarge {
                name: name(),
                limit,
            });
        }
        let start = || {
            let shown = header.name.len().min(MAX_SHOWN_BYTES);
            String::from_utf8_lossy(&header.name[..shown]).into_owned()
        };
        if header.name.len() > MAX_PATH {
            return Err(Error::LongName {
                start: start(),
                length: header.name.len(),
            });
        }
        let with_slashes = self.reads_backslashes.then(|| slashes(&header.name));
        let written = with_slashes.as_ref().unwrap_or(&header.name);
        let path = relative(written).ok_or_else(|| Error::Name {
            name: String::from_utf8_lossy(written).into_owned(),
        })?;
        let depth = path.iter().count().saturating_sub(1);
        if depth > MAX_DEPTH {
            return Err(Error::Deep {
                start: start(),
                depth,
            });
        }
        match header.kind {
            EntryKind::File | EntryKind::Directory => {}
            EntryKind::SymbolicLink if self.links == Links::Skip => return Ok(None),
            kind => {
                return Err(Error::Kind {
                    name: name(),
                    kind: kind.name(),
                });
            }
        }
        if path.as_os_str().is_empty() {
            return if header.kind == EntryKind::Directory {
                Ok(None)
            } else {
                Err(Error::Name { name: name() })
            };
        }
        Ok(Some(path))
    }
}

impl<R: Read> Entry<'_, R> {
    /// The path below the root. It is relative, not empty, and without `.` and `..`.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is a directory.
    pub fn is_directory(&self) -> bool {
        self.kind == EntryKind::Directory
    }

    /// The permission bits.
    pub fn mode(&self) -> u32 {
        self.mode
    }

    /// The announced size. Reading the content to its end confirms it.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// When the file was changed, `None` if the header has no valid time.
    pub fn modified(&self) -> Option<Timestamp> {
        Timestamp::from_second(i64::try_from(self.modified).ok()?).ok()
    }
}

impl<R: Read> Read for Entry<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.parser.read_content(buffer)
    }
}

/// Extracts a gzip-compressed archive into an existing directory.
///
/// After an error, the entries before it remain. Callers extract into a temporary directory and
/// drop it.
pub fn into_directory(
    reader: impl Read,
    target: &Path,
    links: Links,
    limits: Limits,
) -> Result<(), Error> {
    let root = Directory::root(target).map_err(Error::Target)?;
    let mut entries = Entries::new(reader, links, limits);
    let mut buffer = vec![0; 64 * 1024];
    while let Some(mut entry) = entries.next_entry()? {
        extract(&root, &mut entry, &mut buffer)?;
    }
    Ok(())
}

fn extract<R: Read>(
    root: &Directory,
    entry: &mut Entry<'_, R>,
    buffer: &mut [u8],
) -> Result<(), Error> {
    use std::io::Write;
    use std::os::unix::ffi::OsStrExt;

    let path = entry.path.clone();
    let name = path.display().to_string();
    let failed = |source| Error::Extract {
        name: name.clone(),
        source,
    };
    let mut components: Vec<&[u8]> = path.iter().map(OsStrExt::as_bytes).collect();
    if entry.is_directory() {
        // Without the owner's bits, the directory could neither be filled nor removed.
        let mode = entry.mode | 0o700;
        return root
            .descend_or_create(components, mode)
            .map(drop)
            .map_err(failed);
    }
    let file = components.pop().expect("a checked path is not empty");
    let directory = root.descend_or_create(components, 0o755).map_err(failed)?;
    let mut written = directory
        .create_or_truncate(file, entry.mode)
        .map_err(failed)?;
    loop {
        let read = match entry.read(buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(entry.parser.failure(error)),
        };
        written.write_all(&buffer[..read]).map_err(|source| {
            failed(confined::Error::new(
                "write",
                root.path().join(&path),
                source,
            ))
        })?;
    }
    Ok(())
}

/// A name with slashes instead of backslashes. A name with a slash before its first backslash is
/// not changed: Helm takes another first directory from it than other readers.
fn slashes(name: &[u8]) -> Vec<u8> {
    let first = name.iter().find(|byte| b"/\\".contains(byte));
    let replaced = |byte: &u8| if *byte == b'\\' { b'/' } else { *byte };
    match first {
        Some(b'\\') => name.iter().map(replaced).collect(),
        _ => name.to_vec(),
    }
}

/// Converts a name to a relative path. Returns `None` if it leads out of the root.
fn relative(name: &[u8]) -> Option<PathBuf> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let upwards = name.windows(3).any(|window| window == b"../");
    if name.is_empty()
        || name.starts_with(b"/")
        || name.contains(&b'\\')
        || name.contains(&0)
        || upwards
    {
        return None;
    }
    let mut path = PathBuf::new();
    for component in name.split(|byte| *byte == b'/') {
        match component {
            b"" | b"." => {}
            b".." => return None,
            component => path.push(OsStr::from_bytes(component)),
        }
    }
    Some(path)
}
