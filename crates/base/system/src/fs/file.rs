//! An open file that remembers its path.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{Action, Error, Metadata, OpenOptions};

/// An open file. Errors of [`Read`], [`Write`] and [`Seek`] name its path.
#[derive(Debug)]
pub struct File {
    inner: fs::File,
    path: PathBuf,
}

impl File {
    /// Opens a file with the given options.
    pub fn open_with(options: &OpenOptions, path: impl Into<PathBuf>) -> Result<Self, Error> {
        let path = path.into();
        match options.open(&path) {
            Ok(inner) => Ok(Self { inner, path }),
            Err(source) => Err(Error::new(Action::Open, path, source)),
        }
    }

    /// Returns the path that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes contents and metadata durable.
    pub fn sync_all(&self) -> Result<(), Error> {
        self.inner.sync_all().map_err(self.failed(Action::Sync))
    }

    /// Truncates or extends the file.
    pub fn set_len(&self, length: u64) -> Result<(), Error> {
        self.inner
            .set_len(length)
            .map_err(self.failed(Action::Truncate))
    }

    /// Returns the metadata of the open file.
    pub fn metadata(&self) -> Result<Metadata, Error> {
        self.inner.metadata().map_err(self.failed(Action::Inspect))
    }

    /// Waits for an exclusive lock. Closing the file releases it.
    pub fn lock(&self) -> Result<(), Error> {
        self.inner.lock().map_err(self.failed(Action::Lock))
    }

    /// Takes an exclusive lock if it is free. Reports whether it did.
    pub fn try_lock(&self) -> Result<bool, Error> {
        match self.inner.try_lock() {
            Ok(()) => Ok(true),
            Err(fs::TryLockError::WouldBlock) => Ok(false),
            Err(fs::TryLockError::Error(source)) => Err(self.failed(Action::Lock)(source)),
        }
    }

    /// Returns the file of the standard library.
    pub fn into_std(self) -> fs::File {
        self.inner
    }

    fn failed(&self, action: Action) -> impl FnOnce(io::Error) -> Error {
        Error::on(action, &self.path)
    }
}

/// Adds the path to an error. An interruption stays bare: callers retry on its kind, and wrapping
/// would allocate for each signal.
fn wrap(action: Action, path: &Path, source: io::Error) -> io::Error {
    if source.kind() == io::ErrorKind::Interrupted {
        return source;
    }
    Error::new(action, path, source).into()
}

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer);
        read.map_err(|source| wrap(Action::Read, &self.path, source))
    }
}

impl Write for File {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(buffer);
        written.map_err(|source| wrap(Action::Write, &self.path, source))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.inner.flush();
        flushed.map_err(|source| wrap(Action::Write, &self.path, source))
    }
}

impl Seek for File {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        let moved = self.inner.seek(position);
        moved.map_err(|source| wrap(Action::Seek, &self.path, source))
    }
}
