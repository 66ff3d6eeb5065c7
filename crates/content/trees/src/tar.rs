//! The archive of an artifact as a tree of files.
//!
//! The archive is read once, and the contents of its files are concatenated. Each file is a
//! slice, so nothing needs to be cleaned up. `sluice_artifact::untar` decides what an archive
//! may contain, as for unpacking. Links are skipped, as in all consumers of artifacts. A file
//! in place of a folder is an error, as in unpacking. The last entry with a name wins.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use sluice_artifact::untar::{self, Entries};
use sluice_kustomize::fs::{self, EntryKind};
use sluice_kustomize::{Code, Error, Fs};

/// The maximum length of a file name on Linux.
const MAX_NAME_BYTES: usize = 255;
/// The maximum size of the index in memory. A few compressed kilobytes may name folders whose
/// paths fill gigabytes.
const MAX_INDEX_BYTES: usize = 128 << 20;
/// Memory of an entry of the index beside its path and name.
const INDEX_ENTRY_BYTES: usize = 128;
/// The size of the copy buffer, in bytes.
const COPY_BYTES: usize = 64 * 1024;

/// The archive of an artifact as a tree of files.
#[derive(Debug)]
pub struct TarFs {
    entries: HashMap<PathBuf, Node>,
    contents: Contents,
}

#[derive(Debug)]
enum Node {
    File {
        start: u64,
        length: u64,
    },
    /// The names in a folder.
    Directory(Vec<OsString>),
}

/// The concatenated contents of all files.
#[derive(Debug)]
enum Contents {
    Memory(Vec<u8>),
    /// An unlinked file, which is deleted with the tree even if the process is killed.
    File(File),
}

/// Why an archive cannot be used as a tree.
#[derive(Debug, thiserror::Error)]
pub enum TarError {
    /// The archive cannot be read, or has a forbidden entry.
    #[error(transparent)]
    Archive(#[from] untar::Error),
    /// Two entries conflict.
    #[error("extract tar entry '{name}': {reason}")]
    Conflict {
        /// The name of the entry.
        name: String,
        /// The problem.
        reason: &'static str,
    },
    /// The names of all entries and folders are too large.
    #[error(
        "index the archive at entry '{name}': the paths of its files and folders need more than \
         {MAX_INDEX_BYTES} bytes of memory: exclude files from the source with an ignore rule"
    )]
    IndexTooLarge {
        /// The first entry above the limit.
        name: String,
    },
    /// The temporary file for a large archive failed.
    #[error("keep the contents of a large archive: {0}")]
    Spool(#[source] io::Error),
}

impl TarFs {
    /// Reads an archive. Keeps up to `in_memory` bytes of contents in memory, and more in an
    /// unlinked temporary file. Blocks.
    pub fn read<R: Read>(mut entries: Entries<R>, in_memory: u64) -> Result<Self, TarError> {
        let mut index = ArchiveIndex::default();
        let mut contents = Contents::Memory(Vec::new());
        let mut end = 0;
        while let Some(mut entry) = entries.next_entry()? {
            if entry.is_directory() {
                index.directory(entry.path())?;
                continue;
            }
            index.file(entry.path(), end, entry.size())?;
            end += entry.size();
            if end > in_memory {
                contents.move_to_file().map_err(TarError::Spool)?;
            }
            contents.append(&mut entry)?;
        }
        Ok(Self {
            entries: index.finish(),
            contents,
        })
    }

    /// Whether the contents are in memory.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.contents, Contents::Memory(_))
    }
}

impl Contents {
    /// Moves the contents to a file.
    fn move_to_file(&mut self) -> io::Result<()> {
        if let Self::Memory(bytes) = self {
            let mut file = tempfile::tempfile()?;
            file.write_all(bytes)?;
            *self = Self::File(file);
        }
        Ok(())
    }

    fn append<R: Read>(&mut self, entry: &mut untar::Entry<'_, R>) -> Result<(), TarError> {
        let unread = |error| TarError::Archive(untar::Error::Read(error));
        match self {
            Self::Memory(bytes) => {
                bytes.reserve(usize::try_from(entry.size()).unwrap_or_default());
                entry.read_to_end(bytes).map_err(unread)?;
            }
            Self::File(file) => {
                let mut buffer = vec![0; COPY_BYTES];
                loop {
                    let read = match entry.read(&mut buffer) {
                        Ok(0) => break,
                        Ok(read) => read,
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                        Err(error) => return Err(unread(error)),
                    };
                    file.write_all(&buffer[..read]).map_err(TarError::Spool)?;
                }
            }
        }
        Ok(())
    }

    fn slice(&self, start: u64, length: u64) -> io::Result<Vec<u8>> {
        let too_large = |_| io::Error::from(io::ErrorKind::FileTooLarge);
        let length = usize::try_from(length).map_err(too_large)?;
        match self {
            Self::Memory(bytes) => {
                let start = usize::try_from(start).map_err(too_large)?;
                Ok(bytes[start..start + length].to_vec())
            }
            Self::File(file) => {
                let mut bytes = vec![0; length];
                file.read_exact_at(&mut bytes, start)?;
                Ok(bytes)
            }
        }
    }
}

