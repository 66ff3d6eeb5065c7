//! Numbers as Go's `strconv` and `encoding/json` read and print them.
//!
//! Go and Rust compute the same shortest digits that read back as the same float. Only the layout
//! of those digits differs.

/// Prints a float as `strconv.FormatFloat(x, 'g', -1, 64)`: with an exponent
/// below 1e-4 and from 1e6.
pub fn format_g(value: f64) -> String {
    special(value).unwrap_or_else(|| layout_g(&Decimal::shortest(value)))
}

/// Prints a float as `strconv.FormatFloat(x, 'g', -1, 32)`: the shortest digits
/// that identify the nearest 32-bit float.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the function returns the nearest 32-bit float"
)]
pub fn format_g32(value: f64) -> String {
    let value = value as f32;
    special(f64::from(value)).unwrap_or_else(|| layout_g(&Decimal::of(&format!("{value:e}"))))
}

/// Prints a float as `encoding/json` does: plain digits from 1e-6 up to 1e21, else an exponent.
///
/// Returns `None` for infinities and NaN, which JSON lacks.
pub fn format_json(value: f64) -> Option<String> {
    if !value.is_finite() {
        return None;
    }
    let magnitude = value.abs();
    let decimal = Decimal::shortest(value);
    Some(if magnitude != 0.0 && !(1e-6..1e21).contains(&magnitude) {
        // encoding/json strips the zero of a one-digit negative exponent only.
        let text = decimal.exponential();
        match text.split_once("e-0") {
            Some((mantissa, digit)) => format!("{mantissa}e-{digit}"),
            None => text,
        }
    } else {
        decimal.positional()
    })
}

/// Parses an integer as `strconv.ParseInt(text, base, 64)` does.
///
/// Base 0 reads the prefixes `0x`, `0o` and `0b`, and a leading zero as octal. The separator `_`
/// is not accepted: YAML strips it first.
pub fn parse_int(text: &str, base: u32) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let magnitude = parse_uint(digits, base)?;
    if negative {
        (magnitude <= 1 << 63).then(|| 0_i64.wrapping_sub_unsigned(magnitude))
    } else {
        i64::try_from(magnitude).ok()
    }
}

/// Parses an integer without a sign as `strconv.ParseUint(text, base, 64)` does.
pub fn parse_uint(text: &str, base: u32) -> Option<u64> {
    let (digits, base) = if base == 0 {
        prefix(text)
    } else {
        (text, base)
    };
    if digits.is_empty() || digits.starts_with(['+', '-']) {
        return None;
    }
    u64::from_str_radix(digits, base).ok()
}

/// Why `strconv` reads no integer from a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntError {
    /// Malformed.
    Syntax,
    /// Too large; carries the nearest integer that fits.
    Range(i64),
}

/// Parses an integer as `strconv.ParseInt(text, base, 64)` does, `_` included where Go takes it.
pub fn parse_go_int(text: &str, base: u32) -> Result<i64, IntError> {
    let (is_negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let limit = if is_negative { i64::MIN } else { i64::MAX };
    match parse_go_uint(digits, base) {
        Ok(magnitude) if magnitude == 1 << 63 && is_negative => Ok(i64::MIN),
        Ok(magnitude) => match i64::try_from(magnitude) {
            Ok(value) => Ok(if is_negative { -value } else { value }),
            Err(_) => Err(IntError::Range(limit)),
        },
        Err(IntError::Range(_)) => Err(IntError::Range(limit)),
        Err(IntError::Syntax) => Err(IntError::Syntax),
    }
}

/// Parses an integer as `strconv.ParseUint(text, base, 64)` does, `_` included where Go takes it.
pub fn parse_go_uint(text: &str, base: u32) -> Result<u64, IntError> {
    let mut plain = text.to_owned();
    if base == 0 && text.contains('_') {
        if !has_sound_underscores(text) {
            return Err(IntError::Syntax);
        }
        plain.retain(|next| next != '_');
    }
    let (digits, base) = if base == 0 {
        prefix(&plain)
    } else {
        (plain.as_str(), base)
    };
    let is_number = !digits.is_empty() && digits.chars().all(|next| next.is_digit(base));
    if !is_number {
        return Err(IntError::Syntax);
    }
    u64::from_str_radix(digits, base).map_err(|_| IntError::Range(i64::MAX))
}

/// Whether each underscore stands between digits or after the prefix of a base.
fn has_sound_underscores(text: &str) -> bool {
    let bytes = text.as_bytes();
    let lower = |at: usize| bytes.get(at).map(u8::to_ascii_lowercase);
    let has_prefix = lower(0) == Some(b'0') && matches!(lower(1), Some(b'x' | b'o' | b'b'));
    let is_digit = |byte: u8| {
        byte.is_ascii_digit() || (has_prefix && lower(1) == Some(b'x') && byte.is_ascii_hexdigit())
    };
    let mut before = if has_prefix { b'0' } else { b'^' };
    for byte in &bytes[if has_prefix { 2 } else { 0 }..] {
        let class = match byte {
            b'_' if before != b'0' => return false,
            b'_' => b'_',
            byte if is_digit(*byte) => b'0',
            _ if before == b'_' => return false,
            _ => b'!',
        };
        before = class;
    }
    before != b'_'
}

fn prefix(text: &str) -> (&str, u32) {
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b'0') || bytes.len() < 2 {
        return (text, 10);
    }
    if bytes.len() >= 3 {
        match bytes[1] {
            b'x' | b'X' => return (&text[2..], 16),
            b'o' | b'O' => return (&text[2..], 8),
            b'b' | b'B' => return (&text[2..], 2),
            _ => {}
        }
    }
    (&text[1..], 8)
}

