//! Several searches at once that make the tokens of one.
//!
//! A search that begins in the middle, with the window before it remembered, does not know
//! whether a repetition reaches over its beginning. It guesses that none does, and soon stands
//! where the true one stands: mostly within some bytes, and from then on their tokens are the
//! same, since [`State`] and content are all that they depend on. So each [`Chunk`] is searched by
//! itself and notes its first steps; whoever joins them goes on from the true end of the chunk
//! before until it meets a step that was noted, and takes the rest as it is. Where they do not meet
//! (in runs of one byte they may go on side by side for long) it searches the whole chunk itself:
//! a wrong guess costs time and never a byte.

use std::io::{self, Write};

use super::block::Token;
use super::search::{State, Tokenizer, Watch};
use super::{AHEAD, GzipWriter, LONGEST, WINDOW};

/// Content that is searched at once: a multiple of the window.
const CHUNK: usize = 8 * WINDOW;
/// What a chunk shares with the next: a window to look back at, and as much as its last step
/// wants to see, so that the next one begins at a window's bound.
const SHARED: usize = WINDOW + AHEAD - 1;
/// Content that threads are not worth: what is written before the first chunk, which begins at a
/// window's bound.
pub(crate) const ALONE: usize = (1 << 20) + AHEAD - 1;
/// Steps that are noted.
const NOTED: usize = 1024;

/// Content to be searched, and what was found in it.
#[derive(Default)]
pub(crate) struct Chunk {
    content: Vec<u8>,
    /// Where in the stream it begins.
    base: u64,
    /// Where writes ended, as far as that can be seen in the bytes.
    writes: Vec<usize>,
    last: bool,
    tokens: Vec<Token>,
    /// Where the window began, one place after another, and how many tokens there were in the end.
    bases: Vec<(u64, usize)>,
    noted: Noted,
    /// Where the search ended.
    end: State,
}

/// The first steps, and how many tokens there were before.
#[derive(Default)]
struct Noted(Vec<(State, usize)>);

impl Watch for Noted {
    fn ends(&mut self, state: &State, tokens: usize) -> bool {
        if self.0.len() < NOTED {
            self.0.push((*state, tokens));
        }
        false
    }

    fn is_over(&self) -> bool {
        self.0.len() >= NOTED
    }
}

/// Looks for a step among those that were noted and not passed.
struct Meeting<'a>(&'a [(State, usize)]);

impl Watch for Meeting<'_> {
    fn ends(&mut self, state: &State, _: usize) -> bool {
        while let [(noted, _), rest @ ..] = self.0
            && noted.position() < state.position()
        {
            self.0 = rest;
        }
        self.0.first().is_some_and(|(noted, _)| noted == state)
    }

    fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}

