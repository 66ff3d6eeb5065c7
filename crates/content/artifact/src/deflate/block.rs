//! The bits of blocks: whichever of the three forms is the smallest, as Go counts it.

use std::sync::Arc;

use super::huffman::{Code, Codes};

const LITERALS: usize = 286;
const DISTANCES: usize = 30;
const END: usize = 256;
const FIRST_LENGTH: usize = 257;
const STORED_LIMIT: usize = 65_535;
/// Repeats the length before; repeats zero, a little and much.
const REPEAT: usize = 16;
const ZEROS: usize = 17;
const MANY_ZEROS: usize = 18;
const RUN_CODES: usize = 19;
/// The order in which a block says how long its run codes are.
const RUN_ORDER: [usize; RUN_CODES] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// A byte, or a repetition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    /// Zero for a byte.
    distance: u16,
    /// The byte, or the length less three.
    value: u8,
}

impl Token {
    pub(super) fn literal(byte: u8) -> Self {
        Self {
            distance: 0,
            value: byte,
        }
    }

    pub(super) fn repetition(length: usize, distance: usize) -> Self {
        Self {
            distance: u16::try_from(distance).expect("a window is no longer"),
            value: u8::try_from(length - 3).expect("no repetition is longer"),
        }
    }

    /// How many bytes of content it stands for.
    pub(super) fn covers(self) -> u64 {
        if self.distance == 0 {
            1
        } else {
            u64::from(self.value) + 3
        }
    }
}

/// A symbol with the bits that follow it.
#[derive(Debug, Clone, Copy)]
struct Symbol {
    number: usize,
    extra: u32,
    extra_bits: u32,
}

/// The symbol of a value whose ranges double: after the first ones, `steps` symbols share each
/// number of extra bits.
fn ranged(value: u32, steps: u32) -> Symbol {
    let first = 2 * steps;
    if value < first {
        return Symbol {
            number: value as usize,
            extra: 0,
            extra_bits: 0,
        };
    }
    let log = value.ilog2();
    let extra_bits = log - steps.ilog2();
    let step = (value >> extra_bits) - steps;
    Symbol {
        number: (steps * (extra_bits + 1) + step) as usize,
        extra: value & ((1 << extra_bits) - 1),
        extra_bits,
    }
}

fn length_symbol(less_three: u8) -> Symbol {
    if less_three == u8::MAX {
        // The longest has a symbol of its own.
        return Symbol {
            number: 28,
            extra: 0,
            extra_bits: 0,
        };
    }
    ranged(u32::from(less_three), 4)
}

fn distance_symbol(distance: u16) -> Symbol {
    ranged(u32::from(distance) - 1, 2)
}

/// The extra bits of a symbol by its number.
fn extra_bits(number: usize, steps: usize) -> u64 {
    (number / steps).saturating_sub(1) as u64
}

/// Lengths of codes, with their repetitions told by the run codes.
struct Runs {
    /// A run code with what follows it, and in how many bits.
    told: Vec<(usize, u32, u32)>,
    counts: [u32; RUN_CODES],
}

impl Runs {
    fn of(lengths: &[u8]) -> Self {
        let mut runs = Self {
            told: Vec::new(),
            counts: [0; RUN_CODES],
        };
        for run in lengths.chunk_by(|one, next| one == next) {
            let length = usize::from(run[0]);
            let mut left = run.len();
            if length == 0 {
                while left >= 11 {
                    let some = left.min(138);
                    runs.tell(MANY_ZEROS, some - 11, 7);
                    left -= some;
                }
                if left >= 3 {
                    runs.tell(ZEROS, left - 3, 3);
                    left = 0;
                }
            } else {
                runs.tell(length, 0, 0);
                left -= 1;
                while left >= 3 {
                    let some = left.min(6);
                    runs.tell(REPEAT, some - 3, 2);
                    left -= some;
                }
            }
            for _ in 0..left {
                runs.tell(length, 0, 0);
            }
        }
        runs
    }

