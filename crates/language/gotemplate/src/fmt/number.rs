//! Integers, floats and complex numbers by their verbs.

use sluice_golang::float::format_float;
use sluice_golang::quote::{quote_char, quote_char_ascii};
use sluice_golang::unicode::is_print;

use super::string::digits_of;
use super::value::Printer;

impl Printer<'_> {
    /// An integer by a verb that integers have; false for any other.
    pub(super) fn integer(
        &mut self,
        magnitude: u64,
        is_negative: bool,
        is_signed: bool,
        verb: char,
    ) -> bool {
        match verb {
            'v' if self.flags.sharp_v && !is_signed => self.prefixed(magnitude),
            'v' | 'd' => self.digits(magnitude, is_negative, 10, verb),
            'b' => self.digits(magnitude, is_negative, 2, verb),
            'o' | 'O' => self.digits(magnitude, is_negative, 8, verb),
            'x' | 'X' => self.digits(magnitude, is_negative, 16, verb),
            'c' => {
                let text = rune(magnitude, is_negative).to_string();
                self.pad(text.as_bytes());
            }
            'q' => {
                let next = rune(magnitude, is_negative);
                let text = if self.flags.plus {
                    quote_char_ascii(next)
                } else {
                    quote_char(next)
                };
                self.pad(text.as_bytes());
            }
            'U' => {
                let bits = if is_negative {
                    magnitude.wrapping_neg()
                } else {
                    magnitude
                };
                self.unicode(bits);
            }
            _ => return false,
        }
        true
    }

    /// `0x2a`, as pointers and unsigned integers of `%#v` are shown.
    pub(super) fn prefixed(&mut self, value: u64) {
        let sharp = std::mem::replace(&mut self.flags.sharp, true);
        self.digits(value, false, 16, 'v');
        self.flags.sharp = sharp;
    }

    fn digits(&mut self, magnitude: u64, is_negative: bool, base: u64, verb: char) {
        let flags = self.flags;
        let mut least = 0;
        if let Some(precision) = flags.precision {
            least = precision;
            if precision == 0 && magnitude == 0 {
                let zero = std::mem::replace(&mut self.flags.zero, false);
                self.padding(flags.width.unwrap_or(0));
                self.flags.zero = zero;
                return;
            }
        } else if let Some(width) = flags.width.filter(|_| flags.zero && !flags.minus) {
            least = width;
            if is_negative || flags.plus || flags.space {
                least = least.saturating_sub(1);
            }
        }
        // Built from the last digit on.
        let table = digits_of(verb);
        let mut text = Vec::with_capacity(least.max(64) + 4);
        let mut rest = magnitude;
        loop {
            text.push(table[usize::try_from(rest % base).unwrap_or(0)]);
            rest /= base;
            if rest == 0 {
                break;
            }
        }
        while text.len() < least {
            text.push(b'0');
        }
        if flags.sharp {
            match base {
                2 => text.extend_from_slice(b"b0"),
                8 if text.last() != Some(&b'0') => text.push(b'0'),
                16 => text.extend_from_slice(&[table[16], b'0']),
                _ => {}
            }
        }
        if verb == 'O' {
            text.extend_from_slice(b"o0");
        }
        if is_negative {
            text.push(b'-');
        } else if flags.plus {
            text.push(b'+');
        } else if flags.space {
            text.push(b' ');
        }
        text.reverse();
        self.pad_with_spaces(&text);
    }

    fn unicode(&mut self, code: u64) {
        let least = self.flags.precision.unwrap_or(4).max(4);
        let mut text = format!("U+{code:0least$X}");
        let shown = u32::try_from(code).ok().and_then(char::from_u32);
        if let Some(next) = shown.filter(|next| self.flags.sharp && is_print(*next)) {
            text.push_str(" '");
            text.push(next);
            text.push('\'');
        }
        self.pad_with_spaces(text.as_bytes());
    }

    /// A float by a verb that floats have; false for any other.
    pub(super) fn float(&mut self, value: f64, bits: u32, verb: char) -> bool {
        let (format, precision) = match verb {
            'v' => (b'g', None),
            'b' | 'g' | 'G' | 'x' | 'X' => (u8::try_from(verb).unwrap_or(b'g'), None),
            'f' | 'e' | 'E' => (u8::try_from(verb).unwrap_or(b'f'), Some(6)),
            'F' => (b'f', Some(6)),
            _ => return false,
        };
        let flags = self.flags;
        let precision = flags.precision.or(precision);
        let text = format_float(value, format, precision, bits);
        // A sign always, so that the rest is uniform.
        let mut text = match text.as_bytes()[0] {
            b'-' | b'+' => text.into_bytes(),
            _ => format!("+{text}").into_bytes(),
        };
        if flags.space && text[0] == b'+' && !flags.plus {
            text[0] = b' ';
        }
        if matches!(text[1], b'I' | b'N') {
            let is_plain = (text[1] == b'N' && !flags.space && !flags.plus)
                || (text[0] == b'+' && !flags.plus);
            let shown = if is_plain && text[1] == b'N' {
                &text[1..]
            } else {
                &text[..]
            };
            self.pad_with_spaces(shown);
            return true;
        }
        if flags.sharp && format != b'b' {
            add_zeros(&mut text, format, precision);
        }
        if flags.plus || text[0] != b'+' {
            let width = flags.width.unwrap_or(0);
            if flags.zero && !flags.minus && width > text.len() {
                self.push(text[0]);
                self.padding(width - text.len());
                self.write(&text[1..]);
            } else {
                self.pad(&text);
            }
        } else {
            self.pad(&text[1..]);
        }
        true
    }

    pub(super) fn complex(&mut self, real: f64, imaginary: f64, verb: char) -> bool {
        if !matches!(
            verb,
            'v' | 'b' | 'g' | 'G' | 'x' | 'X' | 'f' | 'F' | 'e' | 'E'
        ) {
            return false;
        }
        let plus = self.flags.plus;
        self.push(b'(');
        self.float(real, 64, verb);
        self.flags.plus = true;
        self.float(imaginary, 64, verb);
        self.write(b"i)");
        self.flags.plus = plus;
        true
    }
}