/// Parses a decimal float. Returns `None` where `strconv.ParseFloat` reports an error.
///
/// Names of infinities are not accepted: see [`parse_any_float`].
pub fn parse_float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !unsigned.starts_with(|c: char| c == '.' || c.is_ascii_digit()) {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Parses a float as `strconv.ParseFloat` does: decimal or hexadecimal, with `_` between digits,
/// or a name such as `inf` or `nan`.
pub fn parse_any_float(text: &str) -> Option<f64> {
    let (sign, unsigned) = match text.as_bytes().first()? {
        b'-' => (-1.0, &text[1..]),
        b'+' => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    match unsigned.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => return Some(sign * f64::INFINITY),
        "nan" if unsigned.len() == text.len() => return Some(f64::NAN),
        _ => {}
    }
    if unsigned.starts_with(['+', '-']) {
        return None;
    }
    let digits = without_underscores(unsigned)?;
    if let Some(hexadecimal) = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        return parse_hexadecimal(hexadecimal).map(|value| sign * value);
    }
    parse_float(&digits).map(|value| sign * value)
}

/// Removes underscores. Returns `None` if one does not stand between digits or after a prefix.
fn without_underscores(text: &str) -> Option<String> {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    let bytes = text.as_bytes();
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    for (index, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'_') {
        let before = index.checked_sub(1).and_then(|before| bytes.get(before));
        let follows = is_digit(before) || (hexadecimal && index == 2);
        if !follows || !is_digit(bytes.get(index + 1)) {
            return None;
        }
    }
    Some(text.replace('_', ""))
}

/// Parses a hexadecimal float without sign and prefix. The exponent is mandatory.
fn parse_hexadecimal(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let is_number = exponent
        .strip_prefix(['+', '-'])
        .unwrap_or(exponent)
        .bytes()
        .all(|byte| byte.is_ascii_digit());
    let mut exponent: i64 = exponent.parse().ok().filter(|_| is_number)?;
    exponent -= i64::try_from(fraction.len()).ok()? * 4;
    let mut mantissa: u128 = 0;
    for digit in whole.chars().chain(fraction.chars()) {
        let digit = u128::from(digit.to_digit(16)?);
        if mantissa >> 120 == 0 {
            mantissa = mantissa << 4 | digit;
        } else {
            // The bits beyond the mantissa matter only as zero or non-zero, for the rounding.
            mantissa |= u128::from(digit != 0);
            exponent += 4;
        }
    }
    let value = scaled(mantissa, exponent);
    value.is_finite().then_some(value)
}

/// Returns `mantissa * 2^exponent`, rounded once, half to even.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the mantissa is cut to the bits of the result"
)]
fn scaled(mantissa: u128, exponent: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let length = i64::from(128 - mantissa.leading_zeros());
    // A subnormal result has fewer bits.
    let room = (length + exponent + 1074).min(53);
    if room < 0 || length + exponent > 1100 {
        return if room < 0 { 0.0 } else { f64::INFINITY };
    }
    let cut = (length - room).max(0);
    let mut truncated = mantissa >> cut;
    let rest = mantissa & ((1 << cut) - 1);
    let half = if cut > 0 { 1 << (cut - 1) } else { u128::MAX };
    if rest > half || (rest == half && truncated & 1 == 1) {
        truncated += 1;
    }
    let mut value = truncated as u64 as f64;
    let mut left = exponent + cut;
    // Each step but the last stays normal, and the last one is exact.
    while left > 0 {
        let step = left.min(1000);
        value *= 2f64.powi(step as i32);
        left -= step;
    }
    while left < 0 {
        let step = (-left).min(1000);
        value *= 2f64.powi(-(step as i32));
        left += step;
    }
    value
}

