//! Compression beside the work that makes the content, once there is much of it.
//!
//! Flux's DEFLATE is one stream that nothing can cut in two, and takes longer than all else that
//! makes an artifact. What it need not do is wait for the content to be read and checked. So what
//! goes beyond [`FEW`] bytes is handed to a thread of its own in pieces, of which there are never
//! more than [`PIECES`]; most artifacts are smaller than that, and never see the thread.
//!
//! The tables, which are half a MiB, come with the first byte of content: whoever waits for a
//! turn to write has none.
//!
//! The bytes are those of [`GzipWriter`], wherever it runs.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use crate::deflate::GzipWriter;

/// Content that a thread is not worth.
const FEW: usize = 1 << 20;
/// Content that is handed over at once.
const PIECE: usize = 64 * 1024;
/// Pieces on their way to the thread.
const PIECES: usize = 4;

/// Compresses what is written as [`GzipWriter`] does.
///
/// What the thread could not write is told by a later write, or by [`Compressor::finish`]. When
/// this is dropped the thread is gone, and what it wrote to is dropped.
pub struct Compressor<W: Write + Send + 'static> {
    place: Place<W>,
}

enum Place<W: Write + Send + 'static> {
    /// Nothing was written yet.
    Nowhere(W),
    Here {
        gzip: GzipWriter<W>,
        taken: usize,
    },
    Beside(Thread<W>),
    /// The thread has failed, and its error was told.
    Over,
}

impl<W: Write + Send + 'static> Compressor<W> {
    /// To compress what will be written.
    pub fn new(inner: W) -> Self {
        Self {
            place: Place::Nowhere(inner),
        }
    }

    /// Ends the member and gives the writer back.
    pub fn finish(self) -> io::Result<W> {
        match self.place {
            Place::Nowhere(inner) => GzipWriter::new(inner)?.finish(),
            Place::Here { gzip, .. } => gzip.finish(),
            Place::Beside(mut thread) => {
                thread.hand_over()?;
                thread.end()?.finish()
            }
            Place::Over => Err(over()),
        }
    }
}

impl<W: Write + Send + 'static> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match std::mem::replace(&mut self.place, Place::Over) {
            Place::Nowhere(inner) => {
                let gzip = GzipWriter::new(inner)?;
                self.place = Place::Here { gzip, taken: 0 };
                return self.write(bytes);
            }
            Place::Here { mut gzip, taken } if taken < FEW => {
                gzip.write_all(bytes)?;
                let taken = taken + bytes.len();
                self.place = Place::Here { gzip, taken };
            }
            Place::Here { gzip, .. } => {
                let mut thread = Thread::start(gzip)?;
                thread.take(bytes)?;
                self.place = Place::Beside(thread);
            }
            Place::Beside(mut thread) => {
                thread.take(bytes)?;
                self.place = Place::Beside(thread);
            }
            Place::Over => return Err(over()),
        }
        Ok(bytes.len())
    }

    /// Does nothing: a flush in the middle would be seen in the bytes.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn over() -> io::Error {
    io::Error::other("an earlier write has failed")
}

struct Thread<W: Write + Send + 'static> {
    /// What is not handed over yet.
    piece: Vec<u8>,
    /// `None` once there is nothing more to come.
    full: Option<SyncSender<Vec<u8>>>,
    /// Pieces that were compressed, to be filled again.
    empty: Receiver<Vec<u8>>,
    /// `None` once its end was awaited.
    running: Option<JoinHandle<io::Result<GzipWriter<W>>>>,
}

impl<W: Write + Send + 'static> Thread<W> {
    fn start(mut gzip: GzipWriter<W>) -> io::Result<Self> {
        let (full, pieces) = sync_channel::<Vec<u8>>(PIECES);
        let (done, empty) = sync_channel(PIECES);
        let name = std::thread::Builder::new().name("compress".to_owned());
        let running = name.spawn(move || {
            for mut piece in pieces {
                gzip.write_all(&piece)?;
                piece.clear();
                // Nobody may be there to fill it: then it goes.
                drop(done.try_send(piece));
            }
            Ok(gzip)
        })?;
        Ok(Self {
            piece: Vec::with_capacity(PIECE),
            full: Some(full),
            empty,
            running: Some(running),
        })
    }

    fn take(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(PIECE - self.piece.len()));
            self.piece.extend_from_slice(now);
            bytes = later;
            if self.piece.len() == PIECE {
                self.hand_over()?;
            }
        }
        Ok(())
    }

    fn hand_over(&mut self) -> io::Result<()> {
        let next = self.empty.try_recv();
        let next = next.unwrap_or_else(|_| Vec::with_capacity(PIECE));
        let piece = std::mem::replace(&mut self.piece, next);
        let taken = self
            .full
            .as_ref()
            .is_some_and(|full| full.send(piece).is_ok());
        if taken {
            return Ok(());
        }
        // It takes no more, so it has ended, and that can only be by an error.
        self.end()?;
        Err(over())
    }

    /// Waits for the thread to end.
    fn end(&mut self) -> io::Result<GzipWriter<W>> {
        self.full = None;
        match self.running.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => Err(over()),
        }
    }
}

impl<W: Write + Send + 'static> Drop for Thread<W> {
    fn drop(&mut self) {
        self.full = None;
        if let Some(running) = self.running.take() {
            // Whoever gives up does not ask how far it came.
            drop(running.join());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that fails after so many bytes, and tells when it is dropped.
    struct Disk {
        left: usize,
        dropped: Option<SyncSender<()>>,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if bytes.len() > self.left {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.left -= bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Drop for Disk {
        fn drop(&mut self) {
            if let Some(dropped) = self.dropped.take() {
                dropped.send(()).unwrap();
            }
        }
    }

    /// Bytes that hardly repeat.
    fn noise(length: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        std::iter::repeat_with(next).take(length).collect()
    }

    #[test]
    fn the_bytes_are_the_same_on_a_thread() {
        for length in [0, 1, FEW, FEW + 1, FEW + PIECE, 3 * FEW + 12_345] {
            let content = noise(length);
            let mut here = GzipWriter::new(Vec::new()).unwrap();
            here.write_all(&content).unwrap();
            let mut beside = Compressor::new(Vec::new());
            for some in content.chunks(10_007) {
                beside.write_all(some).unwrap();
            }
            assert!(
                here.finish().unwrap() == beside.finish().unwrap(),
                "{length}"
            );
        }
    }

    #[test]
    fn what_the_thread_could_not_write_is_told() {
        for left in [2 * FEW, 3 * FEW - PIECE / 2] {
            let disk = Disk {
                left,
                dropped: None,
            };
            let mut compressor = Compressor::new(disk);
            let written = compressor.write_all(&noise(FEW)).and_then(|()| {
                noise(2 * FEW)
                    .chunks(PIECE)
                    .try_for_each(|some| compressor.write_all(some))
            });
            let told = written.and_then(|()| compressor.finish().map(drop));
            assert_eq!(told.unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }

    #[test]
    fn who_gives_up_has_nothing_running_behind() {
        let (sender, dropped) = sync_channel(1);
        let disk = Disk {
            left: usize::MAX,
            dropped: Some(sender),
        };
        let mut compressor = Compressor::new(disk);
        compressor.write_all(&noise(FEW)).unwrap();
        compressor.write_all(&noise(FEW)).unwrap();
        drop(compressor);
        assert_eq!(dropped.try_recv(), Ok(()));
    }
}
