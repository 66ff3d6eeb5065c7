//! DEFLATE as Go's default level writes it, byte for byte.
//!
//! Owns one thing: that equal content gives the bytes, and so the digest, that Flux gives it. Two
//! teams that push one commit, one with each tool, then push one artifact, and a signature over it
//! stays valid; a controller that takes over from Flux, and has to make an artifact again, makes
//! the same. It is a quarter faster than Go's; others are up to twice as fast on text.
//! It refuses options: there is one level, no dictionary and no flush in the middle.
//!
//! The search for repetitions is in this file, the codes of a block in `huffman`, its bits in
//! `block`. What decides which of many valid streams is written is every bound and every tie
//! below, so none of them may be tuned. Start at [`GzipWriter`].
//!
//! Parity: go 1.26: compress/flate at level 6, compress/gzip.

mod block;
mod huffman;

use std::io::{self, Write};

use block::{BlockWriter, Token};
use flate2::Crc;

const WINDOW: usize = 1 << 15;
/// Shorter repetitions are written as they are.
const SHORTEST: usize = 4;
const LONGEST: usize = 258;
/// Tokens of one block.
const BLOCK_TOKENS: usize = 1 << 14;
const HASH_BITS: u32 = 17;
/// A repetition this long is taken without looking whether the next byte begins a better one.
const LAZY: usize = 16;
/// A repetition this long ends its search.
const NICE: usize = 128;
/// Candidates that one search looks at.
const CANDIDATES: usize = 128;
/// A repetition of the shortest length is worth it only this near.
const NEAR: usize = 4096;
/// Positions that are remembered at once.
const REMEMBERED: usize = 1024;
/// No earlier position: the last three bytes of the window are none that is remembered.
const NOWHERE: u16 = u16::MAX;

/// Compresses what is written into a gzip member without name and time.
pub struct GzipWriter<W: Write> {
    inner: W,
    compressor: Compressor,
    checksum: Crc,
}

impl<W: Write> GzipWriter<W> {
    /// Begins a member.
    pub fn new(mut inner: W) -> io::Result<Self> {
        // Magic, deflate, no flags, no time, no hint, unknown operating system.
        inner.write_all(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])?;
        Ok(Self {
            inner,
            compressor: Compressor::new(),
            checksum: Crc::new(),
        })
    }

    /// Ends the member and gives the writer back.
    pub fn finish(mut self) -> io::Result<W> {
        self.compressor.finish();
        self.hand_on()?;
        self.inner.write_all(&self.checksum.sum().to_le_bytes())?;
        self.inner
            .write_all(&self.checksum.amount().to_le_bytes())?;
        Ok(self.inner)
    }

    fn hand_on(&mut self) -> io::Result<()> {
        let ready = &mut self.compressor.block.ready;
        self.inner.write_all(ready)?;
        ready.clear();
        Ok(())
    }
}

impl<W: Write> Write for GzipWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // What is compressed and not yet handed on stays small.
        let some = &bytes[..bytes.len().min(WINDOW)];
        self.compressor.take(some);
        self.checksum.update(some);
        self.hand_on()?;
        Ok(some.len())
    }

    /// Does nothing: a flush in the middle would be seen in the bytes.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A repetition: how much, and how far back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Repetition {
    length: usize,
    distance: usize,
}

impl Repetition {
    const NONE: Self = Self {
        length: SHORTEST - 1,
        distance: 0,
    };
}

/// Knows no writer, so that it is compiled once and here.
struct Compressor {
    block: BlockWriter,
    /// Two windows of content; what lies before `index` has been looked at.
    window: Box<[u8; 2 * WINDOW]>,
    end: usize,
    index: usize,
    /// Where the content of the block that is being collected begins; `None` once that has left
    /// the window.
    block_start: Option<usize>,
    tokens: Vec<Token>,
    /// The repetition that was found at the byte before.
    previous: Repetition,
    /// Whether the byte before is still to be written.
    pending: bool,
    /// What lies before it is remembered: often more than was looked at, since many positions
    /// at once are remembered much faster than one by one.
    remembered: usize,
    /// The newest position of each hash in the window, and by position the one before it.
    newest: Box<[u16; 1 << HASH_BITS]>,
    before: Box<[u16; 2 * WINDOW]>,
}

