//! The size of writes hardly affects Go's bytes. A write that ends in the last 261 bytes before
//! a multiple of 32 KiB can move the window earlier. One byte then loses its most
//! distant matches. This encoder does the same.

mod block;
mod huffman;
mod stream;
mod tokenizer;

use std::io::{self, Write};

use flate2::Crc;

use stream::BlockStream;
use tokenizer::Tokenizer;

const WINDOW_SIZE: usize = 1 << 15;
const MIN_MATCH: usize = 4;
const MAX_MATCH: usize = 258;
/// Bytes that the tokenizer needs ahead of it before it makes a step.
const MIN_LOOKAHEAD: usize = MIN_MATCH + MAX_MATCH;

/// Compresses its input into one gzip member without name and time.
///
/// The tables take half a MiB and are allocated by the first write. A writer that waits for a
/// permit is therefore cheap.
pub struct GzipWriter<W: Write> {
    inner: W,
    header: GzipHeader,
    encoder: Option<Encoder>,
}

/// The optional fields of a member's header.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GzipHeader {
    /// Data of programs, at most 64 KiB.
    pub extra: &'static [u8],
    /// A comment in ASCII.
    pub comment: &'static str,
}

impl GzipHeader {
    fn bytes(self) -> Vec<u8> {
        let Self { extra, comment } = self;
        let mut flags = 0;
        let mut fields = Vec::new();
        if let (Ok(length), false) = (u16::try_from(extra.len()), extra.is_empty()) {
            flags |= 0x04;
            fields.extend_from_slice(&length.to_le_bytes());
            fields.extend_from_slice(extra);
        }
        if !comment.is_empty() {
            flags |= 0x10;
            fields.extend_from_slice(comment.as_bytes());
            fields.push(0);
        }
        // Magic, deflate, the flags, no time, no level hint, unknown operating system.
        let mut header = vec![0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 0xff];
        header.append(&mut fields);
        header
    }
}

struct Encoder {
    tokenizer: Tokenizer,
    stream: BlockStream,
    checksum: Crc,
}

impl<W: Write> GzipWriter<W> {
    /// Creates a writer. The first write, or [`GzipWriter::finish`], writes the header.
    pub fn new(inner: W) -> Self {
        Self::with_header(inner, GzipHeader::default())
    }

    /// Creates a writer with fields in the header.
    pub fn with_header(inner: W, header: GzipHeader) -> Self {
        Self {
            inner,
            header,
            encoder: None,
        }
    }

    /// Ends the member and returns the inner writer.
    pub fn finish(mut self) -> io::Result<W> {
        let mut encoder = self.start()?;
        encoder.compress(&mut self.inner, true)?;
        encoder.finish(&mut self.inner)?;
        Ok(self.inner)
    }

    /// Takes the encoder, after the header was written.
    fn start(&mut self) -> io::Result<Encoder> {
        if let Some(encoder) = self.encoder.take() {
            return Ok(encoder);
        }
        self.inner.write_all(&self.header.bytes())?;
        Ok(Encoder {
            tokenizer: Tokenizer::new(),
            stream: BlockStream::new(),
            checksum: Crc::new(),
        })
    }
}

impl<W: Write> Write for GzipWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut encoder = self.start()?;
        let mut rest = bytes;
        while !rest.is_empty() {
            encoder.compress(&mut self.inner, false)?;
            let filled = encoder.tokenizer.fill(rest);
            rest = &rest[filled..];
        }
        encoder.checksum.update(bytes);
        self.encoder = Some(encoder);
        Ok(bytes.len())
    }

    /// Does nothing: a flush would change the bytes.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Encoder {
    /// Compresses the window. Before the end, the last bytes stay in the window.
    fn compress(&mut self, inner: &mut impl Write, last: bool) -> io::Result<()> {
        let tokenizer = &mut self.tokenizer;
        tokenizer.compress(last);
        let base = tokenizer.base();
        self.stream
            .add(&tokenizer.tokens, base, tokenizer.content());
        tokenizer.tokens.clear();
        if last {
            self.stream.end_block(base, tokenizer.content());
        }
        self.drain(inner)
    }

    /// Writes the end of the stream, the checksum and the size.
    fn finish(&mut self, inner: &mut impl Write) -> io::Result<()> {
        self.stream.finish();
        self.drain(inner)?;
        inner.write_all(&self.checksum.sum().to_le_bytes())?;
        inner.write_all(&self.checksum.amount().to_le_bytes())
    }

    fn drain(&mut self, inner: &mut impl Write) -> io::Result<()> {
        let ready = self.stream.ready();
        inner.write_all(ready)?;
        ready.clear();
        Ok(())
    }
}
