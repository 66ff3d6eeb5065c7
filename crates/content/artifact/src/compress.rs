//! Compression beside the work that makes the content, and by several threads, once there is much
//! of it.
//!
//! Flux's DEFLATE is one stream, and takes longer than all else that makes an artifact. Its bytes
//! are nonetheless made by as many threads as there are cores: what goes beyond a MiB is cut into
//! chunks, each of which a thread searches for repetitions, guessing what the one before leaves to
//! it. One more thread joins them in order, mends what was guessed wrong, and writes. Of chunks
//! there are never many more than threads; most artifacts are smaller than one, and never see a
//! thread.
//!
//! The tables, which are half a MiB for each thread, come with the first byte of content: whoever
//! waits for a turn to write has none.
//!
//! The bytes are those of [`GzipWriter`] for the same writes, wherever it runs.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, available_parallelism};

use crate::deflate::{ALONE, Chunk, GzipWriter, Tokenizer};

/// Threads that search.
const SEARCHING: usize = 4;

/// Compresses what is written as [`GzipWriter`] does.
///
/// What the threads could not write is told by a later write, or by [`Compressor::finish`]. When
/// this is dropped the threads are gone, and what they wrote to is dropped.
pub struct Compressor<W: Write + Send + 'static> {
    place: Place<W>,
    /// Threads that will search, if that is not to be what the machine has cores for.
    searching: Option<usize>,
}

enum Place<W: Write + Send + 'static> {
    /// Nothing was written yet.
    Nowhere(W),
    Here {
        gzip: GzipWriter<W>,
        taken: usize,
    },
    Beside(Threads<W>),
    /// The threads have failed, and their error was told.
    Over,
}

impl<W: Write + Send + 'static> Compressor<W> {
    /// To compress what will be written.
    pub fn new(inner: W) -> Self {
        Self {
            place: Place::Nowhere(inner),
            searching: None,
        }
    }

    /// Ends the member and gives the writer back.
    pub fn finish(self) -> io::Result<W> {
        match self.place {
            Place::Nowhere(inner) => GzipWriter::new(inner)?.finish(),
            Place::Here { gzip, .. } => gzip.finish(),
            Place::Beside(threads) => threads.finish(),
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
            Place::Here { mut gzip, taken } if taken < ALONE => {
                let some = &bytes[..bytes.len().min(ALONE - taken)];
                gzip.write_all(some)?;
                let taken = taken + some.len();
                self.place = Place::Here { gzip, taken };
                return Ok(some.len());
            }
            Place::Here { gzip, .. } => {
                let searching = self.searching.unwrap_or_else(searching);
                let mut threads = Threads::start(gzip, searching)?;
                threads.take(bytes)?;
                self.place = Place::Beside(threads);
            }
            Place::Beside(mut threads) => {
                threads.take(bytes)?;
                self.place = Place::Beside(threads);
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

/// How many threads are worth searching: with one core none, since the one that joins can do that
/// itself.
fn searching() -> usize {
    match available_parallelism() {
        Ok(cores) if cores.get() > 1 => cores.get().min(SEARCHING),
        _ => 0,
    }
}

/// A chunk to be searched, and whom to give it back.
type Task = (Chunk, SyncSender<Chunk>);

struct Threads<W: Write + Send + 'static> {
    /// What is not handed over yet.
    chunk: Chunk,
    /// Chunks that were written, to be filled again.
    empty: Receiver<Chunk>,
    /// `None` once there is nothing more to come.
    line: Option<Line>,
    searching: Vec<JoinHandle<()>>,
    /// `None` once its end was awaited.
    joining: Option<JoinHandle<io::Result<GzipWriter<W>>>>,
}

/// Where chunks are handed over.
struct Line {
    /// To be written, in order; each comes when it has been searched.
    order: SyncSender<Receiver<Chunk>>,
    /// `None` if nobody searches beforehand.
    tasks: Option<Sender<Task>>,
}

impl<W: Write + Send + 'static> Threads<W> {
    fn start(mut gzip: GzipWriter<W>, threads: usize) -> io::Result<Self> {
        let chunk = gzip.first_chunk()?;
        // Three more are being filled, waiting for room, and being written.
        let (order, ordered) = sync_channel::<Receiver<Chunk>>(threads.saturating_sub(1).max(1));
        let (done, empty) = channel();
        let name = Builder::new().name("compress".to_owned());
        let joining = name.spawn(move || {
            for answer in ordered {
                let chunk = answer.recv().map_err(|_| over())?;
                gzip.join(&chunk)?;
                // Nobody may be there to fill it: then it goes.
                drop(done.send(chunk));
            }
            Ok(gzip)
        })?;
        let (tasks, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let searching: Vec<_> = (0..threads)
            .map_while(|_| {
                let queue = Arc::clone(&queue);
                let name = Builder::new().name("deflate".to_owned());
                // With fewer of them it takes longer.
                name.spawn(move || search(&queue)).ok()
            })
            .collect();
        let line = Line {
            order,
            tasks: (!searching.is_empty()).then_some(tasks),
        };
        Ok(Self {
            chunk,
            empty,
            line: Some(line),
            searching,
            joining: Some(joining),
        })
    }

    fn take(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let taken = self.chunk.take(bytes);
            bytes = &bytes[taken..];
            if self.chunk.is_full() {
                let mut next = self.empty.try_recv().unwrap_or_default();
                next.follow(&self.chunk);
                let chunk = std::mem::replace(&mut self.chunk, next);
                self.hand_over(chunk)?;
            }
        }
        self.chunk.end_write();
        Ok(())
    }

    fn hand_over(&mut self, chunk: Chunk) -> io::Result<()> {
        let (answer, answered) = sync_channel(1);
        let Some(line) = &self.line else {
            return Err(over());
        };
        // It is searched while there is no room in the order yet.
        match &line.tasks {
            // If nobody is there to take it, whoever waits for the answer will know.
            Some(tasks) => drop(tasks.send((chunk, answer))),
            None => drop(answer.send(chunk)),
        }
        if line.order.send(answered).is_ok() {
            return Ok(());
        }
        // It takes no more, so it has ended, and that can only be by an error.
        self.end()?;
        Err(over())
    }

    fn finish(mut self) -> io::Result<W> {
        let mut last = std::mem::take(&mut self.chunk);
        last.end();
        self.hand_over(last)?;
        self.end()?.close()
    }

    /// Waits for the threads to end.
    fn end(&mut self) -> io::Result<GzipWriter<W>> {
        self.line = None;
        let result = self.joining.take().map(JoinHandle::join);
        for searching in self.searching.drain(..) {
            if let Err(panic) = searching.join() {
                std::panic::resume_unwind(panic);
            }
        }
        match result {
            Some(Ok(result)) => result,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => Err(over()),
        }
    }
}

impl<W: Write + Send + 'static> Drop for Threads<W> {
    fn drop(&mut self) {
        self.line = None;
        if let Some(joining) = self.joining.take() {
            // Whoever gives up does not ask how far they came.
            drop(joining.join());
        }
        for searching in self.searching.drain(..) {
            drop(searching.join());
        }
    }
}

