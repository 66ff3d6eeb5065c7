//! Strings and bytes by the verbs `s q x X`.

use sluice_golang::quote::{can_backquote, quote_ascii, quote_bytes};

use super::value::Printer;

const LOWER: &[u8; 17] = b"0123456789abcdefx";
const UPPER: &[u8; 17] = b"0123456789ABCDEFX";

/// The digits of a verb, and the letter of its prefix behind them.
pub(super) const fn digits_of(verb: char) -> &'static [u8; 17] {
    if verb == 'X' { UPPER } else { LOWER }
}

/// The first character and its length; an invalid byte is U+FFFD.
pub(super) fn first_rune(text: &[u8]) -> Option<(char, usize)> {
    let chunk = text.get(..text.len().min(4))?.utf8_chunks().next()?;
    Some(match chunk.valid().chars().next() {
        Some(next) => (next, next.len_utf8()),
        None => (char::REPLACEMENT_CHARACTER, 1),
    })
}

impl Printer<'_> {
    /// A string by a verb that strings have; false for any other.
    pub(super) fn string(&mut self, text: &[u8], verb: char) -> bool {
        match verb {
            'v' if self.flags.sharp_v => self.quoted(text),
            'v' | 's' => {
                let text = self.truncate(text);
                self.pad(text);
            }
            'x' | 'X' => self.hexadecimal(text, verb),
            'q' => self.quoted(text),
            _ => return false,
        }
        true
    }

    /// Cuts a text to the precision in characters.
    fn truncate<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        let Some(precision) = self.flags.precision else {
            return text;
        };
        let mut end = 0;
        for _ in 0..precision {
            match first_rune(&text[end..]) {
                Some((_, width)) => end += width,
                None => break,
            }
        }
        &text[..end]
    }

    pub(super) fn quoted(&mut self, text: &[u8]) {
        let text = self.truncate(text);
        if self.flags.sharp && can_backquote(text) {
            let mut quoted = Vec::with_capacity(text.len() + 2);
            quoted.push(b'`');
            quoted.extend_from_slice(text);
            quoted.push(b'`');
            self.pad(&quoted);
        } else if self.flags.plus {
            self.pad(quote_ascii(text).as_bytes());
        } else {
            self.pad(quote_bytes(text).as_bytes());
        }
    }

    fn hexadecimal(&mut self, text: &[u8], verb: char) {
        let digits = digits_of(verb);
        let length = self
            .flags
            .precision
            .map_or(text.len(), |most| most.min(text.len()));
        let text = &text[..length];
        let prefix = if self.flags.sharp { 2 } else { 0 };
        let width = if length == 0 {
            0
        } else if self.flags.space {
            (2 + prefix) * length + length - 1
        } else {
            2 * length + prefix
        };
        let fill = self.flags.width.unwrap_or(0).saturating_sub(width);
        if length == 0 {
            self.padding(fill);
            return;
        }
        if !self.flags.minus {
            self.padding(fill);
        }
        for (index, byte) in text.iter().enumerate() {
            if self.flags.space && index > 0 {
                self.push(b' ');
            }
            if self.flags.sharp && (index == 0 || self.flags.space) {
                self.push(b'0');
                self.push(digits[16]);
            }
            self.push(digits[usize::from(byte >> 4)]);
            self.push(digits[usize::from(byte & 15)]);
        }
        if self.flags.minus {
            self.padding(fill);
        }
    }
}
