//! Writes blocks in the smallest of the three forms, by Go's estimate of their size.

use std::sync::Arc;

use super::huffman::{Code, Codes};

const LITERALS: usize = 286;
const DISTANCES: usize = 30;
const END: usize = 256;
const FIRST_LENGTH: usize = 257;
const MAX_STORED_BYTES: usize = 65_535;
/// Run codes: repeat the length before, repeat zero 3 to 10 times, repeat zero 11 to 138 times.
const REPEAT: usize = 16;
const ZEROS: usize = 17;
const MANY_ZEROS: usize = 18;
const RUN_CODES: usize = 19;
/// The order in which a block lists the lengths of its run codes.
const RUN_ORDER: [usize; RUN_CODES] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// A literal byte or a repetition.
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
            distance: u16::try_from(distance).expect("a distance is at most 32,768"),
            value: u8::try_from(length - 3).expect("a repetition is 3 to 258 bytes long"),
        }
    }

    /// The number of content bytes that this token encodes.
    pub(super) fn content_length(self) -> u64 {
        if self.distance == 0 {
            1
        } else {
            u64::from(self.value) + 3
        }
    }
}

/// A symbol and its extra bits.
#[derive(Debug, Clone, Copy)]
struct Symbol {
    number: usize,
    extra: u32,
    extra_bits: u32,
}

/// The symbol of a length or distance. `steps` symbols have each number of extra bits.
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
        // Length 258 has a symbol of its own.
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

/// The number of extra bits of a symbol.
fn extra_bits(number: usize, steps: usize) -> u64 {
    (number / steps).saturating_sub(1) as u64
}

/// Counts the symbols of a block: literals with lengths, and distances.
fn count_symbols(tokens: &[Token]) -> ([u32; LITERALS], [u32; DISTANCES]) {
    let mut literals = [0; LITERALS];
    let mut distances = [0; DISTANCES];
    for token in tokens {
        if token.distance == 0 {
            literals[usize::from(token.value)] += 1;
        } else {
            literals[FIRST_LENGTH + length_symbol(token.value).number] += 1;
            distances[distance_symbol(token.distance).number] += 1;
        }
    }
    literals[END] = 1;
    if distances.iter().all(|count| *count == 0) {
        // The distance tree needs at least one code.
        distances[0] = 1;
    }
    (literals, distances)
}

/// Code lengths, encoded with the run codes.
struct Runs {
    /// Run code, extra value, and the number of extra bits.
    encoded: Vec<(usize, u32, u32)>,
    counts: [u32; RUN_CODES],
}

impl Runs {
    fn of(lengths: &[u8]) -> Self {
        let mut runs = Self {
            encoded: Vec::new(),
            counts: [0; RUN_CODES],
        };
        for run in lengths.chunk_by(|one, next| one == next) {
            let length = usize::from(run[0]);
            let mut left = run.len();
            if length == 0 {
                while left >= 11 {
                    let some = left.min(138);
                    runs.push(MANY_ZEROS, some - 11, 7);
                    left -= some;
                }
                if left >= 3 {
                    runs.push(ZEROS, left - 3, 3);
                    left = 0;
                }
            } else {
                runs.push(length, 0, 0);
                left -= 1;
                while left >= 3 {
                    let some = left.min(6);
                    runs.push(REPEAT, some - 3, 2);
                    left -= some;
                }
            }
            for _ in 0..left {
                runs.push(length, 0, 0);
            }
        }
        runs
    }

    fn push(&mut self, code: usize, extra: usize, bits: u32) {
        let extra = u32::try_from(extra).expect("a run has at most 138 lengths");
        self.encoded.push((code, extra, bits));
        self.counts[code] += 1;
    }

    /// The number of run codes whose length the block lists.
    fn listed_codes(&self) -> usize {
        let last = RUN_ORDER
            .iter()
            .rposition(|code| self.counts[*code] > 0)
            .map_or(0, |last| last + 1);
        last.max(4)
    }
}

pub(super) struct BlockWriter {
    /// Complete bytes, which the caller writes and clears.
    pub(super) ready: Vec<u8>,
    bits: Bits,
    fixed: Arc<(Codes, Codes)>,
}

/// Bits that do not fill four bytes yet.
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

    /// Writes a block. `content` is the content of the tokens, if it is still in the window.
    pub(super) fn write(&mut self, tokens: &[Token], content: Option<&[u8]>) {
        let (literal_counts, distance_counts) = count_symbols(tokens);
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
            .filter(|content| content.len() <= MAX_STORED_BYTES)
            .map(|content| (content, (content.len() as u64 + 5) * 8));
        // Both compressed forms have the same extra bits. Like Go, count them only when the
        // block can be stored.
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
        let listed_codes = runs.listed_codes();
        let fixed_cost =
            3 + self.fixed.0.cost(&literal_counts) + self.fixed.1.cost(&distance_counts) + extra;
        let dynamic_cost = 3
            + 5
            + 5
            + 4
            + 3 * listed_codes as u64
            + run_codes.cost(&runs.counts)
            + runs
                .encoded
                .iter()
                .map(|(_, _, bits)| u64::from(*bits))
                .sum::<u64>()
            + literals.cost(&literal_counts)
            + distances.cost(&distance_counts)
            + extra;

        if let Some((content, cost)) = stored
            && cost < fixed_cost.min(dynamic_cost)
        {
            self.stored_header(content.len(), false);
            self.align();
            self.ready.extend_from_slice(content);
            return;
        }
        if dynamic_cost < fixed_cost {
            self.put(4, 3);
            self.put(narrow(literals_used - 257), 5);
            self.put(narrow(distances_used - 1), 5);
            self.put(narrow(listed_codes - 4), 4);
            for code in &RUN_ORDER[..listed_codes] {
                self.put(u32::from(run_codes.get(*code).length), 3);
            }
            for (code, extra, bits) in &runs.encoded {
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
        // A local copy stays in registers.
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
    u32::try_from(number).expect("block fields have at most 16 bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of RFC 1951, section 3.2.5.
    #[test]
    fn symbols_match_the_specification() {
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
