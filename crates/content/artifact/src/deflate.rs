//! DEFLATE as Go's default level writes it, byte for byte.
//!
//! Owns one thing: that equal content gives the bytes, and so the digest, that Flux gives it. Two
//! teams that push one commit, one with each tool, then push one artifact, and a signature over it
//! stays valid; a controller that takes over from Flux, and has to make an artifact again, makes
//! the same. It is a quarter faster than Go's; others are up to twice as fast on text.
//! It refuses options: there is one level, no dictionary and no flush in the middle.
//!
//! The search for repetitions is in `search`, the grouping of its tokens into blocks in `stream`,
//! a block's bits in `block` and its codes in `huffman`. `join` is how several searches at once
//! make the tokens of one. Start at [`GzipWriter`].
//!
//! In what pieces content is written is all but nothing to Go's bytes: only a write that ends in
//! the last 261 bytes before a multiple of 32 KiB may move the window a step earlier, and so cost
//! one byte its farthest repetitions. It does so here as well.
//!
//! Parity: go 1.26: compress/flate at level 6, compress/gzip.

mod block;
mod huffman;
mod join;
mod search;
mod stream;

use std::io::{self, Write};

use flate2::Crc;

pub(crate) use join::{ALONE, Chunk};
pub(crate) use search::Tokenizer;
use stream::Stream;

const WINDOW: usize = 1 << 15;
/// Shorter repetitions are written as they are.
const SHORTEST: usize = 4;
const LONGEST: usize = 258;
/// What a search wants to see before it makes a step.
const AHEAD: usize = SHORTEST + LONGEST;

/// Compresses what is written into a gzip member without name and time.
pub struct GzipWriter<W: Write> {
    inner: W,
    tokenizer: Tokenizer,
    stream: Stream,
    checksum: Crc,
}

impl<W: Write> GzipWriter<W> {
    /// Begins a member.
    pub fn new(mut inner: W) -> io::Result<Self> {
        // Magic, deflate, no flags, no time, no hint, unknown operating system.
        inner.write_all(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])?;
        Ok(Self {
            inner,
            tokenizer: Tokenizer::new(),
            stream: Stream::new(),
            checksum: Crc::new(),
        })
    }

    /// Ends the member and gives the writer back.
    pub fn finish(mut self) -> io::Result<W> {
        self.compress(true)?;
        self.close()
    }

    /// Compresses what has been taken. Before the end a rest is kept back.
    fn compress(&mut self, last: bool) -> io::Result<()> {
        self.tokenizer.compress(last);
        self.take_tokens()?;
        if last {
            let base = self.tokenizer.state.base;
            self.stream.end_block(base, self.tokenizer.content());
        }
        Ok(())
    }

    /// Writes what the search has made since it was last asked.
    fn take_tokens(&mut self) -> io::Result<()> {
        let tokenizer = &mut self.tokenizer;
        let base = tokenizer.state.base;
        self.stream
            .add(&tokenizer.tokens, base, tokenizer.content());
        tokenizer.tokens.clear();
        self.hand_on()
    }

    /// Ends the member after its last block.
    pub(crate) fn close(mut self) -> io::Result<W> {
        self.stream.finish();
        self.hand_on()?;
        self.inner.write_all(&self.checksum.sum().to_le_bytes())?;
        self.inner
            .write_all(&self.checksum.amount().to_le_bytes())?;
        Ok(self.inner)
    }

    fn hand_on(&mut self) -> io::Result<()> {
        let ready = self.stream.ready();
        self.inner.write_all(ready)?;
        ready.clear();
        Ok(())
    }
}

impl<W: Write> Write for GzipWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while !rest.is_empty() {
            self.compress(false)?;
            let filled = self.tokenizer.fill(rest);
            rest = &rest[filled..];
        }
        self.checksum.update(bytes);
        Ok(bytes.len())
    }

    /// Does nothing: a flush in the middle would be seen in the bytes.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
