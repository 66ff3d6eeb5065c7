//! Writing one artifact: whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use rustix::fs::{FlockOperation, Mode};

use super::{DIRECTORY_MODE, FILE_MODE, LOCK_SUFFIX, Location, Storage, TEMPORARY_SUFFIX, verify};
use crate::confined::{self, Directory};
use crate::digest::{Digest, HashingWriter};

/// An artifact that lies under its final name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its path relative to the root.
    pub path: String,
    /// The digest of its bytes.
    pub digest: Digest,
    /// The number of its bytes.
    pub size: u64,
}

/// Why a file could not be stored.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The object's directory could not be made.
    #[error("failed to create artifact directory")]
    Directory(#[source] confined::Error),
    /// Somebody else writes this very artifact.
    #[error("failed to acquire lock for artifact '{path}': it is being written")]
    Locked {
        /// The artifact.
        path: String,
    },
    /// The lock file could not be used.
    #[error("failed to acquire lock for artifact")]
    Lock(#[source] confined::Error),
    /// The file could not be written.
    #[error("failed to write artifact to storage")]
    File(#[source] confined::Error),
}

/// Why nothing was stored.
#[derive(Debug, thiserror::Error)]
pub enum WriteError<E: std::error::Error + 'static> {
    /// The storage could not.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The caller could not produce the content.
    #[error(transparent)]
    Content(E),
}

impl Storage {
    /// Writes a file of an object: `content` fills it, and it takes its final name only when it
    /// is complete and on disk.
    pub fn write<E: std::error::Error + 'static>(
        &self,
        location: &Location,
        file: &str,
        content: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<Stored, WriteError<E>> {
        let mut pending = self.create(location, file)?;
        content(&mut pending).map_err(WriteError::Content)?;
        Ok(self.publish(pending)?)
    }

    /// Begins a file of an object, for content that comes in pieces.
    ///
    /// Nothing is seen of it before [`Storage::publish`], and nothing stays of it when it is
    /// dropped. A crash at any instant leaves the old file or the new one. The lock dies with
    /// this process, and so does not outlive a crash either.
    pub fn create(&self, location: &Location, file: &str) -> Result<Pending, StoreError> {
        let path = location.path(file);
        let directory = self.own(location).map_err(StoreError::Directory)?;
        let lock = lock(&directory, file, &path)?;
        let temporary = Temporary::new(directory, file).map_err(StoreError::File)?;
        let opened = temporary
            .file
            .try_clone()
            .map_err(|source| StoreError::File(temporary.failed(source)))?;
        let buffered = BufWriter::with_capacity(32 * 1024, opened);
        Ok(Pending {
            writer: HashingWriter::new(buffered, self.algorithm),
            temporary,
            path,
            location: location.clone(),
            _lock: lock,
        })
    }

    /// The directory of an object, made where it is missing.
    fn own(&self, location: &Location) -> Result<Directory, confined::Error> {
        let below =
            |root: &Directory| root.descend_or_create(location.components(), DIRECTORY_MODE);
        match below(&self.directory()) {
            // Nothing can be made in a directory that was removed.
            Err(error) if error.missing() => below(&*self.reopen()?),
            made => made,
        }
    }

    /// Gives a complete file its final name.
    pub fn publish(&self, pending: Pending) -> Result<Stored, StoreError> {
        let Pending {
            writer,
            temporary,
            path,
            location,
            _lock,
        } = pending;
        let (mut buffered, digest, size) = writer.finish();
        let failed = |source| StoreError::File(temporary.failed(source));
        buffered.flush().map_err(failed)?;
        // The umask may have taken bits away.
        rustix::fs::fchmod(&temporary.file, Mode::from_raw_mode(FILE_MODE))
            .map_err(|errno| failed(errno.into()))?;
        temporary.file.sync_all().map_err(failed)?;
        let stat = rustix::fs::fstat(&temporary.file).map_err(|errno| failed(errno.into()))?;
        temporary.publish().map_err(StoreError::File)?;
        self.unsettle(&location);
        let memo = verify::Memo::written(&stat, digest.clone());
        self.memos().insert(path.clone(), memo);
        Ok(Stored { path, digest, size })
    }
}

/// A file that is being written. What is written to it is hashed and counted.
#[derive(Debug)]
pub struct Pending {
    writer: HashingWriter<BufWriter<File>>,
    temporary: Temporary,
    path: String,
    location: Location,
    _lock: File,
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Takes the advisory lock beside the artifact, the one that Flux takes too.
///
/// It belongs to the open file and not to the process, so that two tasks of one process exclude
/// each other as well. It is not waited for: whoever comes second tries again by the queue's
/// back-off and holds no thread meanwhile.
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

/// A file that vanishes unless it is published, also when whoever writes it panics.
#[derive(Debug)]
struct Temporary {
    directory: Directory,
    name: String,
    final_name: String,
    file: File,
    published: bool,
}

impl Temporary {
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
        // The name, too, must survive a power cut.
        self.directory.sync()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.published
            && let Err(error) = self.directory.remove_if_present(self.name.as_bytes())
        {
            tracing::warn!(%error, "a temporary file stays until the next start");
        }
    }
}