    fn tell(&mut self, code: usize, extra: usize, bits: u32) {
        let extra = u32::try_from(extra).expect("a run is short");
        self.told.push((code, extra, bits));
        self.counts[code] += 1;
    }

    /// How many of the run codes a block must describe.
    fn described(&self) -> usize {
        let last = RUN_ORDER
            .iter()
            .rposition(|code| self.counts[*code] > 0)
            .map_or(0, |last| last + 1);
        last.max(4)
    }
}

pub(super) struct BlockWriter {
    /// Whole bytes, for whoever takes them.
    pub(super) ready: Vec<u8>,
    bits: Bits,
    fixed: Arc<(Codes, Codes)>,
}

/// What does not make four whole bytes yet.
#[derive(Debug, Clone, Copy, Default)]
struct Bits {
    held: u64,
    count: u32,
}

impl BlockWriter {
    pub(super) fn new() -> Self {
        Self {
            ready: Vec::new(),
            bits: Bits::default(),
            fixed: Arc::new((Codes::fixed_literals(), Codes::fixed_distances())),
        }
    }

    /// Writes a block. `content` is what the tokens stand for, where that is still known.
    pub(super) fn write(&mut self, tokens: &[Token], content: Option<&[u8]>) {
        let mut literal_counts = [0_u32; LITERALS];
        let mut distance_counts = [0_u32; DISTANCES];
        for token in tokens {
            if token.distance == 0 {
                literal_counts[usize::from(token.value)] += 1;
            } else {
                literal_counts[FIRST_LENGTH + length_symbol(token.value).number] += 1;
                distance_counts[distance_symbol(token.distance).number] += 1;
            }
        }
        literal_counts[END] = 1;
        if distance_counts.iter().all(|count| *count == 0) {
            // A tree of distances must have something in it.
            distance_counts[0] = 1;
        }
        let used = |counts: &[u32]| {
            counts
                .iter()
                .rposition(|count| *count > 0)
                .map_or(0, |last| last + 1)
        };
        let (literals_used, distances_used) = (used(&literal_counts), used(&distance_counts));
        let literals = Codes::of(&literal_counts, 15);
        let distances = Codes::of(&distance_counts, 15);

        let stored = content
            .filter(|content| content.len() <= STORED_LIMIT)
            .map(|content| (content, (content.len() as u64 + 5) * 8));
        // As in Go, these bits count only when the block might as well be stored; they are the
        // same for the other two forms.
        let extra = match stored {
            None => 0,
            Some(_) => {
                let of_lengths = (0..28).map(|number| {
                    u64::from(literal_counts[FIRST_LENGTH + number]) * extra_bits(number, 4)
                });
                let of_distances = distance_counts
                    .iter()
                    .enumerate()
                    .map(|(number, count)| u64::from(*count) * extra_bits(number, 2));
                of_lengths.chain(of_distances).sum()
            }
        };
        let lengths: Vec<u8> = (0..literals_used)
            .map(|symbol| literals.get(symbol).length)
            .chain((0..distances_used).map(|symbol| distances.get(symbol).length))
            .collect();
        let runs = Runs::of(&lengths);
        let run_codes = Codes::of(&runs.counts, 7);
        let described = runs.described();
        let fixed_cost =
            3 + self.fixed.0.cost(&literal_counts) + self.fixed.1.cost(&distance_counts) + extra;
        let own_cost = 3
            + 5
            + 5
            + 4
            + 3 * described as u64
            + run_codes.cost(&runs.counts)
            + runs
                .told
                .iter()
                .map(|(_, _, bits)| u64::from(*bits))
                .sum::<u64>()
            + literals.cost(&literal_counts)
            + distances.cost(&distance_counts)
            + extra;

        if let Some((content, cost)) = stored
            && cost < fixed_cost.min(own_cost)
        {
            self.stored_header(content.len(), false);
            self.align();
            self.ready.extend_from_slice(content);
            return;
        }
        if own_cost < fixed_cost {
            self.put(4, 3);
            self.put(narrow(literals_used - 257), 5);
            self.put(narrow(distances_used - 1), 5);
            self.put(narrow(described - 4), 4);
            for code in &RUN_ORDER[..described] {
                self.put(u32::from(run_codes.get(*code).length), 3);
            }
            for (code, extra, bits) in &runs.told {
                self.bits.code(&mut self.ready, run_codes.get(*code));
                self.put(*extra, *bits);
            }
            self.tokens(tokens, &literals, &distances);
        } else {
            self.put(2, 3);
            let fixed = Arc::clone(&self.fixed);
            self.tokens(tokens, &fixed.0, &fixed.1);
        }
    }