impl Compressor {
    fn new() -> Self {
        Self {
            block: BlockWriter::new(),
            window: filled(0),
            end: 0,
            index: 0,
            block_start: Some(0),
            tokens: Vec::with_capacity(BLOCK_TOKENS + 1),
            previous: Repetition::NONE,
            pending: false,
            remembered: 0,
            newest: filled(NOWHERE),
            before: filled(NOWHERE),
        }
    }

    fn take(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            self.compress(false);
            let filled = self.fill(bytes);
            bytes = &bytes[filled..];
        }
    }

    fn finish(&mut self) {
        self.compress(true);
        self.block.finish();
    }

    /// Copies what fits into the window, which moves on when its second half has been looked at.
    fn fill(&mut self, bytes: &[u8]) -> usize {
        if self.index >= 2 * WINDOW - (SHORTEST + LONGEST) {
            self.window.copy_within(WINDOW.., 0);
            self.index -= WINDOW;
            self.end -= WINDOW;
            self.remembered -= WINDOW;
            self.block_start = self.block_start.and_then(|start| start.checked_sub(WINDOW));
            self.advance();
        }
        let size = bytes.len().min(2 * WINDOW - self.end);
        self.window[self.end..self.end + size].copy_from_slice(&bytes[..size]);
        self.end += size;
        size
    }

    /// Moves what is remembered with the window; what has left it is forgotten.
    fn advance(&mut self) {
        const MOVED: u16 = 1 << 15;
        let moved = |position: &mut u16| {
            *position = match *position {
                NOWHERE => NOWHERE,
                position => position.checked_sub(MOVED).unwrap_or(NOWHERE),
            };
        };
        self.newest.iter_mut().for_each(moved);
        self.before.copy_within(WINDOW.., 0);
        self.before[..WINDOW].iter_mut().for_each(moved);
    }

    /// Remembers where the four bytes at each of the next positions are, and where they were last.
    fn remember(&mut self, hashed: usize) {
        let from = self.remembered;
        let to = hashed.min(from + REMEMBERED);
        let content = &self.window[from..to + SHORTEST - 1];
        let before = &mut self.before[from..to];
        for ((index, word), before) in (from..).zip(content.windows(SHORTEST)).zip(before) {
            let word = u32::from_be_bytes([word[0], word[1], word[2], word[3]]);
            let hash = (word.wrapping_mul(0x1e35_a7bd) >> (32 - HASH_BITS)) as usize;
            *before = std::mem::replace(&mut self.newest[hash], position(index));
        }
        self.remembered = to;
    }

    /// Turns content into tokens, and tokens into blocks. Before the end a rest is kept back that
    /// any repetition fits into.
    fn compress(&mut self, last: bool) {
        // The last three bytes have no hash.
        let hashed = (self.end + 1).saturating_sub(SHORTEST);
        loop {
            let ahead = self.end - self.index;
            if ahead < SHORTEST + LONGEST {
                if !last {
                    return;
                }
                if ahead == 0 {
                    self.drain();
                    return;
                }
            }
            let candidate = if self.index < hashed {
                if self.index >= self.remembered {
                    self.remember(hashed);
                }
                self.before[self.index]
            } else {
                NOWHERE
            };
            let previous = std::mem::replace(&mut self.previous, Repetition::NONE);
            if ahead > previous.length
                && previous.length < LAZY
                && let Some(candidate) = remembered(candidate)
                && candidate >= self.index.saturating_sub(WINDOW)
                && let Some(found) = self.search(candidate, ahead)
            {
                self.previous = found;
            }
            if previous.length >= SHORTEST && self.previous.length <= previous.length {
                self.repeat(previous);
            } else {
                self.step();
            }
        }
    }

    /// Writes what is left.
    fn drain(&mut self) {
        if std::mem::take(&mut self.pending) {
            self.tokens
                .push(Token::literal(self.window[self.index - 1]));
        }
        if !self.tokens.is_empty() {
            self.write_block(self.index);
        }
    }

    /// Takes the repetition that began at the byte before.
    fn repeat(&mut self, found: Repetition) {
        self.tokens
            .push(Token::repetition(found.length, found.distance));
        self.index += found.length - 1;
        self.pending = false;
        self.previous = Repetition::NONE;
        if self.tokens.len() == BLOCK_TOKENS {
            self.write_block(self.index);
        }
    }

    /// Takes the byte before as it is, and leaves this one to the next step.
    fn step(&mut self) {
        if self.pending {
            self.tokens
                .push(Token::literal(self.window[self.index - 1]));
            if self.tokens.len() == BLOCK_TOKENS {
                self.write_block(self.index);
            }
        }
        self.index += 1;
        self.pending = true;
    }

    /// The longest repetition among the candidates, the nearest first.
    fn search(&self, first: usize, ahead: usize) -> Option<Repetition> {
        let longest = ahead.min(LONGEST);
        let nice = longest.min(NICE);
        let here = &self.window[self.index..self.index + longest];
        let least = self.index.checked_sub(WINDOW);
        let mut best: Option<Repetition> = None;
        let mut length = Repetition::NONE.length;
        let mut at = first;
        for _ in 0..CANDIDATES {
            if here.get(length) == Some(&self.window[at + length]) {
                let there = &self.window[at..at + longest];
                let equal = alike(here, there);
                if equal > length && (equal > SHORTEST || self.index - at <= NEAR) {
                    length = equal;
                    best = Some(Repetition {
                        length,
                        distance: self.index - at,
                    });
                    if equal >= nice {
                        break;
                    }
                }
            }
            if Some(at) == least {
                // Its predecessor has been overwritten by now.
                break;
            }
            match remembered(self.before[at]) {
                Some(next) if least.is_none_or(|least| next >= least) => at = next,
                _ => break,
            }
        }
        best
    }

    fn write_block(&mut self, index: usize) {
        if index > 0 {
            let content = self
                .block_start
                .filter(|start| *start <= index)
                .map(|start| &self.window[start..index]);
            self.block.write(&self.tokens, content);
            self.block_start = Some(index);
        }
        self.tokens.clear();
    }
}

