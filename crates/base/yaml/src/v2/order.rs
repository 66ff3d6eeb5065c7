//! Key order: go-yaml's natural order.
//!
//! Letters sort after other characters, and runs of digits compare as numbers, so `item9` precedes
//! `item10`. Leading zeros make the comparison intransitive for a few keys. Go sorts from a random
//! start, so its output varies for them. This sort starts from byte order and merges, which needs
//! no consistent comparison and has one result.

use std::iter::Peekable;

use sluice_golang::unicode::{is_digit, is_letter};

/// Sorts entries by their keys.
pub fn sort<T>(mut entries: Vec<(&str, T)>) -> Vec<(&str, T)> {
    entries.sort_unstable_by_key(|(key, _)| *key);
    // Most maps are in order already.
    if entries
        .windows(2)
        .all(|pair| !precedes(pair[1].0, pair[0].0))
    {
        return entries;
    }
    let mut runs: Vec<Vec<(&str, T)>> = entries.into_iter().map(|entry| vec![entry]).collect();
    while runs.len() > 1 {
        let mut pairs = runs.into_iter();
        let mut merged = Vec::with_capacity(pairs.len().div_ceil(2));
        while let Some(left) = pairs.next() {
            merged.push(match pairs.next() {
                Some(right) => merge(left, right),
                None => left,
            });
        }
        runs = merged;
    }
    runs.pop().unwrap_or_default()
}

fn merge<'a, T>(left: Vec<(&'a str, T)>, right: Vec<(&'a str, T)>) -> Vec<(&'a str, T)> {
    let mut out = Vec::with_capacity(left.len() + right.len());
    let mut left = left.into_iter().peekable();
    let mut right = right.into_iter().peekable();
    while let (Some((a, _)), Some((b, _))) = (left.peek(), right.peek()) {
        let next = if precedes(b, a) {
            right.next()
        } else {
            left.next()
        };
        out.extend(next);
    }
    out.extend(left);
    out.extend(right);
    out
}

/// Reports whether a key sorts before another. Parity: go-yaml: sorter.go, for string keys.
fn precedes(left: &str, right: &str) -> bool {
    let mut before: Option<Prefix> = None;
    let mut a = left.chars().peekable();
    let mut b = right.chars().peekable();
    loop {
        match (a.peek().copied(), b.peek().copied()) {
            (Some(x), Some(y)) if x == y => {
                before = Some(Prefix::after(before, x));
                a.next();
                b.next();
            }
            (Some(x), Some(y)) => {
                return match (is_letter(x), is_letter(y)) {
                    (true, true) => x < y,
                    (false, false) => {
                        // A zero after non-zero digits is not a leading zero, so both numbers
                        // continue.
                        let seed = (x == '0' || y == '0')
                            && before.is_some_and(|prefix| prefix.nonzero_number);
                        let (first, first_length) = run(&mut a, seed);
                        let (second, second_length) = run(&mut b, seed);
                        (first, first_length, x) < (second, second_length, y)
                    }
                    (_, letter) => letter,
                };
            }
            (None, Some(_)) => return true,
            (_, None) => return false,
        }
    }
}

/// The common prefix of two keys.
#[derive(Clone, Copy)]
struct Prefix {
    /// The prefix ends in digits with at least one non-zero digit.
    nonzero_number: bool,
}

impl Prefix {
    fn after(before: Option<Self>, character: char) -> Self {
        let inside = before.is_some_and(|prefix| prefix.nonzero_number);
        Self {
            nonzero_number: is_digit(character) && (character != '0' || inside),
        }
    }
}

/// Returns the number of a run of digits, and the length of the run. As in Go, long runs overflow,
/// and digits of other scripts count by their distance from ASCII zero.
fn run(characters: &mut Peekable<std::str::Chars<'_>>, seed: bool) -> (i64, usize) {
    let mut value = i64::from(seed);
    let mut length = 0;
    while let Some(digit) = characters.next_if(|c| is_digit(*c)) {
        let digit = i64::from(u32::from(digit)) - i64::from(u32::from('0'));
        value = value.wrapping_mul(10).wrapping_add(digit);
        length += 1;
    }
    (value, length)
}

#[cfg(test)]
mod tests {
    use super::{precedes, sort};
    use proptest::prelude::*;

    fn sorted(keys: &[&'static str]) -> Vec<&'static str> {
        let entries = keys.iter().map(|key| (*key, ())).collect();
        sort(entries).into_iter().map(|(key, ())| key).collect()
    }

    /// The list has the order of go-yaml's output.
    #[test]
    fn keys_sort_in_natural_order() {
        let keys = [
            "", "-1", "0", "1", "02", "2", "10", "A", "B", "a", "a-b", "a.b", "a1", "a01", "a2",
            "a10", "a10b", "aB", "ab", "b", "é",
        ];
        let mut shuffled = keys;
        shuffled.reverse();
        assert_eq!(sorted(&shuffled), sorted(&keys));
        assert_eq!(
            sorted(&["item10", "item9", "item1"]),
            ["item1", "item9", "item10"]
        );
        assert_eq!(sorted(&["ab", "a-b", "a1", "a"]), ["a", "a-b", "a1", "ab"]);
        assert_eq!(sorted(&["b", "B", "_", "0"]), ["_", "0", "B", "b"]);
        assert_eq!(sorted(&["a100", "a1000", "a20"]), ["a20", "a100", "a1000"]);
    }

    proptest! {
        #[test]
        fn sort_keeps_every_key(keys in prop::collection::hash_set("[a0-9.-]{0,6}", 0..40)) {
            let entries: Vec<_> = keys.iter().map(|key| (key.as_str(), ())).collect();
            let sorted = sort(entries.clone());
            prop_assert_eq!(sorted.len(), entries.len());
            let mut reversed = entries;
            reversed.reverse();
            prop_assert_eq!(sort(reversed), sorted);
        }

        #[test]
        fn key_does_not_precede_itself(key in ".{0,12}") {
            prop_assert!(!precedes(&key, &key));
        }
    }
}
