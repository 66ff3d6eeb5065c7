//! Computes Huffman codes with a limited length.
//!
//! The algorithm is package-merge in the lazy form of Katajainen, Moffat and Turpin: each level
//! requests pairs from the level below as it needs them. Among equally good code lengths, the
//! order of the sums decides. Another optimal algorithm would therefore give other bytes.

/// One more than the maximum code length.
const LEVELS: usize = 16;
const NO_WEIGHT: u64 = u64::MAX;

/// The bits of one symbol. The lowest bit is written first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Code {
    pub(super) bits: u16,
    pub(super) length: u8,
}

/// Codes by symbol. An unused symbol has length zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Codes(Vec<Code>);

impl Codes {
    /// Computes codes of at most `longest` bits from the counts of the symbols.
    pub(super) fn of(counts: &[u32], longest: usize) -> Self {
        let mut codes = Self(vec![Code::default(); counts.len()]);
        let mut present: Vec<(u32, usize)> = counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(symbol, count)| (*count, symbol))
            .collect();
        if present.len() <= 2 {
            // Even a single symbol needs one bit.
            for (bits, (_, symbol)) in present.iter().enumerate() {
                codes.0[*symbol] = Code {
                    bits: u16::from(bits == 1),
                    length: 1,
                };
            }
            return codes;
        }
        present.sort_unstable();
        codes.assign(&present, &lengths(&present, longest));
        codes
    }

    /// The fixed codes of literals and lengths.
    pub(super) fn fixed_literals() -> Self {
        // The last two symbols are never used, but take two codes of eight bits.
        let mut lengths = [8_u8; 288];
        lengths[144..256].fill(9);
        lengths[256..280].fill(7);
        Self(canonical(&lengths))
    }

    /// The fixed codes of distances.
    pub(super) fn fixed_distances() -> Self {
        Self(canonical(&[5; 30]))
    }

    pub(super) fn get(&self, symbol: usize) -> Code {
        self.0[symbol]
    }

    /// The number of bits that symbols with these counts take.
    pub(super) fn cost(&self, counts: &[u32]) -> u64 {
        counts
            .iter()
            .zip(&self.0)
            .map(|(count, code)| u64::from(*count) * u64::from(code.length))
            .sum()
    }

    /// Gives the longest codes to the rarest symbols. Codes of one length follow the symbols.
    fn assign(&mut self, present: &[(u32, usize)], by_length: &[usize]) {
        let mut lengths = vec![0_u8; self.0.len()];
        let mut rest = present;
        for (length, count) in by_length.iter().enumerate() {
            let (rarer, chosen) = rest.split_at(rest.len() - count);
            for (_, symbol) in chosen {
                lengths[*symbol] = u8::try_from(length).expect("code lengths are below 16");
            }
            rest = rarer;
        }
        self.0 = canonical(&lengths);
    }
}

/// Canonical codes, as defined by their lengths.
fn canonical(lengths: &[u8]) -> Vec<Code> {
    let mut codes = vec![Code::default(); lengths.len()];
    let mut next = 0_u16;
    for length in 1..LEVELS {
        next <<= 1;
        for (symbol, wanted) in lengths.iter().enumerate() {
            if usize::from(*wanted) == length {
                codes[symbol] = Code {
                    bits: next.reverse_bits() >> (LEVELS - length),
                    length: *wanted,
                };
                next += 1;
            }
        }
    }
    codes
}

#[derive(Debug, Clone, Copy, Default)]
struct Level {
    /// The weight of the last item taken.
    last: u64,
    /// The weight of the next symbol.
    symbol: u64,
    /// The weight of the next pair of the level below, if it is known.
    pair: u64,
    /// Items to take before the level above continues.
    wanted: usize,
}

/// Returns the number of symbols for each code length. Needs at least three symbols, sorted by
/// count.
fn lengths(present: &[(u32, usize)], longest: usize) -> Vec<usize> {
    let weight = |index: usize| {
        present
            .get(index)
            .map_or(NO_WEIGHT, |(count, _)| u64::from(*count))
    };
    let top = longest.min(present.len() - 1);
    let mut levels = [Level::default(); LEVELS + 1];
    // For each level, the number of symbols that the parents of its newest item took, by level.
    let mut taken = [[0_usize; LEVELS]; LEVELS];
    for level in 1..=top {
        levels[level] = Level {
            last: weight(1),
            symbol: weight(2),
            pair: if level == 1 {
                NO_WEIGHT
            } else {
                weight(0) + weight(1)
            },
            wanted: 0,
        };
        taken[level][level] = 2;
    }
    // The top level starts with two of its items.
    levels[top].wanted = 2 * present.len() - 4;
    let mut at = top;
    loop {
        let Level {
            last: before,
            symbol,
            pair,
            ..
        } = levels[at];
        if symbol == NO_WEIGHT && pair == NO_WEIGHT {
            // This level and those below are exhausted.
            levels[at].wanted = 0;
            levels[at + 1].pair = NO_WEIGHT;
            at += 1;
            continue;
        }
        if symbol < pair {
            let count = taken[at][at] + 1;
            taken[at][at] = count;
            levels[at].last = symbol;
            levels[at].symbol = weight(count);
        } else {
            levels[at].last = pair;
            let below = taken[at - 1];
            taken[at][..at].copy_from_slice(&below[..at]);
            levels[at - 1].wanted = 2;
        }
        levels[at].wanted -= 1;
        if levels[at].wanted == 0 {
            if at == top {
                break;
            }
            levels[at + 1].pair = before + levels[at].last;
            at += 1;
        } else {
            while levels[at - 1].wanted > 0 {
                at -= 1;
            }
        }
    }
    let counts = taken[top];
    let mut by_length = vec![0; top + 1];
    for (length, level) in (1..=top).zip((1..=top).rev()) {
        by_length[length] = counts[level] - counts[level - 1];
    }
    by_length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_symbols_get_short_codes_within_limit() {
        let counts: Vec<u32> = (0..30).map(|power| 1 << power).collect();
        let codes = Codes::of(&counts, 15);
        let sum: f64 = (0..30)
            .map(|symbol| 0.5_f64.powi(i32::from(codes.get(symbol).length)))
            .sum();
        assert!((sum - 1.0).abs() < 1e-9, "the code is incomplete: {sum}");
        assert!((0..30).all(|symbol| codes.get(symbol).length <= 15));
        assert!(codes.get(29).length < codes.get(0).length);
    }

    #[test]
    fn two_symbols_take_one_bit_each() {
        let codes = Codes::of(&[0, 7, 0, 9], 15);
        assert_eq!(codes.get(1), Code { bits: 0, length: 1 });
        assert_eq!(codes.get(3), Code { bits: 1, length: 1 });
        assert_eq!(codes.get(0).length, 0);
    }
}