    fn tokens(&mut self, tokens: &[Token], literals: &Codes, distances: &Codes) {
        // Of its own, so that it stays in registers.
        let mut bits = self.bits;
        let ready = &mut self.ready;
        for token in tokens {
            if token.distance == 0 {
                bits.code(ready, literals.get(usize::from(token.value)));
                continue;
            }
            let length = length_symbol(token.value);
            bits.code(ready, literals.get(FIRST_LENGTH + length.number));
            bits.put(ready, length.extra, length.extra_bits);
            let distance = distance_symbol(token.distance);
            bits.code(ready, distances.get(distance.number));
            bits.put(ready, distance.extra, distance.extra_bits);
        }
        bits.code(ready, literals.get(END));
        self.bits = bits;
    }

    /// Writes the empty block that ends the stream.
    pub(super) fn finish(&mut self) {
        self.stored_header(0, true);
        self.align();
    }

    fn stored_header(&mut self, length: usize, last: bool) {
        self.put(u32::from(last), 3);
        self.align();
        let length = narrow(length);
        self.put(length, 16);
        self.put(!length & 0xffff, 16);
    }

    fn put(&mut self, bits: u32, count: u32) {
        self.bits.put(&mut self.ready, bits, count);
    }

    /// Fills the last byte with zeros.
    fn align(&mut self) {
        let Bits { held, count } = std::mem::take(&mut self.bits);
        let bytes = count.div_ceil(8) as usize;
        self.ready.extend_from_slice(&held.to_le_bytes()[..bytes]);
    }
}

impl Bits {
    fn code(&mut self, ready: &mut Vec<u8>, code: Code) {
        self.put(ready, u32::from(code.bits), u32::from(code.length));
    }

    #[inline]
    fn put(&mut self, ready: &mut Vec<u8>, bits: u32, count: u32) {
        self.held |= u64::from(bits) << self.count;
        self.count += count;
        if self.count >= 32 {
            let [a, b, c, d, ..] = self.held.to_le_bytes();
            ready.extend_from_slice(&[a, b, c, d]);
            self.held >>= 32;
            self.count -= 32;
        }
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("a block's numbers are small")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of RFC 1951, section 3.2.5.
    #[test]
    fn symbols_are_those_of_the_specification() {
        for (length, number, extra_bits, extra) in [
            (3, 0, 0, 0),
            (10, 7, 0, 0),
            (11, 8, 1, 0),
            (12, 8, 1, 1),
            (19, 12, 2, 0),
            (130, 23, 4, 15),
            (131, 24, 5, 0),
            (257, 27, 5, 30),
            (258, 28, 0, 0),
        ] {
            let symbol = length_symbol(u8::try_from(length - 3).unwrap());
            assert_eq!(
                (symbol.number, symbol.extra_bits, symbol.extra),
                (number, extra_bits, extra),
                "{length}"
            );
            if length < 258 {
                assert_eq!(u64::from(extra_bits), super::extra_bits(number, 4));
            }
        }
        for (distance, number, extra_bits, extra) in [
            (1, 0, 0, 0),
            (4, 3, 0, 0),
            (5, 4, 1, 0),
            (7, 5, 1, 0),
            (9, 6, 2, 0),
            (24_577, 29, 13, 0),
            (32_768, 29, 13, 8191),
        ] {
            let symbol = distance_symbol(distance);
            assert_eq!(
                (symbol.number, symbol.extra_bits, symbol.extra),
                (number, extra_bits, extra),
                "{distance}"
            );
            assert_eq!(u64::from(extra_bits), super::extra_bits(number, 2));
        }
    }
}
