//! Stores a download in memory while it is small, and otherwise in an unlinked file.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use tokio::io::AsyncWriteExt;

use crate::untar::{self, Entries, Limits, Links};
use sluice_digest::{Algorithm, Digest, Hasher};

/// Most artifacts are far smaller. Larger ones would take too much of a pod's 64 MiB.
const MEMORY_LIMIT: usize = 8 << 20;

#[derive(Debug)]
enum Content {
    Memory(Vec<u8>),
    /// Unlinked, so that it disappears with its last reader, even if the process is killed.
    File(File),
}

/// A download with a verified digest.
#[derive(Debug)]
pub struct Download {
    content: Content,
    digest: Digest,
    size: u64,
}

impl Download {
    /// The digest of the content.
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// The size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    pub(super) fn is_in_memory(&self) -> bool {
        matches!(self.content, Content::Memory(_))
    }

    /// Returns a reader at the start. Several readers may read at once.
    pub fn reader(self: &Arc<Self>) -> DownloadReader {
        DownloadReader {
            download: Arc::clone(self),
            offset: 0,
        }
    }

    /// Extracts the archive into an existing directory, without links. Blocks.
    pub fn untar(self: &Arc<Self>, target: &Path, limits: Limits) -> Result<(), untar::Error> {
        untar::into_directory(self.reader(), target, Links::Skip, limits)
    }

    /// Returns the entries of the archive, without links. Blocks.
    pub fn entries(self: &Arc<Self>, limits: Limits) -> Entries<DownloadReader> {
        Entries::new(self.reader(), Links::Skip, limits)
    }
}

/// A reader of a download.
#[derive(Debug)]
pub struct DownloadReader {
    download: Arc<Download>,
    offset: u64,
}

impl Read for DownloadReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match &self.download.content {
            Content::Memory(bytes) => {
                let start = usize::try_from(self.offset).map_or(bytes.len(), |offset| offset);
                (&bytes[start.min(bytes.len())..]).read(buffer)?
            }
            Content::File(file) => file.read_at(buffer, self.offset)?,
        };
        self.offset += read as u64;
        Ok(read)
    }
}

/// Stores and hashes a download while it arrives.
pub(super) struct Spooler {
    hasher: Hasher,
    memory: Vec<u8>,
    file: Option<tokio::fs::File>,
    size: u64,
}

impl Spooler {
    pub(super) fn new(algorithm: Algorithm) -> Self {
        Self {
            hasher: algorithm.hasher(),
            memory: Vec::new(),
            file: None,
            size: 0,
        }
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    pub(super) async fn push(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.hasher.update(chunk);
        self.size += chunk.len() as u64;
        if let Some(file) = &mut self.file {
            return file.write_all(chunk).await;
        }
        self.memory.extend_from_slice(chunk);
        if self.memory.len() > MEMORY_LIMIT {
            let mut file = tokio::fs::File::from_std(tempfile::tempfile()?);
            file.write_all(&std::mem::take(&mut self.memory)).await?;
            self.file = Some(file);
        }
        Ok(())
    }

    pub(super) async fn finish(mut self) -> io::Result<Download> {
        let content = match self.file.take() {
            Some(mut file) => {
                file.flush().await?;
                Content::File(file.into_std().await)
            }
            None => Content::Memory({
                self.memory.shrink_to_fit();
                self.memory
            }),
        };
        Ok(Download {
            content,
            digest: self.hasher.finish(),
            size: self.size,
        })
    }
}