/// Searches what is handed over until there is no more to come.
fn search(queue: &Mutex<Receiver<Task>>) {
    let mut tokenizer = Tokenizer::new();
    loop {
        let task = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((mut chunk, answer)) = task else {
            return;
        };
        chunk.search(&mut tokenizer);
        // If nobody waits for it, there was an error, and that is told elsewhere.
        drop(answer.send(chunk));
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

    fn with_threads<W: Write + Send + 'static>(inner: W, searching: usize) -> Compressor<W> {
        Compressor {
            searching: Some(searching),
            ..Compressor::new(inner)
        }
    }

    #[test]
    fn the_bytes_are_the_same_however_many_threads_make_them() {
        let lengths = [0, 1, ALONE - 1, ALONE, ALONE + 1, 2 * ALONE + 12_345];
        for (length, searching) in lengths.into_iter().zip([0, 1, 2, 3, 4, 2]) {
            let content = noise(length);
            let mut here = GzipWriter::new(Vec::new()).unwrap();
            let mut beside = with_threads(Vec::new(), searching);
            for some in content.chunks(10_007) {
                here.write_all(some).unwrap();
                beside.write_all(some).unwrap();
            }
            assert!(
                here.finish().unwrap() == beside.finish().unwrap(),
                "{length}"
            );
        }
    }

    #[test]
    fn what_the_threads_could_not_write_is_told() {
        for (left, searching) in [(2 * ALONE, 2), (2 * ALONE, 0), (3 * ALONE - 1000, 2)] {
            let disk = Disk {
                left,
                dropped: None,
            };
            let mut compressor = with_threads(disk, searching);
            let written = noise(3 * ALONE)
                .chunks(64 * 1024)
                .try_for_each(|some| compressor.write_all(some));
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
        let mut compressor = with_threads(disk, 2);
        compressor.write_all(&noise(2 * ALONE)).unwrap();
        drop(compressor);
        assert_eq!(dropped.try_recv(), Ok(()));
    }
}