/// The index of the entries read so far.
struct ArchiveIndex {
    entries: HashMap<PathBuf, Node>,
    /// Estimated memory of the entries.
    bytes: usize,
}

impl Default for ArchiveIndex {
    fn default() -> Self {
        let root = (PathBuf::from("/"), Node::Directory(Vec::new()));
        Self {
            entries: HashMap::from([root]),
            bytes: 0,
        }
    }
}

impl ArchiveIndex {
    /// Adds a folder and its parents.
    fn directory(&mut self, path: &Path) -> Result<(), TarError> {
        self.folder(&Path::new("/").join(path), path)
    }

    fn folder(&mut self, folder: &Path, entry: &Path) -> Result<(), TarError> {
        let mut missing = Vec::new();
        for place in folder.ancestors() {
            match self.entries.get(place) {
                Some(Node::Directory(_)) => break,
                Some(Node::File { .. }) => return Err(conflict(entry, "a file is in its way")),
                None => missing.push(place),
            }
        }
        for place in missing.into_iter().rev() {
            self.name(place, entry)?;
            self.entries
                .insert(place.to_owned(), Node::Directory(Vec::new()));
        }
        Ok(())
    }

    /// Adds a file and its parent folders.
    fn file(&mut self, path: &Path, start: u64, length: u64) -> Result<(), TarError> {
        let place = Path::new("/").join(path);
        match self.entries.get(&place) {
            Some(Node::Directory(_)) => return Err(conflict(path, "a folder is in its way")),
            Some(Node::File { .. }) => {}
            None => self.list(&place, path)?,
        }
        self.entries.insert(place, Node::File { start, length });
        Ok(())
    }

    /// Adds the name of an entry to its folder, and creates the folder if missing.
    fn list(&mut self, place: &Path, entry: &Path) -> Result<(), TarError> {
        if let Some(parent) = place.parent() {
            self.folder(parent, entry)?;
        }
        self.name(place, entry)
    }

    /// Adds the name of an entry to an existing folder.
    fn name(&mut self, place: &Path, entry: &Path) -> Result<(), TarError> {
        let (Some(parent), Some(name)) = (place.parent(), place.file_name()) else {
            return Ok(());
        };
        if name.len() > MAX_NAME_BYTES {
            return Err(conflict(entry, "its name is longer than 255 bytes"));
        }
        self.bytes += place.as_os_str().len() + name.len() + INDEX_ENTRY_BYTES;
        if self.bytes > MAX_INDEX_BYTES {
            return Err(TarError::IndexTooLarge {
                name: entry.display().to_string(),
            });
        }
        if let Some(Node::Directory(names)) = self.entries.get_mut(parent) {
            names.push(name.to_owned());
        }
        Ok(())
    }

    fn finish(mut self) -> HashMap<PathBuf, Node> {
        for node in self.entries.values_mut() {
            if let Node::Directory(names) = node {
                names.sort_unstable_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
                names.shrink_to_fit();
            }
        }
        self.entries
    }
}

fn conflict(entry: &Path, reason: &'static str) -> TarError {
    TarError::Conflict {
        name: entry.display().to_string(),
        reason,
    }
}

impl TarFs {
    /// Creates the error for a missing path, as an operating system reports it.
    fn not_found_error(&self, operation: &str, path: &Path) -> Error {
        let shown = self.display(path);
        let mut above = path.ancestors().skip(1);
        if above.any(|place| matches!(self.entries.get(place), Some(Node::File { .. }))) {
            return not_a_directory(operation, &shown);
        }
        fs::not_found(operation, &shown)
    }

    fn exists(&self, path: &Path) -> Result<(), Error> {
        match self.entries.get(path) {
            Some(_) => Ok(()),
            None => Err(self.not_found_error("lstat", path)),
        }
    }
}

fn not_a_directory(operation: &str, shown: &str) -> Error {
    let message = format!("{operation} {shown}: not a directory");
    Error::new(Code::NotADirectory, message)
}

impl Fs for TarFs {
    fn kind(&self, path: &Path) -> Result<Option<EntryKind>, Error> {
        Ok(self.entries.get(path).map(|node| match node {
            Node::File { .. } => EntryKind::File,
            Node::Directory(_) => EntryKind::Directory,
        }))
    }

    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
        let shown = self.display(path);
        match self.entries.get(path) {
            Some(Node::File { length, .. }) if *length > limit => Err(fs::too_large(&shown, limit)),
            Some(Node::File { start, length }) => self
                .contents
                .slice(*start, *length)
                .map_err(|error| Error::new(Code::Io, format!("read {shown}: {error}"))),
            Some(Node::Directory(_)) => Err(fs::is_a_directory(&shown)),
            None => Err(self.not_found_error("open", path)),
        }
    }

    fn read_dir(&self, path: &Path) -> Result<Vec<OsString>, Error> {
        match self.entries.get(path) {
            Some(Node::Directory(names)) => Ok(names.iter().map(Into::into).collect()),
            Some(Node::File { .. }) => Err(not_a_directory("open", &self.display(path))),
            None => Err(self.not_found_error("open", path)),
        }
    }

    fn is_link(&self, path: &Path) -> Result<bool, Error> {
        self.exists(path).map(|()| false)
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, Error> {
        self.exists(path).map(|()| path.to_owned())
    }
}
