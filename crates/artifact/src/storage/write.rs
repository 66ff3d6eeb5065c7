//! Writing one artifact: whole or not at all.

use std::fs::File;
use std::io::{BufWriter, Write};

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

/// Why nothing was stored.
#[derive(Debug, thiserror::Error)]
pub enum WriteError<E: std::error::Error + 'static> {
    /// The object's directory could not be made.
    #[error("failed to create artifact directory")]
    Directory(#[source] confined::Error),
    /// Another process writes this very artifact.
    #[error("failed to acquire lock for artifact '{path}': another process holds it")]
    Locked {
        /// The artifact.
        path: String,
    },
    /// The lock file could not be used.
    #[error("failed to acquire lock for artifact")]
    Lock(#[source] confined::Error),
    /// The caller could not produce the content.
    #[error(transparent)]
    Content(E),
    /// The file could not be written.
    #[error("failed to write artifact to storage")]
    File(#[source] confined::Error),
}

impl Storage {
    /// Writes a file of an object: `content` fills a temporary file beside it, which takes the
    /// final name only when it is complete and on disk.
    ///
    /// A crash at any instant leaves the old file or the new one. The lock dies with this
    /// process, and so does not outlive a crash either.
    pub fn write<E: std::error::Error + 'static>(
        &self,
        location: &Location,
        file: &str,
        content: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<Stored, WriteError<E>> {
        let path = location.path(file);
        let directory = self
            .directory()
            .descend_or_create(location.components(), DIRECTORY_MODE)
            .map_err(WriteError::Directory)?;
        let _lock = lock(&directory, file, &path)?;

        let temporary = Temporary::new(&directory, file).map_err(WriteError::File)?;
        let buffered = BufWriter::with_capacity(128 * 1024, &temporary.file);
        let mut writer = HashingWriter::new(buffered, self.algorithm);
        content(&mut writer).map_err(WriteError::Content)?;
        let (buffered, digest, size) = writer.finish();
        let failed = |source: std::io::Error| {
            WriteError::File(confined::Error::new(
                "write",
                directory.path().join(file),
                source,
            ))
        };
        buffered
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        // The umask may have taken bits away.
        rustix::fs::fchmod(&temporary.file, Mode::from_raw_mode(FILE_MODE))
            .map_err(|errno| failed(errno.into()))?;
        temporary.file.sync_all().map_err(failed)?;
        let stat = rustix::fs::fstat(&temporary.file).map_err(|errno| failed(errno.into()))?;
        temporary.publish(file).map_err(WriteError::File)?;
        directory.sync().map_err(WriteError::File)?;

        self.memos()
            .insert(path.clone(), verify::Memo::written(&stat, digest.clone()));
        Ok(Stored { path, digest, size })
    }
}

/// Takes the advisory lock beside the artifact, the one that Flux takes too.
///
/// It belongs to the open file and not to the process, so that two tasks of one process exclude
/// each other as well. It is not waited for: whoever comes second tries again by the queue's
/// back-off and holds no thread meanwhile.
fn lock<E: std::error::Error + 'static>(
    directory: &Directory,
    file: &str,
    path: &str,
) -> Result<File, WriteError<E>> {
    let name = format!("{file}{LOCK_SUFFIX}");
    let handle = directory
        .open_or_create_file(name.as_bytes(), FILE_MODE)
        .map_err(WriteError::Lock)?;
    match rustix::fs::flock(&handle, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(handle),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(WriteError::Locked {
            path: path.to_owned(),
        }),
        Err(errno) => Err(WriteError::Lock(confined::Error::new(
            "lock",
            directory.path().join(name),
            errno,
        ))),
    }
}

/// A file that vanishes unless it is published, also when the content panics.
struct Temporary<'a> {
    directory: &'a Directory,
    name: String,
    file: File,
    published: bool,
}

impl<'a> Temporary<'a> {
    fn new(directory: &'a Directory, file: &str) -> Result<Self, confined::Error> {
        let name = format!(".{file}.{:016x}{TEMPORARY_SUFFIX}", fastrand::u64(..));
        let file = directory.create_new(name.as_bytes(), FILE_MODE)?;
        Ok(Self {
            directory,
            name,
            file,
            published: false,
        })
    }

    fn publish(mut self, file: &str) -> Result<(), confined::Error> {
        self.directory
            .rename(self.name.as_bytes(), file.as_bytes())?;
        self.published = true;
        Ok(())
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.published
            && let Err(error) = self.directory.remove_if_present(self.name.as_bytes())
        {
            tracing::warn!(%error, "a temporary file stays until the next start");
        }
    }
}
