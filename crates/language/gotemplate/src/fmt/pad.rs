//! Filling up to the width of a verb.

use super::value::Printer;

impl Printer<'_> {
    /// Writes so many spaces, or zeros under the flag `0`.
    pub(super) fn padding(&mut self, count: usize) {
        let byte = if self.flags.zero && !self.flags.minus {
            b'0'
        } else {
            b' '
        };
        self.out.resize(self.out.len() + count, byte);
    }

    /// Writes text, filled up to the width in characters.
    pub(super) fn pad(&mut self, text: &[u8]) {
        let width = self.flags.width.unwrap_or(0);
        if width == 0 {
            self.write(text);
            return;
        }
        let fill = width.saturating_sub(count_runes(text));
        if self.flags.minus {
            self.write(text);
            self.padding(fill);
        } else {
            self.padding(fill);
            self.write(text);
        }
    }

    /// As [`Printer::pad`], but never with zeros.
    pub(super) fn pad_with_spaces(&mut self, text: &[u8]) {
        let zero = std::mem::replace(&mut self.flags.zero, false);
        self.pad(text);
        self.flags.zero = zero;
    }
}

/// The number of characters; an invalid byte counts as one.
pub(super) fn count_runes(text: &[u8]) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    let chunks = text.utf8_chunks();
    chunks
        .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
        .sum()
}