fn special(value: f64) -> Option<String> {
    if value.is_nan() {
        Some("NaN".to_owned())
    } else if value.is_infinite() {
        Some(if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned())
    } else {
        None
    }
}

/// Significant digits and the decimal exponent of the first one.
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i32,
}

impl Decimal {
    /// Returns the shortest digits that read back as the value. If two are equally near, Go takes
    /// the even one and Rust the greater one.
    fn shortest(value: f64) -> Self {
        let mut decimal = Self::of(&format!("{value:e}"));
        let length = decimal.digits.len();
        // Fewer digits have only one candidate.
        if (15..=17).contains(&length) {
            let exact = Self::of(&format!("{value:.40e}"));
            let (truncated, rest) = exact.digits.split_at(length);
            let tie = rest.starts_with('5') && rest[1..].bytes().all(|digit| digit == b'0');
            let even = truncated.ends_with(['0', '2', '4', '6', '8']);
            if tie && even && exact.exponent == decimal.exponent {
                truncated
                    .trim_end_matches('0')
                    .clone_into(&mut decimal.digits);
            }
        }
        decimal
    }

    /// Parses the output of `{:e}`, for example `-1.25e-7`.
    fn of(scientific: &str) -> Self {
        let (mantissa, exponent) = scientific
            .split_once('e')
            .expect("`{:e}` always prints an exponent");
        let (negative, mantissa) = match mantissa.strip_prefix('-') {
            Some(mantissa) => (true, mantissa),
            None => (false, mantissa),
        };
        Self {
            negative,
            digits: mantissa.replace('.', ""),
            exponent: exponent.parse().expect("the exponent is a small integer"),
        }
    }

    fn sign(&self) -> &'static str {
        if self.negative { "-" } else { "" }
    }

    /// Prints the form `1.25e-07`, with at least two digits of exponent.
    fn exponential(&self) -> String {
        let (first, rest) = self.digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        let sign = if self.exponent < 0 { '-' } else { '+' };
        let exponent = self.exponent.unsigned_abs();
        format!("{}{first}{point}{rest}e{sign}{exponent:02}", self.sign())
    }

    /// Prints the form `0.000000125` or `1250`.
    fn positional(&self) -> String {
        let sign = self.sign();
        let digits = &self.digits;
        match usize::try_from(self.exponent) {
            Err(_) => {
                let zeros = "0".repeat(self.exponent.unsigned_abs() as usize - 1);
                format!("{sign}0.{zeros}{digits}")
            }
            Ok(exponent) if exponent + 1 >= digits.len() => {
                let zeros = "0".repeat(exponent + 1 - digits.len());
                format!("{sign}{digits}{zeros}")
            }
            Ok(exponent) => {
                let (whole, fraction) = digits.split_at(exponent + 1);
                format!("{sign}{whole}.{fraction}")
            }
        }
    }
}

/// Prints as `%g` does at shortest precision.
fn layout_g(decimal: &Decimal) -> String {
    if decimal.exponent < -4 || decimal.exponent >= 6 {
        decimal.exponential()
    } else {
        decimal.positional()
    }
}

#[cfg(test)]
mod tests {
    use super::{
        format_g, format_g32, format_json, parse_any_float, parse_float, parse_int, parse_uint,
    };
    use proptest::prelude::*;

    #[test]
    fn floats_print_as_in_go() {
        for (value, general, json) in [
            (0.0, "0", "0"),
            (-0.0, "-0", "-0"),
            (1.0, "1", "1"),
            (0.5, "0.5", "0.5"),
            (100_000.5, "100000.5", "100000.5"),
            (123_456.0, "123456", "123456"),
            (1_234_567.0, "1.234567e+06", "1234567"),
            (1_234_567.5, "1.2345675e+06", "1234567.5"),
            (1e6, "1e+06", "1000000"),
            (1e20, "1e+20", "100000000000000000000"),
            (1e21, "1e+21", "1e+21"),
            (1.5e300, "1.5e+300", "1.5e+300"),
            (0.0001, "0.0001", "0.0001"),
            (0.00001, "1e-05", "0.00001"),
            (0.000_001_5, "1.5e-06", "0.0000015"),
            (1e-7, "1e-07", "1e-7"),
            (1.25e-10, "1.25e-10", "1.25e-10"),
            (-12.5, "-12.5", "-12.5"),
            (
                f64::MAX,
                "1.7976931348623157e+308",
                "1.7976931348623157e+308",
            ),
            (5e-324, "5e-324", "5e-324"),
            (
                6_312_381_589_297_922.0 / 8.0,
                "7.890476986622402e+14",
                "789047698662240.2",
            ),
            (
                6_312_381_589_297_926.0 / 8.0,
                "7.890476986622408e+14",
                "789047698662240.8",
            ),
        ] {
            assert_eq!(format_g(value), general);
            assert_eq!(format_json(value).as_deref(), Some(json));
        }
    }

