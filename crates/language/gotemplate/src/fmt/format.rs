//! Reads a format and hands each verb its argument.

use super::flags::Flags;
use super::value::Printer;
use crate::budget::ExceededLimit;
use crate::value::Value;

/// A width, precision or index beyond this is an error in Go.
const LARGEST: usize = 1_000_000;

/// Formats into a buffer of at most `limit` bytes.
pub(crate) fn sprintf_into(
    format: &[u8],
    args: &[Value],
    out: &mut Vec<u8>,
    limit: usize,
) -> Result<(), ExceededLimit> {
    let mut printer = Printer::new(out, limit);
    let mut formatter = Formatter {
        format,
        at: 0,
        args,
        next: 0,
        is_reordered: false,
        is_good: true,
    };
    formatter.run(&mut printer);
    printer.finish()
}

struct Formatter<'f> {
    format: &'f [u8],
    at: usize,
    args: &'f [Value],
    /// The number of the next argument.
    next: usize,
    /// Whether an index such as `[2]` was seen.
    is_reordered: bool,
    /// Whether the index of the current verb is sound.
    is_good: bool,
}

impl Formatter<'_> {
    fn peek(&self) -> Option<u8> {
        self.format.get(self.at).copied()
    }

    fn run(&mut self, out: &mut Printer<'_>) {
        while self.at < self.format.len() && !out.is_full() {
            let rest = &self.format[self.at..];
            let text = rest.iter().position(|byte| *byte == b'%');
            let text = text.unwrap_or(rest.len());
            out.write(&rest[..text]);
            self.at += text;
            if self.at >= self.format.len() {
                break;
            }
            self.at += 1;
            out.flags = Flags::default();
            self.is_good = true;
            if !self.verb(out) {
                break;
            }
        }
        if !self.is_reordered && self.next < self.args.len() {
            self.extra(out);
        }
    }

    /// Arguments that no verb asked for.
    fn extra(&self, out: &mut Printer<'_>) {
        out.flags = Flags::default();
        out.write(b"%!(EXTRA ");
        for (index, arg) in self.args[self.next..].iter().enumerate() {
            if index > 0 {
                out.write(b", ");
            }
            if matches!(arg, Value::Nil) {
                out.write(b"<nil>");
            } else {
                out.write(arg.type_name().as_bytes());
                out.push(b'=');
                out.argument(arg, 'v');
            }
        }
        out.push(b')');
    }

    /// One verb with all before it; false at the end of the format.
    fn verb(&mut self, out: &mut Printer<'_>) -> bool {
        while let Some(next) = self.peek() {
            match next {
                b'#' => out.flags.sharp = true,
                b'0' => out.flags.zero = true,
                b'+' => out.flags.plus = true,
                b'-' => out.flags.minus = true,
                b' ' => out.flags.space = true,
                _ => break,
            }
            self.at += 1;
        }
        let mut has_index = self.index();
        if self.peek() == Some(b'*') {
            self.at += 1;
            let width = self.int_argument();
            if width.is_none() {
                out.write(b"%!(BADWIDTH)");
            }
            if width.is_some_and(|width| width < 0) {
                out.flags.minus = true;
                out.flags.zero = false;
            }
            out.flags.width = width.map(|width| usize::try_from(width.unsigned_abs()).unwrap_or(0));
            has_index = false;
        } else {
            out.flags.width = self.number();
            if has_index && out.flags.width.is_some() {
                self.is_good = false;
            }
        }
        if self.peek() == Some(b'.') && self.at + 1 < self.format.len() {
            self.at += 1;
            if has_index {
                self.is_good = false;
            }
            has_index = self.index();
            if self.peek() == Some(b'*') {
                self.at += 1;
                out.flags.precision = match self.int_argument() {
                    Some(precision) => usize::try_from(precision).ok(),
                    None => None,
                };
                if out.flags.precision.is_none() {
                    out.write(b"%!(BADPREC)");
                }
                has_index = false;
            } else {
                out.flags.precision = Some(self.number().unwrap_or(0));
            }
        }
        if !has_index {
            self.index();
        }
        let Some((verb, width)) =
            super::string::first_rune(self.format.get(self.at..).unwrap_or_default())
        else {
            out.write(b"%!(NOVERB)");
            return false;
        };
        self.at += width;
        if verb == '%' {
            out.push(b'%');
        } else if !self.is_good {
            out.complain(verb, b"(BADINDEX)");
        } else if let Some(arg) = self.args.get(self.next) {
            if matches!(verb, 'v' | 'w') {
                out.flags.sharp_v = std::mem::replace(&mut out.flags.sharp, false);
                out.flags.plus_v = std::mem::replace(&mut out.flags.plus, false);
            }
            out.argument(arg, verb);
            self.next += 1;
        } else {
            out.complain(verb, b"(MISSING)");
        }
        true
    }

    /// Digits; too many of them swallow the rest of the format.
    fn number(&mut self) -> Option<usize> {
        let mut number = None;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            let value = number.unwrap_or(0);
            if value > LARGEST {
                self.at = self.format.len();
                return None;
            }
            number = Some(value * 10 + usize::from(digit - b'0'));
            self.at += 1;
        }
        number
    }

    /// `[2]`, which picks the next argument.
    fn index(&mut self) -> bool {
        if self.peek() != Some(b'[') {
            return false;
        }
        self.is_reordered = true;
        let rest = &self.format[self.at..];
        let end = if rest.len() < 3 {
            None
        } else {
            rest.iter().position(|byte| *byte == b']')
        };
        let Some(end) = end else {
            self.is_good = false;
            self.at += 1;
            return false;
        };
        let digits = &rest[1..end];
        let is_number =
            !digits.is_empty() && digits.len() < 8 && digits.iter().all(u8::is_ascii_digit);
        self.at += end + 1;
        if !is_number {
            self.is_good = false;
            return false;
        }
        let fold = |value: usize, digit: &u8| value * 10 + usize::from(digit - b'0');
        let number: usize = digits.iter().fold(0, fold);
        match number
            .checked_sub(1)
            .filter(|index| *index < self.args.len())
        {
            Some(index) => self.next = index,
            None => self.is_good = false,
        }
        true
    }

    /// The value of `*`; `None` where the argument is not an integer of a sound size.
    fn int_argument(&mut self) -> Option<i64> {
        let arg = self.args.get(self.next)?;
        self.next += 1;
        let value = match arg {
            Value::Int(_, value) => *value,
            Value::Uint(_, value) => i64::try_from(*value).ok()?,
            _ => return None,
        };
        (value.unsigned_abs() <= LARGEST as u64).then_some(value)
    }
}
