//! Receives a pack and creates its index.

use std::collections::VecDeque;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use git2::Indexer;
use sluice_system::fs;
use tokio::sync::mpsc;

use super::scan::{PackScanner, ScanError};
use super::{GroupPermits, cancellation};
use crate::error::{Error, Phase, Result};
use crate::libgit;
use crate::limits::Limits;
use crate::protocol::response::Part;
use crate::session::IncomingPack;

/// Chunks that wait for the indexer. Beyond this, the server must wait.
const QUEUE_LENGTH: usize = 16;

/// Packs up to this size are received completely before they are indexed. Most packs are small, so
/// no thread has to wait for the server.
const SMALL_PACK_BYTES: usize = 256 * 1024;

/// Receives a pack into a directory, and returns its size. A broken, too large or cancelled pack
/// leaves nothing behind.
pub(super) async fn receive(
    mut incoming: IncomingPack,
    directory: PathBuf,
    limits: Limits,
    permits: GroupPermits,
) -> Result<u64> {
    let remote = incoming.deadline().remote.clone();
    let (running, _cancel_guard) = cancellation();
    let (received, is_whole) = read_start(&mut incoming).await?;
    if is_whole {
        let chunks = ChunkSource {
            received,
            queue: None,
        };
        let indexing = permits.work(move || index(chunks, &directory, limits, &running, &remote));
        incoming.deadline().run(Phase::Index, indexing).await??;
        return Ok(incoming.received());
    }
    let (chunks, queue) = mpsc::channel(QUEUE_LENGTH);
    let indexing = {
        let remote = remote.clone();
        let chunks = ChunkSource {
            received,
            queue: Some(queue),
        };
        async move {
            permits
                .download(move || index(chunks, &directory, limits, &running, &remote))
                .await
        }
    };
    let forwarding = async {
        while let Some(part) = incoming.next().await? {
            // Shallow boundaries need not be recorded: the store assumes nothing beyond the tree of
            // each commit.
            if let Part::Pack(bytes) = part
                && !incoming.forward(&chunks, Chunk::Bytes(bytes)).await?
            {
                // The indexer has failed. Its error is returned below.
                return Ok::<_, Error>(());
            }
        }
        chunks.send(Chunk::End).await.ok();
        Ok(())
    };
    tokio::pin!(indexing);
    let result = tokio::select! {
        // The indexer only ends early if it failed.
        indexed = &mut indexing => {
            indexed?;
            return Err(pack_error(&remote, "it was not received to its end"));
        }
        result = forwarding => result,
    };
    drop(chunks);
    if let Err(error) = result {
        // Wait for the indexer, so that it removes the pack. Its own error is a consequence of this
        // one.
        drop(indexing.await);
        return Err(error);
    }
    incoming.deadline().run(Phase::Index, indexing).await??;
    Ok(incoming.received())
}

/// Indexes the bytes of a whole pack into a directory, as a fetch does.
#[cfg(feature = "fuzz")]
pub fn index_pack(pack: &[u8], directory: &Path, limits: Limits) -> Result<()> {
    let chunks = ChunkSource {
        received: [Bytes::copy_from_slice(pack)].into(),
        queue: None,
    };
    let running = Arc::new(AtomicBool::new(true));
    index(chunks, directory, limits, &running, "the fuzzer")
}

/// Reads the start of a pack, and whether this is the whole pack.
async fn read_start(incoming: &mut IncomingPack) -> Result<(VecDeque<Bytes>, bool)> {
    let mut received = VecDeque::new();
    let mut size = 0;
    while size <= SMALL_PACK_BYTES {
        match incoming.next().await? {
            Some(Part::Pack(bytes)) => {
                size += bytes.len();
                received.push_back(bytes);
            }
            Some(_) => {}
            None => return Ok((received, true)),
        }
    }
    Ok((received, false))
}

/// The source of chunks for the indexer.
struct ChunkSource {
    /// Chunks that were received before the indexer started.
    received: VecDeque<Bytes>,
    /// The other chunks, if the pack is not complete.
    queue: Option<mpsc::Receiver<Chunk>>,
}

impl ChunkSource {
    /// The next chunk, or `None` if the sender is gone.
    fn next(&mut self) -> Option<Chunk> {
        match (self.received.pop_front(), &mut self.queue) {
            (Some(bytes), _) => Some(Chunk::Bytes(bytes)),
            (None, Some(queue)) => queue.blocking_recv(),
            (None, None) => Some(Chunk::End),
        }
    }
}

/// A message to the indexer.
enum Chunk {
    /// Data of the pack.
    Bytes(Bytes),
    /// The end of the pack. Without it, the pack is incomplete.
    End,
}

fn index(
    mut chunks: ChunkSource,
    directory: &Path,
    limits: Limits,
    running: &Arc<AtomicBool>,
    remote: &str,
) -> Result<()> {
    libgit::configure();
    fs::create_dir_all(directory)?;
    let start_error = |error: git2::Error| Error::Store {
        action: "begin a pack",
        path: directory.to_owned(),
        reason: error.message().to_owned(),
    };
    // The bases of a thin pack are copied into it, so that each pack is complete. The indexer must
    // be dropped before the objects that it reads.
    let objects = directory.parent().unwrap_or(directory);
    let (known, _) = libgit::open(objects).map_err(start_error)?;
    let mut indexer = Indexer::new(Some(&known), directory, 0o600, false).map_err(start_error)?;
    let progress_running = Arc::clone(running);
    indexer.progress(move |_| progress_running.load(Ordering::Relaxed));
    let mut scanner = PackScanner::new(limits);
    loop {
        match chunks.next() {
            Some(Chunk::Bytes(bytes)) => {
                scanner.push(&bytes).map_err(|error| match error {
                    ScanError::Invalid(reason) => pack_error(remote, &reason),
                    ScanError::Limit { what, limit } => Error::Limit {
                        what: what.to_owned(),
                        limit,
                    },
                })?;
                indexer
                    .write_all(&bytes)
                    .map_err(|error| write_error(remote, &error))?;
            }
            Some(Chunk::End) if scanner.is_complete() => break,
            Some(Chunk::End) => return Err(pack_error(remote, "it ends too early")),
            // The sender is gone. The incomplete pack is removed.
            None => return Err(pack_error(remote, "it was not received to its end")),
        }
    }
    indexer
        .commit()
        .map_err(|error| git_error(remote, &error))?;
    Ok(())
}

/// The error of a failed write to the indexer.
fn write_error(remote: &str, error: &std::io::Error) -> Error {
    let inner = error.get_ref();
    match inner.and_then(|inner| inner.downcast_ref::<git2::Error>()) {
        Some(error) => git_error(remote, error),
        None => pack_error(remote, &error.to_string()),
    }
}

/// Distinguishes errors of the disk and of the pack.
fn git_error(remote: &str, error: &git2::Error) -> Error {
    if error.class() == git2::ErrorClass::Os {
        return Error::Write {
            remote: remote.to_owned(),
            reason: error.message().to_owned(),
        };
    }
    pack_error(remote, error.message())
}

fn pack_error(remote: &str, reason: &str) -> Error {
    Error::Pack {
        remote: remote.to_owned(),
        reason: reason.to_owned(),
    }
}