fn rune(magnitude: u64, is_negative: bool) -> char {
    let code = u32::try_from(magnitude).ok().filter(|_| !is_negative);
    code.and_then(char::from_u32)
        .unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The flag `#`: a point always, and under `g` all digits of the precision.
fn add_zeros(text: &mut Vec<u8>, format: u8, precision: Option<usize>) {
    let mut missing = match format {
        b'g' | b'G' | b'x' => {
            let precision = precision.unwrap_or(6);
            i64::try_from(precision).unwrap_or(0)
        }
        _ => 0,
    };
    if matches!(format, b'g' | b'G') && precision == Some(0) {
        missing = 0;
    }
    let is_hexadecimal = matches!(format, b'x' | b'X');
    let is_tail =
        |byte: u8| matches!(byte, b'p' | b'P') || (matches!(byte, b'e' | b'E') && !is_hexadecimal);
    let end = text
        .iter()
        .position(|byte| is_tail(*byte))
        .unwrap_or(text.len());
    let tail = text.split_off(end);
    let has_point = text.contains(&b'.');
    let mut is_significant = false;
    for byte in &text[1..] {
        if *byte == b'.' {
            continue;
        }
        if *byte != b'0' {
            is_significant = true;
        }
        if is_significant {
            missing -= 1;
        }
    }
    if !has_point {
        if text.len() == 2 && text[1] == b'0' {
            missing -= 1;
        }
        text.push(b'.');
    }
    for _ in 0..missing.max(0) {
        text.push(b'0');
    }
    text.extend_from_slice(&tail);
}
