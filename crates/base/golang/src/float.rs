//! Floats as `strconv.FormatFloat` prints them, in every format and precision.

use crate::number::{format_g, format_g32};

/// Prints a float as `strconv.FormatFloat(value, format, precision, bits)` does.
///
/// The formats are `b e E f g G x X`; without a precision the shortest digits are taken that
/// read back as the same float.
pub fn format_float(value: f64, format: u8, precision: Option<usize>, bits: u32) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let text = match format.to_ascii_lowercase() {
        b'b' => binary(value, bits),
        b'x' => hexadecimal(value, precision, bits),
        b'e' => exponential(
            &digits(value, precision.map(|count| count + 1), bits),
            precision,
        ),
        b'f' => match precision {
            Some(precision) => format!("{value:.precision$}"),
            None => positional(&digits(value, None, bits)),
        },
        _ => match precision {
            None if bits == 32 => format_g32(value),
            None => format_g(value),
            Some(precision) => general(value, precision.max(1), bits),
        },
    };
    if format.is_ascii_uppercase() {
        text.to_ascii_uppercase()
    } else {
        text
    }
}

/// Significant digits without zeros at the end, and the exponent of the first one.
struct Digits {
    is_negative: bool,
    text: String,
    exponent: i32,
}

/// The digits of a value, rounded to a count of them or as few as identify it.
#[expect(
    clippy::cast_possible_truncation,
    reason = "with 32 bits, the caller converted an f32"
)]
fn digits(value: f64, count: Option<usize>, bits: u32) -> Digits {
    let text = match count {
        Some(count) => format!("{value:.*e}", count.saturating_sub(1)),
        None if bits == 32 => format!("{:e}", value as f32),
        None => format!("{value:e}"),
    };
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (is_negative, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => (true, mantissa),
        None => (false, mantissa),
    };
    let digits = mantissa.replace('.', "");
    let trimmed = digits.trim_end_matches('0');
    Digits {
        is_negative,
        text: if trimmed.is_empty() { "0" } else { trimmed }.to_owned(),
        exponent: exponent.parse().unwrap_or(0),
    }
}

fn sign(digits: &Digits) -> &'static str {
    if digits.is_negative { "-" } else { "" }
}

fn exponential(digits: &Digits, precision: Option<usize>) -> String {
    let (first, rest) = digits.text.split_at(1);
    let rest = match precision {
        Some(precision) => format!("{rest:0<precision$}"),
        None => rest.to_owned(),
    };
    let point = if rest.is_empty() { "" } else { "." };
    let exponent_sign = if digits.exponent < 0 { '-' } else { '+' };
    let exponent = digits.exponent.unsigned_abs();
    format!(
        "{}{first}{point}{rest}e{exponent_sign}{exponent:02}",
        sign(digits)
    )
}

fn positional(digits: &Digits) -> String {
    let text = &digits.text;
    match usize::try_from(digits.exponent) {
        Err(_) => {
            let zeros = "0".repeat(digits.exponent.unsigned_abs() as usize - 1);
            format!("{}0.{zeros}{text}", sign(digits))
        }
        Ok(exponent) if exponent + 1 >= text.len() => {
            let zeros = "0".repeat(exponent + 1 - text.len());
            format!("{}{text}{zeros}", sign(digits))
        }
        Ok(exponent) => {
            let (whole, fraction) = text.split_at(exponent + 1);
            format!("{}{whole}.{fraction}", sign(digits))
        }
    }
}

/// `%g` with a precision: no zeros at the end, an exponent where the number is long.
fn general(value: f64, precision: usize, bits: u32) -> String {
    let digits = digits(value, Some(precision), bits);
    let count = i32::try_from(digits.text.len()).unwrap_or(i32::MAX);
    let mut limit = i32::try_from(precision).unwrap_or(i32::MAX);
    if limit > count && count > digits.exponent {
        limit = count;
    }
    if digits.exponent < -4 || digits.exponent >= limit {
        exponential(&digits, None)
    } else {
        positional(&digits)
    }
}

/// The mantissa and its exponent of a float of 64 or 32 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "with 32 bits, the caller converted an f32"
)]
fn parts(value: f64, bits: u32) -> (u64, i32, u32) {
    let (raw, size, bias) = if bits == 32 {
        (u64::from((value as f32).to_bits()), 23, -127)
    } else {
        (value.to_bits(), 52, -1023)
    };
    let width = if bits == 32 { 8 } else { 11 };
    let exponent = (raw >> size) & ((1 << width) - 1);
    let mantissa = raw & ((1 << size) - 1);
    match i32::try_from(exponent).unwrap_or(0) {
        0 => (mantissa, 1 + bias, size),
        exponent => (mantissa | 1 << size, exponent + bias, size),
    }
}

/// `%b`: the mantissa in decimal and a power of two.
fn binary(value: f64, bits: u32) -> String {
    let (mantissa, exponent, size) = parts(value, bits);
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let exponent = exponent - i32::try_from(size).unwrap_or(0);
    let exponent_sign = if exponent >= 0 { "+" } else { "" };
    format!("{sign}{mantissa}p{exponent_sign}{exponent}")
}

/// `%x`: `0x1.8p+01`.
fn hexadecimal(value: f64, precision: Option<usize>, bits: u32) -> String {
    let (mut mantissa, mut exponent, size) = parts(value, bits);
    if mantissa == 0 {
        exponent = 0;
    }
    // The first digit is 1, in bit 60; the fraction follows.
    mantissa <<= 60 - size;
    while mantissa != 0 && mantissa & (1 << 60) == 0 {
        mantissa <<= 1;
        exponent -= 1;
    }
    if let Some(precision) = precision.filter(|precision| *precision < 15) {
        let shift = precision * 4;
        let extra = (mantissa << shift) & ((1 << 60) - 1);
        mantissa >>= 60 - shift;
        if (extra | (mantissa & 1)) > 1 << 59 {
            mantissa += 1;
        }
        mantissa <<= 60 - shift;
        if mantissa & (1 << 61) != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let first = (mantissa >> 60) & 1;
    let fraction = format!("{:015x}", mantissa & ((1 << 60) - 1));
    let fraction = match precision {
        Some(precision) => format!("{fraction:0<precision$.precision$}"),
        None => fraction.trim_end_matches('0').to_owned(),
    };
    let point = if fraction.is_empty() { "" } else { "." };
    let exponent_sign = if exponent < 0 { '-' } else { '+' };
    let exponent = exponent.unsigned_abs();
    format!("{sign}0x{first}{point}{fraction}p{exponent_sign}{exponent:02}")
}
