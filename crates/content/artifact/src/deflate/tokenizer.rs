//! Finds repetitions in the content and returns tokens.
//!
//! The output depends on each bound and each tie-break below, so none of them may be tuned.

use super::block::Token;
use super::{MAX_MATCH, MIN_LOOKAHEAD, MIN_MATCH, WINDOW_SIZE};

const HASH_BITS: u32 = 17;
/// After a match of this length, the next byte is not searched for a longer one.
const MAX_LAZY_MATCH: usize = 16;
/// A match of this length ends its search.
const NICE_MATCH: usize = 128;
/// Candidates that one search compares.
const MAX_CHAIN: usize = 128;
/// A match of the minimum length must be at most this far away.
const MAX_SHORT_MATCH_DISTANCE: usize = 4096;
/// Positions that are hashed at once, which is much faster than one by one.
const HASH_BATCH: usize = 1024;
/// Marks the end of a chain. Tables hold positions plus one, so that moving the window is a
/// saturating subtraction, which the compiler vectorizes.
const NO_POSITION: u16 = 0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Match {
    length: usize,
    distance: usize,
}

impl Match {
    const NONE: Self = Self {
        length: MIN_MATCH - 1,
        distance: 0,
    };
}

/// Has no type parameter for the writer, so that it is compiled once, in this crate.
pub(super) struct Tokenizer {
    /// Where the window starts in the stream.
    base: u64,
    /// Two windows of content; bytes before `index` are searched.
    window: Box<[u8; 2 * WINDOW_SIZE]>,
    index: usize,
    end: usize,
    /// The match at the byte before `index`.
    previous: Match,
    /// Whether the byte before `index` has no token yet.
    pending: bool,
    /// Tokens that the caller takes.
    pub(super) tokens: Vec<Token>,
    /// Bytes before this index are hashed.
    hashed: usize,
    /// The newest position of each hash.
    heads: Box<[u16; 1 << HASH_BITS]>,
    /// By position, the previous position with the same hash.
    chain: Box<[u16; 2 * WINDOW_SIZE]>,
}

impl Tokenizer {
    pub(super) fn new() -> Self {
        Self {
            base: 0,
            window: filled(0),
            index: 0,
            end: 0,
            previous: Match::NONE,
            pending: false,
            tokens: Vec::new(),
            hashed: 0,
            heads: filled(NO_POSITION),
            chain: filled(NO_POSITION),
        }
    }

    /// Where the window starts in the stream.
    pub(super) fn base(&self) -> u64 {
        self.base
    }

    /// The content of the window.
    pub(super) fn content(&self) -> &[u8] {
        &self.window[..self.end]
    }

    /// Copies as many bytes into the window as fit, and returns their number. The window moves
    /// when its second half is searched.
    pub(super) fn fill(&mut self, bytes: &[u8]) -> usize {
        if self.index >= 2 * WINDOW_SIZE - MIN_LOOKAHEAD {
            self.advance();
        }
        let size = bytes.len().min(2 * WINDOW_SIZE - self.end);
        self.window[self.end..self.end + size].copy_from_slice(&bytes[..size]);
        self.end += size;
        size
    }

    /// Moves content and tables by one window.
    fn advance(&mut self) {
        const SHIFT: u16 = 1 << 15;
        self.window.copy_within(WINDOW_SIZE.., 0);
        self.base += WINDOW_SIZE as u64;
        self.index -= WINDOW_SIZE;
        self.end -= WINDOW_SIZE;
        self.hashed -= WINDOW_SIZE;
        let shift = |position: &mut u16| *position = position.saturating_sub(SHIFT);
        self.heads.iter_mut().for_each(shift);
        self.chain.copy_within(WINDOW_SIZE.., 0);
        self.chain[..WINDOW_SIZE].iter_mut().for_each(shift);
    }

    /// Adds the next positions to the chains.
    fn hash(&mut self, limit: usize) {
        let from = self.hashed;
        let to = limit.min(from + HASH_BATCH);
        let content = &self.window[from..to + MIN_MATCH - 1];
        let chain = &mut self.chain[from..to];
        for ((index, word), previous) in (from..).zip(content.windows(MIN_MATCH)).zip(chain) {
            let word = u32::from_be_bytes([word[0], word[1], word[2], word[3]]);
            let hash = (word.wrapping_mul(0x1e35_a7bd) >> (32 - HASH_BITS)) as usize;
            *previous = std::mem::replace(&mut self.heads[hash], position(index));
        }
        self.hashed = to;
    }

