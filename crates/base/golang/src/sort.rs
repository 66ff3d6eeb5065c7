//! Go's `sort.Sort`, including the order of equal elements.
//!
//! Go's sort is not stable. kustomize sorts merged tables with it, so the order of equal elements
//! shows in its output. The algorithm is deterministic: pattern-defeating quicksort, insertion
//! sort up to twelve elements, and a random generator seeded by the length.
//!
//! Parity: Go: `sort/zsortinterface.go`.

/// The longest range that insertion sort handles.
const INSERTION: usize = 12;

/// Sorts as `sort.Sort` does; `less` is its comparison.
pub fn sort<T>(items: &mut [T], less: impl FnMut(&T, &T) -> bool) {
    let length = items.len();
    if length > 1 {
        Sorter { items, less }.sort(0, length, bits(length));
    }
}

/// Returns the number of bits of a number.
fn bits(number: usize) -> u32 {
    usize::BITS - number.leading_zeros()
}

/// The order that the sampled elements of the pivot suggest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hint {
    Unknown,
    Increasing,
    Decreasing,
}

struct Sorter<'a, T, F> {
    items: &'a mut [T],
    less: F,
}

impl<T, F: FnMut(&T, &T) -> bool> Sorter<'_, T, F> {
    fn less(&mut self, left: usize, right: usize) -> bool {
        (self.less)(&self.items[left], &self.items[right])
    }

    fn sort(&mut self, mut start: usize, mut end: usize, mut limit: u32) {
        let (mut balanced, mut partitioned) = (true, true);
        loop {
            let length = end - start;
            if length <= INSERTION {
                return self.insert(start, end);
            }
            // After too many bad pivots, heap sort keeps the time below quadratic.
            if limit == 0 {
                return self.heap(start, end);
            }
            if !balanced {
                self.shuffle(start, end);
                limit -= 1;
            }
            let (mut pivot, mut hint) = self.pivot(start, end);
            if hint == Hint::Decreasing {
                self.items[start..end].reverse();
                pivot = (end - 1) - (pivot - start);
                hint = Hint::Increasing;
            }
            if balanced && partitioned && hint == Hint::Increasing && self.insert_few(start, end) {
                return;
            }
            // No element here is less than the one before the range: many are equal.
            if start > 0 && !self.less(start - 1, pivot) {
                start = self.partition_equal(start, end, pivot);
                continue;
            }
            let (middle, already) = self.partition(start, end, pivot);
            partitioned = already;
            let (left, right) = (middle - start, end - middle);
            let threshold = length / 8;
            if left < right {
                balanced = left >= threshold;
                self.sort(start, middle, limit);
                start = middle + 1;
            } else {
                balanced = right >= threshold;
                self.sort(middle + 1, end, limit);
                end = middle;
            }
        }
    }

    fn insert(&mut self, start: usize, end: usize) {
        for from in start + 1..end {
            let mut at = from;
            while at > start && self.less(at, at - 1) {
                self.items.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    fn heap(&mut self, start: usize, end: usize) {
        let length = end - start;
        for root in (0..length.div_ceil(2)).rev() {
            self.sift(root, length, start);
        }
        for last in (0..length).rev() {
            self.items.swap(start, start + last);
            self.sift(0, last, start);
        }
    }

    fn sift(&mut self, mut root: usize, end: usize, first: usize) {
        loop {
            let mut child = 2 * root + 1;
            if child >= end {
                return;
            }
            if child + 1 < end && self.less(first + child, first + child + 1) {
                child += 1;
            }
            if !self.less(first + root, first + child) {
                return;
            }
            self.items.swap(first + root, first + child);
            root = child;
        }
    }

    /// Moves elements less than the pivot before the others. Returns the pivot's position, and
    /// whether the range was partitioned already.
    fn partition(&mut self, start: usize, end: usize, pivot: usize) -> (usize, bool) {
        self.items.swap(start, pivot);
        let (mut low, mut high) = (start + 1, end - 1);
        let mut already = true;
        loop {
            while low <= high && self.less(low, start) {
                low += 1;
            }
            while low <= high && !self.less(high, start) {
                high -= 1;
            }
            if low > high {
                break;
            }
            already = false;
            self.items.swap(low, high);
            low += 1;
            high -= 1;
        }
        self.items.swap(high, start);
        (high, already)
    }

    /// Moves elements equal to the pivot before the greater ones.
    fn partition_equal(&mut self, start: usize, end: usize, pivot: usize) -> usize {
        self.items.swap(start, pivot);
        let (mut low, mut high) = (start + 1, end - 1);
        loop {
            while low <= high && !self.less(start, low) {
                low += 1;
            }
            while low <= high && self.less(start, high) {
                high -= 1;
            }
            if low > high {
                return low;
            }
            self.items.swap(low, high);
            low += 1;
            high -= 1;
        }
    }

    /// Sorts a range in which few elements are out of place. Returns whether it succeeded.
    fn insert_few(&mut self, start: usize, end: usize) -> bool {
        const MOST_STEPS: usize = 5;
        const SHORTEST: usize = 50;
        let mut at = start + 1;
        for _ in 0..MOST_STEPS {
            while at < end && !self.less(at, at - 1) {
                at += 1;
            }
            if at == end {
                return true;
            }
            if end - start < SHORTEST {
                return false;
            }
            self.items.swap(at, at - 1);
            if at - start >= 2 {
                for back in (1..at).rev() {
                    if !self.less(back, back - 1) {
                        break;
                    }
                    self.items.swap(back, back - 1);
                }
            }
            if end - at >= 2 {
                for on in at + 1..end {
                    if !self.less(on, on - 1) {
                        break;
                    }
                    self.items.swap(on, on - 1);
                }
            }
        }
        false
    }

    /// Swaps some elements to break patterns that cause lopsided partitions.
    fn shuffle(&mut self, start: usize, end: usize) {
        let length = end - start;
        if length < 8 {
            return;
        }
        let mut random = length as u64;
        let mask = (1_u64 << bits(length)) - 1;
        let middle = start + (length / 4) * 2;
        for at in middle - 1..=middle + 1 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let drawn = usize::try_from(random & mask).expect("less than twice the length");
            let other = if drawn >= length {
                drawn - length
            } else {
                drawn
            };
            self.items.swap(at, start + other);
        }
    }

    fn pivot(&mut self, start: usize, end: usize) -> (usize, Hint) {
        const SHORTEST_NINTHER: usize = 50;
        const MOST_SWAPS: usize = 4 * 3;
        let length = end - start;
        let mut swaps = 0;
        let quarter = length / 4;
        let (mut first, mut middle, mut last) =
            (start + quarter, start + quarter * 2, start + quarter * 3);
        if length >= 8 {
            if length >= SHORTEST_NINTHER {
                first = self.median(first - 1, first, first + 1, &mut swaps);
                middle = self.median(middle - 1, middle, middle + 1, &mut swaps);
                last = self.median(last - 1, last, last + 1, &mut swaps);
            }
            middle = self.median(first, middle, last, &mut swaps);
        }
        let hint = match swaps {
            0 => Hint::Increasing,
            MOST_SWAPS => Hint::Decreasing,
            _ => Hint::Unknown,
        };
        (middle, hint)
    }

    fn median(&mut self, a: usize, b: usize, c: usize, swaps: &mut usize) -> usize {
        let (a, b) = self.ordered(a, b, swaps);
        let (b, _) = self.ordered(b, c, swaps);
        self.ordered(a, b, swaps).1
    }

    fn ordered(&mut self, a: usize, b: usize, swaps: &mut usize) -> (usize, usize) {
        if self.less(b, a) {
            *swaps += 1;
            (b, a)
        } else {
            (a, b)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sort;

    /// Returns pairs of a key and a number. The sort compares only the key.
    fn pairs(length: usize, keys: u32) -> Vec<(u32, usize)> {
        let mut state = 12_345_u32;
        (0..length)
            .map(|number| {
                state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
                ((state >> 16) % keys, number)
            })
            .collect()
    }

    /// Sums the numbers weighted by position, as the Go program did that recorded the sums.
    fn checksum(length: usize, keys: u32) -> u64 {
        let mut items = pairs(length, keys);
        sort(&mut items, |left, right| left.0 < right.0);
        assert!(items.is_sorted_by_key(|(key, _)| *key));
        items.iter().fold(0_u64, |sum, (_, number)| {
            sum.wrapping_mul(31).wrapping_add(*number as u64)
        })
    }

    /// The sums were recorded with `sort.Sort` of Go 1.26 over the same numbers.
    #[test]
    fn equal_elements_keep_the_order_of_go() {
        for (length, keys, expected) in CHECKSUMS {
            assert_eq!(checksum(length, keys), expected, "{length} of {keys}");
        }
    }

    const CHECKSUMS: [(usize, u32, u64); 8] = [
        (10, 3, 28_231_668_701_355),
        (13, 3, 4_753_107_473_916_660_828),
        (50, 5, 13_959_651_010_269_621_659),
        (168, 20, 16_159_089_719_674_885_322),
        (500, 7, 10_298_526_389_163_625_898),
        (1000, 2, 8_877_138_808_373_274_116),
        (3000, 400, 8_015_519_535_386_481_274),
        (5000, 5000, 17_751_817_870_330_561_844),
    ];
}
