//! Constants of a template, as every type that can hold them.

use sluice_golang::number::{parse_any_float, parse_go_int, parse_go_uint};
use sluice_golang::quote::{quote_bytes, unquote_char};

use super::lex::Kind;
use super::tree::Number;
use crate::value::GoString;

/// Reads the text of a token; an error is Go's.
pub(super) fn parse(text: &[u8], kind: Kind) -> Result<Number, String> {
    let mut number = Number {
        text: GoString::from(text),
        int: None,
        uint: None,
        float: None,
        complex: None,
    };
    let shown = || quote_bytes(text);
    if kind == Kind::CharConstant {
        let (rune, rest) = unquote_char(&text[1..], b'\'').ok_or("invalid syntax")?;
        if rest != b"'" {
            let text = String::from_utf8_lossy(text);
            return Err(format!("malformed character constant: {text}"));
        }
        number.int = Some(i64::from(rune));
        number.uint = Some(u64::from(rune));
        number.float = Some(f64::from(rune));
        return Ok(number);
    }
    // A constant has ASCII characters only.
    let text =
        std::str::from_utf8(text).map_err(|_| format!("illegal number syntax: {}", shown()))?;
    if kind == Kind::Complex {
        let (real, imaginary) =
            parse_complex(text).ok_or("syntax error scanning complex number")?;
        number.set_complex(real, imaginary);
        return Ok(number);
    }
    if let Some(imaginary) = text.strip_suffix('i').and_then(parse_any_float) {
        number.set_complex(0.0, imaginary);
        return Ok(number);
    }
    number.uint = parse_go_uint(text, 0).ok();
    number.int = parse_go_int(text, 0).ok();
    if number.int == Some(0) {
        // "-0" is unsigned, too.
        number.uint = Some(0);
    }
    number.float = match (number.int, number.uint) {
        (Some(int), _) => Some(as_float(int)),
        (None, Some(uint)) => Some(as_unsigned_float(uint)),
        (None, None) => match parse_any_float(text) {
            None => None,
            Some(_) if !text.contains(['.', 'e', 'E', 'p', 'P']) => {
                return Err(format!("integer overflow: {}", shown()));
            }
            Some(float) => {
                number.int = whole(float);
                number.uint = whole_unsigned(float);
                Some(float)
            }
        },
    };
    if number.float.is_none() {
        return Err(format!("illegal number syntax: {}", shown()));
    }
    Ok(number)
}

impl Number {
    fn set_complex(&mut self, real: f64, imaginary: f64) {
        self.complex = Some((real, imaginary));
        if imaginary == 0.0 {
            self.float = Some(real);
            self.int = whole(real);
            self.uint = whole_unsigned(real);
        }
    }
}

/// `1+2i`: the sign of the imaginary part splits the two.
fn parse_complex(text: &str) -> Option<(f64, f64)> {
    let text = text.strip_suffix('i')?;
    let bytes = text.as_bytes();
    let is_exponent = |at: usize| matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P');
    let split = (1..bytes.len())
        .rev()
        .find(|at| matches!(bytes[*at], b'+' | b'-') && !is_exponent(*at))?;
    let (real, imaginary) = text.split_at(split);
    Some((parse_any_float(real)?, parse_any_float(imaginary)?))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "Go rounds a constant to the nearest float"
)]
fn as_float(value: i64) -> f64 {
    value as f64
}

#[expect(
    clippy::cast_precision_loss,
    reason = "Go rounds a constant to the nearest float"
)]
fn as_unsigned_float(value: u64) -> f64 {
    value as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "the value is taken only where the cast is exact"
)]
fn whole(value: f64) -> Option<i64> {
    let int = value as i64;
    // 2^63 saturates to the largest integer, which reads back as 2^63.
    (as_float(int) == value && value < 9_223_372_036_854_775_808.0).then_some(int)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "the value is taken only where the cast is exact"
)]
fn whole_unsigned(value: f64) -> Option<u64> {
    let uint = value as u64;
    (as_unsigned_float(uint) == value && value < 18_446_744_073_709_551_616.0).then_some(uint)
}
