//! The search for repetitions: content in, tokens out.
//!
//! What decides which of many valid streams is written is every bound and every tie below, so none
//! of them may be tuned. Which tokens come next depends on the content and on the [`State`], and
//! on nothing else: all positions are remembered, whatever the tokens that cover them.

use super::block::Token;
use super::{AHEAD, LONGEST, SHORTEST, WINDOW};

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
/// No earlier position. What is remembered is one more than each position, so that a table moves
/// with the window by a subtraction that stops at zero, many entries at once.
const NOWHERE: u16 = 0;

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

/// Where a search stands between two steps: two that stand alike before the same content go on
/// alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// Where in the stream the window begins; nothing before it is repeated.
    pub(super) base: u64,
    /// What is to be looked at next, in the window.
    index: usize,
    /// The repetition that was found at the byte before.
    previous: Repetition,
    /// Whether the byte before is still to be written.
    pending: bool,
}

impl Default for State {
    /// At the beginning of a stream.
    fn default() -> Self {
        Self {
            base: 0,
            index: 0,
            previous: Repetition::NONE,
            pending: false,
        }
    }
}

impl State {
    /// At the second window from `base` on, as if nothing had been found yet.
    pub(super) fn guessed(base: u64) -> Self {
        Self {
            base,
            index: WINDOW,
            ..Self::default()
        }
    }

    /// Where in the stream it is.
    pub(super) fn position(&self) -> u64 {
        self.base + self.index as u64
    }
}

/// Looks at every step of a search before it is made.
pub(super) trait Watch {
    /// Whether the search ends here; `tokens` is how many it has made.
    fn ends(&mut self, state: &State, tokens: usize) -> bool;

    /// Whether it has seen enough, and will let the search run.
    fn is_over(&self) -> bool;
}

/// Lets it run.
impl Watch for () {
    fn ends(&mut self, _: &State, _: usize) -> bool {
        false
    }

    fn is_over(&self) -> bool {
        true
    }
}

/// Knows no writer, so that it is compiled once and here.
pub(crate) struct Tokenizer {
    pub(super) state: State,
    /// Two windows of content; what lies before the state's index has been looked at.
    window: Box<[u8; 2 * WINDOW]>,
    end: usize,
    /// What was made and not yet taken.
    pub(super) tokens: Vec<Token>,
    /// What lies before it is remembered: often more than was looked at, since many positions
    /// at once are remembered much faster than one by one.
    remembered: usize,
    /// The newest position of each hash in the window, and by position the one before it.
    newest: Box<[u16; 1 << HASH_BITS]>,
    before: Box<[u16; 2 * WINDOW]>,
}

impl Tokenizer {
    pub(crate) fn new() -> Self {
        Self {
            state: State::default(),
            window: filled(0),
            end: 0,
            tokens: Vec::new(),
            remembered: 0,
            newest: filled(NOWHERE),
            before: filled(NOWHERE),
        }
    }

    /// Goes on from a state, with content that is still to be filled in from its base on, and
    /// beyond its index at once.
    pub(super) fn begin(&mut self, state: State) {
        self.state = state;
        (self.end, self.remembered) = (0, 0);
        self.newest.fill(NOWHERE);
        self.tokens.clear();
    }

    /// The content from the state's base on.
    pub(super) fn content(&self) -> &[u8] {
        &self.window[..self.end]
    }

