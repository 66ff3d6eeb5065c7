//! Reading archives that nobody vouches for, into a directory or entry by entry.
//!
//! Owns what an entry may be: a regular file or directory, under a relative name that stays
//! below the root, within limits on sum, count and header size. Links are refused or skipped,
//! never made and never followed. A digest that matched says who packed the archive, not that
//! the packer was honest, so all of this also holds for verified artifacts. Start at
//! [`Entries`] to read without a disk tree and at [`into_directory`] to make one.

mod parse;

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use crate::confined::{self, Directory};
pub use parse::EntryKind;
use parse::{Header, Parser};

/// Longest path on Linux: no longer one can be unpacked by others.
pub const MAX_PATH: usize = 4096;
/// How much of a longer one is shown.
const SHOWN: usize = 60;

/// What reading an archive may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The sum of announced entry sizes; `None` for no limit.
    pub total: Option<u64>,
    /// The number of entries: each costs an inode, or a key in memory, whatever its size.
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
    /// No limit on content; the number of entries stays limited.
    pub fn unlimited() -> Self {
        Self {
            total: None,
            ..Self::default()
        }
    }
}

/// What becomes of a symbolic link in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// It is left out, as consumers of artifacts do.
    Skip,
    /// It makes the archive invalid.
    Refuse,
}

/// Why an archive was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The stream is no gzip, or ends in the middle.
    #[error("read archive")]
    Read(#[source] io::Error),
    /// A header makes no sense.
    #[error("tar header at byte {offset} is invalid: {reason}")]
    Header {
        /// Where it starts in the uncompressed stream.
        offset: u64,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The name is empty, absolute, has a backslash or leads upwards.
    #[error("tar contained invalid name error {name:?}")]
    Name {
        /// The name, escaped when printed.
        name: String,
    },
    /// The name is longer than any system takes; where a consumer walks folders, it need not be
    /// prepared for ones that lie thousands deep in each other.
    #[error("tar entry {start:?}… has a name of {length} bytes, of which systems take {MAX_PATH}")]
    LongName {
        /// How it begins, escaped when printed.
        start: String,
        /// How long it is.
        length: usize,
    },
    /// Neither file, directory nor a link that may be skipped.
    #[error("tar file entry {name} contained unsupported file type {kind}")]
    Kind {
        /// The entry.
        name: String,
        /// What it is.
        kind: &'static str,
    },
    /// The announced content is more than the caller takes.
    #[error("tar {name:?} is bigger than max archive size of {limit} bytes")]
    TooLarge {
        /// The entry that crossed the limit.
        name: String,
        /// The limit on the sum.
        limit: u64,
    },
    /// There are more entries than anybody needs.
    #[error("tar has more than {limit} entries")]
    TooMany {
        /// The limit.
        limit: u64,
    },
    /// The stream ended inside an entry.
    #[error("tar entry '{name}' is cut short, {missing} bytes are missing")]
    Short {
        /// The entry.
        name: String,
        /// How much is missing.
        missing: u64,
    },
    /// An entry could not be written below the target.
    #[error("extract tar entry '{name}'")]
    Extract {
        /// The entry.
        name: String,
        /// What failed.
        source: confined::Error,
    },
    /// The target is not usable.
    #[error("failed to open extraction directory")]
    Target(#[source] confined::Error),
}

/// The entries of a gzip-compressed archive, one after the other.
pub struct Entries<R> {
    parser: Parser<MultiGzDecoder<R>>,
    limits: Limits,
    links: Links,
    total: u64,
    count: u64,
}

/// A regular file or a directory. A file's content is read from the entry itself; what is left
/// unread is skipped.
pub struct Entry<'a, R: Read> {
    path: PathBuf,
    kind: EntryKind,
    mode: u32,
    size: u64,
    parser: &'a mut Parser<MultiGzDecoder<R>>,
}

impl<R: Read> Entries<R> {
    /// Starts reading.
    pub fn new(reader: R, links: Links, limits: Limits) -> Self {
        Self {
            parser: Parser::new(MultiGzDecoder::new(reader)),
            limits,
            links,
            total: 0,
            count: 0,
        }
    }

    /// Moves to the next entry that is not skipped; `None` at the end of the archive.
    pub fn next_entry(&mut self) -> Result<Option<Entry<'_, R>>, Error> {
        loop {
            let Some(header) = self.parser.next_header()? else {
                return Ok(None);
            };
            let Some(path) = self.admit(&header)? else {
                continue;
            };
            return Ok(Some(Entry {
                path,
                kind: header.kind,
                mode: header.mode,
                size: header.size,
                parser: &mut self.parser,
            }));
        }
    }

    /// Applies every rule that needs no content. The root entry and skipped links are `None`.
    fn admit(&mut self, header: &Header) -> Result<Option<PathBuf>, Error> {
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
        if header.name.len() > MAX_PATH {
            return Err(Error::LongName {
                start: String::from_utf8_lossy(&header.name[..SHOWN]).into_owned(),
                length: header.name.len(),
            });
        }
        let path = relative(&header.name).ok_or_else(|| Error::Name { name: name() })?;
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
    /// The path below the root: not empty, relative, without `.` and `..`.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is a directory.
    pub fn is_directory(&self) -> bool {
        self.kind == EntryKind::Directory
    }

    /// The permission bits that the archive gives.
    pub fn mode(&self) -> u32 {
        self.mode
    }

    /// The announced size, which reading the content to its end has confirmed.
    pub fn size(&self) -> u64 {
        self.size
    }
}

impl<R: Read> Read for Entry<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.parser.read_content(buffer)
    }
}

/// Extracts a gzip-compressed archive below an existing directory.
///
/// On an error what was extracted so far stays; callers extract into a directory of their own
/// and drop it.
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
        // A directory without its owner's bits could not be filled, nor removed.
        let mode = entry.mode | 0o700;
        return root
            .descend_or_create(components, mode)
            .map(drop)
            .map_err(failed);
    }
    let file = components.pop().expect("an admitted path has a component");
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

/// The name as a path that cannot leave; `None` for one that tries.
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