    #[test]
    fn infinities_and_nan_have_no_json_form() {
        for (value, name) in [
            (f64::INFINITY, "+Inf"),
            (f64::NEG_INFINITY, "-Inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(format_g(value), name);
            assert_eq!(format_g32(value), name);
            assert_eq!(format_json(value), None);
        }
    }

    #[test]
    fn narrow_floats_have_fewer_digits() {
        assert_eq!(format_g32(0.1), "0.1");
        assert_eq!(format_g32(1.0 / 3.0), "0.33333334");
        assert_eq!(format_g32(1e39), "+Inf");
    }

    #[test]
    fn base_zero_follows_the_prefix() {
        for (text, value) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("+7", Some(7)),
            ("010", Some(8)),
            ("0o10", Some(8)),
            ("0x1F", Some(31)),
            ("-0b101", Some(-5)),
            ("08", None),
            ("0x", None),
            ("0b2", None),
            ("", None),
            ("-", None),
            ("--1", None),
            ("0x-1", None),
            ("1_000", None),
            ("9223372036854775807", Some(i64::MAX)),
            ("9223372036854775808", None),
            ("-9223372036854775808", Some(i64::MIN)),
            ("-9223372036854775809", None),
        ] {
            assert_eq!(parse_int(text, 0), value, "{text}");
        }
        assert_eq!(parse_uint("18446744073709551615", 0), Some(u64::MAX));
        assert_eq!(parse_uint("+1", 0), None);
        assert_eq!(parse_int("-101", 2), Some(-5));
    }

    #[test]
    fn parse_float_rejects_names_and_out_of_range() {
        assert_eq!(parse_float("1e3"), Some(1000.0));
        assert_eq!(parse_float("-.5"), Some(-0.5));
        for text in [
            "1e999", "inf", "-inf", "NaN", "infinity", "", ".", "+", "1e", "1_0",
        ] {
            assert_eq!(parse_float(text), None, "{text}");
        }
    }

    #[test]
    fn parse_any_float_reads_every_form_of_go() {
        for (text, value) in [
            ("1_000.5", Some(1000.5)),
            ("-1_2e1_0", Some(-12e10)),
            ("1_", None),
            ("_1", None),
            ("1__0", None),
            ("1_.5", None),
            ("inf", Some(f64::INFINITY)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
            ("+INF", Some(f64::INFINITY)),
            ("--1", None),
            ("+-1", None),
            ("infi", None),
            ("+nan", None),
            ("0x1p-2", Some(0.25)),
            ("-0X1.8P1", Some(-3.0)),
            ("0x_1p4", Some(16.0)),
            ("0x1", None),
            ("0xp1", None),
            ("0x.8p1", Some(1.0)),
            ("0x1p-1074", Some(5e-324)),
            ("0x1p-1075", Some(0.0)),
            ("0x1.8p-1075", Some(5e-324)),
            ("0x1.fffffffffffff8p1023", None),
            ("0x1.fffffffffffffp1023", Some(f64::MAX)),
            ("0x1.00000000000008p0", Some(1.0)),
            (
                "0x1.0000000000000800000000000000000000000001p0",
                Some(1.0 + f64::EPSILON),
            ),
            ("1e999", None),
            ("", None),
        ] {
            assert_eq!(parse_any_float(text), value, "{text}");
        }
        assert!(parse_any_float("NaN").is_some_and(f64::is_nan));
    }

    proptest! {
        #[test]
        fn printed_float_parses_to_itself(value in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL) {
            prop_assert_eq!(parse_float(&format_g(value)), Some(value));
            prop_assert_eq!(format_json(value).as_deref().and_then(parse_float), Some(value));
        }

        #[test]
        fn printed_integer_parses_to_itself(value: i64) {
            prop_assert_eq!(parse_int(&value.to_string(), 0), Some(value));
        }
    }
}
