//! The tags of every image repository, on disk.
//!
//! The layout is version 2 of the reference's `FluxStorage`, so each program reads what the other
//! wrote: `imagerepository/<namespace>/<name>/tags.txt`, or `tags.txt.gz` from a threshold on, one
//! tag a line. If both exist, the newer one counts. The key is the object and not the image, so
//! two objects with different exclusions do not overwrite each other.
//!
//! The store is a cache that a scan rebuilds. A directory in another format is wiped when it is
//! opened. A corrupt file reads as an error, which the caller treats as "no tags". A kill at any
//! write leaves the old tags or the new ones.
//!
//! Parity: image-reflector-controller: internal/storage.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sluice_engine::ObjectKey;
use sluice_system::fs::{self, Error};

mod format;
mod read;

pub use read::Tags;

/// Directory of all entries: the kind in lower case.
const KIND: &str = "imagerepository";
const PLAIN: &str = "tags.txt";
const GZIP: &str = "tags.txt.gz";
/// Ending of the temporary files of atomic writes.
const TEMPORARY: &str = ".tmp";

/// Size from which on tags are compressed, in KiB.
pub const DEFAULT_COMPRESSION_THRESHOLD: u64 = 64;

/// The store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file operation failed.
    #[error("failed to {action}")]
    File {
        /// The action.
        action: &'static str,
        /// The cause.
        #[source]
        source: Error,
    },
    /// A stored file is damaged.
    #[error("the stored tags of '{key}' are corrupt: {reason}")]
    Corrupt {
        /// The object.
        key: Key,
        /// The damage.
        reason: String,
    },
    /// The namespace or the name cannot be a directory.
    #[error("'{0}' cannot be stored")]
    Key(Key),
}

impl StoreError {
    fn file(action: &'static str) -> impl FnOnce(Error) -> Self {
        move |source| Self::File { action, source }
    }
}

/// An `ImageRepository`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Namespace of the object.
    pub namespace: String,
    /// Name of the object.
    pub name: String,
}

impl Key {
    /// Creates a key.
    pub fn new(namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            namespace: namespace.into(),
            name: name.into(),
        }
    }
}

impl Key {
    /// The key of an object in the store.
    pub(crate) fn of(key: &ObjectKey) -> Self {
        Self::new(key.namespace(), key.name())
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}/{}", self.namespace, self.name)
    }
}

/// The tags on disk. One process writes; the leader election makes sure of that.
#[derive(Debug, Clone)]
pub struct TagStore {
    root: PathBuf,
    /// Bytes from which on tags are compressed.
    threshold: u64,
}

impl TagStore {
    /// Opens the store, and creates it if it does not exist.
    ///
    /// A directory in another format is wiped: it belongs to the reference with the gate
    /// `FluxStorage` off, or to another version of the layout. Temporary files that a killed
    /// process left are removed.
    pub fn open(root: impl Into<PathBuf>, threshold: u64) -> Result<Self, StoreError> {
        let root = root.into();
        format::ensure(&root)?;
        let store = Self { root, threshold };
        store.remove_temporary_files()?;
        Ok(store)
    }

    /// Replaces the tags of an object. They are in descending byte order.
    pub fn write<T: AsRef<str>>(&self, key: &Key, tags: &[T]) -> Result<(), StoreError> {
        let directory = self.directory(key)?;
        let size: usize = tags.iter().map(|tag| tag.as_ref().len() + 1).sum();
        let mut lines = Vec::with_capacity(size);
        for tag in tags {
            lines.extend_from_slice(tag.as_ref().as_bytes());
            lines.push(b'\n');
        }
        let (name, stale, content) = if size as u64 >= self.threshold {
            (GZIP, PLAIN, compress(&lines))
        } else {
            (PLAIN, GZIP, lines)
        };
        fs::create_dir_all(&directory).map_err(StoreError::file("create storage directory"))?;
        fs::write_atomically(directory.join(name), content)
            .map_err(StoreError::file("write tags"))?;
        // The new file is newer, so the stale one is harmless until it is gone.
        remove_file(&directory.join(stale)).map_err(StoreError::file("remove stale tags"))
    }