    /// Turns content into tokens. Before the end of the stream, it stops where the longest match
    /// might not fit into the window.
    pub(super) fn compress(&mut self, last: bool) {
        // The last three bytes have no hash.
        let hash_limit = (self.end + 1).saturating_sub(MIN_MATCH);
        loop {
            let index = self.index;
            let ahead = self.end - index;
            if ahead < MIN_LOOKAHEAD {
                if !last {
                    return;
                }
                if ahead == 0 {
                    self.write_pending();
                    return;
                }
            }
            let candidate = if index < hash_limit {
                while index >= self.hashed {
                    self.hash(hash_limit);
                }
                self.chain[index]
            } else {
                NO_POSITION
            };
            if !is_in_reach(candidate, index) && self.skip_literals() {
                continue;
            }
            let previous = std::mem::replace(&mut self.previous, Match::NONE);
            if ahead > previous.length
                && previous.length < MAX_LAZY_MATCH
                && is_in_reach(candidate, index)
                && let Some(found) = self.search(candidate, ahead)
            {
                self.previous = found;
            }
            if previous.length >= MIN_MATCH && self.previous.length <= previous.length {
                // The match at the byte before is at least as long as the one at this byte.
                self.tokens
                    .push(Token::repetition(previous.length, previous.distance));
                self.index += previous.length - 1;
                self.pending = false;
                self.previous = Match::NONE;
            } else {
                self.write_pending();
                self.index += 1;
                self.pending = true;
            }
        }
    }

    /// Writes a run of literals that have no candidate, and returns whether there was one. This is
    /// four of five steps when the content was compressed before.
    fn skip_literals(&mut self) -> bool {
        let index = self.index;
        let to = self
            .hashed
            .min((self.end + 1).saturating_sub(MIN_LOOKAHEAD));
        if !self.pending || self.previous.length >= MIN_MATCH || index >= to {
            return false;
        }
        let steps = (index..to)
            .take_while(|index| !self.has_candidate(*index))
            .count();
        let bytes = &self.window[index - 1..index - 1 + steps];
        self.tokens
            .extend(bytes.iter().copied().map(Token::literal));
        self.index += steps;
        steps > 0
    }

    /// Whether an earlier position may match this one. It has no branches, because a processor
    /// cannot predict them for content that was compressed before.
    #[inline]
    fn has_candidate(&self, index: usize) -> bool {
        let candidate = self.chain[index];
        let at = usize::from(candidate.saturating_sub(1));
        let is_equal = word(&self.window[..], at) == word(&self.window[..], index);
        is_in_reach(candidate, index) & (is_equal | is_in_reach(self.chain[at], index))
    }

    /// Writes the byte before `index` as a literal, if it has no token yet.
    fn write_pending(&mut self) {
        if std::mem::take(&mut self.pending) {
            let byte = self.window[self.index - 1];
            self.tokens.push(Token::literal(byte));
        }
    }

    /// Returns the longest match on the chain, and the nearest of equally long ones.
    #[expect(clippy::inline_always, reason = "a call costs 3 % of the time on text")]
    #[inline(always)]
    fn search(&self, first: u16, ahead: usize) -> Option<Match> {
        let index = self.index;
        let longest = ahead.min(MAX_MATCH);
        let nice = longest.min(NICE_MATCH);
        let here = &self.window[index..index + longest];
        let lowest = index.saturating_sub(WINDOW_SIZE) + 1;
        let mut best: Option<Match> = None;
        let mut length = Match::NONE.length;
        // The last four bytes of a match that is one byte longer than the best one.
        let mut tail = word(here, length - 3);
        let mut candidate = usize::from(first);
        for _ in 0..MAX_CHAIN {
            if word(&self.window[..], candidate + length - 4) == tail {
                let at = candidate - 1;
                let there = &self.window[at..at + longest];
                let equal = common_prefix(here, there);
                if equal > length && (equal > MIN_MATCH || index - at <= MAX_SHORT_MATCH_DISTANCE) {
                    length = equal;
                    best = Some(Match {
                        length,
                        distance: index - at,
                    });
                    if equal >= nice {
                        break;
                    }
                    tail = word(here, length - 3);
                }
            }
            // A link must lead to a smaller position that is not below the lowest. Below it,
            // links are overwritten. `NO_POSITION` wraps to a large number.
            let next = usize::from(self.chain[candidate - 1]);
            if next.wrapping_sub(lowest) >= candidate - lowest {
                break;
            }
            candidate = next;
        }
        best
    }
}

/// Returns a table with a size known at compile time, which saves bounds checks. It is built on
/// the heap.
#[expect(
    clippy::unnecessary_box_returns,
    reason = "128 KiB and more do not belong on a stack"
)]
fn filled<T: Copy, const SIZE: usize>(value: T) -> Box<[T; SIZE]> {
    let table = vec![value; SIZE].into_boxed_slice();
    table.try_into().ok().expect("the vector has SIZE elements")
}

/// The length of the common prefix of two slices of one length.
fn common_prefix(one: &[u8], other: &[u8]) -> usize {
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

/// The four bytes at an index.
#[inline]
fn word(bytes: &[u8], from: usize) -> u32 {
    let word = &bytes[from..from + 4];
    u32::from_le_bytes([word[0], word[1], word[2], word[3]])
}

/// An index as tables hold it. The last three indexes of the window are never hashed.
#[inline]
fn position(index: usize) -> u16 {
    u16::try_from(index + 1).expect("hashed indexes are below 65,533")
}

/// Whether a table entry is a position at most one window before the index.
#[inline]
fn is_in_reach(candidate: u16, index: usize) -> bool {
    usize::from(candidate) > index.saturating_sub(WINDOW_SIZE)
}
