//! Writes artifacts atomically.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use rustix::fs::{FlockOperation, Mode};

use super::{DIRECTORY_MODE, FILE_MODE, LOCK_SUFFIX, Location, Storage, TEMPORARY_SUFFIX, verify};
use crate::confined::{self, Directory};
use sluice_digest::{Digest, HashingWriter};

/// A stored artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredArtifact {
    /// Its path, relative to the root.
    pub path: String,
    /// The digest of its content.
    pub digest: Digest,
    /// Its size in bytes.
    pub size: u64,
}

/// Why an artifact could not be stored.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The object's directory could not be created.
    #[error("failed to create artifact directory")]
    Directory(#[source] confined::Error),
    /// Another writer holds the lock of this artifact.
    #[error("failed to acquire lock for artifact '{path}': it is being written")]
    Locked {
        /// The path of the artifact.
        path: String,
    },
    /// The lock file could not be used.
    #[error("failed to acquire lock for artifact")]
    Lock(#[source] confined::Error),
    /// The file could not be written.
    #[error("failed to write artifact to storage")]
    File(#[source] confined::Error),
}

/// Why a write failed.
#[derive(Debug, thiserror::Error)]
pub enum WriteError<E: std::error::Error + 'static> {
    /// The storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The caller failed to produce the content.
    #[error(transparent)]
    Content(E),
}

impl Storage {
    /// Writes a file of an object. The file gets its final name after `content` completes and the
    /// data is on disk.
    pub fn write<E: std::error::Error + 'static>(
        &self,
        location: &Location,
        file: &str,
        content: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<StoredArtifact, WriteError<E>> {
        let mut pending = self.create(location, file)?;
        content(&mut pending).map_err(WriteError::Content)?;
        Ok(self.publish(pending)?)
    }

    /// Starts a file of an object.
    ///
    /// The file is not visible before [`Storage::publish`], and is removed if it is dropped before.
    /// After a crash at any time, either the old or the new file exists. The kernel releases the
    /// lock when the process ends.
    pub fn create(&self, location: &Location, file: &str) -> Result<PendingArtifact, StoreError> {
        let path = location.path(file);
        let directory = self
            .open_or_create(location)
            .map_err(StoreError::Directory)?;
        let lock = lock(&directory, file, &path)?;
        let temporary = TemporaryFile::new(directory, file).map_err(StoreError::File)?;
        let opened = temporary
            .file
            .try_clone()
            .map_err(|source| StoreError::File(temporary.failed(source)))?;
        let buffered = BufWriter::with_capacity(32 * 1024, opened);
        Ok(PendingArtifact {
            writer: HashingWriter::new(buffered, self.algorithm),
            temporary,
            path,
            location: location.clone(),
            _lock: lock,
        })
    }

    /// Opens the directory of an object, and creates it if needed.
    fn open_or_create(&self, location: &Location) -> Result<Directory, confined::Error> {
        let below =
            |root: &Directory| root.descend_or_create(location.components(), DIRECTORY_MODE);
        match below(&self.directory()) {
            // The root was removed: its handle accepts no new entries.
            Err(error) if error.is_missing() => below(&*self.reopen()?),
            made => made,
        }
    }

    /// Gives a complete file its final name.
    pub fn publish(&self, pending: PendingArtifact) -> Result<StoredArtifact, StoreError> {
        let PendingArtifact {
            writer,
            temporary,
            path,
            location,
            _lock,
        } = pending;
        let (mut buffered, digest, size) = writer.finish();
        let failed = |source| StoreError::File(temporary.failed(source));
        buffered.flush().map_err(failed)?;
        // The umask may have removed bits.
        rustix::fs::fchmod(&temporary.file, Mode::from_raw_mode(FILE_MODE))
            .map_err(|errno| failed(errno.into()))?;
        temporary.file.sync_all().map_err(failed)?;
        let stat = rustix::fs::fstat(&temporary.file).map_err(|errno| failed(errno.into()))?;
        temporary.publish().map_err(StoreError::File)?;
        self.mark_uncollected(&location);
        let verified = verify::VerifiedFile::from_write(&stat, digest.clone());
        self.verified().insert(path.clone(), verified);
        Ok(StoredArtifact { path, digest, size })
    }
}

/// A file that is being written. Its content is hashed and counted.
#[derive(Debug)]
pub struct PendingArtifact {
    writer: HashingWriter<BufWriter<File>>,
    temporary: TemporaryFile,
    path: String,
    location: Location,
    _lock: File,
}

impl Write for PendingArtifact {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Takes the advisory lock of an artifact, which Flux takes too.
///
/// The lock belongs to the open file, not to the process, so it also excludes tasks of one process.
/// It does not wait: the second writer fails and is retried with back-off, without holding a
/// thread.
fn lock(directory: &Directory, file: &str, path: &str) -> Result<File, StoreError> {
    let name = format!("{file}{LOCK_SUFFIX}");
    let handle = directory
        .open_or_create_file(name.as_bytes(), FILE_MODE)
        .map_err(StoreError::Lock)?;
    match rustix::fs::flock(&handle, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(handle),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(StoreError::Locked {
            path: path.to_owned(),
        }),
        Err(errno) => Err(StoreError::Lock(confined::Error::new(
            "lock",
            directory.path().join(name),
            errno,
        ))),
    }
}

/// A temporary file, removed on drop unless it is published.
#[derive(Debug)]
struct TemporaryFile {
    directory: Directory,
    name: String,
    final_name: String,
    file: File,
    published: bool,
}

impl TemporaryFile {
    fn new(directory: Directory, file: &str) -> Result<Self, confined::Error> {
        let name = format!(".{file}.{:016x}{TEMPORARY_SUFFIX}", fastrand::u64(..));
        Ok(Self {
            file: directory.create_new(name.as_bytes(), FILE_MODE)?,
            directory,
            name,
            final_name: file.to_owned(),
            published: false,
        })
    }

    fn failed(&self, source: io::Error) -> confined::Error {
        confined::Error::new(
            "write",
            self.directory.path().join(&self.final_name),
            source,
        )
    }

    fn publish(mut self) -> Result<(), confined::Error> {
        self.directory
            .rename(self.name.as_bytes(), self.final_name.as_bytes())?;
        self.published = true;
        // The new name must survive a power failure, too.
        self.directory.sync()
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if !self.published
            && let Err(error) = self.directory.remove_if_present(self.name.as_bytes())
        {
            tracing::warn!(%error, "failed to remove temporary file, it remains until the next start");
        }
    }
}