impl Chunk {
    /// Takes what fits of a write.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> usize {
        let size = bytes.len().min(SHARED + CHUNK - self.content.len());
        self.content.extend_from_slice(&bytes[..size]);
        size
    }

    /// Notes that a write has ended.
    pub(crate) fn end_write(&mut self) {
        let end = self.content.len();
        if end % WINDOW > WINDOW - AHEAD {
            // Of those before one bound only the last can matter.
            self.writes.pop_if(|write| *write / WINDOW == end / WINDOW);
            self.writes.push(end);
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.content.len() == SHARED + CHUNK
    }

    /// Begins where another one, that is full, will end.
    pub(crate) fn follow(&mut self, other: &Self) {
        self.begin(other.base + CHUNK as u64, &other.content[CHUNK..]);
    }

    fn begin(&mut self, base: u64, shared: &[u8]) {
        self.base = base;
        self.content.clear();
        self.content.reserve_exact(SHARED + CHUNK);
        self.content.extend_from_slice(shared);
        self.writes.clear();
        self.noted.0.clear();
        self.last = false;
    }

    /// There is nothing after it.
    pub(crate) fn end(&mut self) {
        self.last = true;
    }

    /// Searches it from its beginning on.
    pub(crate) fn search(&mut self, tokenizer: &mut Tokenizer) {
        tokenizer.begin(State::guessed(self.base));
        self.tokens.clear();
        self.tokens.reserve_exact(CHUNK + LONGEST);
        self.bases.clear();
        std::mem::swap(&mut self.tokens, &mut tokenizer.tokens);
        let mut noted = std::mem::take(&mut self.noted);
        let mut from = 0;
        while from < self.content.len() {
            self.run(tokenizer, &mut from, &mut noted);
            let base = tokenizer.state.base;
            self.bases.pop_if(|(before, _)| *before == base);
            self.bases.push((base, tokenizer.tokens.len()));
        }
        self.noted = noted;
        std::mem::swap(&mut self.tokens, &mut tokenizer.tokens);
        self.end = tokenizer.state;
    }

    /// Shows a tokenizer the next piece, and tells whether it was ended by whoever watches.
    fn run(&self, tokenizer: &mut Tokenizer, from: &mut usize, watch: &mut impl Watch) -> bool {
        let all = self.content.len();
        let mut ends = self.writes.iter().copied().chain([all]);
        let end = ends.find(|end| *end > *from).unwrap_or(all);
        *from += tokenizer.fill(&self.content[*from..end]);
        tokenizer.run(self.last && *from == all, watch)
    }

    /// The same by whoever joins: knows no writer, so that it is compiled once and here.
    fn meet(&self, tokenizer: &mut Tokenizer, from: &mut usize, meeting: &mut Meeting<'_>) -> bool {
        self.run(tokenizer, from, meeting)
    }

    /// The content from a base of the window on.
    fn since(&self, base: u64) -> &[u8] {
        let from = usize::try_from(base - self.base).expect("a chunk has few windows");
        &self.content[from..]
    }
}

impl<W: Write> GzipWriter<W> {
    /// The chunk that comes after what was written: [`ALONE`] bytes, or else as much beyond a
    /// window's bound.
    pub(crate) fn first_chunk(&mut self) -> io::Result<Chunk> {
        self.compress(false)?;
        let mut chunk = Chunk::default();
        chunk.begin(self.tokenizer.state.base, self.tokenizer.content());
        Ok(chunk)
    }

