//! From the wire into a pack with its index.

use std::collections::VecDeque;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use git2::Indexer;
use sluice_system::fs;
use tokio::sync::mpsc;

use super::scan::{Refused, Scanner};
use super::{Permits, cancellation};
use crate::error::{Error, Phase, Result};
use crate::libgit;
use crate::limits::Limits;
use crate::protocol::answer::Part;
use crate::session::Incoming;

/// Pieces of a pack that wait for the indexer; the server waits for the rest.
const QUEUE: usize = 16;

/// A pack of up to this size is indexed once it is all here. Most are, and no thread has to
/// wait for the server meanwhile.
const SMALL: usize = 256 * 1024;

/// Receives a pack into a directory; gives its size. Nothing remains of a pack
/// that is broken, too large, or no longer waited for.
pub(super) async fn receive(
    mut incoming: Incoming,
    directory: PathBuf,
    limits: Limits,
    permits: Permits,
) -> Result<u64> {
    let remote = incoming.deadline().remote.clone();
    let (running, _stop_when_dropped) = cancellation();
    let (early, is_whole) = begin(&mut incoming).await?;
    if is_whole {
        let pieces = Pieces { early, queue: None };
        let indexing = super::blocking(&permits.work, move || {
            index(pieces, &directory, limits, &running, &remote)
        });
        incoming.deadline().run(Phase::Index, indexing).await??;
        return Ok(incoming.received());
    }
    let (pieces, queue) = mpsc::channel(QUEUE);
    let indexing = {
        let remote = remote.clone();
        let pieces = Pieces {
            early,
            queue: Some(queue),
        };
        async move {
            super::blocking(&permits.downloads, move || {
                index(pieces, &directory, limits, &running, &remote)
            })
            .await
        }
    };
    let feeding = async {
        while let Some(part) = incoming.next().await? {
            // The ends of history need no note: of every commit but its own tree,
            // this store believes to have nothing.
            if let Part::Pack(bytes) = part
                && !incoming.pass(&pieces, Piece::Bytes(bytes)).await?
            {
                // An indexer that listens no more has a reason, told below.
                return Ok::<_, Error>(());
            }
        }
        pieces.send(Piece::End).await.ok();
        Ok(())
    };
    tokio::pin!(indexing);
    let fed = tokio::select! {
        // An indexer that ends first has failed: it waits for the end otherwise.
        indexed = &mut indexing => {
            indexed?;
            return Err(pack(&remote, "it was not received to its end"));
        }
        fed = feeding => fed,
    };
    drop(pieces);
    if let Err(error) = fed {
        // Waited for, so that nothing of the pack is left when we return. What the
        // indexer says is only that it was left alone.
        drop(indexing.await);
        return Err(error);
    }
    incoming.deadline().run(Phase::Index, indexing).await??;
    Ok(incoming.received())
}

/// The beginning of a pack, and whether it is all of it.
async fn begin(incoming: &mut Incoming) -> Result<(VecDeque<Bytes>, bool)> {
    let mut early = VecDeque::new();
    let mut size = 0;
    while size <= SMALL {
        match incoming.next().await? {
            Some(Part::Pack(bytes)) => {
                size += bytes.len();
                early.push_back(bytes);
            }
            Some(_) => {}
            None => return Ok((early, true)),
        }
    }
    Ok((early, false))
}

/// Where the indexer gets a pack from.
struct Pieces {
    /// What was received before it began.
    early: VecDeque<Bytes>,
    /// The rest, if that was not all.
    queue: Option<mpsc::Receiver<Piece>>,
}

impl Pieces {
    /// The next piece; `None` when whoever fed us has gone.
    fn next(&mut self) -> Option<Piece> {
        match (self.early.pop_front(), &mut self.queue) {
            (Some(bytes), _) => Some(Piece::Bytes(bytes)),
            (None, Some(queue)) => queue.blocking_recv(),
            (None, None) => Some(Piece::End),
        }
    }
}

/// What the indexer is told.
enum Piece {
    /// More of the pack.
    Bytes(Bytes),
    /// The pack is complete. Without this word it never is.
    End,
}

fn index(
    mut pieces: Pieces,
    directory: &Path,
    limits: Limits,
    running: &Arc<AtomicBool>,
    remote: &str,
) -> Result<()> {
    libgit::set_up();
    fs::create_dir_all(directory)?;
    let begin = |error: git2::Error| Error::Store {
        action: "begin a pack",
        path: directory.to_owned(),
        reason: error.message().to_owned(),
    };
    // What a thin pack builds on is copied into it, so that every pack here can
    // be read on its own. The indexer must go before the objects it reads.
    let objects = directory.parent().unwrap_or(directory);
    let (known, _) = libgit::open(objects).map_err(begin)?;
    let mut indexer = Indexer::new(Some(&known), directory, 0o600, false).map_err(begin)?;
    let watched = Arc::clone(running);
    indexer.progress(move |_| watched.load(Ordering::Relaxed));
    let mut scanner = Scanner::new(limits);
    loop {
        match pieces.next() {
            Some(Piece::Bytes(bytes)) => {
                scanner.push(&bytes).map_err(|refused| match refused {
                    Refused::Broken(reason) => pack(remote, &reason),
                    Refused::Limit { what, limit } => Error::Limit {
                        what: what.to_owned(),
                        limit,
                    },
                })?;
                indexer
                    .write_all(&bytes)
                    .map_err(|error| unwritten(remote, &error))?;
            }
            Some(Piece::End) if scanner.is_complete() => break,
            Some(Piece::End) => return Err(pack(remote, "it ends too early")),
            // Whoever fed us has gone; what is here is thrown away.
            None => return Err(pack(remote, "it was not received to its end")),
        }
    }
    indexer.commit().map_err(|error| refused(remote, &error))?;
    Ok(())
}

/// Why the indexer takes no more.
fn unwritten(remote: &str, error: &std::io::Error) -> Error {
    let inner = error.get_ref();
    match inner.and_then(|inner| inner.downcast_ref::<git2::Error>()) {
        Some(error) => refused(remote, error),
        None => pack(remote, &error.to_string()),
    }
}

/// Whose fault it is: the server's, which sent the pack, or that of the disk.
fn refused(remote: &str, error: &git2::Error) -> Error {
    if error.class() == git2::ErrorClass::Os {
        return Error::Write {
            remote: remote.to_owned(),
            reason: error.message().to_owned(),
        };
    }
    pack(remote, error.message())
}

fn pack(remote: &str, reason: &str) -> Error {
    Error::Pack {
        remote: remote.to_owned(),
        reason: reason.to_owned(),
    }
}