    /// Reads the tags of an object as a stream. An object without an entry has none.
    pub fn read(&self, key: &Key) -> Result<Tags, StoreError> {
        Tags::open(&self.directory(key)?, key)
    }

    /// Reports whether there is a readable first tag.
    pub fn has_tags(&self, key: &Key) -> bool {
        let first = self.read(key).ok().and_then(|mut tags| tags.next());
        matches!(first, Some(Ok(_)))
    }

    /// Removes the tags of an object.
    pub fn remove(&self, key: &Key) -> Result<(), StoreError> {
        remove_dir_all(&self.directory(key)?).map_err(StoreError::file("delete tags"))
    }

    /// Removes the tags of objects that do not exist, then empty directories of namespaces.
    /// Returns the number of removed entries.
    ///
    /// The caller lists the objects first and skips the collection if that fails.
    pub fn collect_garbage(&self, existing: &HashSet<Key>) -> Result<usize, StoreError> {
        let mut removed = 0;
        for key in self.keys()? {
            if !existing.contains(&key) {
                self.remove(&key)?;
                removed += 1;
            }
        }
        for namespace in self.namespaces()? {
            let entries = fs::read_dir(&namespace).map_err(StoreError::file("list namespace"))?;
            if entries.is_empty() {
                // A writer may have created an entry since.
                drop(fs::remove_dir(&namespace));
            }
        }
        Ok(removed)
    }

    /// Returns the number of bytes of all files.
    pub fn size(&self) -> Result<u64, StoreError> {
        let mut size = 0;
        for file in self.files()? {
            size += fs::metadata(&file).map_or(0, |metadata| metadata.len());
        }
        Ok(size)
    }

    fn directory(&self, key: &Key) -> Result<PathBuf, StoreError> {
        let is_plain = |name: &str| {
            !name.is_empty() && !name.contains(['/', '\\', '\0']) && !matches!(name, "." | "..")
        };
        if is_plain(&key.namespace) && is_plain(&key.name) {
            Ok(self.base().join(&key.namespace).join(&key.name))
        } else {
            Err(StoreError::Key(key.clone()))
        }
    }

    fn base(&self) -> PathBuf {
        self.root.join(KIND)
    }

    fn namespaces(&self) -> Result<Vec<PathBuf>, StoreError> {
        directories(&self.base())
    }

    /// Returns the objects with an entry.
    fn keys(&self) -> Result<Vec<Key>, StoreError> {
        let name = |path: &Path| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        };
        let mut keys = Vec::new();
        for namespace in self.namespaces()? {
            for entry in directories(&namespace)? {
                keys.push(Key::new(name(&namespace), name(&entry)));
            }
        }
        Ok(keys)
    }

    fn files(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut files = Vec::new();
        for key in self.keys()? {
            let entries = fs::read_dir(self.base().join(&key.namespace).join(&key.name))
                .map_err(StoreError::file("list tags"))?;
            files.extend(entries.into_iter().map(|entry| entry.path));
        }
        Ok(files)
    }

    fn remove_temporary_files(&self) -> Result<(), StoreError> {
        for file in self.files()? {
            if file.to_string_lossy().ends_with(TEMPORARY) {
                remove_file(&file).map_err(StoreError::file("remove temporary file"))?;
            }
        }
        Ok(())
    }
}

/// Lists the directories of a directory, which may be missing.
fn directories(path: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if is_missing(&error) => Vec::new(),
        Err(error) => return Err(StoreError::file("list storage")(error)),
    };
    let directories = entries.into_iter().filter(|entry| entry.file_type.is_dir());
    Ok(directories.map(|entry| entry.path).collect())
}

fn compress(lines: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(lines).and_then(|()| encoder.finish());
    written.expect("a vector accepts every write")
}

fn is_missing(error: &Error) -> bool {
    error.kind() == std::io::ErrorKind::NotFound
}

fn remove_file(path: &Path) -> Result<(), Error> {
    ignore_missing(fs::remove_file(path))
}

fn remove_dir_all(path: &Path) -> Result<(), Error> {
    ignore_missing(fs::remove_dir_all(path))
}

fn ignore_missing(removed: Result<(), Error>) -> Result<(), Error> {
    match removed {
        Err(error) if is_missing(&error) => Ok(()),
        removed => removed,
    }
}

#[cfg(test)]
mod tests;