    /// Writes a chunk, which need not have been searched.
    pub(crate) fn join(&mut self, chunk: &Chunk) -> io::Result<()> {
        self.checksum.update(&chunk.content[SHARED..]);
        self.tokenizer.begin(self.tokenizer.state);
        let mut meeting = Meeting(&chunk.noted.0);
        let (mut from, mut met) = (0, false);
        while from < chunk.content.len() && !met {
            met = chunk.meet(&mut self.tokenizer, &mut from, &mut meeting);
            self.take_tokens()?;
        }
        if let Some((_, own)) = meeting.0.first().filter(|_| met) {
            let mut own = *own;
            for (base, tokens) in &chunk.bases {
                // Bases may have been left before the searches met.
                if own < *tokens {
                    let content = chunk.since(*base);
                    self.stream.add(&chunk.tokens[own..*tokens], *base, content);
                    self.hand_on()?;
                    own = *tokens;
                }
            }
            self.tokenizer.state = chunk.end;
        }
        if chunk.last {
            let base = self.tokenizer.state.base;
            self.stream.end_block(base, chunk.since(base));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The least that may be written before the first chunk.
    const FIRST: usize = SHARED;

    fn alone(content: &[u8], write: usize) -> Vec<u8> {
        let mut gzip = GzipWriter::new(Vec::new()).unwrap();
        for some in content.chunks(write) {
            gzip.write_all(some).unwrap();
        }
        gzip.finish().unwrap()
    }

    /// The same by chunks, with something done to each of them before it is joined.
    fn joined(content: &[u8], write: usize, mut prepare: impl FnMut(&mut Chunk)) -> Vec<u8> {
        let mut gzip = GzipWriter::new(Vec::new()).unwrap();
        let mut chunk: Option<Chunk> = None;
        let mut taken = 0;
        for mut some in content.chunks(write) {
            if chunk.is_none() {
                let (now, later) = some.split_at(some.len().min(FIRST - taken));
                gzip.write_all(now).unwrap();
                taken += now.len();
                some = later;
            }
            while !some.is_empty() {
                let current = chunk.get_or_insert_with(|| gzip.first_chunk().unwrap());
                let size = current.take(some);
                some = &some[size..];
                if current.is_full() {
                    let mut next = Chunk::default();
                    next.follow(current);
                    prepare(current);
                    gzip.join(current).unwrap();
                    *current = next;
                }
            }
            if let Some(current) = &mut chunk {
                current.end_write();
            }
        }
        let Some(mut last) = chunk else {
            return gzip.finish().unwrap();
        };
        last.end();
        prepare(&mut last);
        gzip.join(&last).unwrap();
        gzip.close().unwrap()
    }

    fn noise(seed: u64, length: usize, alphabet: u64) -> Vec<u8> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let next = || {
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            ((state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % alphabet).to_le_bytes()[0]
        };
        std::iter::repeat_with(next).take(length).collect()
    }

    /// Puts other tokens in the place of those that were found.
    fn spoil(chunk: &mut Chunk) {
        chunk.tokens.fill(Token::literal(b'!'));
    }

    #[test]
    fn what_a_chunk_found_is_taken_over() {
        let content = noise(1, FIRST + CHUNK + 1000, 4);
        let mut tokenizer = Tokenizer::new();
        let expected = alone(&content, 5000);
        let found = joined(&content, 5000, |chunk| chunk.search(&mut tokenizer));
        assert!(found == expected);
        let spoilt = joined(&content, 5000, |chunk| {
            chunk.search(&mut tokenizer);
            spoil(chunk);
        });
        assert!(spoilt != expected);
    }

    #[test]
    fn what_never_meets_is_searched_again() {
        // Repetitions of the longest kind, and none of them ends where the guess would have it.
        let mut content = vec![0; FIRST + 2 * CHUNK];
        let mut tokenizer = Tokenizer::new();
        for rest in [0, 77] {
            content.resize(FIRST + 2 * CHUNK + rest, 0);
            let found = joined(&content, 70_000, |chunk| {
                chunk.search(&mut tokenizer);
                spoil(chunk);
            });
            assert!(found == alone(&content, 70_000), "{rest}");
        }
    }

    #[test]
    fn content_may_end_anywhere() {
        let content = noise(2, FIRST + CHUNK + 2 * WINDOW, 60);
        let mut tokenizer = Tokenizer::new();
        let bounds = [FIRST, FIRST + CHUNK, WINDOW + CHUNK];
        for end in bounds
            .iter()
            .flat_map(|bound| [bound - 300, bound - 1, *bound, bound + 1, bound + 300])
        {
            let content = &content[..end];
            let found = joined(content, 9999, |chunk| chunk.search(&mut tokenizer));
            assert!(found == alone(content, 9999), "{end}");
        }
    }

    /// Content of a kind that the searches meet in soon, late or never.
    fn part() -> impl Strategy<Value = Vec<u8>> {
        let period = (any::<u64>(), 3_usize..33_000, 1_usize..300_000);
        prop_oneof![
            (any::<u64>(), 1_usize..60_000).prop_map(|(seed, length)| noise(seed, length, 256)),
            (any::<u64>(), 1_usize..60_000, 2_u64..9)
                .prop_map(|(seed, length, alphabet)| noise(seed, length, alphabet)),
            (any::<u8>(), 1_usize..300_000).prop_map(|(byte, length)| vec![byte; length]),
            period.prop_map(|(seed, period, length)| {
                let once = noise(seed, period, 256);
                once.into_iter().cycle().take(length).collect()
            }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn chunks_make_the_bytes_of_one_search(
            parts in prop::collection::vec(part(), 3..9),
            write in 200_usize..100_000,
            searched in any::<u8>(),
        ) {
            let content = parts.concat();
            let mut tokenizer = Tokenizer::new();
            let mut number = 0;
            let found = joined(&content, write, |chunk| {
                // Some are not searched, as it is with one core.
                if searched & (1 << (number % 8)) != 0 {
                    chunk.search(&mut tokenizer);
                }
                number += 1;
            });
            prop_assert!(found == alone(&content, write));
        }
    }
}