    /// Copies what fits into the window, which moves on when its second half has been looked at.
    pub(super) fn fill(&mut self, bytes: &[u8]) -> usize {
        if self.state.index >= 2 * WINDOW - AHEAD {
            self.window.copy_within(WINDOW.., 0);
            self.state.base += WINDOW as u64;
            self.state.index -= WINDOW;
            self.end -= WINDOW;
            self.remembered -= WINDOW;
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
        let moved = |position: &mut u16| *position = position.saturating_sub(MOVED);
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

    /// Turns content into tokens. Before the last content a rest is kept back that any repetition
    /// fits into.
    pub(super) fn compress(&mut self, last: bool) {
        self.run(last, &mut ());
    }

    /// The same, and tells whether it was ended by whoever watches.
    pub(super) fn run(&mut self, last: bool, watch: &mut impl Watch) -> bool {
        // The last three bytes have no hash.
        let hashed = (self.end + 1).saturating_sub(SHORTEST);
        loop {
            let index = self.state.index;
            let ahead = self.end - index;
            if ahead < AHEAD {
                if !last {
                    return false;
                }
                if ahead == 0 {
                    self.drain();
                    return false;
                }
            }
            if watch.ends(&self.state, self.tokens.len()) {
                return true;
            }
            let candidate = if index < hashed {
                while index >= self.remembered {
                    self.remember(hashed);
                }
                self.before[index]
            } else {
                NOWHERE
            };
            if !is_within(candidate, index) && watch.is_over() && self.skip() {
                continue;
            }
            let previous = std::mem::replace(&mut self.state.previous, Repetition::NONE);
            if ahead > previous.length
                && previous.length < LAZY
                && is_within(candidate, index)
                && let Some(found) = self.search(candidate, ahead)
            {
                self.state.previous = found;
            }
            if previous.length >= SHORTEST && self.state.previous.length <= previous.length {
                // The repetition that began at the byte before is taken.
                self.tokens
                    .push(Token::repetition(previous.length, previous.distance));
                self.state.index += previous.length - 1;
                self.state.pending = false;
                self.state.previous = Repetition::NONE;
            } else {
                // The byte before is taken as it is, and this one is left to the next step.
                self.drain();
                self.state.index += 1;
                self.state.pending = true;
            }
        }
    }

    /// Makes the next steps at once as far as they are plain: the byte before is taken as it is, and
    /// nothing that is remembered is like what follows. Of content that was compressed before, that
    /// is four steps of five. Tells whether there was one.
    fn skip(&mut self) -> bool {
        let State {
            index,
            previous: Repetition { length, .. },
            pending,
            ..
        } = self.state;
        let to = self.remembered.min((self.end + 1).saturating_sub(AHEAD));
        if !pending || length >= SHORTEST || index >= to {
            return false;
        }
        let steps = (index..to)
            .take_while(|index| !self.may_repeat(*index))
            .count();
        let bytes = &self.window[index - 1..index - 1 + steps];
        self.tokens
            .extend(bytes.iter().copied().map(Token::literal));
        self.state.index += steps;
        steps > 0
    }

    /// Whether anything that is remembered may be like what is there. Without a branch, since of
    /// content that was compressed before nobody can foretell them.
    #[inline]
    fn may_repeat(&self, index: usize) -> bool {
        let candidate = self.before[index];
        let at = usize::from(candidate.saturating_sub(1));
        let is_like = word(&self.window[..], at) == word(&self.window[..], index);
        is_within(candidate, index) & (is_like | is_within(self.before[at], index))
    }

    /// Takes the byte before as it is, if it is still to be written.
    fn drain(&mut self) {
        if std::mem::take(&mut self.state.pending) {
            let byte = self.window[self.state.index - 1];
            self.tokens.push(Token::literal(byte));
        }
    }

    /// The longest repetition among the candidates, the nearest first; each as it is remembered.
    #[expect(clippy::inline_always, reason = "a call takes 3 % of the time on text")]
    #[inline(always)]
    fn search(&self, first: u16, ahead: usize) -> Option<Repetition> {
        let index = self.state.index;
        let longest = ahead.min(LONGEST);
        let nice = longest.min(NICE);
        let here = &self.window[index..index + longest];
        let lowest = index.saturating_sub(WINDOW) + 1;
        let mut best: Option<Repetition> = None;
        let mut length = Repetition::NONE.length;
        // What a longer one ends in, at least.
        let mut wanted = word(here, length - 3);
        let mut candidate = usize::from(first);
        for _ in 0..CANDIDATES {
            if word(&self.window[..], candidate + length - 4) == wanted {
                let at = candidate - 1;
                let there = &self.window[at..at + longest];
                let equal = alike(here, there);
                if equal > length && (equal > SHORTEST || index - at <= NEAR) {
                    length = equal;
                    best = Some(Repetition {
                        length,
                        distance: index - at,
                    });
                    if equal >= nice {
                        break;
                    }
                    wanted = word(here, length - 3);
                }
            }
            // Farther back, but not before the lowest, whose own predecessor is overwritten by now;
            // what is nowhere is not farther back.
            let next = usize::from(self.before[candidate - 1]);
            if next.wrapping_sub(lowest) >= candidate - lowest {
                break;
            }
            candidate = next;
        }
        best
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

/// Four bytes from there on.
#[inline]
fn word(bytes: &[u8], from: usize) -> u32 {
    let word = &bytes[from..from + 4];
    u32::from_le_bytes([word[0], word[1], word[2], word[3]])
}

/// A position as it is remembered; the last three of the window never are.
#[inline]
fn position(index: usize) -> u16 {
    u16::try_from(index + 1).expect("the window has 65,536 bytes")
}

/// Whether what is remembered is a position, and no farther from this one than a window.
#[inline]
fn is_within(candidate: u16, index: usize) -> bool {
    usize::from(candidate) > index.saturating_sub(WINDOW)
}