/// A table of a size that is known, so that no look into it is checked; it is never on the stack.
#[expect(
    clippy::unnecessary_box_returns,
    reason = "128 KiB and more do not belong on a stack"
)]
fn filled<T: Copy, const SIZE: usize>(value: T) -> Box<[T; SIZE]> {
    let table = vec![value; SIZE].into_boxed_slice();
    table.try_into().ok().expect("it has that many")
}

/// How many bytes two pieces of one length begin with alike.
fn alike(one: &[u8], other: &[u8]) -> usize {
    let (words, _) = one.as_chunks::<8>();
    let (others, _) = other.as_chunks::<8>();
    for (index, (word, other)) in words.iter().zip(others).enumerate() {
        let difference = u64::from_le_bytes(*word) ^ u64::from_le_bytes(*other);
        if difference != 0 {
            return index * 8 + difference.trailing_zeros() as usize / 8;
        }
    }
    let rest = words.len() * 8;
    let pairs = one[rest..].iter().zip(&other[rest..]);
    rest + pairs.take_while(|(one, other)| one == other).count()
}

#[inline]
fn position(index: usize) -> u16 {
    u16::try_from(index).expect("the window has 65,536 bytes")
}

fn remembered(position: u16) -> Option<usize> {
    (position != NOWHERE).then_some(usize::from(position))
}
